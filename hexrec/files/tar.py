"""Tar archives, read front to back: the standard library's reader, with a limit on the size of headers."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from tarfile import BLOCKSIZE, HeaderError, TarFile, TarInfo
from tarfile import EOFHeaderError as EndOfArchive  # type: ignore[attr-defined]
from typing import BinaryIO, NamedTuple, Self, cast

from hexrec import limits
from hexrec.files.compression import CompressionError
from hexrec.streams import ReadStream

#: Python before 3.11.10 and 3.12.6 takes a time that grows with the square of a run of digits (CVE-2024-6232).
_MANY_DIGITS = re.compile(rb"\d{100}")
#: The attributes of all members that matter here.
_KEPT = ("path", "size")
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
    blocks = _Blocks(stream)
    archive = TarFile(fileobj=cast(BinaryIO, blocks), tarinfo=_Header)
    while (member := archive.next()) is not None:
        if member.size < 0:
            raise _negative()
        if member.isreg():
            blocks.allowed = sys.maxsize
            yield TarMember(member.name, member.issparse(), cast(ReadStream, archive.extractfile(member)))
        # The library keeps these for all members: what is kept must not grow with the archive.
        archive.members = []  # type: ignore[attr-defined]
        archive.pax_headers = {key: value for key, value in archive.pax_headers.items() if key in _KEPT}
        blocks.allowed = limits.MAX_HEADER_BYTES


class _Header(TarInfo):
    """A header. The library takes one that is damaged for the end of the archive."""

    @classmethod
    def fromtarfile(cls, tarfile: TarFile) -> Self:
        try:
            return super().fromtarfile(tarfile)
        except EndOfArchive:
            raise
        except HeaderError as error:
            raise CompressionError(f"damaged or encrypted: {error}") from None
        except RecursionError:  # the library calls itself for each header of a member
            raise _too_large() from None


class _Blocks:
    """The stream of an archive.

    Attributes:
        allowed: how many bytes may be read of it before the data of the next member.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._at = 0
        self.allowed = limits.MAX_HEADER_BYTES

    def seekable(self) -> bool:
        return False

    def tell(self) -> int:
        return self._at

    def seek(self, place: int) -> None:
        """Skip what comes before a place further on. Raises CompressionError."""
        if place < self._at:
            raise _negative()
        while self._at < place:
            self._pull(min(_CHUNK, place - self._at))

    def read(self, size: int) -> bytes:
        """Read exactly as many bytes as asked for. Raises CompressionError."""
        if size < 0:
            raise _negative()
        in_header = self.allowed <= limits.MAX_HEADER_BYTES
        self.allowed -= size
        if self.allowed < 0:
            raise _too_large()
        data = self._pull(size)
        if in_header and size >= BLOCKSIZE and _MANY_DIGITS.search(data):
            raise CompressionError("damaged or encrypted: a header has a number of 100 digits")
        return data

    def _pull(self, size: int) -> bytes:
        data = self._stream.read(size)
        self._at += len(data)
        if len(data) < size:
            raise CompressionError("the archive is truncated")
        return data


def _too_large() -> CompressionError:
    limit = limits.in_words(limits.MAX_HEADER_BYTES)
    return CompressionError(f"the headers of a member are larger than {limit}: unpack the archive and give the folder")


def _negative() -> CompressionError:
    return CompressionError("damaged or encrypted: a size is negative")
