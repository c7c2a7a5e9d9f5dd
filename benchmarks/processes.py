"""Run hexrec as a program of its own, and measure the processor time and the memory of the process and its workers."""

from __future__ import annotations

import atexit
import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path
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

    def least(self, other: Usage) -> Usage:
        """Return the smaller figure of two runs for each attribute."""
        return Usage(*map(min, self, other))


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
