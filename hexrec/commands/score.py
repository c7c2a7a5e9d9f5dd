"""`hexrec score`: one row a record with the computed winner and score."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, Any

import typer

from hexrec.commands.shared import (
    From,
    Ignore,
    NoConfig,
    Output,
    Paths,
    Select,
    Warn,
    binary_output,
    configuration,
    fail,
    one_of,
    output,
    rules,
    say_skipped,
)
from hexrec.formats.sources import Finder
from hexrec.reports import rows
from hexrec.reports.text import sums
from hexrec.validation import check_sources
from hexrec.validation.selection import Selection


def command(
    paths: Paths,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            callback=one_of(rows.names()),
            help=f"How to write the rows: {', '.join(rows.names())}; else the name of the output file tells, "
            "else a table on a terminal and CSV elsewhere.",
        ),
    ] = None,
    notation: From = None,
    target: Output = None,
    summary: Annotated[
        bool, typer.Option("--summary", help="Print the sums as tables, in place of the rows or beside a file of them.")
    ] = False,
    summary_json: Annotated[bool, typer.Option("--summary-json", help="Print the sums as JSON.")] = False,
    select: Select = None,
    ignore: Ignore = None,
    warn: Warn = None,
    no_config: NoConfig = False,
) -> None:
    """Score finished games: one row a record, broken ones included.

    Exit code: 0 all valid, 1 something is invalid, 2 an input could not be read at all.
    """
    report = rows.write_sums_json if summary_json else rows.write_sums if summary else None
    if report and format and target is None:
        raise typer.BadParameter(
            "this is how to write rows: give -o FILE too, or --summary-json", param_hint="--format"
        )
    finder = Finder(paths, notation)
    settings = configuration(paths, no_config)
    selection = Selection(rules(select, ignore, warn), *settings.layers)
    tally = rows.Tally()
    try:
        sink = rows.get(format or _usual_format(target))
    except rows.MissingExtraError as error:
        fail(str(error))
    if sink.binary and target is None and not report and sys.stdout.isatty():
        raise typer.BadParameter("these rows are no text for a terminal: give -o FILE", param_hint="--format")
    batches = tally.count(rows.batches(check_sources(finder), selection.judge))
    if report and target is None:
        for _ in batches:
            pass
    else:
        opened: AbstractContextManager[Any] = binary_output(target) if sink.binary else output(target)
        with opened as out:
            sink.write(batches, out)
    if report:
        report(tally, sys.stdout)
    print(sums(tally.summary), file=sys.stderr)
    say_skipped(finder)
    raise typer.Exit(tally.summary.exit_code)


def _usual_format(target: Path | None) -> str:
    if target is None:
        return "table" if sys.stdout.isatty() else "csv"
    name = rows.by_file_name(str(target))
    if name is None:
        raise typer.BadParameter(f"the name {target} tells no format: give --format", param_hint="-o")
    return name
