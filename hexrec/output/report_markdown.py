"""Report for web pages: the totals, then a table of the diagnostics, in GitHub's Markdown."""

from __future__ import annotations

import re

from hexrec.output.report_formats import Reporter
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.escaping import visible
from hexrec.validation.report import Report
from hexrec.validation.summary import Summary, count_of

#: The maximum size of the table: GitHub refuses a job summary larger than 1 MiB.
_MAX_BYTES = 1_000_000
_HEAD = "| place | severity | code | diagnostic |\n|---|---|---|---|\n"
_SPECIAL = re.compile(r"[\\`*_\[\]<>|~&$]")


class MarkdownReporter(Reporter):
    """Writes the totals and the table. Diagnostics beyond the maximum size are counted only."""

    def start(self) -> None:
        self._rows: list[str] = []
        self._bytes_left = _MAX_BYTES
        self._left_out = 0

    def record(self, report: Report) -> None:
        for diagnostic in report.diagnostics:
            row = _row(diagnostic)
            self._bytes_left -= len(row.encode())
            if self._bytes_left >= 0:
                self._rows.append(row)
            else:
                self._left_out += 1

    def finish(self, summary: Summary) -> None:
        outcome = "valid" if summary.exit_code == 0 else "invalid"
        self._out.write(f"## hexrec: {outcome}\n\n{summary.line()}\n")
        if self._rows:
            self._out.writelines([f"\n{_HEAD}", *self._rows])
        if self._left_out:
            self._out.write(f"\nNot shown: {count_of(self._left_out, 'more diagnostic')}.\n")


def _row(diagnostic: Diagnostic) -> str:
    # GitHub turns `:100:` into an emoji outside code.
    place = f"<code>{_plain(diagnostic.place)}</code>" if diagnostic.place else ""
    return f"| {place} | {diagnostic.severity} | <code>{diagnostic.code}</code> | {_plain(diagnostic.advised)} |\n"


def _plain(text: str) -> str:
    """Escape a string for Markdown, on one line."""
    return _SPECIAL.sub(r"\\\g<0>", visible(" ".join(text.split())))
