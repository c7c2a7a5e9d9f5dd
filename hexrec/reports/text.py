"""The report for people: a line for every finding, then the sums."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from hexrec.diagnostics import Diagnostic, shorten
from hexrec.reports.summary import Summary
from hexrec.validation import Report


def write(reports: Iterable[Report], summary: Summary, out: TextIO) -> None:
    """Write the findings as they come, and a line with the sums."""
    for report in reports:
        for finding in report.diagnostics:
            out.write(line(finding) + "\n")
    out.write(sums(summary) + "\n")


def line(finding: Diagnostic) -> str:
    """Return a finding on one line: place, severity, code, which record and turn, message."""
    which = []
    if finding.record is not None and finding.line is not None:
        name = f" ({shorten(finding.id)})" if finding.id else ""
        which.append(f"record {finding.record}{name}")
    if finding.ply is not None:
        which.append(f"ply {finding.ply}")
    if finding.turn is not None:
        turn = shorten(finding.turn)
        which.append(f"turn {turn if turn == turn.strip() != '' else repr(turn)}")
    lead = ", ".join(which)
    return (
        (f"{finding.place}: " if finding.place else "")
        + f"{finding.severity} {finding.code}: "
        + (f"{lead}: " if lead else "")
        + finding.message
    )


def sums(summary: Summary) -> str:
    """Return the sums on one line."""
    return (
        f"{_count(summary.records, 'record')} in {_count(summary.files, 'file')}: {summary.valid} valid, "
        f"{summary.invalid} invalid; {_count(summary.plies, 'ply', 'plies')} replayed"
    )


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
