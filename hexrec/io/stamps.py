"""Stamps of files, to detect inputs that change while they are read.

A change that keeps the size is not detected within one tick of the file system's clock, or if the time is set back.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from stat import S_ISREG
from typing import Any, BinaryIO, NamedTuple

from hexrec.errors import Error
from hexrec.util.diagnostics import Diagnostic

CHANGED = "syntax/changed"


class Stamp(NamedTuple):
    """The inode of a file, its size in bytes, and the time of its last change in nanoseconds."""

    inode: int
    size: int
    modified: int


class InputChanged(Error):
    """An input that changed while it was read. The results of the run are uncertain, so the run ends.

    Attributes:
        diagnostic: the diagnostic to report.
    """

    def __init__(self, name: str) -> None:
        message = (
            "was changed while it was read, so nothing found in it is certain: run again when nothing writes to it"
        )
        super().__init__(f"{name}: {message}")
        self.diagnostic = Diagnostic(CHANGED, message, file=name)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.diagnostic.file,)


def stamp(file: str | os.PathLike[str] | BinaryIO) -> Stamp | None:
    """Return the stamp of a regular file, given its path or a stream, or None for other inputs."""
    try:
        about = os.stat(file) if isinstance(file, str | os.PathLike) else os.fstat(file.fileno())
    except (AttributeError, OSError, ValueError):
        return None
    if not S_ISREG(about.st_mode):
        return None
    return Stamp(about.st_ino, about.st_size, about.st_mtime_ns)


def compare(name: str, before: Stamp | None, now: Stamp | None) -> None:
    """Compare two stamps of a file. Raises InputChanged if they differ."""
    if before is not None and before != now:
        raise InputChanged(name)


@contextmanager
def expect_unchanged(name: str, stream: BinaryIO | None = None) -> Iterator[None]:
    """Check that a file does not change in a context.

    The file is checked through its `stream`, or else by its name. Raises InputChanged, also in place of an OSError in
    the context: a file that is being changed may look damaged.
    """
    file = name if stream is None else stream
    before = stamp(file)
    try:
        yield
    except OSError:
        compare(name, before, stamp(file))
        raise
    compare(name, before, stamp(file))
