"""Progress on standard error: a line that is kept up to date on a terminal, a line now and then in a log."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from shutil import get_terminal_size
from time import monotonic
from typing import TextIO

from hexrec.batch.chunks import is_plain
from hexrec.summary import counted

#: After how many seconds the first line appears, and the next ones.
_ON_TERMINAL = (0.5, 0.2)
_IN_LOG = (15.0, 15.0)
#: Erases the line of a terminal.
_ERASE = "\r\x1b[K"


class Progress:
    """Says how far a run is: records, how many a second, errors, and how much time is left if the total is known."""

    def __init__(self, out: TextIO, total: int | None, clock: Callable[[], float] = monotonic) -> None:
        """`total` is how many bytes of input there are."""
        self._out = out
        self._total = total
        self._clock = clock
        self._terminal = out.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")
        self._first, self._pause = _ON_TERMINAL if self._terminal else _IN_LOG
        self._began = clock()
        self._next = self._began + self._first
        self._records = self._errors = self._size = 0
        self._before = (0, 0)
        self._shown = False

    def add(self, records: int, errors: int, size: int, *, before: bool = False) -> None:
        """Take notice of records, and of how many bytes of input they were; `before` is for those of an earlier run."""
        self._records += records
        self._errors += errors
        self._size += size
        if before:
            self._before = self._records, self._size
        if (now := self._clock()) >= self._next:
            self._next = now + self._pause
            self._show(self._line(now - self._began))

    def end(self) -> None:
        """Take the line off the terminal."""
        if self._shown and self._terminal:
            self._write(_ERASE)

    def _show(self, line: str) -> None:
        self._shown = True
        if self._terminal:  # where a line as wide as it would go on in the next
            self._write(_ERASE + line[: get_terminal_size().columns - 1])
        else:
            self._write(f"hexrec: {line}\n")

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()

    def _line(self, seconds: float) -> str:
        records, size = (now - before for now, before in zip((self._records, self._size), self._before, strict=True))
        rate = records / seconds if seconds else 0.0
        parts = [counted(self._records, "record"), f"{rate:,.0f} a second", f"{self._errors:,} invalid"]
        if self._total and size:
            left = max(0, self._total - self._size) * seconds / size
            parts.append(f"{min(99, 100 * self._size // self._total)} %, {_duration(left)} left")
        return ", ".join(parts)


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def total_size(paths: Sequence[str]) -> int | None:
    """Return how many bytes files have together; None if one is compressed, an archive, no plain file, or not there."""
    if not all(os.path.isfile(path) and is_plain(path) for path in paths):
        return None
    try:
        return sum(map(os.path.getsize, paths))
    except OSError:
        return None
