"""Run hexrec as a program of its own, and measure the processor time and the memory of the process and its workers.

A command runs on two files of different sizes: the difference is the time of their records, without the start of the
program and everything that it imports once.
"""

from __future__ import annotations

import atexit
import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import NamedTuple

#: The bytecode of all modules is written once, and read by every measured process.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


class Usage(NamedTuple):
    """Processor time in seconds, that of the system included, and the peak of resident memory in MB.

    Attributes:
        own, workers: the time of the process, and of the processes that it started.
        memory, worker_memory: the memory of the process, and of the largest one that it started.
    """

    own: float
    workers: float
    memory: float
    worker_memory: float

    @property
    def total(self) -> float:
        """The time of all processes."""
        return self.own + self.workers


class Measured:
    """A command on a file of few records and on one of many, again and again."""

    def __init__(self, few: Iterable[str | Path], many: Iterable[str | Path], records: int) -> None:
        """`few` and `many` are the arguments of the command; `records` is how many more the second file has."""
        self._commands = [*few], [*many]
        self._records = records
        self._runs: tuple[list[Usage], list[Usage]] = [], []

    def measure(self, **environment: str) -> None:
        """Run the command on both files."""
        for arguments, usages in zip(self._commands, self._runs, strict=True):
            usages.append(run(*arguments, **environment))

    @property
    def record(self) -> Usage:
        """The least time of a record, and the memory for the file of many records."""
        few, many = (Usage(*map(min, zip(*usages, strict=True))) for usages in self._runs)
        own, workers = ((more - less) / self._records for more, less in zip(many[:2], few[:2], strict=True))
        return many._replace(own=own, workers=workers)

    @property
    def seconds(self) -> float:
        """The least time of a record in all processes."""
        few, many = (min(usage.total for usage in usages) for usages in self._runs)
        return (many - few) / self._records

    @property
    def totals(self) -> list[float]:
        """The time of all processes in each run on many records."""
        return [usage.total for usage in self._runs[1]]


def describe_spread(measured: Iterable[Measured]) -> str:
    """Return how often commands ran, and how far their runs lay apart, as a clause."""
    totals = [each.totals for each in measured]
    if len(totals[0]) == 1:
        return "every command ran once"
    spreads = [median(each) / min(each) - 1 for each in totals]
    above = f"its median {median(spreads):.0%} above the least, at most {max(spreads):.0%}"
    return f"{len(totals[0])} runs of each command, {above}"


def run(*arguments: str | Path, **environment: str) -> Usage:
    """Run a command of hexrec. Ends the program if it fails."""
    reading, writing = os.pipe()
    program = [sys.executable, __file__, str(writing), *map(str, arguments)]
    with open(reading, encoding="utf-8") as answer:
        ran = subprocess.run(program, capture_output=True, env=ENVIRONMENT | environment, pass_fds=[writing])
        os.close(writing)
        if ran.returncode:
            sys.exit(f"not measured: {' '.join(program[3:])}: {(ran.stdout + ran.stderr).decode()[-500:]}")
        return Usage(*json.load(answer))


def descendants(pid: int, depth: int) -> list[int]:
    """Return the processes that a process has started, or those that these have started."""
    processes = [pid]
    for _ in range(depth):
        processes = [child for each in processes for child in _children(each)]
    return processes


def _children(pid: int) -> list[int]:
    try:
        # Each thread has a list of the processes that it started.
        tasks = Path(f"/proc/{pid}/task").iterdir()
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return []


def _report(to: int) -> None:
    own, workers = (resource.getrusage(of) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    seconds = [used.ru_utime + used.ru_stime for used in (own, workers)]
    # `ru_maxrss` of a process includes the memory of the process that started it.
    status = Path("/proc/self/status")
    peak = re.search(r"VmHWM:\s+(\d+) kB", status.read_text()) if status.exists() else None
    memory = int(peak[1]) if peak else own.ru_maxrss
    os.write(to, json.dumps([*seconds, memory / 1024, workers.ru_maxrss / 1024]).encode())


if __name__ == "__main__":
    sys.path[0] = os.getcwd()
    atexit.register(_report, int(sys.argv.pop(1)))
    from hexrec.__main__ import main

    main()
