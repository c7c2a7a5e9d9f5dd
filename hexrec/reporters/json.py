"""The report for programs: one JSON document, as the format page describes it."""

from __future__ import annotations

import json
from typing import Any

from hexrec._version import __version__
from hexrec.diagnostics import Diagnostic
from hexrec.reporters import spool
from hexrec.reporters.base import Reporter
from hexrec.summary import Summary
from hexrec.validation import Report

_PLACES = ("line", "column", "end_line", "end_column", "pointer", "within", "ply", "turn")


class JsonReporter(Reporter):
    """Writes the whole document. The totals come before the records, so these are spooled."""

    def start(self) -> None:
        self._spool = spool.new()
        self._lead = "\n"

    def record(self, report: Report) -> None:
        self._spool.write(f"{self._lead}  {to_text(report_entry(report))}")
        self._lead = ",\n"

    def finish(self, summary: Summary) -> None:
        self._out.write(f'{{"hexrec": {to_text(__version__)},\n "summary": {to_text(summary.data())},\n "records": [')
        spool.pour(self._spool, self._out)
        self._out.write("]}\n")

    def close(self) -> None:
        self._spool.close()


def report_entry(report: Report) -> dict[str, Any]:
    """Return what the report says of one record."""
    return {
        "file": report.file,
        "index": report.index,
        "id": report.id,
        "game": report.game,
        "valid": report.valid,
        "plies": report.plies,
        "result": report.result.as_data() if report.result else None,
        "diagnostics": [diagnostic_entry(diagnostic) for diagnostic in report.diagnostics],
    }


def diagnostic_entry(diagnostic: Diagnostic) -> dict[str, Any]:
    """Return what a report says of one diagnostic."""
    entry: dict[str, Any] = {"code": diagnostic.code, "severity": diagnostic.severity, "message": diagnostic.message}
    return entry | {name: value for name in _PLACES if (value := getattr(diagnostic, name)) is not None}


def to_text(value: object) -> str:
    """Return JSON on one line."""
    return json.dumps(value, ensure_ascii=False)
