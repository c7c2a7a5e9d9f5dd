"""What the program takes to start, next to the bare interpreter that it runs in."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

from material import NO_LIMIT

from hexrec import formats
from hexrec.record.random import random_record
from hexrec.rules import games

BARE = "python -c pass"
_PROGRAM = [sys.executable, "-c", "from hexrec.__main__ import main; main()"]


class Start(NamedTuple):
    """What whole processes of one command take, in seconds.

    Attributes:
        cpu: the least processor time, of the program and of the system for it.
        wall: the median of the time from begin to end.
    """

    cpu: float
    wall: float


def measure_startup(rounds: int, folder: Path) -> dict[str, Start]:
    """Return what each command takes, by what a user would type.

    The program is started by the same interpreter and in the same way as by its installed script.
    """
    game = games.get(games.names()[0])
    record = random_record(game, game.recommended[0], None, "benchmark/startup", NO_LIMIT, "row")
    text = "".join(formats.get("json").write([record]))
    project = folder / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text('[project]\nname = "games"\n\n[tool.hexrec]\nignore = ["lint"]\n')
    for place in (folder, project):
        (place / "one.json").write_text(text, encoding="utf-8")
    commands = {
        BARE: ([sys.executable, "-c", "pass"], folder),
        "hexrec --version": ([*_PROGRAM, "--version"], folder),
        "hexrec validate one.json": ([*_PROGRAM, "validate", "one.json"], folder),
        "the same, with pyproject.toml": ([*_PROGRAM, "validate", "one.json"], project),
        "hexrec --help": ([*_PROGRAM, "--help"], folder),
    }
    for command in commands.values():  # once unmeasured, so that compiled modules and the files are at hand
        _started(*command)
    starts = [[_started(*command) for command in commands.values()] for _ in range(rounds)]
    return {
        name: Start(min(start.cpu for start in those), median(start.wall for start in those))
        for name, those in zip(commands, zip(*starts, strict=True), strict=True)
    }


def _started(command: list[str], folder: Path) -> Start:
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)
    wall, after = perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Start(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall)
