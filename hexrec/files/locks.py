"""Locks on outputs: one run at a time writes a file. The system takes a lock from a process that ends in any way."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from time import sleep
from typing import Any, BinaryIO

from hexrec.files.stamps import host

if sys.platform == "win32":
    import msvcrt
else:
    with suppress(ImportError):  # a platform may have none
        import fcntl

_LONGEST_NAME = 255
#: Where Windows locks a byte: what is written before it can be read by others.
_FAR = 1 << 30
#: How often a lock is tried again, and after how many seconds: whoever looks whether it is left behind has it shortly.
_PATIENCE, _PAUSE = 5, 0.02
#: The locks that this process holds.
_held: set[Path] = set()


class Locked(Exception):
    """Another run holds a lock; the message says which."""


def sidecar(output: Path, kind: str) -> Path:
    """Return the hidden file of some kind beside an output file. Links to the output lead to the same one."""
    target = Path(os.path.realpath(output)) if output.is_symlink() else output
    name = f".{target.name}.hexrec-{kind}"
    if len(os.fsencode(name)) > _LONGEST_NAME:
        name = f".{blake2b(os.fsencode(target.name), digest_size=16).hexdigest()}.hexrec-{kind}"
    return target.with_name(name)


@contextmanager
def locked(output: Path) -> Iterator[None]:
    """Hold the lock on an output file, which need not be there. This process may hold it already.

    Raises Locked if another process does, OSError if no lock can be made in the folder.
    """
    beside = sidecar(output, "lock")
    path = Path(os.path.realpath(beside.parent), beside.name)
    if path in _held:
        yield
        return
    stream: BinaryIO | None = None
    try:
        stream = _acquire(path, output)
        _held.add(path)
        yield
    finally:
        _held.discard(path)
        if stream is None:
            remove_unlocked(path)  # an interrupt at any moment leaves nothing behind
        else:
            if sys.platform == "win32":
                stream.close()
            with suppress(OSError):
                path.unlink()  # before others can take it, or else it would be theirs
            with suppress(OSError):
                stream.close()


def remove_unlocked(path: Path) -> None:
    """Remove a file if nobody holds a lock on it, as far as that can be known."""
    with suppress(OSError), open(path, "rb", opener=open_no_follow) as stream:
        if try_lock(stream) and is_same_file(stream, path):
            path.unlink()


def open_no_follow(path: str, flags: int) -> int:
    """Open a file for `open`, but no link, and without waiting for whoever writes to a pipe.

    A file that is made is for its owner alone.
    """
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0), 0o600)


def try_lock(stream: BinaryIO) -> bool | None:
    """Lock an open file; return whether that is done. None: there are no locks on this system, or for this file."""
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
        return None
    return True


def is_same_file(stream: BinaryIO, path: Path) -> bool:
    """Return whether an open file still has its name."""
    try:
        return os.path.samestat(os.fstat(stream.fileno()), os.stat(path))
    except OSError:
        return False


def _acquire(path: Path, output: Path) -> BinaryIO:
    """Return the open file of a lock, which is taken and says who has it."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    patience = _PATIENCE
    while True:
        stream = os.fdopen(os.open(path, flags, 0o644), "r+b")
        try:
            taken = try_lock(stream)
            stream.seek(0)
            holder = _holder(stream.read(1_000))
            if taken is False and patience:
                patience -= 1
                stream.close()
                sleep(_PAUSE)
                continue
            if taken is False or (taken is None and _may_live(holder)):
                raise Locked(_refusal(output, path, holder, sure=taken is False))
            if not is_same_file(stream, path):  # who held it has removed it in the meantime
                stream.close()
                continue
            stream.seek(0)
            stream.truncate()
            since = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC"
            stream.write(json.dumps({"pid": os.getpid(), "host": host(), "since": since}).encode())
            stream.flush()
        except BaseException:
            stream.close()
            raise
        return stream


def _holder(content: bytes) -> dict[str, Any]:
    try:
        found = json.loads(content)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _may_live(holder: dict[str, Any]) -> bool:
    """Return whether the process that a file names may still be there; where the system has no locks."""
    if holder.get("host") != host():
        return bool(holder)
    pid = holder.get("pid")
    if not isinstance(pid, int) or pid <= 0 or pid == os.getpid():
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _refusal(output: Path, path: Path, holder: dict[str, Any], *, sure: bool) -> str:
    who = f"process {holder.get('pid')} on {holder.get('host')} since {holder.get('since')}" if holder else "unknown"
    remedy = "wait for it, or name another file" if sure else f"if it has ended, delete {path}"
    return f"{output}: another run is writing this file ({who}): {remedy}"
