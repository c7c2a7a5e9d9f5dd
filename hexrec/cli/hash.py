"""`hexrec hash`: print the game hash of each record."""

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
    ("hexrec hash games.jsonl", "Print hash, file and index of each record."),
    (
        "hexrec hash games/ --symmetric | sort | uniq --check-chars=64 --repeated",
        "Find repeated games, rotated or mirrored.",
    ),
)


def command(
    paths: options.Paths,
    symmetric: Annotated[bool, option("--symmetric", "Print the same hash for rotated and mirrored games.")] = False,
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
    """Print the game hash of each record, two spaces, and file:index.

    The hash depends on game, rules, board, opening and turns alone. Results and other fields do not change it, nor do
    format and coordinate system. Records with illegal turns have no hash; their diagnostics go to stderr.

    Exit code: 0 all have a hash, 1 a record has none, 2 an input cannot be read.
    """
    discovery = Discovery(paths, format, follow_links=follow_links)
    sources = inputs.select_shard(discovery, paths, shard)
    selected = inputs.record_filter(keep, drop)
    if symmetric and selected.needs_hash:
        raise typer.BadParameter("its rows select by hashes that are not symmetric", param_hint="--keep, --drop")
    summary = Summary()
    summary.selective = selected.is_active
    run_batches = run(split(sources), HashTask(symmetric), runs.workers(jobs), chunk_timeout, small_here=jobs is None)
    with (
        runs.report_run_errors(),
        runs.progress([] if shard else paths, quiet, target is None) as advance,
        closing(run_batches) as batches,
        outputs.text(target) as out,
    ):
        for batch in batches:
            before = summary.records, summary.invalid
            for report, game_hash in batch.gathered:
                if not selected.selects(report, game_hash):
                    continue
                summary.add_report(report, valid=game_hash is not None)
                if game_hash is None:
                    echo_diagnostics(*report.diagnostics)
                else:
                    out.write(f"{game_hash}  {inputs.place(report)}\n")
            advance(summary.records - before[0], summary.invalid - before[1], batch.size)
    if not quiet:
        echo(summary.line(("with a hash", "without")))
        inputs.print_skipped(discovery)
        inputs.print_unmatched(selected)
    raise typer.Exit(summary.exit_code)
