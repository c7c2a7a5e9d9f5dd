"""The text report, for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import indent
from typing import TextIO
from unicodedata import category, east_asian_width

from hexrec.record.replay import replay
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.escaping import visible
from hexrec.validation.report import Report, Summary


def write_text(reports: Iterable[Report], summary: Summary, out: TextIO, *, board: bool = False) -> Iterator[Report]:
    """Write the diagnostics, then the totals. Suppressed errors are only counted.

    A diagnostic is a line, then the source line with carets under the error. With `board`, the position before an
    illegal turn follows.
    """
    for report in reports:
        for diagnostic in report.diagnostics:
            if diagnostic.suppressed:
                continue
            out.write(format_diagnostic(diagnostic))
            if board:
                out.write(_position(report, diagnostic))
        yield report
    out.writelines(f"{line}\n" for line in summary.lines())


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
    from hexrec.render.text import describe

    position = replay(report.record, diagnostic.ply - 1).position
    return indent(f"\n{describe(position)}\n\n{position}\n\n", "    ") if position else ""
