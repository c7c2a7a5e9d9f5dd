"""`hexrec turns`: write the tables of games and turns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from hexrec.cli import OUTPUT, option, options
from hexrec.cli.console import echo_diagnostics, echo_totals, exit_on_os_error, fail
from hexrec.cli.inputs import DividedInputs
from hexrec.cli.runs import Work, gather
from hexrec.errors import extra
from hexrec.parallel.chunks import split
from hexrec.parallel.tasks import TurnsTask
from hexrec.tools.turns import GameRows
from hexrec.validation.report import Summary

EXAMPLES = (
    ("hexrec turns games/ -o archive", "Write the tables of all games of a directory."),
    ("hexrec turns games/ --shard 3/8 -o archive", "Write one of eight parts, on one of eight machines."),
)


def command(
    inputs: DividedInputs,
    *,
    target: Annotated[Path, option("-o, --output DIR", "Write the tables into this directory.", OUTPUT)],
    force: options.Force = False,
    work: Work,
) -> None:
    """Write two tables of valid records as Parquet files: a row for each game, and a row for each turn.

    The files are in `DIR/games` and `DIR/turns`, in directories by game and size. Each file is sorted by game hash,
    file, index and ply. Its schema describes the columns.

    Exit code: 0 all valid, 1 a record is invalid, 2 an input cannot be read.
    """
    with extra("arrow", "to write tables, install", "pyarrow"):
        from hexrec.tools.turns_file import DataSet
    prefix = f"{inputs.shard.replace('/', '-of-')}-" if inputs.shard else "part-"
    old = [*target.glob(f"*/*/*/{prefix}*.parquet")]
    if old and not force:
        fail(f"{target}: has tables already: --force overwrites them")
    selected = inputs.selected
    summary = Summary(selective=selected.is_active)
    with (
        work.progress(inputs.measured_paths, streamed=False) as advance,
        closing(work.run(split(inputs.sources), TurnsTask())) as batches,
    ):

        def select_games() -> Iterator[GameRows]:
            for game in gather(batches, advance, summary):
                if selected.selects(game.report, game.hash):
                    summary.add_report(game.report, valid=game.report.valid)
                    echo_diagnostics(*game.report.diagnostics)
                    yield game

        with exit_on_os_error(target, "written"):
            for file in old:  # a smaller archive writes fewer files
                file.unlink()
            DataSet(target, prefix).write(select_games())
    echo_totals(summary.line())
    inputs.print_notes()
    raise typer.Exit(summary.exit_code)
