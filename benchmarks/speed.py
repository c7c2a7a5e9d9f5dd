"""How fast sets of games are validated, scored and replayed next to python-chess and pgn-extract, and why.

`validate` and `score` are the commands, as processes without their start; see `processes.py`.
"""

from __future__ import annotations

import gc
import json
import resource
import shutil
import subprocess
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple
from unittest.mock import patch

import chess.pgn
from material import Material
from processes import Measured

from hexrec.io.discovery import Source
from hexrec.parallel import tasks
from hexrec.parallel.chunks import split
from hexrec.parallel.run import run as run_chunks
from hexrec.record.replay import play_clean
from hexrec.record.validation import read_json
from hexrec.validation import clean

#: The program, of which Debian has a package that puts it beside the games.
EXTRACT = shutil.which("pgn-extract") or shutil.which("pgn-extract", path="/usr/games")


class Effort(NamedTuple):
    """How much is measured.

    Attributes:
        games: the number of random games in a set.
        records: the number of records in the file that commands read: a set as often as it takes.
        rounds: how often everything is measured.
    """

    games: int
    records: int
    rounds: int


#: How many times fewer records are read to measure the start, and with interpreted rules.
_FEWER = 10
#: How many times pgn-extract gets its games, of which it reads a set in a few milliseconds.
_EXTRACTS = 20


@dataclass(frozen=True)
class Speed:
    """Seconds of CPU time that the best round took for the records of a set.

    Attributes:
        validate: `hexrec validate` on a file of records, in one process, without the start.
        score: the same for `hexrec score` with rows as CSV.
        json: the lines of the same file through `json.loads`.
        interpreted: `hexrec validate` with interpreted rules.
        rules: playing the turns of as many records, which were read before.
        chess: reading the file of chess games with python-chess.
        extract: the same with pgn-extract, a program in C; 0 if it is not installed.
    """

    validate: float
    score: float
    json: float
    interpreted: float
    rules: float
    chess: float
    extract: float


def measure_speed(material: Material, effort: Effort) -> tuple[Speed, list[Measured]]:
    """Return the best of the rounds, and the runs of commands.

    The tasks take turns, so that a slow moment of the machine hits all. All read as many records: the first records
    after another task take several times as long as those that follow.
    """
    count = len(material.records)
    times = ceil(effort.records / count)
    files = [_repeated(material, repeats) for repeats in (times, ceil(times / _FEWER), ceil(times / _FEWER**2))]
    many, fewer, few = files
    rows = str(Path(material.source.name).with_suffix(".scores.csv"))
    validate = _command(fewer, many, material, "validate")
    score = _command(fewer, many, material, "score", "-o", rows)
    interpreted = _command(few, fewer, material, "validate")
    tasks = []
    for _ in range(effort.rounds):
        validate.measure()
        score.measure()
        interpreted.measure(HEXREC_PURE="1")
        tasks.append(
            (
                seconds(_load, many[0]) / times,
                seconds(_replay, material, times) / times,
                seconds(_read_chess, material),
                seconds(_extract, material) / _EXTRACTS,
            )
        )
    loading, replaying, reading, extracting = map(min, zip(*tasks, strict=True))
    commands = [validate, score, interpreted]
    spent = [command.seconds * count for command in commands]
    return Speed(spent[0], spent[1], loading, spent[2], replaying, reading, extracting), commands


def _repeated(material: Material, times: int) -> tuple[Path, int]:
    """Write the records of a set many times to a file; return it and the number of times."""
    source = Path(material.source.name)
    file = source.with_suffix(f".{times}.jsonl")
    file.write_bytes(source.read_bytes() * times)
    return file, times


def _command(few: tuple[Path, int], many: tuple[Path, int], material: Material, *words: str) -> Measured:
    options = *words, "-q", "-j1", "--no-config"
    records = (many[1] - few[1]) * len(material.records)
    return Measured((*options, few[0]), (*options, many[0]), records)


def seconds(task: Callable[..., object], *arguments: object) -> float:
    """Return the CPU time of a call and its child processes, with garbage collection of its own objects only.

    The command has none of the games that the benchmark keeps for its other tasks.
    """
    gc.collect()
    gc.freeze()
    start = _cpu_time()
    task(*arguments)
    spent = _cpu_time() - start
    gc.unfreeze()
    return spent


def _cpu_time() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def _validate(source: Source) -> None:
    for batch in run_chunks(split([source]), tasks.ValidateTask(counts=True)):
        deque(batch.gathered, maxlen=0)


def _load(file: Path) -> None:
    with file.open("rb") as stream:
        for line in stream:
            json.loads(line)


def _replay(material: Material, times: int) -> None:
    for _ in range(times):
        for record in material.records:
            record.start().play_all(record.turns)


def _read_chess(material: Material) -> None:
    with material.pgn.open(encoding="utf-8") as stream:
        while chess.pgn.read_game(stream) is not None:
            pass


def _extract(material: Material) -> None:
    if EXTRACT is not None:
        subprocess.run([EXTRACT, "-s", "-r", *[str(material.pgn)] * _EXTRACTS], check=True)


def measure_shares(material: Material, effort: Effort) -> dict[str, float]:
    """Return which part of the time of validating goes where, in the fastest round.

    The parts are ``read`` (file, JSON and fields), ``replay`` and ``rest``; they add up to 1.
    """
    file, _ = _repeated(material, ceil(effort.records / len(material.records) / _FEWER))
    source = Source(str(file), "jsonl")
    total, parts = min((_timed_validation(source) for _ in range(effort.rounds)), key=lambda timed: timed[0])
    shares = {part: spent / total for part, spent in parts.items()}
    return {**shares, "rest": 1 - sum(shares.values())}


class Watches:
    """Stop-watches for the steps of a path; each costs a few microseconds a call.

    Attributes:
        spent: the seconds of each step.
    """

    def __init__(self, *parts: str) -> None:
        self.spent = dict.fromkeys(parts, 0.0)

    @contextmanager
    def watch(self, part: str) -> Iterator[None]:
        start = process_time()
        yield
        self.spent[part] += process_time() - start

    def calls(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that is watched."""

        def call(*args: Any, **options: Any) -> Any:
            with self.watch(part):
                return function(*args, **options)

        return call


def _timed_validation(source: Source) -> tuple[float, dict[str, float]]:
    """Validate with a stop-watch at each step of the path."""
    watches = Watches("read", "replay")
    with (
        patch.object(clean, "read_json", watches.calls("read", read_json)),
        patch.object(clean, "play_clean", watches.calls("replay", play_clean)),
    ):
        return seconds(_validate, source), watches.spent
