"""The report for programs that read as it is written: one JSON object per record, one per line, without totals."""

from __future__ import annotations

from hexrec.reporters.base import Reporter
from hexrec.reporters.json import to_text
from hexrec.validation import Report


class JsonLinesReporter(Reporter):
    """Writes a line for every record: the entry that it has in the JSON report."""

    def record(self, report: Report) -> None:
        self._out.write(to_text(report.to_dict()) + "\n")
