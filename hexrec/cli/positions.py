"""`hexrec positions`: write the positions of games, sorted, to a Parquet file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from hexrec.cli import inputs, options, outputs, runs
from hexrec.cli.console import echo, echo_diagnostics
from hexrec.cli.help import OUTPUT
from hexrec.cli.options import option
from hexrec.errors import extra
from hexrec.io.discovery import Discovery
from hexrec.parallel.chunks import split
from hexrec.parallel.positions import PositionsTask
from hexrec.parallel.run import run
from hexrec.tools.positions import GamePositions
from hexrec.validation.summary import Summary

EXAMPLES = (
    ("hexrec positions games/ -o positions.parquet", "Write the positions of all games of a directory."),
    ("hexrec positions games/ --shard 3/8 -o part-3.parquet", "Write one of eight parts, on one of eight machines."),
)


def command(
    paths: options.Paths,
    target: Annotated[Path, option("-o, --output FILE", "Write to a Parquet file, atomically.", OUTPUT)],
    source_format: options.From = None,
    follow_links: options.FollowLinks = False,
    shard: options.ShardName = None,
    keep: options.Keep = None,
    drop: options.Drop = None,
    jobs: options.Jobs = None,
    chunk_timeout: options.ChunkTimeout = None,
    quiet: options.Quiet = False,
) -> None:
    """Write the positions of valid records, one row each, sorted by key, for `hexrec explore`.

    Rotated and mirrored positions have the same key.

    Exit code: 0 all valid, 1 a record is invalid, 2 an input cannot be read.
    """
    with extra("arrow", "to write positions, install", "pyarrow"):
        from hexrec.tools import positions_file
    discovery = Discovery(paths, source_format, follow_links=follow_links)
    sources = inputs.select_shard(discovery, paths, shard)
    selected = inputs.record_filter(keep, drop)
    summary = Summary(selective=selected.is_active)
    task, workers = PositionsTask(selected.needs_hash), runs.workers(jobs)
    with (
        runs.report_run_errors(),
        runs.progress([] if shard else paths, quiet, False) as advance,
        closing(run(split(sources), task, workers, chunk_timeout, small_here=jobs is None)) as batches,
        outputs.binary(target) as out,
    ):

        def select_games() -> Iterator[GamePositions]:
            for batch in batches:
                before = summary.records, summary.invalid
                for game in batch.gathered:
                    if selected.selects(game.report, game.hash):
                        summary.add_report(game.report, valid=game.report.valid)
                        echo_diagnostics(*game.report.diagnostics)
                        yield game
                advance(summary.records - before[0], summary.invalid - before[1], batch.size)

        positions_file.write(select_games(), out)
    if not quiet:
        echo(summary.line())
        inputs.print_skipped(discovery)
        if not shard:
            inputs.print_unmatched(selected)
    raise typer.Exit(summary.exit_code)
