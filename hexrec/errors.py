"""The base of all exceptions that hexrec raises on purpose, and the one for a missing library."""

from __future__ import annotations

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
