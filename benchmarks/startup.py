"""How long the program takes to start, next to the bare interpreter that it runs in."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path
from statistics import median

from material import NO_LIMIT
from speed import seconds

from hexrec import games, notations
from hexrec.record.random_games import random_record

BARE = "python -c pass"


def measure_startup(rounds: int, folder: Path) -> dict[str, float]:
    """Return the median wall time in seconds of each command, by what a user would type.

    The program is started by the same interpreter and in the same way as by its installed script.
    """
    game = games.get(games.names()[0])
    one = folder / "one.json"
    record = random_record(game, game.recommended[0], None, "benchmark/startup", NO_LIMIT, "row")
    one.write_text("".join(notations.get("json").write([record])), encoding="utf-8")
    program = "from hexrec.__main__ import main; main()"
    commands = {
        BARE: [sys.executable, "-c", "pass"],
        "hexrec --version": [sys.executable, "-c", program, "--version"],
        "hexrec validate one.json": [sys.executable, "-c", program, "validate", str(one)],
    }
    run = partial(subprocess.run, check=True, stdout=subprocess.DEVNULL)
    for command in commands.values():  # once unmeasured, so that compiled modules and the files are at hand
        run(command)
    times = [[seconds(run, command) for command in commands.values()] for _ in range(rounds)]
    return dict(zip(commands, map(median, zip(*times, strict=True)), strict=True))
