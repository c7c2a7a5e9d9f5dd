"""Compressed files, decompressed within limits, without temporary files."""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar, cast

from hexrec.errors import Error
from hexrec.util import limits
from hexrec.util.streams import ReadStream, peekable

if TYPE_CHECKING:  # few files are in this format
    from hexrec.io.zstd import Zstd

#: The suffixes of compressed files, and the magic numbers with which these files begin.
_COMPRESSED = {".gz": b"\x1f\x8b\x08", ".zst": b"\x28\xb5\x2f\xfd", ".bz2": b"BZh", ".xz": b"\xfd7zXZ"}
#: Words in the messages of libraries, and the reasons in messages for users.
_PLAINER = (
    ("emory", "unpacking it needs more memory than the limit"),
    ("CRC", "its checksum is wrong"),
    ("password", "it needs a password"),
    ("end of", "it is truncated"),
)
#: Records that each byte of a compressed file adds to the number that every such file may have.
_RECORDS_A_BYTE = 20
_T = TypeVar("_T")


class CompressionError(Error, OSError):
    """Compressed data that is damaged, encrypted, above a limit, or needs a library that is not installed."""


def inner_name(file: str | PurePath) -> str:
    """Return the name of a file, without the suffix of compression."""
    root, suffix = os.path.splitext(file)
    return root if suffix.lower() in _COMPRESSED else str(file)


def inner_suffix(file: str | PurePath) -> str:
    """Return the suffix of a file (lowercase), without the suffix of compression."""
    return os.path.splitext(inner_name(file))[1].lower()


def compress_stream(stream: BinaryIO, file: str | PurePath) -> BinaryIO:
    """Return a stream that compresses its data into `stream` if the file has such a suffix, or else `stream`.

    Equal data gives equal bytes. Closing the new stream leaves `stream` open. Raises CompressionError.
    """
    suffix = PurePath(file).suffix.lower()
    if suffix in (".gz", ".zst"):
        from hexrec.io.frames import BgzipWriter, ZstdWriter  # most outputs are not compressed

        written = BgzipWriter(stream) if suffix == ".gz" else ZstdWriter(stream, _zstd().compress)
        return cast(BinaryIO, written)
    return cast(BinaryIO, _library(suffix).open(stream, "wb")) if suffix in _COMPRESSED else stream


def decompress_stream(stream: BinaryIO) -> BinaryIO:
    """Return a stream of decompressed data, or the same data if the stream is not compressed.

    The data counts toward the allowance of a `MeteredStream`, or else toward a new one. Reading raises
    CompressionError if the data is damaged or exceeds a limit.
    """
    buffered = peekable(stream)
    head = buffered.peek(5)
    suffix = next((name for name, magic in _COMPRESSED.items() if head.startswith(magic)), None)
    if suffix is None:
        return buffered
    metered = stream if isinstance(stream, MeteredStream) else meter_input(buffered, Allowance())
    return meter_output(_decompressor(suffix, metered), metered.allowance)


class Allowance:
    """The budget of decompressed bytes and records of a file. It grows with the bytes read from the file.

    Attributes:
        read: the number of bytes read from the file.
        decompressed: the number of decompressed bytes, summed over all layers of compression.
        records: the number of records in these.
    """

    def __init__(self) -> None:
        self.read = 0
        self.decompressed = 0
        self.records = 0

    def use(self, size: int) -> None:
        """Count decompressed bytes. Raises CompressionError if there are too many."""
        self.decompressed += size
        if self.decompressed > limits.MAX_DECOMPRESSED_BYTES + limits.MAX_COMPRESSION_RATIO * self.read:
            raise CompressionError(
                f"it unpacks to over {limits.in_words(limits.MAX_DECOMPRESSED_BYTES)} more than "
                f"{limits.MAX_COMPRESSION_RATIO} times its size: if that is intended, unpack it and give its contents"
            )

    def use_records(self, count: int = 1) -> None:
        """Count decompressed records. Raises CompressionError if there are too many."""
        self.records += count
        if self.records > limits.MAX_COMPRESSED_RECORDS + _RECORDS_A_BYTE * self.read:
            raise CompressionError(
                f"it contains over {limits.MAX_COMPRESSED_RECORDS:,} records more than {_RECORDS_A_BYTE} for each of "
                "its bytes: if that is intended, unpack it and give its contents"
            )


def count_toward(records: Iterator[_T], allowance: Allowance | None) -> Iterator[_T]:
    """Count records toward an allowance, if there is one, while iterating. Iteration raises CompressionError."""
    for record in records:
        if allowance is not None:
            allowance.use_records()
        yield record


class MeteredStream(io.BufferedReader):
    """A stream of a compressed file or of an archive, or of data that was decompressed from one.

    Attributes:
        allowance: the allowance for data that is decompressed from this stream.
    """

    def __init__(self, raw: io.RawIOBase, allowance: Allowance) -> None:
        super().__init__(raw)
        self.allowance = allowance


@contextmanager
def as_compression_errors() -> Iterator[None]:
    """Convert the errors of decompression for damaged data, which have no common class, to CompressionError."""
    try:
        yield
    except (OSError, MemoryError):
        raise
    except EOFError:
        raise CompressionError("damaged or encrypted: it is truncated") from None
    except Exception as error:
        if isinstance(error.__context__, OSError) and error.__context__.errno == errno.EIO:
            raise error.__context__ from None  # zipfile takes a failing disk for a damaged archive
        reason = next((plain for word, plain in _PLAINER if word in str(error)), "unpack it, and give its contents")
        raise CompressionError(f"damaged or encrypted: {reason}") from None


def _decompressor(suffix: str, stream: BinaryIO) -> BinaryIO:
    """Return a stream of the decompressed bytes that keeps the memory limits. Raises CompressionError."""
    if suffix == ".xz":
        return io.BufferedReader(_Xz(stream))
    if suffix == ".zst":
        return _zstd().open(stream)
    return cast(BinaryIO, _library(suffix).open(stream))


def _library(suffix: str) -> Any:
    """Return the module for a suffix, which has a function `open`. Raises CompressionError if it is not installed."""
    name = {".gz": "gzip", ".bz2": "bz2", ".xz": "lzma"}[suffix]
    try:
        return import_module(name)
    except ImportError:
        raise CompressionError(f"for {suffix} files, install Python with its module {name}") from None


def _zstd() -> Zstd:
    """Return the library for Zstandard. Raises CompressionError if none is installed."""
    from hexrec.io.zstd import find_zstd

    library = find_zstd()
    if library is None:
        raise CompressionError("for .zst files, install hexrec-games[zstd]")
    return library


def meter_output(stream: BinaryIO, allowance: Allowance) -> MeteredStream:
    """Return a stream of decompressed data that counts bytes. Reading raises CompressionError."""

    def pull(size: int) -> bytes:
        with as_compression_errors():
            # `read` would lose the data before an error.
            data: bytes = cast(Any, stream).read1(size)
        allowance.use(len(data))
        return data

    return MeteredStream(_Counted(pull), allowance)


class _Counted(ReadStream):
    """A stream that knows the number of bytes read from it."""

    def __init__(self, pull: Callable[[int], bytes | memoryview]) -> None:
        super().__init__(pull)
        self._count = 0

    def readinto(self, buffer: Any) -> int:
        count = super().readinto(buffer)
        self._count += count
        return count

    def tell(self) -> int:
        """Return the number of bytes."""
        return self._count


def meter_input(stream: BinaryIO, allowance: Allowance) -> MeteredStream:
    """Return a stream of a compressed file or archive that counts the bytes read."""

    def pull(size: int) -> bytes:
        data: bytes = cast(Any, stream).read1(size)
        allowance.read += len(data)
        return data

    return MeteredStream(ReadStream(pull), allowance)


class _Xz(ReadStream):
    """Decompressed data of an xz file. The reader of the library has no memory limit."""

    def __init__(self, stream: BinaryIO) -> None:
        import lzma

        self._new = partial(lzma.LZMADecompressor, format=lzma.FORMAT_XZ, memlimit=limits.MAX_XZ_MEMORY)
        self._decompressor = self._new()
        self._stream = stream

    def pull(self, size: int) -> bytes:
        data = b""
        while not data:
            compressed = b""
            if self._decompressor.eof:
                compressed = self._decompressor.unused_data.lstrip(b"\0")
                while not compressed and (more := self._stream.read(io.DEFAULT_BUFFER_SIZE)):
                    compressed = more.lstrip(b"\0")
                if not compressed:
                    return b""
                self._decompressor = self._new()
            elif self._decompressor.needs_input and not (compressed := self._stream.read(io.DEFAULT_BUFFER_SIZE)):
                raise CompressionError("damaged or encrypted: it is truncated")
            data = self._decompressor.decompress(compressed, size)
        return data
