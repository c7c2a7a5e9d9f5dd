"""Files at URLs such as ``s3://bucket/games.jsonl``, read and written with the library fsspec."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO

from hexrec.errors import Error
from hexrec.util.diagnostics import shorten
from hexrec.util.streams import ReadStream

#: A URL, or a chain of URLs: ``zip://a.jsonl::s3://bucket/games.zip``.
_ADDRESS = re.compile(r"[A-Za-z][\w+.-]+(?:://|::.*://)")
_LONGEST_REASON = 200


class RemoteError(Error, OSError):
    """A file at a URL that cannot be read or written; the message has the reason."""


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


def size_of(address: str) -> int:
    """Return the size of the file at a URL in bytes; 0 if it is unknown. Raises RemoteError."""
    with _as_remote_errors():
        system, path = _resolve(address)
        return int(system.size(path) or 0)


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


class Address:
    """The URL of an output, with those methods of a `Path` that commands call. They raise RemoteError."""

    def __init__(self, url: str) -> None:
        self._url = url

    def __str__(self) -> str:
        return self._url

    def __fspath__(self) -> str:
        return self._url

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Address) and str(self) == str(other)

    def __hash__(self) -> int:
        return hash(self._url)

    def __truediv__(self, name: str) -> Address:
        return Address(f"{self._url.rstrip('/')}/{name}")

    @property
    def name(self) -> str:
        """The last part of the path. A slash at the end does not count."""
        return self._url.rstrip("/").rpartition("/")[2]

    def with_name(self, name: str) -> Address:
        """Return the URL with another last part."""
        return Address(self._url.rstrip("/").removesuffix(self.name) + name)

    def resolve(self) -> Address:
        """Return the URL, which is absolute."""
        return self

    def exists(self) -> bool:
        """Return whether there is a file or directory."""
        return bool(self._call("exists"))

    def is_file(self) -> bool:
        """Return whether there is a file."""
        return bool(self._call("isfile"))

    def is_dir(self) -> bool:
        """Return whether there is a directory."""
        return bool(self._call("isdir"))

    def mkdir(self, **_: bool) -> None:
        """Create the directory, with its parents, unless it exists. Object stores need none."""
        self._call("makedirs", exist_ok=True)

    def unlink(self, *, missing_ok: bool = False) -> None:
        """Delete the file."""
        if not missing_ok or self.exists():
            self._call("rm")

    def iterdir(self) -> Iterator[Address]:
        """Yield the entries of the directory; none if it does not exist, as empty ones of object stores."""
        for path in self._call("ls", detail=False) if self.exists() else ():
            yield self / str(path).rstrip("/").rpartition("/")[2]

    def sizes(self) -> dict[str, int]:
        """Return the size in bytes of each file in the directory and below, by its path from here."""
        with _as_remote_errors():
            root = _resolve(self._url)[1].rstrip("/")
        return {path[len(root) + 1 :]: about["size"] for path, about in self._call("find", detail=True).items()}

    @contextmanager
    def write(self, check: Callable[[], object]) -> Iterator[BinaryIO]:
        """Open the file for writing. It appears, or replaces another, only after it has been written without an error.

        `check` is called just before.
        """
        with _as_remote_errors():
            system, path = _resolve(self._url)
            file = system.open(path, "wb", autocommit=False)
        try:
            with io.BufferedWriter(_RemoteSink(file)) as stream:
                yield stream
            with _as_remote_errors():
                file.close()
            check()
            with _as_remote_errors():
                file.commit()
        except BaseException:
            with suppress(Exception):
                file.discard()
            raise

    def _call(self, method: str, **options: Any) -> Any:
        with _as_remote_errors():
            system, path = _resolve(self._url)
            system.invalidate_cache()  # other machines write here
            return getattr(system, method)(path, **options)


class _RemoteSink(io.RawIOBase):
    """A stream that writes to a remote file. Its methods raise RemoteError."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        with _as_remote_errors():
            self._file.write(bytes(data))
        return len(data)


def _resolve(address: str) -> tuple[Any, str]:
    """Return the file system of a URL, and the path in it."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise RemoteError("for URLs, install hexrec-games[remote]") from None
    try:
        system, path = url_to_fs(address)
    except ImportError as error:  # a library for this kind of URL, which the message names
        raise RemoteError(str(error)) from None
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
    except ImportError as error:
        library = (error.name or str(error).removeprefix("Install ")).split()[0]
        raise RemoteError(f"for this kind of URL, install {library}") from None
    except Exception as error:
        answer = str(error) or type(error).__name__
        if answer.startswith("Protocol not known"):
            raise RemoteError("this kind of URL is unknown") from None
        reason = getattr(error, "strerror", None) or f"the server or its library reports: {answer}"
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
