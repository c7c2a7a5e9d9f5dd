"""Where records and reports go: files that appear whole or not at all."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from hexrec.files.compression import compressed
from hexrec.files.locks import is_same_file, remove_unlocked, try_lock

#: What ended runs may have left behind. Those that go on hold a lock on theirs.
_LEFTOVER = re.compile(r"\.hexrec-[0-9]+-[0-9a-f]{8}\.part")
#: The folders in which this process has looked for that.
_swept_folders: set[Path] = set()


@contextmanager
def atomic_write(path: str | Path, **options: Any) -> Iterator[TextIO]:
    """Open a UTF-8 text file like `atomic_write_bytes`. Raises OSError."""
    with atomic_write_bytes(path, **options) as raw:
        stream = TextIOWrapper(raw, encoding="utf-8", newline="")
        try:
            yield stream
        finally:
            stream.flush()
            stream.detach()


@contextmanager
def atomic_write_bytes(
    path: str | Path,
    *,
    sync: bool = True,
    check: Callable[[], object] = lambda: None,
) -> Iterator[BinaryIO]:
    """Open a file of bytes that takes its name only when it has been written without an error.

    With `sync` that holds even if the machine loses its power. It is compressed if its name ends in .gz, .zst, .bz2 or
    .xz. An existing file keeps its permissions, and its content if writing fails. `check` is called last before the
    file takes its name. What is there and no file, such as a pipe or a device, is written to directly. What ended runs
    left behind in the folder is removed.

    Raises OSError, and what `check` raises.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with open(target, "wb") as stream:
            yield stream
        return
    _remove_leftovers(target.parent)
    # What replaces a file that others may not read is never readable to them.
    opener = partial(os.open, mode=0o600 if target.exists() else 0o666)
    # The name is settled before the file is there, so that an interrupt at any moment leaves nothing behind.
    part = _temporary(target.parent)
    try:
        while not _is_ours(raw := open(part, "xb", opener=opener), part):  # noqa: SIM115
            raw.close()  # another run took it for one left behind, or the system did not say
            remove_unlocked(part)
            part = _temporary(target.parent)
        with raw:
            out = compressed(raw, target)
            try:
                yield out
            finally:
                if out is not raw:
                    out.close()
            raw.flush()
            if target.exists():
                shutil.copymode(target, part)
            if sync:
                os.fsync(raw.fileno())
            check()
            if os.name == "nt":
                raw.close()
            os.replace(part, target)  # while the lock is held
    except BaseException:
        with suppress(OSError):
            os.unlink(part)
        raise


def _temporary(folder: Path) -> Path:
    return folder / f".hexrec-{os.getpid()}-{os.urandom(4).hex()}.part"


def _is_ours(raw: BinaryIO, part: Path) -> bool:
    return os.name == "nt" or (try_lock(raw) is not False and is_same_file(raw, part))


def _remove_leftovers(folder: Path) -> None:
    """Remove what ended runs have left behind in a folder, once a process. On a system without locks nobody knows."""
    if folder in _swept_folders or os.name == "nt":
        return
    _swept_folders.add(folder)
    with suppress(OSError):
        for name in filter(_LEFTOVER.fullmatch, os.listdir(folder)):
            remove_unlocked(folder / name)
