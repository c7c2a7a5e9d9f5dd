"""`hexrec readings`: find the readings by which games were played."""

from __future__ import annotations

from pathlib import Path

from hexrec.cli import options, outputs
from hexrec.cli.inputs import Inputs, print_unreadable
from hexrec.cli.runs import read_reports
from hexrec.tools import readings

EXAMPLES = (
    ("hexrec readings games.jsonl", "Count the records that each reading explains."),
    ("hexrec readings games/ --format json", "Print the best readings of each game as JSON."),
)


def command(
    inputs: Inputs,
    format: str | None = options.report_format(readings.FORMS),
    target: Path | None = options.TARGET,
) -> None:
    """Count the records that are valid under the rulings and under each reading, whatever readings they name.

    Exit code: 0 all records could be read, 2 an input cannot be read.
    """
    form = outputs.report_format(target, format)
    found = readings.Agreements(summary=inputs.summary)
    found.count(read_reports(inputs, print_unreadable(inputs.discovery)))
    with outputs.text(target) as out:
        out.write(readings.FORMS[form](found))
    inputs.end(code=2 if inputs.summary.exit_code == 2 else 0)
