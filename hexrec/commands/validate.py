"""`hexrec validate`: replay every record and report what is wrong with it."""

from __future__ import annotations

from typing import Annotated

import typer

from hexrec import reports
from hexrec.commands.shared import From, Output, Paths, one_of, output, say_skipped
from hexrec.formats.sources import Finder
from hexrec.validation import check_sources


def command(
    paths: Paths,
    format: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="REPORT",
            callback=one_of(reports.names()),
            help=f"The report: {', '.join(reports.names())}.",
        ),
    ] = "text",
    finished: Annotated[bool, typer.Option("--finished", help="Demand a result in every record.")] = False,
    notation: From = None,
    target: Output = None,
) -> None:
    """Check records: syntax, fields, every turn by the rules, the result.

    Exit code: 0 all valid, 1 something is invalid, 2 an input could not be read at all.
    """
    summary = reports.Summary()
    finder = Finder(paths, notation)
    with output(target) as out:
        reports.get(format)(summary.count(check_sources(finder, finished=finished)), summary, out)
    say_skipped(finder)
    raise typer.Exit(summary.exit_code)
