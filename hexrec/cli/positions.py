"""`hexrec positions`: write the positions of games, sorted, to a Parquet file."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path

from hexrec.cli import options, outputs
from hexrec.cli.parts import DividedRun
from hexrec.errors import extra
from hexrec.parallel.tasks import FunctionTask
from hexrec.tools.examined import examine_game
from hexrec.tools.positions import game_positions

EXAMPLES = (
    ("hexrec positions games/ -o positions.parquet", "Write the positions of all games of a directory."),
    ("hexrec positions games/ --shard 3/8 -o part-3.parquet", "Write one of eight parts, on one of eight machines."),
)


def command(
    run: DividedRun,
    *,
    target: Path | None = options.output(
        "-o, --output FILE", "Write to a Parquet file, atomically; - is stdout.", default=...
    ),
) -> None:
    """Write the positions of valid records, one row each, sorted by key, for `hexrec explore`.

    Rotated and mirrored positions have the same key.

    Exit code: 0 all valid, 1 a record is invalid, 2 an input cannot be read.
    """
    with extra("arrow", "to write positions, install", "pyarrow"):
        from hexrec.tools import positions_file
    about = run.describe(order=["key"])
    run.use_cluster("positions", target, ".parquet", about)
    outputs.format_of_file(target, "parquet", {"parquet": (".parquet",)})
    task = FunctionTask(partial(examine_game, game_positions, hashes=run.selected.needs_hash))
    with closing(run.games(task, streamed=target is None)) as games, outputs.binary(target) as out:
        positions_file.write(games, out)
    run.finish_part("positions", target, about)
    run.end(run.summary.line())
