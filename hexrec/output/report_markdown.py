"""The report for a page: the totals, then a table of the diagnostics, in GitHub's Markdown."""

from __future__ import annotations

import re

from hexrec.output.report_formats import Reporter
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.escaping import visible
from hexrec.validation.report import Report
from hexrec.validation.summary import Summary, counted

#: A job summary larger than 1 MiB is refused whole: the table ends before that.
_ROOM = 1_000_000
_HEAD = "| place | severity | code | diagnostic |\n|---|---|---|---|\n"
_SPECIAL = re.compile(r"[\\`*_\[\]<>|~&$]")


class MarkdownReporter(Reporter):
    """Writes the totals and the table. Diagnostics for which there is no more room are counted only."""

    def start(self) -> None:
        self._rows: list[str] = []
        self._room = _ROOM
        self._left_out = 0

    def record(self, report: Report) -> None:
        for diagnostic in report.diagnostics:
            row = _row(diagnostic)
            self._room -= len(row.encode())
            if self._room >= 0:
                self._rows.append(row)
            else:
                self._left_out += 1

    def finish(self, summary: Summary) -> None:
        verdict = "valid" if summary.exit_code == 0 else "invalid"
        self._out.write(f"## hexrec: {verdict}\n\n{summary.line()}\n")
        if self._rows:
            self._out.writelines([f"\n{_HEAD}", *self._rows])
        if self._left_out:
            self._out.write(f"\nNot shown: {counted(self._left_out, 'more diagnostic')}.\n")


def _row(diagnostic: Diagnostic) -> str:
    # GitHub makes a picture of `:100:` where it is not code.
    place = f"<code>{_plain(diagnostic.place)}</code>" if diagnostic.place else ""
    return f"| {place} | {diagnostic.severity} | <code>{diagnostic.code}</code> | {_plain(diagnostic.advised)} |\n"


def _plain(text: str) -> str:
    """Return text that Markdown shows as it is: on one line, every character that means something escaped."""
    return _SPECIAL.sub(r"\\\g<0>", visible(" ".join(text.split())))
