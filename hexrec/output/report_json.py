"""Reports for programs: one JSON document, as the format page describes it, or one JSON object per record."""

from __future__ import annotations

import json

from hexrec.output.report_formats import Reporter, copy_spooled, new_spool
from hexrec.util.version import __version__
from hexrec.validation.report import Report, Summary


class JsonReporter(Reporter):
    """Writes the JSON document. The totals come before the records, so the records are spooled."""

    def start(self) -> None:
        self._spool = new_spool()
        self._lead = "\n"

    def record(self, report: Report) -> None:
        self._spool.write(f"{self._lead}  {to_text(report.to_dict())}")
        self._lead = ",\n"

    def finish(self, summary: Summary) -> None:
        self._out.write(f'{{"hexrec": {to_text(__version__)},\n "summary": {to_text(summary.data())},\n "records": [')
        copy_spooled(self._spool, self._out)
        self._out.write("]}\n")

    def close(self) -> None:
        self._spool.close()


class JsonLinesReporter(Reporter):
    """Writes a line for every record: its entry in the JSON report."""

    def record(self, report: Report) -> None:
        self._out.write(to_text(report.to_dict()) + "\n")


def to_text(value: object) -> str:
    """Return a value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False)
