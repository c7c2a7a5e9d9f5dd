"""`hexrec readings`: find the readings by which games were played."""

from __future__ import annotations

from typing import Annotated

import typer

from hexrec.cli import OUTPUT, options, outputs
from hexrec.cli.inputs import Inputs, print_unreadable
from hexrec.cli.runs import mention_interpreted
from hexrec.parallel.chunks import split
from hexrec.parallel.tasks import check_here
from hexrec.tools import readings

EXAMPLES = (
    ("hexrec readings games.jsonl", "Count the records that each reading explains."),
    ("hexrec readings games/ --format json", "Print the best readings of each game as JSON."),
)


def command(
    inputs: Inputs,
    format: Annotated[
        str | None,
        options.choice(
            "--format FORMAT",
            readings.FORMS,
            "Write {names} [default: by file name, else text].",
            OUTPUT,
        ),
    ] = None,
    target: options.Output = None,
) -> None:
    """Count the records that are valid under the rulings and under each reading, whatever readings they name.

    Exit code: 0 all records could be read, 2 an input cannot be read.
    """
    form = outputs.format_of_file(target, format, {"text": outputs.TEXT, "json": outputs.JSON}) or "text"
    found = readings.Agreements()
    found.summary.selective = inputs.selected.is_active
    found.count(inputs.selected.reports(check_here(mention_interpreted(split(print_unreadable(inputs.discovery))))))
    with outputs.text(target) as out:
        out.write(readings.FORMS[form](found))
    inputs.print_notes()
    raise typer.Exit(2 if found.summary.exit_code == 2 else 0)
