"""Messages, diagnostics and progress of commands on stderr, and escaping of stdout on a terminal.

A signal that ends a run prints a message and exits with 128 plus its number.
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
from hexrec.validation.report import count_of


@contextmanager
def guard_streams() -> Iterator[None]:
    """Escape untrusted strings on a terminal (see `hexrec.util.escaping`) and print hexrec's warnings as messages."""
    stdout, show_warning = sys.stdout, warnings.showwarning
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if sys.stdout.isatty():
        sys.stdout = cast(TextIO, GuardedStream(sys.stdout))
    warnings.showwarning = partial(_show_warning, show_warning)
    try:
        yield
    finally:
        sys.stdout = stdout
        warnings.showwarning = show_warning


def _show_warning(default: Callable[..., None], message: Warning | str, category: type[Warning], *place: Any) -> None:
    """Print hexrec's warnings as messages; hand all others to Python's handler."""
    if category.__module__.partition(".")[0] == "hexrec":
        say(str(message))
    else:
        default(message, category, *place)


def echo(text: str) -> None:
    """Write one line to stderr, with newlines escaped."""
    print(visible(text), file=sys.stderr)


def say(message: str) -> None:
    """Print a message about the run to stderr, in one line."""
    echo(f"hexrec: {message}")


def fail(message: str, code: int = 2) -> NoReturn:
    """Print the reason to stderr and exit."""
    say(message)
    raise typer.Exit(code)


@contextmanager
def exit_on_os_error(path: Path, action: str) -> Iterator[None]:
    """Exit on an OSError about a file; `action` is the participle of the message, such as ``read``."""
    try:
        yield
    except OSError as error:
        fail(f"{path}: cannot be {action}: {error.strerror or error}")


def echo_diagnostics(*diagnostics: Diagnostic) -> None:
    """Write diagnostics to stderr, each with its source line."""
    from hexrec.output.report_formats import format_diagnostic

    for diagnostic in diagnostics:
        print(format_diagnostic(diagnostic), end="", file=sys.stderr)


_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
#: Seconds after a signal in which others are ignored: a closed terminal sends several, which would disturb cleanup.
_GRACE = 2.0


@contextmanager
def exit_on_signals() -> Iterator[None]:
    """Raise SystemExit in the body on a signal. Signals that the caller ignores (`nohup`) stay ignored."""
    ended: list[float] = []

    def end(number: int, _frame: object) -> None:
        now = monotonic()
        if ended and now - ended[-1] < _GRACE:
            return
        ended.append(now)
        with suppress(RuntimeError):  # the signal interrupted another print
            say("interrupted" if number == signal.SIGINT else f"ended by {signal.Signals(number).name}")
        raise SystemExit(128 + number)

    handlers: dict[int, Any] = {}
    for number in _SIGNALS:
        if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN:
            handlers[number] = signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            # Another signal during cleanup must not replace the exit code of the first.
            signal.signal(number, signal.SIG_IGN if ended else handler)


#: Seconds before the line of progress is shown, and before it changes.
_FIRST, _PAUSE = 0.5, 0.2
#: Erases the line of a terminal.
_ERASE = "\r\x1b[K"


class Progress:
    """Progress on a terminal: records, records per second, invalid records, and the time left if it is known."""

    def __init__(self, out: TextIO, total: int | None, clock: Callable[[], float] = monotonic) -> None:
        """`total` is the size of the input in bytes."""
        self._out = out
        self._total = total
        self._clock = clock
        self._began = clock()
        self._next = self._began + _FIRST
        self._records = self._errors = self._size = 0
        self._before = (0, 0)
        self._shown = False

    def add(self, records: int, errors: int, size: int, *, before: bool = False) -> None:
        """Count records and their size in bytes; `before` marks the records of an earlier run."""
        self._records += records
        self._errors += errors
        self._size += size
        if before:
            self._before = self._records, self._size
        if (now := self._clock()) >= self._next:
            self._next = now + _PAUSE
            self._shown = True
            # A line of the full width would wrap.
            self._write(_ERASE + self._line(now - self._began)[: get_terminal_size().columns - 1])

    def end(self) -> None:
        """Erase the line."""
        if self._shown:
            self._write(_ERASE)

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()

    def _line(self, seconds: float) -> str:
        records, size = (now - before for now, before in zip((self._records, self._size), self._before, strict=True))
        rate = records / seconds if seconds else 0.0
        parts = [count_of(self._records, "record"), f"{rate:,.0f} a second", f"{self._errors:,} invalid"]
        if self._total and size:
            left = max(0, self._total - self._size) * seconds / size
            parts.append(f"{min(99, 100 * self._size // self._total)} %, {_duration(left)} left")
        return ", ".join(parts)


def can_erase(out: TextIO) -> bool:
    """Return whether a stream is a terminal that can erase a line."""
    return out.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")


def _duration(seconds: float) -> str:
    minutes, seconds_left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds_left:02}" if hours else f"{minutes}:{seconds_left:02}"


def total_size(paths: Sequence[str]) -> int | None:
    """Return the total size of files in bytes; None if one is missing, compressed, an archive or not a regular file."""
    if not all(os.path.isfile(path) and is_plain(path) for path in paths):
        return None
    return sum(map(os.path.getsize, paths))
