"""Run targets under atheris: `python -m tests.fuzz [--corpus DIR] [--jobs N] SECONDS [TARGET…]`, all if none is named.

Each target has so many seconds, in a process of its own. Inputs that reach something new stay in the corpus, one that
breaks a promise is kept beside it; then the exit code is 1. Each target has a line: inputs, seconds of a processor,
branches that were reached, the most memory.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr, suppress
from importlib import import_module
from io import StringIO
from pathlib import Path
from pkgutil import walk_packages
from resource import struct_rusage
from tempfile import TemporaryDirectory, TemporaryFile
from typing import IO, NamedTuple

import atheris

from tests.fuzz.target import Target

#: The most bytes of an input, and of memory in megabytes; how many seconds one may take before it counts as endless.
_LONGEST, _MEMORY, _ENDLESS = 8_000, 1_000, 120
_MEMORY_FOLDER = Path("/dev/shm")
#: How many characters are shown of what was said of an input that breaks a promise.
_SHOWN = 6_000


class Outcome(NamedTuple):
    """What came of a target.

    Attributes:
        name: that of the target.
        inputs: how many were tried.
        seconds: how long that took, in seconds of a processor.
        branches: how many were reached in hexrec.
        memory: the most that the process had, in megabytes.
        failure: what was said of an input that breaks a promise.
    """

    name: str
    inputs: int
    seconds: float
    branches: int
    memory: int
    failure: str

    def __str__(self) -> str:
        failed = "  FAILED" if self.failure else ""
        return f"{self.name:20} {self.inputs:12,} {self.seconds:9,.1f} s {self.branches:7,} {self.memory:5} MB{failed}"


def main() -> int:
    """Run what the arguments ask for; return the exit code."""
    asked = argparse.ArgumentParser(prog="python -m tests.fuzz", description=(__doc__ or "").partition("\n\n")[2])
    asked.add_argument("seconds", type=int)
    asked.add_argument("targets", nargs="*", metavar="TARGET")
    asked.add_argument("--corpus", type=Path, default=Path("build/fuzz"))
    asked.add_argument("--jobs", type=int, default=1)
    options = asked.parse_args()
    # Every target runs in a fork of this process: to make hexrec count its branches takes seconds.
    with redirect_stderr(StringIO()), atheris.instrument_imports(include=["hexrec"]):
        import hexrec
        from tests.fuzz.targets import TARGETS

        for module in walk_packages(hexrec.__path__, "hexrec."):
            with suppress(ImportError):  # of an extra that is not installed
                import_module(module.name)

    waiting = options.targets or [*TARGETS]
    if unknown := set(waiting) - set(TARGETS):
        asked.error(f"no targets: {', '.join(sorted(unknown))}; there are {', '.join(TARGETS)}")
    # In memory where the system has that. The forks leave their files behind.
    with TemporaryDirectory(prefix="hexrec-fuzz-", dir=_MEMORY_FOLDER if _MEMORY_FOLDER.is_dir() else None) as folder:
        tempfile.tempdir = folder
        return _run([(name, TARGETS[name]) for name in waiting], options.seconds, options.corpus, options.jobs)


def _run(waiting: list[tuple[str, Target]], seconds: int, corpus: Path, jobs: int) -> int:
    """Run targets, so many at a time; return the exit code."""
    running: dict[int, tuple[str, IO[bytes]]] = {}
    failed = False
    while waiting or running:
        while waiting and len(running) < jobs:
            name, target = waiting.pop(0)
            out: IO[bytes] = TemporaryFile()  # noqa: SIM115
            running[_start(name, target, seconds, corpus, out)] = name, out
        pid, status, used = os.wait4(-1, 0)
        name, out = running.pop(pid)
        with out:
            out.seek(0)
            said = out.read().decode(errors="replace")
        outcome = _outcome(name, said, os.waitstatus_to_exitcode(status), used)
        print(outcome, outcome.failure, sep="\n" if outcome.failure else "", flush=True)
        failed = failed or bool(outcome.failure)
    return int(failed)


def _start(name: str, target: Target, seconds: int, corpus: Path, out: IO[bytes]) -> int:
    """Fuzz a target in a process of its own, whose number is returned, until the time is up or a promise is broken."""
    child = os.fork()
    if child == 0:
        os.dup2(out.fileno(), 1)
        os.dup2(out.fileno(), 2)
        try:
            _fuzz(name, target, seconds, corpus)
        except Exception:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(1)
    return child


def _outcome(name: str, said: str, code: int, used: struct_rusage) -> Outcome:
    figures = dict(re.findall(r"^stat::(\w+): +(\d+)", said, re.MULTILINE))
    branches = [int(count) for count in re.findall(r"\bcov: (\d+)", said)]
    return Outcome(
        name,
        int(figures.get("number_of_executed_units", 0)),
        used.ru_utime + used.ru_stime,
        max(branches, default=0),
        used.ru_maxrss // 1024,
        "" if code == 0 else said[-_SHOWN:],
    )


def _fuzz(name: str, target: Target, seconds: int, corpus: Path) -> None:
    from tests.fuzz.mutators import Mutator  # which imports hexrec

    mutator = Mutator(target)
    found = corpus / name
    found.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(_unlike(target.seeds())):
        (found / f"seed-{number}").write_bytes(seed)
    options = {
        "max_total_time": seconds,
        "max_len": _LONGEST,
        "timeout": _ENDLESS,
        "rss_limit_mb": _MEMORY,
        "artifact_prefix": f"{corpus}/{name}-",
        "print_final_stats": 1,
    }
    arguments = [f"-{option}={value}" for option, value in options.items()]
    atheris.Setup(["fuzz", *arguments, str(found)], target.check, custom_mutator=mutator.mutate)
    atheris.Fuzz()


def _unlike(seeds: Sequence[bytes]) -> Iterator[bytes]:
    """Yield each input once, those left out that are longer than any may be."""
    yield from (seed for seed in dict.fromkeys(seeds) if len(seed) <= _LONGEST)


if __name__ == "__main__":
    sys.exit(main())
