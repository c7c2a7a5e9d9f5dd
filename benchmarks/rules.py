"""How fast positions play, list legal turns, undo and replay, compiled and interpreted, next to python-chess.

Usage: python benchmarks/rules.py [--seconds N] [--game NAME]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import NamedTuple

import chess
from run import print_table

from hexrec.record.record import Record
from hexrec.record.validation import read_record
from hexrec.rules import games
from hexrec.rules.position import Position
from hexrec.util.version import __version__

REFERENCE = Path(__file__).parent.parent / "fixtures/suite"
#: Random games of each kind of game that are played again and again.
GAMES = 3
#: The most reference games whose replay is measured.
RECORDS = 60
#: How many times a task runs in a round: the first time, the caches of the processor are those of another task.
REPETITIONS = 3
#: A random game of chess ends after so many moves.
CHESS_PLIES = 120


TITLE = "Microseconds of CPU time a ply, and ratio to a random ply of python-chess; random games a second"
HEADING = ["game", "rules", "size", "list", "ratio", "undo", "ratio", "replay", "ratio", "playouts"]


class Task(NamedTuple):
    """A task that is measured.

    Attributes:
        run: does the task once.
        number: the number of plies, or games, of a run.
    """

    run: Callable[[], object]
    number: int


def main() -> None:
    """Measure in this process and, with HEXREC_PURE=1, in another one; print the table."""
    options = _options()
    if options.raw:
        tasks = {"chess": chess_tasks()} | {name: tasks_of(name) for name in options.game or games.BUILT_IN}
        print(json.dumps(measure(tasks, options.seconds)))
        return
    rows: list[list[str]] = []
    for way, pure in (("compiled", "0"), ("interpreted", "1")):
        command = [sys.executable, *sys.argv, "--raw"]
        ran = subprocess.run(command, env=os.environ | {"HEXREC_PURE": pure}, stdout=subprocess.PIPE, check=True)
        rows += format_rows(way, json.loads(ran.stdout))
    print(f"CPython {platform.python_version()}, hexrec {__version__}, python-chess {chess.__version__}", end="\n\n")
    print_table(TITLE, HEADING, rows)


def format_rows(way: str, measured: dict[str, dict[str, float]]) -> Iterator[list[str]]:
    """Yield the rows of the table for compiled or interpreted rules; the ratios are times a random ply of chess."""
    ply = measured["chess"]["list"]
    for name, costs in measured.items():
        row = [name, way, str(games.get(name).usual_size()) if name != "chess" else "-"]
        for task in ("list", "undo", "replay"):
            row += [f"{costs[task]:.2f}", f"{costs[task] / ply:.3f}"] if task in costs else ["-", "-"]
        row.append(f"{1e6 / costs['playout']:.0f}" if "playout" in costs else "-")
        yield row


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure the rules of each game next to python-chess.")
    parser.add_argument("--game", action="append", choices=games.names(), help="only this game (may be repeated)")
    parser.add_argument("--seconds", type=float, default=1.5, metavar="N", help="the time for each task (default: 1.5)")
    parser.add_argument("--raw", action="store_true", help="measure in this process only, and print JSON")
    return parser.parse_args()


def measure(tasks: dict[str, dict[str, Task]], seconds: float) -> dict[str, dict[str, float]]:
    """Return the microseconds of CPU time for each task of each game: of a ply, or a game.

    The tasks take turns, and the best round of each counts, so that a slow moment of the machine hits all.
    """
    best: dict[str, dict[str, float]] = {name: dict.fromkeys(each, float("inf")) for name, each in tasks.items()}
    rounds = 0
    end = perf_counter() + seconds * sum(map(len, tasks.values()))
    while rounds < 3 or perf_counter() < end:
        rounds += 1
        for name, each in tasks.items():
            for task, (run, number) in each.items():
                for _ in range(REPETITIONS):
                    start = process_time()
                    run()
                    best[name][task] = min(best[name][task], (process_time() - start) / number * 1e6)
    return best


def tasks_of(name: str) -> dict[str, Task]:
    """Return the tasks for a game on its recommended size; records are the reference games of all sizes."""
    game, rng = games.get(name), Random(name)
    size = game.usual_size()
    starts = [game.start(size, game.random_opening(rng, size)) for _ in range(GAMES)]
    played = [start.copy() for start in starts]
    for position in played:
        position.playout(rng)
    walks = [(start, position.turns) for start, position in zip(starts, played, strict=True)]
    plies = sum(len(turns) for _, turns in walks)
    records = list(read_reference(name))
    return {
        "list": Task(lambda: walk(walks, lists=True), plies),
        "undo": Task(lambda: walk(walks, lists=False), plies),
        "playout": Task(lambda: [start.copy().playout(Random(1)) for start in starts], GAMES),
        "replay": Task(lambda: play(records), sum(len(record.turns) for record in records)),
    }


def chess_tasks() -> dict[str, Task]:
    """Return the tasks for chess; a ply of ``list`` is a random ply: the legal moves, and one of them."""
    boards = []
    for seed in range(GAMES):
        board, rng = chess.Board(), Random(seed)
        while board.ply() < CHESS_PLIES and not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        boards.append(board.move_stack)
    plies = sum(map(len, boards))
    return {
        "list": Task(lambda: walk_chess(boards, lists=True), plies),
        "undo": Task(lambda: walk_chess(boards, lists=False), plies),
    }


def read_reference(name: str) -> Iterator[Record]:
    """Yield the first reference games of a game."""
    with (REFERENCE / name / "reference/games.jsonl").open(encoding="utf-8") as file:
        for _, line in zip(range(RECORDS), file, strict=False):
            yield read_record(json.loads(line))


def walk(walks: list[tuple[Position, list[str]]], *, lists: bool) -> None:
    """Play games turn by turn, with a list of the legal turns before each if wanted, and undo all turns."""
    for start, turns in walks:
        for turn in turns:
            if lists:
                start.legal_turns()
            start.play(turn)
        for _ in turns:
            start.undo()


def play(records: list[Record]) -> None:
    """Play the turns of records, which are legal."""
    for record in records:
        record.start().play_all(record.turns)


def walk_chess(boards: list[list[chess.Move]], *, lists: bool) -> None:
    """Play games of chess in the same way."""
    for moves in boards:
        board = chess.Board()
        for move in moves:
            if lists:
                list(board.legal_moves)
            board.push(move)
        for _ in moves:
            board.pop()


if __name__ == "__main__":
    main()
