"""How fast sets of games are validated, scored and replayed next to python-chess and pgn-extract, and why."""

from __future__ import annotations

import gc
import json
import shutil
import subprocess
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO
from itertools import count
from time import perf_counter
from typing import Any
from unittest.mock import patch

import chess.pgn
from material import Material

from hexrec.output import rows
from hexrec.parallel import tasks
from hexrec.parallel.chunks import Slice, split
from hexrec.parallel.run import run
from hexrec.record.replay import replay_whole
from hexrec.rules import kernels
from hexrec.validation import verdict

#: The program, of which Debian has a package that puts it beside the games.
EXTRACT = shutil.which("pgn-extract") or shutil.which("pgn-extract", path="/usr/games")


@dataclass(frozen=True)
class Speed:
    """Seconds that the best repetition took.

    Attributes:
        validate: reading and validating the file of records, as the command does in one process.
        score: the same, and writing the rows of scores as CSV.
        json: the lines of the file through `json.loads`.
        pure: validating by the engines alone, as an installation without compiled kernels does.
        kernel: playing the turns of the records, read before, by the kernel; by the engine without one.
        engine: the same by the engine.
        chess: reading the file of chess games with python-chess.
        extract: the same with pgn-extract, a program in C, its start included; 0 if it is not installed.
    """

    validate: float
    score: float
    json: float
    pure: float
    kernel: float
    engine: float
    chess: float
    extract: float


def measure_speed(material: Material, budget: float) -> Speed:
    """Return the best of the rounds that `budget` seconds allow.

    The tasks take turns, so that a slow moment of the machine hits all.
    """
    measured = (_validate, _score, _load, _validate_pure, _play_whole, _replay, _read_chess, _extract)
    times = [[seconds(task, material) for task in measured] for _ in _rounds(budget)]
    return Speed(*map(min, zip(*times, strict=True)))


def seconds(task: Callable[..., object], *arguments: object) -> float:
    """Return how long a call takes, with garbage collection on, but only of what the call itself makes.

    The command holds none of the games that the benchmark keeps for its other tasks.
    """
    gc.collect()
    gc.freeze()
    start = perf_counter()
    task(*arguments)
    spent = perf_counter() - start
    gc.unfreeze()
    return spent


def _rounds(budget: float) -> Iterator[int]:
    """Count rounds, at least three, until `budget` seconds have passed."""
    end = perf_counter() + budget
    for number in count():
        if number >= 3 and perf_counter() > end:
            return
        yield number


def _validate(material: Material) -> None:
    for batch in run(split([material.source]), tasks.ValidateTask()):
        deque(batch.gathered, maxlen=0)


def _score(material: Material) -> None:
    batches = run(split([material.source]), tasks.ScoreTask())
    rows.get("csv").write((row for batch in batches for row in batch.gathered), StringIO())


def _load(material: Material) -> None:
    with open(material.source.name, "rb") as stream:
        for line in stream:
            json.loads(line)


def _validate_pure(material: Material) -> None:
    with patch.object(kernels, "get", _no_kernel):
        _validate(material)


def _no_kernel(*_: object) -> None:
    return None


def _play_whole(material: Material) -> None:
    for record in material.records:
        played = kernels.play(
            record.rules,
            record.size,
            record.opening,
            record.turns,
            ruleset=record.ruleset,
            variant=record.variant,
            coordinates=record.coordinates,
        )
        if not played:
            record.start().play_all(record.turns)


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
        start = perf_counter()
        yield
        self.spent[part] += perf_counter() - start

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
        patch.object(Slice, "documents", watches.iterations("read", Slice.documents)),
        patch.object(verdict, "replay_whole", watches.calls("replay", replay_whole)),
    ):
        return seconds(_validate, material), watches.spent
