"""`hexrec turns`: write the tables of games and turns."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from pathlib import Path

from hexrec.cli import OUTPUT, option, options, runs
from hexrec.cli.console import exit_on_os_error
from hexrec.cli.parts import DividedRun
from hexrec.errors import extra
from hexrec.parallel.tasks import FunctionTask
from hexrec.tools.examined import examine_game
from hexrec.tools.turns import rows_of

EXAMPLES = (
    ("hexrec turns games/ -o archive", "Write the tables of all games of a directory."),
    ("hexrec turns games/ --shard 3/8 -o parts/3", "Write one of eight parts, on one of eight machines."),
)


def command(
    run: DividedRun,
    *,
    target: Path = option("-o, --output DIR", "Write the tables into this directory.", OUTPUT, default=...),
    force: bool = options.FORCE,
) -> None:
    """Write two tables of valid records as Parquet files: a row for each game, and a row for each turn.

    The files are in `DIR/games` and `DIR/turns`, in directories by game and size. Each file is sorted by game hash,
    file, index and ply. Its schema describes the columns.

    Exit code: 0 all valid, 1 a record is invalid, 2 an input cannot be read.
    """
    with extra("arrow", "to write tables, install", "pyarrow"):
        from hexrec.tools import turns_file
    about = run.describe()
    run.use_cluster("turns", target, "", about)
    with exit_on_os_error(target, "written"):
        # A shard that a cluster lost begins again.
        turns_file.clear(target, force=force or runs.SEPARATE)
        task = FunctionTask(partial(examine_game, rows_of, hashes=run.selected.needs_hash))
        with closing(run.games(task)) as games:
            turns_file.write(games, target)
    run.finish_part("turns", target.resolve(), about)
    run.end(run.summary.line())
