"""How time and memory grow with the size of inputs made to hurt: `hexrec` as a program, on 100, 200 and 400 kB.

Usage: python benchmarks/growth.py [--only TEXT] [--command NAME] [--all]

Every input of `worst_cases.py` goes through every command that takes it. Each run is a process of its own, forked from
one that has imported what the commands need, so that only the work on the input is measured: CPU time of the process
and its peak of resident memory, as the system counts them. The exit code is 1 if a doubling takes more than 2.5 times
as long (of runs that take a tenth of a second at all) or more memory than 200 MB.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from worst_cases import WORST_CASES, format

SIZES = (100_000, 200_000, 400_000)
MOST_GROWTH = 2.5
MOST_MEMORY = 200
#: Shorter runs are measured too coarsely to say how they grow.
_SHORTEST = 0.1
#: A run that takes longer, in seconds, is ended.
_LONGEST = 60
_ROUNDS = 3
COMMANDS = {
    "validate": ["validate", "--no-config", "--jobs", "1", "--lint"],
    "score": ["score", "--jobs", "1"],
    "fmt --diff": ["fmt", "--diff"],
    "fix --diff": ["fix", "--diff"],
    "dedupe": ["dedupe", "--to", "jsonl"],
    "stats": ["stats"],
    "show": ["show"],
    **{f"convert --to {name}": ["convert", "--no-validate", "--to", name] for name in ("jsonl", "yaml", "sgf", "hgn")},
    "convert --to abstractplay": ["convert", "--no-validate", "--to", "abstractplay"],
}


class Run(NamedTuple):
    """What one run took: seconds of CPU time, megabytes of memory; and its exit code, None if it was ended."""

    seconds: float
    memory: int
    code: int | None


def measure(command: list[str], file: Path) -> Run:
    """Run a command on a file in a process of its own."""
    child = os.fork()
    if child == 0:
        _run([*command, str(file)])
    _, status, used = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    return Run(used.ru_utime + used.ru_stime, used.ru_maxrss // 1024, code if code >= 0 else None)


def _run(arguments: list[str]) -> None:
    code = 70
    try:
        from hexrec.cli import run

        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        resource.setrlimit(resource.RLIMIT_CPU, (_LONGEST, _LONGEST))
        run(arguments)
        code = 0
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 0
    finally:
        os._exit(code)


def runs(name: str, commands: list[str], folder: Path) -> Iterator[tuple[str, list[Run]]]:
    """Yield commands with what they took for each size of an input; the best of several rounds if they are slow."""
    written = format(name)
    suffix = "json" if written == "abstractplay" else written
    files = []
    for size in SIZES:
        files.append(folder / f"{size}.{suffix}")
        files[-1].write_text(WORST_CASES[name](size), encoding="utf-8")
    for command in commands:
        given = [COMMANDS[command][0], "--from", written, *COMMANDS[command][1:]]
        found = [measure(given, file) for file in files]
        for _ in range(_ROUNDS - 1):
            if not _grows_too_fast(found):
                break
            again = [measure(given, file) for file in files]
            found = [min(pair) for pair in zip(found, again, strict=True)]
        yield command, found


def growth(found: list[Run]) -> float:
    """Return the largest ratio of what one size took to what half of it took, of runs that are long enough."""
    pairs = pairwise(found)
    return max((more.seconds / less.seconds for less, more in pairs if more.seconds > _SHORTEST), default=1.0)


def _grows_too_fast(found: list[Run]) -> bool:
    return growth(found) > MOST_GROWTH


def _is_bad(found: list[Run]) -> bool:
    codes = {run.code for run in found}
    return _grows_too_fast(found) or max(run.memory for run in found) > MOST_MEMORY or not codes <= {0, 1, 2}


def _line(name: str, command: str, found: list[Run]) -> str:
    seconds = "  ".join(f"{run.seconds:6.2f}" for run in found)
    return f"{name:38} {command:24} {seconds}  {growth(found):5.2f}  {max(run.memory for run in found):6}"


def main() -> None:
    """Measure, and print a table: of every input the command that took longest, and whatever is out of bounds."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", default="", metavar="TEXT", help="inputs whose name holds this")
    parser.add_argument("--command", action="append", choices=COMMANDS, help="only this command; may be repeated")
    parser.add_argument("--all", action="store_true", help="print every command")
    options = parser.parse_args()
    _import_everything()
    bad = 0
    heads = "  ".join(f"{size // 1000:>3} kB" for size in SIZES)
    print(f"{'input':38} {'command':24} {heads}  growth  MB at most")
    with tempfile.TemporaryDirectory() as folder:
        for name in WORST_CASES:
            if options.only not in name:
                continue
            found = dict(runs(name, options.command or list(COMMANDS), Path(folder)))
            slowest = max(found, key=lambda command: found[command][-1].seconds)
            for command in found:
                wrong = _is_bad(found[command])
                bad += wrong
                if options.all or wrong or command == slowest:
                    print(_line(name, command, found[command]) + ("  !" if wrong else ""), flush=True)
    sys.exit(1 if bad else 0)


def _import_everything() -> None:
    from hexrec import formats
    from hexrec.record.game_shapes import record_shape
    from hexrec.rules import games

    for name in formats.names():
        formats.get(name)
    for name in games.names():
        assert record_shape(games.get(name)).validator


if __name__ == "__main__":
    main()
