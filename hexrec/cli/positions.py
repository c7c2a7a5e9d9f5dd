"""`hexrec positions`: write the positions of games, sorted, to a Parquet file."""

from __future__ import annotations

from pathlib import Path

from hexrec.cli import options, outputs
from hexrec.cli.inputs import DividedInputs
from hexrec.cli.parts import Cluster
from hexrec.cli.runs import Work, open_games
from hexrec.errors import extra
from hexrec.parallel.tasks import GamesTask
from hexrec.tools.positions import game_positions

EXAMPLES = (
    ("hexrec positions games/ -o positions.parquet", "Write the positions of all games of a directory."),
    ("hexrec positions games/ --shard 3/8 -o part-3.parquet", "Write one of eight parts, on one of eight machines."),
)


def command(
    inputs: DividedInputs,
    *,
    target: Path | None = options.output(
        "-o, --output FILE", "Write to a Parquet file, atomically; - is stdout.", default=...
    ),
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
    task = GamesTask(game_positions, inputs.selected.needs_hash)
    with open_games(inputs, work, task, streamed=target is None) as (games, summary), outputs.binary(target) as out:
        positions_file.write(games, out)
    inputs.finish_part("positions", target, summary, about)
    inputs.end(summary.exit_code, summary.line())
