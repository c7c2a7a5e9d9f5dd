"""Tar archives, read front to back. The library's reader has no limit on the size of headers."""

from __future__ import annotations

from collections.abc import Iterator
from tarfile import (
    BLOCKSIZE,
    GNUTYPE_LONGLINK,
    GNUTYPE_LONGNAME,
    GNUTYPE_SPARSE,
    SOLARIS_XHDTYPE,
    SUPPORTED_TYPES,
    XGLTYPE,
    XHDTYPE,
    TarInfo,
)
from typing import BinaryIO, NamedTuple

from hexrec import limits
from hexrec.files.compression import CompressionError
from hexrec.streams import ReadStream

_ENCODING = ("utf-8", "surrogateescape")
#: Where a header says that more of its list of holes follows, in the header itself and in what follows.
_MORE_HOLES, _STILL_MORE_HOLES = 482, 504
_HOLES = "GNU.sparse."
_CHUNK = 1 << 16


class TarMember(NamedTuple):
    """A file in a tar archive.

    Attributes:
        name: its path.
        sparse: whether its data lacks holes, which are to be filled with zeros.
        data: its bytes, until the next member is asked for.
    """

    name: str
    sparse: bool
    data: ReadStream


def members(stream: BinaryIO) -> Iterator[TarMember]:
    """Yield the files of an archive. Raises CompressionError, and TarError or ValueError for a header that is none."""
    headers = _Headers(stream)
    while (found := headers.next()) is not None:
        about, sparse = found
        has_data = about.isreg() or about.type not in SUPPORTED_TYPES
        data = _Data(stream, about.size if has_data else 0)
        if about.isreg():
            yield TarMember(about.name, sparse, data)
        data.skip()


class _Headers:
    """Reads the headers before each member's data."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._common: dict[str, str] = {}
        self._read = 0

    def next(self) -> tuple[TarInfo, bool] | None:
        """Return what is said of the next member, and whether it has holes; None at the end of the archive."""
        self._read = 0
        name, own = "", dict(self._common)
        while (block := self._take(BLOCKSIZE)).strip(b"\0"):
            about = TarInfo.frombuf(block, *_ENCODING)
            if about.size < 0:
                raise CompressionError("damaged or encrypted: a size is negative")
            if about.type in (GNUTYPE_LONGNAME, GNUTYPE_LONGLINK):
                text = self._body(about.size).partition(b"\0")[0].decode(*_ENCODING)
                name = text if about.type == GNUTYPE_LONGNAME else name
            elif about.type == XGLTYPE:
                self._common |= _attributes(self._body(about.size))
                own = self._common | own
            elif about.type in (XHDTYPE, SOLARIS_XHDTYPE):
                own |= _attributes(self._body(about.size))
            else:
                more = about.type == GNUTYPE_SPARSE and block[_MORE_HOLES]
                while more:
                    more = self._take(BLOCKSIZE)[_STILL_MORE_HOLES]
                about.name = own.get(f"{_HOLES}name") or own.get("path") or name or about.name
                about.size = int(own.get("size") or about.size)
                return about, about.type == GNUTYPE_SPARSE or any(key.startswith(_HOLES) for key in own)
        return None

    def _body(self, size: int) -> bytes:
        return self._take(size + -size % BLOCKSIZE)[:size]

    def _take(self, size: int) -> bytes:
        self._read += size
        if self._read > limits.MAX_HEADER_BYTES:
            limit = limits.in_words(limits.MAX_HEADER_BYTES)
            raise CompressionError(
                f"the headers of a member are larger than {limit}: unpack the archive and give the folder"
            )
        data = self._stream.read(size)
        if len(data) < size:
            raise _truncated()
        return data


def _attributes(body: bytes) -> dict[str, str]:
    """Return those attributes of a member that matter here. Raises ValueError and CompressionError."""
    found = {}
    at = 0
    while at < len(body) and body[at]:
        digits = body[at : at + 20].partition(b" ")[0]
        end = at + int(digits)
        if not at + len(digits) < end <= len(body):
            raise CompressionError("damaged or encrypted: an attribute of a member does not end where it should")
        key, _, value = body[at + len(digits) + 1 : end - 1].decode(*_ENCODING).partition("=")
        if key in ("path", "size", f"{_HOLES}name"):
            found[key] = value
        elif key.startswith(_HOLES):
            found[_HOLES] = ""
        at = end
    return found


class _Data(ReadStream):
    """The data of a member."""

    def __init__(self, stream: BinaryIO, size: int) -> None:
        self._stream = stream
        self._left = size
        self._padding = -size % BLOCKSIZE

    def pull(self, size: int) -> bytes:
        data = self._stream.read(min(size, self._left))
        if not data and self._left and size:
            raise _truncated()
        self._left -= len(data)
        return data

    def skip(self) -> None:
        """Read up to the next header; nothing can be read from this any more."""
        left, self._left = self._left + self._padding, 0
        while left:
            data = self._stream.read(min(left, _CHUNK))
            if not data:
                raise _truncated()
            left -= len(data)


def _truncated() -> CompressionError:
    return CompressionError("the archive is truncated")
