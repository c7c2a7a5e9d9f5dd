"""How fast sets of games are validated, scored and replayed next to python-chess and pgn-extract, and why."""

from __future__ import annotations

import gc
import json
import os
import resource
import shutil
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from itertools import count
from time import perf_counter, process_time
from typing import Any
from unittest.mock import patch

import chess.pgn
from material import Material

from hexrec.io.discovery import Source
from hexrec.output import rows
from hexrec.parallel import tasks
from hexrec.parallel.chunks import split
from hexrec.parallel.run import run
from hexrec.record.replay import play_clean
from hexrec.record.validation import read_json
from hexrec.validation import clean

#: The program, of which Debian has a package that puts it beside the games.
EXTRACT = shutil.which("pgn-extract") or shutil.which("pgn-extract", path="/usr/games")
#: How many times tasks of a few milliseconds run in a round.
REPETITIONS = 5


@dataclass(frozen=True)
class Speed:
    """Seconds of CPU time that the best repetition took.

    Attributes:
        validate: reading and validating the file of records, as the command does in one process.
        score: the same, and writing the rows of scores as CSV.
        json: the lines of the file through `json.loads`.
        interpreted: validating with interpreted rules, in another process.
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
    with interpreted_rules(material.source) as seconds_interpreted:
        times = [
            (
                least_seconds(_validate, material.source),
                least_seconds(_score, material),
                least_seconds(_load, material),
                seconds_interpreted(),
                least_seconds(_replay, material),
                seconds(_read_chess, material),
                seconds(_extract, material),
            )
            for _ in _rounds(budget)
        ]
    return Speed(*map(min, zip(*times, strict=True)))


@contextmanager
def interpreted_rules(source: Source) -> Iterator[Callable[[], float]]:
    """Start a process with interpreted rules; yield a function that validates the file there, and returns the time."""
    program = subprocess.Popen(
        [sys.executable, __file__, source.name],
        env=os.environ | {"HEXREC_PURE": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    assert program.stdin is not None
    assert program.stdout is not None
    requests, answers = program.stdin, program.stdout

    def measure() -> float:
        requests.write("\n")
        return float(answers.readline())

    with program:
        yield measure
        requests.close()


def answer_requests(name: str) -> None:
    """Validate a file of records once for each line of stdin, and print the seconds of CPU time."""
    for _ in sys.stdin:
        print(least_seconds(_validate, Source(name, "jsonl")), flush=True)


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
    for batch in run(split([source]), tasks.ValidateTask(counts=True)):
        deque(batch.gathered, maxlen=0)


def _score(material: Material) -> None:
    writer = rows.get("csv")
    batches = run(split([material.source]), tasks.ScoreTask(encode=writer.encode))
    writer.join((batch.gathered[1] for batch in batches), StringIO())


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


if __name__ == "__main__":
    answer_requests(sys.argv[1])
