"""`hexrec score`: one row a record with the computed winner and score."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import tee
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
    configuration,
    one_of,
    output,
    rules,
    say_skipped,
)
from hexrec.formats.sources import Finder
from hexrec.reports import Summary, scores
from hexrec.reports.text import sums
from hexrec.validation import Report, check_sources
from hexrec.validation.selection import Selection


def command(
    paths: Paths,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            callback=one_of(scores.WRITERS),
            help=f"How to write the rows: {', '.join(scores.WRITERS)}; else the name of the output file tells, "
            "else a table on a terminal and CSV elsewhere.",
        ),
    ] = None,
    notation: From = None,
    target: Output = None,
    select: Select = None,
    ignore: Ignore = None,
    warn: Warn = None,
    no_config: NoConfig = False,
) -> None:
    """Score finished games: one row a record, broken ones included.

    Exit code: 0 all valid, 1 something is invalid, 2 an input could not be read at all.
    """
    summary = Summary()
    finder = Finder(paths, notation)
    settings = configuration(paths, no_config)
    selection = Selection(rules(select, ignore, warn), *settings.layers)
    write = scores.WRITERS[format or _usual_format(target)]
    with output(target) as out:
        write(_rows(check_sources(finder), selection, summary), out)
    print(sums(summary), file=sys.stderr)
    say_skipped(finder)
    raise typer.Exit(summary.exit_code)


def _rows(reports: Iterable[Report], selection: Selection, summary: Summary) -> Iterator[dict[str, Any]]:
    """Yield the row of each report. Whether a result agrees does not depend on which findings are selected."""
    whole, again = tee(reports)
    judged = scores.rows(summary.count(selection.apply(again)))
    for full, row in zip(scores.rows(whole), judged, strict=True):
        yield row | {"agrees": full["agrees"]}


def _usual_format(target: Path | None) -> str:
    if target is None:
        return "table" if sys.stdout.isatty() else "csv"
    name = target.suffix.lower().removeprefix(".")
    name = {"ndjson": "jsonl", "txt": "table"}.get(name, name)
    if name not in scores.WRITERS:
        raise typer.BadParameter(f"the name {target} tells no format: give --format", param_hint="-o")
    return name
