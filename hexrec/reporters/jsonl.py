"""The report for programs that read as it is written: one JSON object a record, one a line, without sums."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TextIO

from hexrec.check import Report
from hexrec.check.summary import Summary
from hexrec.reporters.json import report_entry


def write(reports: Iterable[Report], _: Summary, out: TextIO) -> Iterator[Report]:
    """Write a line for every record: the entry that it has in the JSON report."""
    for report in reports:
        out.write(json.dumps(report_entry(report), ensure_ascii=False) + "\n")
        yield report
