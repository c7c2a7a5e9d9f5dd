"""Measure `hexrec score` on an archive: `python benchmarks/batch.py`. The page beside it says how to read it."""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from unittest.mock import patch

import chess.pgn
from material import NO_LIMIT, images, write_chess
from run import print_table
from speed import Watches, seconds

from hexrec.io.discovery import Source
from hexrec.io.outputs import atomic_write
from hexrec.output import rows
from hexrec.parallel import chunks, tasks
from hexrec.parallel.chunks import split
from hexrec.parallel.run import run
from hexrec.record.random import random_record
from hexrec.record.replay import play_clean
from hexrec.record.validation import read_json
from hexrec.rules import games
from hexrec.validation import clean


class Effort(NamedTuple):
    """How much is measured.

    Attributes:
        played: how many random games of each game are played.
        records: how many records the archive has.
        chess: a chess game is read for every so many records.
        memory: the numbers of records for which memory is measured.
        parts: for how many records it is measured where the time goes.
    """

    played: int
    records: int
    chess: int
    memory: tuple[int, ...]
    parts: int


FULL = Effort(120, 200_000, 40, (10_000, 1_000_000), 10_000)
QUICK = Effort(40, 5_000, 5, (1_000, 20_000), 1_000)
#: How long the games are with which memory is measured.
SHORT = 6


def main() -> None:
    """Measure, print the tables and write the raw numbers."""
    parser = argparse.ArgumentParser(description="Measure `hexrec score` on a generated archive.")
    parser.add_argument("--quick", action="store_true", help="a small archive: a look, not a result")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the raw numbers")
    options = parser.parse_args()
    effort = QUICK if options.quick else FULL
    with TemporaryDirectory() as name:
        folder = Path(name)
        _say("playing games")
        played = [
            random_record(rules, rules.recommended[number % len(rules.recommended)], None, f"{number}", NO_LIMIT, "row")
            for number in range(effort.played)
            for rules in map(games.get, games.names())
        ]
        archive = folder / "archive.jsonl"
        plies = write_archive(played, effort.records, archive)
        _say(f"an archive of {effort.records:,} games, {plies:,} plies, {archive.stat().st_size / 1e6:,.0f} MB")
        found = {
            "records": effort.records,
            "plies": plies,
            "speed": measure_speed(archive, plies, effort, folder),
            "parts": measure_parts(played, effort.parts, folder),
            "memory": [measure_memory(played, records, folder) for records in effort.memory],
        }
    _print(found)
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def write_archive(played: list[dict[str, Any]], count: int, file: Path, longest: int | None = None) -> int:
    """Write an archive of so many games, the images of those played, again and again; return the number of plies.

    With `longest`, games are left off after so many turns.
    """
    lines = []
    for data in played:
        for image in images(data):
            moves = image["moves"][:longest]
            kept = image if moves == image["moves"] else {name: image[name] for name in image if name != "result"}
            lines.append((json.dumps({**kept, "moves": moves})[:-1], len(moves)))
    Random("archive").shuffle(lines)
    plies = 0
    with file.open("w", encoding="utf-8") as out:
        for number, (line, turns) in enumerate(islice(cycle(lines), count)):
            out.write(f'{line}, "id": "{number}"}}\n')
            plies += turns
    return plies


def measure_speed(archive: Path, plies: int, effort: Effort, folder: Path) -> dict[str, float]:
    """Return plies per second of the whole program with one and two workers, of two programs, and of python-chess."""
    found = {}
    outputs = []
    for jobs in (1, 2):
        _say(f"scoring with {jobs} of the cores")
        output = folder / f"scores-{jobs}.csv"
        found[f"jobs {jobs}"] = plies / wall_seconds(_score, archive, output, jobs)
        outputs.append(output.read_bytes())
    if outputs[0] != outputs[1]:
        sys.exit("not measured: the number of workers changes the rows")
    _say("scoring with two programs at once")
    both = [folder / f"scores-{number}.csv" for number in (1, 2)]
    with ThreadPoolExecutor() as threads:
        found["two programs"] = (
            2 * plies / wall_seconds(lambda: [*threads.map(lambda out: _score(archive, out, 1), both)])
        )
    _say("reading chess games")
    with archive.open(encoding="utf-8") as stream:
        lengths = [len(json.loads(line)["moves"]) for line in islice(stream, 0, None, effort.chess)]
    pgn = folder / "games.pgn"
    moves = write_chess(lengths, pgn)
    found["python-chess"] = moves / wall_seconds(_read_chess, pgn)
    return found


def wall_seconds(task: Callable[..., object], *arguments: object) -> float:
    """Return the wall time of a call."""
    start = time.perf_counter()
    task(*arguments)
    return time.perf_counter() - start


def _score(archive: Path, output: Path, jobs: int) -> None:
    program = [sys.executable, "-m", "hexrec", "score", str(archive), "-o", str(output), "-j", str(jobs), "--quiet"]
    if subprocess.run(program, check=False).returncode:
        sys.exit("not measured: a game of the archive is invalid")


def _read_chess(file: Path) -> None:
    with file.open(encoding="utf-8") as stream:
        while chess.pgn.read_game(stream) is not None:
            pass


def measure_parts(played: list[dict[str, Any]], records: int, folder: Path) -> dict[str, float]:
    """Return which part of the time of scoring in one process goes where; the parts add up to 1."""
    _say("measuring where the time goes")
    archive = folder / "parts.jsonl"
    write_archive(played, records, archive)
    watches = Watches("read", "decode", "replay", "all but write")
    sink = rows.get("csv")

    def score() -> None:
        found = run(split([Source(str(archive))]), tasks.ScoreTask(encode=sink.encode))
        parts = watches.iterations("all but write", lambda: (batch.gathered[1] for batch in found))
        with atomic_write(folder / "parts.csv") as out:
            sink.join(parts(), out)

    with (
        patch.object(chunks, "read_lines", watches.calls("read", chunks.read_lines)),
        patch.object(clean, "read_json", watches.calls("decode", read_json)),
        patch.object(clean, "play_clean", watches.calls("replay", play_clean)),
    ):
        total = seconds(score)
    spent = watches.spent
    spent["write"] = total - spent["all but write"]
    spent["rest"] = spent.pop("all but write") - spent["read"] - spent["decode"] - spent["replay"]
    return {part: spent[part] / total for part in ("read", "decode", "replay", "write", "rest")}


def measure_memory(played: list[dict[str, Any]], records: int, folder: Path) -> dict[str, float]:
    """Return the peak of the memory, in MB, of the program and of the largest of its two workers."""
    _say(f"measuring memory with {records:,} records")
    archive, output = folder / "memory.jsonl", folder / "memory.csv"
    write_archive(played, records, archive, SHORT)
    program = [sys.executable, "-m", "hexrec", "score", str(archive), "-o", str(output), "-j", "2", "--quiet"]
    parent = worker = 0.0
    with subprocess.Popen(program) as running:
        while running.poll() is None:
            parent = max(parent, _peak(running.pid))
            worker = max([worker, *map(_peak, descendants(running.pid, 1))])
            time.sleep(0.05)
    return {"records": records, "parent": parent, "worker": worker}


def descendants(pid: int, depth: int) -> list[int]:
    """Return the processes that a process has started, or those that these have started."""
    found = [pid]
    for _ in range(depth):
        found = [child for each in found for child in _children(each)]
    return found


def _children(pid: int) -> list[int]:
    try:
        # Started by threads: each of them has its own list.
        tasks = Path(f"/proc/{pid}/task").iterdir()
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return []


def _peak(pid: int) -> float:
    """Return the most memory that a process has had so far, in MB; 0 if it is gone."""
    try:
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0.0
    return int(found[1]) / 1024 if found else 0.0


def _print(found: dict[str, Any]) -> None:
    speed = found["speed"]
    print_table(
        f"Plies per second over {found['records']:,} games ({found['plies']:,} plies)",
        ["run", "", "plies/s", "to one worker", "to python-chess"],
        [
            [name, "", f"{value:,.0f}", f"{value / speed['jobs 1']:.2f}", f"{value / speed['python-chess']:.2f}"]
            for name, value in speed.items()
        ],
    )
    parts = found["parts"]
    print_table("Where the time of scoring goes", [*parts], [[f"{share:.1%}" for share in parts.values()]])
    print_table(
        "Peak memory in MB, with two workers",
        ["records", "", "parent", "worker"],
        [[f"{each['records']:,}", "", f"{each['parent']:.0f}", f"{each['worker']:.0f}"] for each in found["memory"]],
    )


def _say(message: str) -> None:
    print(message, file=sys.stderr)


if __name__ == "__main__":
    main()
