"""Statistics: what the games of an archive are like, as text, as JSON and as plots.

A new form is one module with a function ``text(statistics, fold)`` and one line in `_WRITERS`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from hexrec.stats.counts import Statistics

#: The registry: a form's name is its module's.
_WRITERS = ("text", "json")


def names() -> tuple[str, ...]:
    """Return the names of the forms that statistics are written in."""
    return _WRITERS


def get(name: str) -> Callable[[Statistics, bool], str]:
    """Return the function that gives statistics as text; it also takes whether images of cells are one."""
    found: Callable[[Statistics, bool], str] = import_module(f"hexrec.stats.{name}").text
    return found


__all__ = ["Statistics", "get", "names"]
