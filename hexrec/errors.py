"""Base exceptions, the error for a missing library, and warnings."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager


class Error(Exception):
    """Base class of the exceptions that hexrec raises on purpose."""


class ArgumentError(Error, ValueError):
    """Invalid value of an argument."""


class UnknownNameError(Error, LookupError):
    """Unknown name of a game, format, report format or code."""


class RunError(Error):
    """An error that ends a run, such as that of a command; the message is for its user."""


class MissingExtraError(RunError):
    """A required library is not installed; the message names the package or extra to install."""


def reason_of(error: OSError) -> str:
    """Return the reason for an error of the system, as it ends a sentence."""
    reason = error.strerror or str(error)
    return reason if reason[1:2].isupper() else reason[:1].lower() + reason[1:]


@contextmanager
def extra(name: str, reason: str, *modules: str) -> Iterator[None]:
    """Raise MissingExtraError if an import in the block fails because a module of the extra is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in modules:
            raise
        raise MissingExtraError(f"{reason} hexrec-games[{name}]") from None


def warn(message: str, category: type[Warning]) -> None:
    """Issue a warning that names the line of the program that called hexrec."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals["__name__"].partition(".")[0] == __package__:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
