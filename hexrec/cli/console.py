"""What commands say to people: on standard error, and on standard output where that is a terminal.

A signal that ends a run says so too, and exits with 128 and its number.
"""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from shutil import get_terminal_size
from time import monotonic
from typing import Any, NoReturn, TextIO, cast

import typer

from hexrec.io.archives import is_plain
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.escaping import GuardedStream, visible
from hexrec.validation.summary import counted


@contextmanager
def guarded_streams() -> Iterator[None]:
    """Let no data that others wrote act on a terminal: see `hexrec.util.escaping`. Say warnings as anything else."""
    usual, usual_warnings = sys.stdout, warnings.showwarning
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if sys.stdout.isatty():
        sys.stdout = cast(TextIO, GuardedStream(sys.stdout))
    warnings.showwarning = partial(_show_warning, usual_warnings)
    try:
        yield
    finally:
        sys.stdout = usual
        warnings.showwarning = usual_warnings


def _show_warning(usual: Callable[..., None], message: Warning | str, category: type[Warning], *place: Any) -> None:
    """Say what hexrec warns of as it says anything else; other warnings are for those who write programs."""
    if category.__module__.partition(".")[0] == "hexrec":
        say(str(message))
    else:
        usual(message, category, *place)


def echo(text: str) -> None:
    """Write one line to standard error; line ends in it are escaped."""
    print(visible(text), file=sys.stderr)


def say(message: str) -> None:
    """Say something about the run, in one line on standard error."""
    echo(f"hexrec: {message}")


def fail(message: str, code: int = 2) -> NoReturn:
    """Say on standard error why the command ends, and exit."""
    say(message)
    raise typer.Exit(code)


@contextmanager
def or_fail(path: Path, what: str) -> Iterator[None]:
    """End the command if the system refuses something about a file: `what` says what cannot be done."""
    try:
        yield
    except OSError as error:
        fail(f"{path}: cannot be {what}: {error.strerror or error}")


def echo_diagnostics(*diagnostics: Diagnostic) -> None:
    """Write diagnostics to standard error, each with the line of the file that it is about."""
    from hexrec.output.report_text import shown

    for diagnostic in diagnostics:
        print(shown(diagnostic), end="", file=sys.stderr)


_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
#: For so many seconds after the first signal no other disturbs the cleaning: a closed terminal sends several.
_GRACE = 2.0


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let signals end what is within by SystemExit. Those that the caller ignores (`nohup`) stay ignored."""
    ended: list[float] = []

    def end(number: int, _frame: object) -> None:
        now = monotonic()
        if ended and now - ended[-1] < _GRACE:
            return
        ended.append(now)
        with suppress(RuntimeError):  # the signal came in the middle of another line
            say("interrupted" if number == signal.SIGINT else f"ended by {signal.Signals(number).name}")
        raise SystemExit(128 + number)

    usual: dict[int, Any] = {}
    for number in _SIGNALS:
        if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN:
            usual[number] = signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in usual.items():
            # A run that was ended keeps its exit code: another signal on the way out would take that away.
            signal.signal(number, signal.SIG_IGN if ended else handler)


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
