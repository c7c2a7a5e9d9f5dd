"""Base class and registry of the report formats.

A new reporter is a subclass of `Reporter` and one line in `_FORMATS`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import TextIO, cast
from urllib.parse import quote

from hexrec.io.discovery import STANDARD_INPUT
from hexrec.io.remote import is_address
from hexrec.output import OutputFormats
from hexrec.validation.report import Report, Summary

_FORMATS = OutputFormats(
    "report",
    {
        "text": ("report_text", "TextReporter", (".txt",)),
        "sarif": ("report_sarif", "SarifReporter", (".sarif", ".sarif.json")),
        "json": ("report_json", "JsonReporter", (".json",)),
        "jsonl": ("report_json", "JsonLinesReporter", (".jsonl", ".ndjson")),
        "junit": ("report_junit", "JUnitReporter", (".xml",)),
        "github": ("report_github", "GitHubReporter", ()),
        "markdown": ("report_github", "MarkdownReporter", (".md",)),
    },
)
names, by_file_name = _FORMATS.names, _FORMATS.by_file_name


def get(name: str) -> type[Reporter]:
    """Return the class of a reporter. Raises UnknownNameError."""
    reporter: type[Reporter] = _FORMATS.load(name)
    return reporter


def pass_on(reports: Iterable[Report], summary: Summary, reporter: Reporter) -> Iterator[Report]:
    """Yield reports and pass them to a reporter; `summary` must be complete when the reports end."""
    with closing(reporter):
        reporter.start()
        for report in reports:
            reporter.record(report)
            yield report
        reporter.finish(summary)


def write(name: str, reports: Iterable[Report], out: TextIO) -> Summary:
    """Write a complete report file and return the totals."""
    summary = Summary()
    for _ in pass_on(summary.count(reports), summary, get(name)(out)):
        pass
    return summary


class Reporter(ABC):
    """Writes one report file. Call `start`, `record` for each report, `finish`, and in any case `close`."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def start(self) -> None:
        """Write the beginning of the file."""

    @abstractmethod
    def record(self, report: Report) -> None:
        """Write or buffer the report on one record."""

    def finish(self, summary: Summary) -> None:
        """Write the end of the file; `summary` has the totals."""

    def close(self) -> None:
        """Free the buffers, whether the file is complete or not."""


_IN_MEMORY = 16 * 1024 * 1024


def new_spool() -> TextIO:
    """Return a text file in memory that moves to disk when it grows large, and is deleted when it is closed."""
    return cast(TextIO, SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", newline=""))


def copy_spooled(spooled: TextIO, out: TextIO) -> None:
    """Copy a spooled file to another stream."""
    spooled.seek(0)
    copyfileobj(spooled, out)


def relative(file: str | None) -> str | None:
    """Return a path relative to the current directory if the file is below it, else unchanged; None for stdin.

    The URL of a remote file stays unchanged.
    """
    if file is None or file == STANDARD_INPUT:
        return None
    if is_address(file):
        return file
    path = Path(file)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return path.as_posix()


def uri(file: str | None) -> str | None:
    """Return the result of `relative` as a URI: relative below the current directory, else with the scheme ``file``."""
    path = relative(file)
    if path is None:
        return None
    if is_address(path):
        return quote(path, safe="/:@?&=%")
    return Path(path).as_uri() if Path(path).is_absolute() else quote(path)
