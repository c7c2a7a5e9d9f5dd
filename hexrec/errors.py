"""The base of all exceptions that hexrec raises on purpose, the one for a missing library, and warnings."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager


class Error(Exception):
    """Anything that hexrec raises on purpose."""


class ArgumentError(Error, ValueError):
    """A value that an argument may not have."""


class UnknownNameError(Error, LookupError):
    """A name of no game, format, report format or code."""


class MissingExtraError(Error):
    """A library that is needed is not installed; the message says how to get it."""


@contextmanager
def extra(name: str, reason: str, *modules: str) -> Iterator[None]:
    """Raise MissingExtraError if an import within fails because one of the extra's modules is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in modules:
            raise
        raise MissingExtraError(f"{reason} hexrec-games[{name}]") from None


def warn(message: str, category: type[Warning]) -> None:
    """Warn the program that has called hexrec: the warning names its line, not one of hexrec's own."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals["__name__"].partition(".")[0] == __package__:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
