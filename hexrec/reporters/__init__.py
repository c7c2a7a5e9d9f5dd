"""Reporters: formats for verdicts, and the registry that finds them by name.

A new reporter is a subclass of `Reporter` and one line in `_REGISTRY`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from importlib import import_module
from typing import TextIO

from hexrec.errors import UnknownNameError
from hexrec.reporters.base import Reporter
from hexrec.summary import Summary
from hexrec.validation import Report

#: The registry: the names of the reporters, where their classes are, and the endings of the file names that select
#: them; the first that fits counts.
_REGISTRY: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "text": ("text", "TextReporter", (".txt",)),
    "sarif": ("sarif", "SarifReporter", (".sarif", ".sarif.json")),
    "json": ("json", "JsonReporter", (".json",)),
    "jsonl": ("json", "JsonLinesReporter", (".jsonl", ".ndjson")),
    "junit": ("junit", "JUnitReporter", (".xml",)),
    "github": ("github", "GitHubReporter", ()),
    "markdown": ("markdown", "MarkdownReporter", (".md",)),
}


def names() -> tuple[str, ...]:
    """Return the names of all reporters."""
    return tuple(_REGISTRY)


def by_file_name(name: str) -> str | None:
    """Return the name of the reporter that a file's name selects, if it selects one."""
    return next((each for each, (*_, endings) in _REGISTRY.items() if name.lower().endswith(endings)), None)


def get(name: str) -> type[Reporter]:
    """Return a reporter's class. Raises UnknownNameError."""
    if name not in _REGISTRY:
        raise UnknownNameError(f"unknown report {name!r}; known: {', '.join(_REGISTRY)}")
    module, class_name, _ = _REGISTRY[name]
    reporter: type[Reporter] = getattr(import_module(f"hexrec.reporters.{module}"), class_name)
    return reporter


def recorded(reports: Iterable[Report], summary: Summary, reporter: Reporter) -> Iterator[Report]:
    """Pass reports on while a reporter records them; `summary` is complete when they end."""
    with closing(reporter):
        reporter.start()
        for report in reports:
            reporter.record(report)
            yield report
        reporter.finish(summary)


def write(name: str, reports: Iterable[Report], out: TextIO) -> Summary:
    """Write a whole output and return the totals over the reports."""
    summary = Summary()
    for _ in recorded(summary.count(reports), summary, get(name)(out)):
        pass
    return summary


__all__ = ["Reporter", "Summary", "by_file_name", "get", "names", "recorded", "write"]
