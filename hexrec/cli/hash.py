"""`hexrec hash`: what identifies the game of each record."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer

from hexrec.cli import inputs, options, outputs, runs
from hexrec.cli.console import echo, echo_diagnostics
from hexrec.cli.options import option
from hexrec.io.discovery import Discovery
from hexrec.parallel.chunks import split
from hexrec.parallel.run import run
from hexrec.parallel.tasks import HashTask
from hexrec.validation.summary import Summary

EXAMPLES = (
    ("hexrec hash games.jsonl", "Print a hash and a place for each record."),
    (
        "hexrec hash games/ --symmetric | sort | uniq --check-chars=64 --repeated",
        "Find games that come again, rotated or mirrored.",
    ),
)


def command(
    paths: options.Paths,
    symmetric: Annotated[
        bool, option("--symmetric", "The same hash for a game and its images, rotated and mirrored.")
    ] = False,
    format: options.From = None,
    follow_links: options.FollowLinks = False,
    keep: options.Keep = None,
    drop: options.Drop = None,
    shard: options.ShardName = None,
    target: options.Output = None,
    jobs: options.Jobs = None,
    chunk_timeout: options.ChunkTimeout = None,
    quiet: options.Quiet = False,
) -> None:
    """Print the game hash of each record, two blanks, and file:index.

    The same game has the same hash, whatever else its records say, their results included, and in every format and
    coordinate system. A record with an illegal turn has none: what is wrong with it goes to standard error. Exit code:
    0 all have one, 1 a record has none, 2 an input could not be read at all.
    """
    discovery = Discovery(paths, format, follow_links=follow_links)
    sources = inputs.sharded(discovery, paths, shard)
    selected = inputs.record_filter(keep, drop)
    if symmetric and selected.needs_hash:
        raise typer.BadParameter("its rows select by hashes that are not symmetric", param_hint="--keep, --drop")
    summary = Summary()
    summary.selective = selected.is_active
    found = run(split(sources), HashTask(symmetric), runs.workers(jobs), chunk_timeout, small_here=jobs is None)
    with (
        runs.unbroken(),
        runs.progress([] if shard else paths, quiet, target is None) as advance,
        closing(found) as batches,
        outputs.text(target) as out,
    ):
        for batch in batches:
            before = summary.records, summary.invalid
            for report, own in batch.gathered:
                if not selected.selects(report, own):
                    continue
                summary.add_report(report, valid=own is not None)
                if own is None:
                    echo_diagnostics(*report.diagnostics)
                else:
                    out.write(f"{own}  {inputs.place(report)}\n")
            advance(summary.records - before[0], summary.invalid - before[1], batch.size)
    if not quiet:
        echo(summary.line(("with a hash", "without")))
        inputs.say_skipped(discovery)
        inputs.say_unmatched(selected)
    raise typer.Exit(summary.exit_code)
