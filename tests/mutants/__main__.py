"""Put every fault that mutmut can make into a module of hexrec, and print those that no test notices.

`nox -s mutants -- hexrec.settings.baseline tests/cli/test_baseline.py` runs these tests, without paths those in the
directory of the module's package.

mutmut itself sends each call of a function through a switch between its mutants, which makes the engines too slow to
test and changes the sources that some tests read; cosmic-ray starts Python again for each mutant, which takes longer
than most tests. So mutmut makes the mutants, and this program runs them: one process collects the tests, runs them once
to learn which of them reach which line, and forks for each mutant a child in which the function has the mutant's
code and the tests that reach it run, the quickest first, until one fails. Faults in functions that run only while the
module is imported come too late to be noticed.
"""

from __future__ import annotations

import gc
import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib import import_module
from itertools import accumulate
from multiprocessing import forkserver
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from coverage import Coverage

from hexrec import kernel
from tests.mutants.faults import Mutant, clear_caches, mutants, put_in

#: Seconds of CPU for each test, plus this factor times its time without a mutant. Longer is noticed.
PATIENCE = 2.0, 20
#: A test that waits has this factor times its seconds of CPU on the clock, which other programs may make short.
WAITING = 10
#: Seconds of CPU for the tests of one mutant without the fault: few mutants need more, and survivors need all of them.
LONGEST = 10.0
#: Bytes of memory for a mutant in addition to those that the process has.
MEMORY = 4 << 30
#: Exit codes of a child.
KILLED, SURVIVED, IMPOSSIBLE = range(3)


class Hunt:
    """A pytest plugin that runs the tests once for every mutant of a module."""

    def __init__(self, module: str) -> None:
        self.module = module
        self.seconds: dict[pytest.Item, float] = {}
        #: Tests that pass, or fail, in a child without any mutant.
        self.usable: set[pytest.Item] = set()
        self.unusable: set[pytest.Item] = set()

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Take the place of pytest's own loop."""
        if session.testsfailed:
            raise session.Interrupted("the tests cannot be collected")
        reached = self.learn(session.items)
        gc.collect()
        gc.freeze()
        self.hunt(reached)
        return True

    def learn(self, items: Sequence[pytest.Item]) -> dict[int, set[pytest.Item]]:
        """Run every test and note how long it takes; return which of them reach which line of the module."""
        file = str(sys.modules[self.module].__file__)
        coverage = Coverage(data_file=None, include=[file], config_file=False)
        for number, item in enumerate(items):
            clear_caches(self.module)
            coverage.start()
            coverage.switch_context(str(number))
            start = time.process_time()
            reports = runtestprotocol(item, log=False, nextitem=None)
            self.seconds[item] = time.process_time() - start
            coverage.stop()
            if any(report.failed for report in reports):
                self._leave_out(item)
        # Children cannot ask a process that is not their own to fork others: each that needs one starts it.
        forkserver._forkserver._stop()  # type: ignore[attr-defined]
        print(f"{len(self.seconds)} tests in {sum(self.seconds.values()):.0f} seconds", flush=True)
        lines = coverage.get_data().contexts_by_lineno(file)
        return {line: {items[int(number)] for number in numbers if number} for line, numbers in lines.items()}

    def hunt(self, reached: dict[int, set[pytest.Item]]) -> None:
        """Run the tests with each mutant, and print those that survive."""
        kills: Counter[tuple[str, pytest.Item]] = Counter()
        tried = survived = 0
        for mutant in mutants(self.module):
            items = self._order(set().union(*(reached.get(line, ()) for line in mutant.lines)), mutant.function, kills)
            outcome, killer = self.attempt(mutant, items)
            tried += outcome != IMPOSSIBLE
            if outcome == SURVIVED:
                survived += 1
                print(f"survived {len(items)} tests: {self.module}:{mutant.line} {mutant}", flush=True)
            elif killer is not None:
                kills[mutant.function, killer] += 1
                kills["", killer] += 1
        print(f"{self.module}: {tried} mutants, {survived} survived", flush=True)

    def attempt(self, mutant: Mutant, items: Iterable[pytest.Item]) -> tuple[int, pytest.Item | None]:
        """Run tests with a mutant until one fails; return how that ended, and the test that failed.

        A test that fails in a child without any mutant proves nothing: it may depend on tests that ran before it.
        """
        while True:
            usable = [item for item in items if item not in self.unusable]
            outcome, count = self.run(mutant, usable)
            if outcome != KILLED or count == 0:
                return outcome, None
            killer = usable[count - 1]
            if killer not in self.usable:
                if self.run(None, [killer])[0] != SURVIVED:
                    self._leave_out(killer)
                    continue
                self.usable.add(killer)
            return outcome, killer

    def run(self, mutant: Mutant | None, items: Sequence[pytest.Item]) -> tuple[int, int]:
        """Run tests in a child until one fails; return how that ended, and the number of tests that were begun."""
        if not items:
            return SURVIVED, 0
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            outcome = KILLED
            try:
                outcome = self._run(mutant, items, writer)
            finally:
                os._exit(outcome)
        os.close(writer)
        with os.fdopen(reader, "rb") as stream:
            begun = len(stream.read())
        # A mutant that ends the process, or needs too much of its time, is noticed, too.
        outcome = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return (outcome if outcome in (SURVIVED, IMPOSSIBLE) else KILLED), begun

    def _run(self, mutant: Mutant | None, items: Sequence[pytest.Item], writer: int) -> int:
        gc.disable()
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        limit = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
        # The alarms end the process, unless the test handles them.
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        try:
            possible = mutant is None or put_in(mutant)
        except SyntaxError:
            possible = False
        if not possible:
            return IMPOSSIBLE
        clear_caches(self.module)
        for item in items:
            os.write(writer, b".")
            seconds = PATIENCE[0] + PATIENCE[1] * self.seconds[item]
            signal.setitimer(signal.ITIMER_PROF, seconds)
            signal.setitimer(signal.ITIMER_REAL, WAITING * seconds)
            if any(report.failed for report in runtestprotocol(item, log=False, nextitem=None)):
                return KILLED
        return SURVIVED

    def _order(
        self, items: Iterable[pytest.Item], function: str, kills: Counter[tuple[str, pytest.Item]]
    ) -> list[pytest.Item]:
        """Return the tests for a mutant of a function: first those that noticed most others, then the quickest."""
        order = sorted(items, key=lambda item: (-kills[function, item], -kills["", item], self.seconds[item]))
        spent = accumulate(self.seconds[item] for item in order)
        return [item for item, total in zip(order, spent, strict=True) if total < LONGEST]

    def _leave_out(self, item: pytest.Item) -> None:
        print(f"fails without any mutant: {item.nodeid}", flush=True)
        self.unusable.add(item)


def main() -> None:
    """Run the mutants of the module in the first argument, with the tests in the others."""
    if len(sys.argv) < 2:
        sys.exit("usage: nox -s mutants -- MODULE [TESTS…]")
    module, *tests = sys.argv[1:]
    os.chdir(Path(__file__).parent.parent.parent)
    package = module.split(".")[1]
    near = Path("tests", "engines" if package == "games" else package)
    # Kernels would hide the engines; compiled ones have no mutants.
    os.environ["HEXREC_PURE"] = str(int(package in ("games", "board")))
    # A fault in a worker is noticed only if this process does the work.
    os.environ["HEXREC_TEST_IN_PROCESS"] = "1"
    if package == "kernel":
        kernel._COMPILED = "hexrec.kernel"
    import_module(module)
    options = ["--quiet", "-p", "no:randomly", "-p", "no:cacheprovider", "-m", "not slow", "--capture=no", "-n0"]
    options += ["--assert=plain", "--tb=native"]
    paths = tests or [str(near) if near.is_dir() else "tests", "tests/test_fixtures.py", "tests/test_messages.py"]
    code = pytest.main([*options, *paths], plugins=[Hunt(module)])
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        sys.exit(code)


if __name__ == "__main__":
    main()
