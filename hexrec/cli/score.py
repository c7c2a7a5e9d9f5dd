"""`hexrec score`: one row a record with the computed winner and score."""

from __future__ import annotations

import pickle
import sys
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from hexrec import scores
from hexrec.batch.checkpoint import Journal
from hexrec.batch.chunks import Unit, cut
from hexrec.batch.run import run
from hexrec.batch.tasks import Scoring
from hexrec.cli.console import echo, say
from hexrec.cli.options import (
    FollowLinks,
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
    reserved,
    rules,
    say_skipped,
)
from hexrec.cli.runs import Dask, Jobs, Quiet, UnitTimeout, progress, runner, unbroken
from hexrec.files.discovery import Discovery
from hexrec.settings.selection import Selection


def command(
    paths: Paths,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            callback=one_of(scores.names()),
            help=f"How to write the rows: {', '.join(scores.names())}; else the name of the output file tells, "
            "else a table on a terminal and CSV elsewhere.",
        ),
    ] = None,
    notation: From = None,
    follow_links: FollowLinks = False,
    target: Output = None,
    summary: Annotated[
        bool, typer.Option("--summary", help="Print the sums as tables, in place of the rows or beside a file of them.")
    ] = False,
    summary_json: Annotated[bool, typer.Option("--summary-json", help="Print the sums as JSON.")] = False,
    jobs: Jobs = None,
    unit_timeout: UnitTimeout = None,
    dask: Dask = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue a run that did not end; FILE and all options are as they were.")
    ] = False,
    escape_formulas: Annotated[
        bool,
        typer.Option(
            "--escape-formulas/--no-escape-formulas",
            help="In CSV, put an apostrophe before texts that spreadsheets take for formulas, or leave them.",
        ),
    ] = True,
    quiet: Quiet = False,
    select: Select = None,
    ignore: Ignore = None,
    warn: Warn = None,
    no_config: NoConfig = False,
) -> None:
    """Score finished games: one row a record, broken ones included.

    Exit code: 0 all valid, 1 something is invalid, 2 an input could not be read at all.
    """
    report = scores.write_sums_json if summary_json else scores.write_sums if summary else None
    if report and format and target is None:
        raise typer.BadParameter(
            "this is how to write rows: give -o FILE too, or --summary-json", param_hint="--format"
        )
    if resume and target is None:
        raise typer.BadParameter("only a run with -o FILE can be continued", param_hint="--resume")
    discovery = Discovery(paths, notation, follow_links=follow_links)
    settings = configuration(paths, no_config, follow_links)
    selection = Selection(rules(select, ignore, warn), *settings.layers)
    tally = scores.Tally()
    try:
        sink = scores.get(wanted := format or _usual_format(target))
    except scores.MissingExtraError as error:
        fail(str(error))
    if not escape_formulas:
        if wanted != "csv":
            raise typer.BadParameter("only CSV has formulas", param_hint="--no-escape-formulas")
        sink = replace(sink, write=partial(cast(Any, sink.write), escape_formulas=False))
    if sink.binary and target is None and not report and sys.stdout.isatty():
        raise typer.BadParameter("these rows are no text for a terminal: give -o FILE", param_hint="--format")
    settled = {"paths": paths, "notation": notation, "selection": pickle.dumps(selection).hex()}
    streamed = target is None and not report
    with (
        reserved(target),
        unbroken(_journal(target, resume, **settled)) as journal,
        progress(paths, quiet, streamed) as shown,
    ):

        def watch(unit: Unit, batch: scores.Columns, recalled: bool) -> None:
            if shown:
                codes = batch["code"]
                shown.add(len(codes), len(codes) - codes.count(None), unit.size, before=recalled)

        found = run(
            cut(discovery),
            Scoring(selection),
            runner(jobs, unit_timeout, dask),
            journal,
            resume=resume,
            watcher=watch,
            small_here=jobs is None,
        )
        with closing(found):
            batches = tally.count(found)
            if report and target is None:
                for _ in batches:
                    pass
            else:
                opened: AbstractContextManager[Any] = binary_output(target) if sink.binary else output(target)
                with opened as out:
                    sink.write(batches, out)
    if report:
        with output(None) as out:
            report(tally, out)
    if not quiet:
        echo(tally.summary.line())
        say_skipped(discovery)
    raise typer.Exit(tally.summary.exit_code)


def _journal(target: Path | None, resume: bool, **options: object) -> Journal | None:
    """Return the journal of an output file, if it is one; `options` is what the rows depend on besides the input."""
    if target is None or (target.exists() and not target.is_file()):
        return None
    journal = Journal(target, **options)
    if journal.exists() and not resume:
        say(f"{journal.path} is of a run that did not end, and is replaced")
    elif resume and not journal.exists():
        say(f"there is no {journal.path}: the run begins anew")
    return journal


def _usual_format(target: Path | None) -> str:
    if target is None:
        return "table" if sys.stdout.isatty() else "csv"
    name = scores.by_file_name(str(target))
    if name is None:
        raise typer.BadParameter(f"the name {target} tells no format: give --format", param_hint="-o")
    return name
