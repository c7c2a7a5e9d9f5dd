"""Atomic writes of output files, and locks on them."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from hexrec.errors import RunError
from hexrec.io.compression import compress_stream
from hexrec.io.remote import Address, open_binary
from hexrec.util.hashing import blake2b
from hexrec.util.regular_files import open_no_follow

#: An output file or directory.
Target = Path | Address


@contextmanager
def atomic_write(path: str | Target, **options: Any) -> Iterator[TextIO]:
    """Open a UTF-8 text file for writing, like `atomic_write_bytes`. Raises OSError."""
    with atomic_write_bytes(path, **options) as raw:
        stream = TextIOWrapper(raw, encoding="utf-8", newline="")
        try:
            yield stream
        finally:
            stream.flush()
            stream.detach()


@contextmanager
def atomic_write_bytes(
    path: str | Target, *, sync: bool = True, check: Callable[[], object] = lambda: None
) -> Iterator[BinaryIO]:
    """Open a binary file for writing, which replaces `path` only after it has been written without an error.

    With `sync`, the write is atomic even if the machine loses power. The file is compressed if its name ends in .gz,
    .zst, .bz2 or .xz. An existing file keeps its permissions, and its content if writing fails. `check` is called just
    before the file replaces `path`. A pipe or a device is written to directly. A file at a URL is uploaded, and appears
    when it is complete.

    Raises OSError, and the exceptions of `check`.
    """
    if isinstance(path, Address):
        with path.write(check) as remote, _compressed(remote, path.name) as out:
            yield out
        return
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with open(target, "wb") as stream:
            yield stream
        return
    # The temporary file must not be readable to others if the existing file is not.
    opener = partial(os.open, mode=0o600 if target.exists() else 0o666)
    # The name is known before the file exists, so that an interrupt at any moment leaves no file behind.
    part = target.parent / f".hexrec-{os.getpid()}-{os.urandom(4).hex()}.part"
    try:
        with open(part, "xb", opener=opener) as raw:
            with _compressed(raw, target.name) as out:
                yield out
            raw.flush()
            if target.exists():
                shutil.copymode(target, part)
            if sync:
                os.fsync(raw.fileno())
            check()
        os.replace(part, target)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(part)
        if isinstance(error, OSError) and str(error.filename) == str(part):  # a name that nobody knows
            error.filename = str(path)
        raise


def sizes_in(directory: Target) -> dict[str, int]:
    """Return the size in bytes of each file in a directory and below, by its path from there, without hidden files.

    Raises OSError.
    """
    if isinstance(directory, Address):
        sizes = directory.sizes()
    else:
        files = (path for path in directory.rglob("*") if path.is_file())
        sizes = {path.relative_to(directory).as_posix(): path.stat().st_size for path in files}
    return {name: sizes[name] for name in sorted(sizes) if not name.rpartition("/")[2].startswith(".")}


def size_of_output(file: Target) -> int:
    """Return the size in bytes of a file, or of all files of a directory; -1 if it does not exist."""
    try:
        if file.is_dir():
            return sum(sizes_in(file).values())
        with open_binary(str(file)) as stream:
            return stream.seek(0, 2)
    except OSError:
        return -1


@contextmanager
def _compressed(raw: BinaryIO, name: str) -> Iterator[BinaryIO]:
    """Compress what is written to a stream if the name of its file says so."""
    out = compress_stream(raw, name)
    try:
        yield out
    finally:
        if out is not raw:
            out.close()


if sys.platform == "win32":
    import msvcrt
else:
    with suppress(ImportError):  # missing on some platforms
        import fcntl

_LONGEST_NAME = 255
#: Offset of the byte to lock on Windows: other processes cannot read locked bytes, so it is far beyond the content.
_FAR = 1 << 30


def sidecar(output: Path, kind: str) -> Path:
    """Return the path of the hidden file of a kind next to an output file, with symbolic links resolved."""
    target = Path(os.path.realpath(output)) if output.is_symlink() else output
    name = f".{target.name}.hexrec-{kind}"
    if len(os.fsencode(name)) > _LONGEST_NAME:
        name = f".{blake2b(os.fsencode(target.name), digest_size=16).hexdigest()}.hexrec-{kind}"
    return target.with_name(name)


@contextmanager
def hold_lock(output: Path) -> Iterator[None]:
    """Hold the lock of an output file, which need not exist.

    Raises RunError if another run holds it, OSError if the lock file cannot be created.
    """
    path = sidecar(output, "lock")
    while True:
        with open(path, "ab", opener=open_no_follow) as stream:
            held = False
            try:
                if not try_lock(stream):
                    raise RunError(f"{output}: another run is writing this file: wait for it, or name another file")
                held = is_same_file(stream, path)
                if not held:  # removed by the run that held it
                    continue
                yield
                return
            finally:
                # A signal may have come between the lock and the note of it.
                if held or (try_lock(stream) and is_same_file(stream, path)):
                    if sys.platform == "win32":
                        stream.close()
                    with suppress(OSError):
                        path.unlink()  # before the lock is released: afterwards, another run may hold it


def try_lock(stream: BinaryIO) -> bool:
    """Lock an open file, if the system has locks for it. Return False if another process holds the lock."""
    if sys.platform == "win32":
        stream.seek(_FAR)
        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (NameError, OSError):
        pass
    return True


def is_same_file(stream: BinaryIO, path: Path) -> bool:
    """Return whether a path still names an open file."""
    try:
        return os.path.samestat(os.fstat(stream.fileno()), os.stat(path))
    except OSError:
        return False
