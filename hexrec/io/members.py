"""Members of archives in zip and tar, read one by one within limits, without temporary files."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from tarfile import BLOCKSIZE, HeaderError, TarFile, TarInfo
from tarfile import EOFHeaderError as EndOfArchive  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, BinaryIO, NoReturn, Self, cast

from hexrec.io.compression import (
    Allowance,
    CompressionError,
    MeteredStream,
    as_compression_errors,
    decompress_stream,
    meter_input,
    meter_output,
)
from hexrec.io.remote import file_name, open_binary
from hexrec.util import limits
from hexrec.util.streams import ReadStream

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo


#: Minimum size of the local header before a member's data in a zip archive, and signature of a directory entry.
_LOCAL_HEADER = 30
_ENTRY = b"PK\x01\x02"
_HINT = "unpack the archive and give the directory"
_NEGATIVE_SIZE = "damaged or encrypted: a size is negative"
#: The name of a file in an archive, and a function that opens it.
Member = tuple[str, Callable[[], BinaryIO]]


def members(file: str) -> Iterator[Member]:
    """Yield the name of each file in an archive and a function that opens it, valid until the next file.

    Files are in the order of the archive, which is read in parts. Raises OSError.
    """
    listed = _iter_zip(file) if file_name(file).lower().endswith(".zip") else _iter_tar(file)
    for number, (name, opener) in enumerate(listed):
        if number == limits.MAX_MEMBERS:
            raise too_many()
        if len(name) > limits.MAX_NAME:
            raise CompressionError(f"the name of a member has more than {limits.MAX_NAME:,} characters: {_HINT}")
        yield name, opener


def too_many() -> CompressionError:
    """Return the error for an archive with too many members."""
    return CompressionError(f"it has more than {limits.MAX_MEMBERS:,} members: {_HINT}")


def _iter_tar(file: str) -> Iterator[Member]:
    with open_binary(file) as stream, as_compression_errors():
        allowance = Allowance()
        blocks = _Blocks(decompress_stream(meter_input(stream, allowance)))
        archive = TarFile(fileobj=cast(BinaryIO, blocks), tarinfo=_Header)
        while (member := archive.next()) is not None:
            if member.size < 0:
                raise CompressionError(_NEGATIVE_SIZE)
            if member.isreg():
                blocks.allowed = sys.maxsize
                data = cast(ReadStream, archive.extractfile(member))
                opener = partial(MeteredStream, data, allowance)
                yield member.name, _refuse_sparse if member.issparse() else opener
            # The library keeps these for all members, so memory would grow with the archive.
            archive.members = []  # type: ignore[attr-defined]
            archive.pax_headers = {key: value for key, value in archive.pax_headers.items() if key in _KEPT}
            blocks.allowed = limits.MAX_HEADER_BYTES


def _refuse_sparse() -> NoReturn:
    raise CompressionError(f"it is stored as a sparse file: {_HINT}")


def _iter_zip(file: str) -> Iterator[Member]:
    import zipfile

    with open_binary(file) as stream:
        with as_compression_errors():
            archive = zipfile.ZipFile(cast(BinaryIO, _ZipStream(stream)))
        listed = archive.infolist()
        _check_overlap(listed)
        allowance = Allowance()
        for member in listed:
            if not member.filename.endswith("/"):
                yield member.filename, partial(_zip_member, archive, member, allowance)


def _zip_member(archive: ZipFile, member: ZipInfo, allowance: Allowance) -> BinaryIO:
    """Open a member. Raises CompressionError."""
    import zipfile

    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        # For bzip2, the library keeps all output of one read in memory: 45 bytes may decompress to 46 MB.
        raise CompressionError(f"its compression method is not supported in zip archives, only deflate is: {_HINT}")
    with as_compression_errors():
        stream = archive.open(member)
    allowance.read += member.compress_size
    return meter_output(cast(BinaryIO, stream), allowance)


def _check_overlap(listed: list[ZipInfo]) -> None:
    """Raise CompressionError if members of a zip archive share bytes, as in a zip bomb."""
    end = 0
    for member in sorted(listed, key=lambda member: member.header_offset):
        if member.header_offset < end:
            raise CompressionError(f"its members overlap: {_HINT}")
        end = member.header_offset + _LOCAL_HEADER + member.compress_size


class _ZipStream:
    """The stream of a zip archive, which limits the size of one read to that of the list of members.

    The library reads that list in one piece, and keeps about 600 bytes per entry.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.seek, self.tell, self.seekable = stream.seek, stream.tell, stream.seekable

    def read(self, size: int = -1) -> bytes:
        """Read up to `size` bytes, or to the end. Raises CompressionError."""
        limit = limits.MAX_DIRECTORY_BYTES
        if size > limit or len(data := self._stream.read(size if size >= 0 else limit + 1)) > limit:
            raise CompressionError(f"the list of its members has more than {limits.in_words(limit)}: {_HINT}")
        if data.count(_ENTRY) > limits.MAX_MEMBERS:
            raise too_many()
        return data


#: Python before 3.11.10 and 3.12.6 takes quadratic time for a run of digits (CVE-2024-6232).
_MANY_DIGITS = re.compile(rb"\d{100}")
#: The global attributes of members that are used here.
_KEPT = ("path", "size")
_CHUNK = 1 << 16


class _Header(TarInfo):
    """A header that raises CompressionError if it is damaged. The library would end the archive there."""

    @classmethod
    def fromtarfile(cls, tarfile: TarFile) -> Self:
        try:
            return super().fromtarfile(tarfile)
        except EndOfArchive:
            raise
        except HeaderError:
            raise CompressionError("damaged or encrypted: the header of a member is malformed") from None
        except RecursionError:  # the library calls itself for each header of a member
            raise _header_size_error() from None


class _Blocks:
    """The stream of a tar archive, of which `allowed` bytes may be read before the data of the next member."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._at = 0
        self.allowed = limits.MAX_HEADER_BYTES

    def seekable(self) -> bool:
        return False

    def tell(self) -> int:
        return self._at

    def seek(self, place: int) -> None:
        """Skip the bytes before a later offset. Raises CompressionError."""
        if place < self._at:
            raise CompressionError(_NEGATIVE_SIZE)
        while self._at < place:
            self._pull(min(_CHUNK, place - self._at))

    def read(self, size: int) -> bytes:
        """Read exactly `size` bytes. Raises CompressionError."""
        if size < 0:
            raise CompressionError(_NEGATIVE_SIZE)
        in_header = self.allowed <= limits.MAX_HEADER_BYTES
        self.allowed -= size
        if self.allowed < 0:
            raise _header_size_error()
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


def _header_size_error() -> CompressionError:
    limit = limits.in_words(limits.MAX_HEADER_BYTES)
    return CompressionError(f"the headers of a member are larger than {limit}: {_HINT}")
