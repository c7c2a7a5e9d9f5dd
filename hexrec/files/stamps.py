"""Stamps show whether a file is still as it was: no input that changes while it is read passes for one that did not.

Only a change that keeps the size, within one tick of the clock of the file system, cannot be seen.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from stat import S_ISREG
from typing import Any, BinaryIO, NamedTuple

from hexrec.diagnostics import Diagnostic
from hexrec.errors import Error

CHANGED = "syntax/changed"


class Stamp(NamedTuple):
    """What changes with a file; times in nanoseconds.

    Attributes:
        host: the machine that saw it so.
        device, inode: which file it is.
        size: its bytes.
        modified: when its content changed.
        changed: when anything changed, its owner or its mode too (on Windows, when it was made).
    """

    host: str
    device: int
    inode: int
    size: int
    modified: int
    changed: int

    def same_as(self, other: Stamp) -> bool:
        """Return whether this is a stamp of the same file, unchanged."""
        if self.host == other.host:
            return self == other
        # Machines number the devices and files of a network file system each in its own way.
        return (self.size, self.modified) == (other.size, other.modified)


class InputChanged(Error):
    """An input that was changed while it was read: nothing that the run found is certain.

    It ends the run.

    Attributes:
        diagnostic: what there is to report.
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
    """Return the stamp of a file, given its path or a stream of it; None for what is no file, or is not there."""
    try:
        about = os.stat(file) if isinstance(file, str | os.PathLike) else os.fstat(file.fileno())
    except (AttributeError, OSError, ValueError):
        return None
    if not S_ISREG(about.st_mode):
        return None
    return Stamp(host(), about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns, about.st_ctime_ns)


def compare(name: str, before: Stamp | None, now: Stamp | None) -> None:
    """Raise InputChanged unless a file is as it was; what has had no stamp may change."""
    if before is not None and (now is None or not before.same_as(now)):
        raise InputChanged(name)


class Stamps:
    """The stamps of the files of a first pass, with which those of the next are compared."""

    def __init__(self) -> None:
        self._known: dict[str, Stamp | None] = {}

    def check(self, file: str) -> None:
        """Take the stamp of a file, or compare it with the one that was taken. Raises InputChanged."""
        found = stamp(file)
        compare(file, self._known.setdefault(file, found), found)


@contextmanager
def unchanged(name: str, stream: BinaryIO | None = None, before: Stamp | None = None) -> Iterator[None]:
    """Hold a file to be the same from when it had the stamp `before`, or else from now, until all is done with it.

    The file is looked at through its `stream`, or else by its name. Raises InputChanged, also in place of an OSError
    within: what is read of a file that is being changed may well be damaged.
    """
    file = name if stream is None else stream
    begun = stamp(file)
    compare(name, before, begun)
    try:
        yield
    except OSError:
        compare(name, begun, stamp(file))
        raise
    compare(name, begun, stamp(file))


def host() -> str:
    """Return the name of this machine."""
    return os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")
