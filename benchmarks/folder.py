"""Where the time of validating a folder of many small YAML files goes: `hexrec validate FOLDER` as a user runs it.

Usage: python benchmarks/folder.py [FILES]

Makes that many files (1,000 if not said) in a temporary folder, one random game each, of all games in turn on their
recommended sizes. Then runs the command in processes of its own: as it is, and with two clocks added, which measure
how much of the process's time is spent in the YAML reader (from the open file to plain data) and in playing turns.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from time import perf_counter

from hexrec import formats
from hexrec.record.random import random_record
from hexrec.rules import games

#: Runs the command line with the clocks, and prints what they show on the last line of standard error.
_CLOCKED = """
from time import perf_counter
started = perf_counter()
import sys
from hexrec import cli, formats
from hexrec.validation import verdict

spent = {"yaml": 0.0, "replay": 0.0}
format = formats.get("yaml")
read, replay = format.read, verdict.replay

def clocked_read(stream):
    documents = read(stream)
    while True:
        start = perf_counter()
        document = next(documents, None)
        spent["yaml"] += perf_counter() - start
        if document is None:
            return
        yield document

def clocked_replay(*arguments):
    start = perf_counter()
    result = replay(*arguments)
    spent["replay"] += perf_counter() - start
    return result

object.__setattr__(format, "read", clocked_read)
verdict.replay = clocked_replay
try:
    cli.run(["validate", "--no-config", "--jobs", "1", sys.argv[1]])
finally:
    print(spent["yaml"], spent["replay"], perf_counter() - started, file=sys.stderr)
"""
_ROUNDS = 7
#: An interpreter that imports what the command needs, and does nothing.
_BARE = "import hexrec.cli.validate, hexrec.formats.yaml, hexrec.validation.verdict"


def main() -> None:
    """Make the files, run the command and print where its time goes."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        plies = _make(Path(folder), count)
        print(f"{count:,} files of YAML, one random game each: {plies:,} plies")
        command = [sys.executable, "-m", "hexrec", "validate", "--no-config", "--jobs", "1", folder]
        clocked = [sys.executable, "-c", _CLOCKED, folder]
        walls, starts, shares = [], [], []
        for _ in range(_ROUNDS):
            walls.append(_run(command)[0])
            starts.append(_run([sys.executable, "-c", _BARE])[0])
            wall, errors = _run(clocked)
            yaml, replay, _ = map(float, errors.splitlines()[-1].split())
            shares.append((yaml / wall, replay / wall))
    yaml, replay = (median(share) for share in zip(*shares, strict=True))
    start = median(starts) / median(walls)
    print(f"hexrec validate --jobs 1: {median(walls):.2f} s of wall time, the start of the program included")
    print(f"YAML {yaml:.1%}, replay {replay:.1%}, start {start:.1%}, everything else {1 - yaml - replay - start:.1%}")


def _make(folder: Path, count: int) -> int:
    sizes = [(games.get(name), size) for name in games.names() for size in games.get(name).recommended[:1]]
    plies = 0
    for number, (game, size) in enumerate(islice(cycle(sizes), count)):
        record = random_record(game, size, None, f"folder/{number}", 10_000, "row")
        plies += len(record["moves"])
        text = "".join(formats.get("yaml").write([record]))
        (folder / f"{number:06}.yaml").write_text(text, encoding="utf-8")
    return plies


def _run(command: list[str]) -> tuple[float, str]:
    start = perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return perf_counter() - start, done.stderr


if __name__ == "__main__":
    main()
