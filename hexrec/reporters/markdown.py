"""The report for a page: the sums, then a table of the findings, in GitHub's Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TextIO

from hexrec.check import Report
from hexrec.check.summary import Summary
from hexrec.diagnostics import Diagnostic
from hexrec.escaping import visible
from hexrec.reporters.text import statement

#: A job summary larger than 1 MiB is refused whole: the table ends before that.
_ROOM = 1_000_000
_HEAD = "| place | severity | code | finding |\n|---|---|---|---|\n"
_SPECIAL = re.compile(r"[\\`*_\[\]<>|~&$]")


def write(reports: Iterable[Report], summary: Summary, out: TextIO) -> Iterator[Report]:
    """Write the sums and the table. Findings for which there is no more room are counted only."""
    rows: list[str] = []
    room = _ROOM
    left_out = 0
    for report in reports:
        for finding in report.diagnostics:
            row = _row(finding)
            room -= len(row.encode())
            if room >= 0:
                rows.append(row)
            else:
                left_out += 1
        yield report
    out.write(f"## hexrec: {'valid' if summary.exit_code == 0 else 'invalid'}\n\n{summary.line()}\n")
    if rows:
        out.write(f"\n{_HEAD}")
        out.writelines(rows)
    if left_out:
        out.write(f"\nNot shown: {left_out:,} more findings.\n" if left_out > 1 else "\nNot shown: 1 more finding.\n")


def _row(finding: Diagnostic) -> str:
    # GitHub makes a picture of `:100:` where it is not code.
    place = f"<code>{_plain(finding.place)}</code>" if finding.place else ""
    return f"| {place} | {finding.severity} | <code>{finding.code}</code> | {_plain(statement(finding))} |\n"


def _plain(text: str) -> str:
    """Return text that Markdown shows as it is: on one line, every character that means something escaped."""
    return _SPECIAL.sub(r"\\\g<0>", visible(" ".join(text.split())))
