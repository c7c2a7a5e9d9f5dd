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
from itertools import count
from math import ceil
from pathlib import Path
from time import perf_counter, process_time
from typing import Any
from unittest.mock import patch

import chess.pgn
from material import Material
from processes import run

from hexrec.io.discovery import Source
from hexrec.parallel import tasks
from hexrec.parallel.chunks import split
from hexrec.parallel.run import run as run_chunks
from hexrec.record.replay import play_clean
from hexrec.record.validation import read_json
from hexrec.validation import clean

#: The program, of which Debian has a package that puts it beside the games.
EXTRACT = shutil.which("pgn-extract") or shutil.which("pgn-extract", path="/usr/games")
#: How many records the commands read at least, and in a quick run.
RECORDS, FEWER = 4_000, 800
#: How many times tasks of a few milliseconds run in a round.
REPETITIONS = 5


@dataclass(frozen=True)
class Speed:
    """Seconds of CPU time that the best repetition took.

    Attributes:
        validate: `hexrec validate` on the file of records, in one process, without the start.
        score: the same for `hexrec score` with rows as CSV.
        json: the lines of the file through `json.loads`.
        interpreted: `hexrec validate` with interpreted rules.
        rules: playing the turns of the records, which were read before.
        chess: reading the file of chess games with python-chess.
        extract: the same with pgn-extract, a program in C, its start included; 0 if it is not installed.
    """

    validate: float
    score: float
    json: float
    interpreted: float
    rules: float
    chess: float
    extract: float


def measure_speed(material: Material, budget: float) -> Speed:
    """Return the best of the rounds that `budget` seconds allow.

    The tasks take turns, so that a slow moment of the machine hits all.
    """
    commands = [
        Command(material, RECORDS if budget >= 1 else FEWER, *words)
        for words in (
            ("validate",),
            ("score", "-o", str(Path(material.source.name).with_suffix(".scores.csv"))),
            ("validate",),
        )
    ]
    times = []
    for _ in _rounds(budget):
        commands[0].measure()
        commands[1].measure()
        commands[2].measure(HEXREC_PURE="1")
        rest = least_seconds(_load, material), least_seconds(_replay, material)
        times.append((*rest, seconds(_read_chess, material), seconds(_extract, material)))
    loading, replaying, reading, extracting = map(min, zip(*times, strict=True))
    validating, scoring, interpreted = (command.seconds for command in commands)
    return Speed(validating, scoring, loading, interpreted, replaying, reading, extracting)


class Command:
    """A command as a process of its own, on a file that has the records of a set many times."""

    def __init__(self, material: Material, records: int, *words: str) -> None:
        self._count = len(material.records)
        source = Path(material.source.name)
        self._many, self._one = (source.with_suffix(f".{name}.jsonl") for name in ("many", "one"))
        lines = source.read_text(encoding="utf-8").splitlines(keepends=True)
        self._times = ceil(records / self._count)
        self._many.write_text("".join(lines) * self._times, encoding="utf-8")
        self._one.write_text(lines[0], encoding="utf-8")
        self._words = words
        self._whole = self._start = float("inf")

    def measure(self, **environment: str) -> None:
        """Run the command on the file and on one record."""
        options = "-q", "-j1", "--no-config"
        self._whole = min(self._whole, run(*self._words, *options, self._many, **environment).total)
        self._start = min(self._start, run(*self._words, *options, self._one, **environment).total)

    @property
    def seconds(self) -> float:
        """The least time for the records of the set, without the start."""
        records = self._count * self._times
        return (self._whole - self._start) / (records - 1) * self._count


def least_seconds(task: Callable[..., object], *arguments: object) -> float:
    """Return the least CPU time of some calls: a short task needs several to meet a quiet moment."""
    return min(seconds(task, *arguments) for _ in range(REPETITIONS))


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


def _rounds(budget: float) -> Iterator[int]:
    """Count rounds, at least three, until `budget` seconds have passed."""
    end = perf_counter() + budget
    for number in count():
        if number >= 3 and perf_counter() > end:
            return
        yield number


def _validate(source: Source) -> None:
    for batch in run_chunks(split([source]), tasks.ValidateTask(counts=True)):
        deque(batch.gathered, maxlen=0)


def _load(material: Material) -> None:
    with open(material.source.name, "rb") as stream:
        for line in stream:
            json.loads(line)


def _replay(material: Material) -> None:
    for record in material.records:
        record.start().play_all(record.turns)


def _read_chess(material: Material) -> None:
    with material.pgn.open(encoding="utf-8") as stream:
        while chess.pgn.read_game(stream) is not None:
            pass


def _extract(material: Material) -> None:
    if EXTRACT is not None:
        subprocess.run([EXTRACT, "-s", "-r", str(material.pgn)], check=True)


def measure_shares(material: Material, budget: float) -> dict[str, float]:
    """Return which part of the time of validating goes where, in the fastest of the rounds that `budget` seconds allow.

    The parts are ``read`` (file, JSON and fields), ``replay`` and ``rest``; they add up to 1.
    """
    total, parts = min((_timed_validation(material) for _ in _rounds(budget)), key=lambda timed: timed[0])
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

    def iterations(self, part: str, function: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
        """Return a function that returns an iterator, whose steps are watched."""

        def iterate(*args: Any, **options: Any) -> Iterator[Any]:
            found = function(*args, **options)
            while True:
                with self.watch(part):
                    each = next(found, None)
                if each is None:
                    return
                yield each

        return iterate


def _timed_validation(material: Material) -> tuple[float, dict[str, float]]:
    """Validate with a stop-watch at each step of the path."""
    watches = Watches("read", "replay")
    with (
        patch.object(clean, "read_json", watches.calls("read", read_json)),
        patch.object(clean, "play_clean", watches.calls("replay", play_clean)),
    ):
        return seconds(_validate, material.source), watches.spent
