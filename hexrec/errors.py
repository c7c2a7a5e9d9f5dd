"""The base of all exceptions that hexrec raises on purpose."""

from __future__ import annotations


class Error(Exception):
    """Anything that hexrec raises on purpose."""


class ArgumentError(Error, ValueError):
    """A value that an argument may not have."""


class UnknownNameError(Error, LookupError):
    """A name of no game, format, report format or code."""
