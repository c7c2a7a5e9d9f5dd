"""Registry of the report formats, and the formats of hexrec itself: text for people, JSON for programs.

A new format is a `ReportWriter` and one line in `_FORMATS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from textwrap import indent
from typing import TextIO, cast
from unicodedata import category, east_asian_width
from urllib.parse import quote

from hexrec.io.discovery import STANDARD_INPUT
from hexrec.io.remote import is_address
from hexrec.output import OutputFormats, to_text
from hexrec.record.replay import replay
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.escaping import visible
from hexrec.util.version import __version__
from hexrec.validation.report import Report, Summary

#: A function that yields reports and writes them to a file. The summary is complete when the reports end.
ReportWriter = Callable[[Iterable[Report], Summary, TextIO], Iterator[Report]]

_FORMATS = OutputFormats[ReportWriter](
    "report",
    {
        "text": ("report_formats:write_text", (".txt",)),
        "sarif": ("report_sarif:write_sarif", (".sarif", ".sarif.json")),
        "json": ("report_formats:write_json", (".json",)),
        "jsonl": ("report_formats:write_json_lines", (".jsonl", ".ndjson")),
        "junit": ("report_junit:write_junit", (".xml",)),
        "github": ("report_github:write_commands", ()),
        "markdown": ("report_github:write_markdown", (".md",)),
    },
)
names, by_file_name, get = _FORMATS.names, _FORMATS.by_file_name, _FORMATS.get


def write(name: str, reports: Iterable[Report], out: TextIO) -> Summary:
    """Write a complete report file and return the totals."""
    summary = Summary()
    for _ in get(name)(summary.count(reports), summary, out):
        pass
    return summary


def write_text(reports: Iterable[Report], summary: Summary, out: TextIO, *, board: bool = False) -> Iterator[Report]:
    """Write the diagnostics, then a line with the totals.

    A diagnostic is a line, then the source line with carets under the error. With `board`, the position before an
    illegal turn follows.
    """
    for report in reports:
        for diagnostic in report.diagnostics:
            out.write(format_diagnostic(diagnostic))
            if board:
                out.write(_position(report, diagnostic))
        yield report
    out.write(summary.line() + "\n")


def format_diagnostic(diagnostic: Diagnostic) -> str:
    """Return a diagnostic with its source line, and a line for each suggestion."""
    return f"{diagnostic}\n{source(diagnostic)}" + "".join(f"  {line}\n" for line in helps(diagnostic))


def helps(diagnostic: Diagnostic) -> list[str]:
    """Return a line for each suggestion of a diagnostic."""
    return [f"help: {visible(suggestion.message)}" for suggestion in diagnostic.suggestions]


def source(diagnostic: Diagnostic) -> str:
    """Return the source line of a diagnostic with carets below it; empty if the line is unknown.

    A long line is cut around the place. For a place of several lines, the carets go to the end of the first.
    """
    shown = diagnostic.source_line
    if shown is None or diagnostic.line is None or diagnostic.column is None or diagnostic.end_column is None:
        return ""
    start = diagnostic.column - shown.column
    end = diagnostic.end_column - shown.column if diagnostic.end_line == diagnostic.line else len(shown.text.rstrip())
    before, after = "…" if shown.column > 1 else "", "…" if shown.cut else ""
    text = shown.text.replace("\t", " ")
    carets = " " * _width(before + visible(text[:start])) + "^" * max(1, _width(visible(text[start:end])))
    number = str(diagnostic.line)
    margin = " " * len(number)
    return f"  {number} | {before}{visible(text)}{after}".rstrip() + f"\n  {margin} | {carets}\n"


def _width(text: str) -> int:
    """Return the width of printable characters in columns of a terminal."""
    return sum(0 if category(char) in ("Mn", "Me") else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def _position(report: Report, diagnostic: Diagnostic) -> str:
    """Return the position before a turn of the main line, indented; empty for other diagnostics."""
    if report.record is None or diagnostic.ply is None or diagnostic.code.startswith("variation/"):
        return ""
    # Few reports show positions, and the renderer takes long to import.
    from hexrec.render.text import describe, draw

    position = replay(report.record, diagnostic.ply - 1).position
    return indent(f"\n{describe(position)}\n\n{draw(position)}\n\n", "    ") if position else ""


def write_json(reports: Iterable[Report], summary: Summary, out: TextIO) -> Iterator[Report]:
    """Write one JSON document. The totals come before the records, so the records are spooled."""
    with new_spool() as spool:
        lead = "\n"
        for report in reports:
            spool.write(f"{lead}  {to_text(report.to_dict())}")
            lead = ",\n"
            yield report
        out.write(f'{{"hexrec": {to_text(__version__)},\n "summary": {to_text(summary.data())},\n "records": [')
        copy_spooled(spool, out)
        out.write("]}\n")


def write_json_lines(reports: Iterable[Report], _: Summary, out: TextIO) -> Iterator[Report]:
    """Write a line for every record: its entry in the JSON report."""
    for report in reports:
        out.write(to_text(report.to_dict()) + "\n")
        yield report


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
