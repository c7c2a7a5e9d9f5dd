"""Compressed files: decompressed within limits, with nothing written to disk."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from pathlib import PurePath
from typing import Any, BinaryIO, TypeVar, cast

from hexrec.errors import Error
from hexrec.util import limits
from hexrec.util.streams import ReadStream

#: The endings of names of compressed files, and the bytes with which such files begin.
_COMPRESSED = {".gz": b"\x1f\x8b\x08", ".zst": b"\x28\xb5\x2f\xfd", ".bz2": b"BZh", ".xz": b"\xfd7zXZ"}
#: How many records each byte of a compressed file may add to those that every such file may have.
_RECORDS_A_BYTE = 20
_T = TypeVar("_T")


class CompressionError(Error, OSError):
    """Compressed data that is damaged, locked, beyond a limit, or of a kind for which nothing is installed."""


def inner_suffix(file: str | PurePath) -> str:
    """Return the ending of a file's name, in small letters; of what it holds, if that says that it is compressed."""
    root, suffix = os.path.splitext(file)
    return (os.path.splitext(root)[1] if suffix.lower() in _COMPRESSED else suffix).lower()


def compressed(stream: BinaryIO, file: str | PurePath) -> BinaryIO:
    """Return a stream that compresses into a stream what is written to it, if the file's name asks for that.

    The same data gives the same bytes. Closing it leaves the other stream open. Raises CompressionError.
    """
    suffix = PurePath(file).suffix.lower()
    if suffix == ".gz":
        import gzip

        return cast(BinaryIO, gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0))
    return cast(BinaryIO, _library(suffix).open(stream, "wb")) if suffix in _COMPRESSED else stream


def decompressed(stream: BinaryIO, allowance: Allowance | None = None) -> BinaryIO:
    """Return a stream of what a stream holds, which is the same if its first bytes are not those of a compressed one.

    What it gives counts towards an allowance: the one given, else that of the archive which the stream is in, else one
    of its own. Reading from it raises CompressionError where the data is damaged or a limit is reached.
    """
    buffered = stream if hasattr(stream, "peek") else io.BufferedReader(cast(Any, stream))
    head = cast(io.BufferedReader, buffered).peek(5)
    suffix = next((each for each, magic in _COMPRESSED.items() if head.startswith(magic)), None)
    if suffix is None:
        return buffered
    allowance = allowance or getattr(stream, "allowance", None)
    if allowance is None:
        allowance = Allowance()
        buffered = metered(buffered, allowance)
    return checked(decompressor(suffix, buffered), allowance)


class Allowance:
    """How much a file may decompress to. It grows with what has been read of the file itself.

    Attributes:
        read: how many bytes have been read of the file.
        made: how many these gave; where something is compressed twice, what each layer gave.
        records: how many records these gave.
    """

    def __init__(self) -> None:
        self.read = 0
        self.made = 0
        self.records = 0

    def use(self, size: int) -> None:
        """Count bytes that were made. Raises CompressionError if they are too many."""
        self.made += size
        if self.made > limits.MAX_DECOMPRESSED_BYTES + limits.MAX_COMPRESSION_RATIO * self.read:
            raise CompressionError(
                f"it unpacks to over {limits.in_words(limits.MAX_DECOMPRESSED_BYTES)} more than "
                f"{limits.MAX_COMPRESSION_RATIO} times its size: if that is intended, unpack it and give its contents"
            )

    def use_records(self, count: int = 1) -> None:
        """Count records that were found. Raises CompressionError if they are too many."""
        self.records += count
        if self.records > limits.MAX_COMPRESSED_RECORDS + _RECORDS_A_BYTE * self.read:
            raise CompressionError(
                f"it holds over {limits.MAX_COMPRESSED_RECORDS:,} records more than {_RECORDS_A_BYTE} for each of its "
                "bytes: if that is intended, unpack it and give its contents"
            )


def counted(records: Iterator[_T], allowance: Allowance | None) -> Iterator[_T]:
    """Return records, each counted towards an allowance, if there is one. Reading on raises CompressionError."""
    return records if allowance is None else _counting(records, allowance)


def _counting(records: Iterator[_T], allowance: Allowance) -> Iterator[_T]:
    for record in records:
        allowance.use_records()
        yield record


class DecompressedStream(io.BufferedReader):
    """A stream of what was compressed.

    Attributes:
        allowance: what is decompressed from this stream in turn counts towards it.
    """

    def __init__(self, raw: io.RawIOBase, allowance: Allowance) -> None:
        super().__init__(raw)
        self.allowance = allowance


@contextmanager
def as_compression_errors() -> Iterator[None]:
    """Make one error of all that decompression raises for bad data: those errors have no class in common."""
    try:
        yield
    except (OSError, MemoryError):
        raise
    except Exception as error:
        raise CompressionError(f"damaged or encrypted: {str(error) or type(error).__name__}") from None


def decompressor(suffix: str, stream: BinaryIO) -> BinaryIO:
    """Return a stream of the decompressed bytes, within the memory limits. Raises CompressionError."""
    if suffix == ".xz":
        return cast(BinaryIO, _Xz(stream))
    library = _library(suffix)
    options = {}
    if suffix == ".zst":
        options["options"] = {library.DecompressionParameter.window_log_max: limits.MAX_ZSTD_WINDOW_LOG}
    return cast(BinaryIO, library.open(stream, **options))


def _library(suffix: str) -> Any:
    """Return the module for a way of compressing; they all have the same function `open`. Raises CompressionError."""
    zstd = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    try:
        return import_module({".gz": "gzip", ".bz2": "bz2", ".xz": "lzma", ".zst": zstd}[suffix])
    except ImportError:
        raise CompressionError(f"for {suffix} files, install hexrec-games[zstd]") from None


def checked(stream: BinaryIO, allowance: Allowance) -> DecompressedStream:
    """Return a stream of decompressed data, in which all errors that say that it is damaged are one."""

    def pull(size: int) -> bytes:
        with as_compression_errors():
            data = stream.read(size)
        allowance.use(len(data))
        return data

    return DecompressedStream(ReadStream(pull), allowance)


def metered(stream: BinaryIO, allowance: Allowance) -> io.BufferedReader:
    """Return the stream of a compressed file, or of an archive, whose bytes are counted."""

    def pull(size: int) -> bytes:
        data: bytes = cast(Any, stream).read1(size)
        allowance.read += len(data)
        return data

    return io.BufferedReader(ReadStream(pull))


class _Xz(ReadStream):
    """What an xz file holds. The library's own reader takes no memory limit."""

    def __init__(self, stream: BinaryIO) -> None:
        import lzma

        self._new = partial(lzma.LZMADecompressor, format=lzma.FORMAT_XZ, memlimit=limits.MAX_XZ_MEMORY)
        self._decompressor = self._new()
        self._stream = stream

    def pull(self, size: int) -> bytes:
        data = b""
        while not data:
            rest = b""
            if self._decompressor.eof:
                rest = self._decompressor.unused_data.lstrip(b"\0")
                while not rest and (more := self._stream.read(io.DEFAULT_BUFFER_SIZE)):
                    rest = more.lstrip(b"\0")
                if not rest:
                    return b""
                self._decompressor = self._new()
            elif self._decompressor.needs_input and not (rest := self._stream.read(io.DEFAULT_BUFFER_SIZE)):
                raise CompressionError("damaged or encrypted: it is truncated")
            data = self._decompressor.decompress(rest, size)
        return data
