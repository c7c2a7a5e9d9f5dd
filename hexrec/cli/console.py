"""What commands say to people: on standard error, and on standard output where that is a terminal.

A signal that ends a run says so too, and exits with 128 and its number.
"""

from __future__ import annotations

import signal
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, NoReturn, TextIO, cast

import typer

from hexrec.diagnostics import Diagnostic
from hexrec.escaping import GuardedStream, visible


@contextmanager
def guarded_streams() -> Iterator[None]:
    """Let no data that others wrote act on a terminal: see `hexrec.escaping`. Say warnings as anything else."""
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
    from hexrec.reporters.text import source

    for diagnostic in diagnostics:
        print(f"{diagnostic}\n{source(diagnostic)}", end="", file=sys.stderr)


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
