"""Progress on standard error: a line with a bar that is kept up to date on a terminal, a line now and then in a log."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, TextIO

from hexrec.batch.chunks import is_plain
from hexrec.summary import counted

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

#: After how many seconds the first line appears, and the next ones.
_ON_TERMINAL = (0.5, 0.2)
_IN_LOG = (15.0, 15.0)


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
        self._bar: Bar | None = None

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
        if self._bar:
            self._bar.stop()

    def _show(self, line: str) -> None:
        if not self._terminal:
            self._out.write(f"hexrec: {line}\n")
            self._out.flush()
            return
        if self._bar is None:
            self._bar = _bar(self._out, self._total, line)
        self._bar.update(self._bar.task_ids[0], description=line, completed=self._size, refresh=True)

    def _line(self, seconds: float) -> str:
        records, size = (now - before for now, before in zip((self._records, self._size), self._before, strict=True))
        rate = records / seconds if seconds else 0.0
        parts = [counted(self._records, "record"), f"{rate:,.0f} a second", f"{self._errors:,} invalid"]
        if self._total and size:
            left = max(0, self._total - self._size) * seconds / size
            parts.append(f"{min(99, 100 * self._size // self._total)} %, {_duration(left)} left")
        return ", ".join(parts)


def _bar(out: TextIO, total: int | None, line: str) -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    # Without a thread that refreshes it, and without taking over the standard streams, one of which may be guarded.
    bar = Progress(
        TextColumn("{task.description}", markup=False),
        *([BarColumn(None)] if total else []),
        console=Console(file=out),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
        expand=True,
    )
    bar.add_task(line, total=total)
    bar.start()
    return bar


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
