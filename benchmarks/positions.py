"""Measure `hexrec positions` and `hexrec explore`: `python benchmarks/positions.py`. Prints the table of the docs.

The archives have random games of all games on boards of the recommended size, in equal parts of positions.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from pyarrow import parquet

from hexrec.rules import games

_HEXREC = (sys.executable, "-P", "-m", "hexrec")
#: The number of games that give the mean length of a game.
_SAMPLE = 50


class Cost(NamedTuple):
    """The processor time of a command and its workers, in seconds, and the peak memory of one process, in bytes."""

    seconds: float
    memory: int


def main() -> None:
    """Measure, and print a row for each archive."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("counts", metavar="POSITIONS", type=int, nargs="*", default=[100_000, 1_000_000])
    print("| positions | records | processor time | peak memory | file | bytes per position | lookup |")
    print("|---|---|---|---|---|---|---|")
    for count in parser.parse_args().counts:
        with TemporaryDirectory() as directory:
            measure(Path(directory), count)


def measure(directory: Path, count: int) -> None:
    """Print the row of an archive with about `count` positions."""
    archive, file = directory / "games", directory / "positions.parquet"
    archive.mkdir()
    records = sum(make_games(name, count // len(games.BUILT_IN), archive) for name in games.BUILT_IN)
    written = run("positions", str(archive), "-o", str(file), "--quiet")
    start = games.get("sunspot").start(games.get("sunspot").recommended[0]).text()
    lookup = run("explore", start, str(file), "--game", "sunspot")
    rows, size = parquet.ParquetFile(file).metadata.num_rows, file.stat().st_size
    print(
        f"| {rows:,} | {records:,} | {written.seconds:.0f} s | {written.memory / 1e9:.1f} GB | {size / 1e6:.1f} MB "
        f"| {size / rows:.1f} | {lookup.seconds:.1f} s |"
    )


def make_games(name: str, positions: int, archive: Path) -> int:
    """Write random games with about as many positions, and return the number of games."""
    sample = archive / f"{name}.jsonl"
    run("random", name, "--count", str(_SAMPLE), "-o", str(sample))
    lengths = [len(json.loads(line)["moves"]) + 1 for line in sample.read_text(encoding="utf-8").splitlines()]
    count = max(1, round(positions * _SAMPLE / sum(lengths)))
    run("random", name, "--count", str(count), "--seed", "1", "-o", str(sample))
    return count


def run(*arguments: str) -> Cost:
    """Run a command of hexrec without its output, and return its cost."""
    process = subprocess.Popen([*_HEXREC, *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"hexrec {' '.join(arguments)} failed")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


if __name__ == "__main__":
    main()
