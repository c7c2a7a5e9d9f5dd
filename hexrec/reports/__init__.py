"""Reports: ways to write verdicts down, and the registry that finds them by name.

A new report is one module with a function ``write(reports, summary, out)`` and one line in `_REPORTS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TextIO

from hexrec.reports.summary import Summary
from hexrec.validation import Report

#: The registry: a report's name is its module's.
_REPORTS = ("text", "json")

Writer = Callable[[Iterable[Report], Summary, TextIO], None]


def names() -> tuple[str, ...]:
    """Return the names of all reports."""
    return _REPORTS


def get(name: str) -> Writer:
    """Return the function that writes a report. Raises KeyError for an unknown name."""
    if name not in _REPORTS:
        raise KeyError(f"unknown report {name!r}; known: {', '.join(_REPORTS)}")
    writer: Writer = import_module(f"hexrec.reports.{name}").write
    return writer


__all__ = ["Summary", "Writer", "get", "names"]
