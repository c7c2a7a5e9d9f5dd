"""`hexrec positions`: write the positions of games, sorted, to a Parquet file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from hexrec.cli import options, outputs
from hexrec.cli.console import echo_diagnostics, echo_totals
from hexrec.cli.inputs import DividedInputs
from hexrec.cli.parts import Cluster
from hexrec.cli.runs import Work, gather
from hexrec.errors import extra
from hexrec.parallel.chunks import split
from hexrec.parallel.tasks import PositionsTask
from hexrec.tools.positions import GamePositions
from hexrec.validation.report import Summary

EXAMPLES = (
    ("hexrec positions games/ -o positions.parquet", "Write the positions of all games of a directory."),
    ("hexrec positions games/ --shard 3/8 -o part-3.parquet", "Write one of eight parts, on one of eight machines."),
)


def command(
    inputs: DividedInputs,
    *,
    target: Annotated[
        Path | None, options.output("-o, --output FILE", "Write to a Parquet file, atomically; - is stdout.")
    ],
    cluster: Cluster,
    work: Work,
) -> None:
    """Write the positions of valid records, one row each, sorted by key, for `hexrec explore`.

    Rotated and mirrored positions have the same key.

    Exit code: 0 all valid, 1 a record is invalid, 2 an input cannot be read.
    """
    with extra("arrow", "to write positions, install", "pyarrow"):
        from hexrec.tools import positions_file
    about = inputs.describe(order=["key"])
    if cluster.dask:
        cluster.run("positions", work, inputs, target, ".parquet", about)
    outputs.format_of_file(target, "parquet", {"parquet": (".parquet",)})
    selected = inputs.selected
    summary = Summary(selective=selected.is_active)
    with (
        work.progress(inputs.measured_paths, streamed=target is None) as advance,
        closing(work.run(split(inputs.sources), PositionsTask(selected.needs_hash))) as batches,
        outputs.binary(target) as out,
    ):

        def select_games() -> Iterator[GamePositions]:
            for game in gather(batches, advance, summary):
                if selected.selects(game.report, game.hash):
                    summary.add_report(game.report, valid=game.report.valid)
                    echo_diagnostics(*game.report.diagnostics)
                    yield game

        positions_file.write(select_games(), out)
    inputs.finish_part("positions", target, summary, about)
    echo_totals(summary.line())
    inputs.print_notes()
    raise typer.Exit(summary.exit_code)
