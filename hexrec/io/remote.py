"""Files at URLs such as ``s3://bucket/games.jsonl``, read with the library fsspec."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from hexrec.errors import Error
from hexrec.util.diagnostics import shorten
from hexrec.util.streams import ReadStream

#: A URL, or a chain of URLs: ``zip://a.jsonl::s3://bucket/games.zip``.
_ADDRESS = re.compile(r"[A-Za-z][\w+.-]+(?:://|::.*://)")
_LONGEST_REASON = 200


class RemoteError(Error, OSError):
    """A file at a URL that cannot be read; the message has the reason."""


def is_address(path: str) -> bool:
    """Return whether a path is a URL. A local file with such a name needs the prefix ``./``."""
    return _ADDRESS.match(path) is not None


def open_binary(file: str) -> BinaryIO:
    """Open a file for reading bytes, given its path or URL. Raises OSError."""
    if not is_address(file):
        return open(file, "rb")
    with _as_remote_errors():
        system, path = _resolve(file)
        return io.BufferedReader(_RemoteStream(system.open(path, "rb")))


def file_name(path: str) -> str:
    """Return the part of a path or URL that ends with the file name: the first URL with a path in a chain."""
    links = path.split("::") if is_address(path) else [path]
    return next((link for link in links if "://" in link), path)


def matches(address: str) -> list[str]:
    """Return the URLs of the files that match a URL with ``*`` or ``**``, sorted.

    As in a shell, ``*`` matches no name that begins with a dot. Raises RemoteError.
    """
    with _as_remote_errors():
        system, pattern = _resolve(address)
        entries = system.glob(pattern, detail=True)
    fixed = len(pattern.partition("*")[0].rpartition("/")[0])
    dotted = "/." in f"/{pattern[fixed:]}"
    files = sorted(
        path
        for path, about in entries.items()
        if about["type"] == "file" and (dotted or "/." not in f"/{path[fixed:]}")
    )
    if not files:
        raise RemoteError("no file matches the pattern")
    # If the file system has changed the pattern, such as a relative path, it also builds the URLs.
    return [
        address.replace(pattern, path, 1) if pattern in address else str(system.unstrip_protocol(path))
        for path in files
    ]


def _resolve(address: str) -> tuple[Any, str]:
    """Return the file system of a URL, and the path in it."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise RemoteError("for URLs, install hexrec-games[remote]") from None
    system, path = url_to_fs(address)
    return system, str(path)


@contextmanager
def _as_remote_errors() -> Iterator[None]:
    """Convert the errors of remote file systems, which have no common class, to RemoteError."""
    try:
        yield
    except (RemoteError, MemoryError):
        raise
    except (FileNotFoundError, IsADirectoryError):
        raise RemoteError("no such file (the files of a directory are named with a pattern: …/*)") from None
    except Exception as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise RemoteError(shorten(reason, _LONGEST_REASON)) from None


class _RemoteStream(ReadStream):
    """A stream of a remote file, whose methods raise RemoteError."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def seekable(self) -> bool:
        return bool(self._stream.seekable())

    def pull(self, size: int) -> bytes:
        with _as_remote_errors():
            return bytes(self._stream.read(size))

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        with _as_remote_errors():
            return int(self._stream.seek(offset, whence))

    def tell(self) -> int:
        return int(self._stream.tell())

    def close(self) -> None:
        self._stream.close()
        super().close()
