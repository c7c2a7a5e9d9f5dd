"""Compressed files and archives: the bytes of what is packed, one member after the other, nothing written to disk."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib import import_module
from pathlib import PurePath
from typing import Any, BinaryIO, cast

from hexrec.formats.remote import file_name, opened

#: The endings of names of compressed files, and the bytes with which such files begin.
_COMPRESSED = {".gz": b"\x1f\x8b\x08", ".zst": b"\x28\xb5\x2f\xfd", ".bz2": b"BZh", ".xz": b"\xfd7zXZ"}
_ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.zst", ".tar.bz2", ".tar.xz")


class PackingError(OSError):
    """Packed data that is damaged, locked, or packed in a way for which nothing is installed."""


def inner_suffix(file: str | PurePath) -> str:
    """Return the ending of a file's name, in small letters; of what it holds, if that says that it is compressed."""
    root, suffix = os.path.splitext(file)
    return (os.path.splitext(root)[1] if suffix.lower() in _COMPRESSED else suffix).lower()


def is_archive(file: str) -> bool:
    """Return whether a file's name says that it holds other files."""
    return file.lower().endswith(_ARCHIVES)


def compressed(stream: BinaryIO, file: str | PurePath) -> BinaryIO:
    """Return a stream that compresses into a stream what is written to it, if the file's name asks for that.

    The same data gives the same bytes. Closing it leaves the other stream open. Raises PackingError.
    """
    packing = PurePath(file).suffix.lower()
    if packing == ".gz":
        import gzip

        return cast(BinaryIO, gzip.GzipFile(filename="", mode="wb", fileobj=stream, mtime=0))
    return cast(BinaryIO, _library(packing).open(stream, "wb")) if packing in _COMPRESSED else stream


def unpacked(stream: BinaryIO) -> BinaryIO:
    """Return a stream of what a stream holds, which is the same if its first bytes are not those of a compressed one.

    Reading from it raises PackingError where the data is damaged.
    """
    buffered = stream if hasattr(stream, "peek") else io.BufferedReader(cast(Any, stream))
    head = cast(io.BufferedReader, buffered).peek(5)
    packing = next((suffix for suffix, magic in _COMPRESSED.items() if head.startswith(magic)), None)
    return buffered if packing is None else io.BufferedReader(_Checked(_library(packing).open(buffered)))


def members(file: str) -> Iterator[tuple[str, Callable[[], BinaryIO]]]:
    """Yield the files in an archive: the name of each, and what opens it until the next one is asked for.

    They come in the order of the archive, of which no more than a part is held. Raises OSError.
    """
    if file_name(file).lower().endswith(".zip"):
        yield from _zipped(file)
    else:
        yield from _tarred(file)


def _zipped(file: str) -> Iterator[tuple[str, Callable[[], BinaryIO]]]:
    import zipfile

    def member_opened(member: Any) -> BinaryIO:
        with _unless_damaged():
            return io.BufferedReader(_Checked(cast(BinaryIO, archive.open(member))))

    with ExitStack() as stack:
        stream = stack.enter_context(opened(file))
        with _unless_damaged():
            archive = stack.enter_context(zipfile.ZipFile(stream))
        for member in archive.infolist():
            if not member.is_dir():
                yield member.filename, partial(member_opened, member)


def _tarred(file: str) -> Iterator[tuple[str, Callable[[], BinaryIO]]]:
    import tarfile

    with opened(file) as stream, _unless_damaged():
        whole = _Checked(unpacked(stream))
        with tarfile.open(fileobj=io.BufferedReader(whole), mode="r|") as archive:
            for member in archive:
                if member.isfile():
                    found = cast(BinaryIO, archive.extractfile(member))
                    yield member.name, partial(io.BufferedReader, _Checked(found))
        if whole.last.strip(b"\0"):  # the library takes an archive that was cut off between two files for a whole one
            raise PackingError("the archive is cut off")


@contextmanager
def _unless_damaged() -> Iterator[None]:
    """Make one error of all that unpacking raises for bad data: those errors have no class in common."""
    try:
        yield
    except (OSError, MemoryError):
        raise
    except Exception as error:
        raise PackingError(f"damaged or locked: {error or type(error).__name__}") from None


def _library(packing: str) -> Any:
    """Return the module for a way of compressing; they all have the same function `open`. Raises PackingError."""
    zstd = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    try:
        return import_module({".gz": "gzip", ".bz2": "bz2", ".xz": "lzma", ".zst": zstd}[packing])
    except ImportError:
        raise PackingError(f"for {packing} files, install hexrec-games[zstd]") from None


class _Checked(io.RawIOBase):
    """A stream of unpacked data, all of whose ways of saying that it is damaged are one error.

    Attributes:
        last: the last bytes that were read, one block of a tar archive.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self.last = b""
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        with _unless_damaged():
            data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        self.last = data[-512:] or self.last
        return len(data)
