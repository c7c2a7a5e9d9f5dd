"""The reports for programs: one JSON document, or one JSON object per record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TextIO

from hexrec.output import to_text
from hexrec.output.report_formats import copy_spooled, new_spool
from hexrec.util.version import __version__
from hexrec.validation.report import Report, Summary


def write_json(reports: Iterable[Report], summary: Summary, out: TextIO) -> Iterator[Report]:
    """Write one JSON document. The totals come before the records, so the records are spooled."""
    with new_spool() as spool:
        lead = "\n"
        for report in reports:
            spool.write(f"{lead}  {to_text(report.to_dict())}")
            lead = ",\n"
            yield report
        out.write(f'{{"hexrec": {to_text(__version__)},\n "summary": {to_text(summary.data())},\n "records": [')
        copy_spooled(spool, out)
        out.write("]}\n")


def write_json_lines(reports: Iterable[Report], _: Summary, out: TextIO) -> Iterator[Report]:
    """Write a line for every record: its entry in the JSON report."""
    for report in reports:
        out.write(to_text(report.to_dict()) + "\n")
        yield report
