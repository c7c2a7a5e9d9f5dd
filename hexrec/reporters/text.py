"""The report for people: every finding on a line, with what stands at its place, then the sums."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import indent
from typing import TextIO
from unicodedata import category, east_asian_width

from hexrec.check import Report, replay
from hexrec.check.summary import Summary
from hexrec.diagnostics import Diagnostic
from hexrec.escaping import shorten, visible
from hexrec.render.text import describe, draw


def write(reports: Iterable[Report], summary: Summary, out: TextIO, *, board: bool = False) -> Iterator[Report]:
    """Write the findings as they come, and a line with the sums.

    A finding is a line, then the line of the file with carets under what is wrong; with `board`, then the position
    in which an illegal turn was played.
    """
    for report in reports:
        for finding in report.diagnostics:
            out.write(line(finding) + "\n" + source(finding))
            if board:
                out.write(_board(report, finding))
        yield report
    out.write(summary.line() + "\n")


def line(finding: Diagnostic) -> str:
    """Return a finding on one line, fit to be shown: place, severity, code, which record and turn, message."""
    place = f"{finding.place}: " if finding.place else ""
    return visible(f"{place}{finding.severity} {finding.code}: {statement(finding)}")


def statement(finding: Diagnostic) -> str:
    """Return what a finding says, without its place and its code: which record and turn, message."""
    which = []
    if finding.record is not None and finding.line is not None:
        name = f" ({shorten(finding.id)})" if finding.id else ""
        which.append(f"record {finding.record}{name}")
    if finding.ply is not None:
        which.append(f"ply {finding.ply}")
    if finding.turn is not None:
        turn = shorten(finding.turn)
        quote = "" if turn == turn.strip() != "" else "'"
        which.append(f"turn {quote}{turn}{quote}")
    return ": ".join(filter(None, [", ".join(which), finding.message]))


def source(finding: Diagnostic) -> str:
    """Return the line of the file that a finding is about, and below it carets; nothing if the line is not known.

    A long line is cut around the place. What goes on over several lines has carets to the end of the first.
    """
    shown = finding.source_line
    if shown is None or finding.line is None or finding.column is None or finding.end_column is None:
        return ""
    start = finding.column - shown.column
    end = finding.end_column - shown.column if finding.end_line == finding.line else len(shown.text.rstrip())
    before, after = "…" if shown.column > 1 else "", "…" if shown.cut else ""
    text = shown.text.replace("\t", " ")
    carets = " " * _width(before + visible(text[:start])) + "^" * max(1, _width(visible(text[start:end])))
    number = str(finding.line)
    margin = " " * len(number)
    return f"  {number} | {before}{visible(text)}{after}".rstrip() + f"\n  {margin} | {carets}\n"


def _width(text: str) -> int:
    """Return how many columns of a terminal some printable characters take."""
    return sum(0 if category(char) in ("Mn", "Me") else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def _board(report: Report, finding: Diagnostic) -> str:
    """Return the position in which a turn was played, indented; nothing for a finding that is not about a turn."""
    if report.record is None or finding.ply is None:
        return ""
    position = replay(report.record, finding.ply - 1).position
    return indent(f"\n{describe(position)}\n\n{draw(position)}\n\n", "    ") if position else ""
