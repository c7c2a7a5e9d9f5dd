"""What commands say to people: on standard error, and on standard output where that is a terminal."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TextIO, cast

import typer

from hexrec.diagnostics import Diagnostic
from hexrec.escaping import GuardedStream, visible


@contextmanager
def guarded_streams() -> Iterator[None]:
    """Let no text written by others act on a terminal or on a CI service: see `hexrec.escaping`.

    Standard output is data for other programs where it is no terminal, and is left alone there.
    """
    usual, usual_warnings = (sys.stdout, sys.stderr), warnings.showwarning
    for stream in usual:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if sys.stdout.isatty():
        sys.stdout = cast(TextIO, GuardedStream(sys.stdout, log=False))
    sys.stderr = cast(TextIO, GuardedStream(sys.stderr, log=True))
    warnings.showwarning = partial(_show_warning, usual_warnings)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = usual
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


def say_last(message: str) -> None:
    """Say why the run ends, at any moment. If nobody can read that any more, later messages do not fail."""
    try:
        say(message)
    except RuntimeError:  # a signal came in the middle of another line
        return
    except OSError:  # the terminal is gone
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            if os.path.sameopenfile(sys.stdout.fileno(), sys.stderr.fileno()):
                os.dup2(nowhere, sys.stdout.fileno())
            os.dup2(nowhere, sys.stderr.fileno())


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
