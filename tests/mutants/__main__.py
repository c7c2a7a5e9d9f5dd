"""Put every fault that mutmut knows into modules of hexrec, and see whether a test notices.

`nox -s mutants -- hexrec.games.nadraz` does so for one module; without a name, for all in the table.

mutmut itself sends each call of a function through a switch between its mutants, which makes the engines too slow to
test and changes the sources that some tests read; cosmic-ray starts Python anew for each mutant, which takes longer
than most tests. So mutmut makes the mutants, and this program runs them: one process collects the tests, runs them once
to learn which of them call which function, and forks for each mutant a child in which the function has the mutant's
code and the tests that call it run, the quickest first, until one fails.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.mutants import results
from tests.mutants.faults import Mutant, clear_caches, mutants, put_in

#: A test gets so many seconds, and so many times what it took without a mutant; what does not end is noticed.
PATIENCE = 2.0, 20
#: Bytes of memory that a mutant gets.
MEMORY = 4 << 30
#: What a child answers.
KILLED, SURVIVED, IMPOSSIBLE = range(3)


class Hunt:
    """A pytest plugin that runs the tests once for every mutant."""

    def __init__(self, modules: list[str], functions: str) -> None:
        self.modules = modules
        self.only = functions

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Take the place of pytest's own loop."""
        if session.testsfailed:
            raise session.Interrupted("the tests cannot be collected")
        calls, seconds = self.learn(session)
        for module in self.modules:
            self.hunt(module, calls, seconds)
        return True

    def learn(
        self, session: pytest.Session
    ) -> tuple[dict[tuple[str, str], list[pytest.Item]], dict[pytest.Item, float]]:
        """Run every test; return which of them call each function, and how long each took. All have to pass."""
        files = {sys.modules[name].__file__: name for name in self.modules}
        calls: dict[tuple[str, str], list[pytest.Item]] = defaultdict(list)
        seconds: dict[pytest.Item, float] = {}
        for item in session.items:
            seen: set[tuple[str, str]] = set()

            def watch(frame: FrameType, event: str, _: Any, seen: set[tuple[str, str]] = seen) -> None:
                code = frame.f_code
                if event == "call" and code.co_filename in files:
                    seen.add((files[code.co_filename], code.co_qualname.partition(".<locals>")[0]))

            clear_caches(self.modules)
            start = time.process_time()
            sys.setprofile(watch)
            reports = runtestprotocol(item, log=False, nextitem=None)
            sys.setprofile(None)
            seconds[item] = time.process_time() - start
            if any(report.failed for report in reports):
                sys.exit(f"{item.nodeid} fails without any mutant")
            if seconds[item] < results.LONGEST:
                for function in seen:
                    calls[function].append(item)
        print(f"{len(seconds)} tests in {sum(seconds.values()):.0f} seconds", flush=True)
        return calls, seconds

    def hunt(
        self, module: str, calls: dict[tuple[str, str], list[pytest.Item]], seconds: dict[pytest.Item, float]
    ) -> None:
        """Try all mutants of a module, and write down which survive."""
        kills: Counter[tuple[str, pytest.Item]] = Counter()
        found = results.Module(module)
        for mutant in mutants(module):
            if not mutant.function.startswith(self.only):
                continue
            items = calls[module, mutant.function]
            order = sorted(items, key=lambda item: (-kills[mutant.function, item], seconds[item]))
            answer, killer = attempt(mutant, [(item, PATIENCE[0] + PATIENCE[1] * seconds[item]) for item in order])
            if answer == IMPOSSIBLE:
                continue
            found.tried += 1
            if answer == SURVIVED:
                found.survivors.append(mutant.key)
                print(f"survived: {module}:{mutant.line} {mutant.key}", flush=True)
            elif killer is not None:
                kills[mutant.function, order[killer]] += 1
            if found.tried % 50 == 0:
                print(f"{module}:{mutant.line}: {found.tried} tried, {len(found.survivors)} survived", flush=True)
        print(f"{module}: {found.tried} mutants, {len(found.survivors)} survived", flush=True)
        if not self.only:
            found.write()


def attempt(mutant: Mutant, items: list[tuple[pytest.Item, float]]) -> tuple[int, int | None]:
    """Run tests, each with its seconds, with a mutant in a process of its own.

    Return how that ended, and which of the tests has failed, where it could be told.
    """
    if not items:
        return SURVIVED, None
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        answer = KILLED
        try:
            answer = _run(mutant, items, writer)
        finally:
            os._exit(answer)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        killer = stream.read()
    # What a mutant does to the process itself, or to its time, is noticed, too.
    answer = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return (answer if answer in (SURVIVED, IMPOSSIBLE) else KILLED), int(killer) if killer else None


def _run(mutant: Mutant, items: list[tuple[pytest.Item, float]], writer: int) -> int:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    # The alarm ends the process, unless somebody listens.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    try:
        possible = put_in(mutant)
    except SyntaxError:
        possible = False
    if not possible:
        return IMPOSSIBLE
    clear_caches([mutant.module])
    for number, (item, limit) in enumerate(items):
        signal.setitimer(signal.ITIMER_REAL, limit)
        if any(report.failed for report in runtestprotocol(item, log=False, nextitem=None)):
            os.write(writer, str(number).encode())
            return KILLED
    return SURVIVED


def main() -> None:
    """Read the arguments and hunt."""
    parser = argparse.ArgumentParser(prog="nox -s mutants --", description="Look for faults that no test notices.")
    parser.add_argument("modules", nargs="*", help="such as hexrec.games.nadraz; all packages in the table without")
    parser.add_argument("--function", default="", help="only functions whose names begin so; nothing is written down")
    arguments = parser.parse_args()
    os.chdir(Path(__file__).parent.parent.parent)
    # Compiled kernels would hide the engines.
    os.environ["HEXREC_PURE"] = "1"
    wanted = arguments.modules or results.all_modules()
    for tests, modules in results.by_tests(wanted).items():
        for name in modules:
            __import__(name)
        options = ["--quiet", "-p", "no:randomly", "-p", "no:cacheprovider", "-m", "not slow", "--capture=no"]
        code = pytest.main([*options, *tests], plugins=[Hunt(modules, arguments.function)])
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            sys.exit(code)


if __name__ == "__main__":
    main()
