"""Messages and diagnostics of commands on stderr, and escaping of stdout on a terminal.

A signal that ends a run prints a message and exits with 128 plus its number.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from time import monotonic
from types import SimpleNamespace
from typing import Any, NoReturn, TextIO, cast

import typer

from hexrec.errors import reason_of
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.escaping import GuardedStream, visible

#: The environment variables that decide on colors; rich reads them too.
_COLORS = ("NO_COLOR", "FORCE_COLOR")
#: The options of the command that is running.
_options = SimpleNamespace(quiet=False)


def set_options(*, quiet: bool, color: str = "auto") -> None:
    """Set the options that every command has."""
    _options.quiet = quiet
    if color != "auto":
        for name in _COLORS:
            os.environ.pop(name, None)
        os.environ["FORCE_COLOR" if color == "always" else "NO_COLOR"] = "1"


def is_quiet() -> bool:
    """Return whether progress, notes and totals are hidden."""
    return bool(_options.quiet)


@contextmanager
def guard_streams() -> Iterator[None]:
    """Escape untrusted strings on a terminal (see `hexrec.util.escaping`) and print hexrec's warnings as messages."""
    show_warning = warnings.showwarning

    def print_warning(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if category.__module__.partition(".")[0] == "hexrec":
            say(str(message))
        else:
            show_warning(message, category, *place, **more)

    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    stdout = cast(TextIO, GuardedStream(sys.stdout)) if sys.stdout.isatty() else sys.stdout
    with redirect_stdout(stdout), warnings.catch_warnings():
        warnings.showwarning = print_warning
        yield


def echo(text: str) -> None:
    """Write one line to stderr, with newlines escaped."""
    print(visible(text), file=sys.stderr)


def say(message: str) -> None:
    """Print a message about the run to stderr, in one line."""
    echo(f"hexrec: {message}")


def note(message: str) -> None:
    """Print a message that --quiet hides."""
    if not is_quiet():
        say(message)


def echo_totals(*lines: str) -> None:
    """Print the last lines of a run, which --quiet hides."""
    if not is_quiet():
        for line in lines:
            echo(line)


def fail(message: str, code: int = 2) -> NoReturn:
    """Print the reason to stderr and exit."""
    say(message)
    raise SystemExit(code)


def refuse(message: str, parameter: str | None = None) -> NoReturn:
    """Raise a usage error about an option or argument; within a callback, it is known without its name."""
    raise typer.BadParameter(message, param_hint=parameter)


@contextmanager
def exit_on_os_error(path: object, action: str) -> Iterator[None]:
    """Exit on an OSError about a file; `action` is the participle of the message, such as ``read``."""
    try:
        yield
    except OSError as error:
        folder = Path(str(path)).parent
        lacks_folder = error.errno == errno.ENOENT and action != "read" and not folder.is_dir()
        reason = f"there is no directory {folder}" if lacks_folder else reason_of(error)
        fail(f"{path}: cannot be {action}: {reason}")


def echo_diagnostics(*diagnostics: Diagnostic) -> None:
    """Write diagnostics to stderr, each with its source line."""
    from hexrec.output.report_text import format_diagnostic, style_of

    style = style_of(sys.stderr)
    for diagnostic in diagnostics:
        print(format_diagnostic(diagnostic, style), end="", file=sys.stderr)


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
        message = "interrupted" if number == signal.SIGINT else f"ended by {signal.Signals(number).name}"
        try:
            say(message)
        except RuntimeError:  # the signal interrupted another print
            with suppress(OSError):
                os.write(2, f"hexrec: {message}\n".encode())
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
