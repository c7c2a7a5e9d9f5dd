"""`hexrec explore`: count the turns that followed a position, and the winners."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

from hexrec.cli import INPUT, OUTPUT, argument, flag, options, outputs
from hexrec.cli.console import exit_on_os_error, fail, refuse
from hexrec.errors import extra
from hexrec.rules import games
from hexrec.rules.terms import IllegalSetup

EXAMPLES = (
    (
        "hexrec explore '4/5/6/7/6/5/4 b 0' positions.parquet --game sunspot",
        "Count the first turns of Sunspot on a board of size 4.",
    ),
    (
        "hexrec explore '3b/5/6/7/6/5/4 w 0' positions.parquet --game sunspot --records",
        "List the records that reached a position, for --keep.",
    ),
)


def command(
    position: str = argument("POSITION", "Position in position notation."),
    file: Path = argument("FILE", "Parquet file written by hexrec positions."),
    game: str | None = options.game("Choose the game if FILE has several.", INPUT),
    variant: str | None = options.VARIANT,
    ruleset: str | None = options.RULESET,
    format: str = options.choice(
        "--format FORMAT", ("text", "json"), "Write the turns as {names}.", OUTPUT, default="text"
    ),
    records: bool = flag("--records", "Print the records with the position as CSV, for --keep.", OUTPUT),
) -> None:
    """Print the turns that followed a position, their counts, and the winners.

    Rotated and mirrored positions count as the same position.

    Exit code: 0 found, 1 no game reached the position, 2 usage error.
    """
    with extra("arrow", "to read positions, install", "pyarrow"):
        from hexrec.tools import positions_file
    with exit_on_os_error(file, "read"):
        open(file, "rb").close()  # pyarrow words the errors of the system in its own way
        try:
            names = [game] if game else sorted(positions_file.games_in(str(file)))
        except (ValueError, OSError):
            fail(f"{file}: not a file written by `hexrec positions`: name one")
    if len(names) > 1:
        refuse(f"{file} has several games: name one", "--game")
    if not names:
        fail(f"{file}: no positions", 1)
    try:
        turns, rows = positions_file.explore(games.get(names[0]), position, str(file), variant, ruleset)
    except IllegalSetup as refusal:
        fail(f"{refusal.code}: POSITION, column {refusal.column}: {refusal.message}")
    except ValueError as error:
        fail(str(error))
    if not rows:
        fail(f"no game of {file} reached this position", 1)
    if records:
        with outputs.text(None) as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(("file", "index"))
            writer.writerows(dict.fromkeys((row["file"], row["index"]) for row in rows))
    elif format == "json":
        data = {"key": rows[0]["key"], "games": len(rows), "turns": [turn._asdict() for turn in turns]}
        print(json.dumps(data))
    else:
        from hexrec.output.rows import draw

        cells = ((str(count.turn or "-"), *map(str, count[1:])) for count in turns)
        draw(positions_file.NextTurn._fields, cells, sys.stdout, numbers=5)
