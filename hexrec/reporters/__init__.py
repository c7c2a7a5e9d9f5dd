"""Reports: ways to write verdicts down, and the registry that finds them by name.

A new report is one module with a function ``write(reports, summary, out)`` and one line in `_REPORTS`. The function
is a generator that passes the reports on as it writes them, so that one run can feed several of them; it writes what
comes last when there are no more reports, and the sums are complete only then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import TextIO

from hexrec.check import Report
from hexrec.check.summary import Summary

#: The registry: a report's name is its module's. The endings of file names that tell it; the first that fits counts.
_REPORTS: Mapping[str, tuple[str, ...]] = {
    "text": (".txt",),
    "sarif": (".sarif", ".sarif.json"),
    "json": (".json",),
    "jsonl": (".jsonl", ".ndjson"),
    "junit": (".xml",),
    "github": (),
    "markdown": (".md",),
}

Writer = Callable[[Iterable[Report], Summary, TextIO], Iterator[Report]]


def names() -> tuple[str, ...]:
    """Return the names of all reports."""
    return tuple(_REPORTS)


def by_file_name(name: str) -> str | None:
    """Return the report that a file's name tells, if it tells one."""
    return next((report for report, endings in _REPORTS.items() if name.lower().endswith(endings)), None)


def get(name: str) -> Writer:
    """Return the function that writes a report. Raises KeyError for an unknown name."""
    if name not in _REPORTS:
        raise KeyError(f"unknown report {name!r}; known: {', '.join(_REPORTS)}")
    writer: Writer = import_module(f"hexrec.reporters.{name}").write
    return writer


__all__ = ["Summary", "Writer", "by_file_name", "get", "names"]
