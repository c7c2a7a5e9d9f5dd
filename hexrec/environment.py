"""Numbers that users set in environment variables."""

from __future__ import annotations

import os

from hexrec.errors import Error

#: More than enough for any number of bytes, and few enough to be turned into an integer at no cost.
_MOST_DIGITS = 18


class EnvironmentVariableError(Error, ValueError):
    """A variable whose value cannot be used; the message names it and says what it should be."""


def number(name: str, usual: int, least: int = 1, most: int | None = None) -> int:
    """Return the whole number that an environment variable holds, or the usual one if it is not set or empty.

    Raises EnvironmentVariableError.
    """
    text = os.environ.get(name)
    if not text:
        return usual
    if text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS:
        value = int(text)
        if least <= value and (most is None or value <= most):
            return value
    reach = f"of {least} or more" if most is None else f"from {least} to {most}"
    raise EnvironmentVariableError(f"{name} should be a whole number {reach}, not {text[:40]!r}")
