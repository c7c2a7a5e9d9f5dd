"""The report for programs: one JSON document, as the format page describes it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from shutil import copyfileobj
from typing import Any, TextIO

from hexrec._version import __version__
from hexrec.check import Report
from hexrec.check.summary import Summary
from hexrec.diagnostics import Diagnostic
from hexrec.reporters.spool import waiting_room

_PLACES = ("line", "column", "end_line", "end_column", "pointer", "ply", "turn")


def write(reports: Iterable[Report], summary: Summary, out: TextIO) -> Iterator[Report]:
    """Write the whole report. The sums stand before the records, so these wait in a file when they are many."""
    with waiting_room() as waiting:
        lead = "\n"
        for report in reports:
            waiting.write(f"{lead}  {_text(report_entry(report))}")
            lead = ",\n"
            yield report
        sums = {name: getattr(summary, name) for name in ("records", "valid", "invalid", "files", "plies")}
        out.write(f'{{"hexrec": {_text(__version__)},\n "summary": {_text(sums)},\n "records": [')
        waiting.seek(0)
        copyfileobj(waiting, out)
        out.write("]}\n")


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
        "diagnostics": [_finding_entry(finding) for finding in report.diagnostics],
    }


def _finding_entry(finding: Diagnostic) -> dict[str, Any]:
    entry: dict[str, Any] = {"code": finding.code, "severity": finding.severity, "message": finding.message}
    return entry | {name: value for name in _PLACES if (value := getattr(finding, name)) is not None}


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
