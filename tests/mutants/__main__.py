"""Put every fault that mutmut knows into modules of hexrec, and see whether a test notices.

`nox -s mutants -- hexrec.games.nadraz` does so for one module; without a name, for all in the table.

mutmut itself sends each call of a function through a switch between its mutants, which makes the engines too slow to
test and changes the sources that some tests read; cosmic-ray starts Python anew for each mutant, which takes longer
than most tests. So mutmut makes the mutants, and this program runs them: one process collects the tests, runs them once
to learn which of them come to which line, and forks for each mutant a child in which the function has the mutant's
code and the tests that come there run, the quickest first, until one fails. For a function that runs at imports alone,
Python is started anew.
"""

from __future__ import annotations

import argparse
import gc
import os
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from multiprocessing import forkserver
from pathlib import Path
from random import Random

import pytest
from _pytest.runner import runtestprotocol
from coverage import Coverage

from hexrec import kernel
from tests.mutants import anew, results
from tests.mutants.faults import Mutant, clear_caches, mutants, put_in, run_by_imports

#: A test gets so many seconds of the processor, and so many times what it took without a mutant; what does not end is
#: noticed. A test that waits gets so many times these seconds of the clock, which other programs may make short.
PATIENCE = 2.0, 20
WAITING = 10
#: Bytes of memory that a mutant gets beside those that the process has.
MEMORY = 4 << 30
#: So many of a hundred tests may fail in a child without any mutant; with more, what children say is worth nothing.
UNSOUND = 5
#: Where the kernels are that are used.
COMPILED = kernel._COMPILED
#: What a child answers.
KILLED, SURVIVED, IMPOSSIBLE = range(3)


class Hunt:
    """A pytest plugin that runs the tests once for every mutant."""

    def __init__(self, modules: list[str], tests: Sequence[str], options: argparse.Namespace) -> None:
        self.modules = modules
        self.tests = tests
        self.options = options
        #: Tests that have passed, or failed, in a process of their own without any mutant.
        self.usable: set[pytest.Item] = set()
        self.unusable: set[pytest.Item] = set()
        self.imported = run_by_imports(modules)
        #: How many seconds all tests get in a Python that is started anew, by module.
        self.patience_anew: dict[str, float] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Take the place of pytest's own loop."""
        if session.testsfailed:
            raise session.Interrupted("the tests cannot be collected")
        reached, seconds = self.learn(session)
        gc.collect()
        gc.freeze()
        self.control(reached, seconds)
        for module in self.modules:
            self.hunt(module, reached[module], seconds)
        return True

    def learn(self, session: pytest.Session) -> tuple[dict[str, dict[int, set[pytest.Item]]], dict[pytest.Item, float]]:
        """Run every test; return which of them come to which line of a module, and how long each took."""
        files = {name: str(sys.modules[name].__file__) for name in self.modules}
        coverage = Coverage(data_file=None, include=list(files.values()), config_file=False)
        seconds: dict[pytest.Item, float] = {}
        for number, item in enumerate(session.items):
            for module in self.modules:
                clear_caches(module)
            coverage.start()
            coverage.switch_context(str(number))
            start = time.process_time()
            reports = runtestprotocol(item, log=False, nextitem=None)
            seconds[item] = time.process_time() - start
            coverage.stop()
            if any(report.failed for report in reports):
                print(f"fails without any mutant: {item.nodeid}", flush=True)
                self.unusable.add(item)
        # Children cannot ask a process that is not their own to fork others: each that needs one starts it.
        forkserver._forkserver._stop()  # type: ignore[attr-defined]
        print(f"{len(seconds)} tests in {sum(seconds.values()):.0f} seconds", flush=True)
        data = coverage.get_data()
        reached = {
            name: {
                line: {session.items[int(number)] for number in numbers if number}
                for line, numbers in data.contexts_by_lineno(file).items()
            }
            for name, file in files.items()
        }
        return reached, seconds

    def control(self, reached: dict[str, dict[int, set[pytest.Item]]], seconds: dict[pytest.Item, float]) -> None:
        """Run the tests that come to the modules as children run them, without any mutant; leave out those that fail.

        Raises:
            SystemExit: if that are too many, which are listed.
        """
        items = set().union(*(tests for lines in reached.values() for tests in lines.values())) - self.unusable
        order = sorted((item for item in items if self.is_tried(item, seconds)), key=lambda item: seconds[item])
        left, failed = [(item, patience(item, seconds)) for item in order], []
        while left:
            answer, count = run(self.modules, None, left)
            if answer == SURVIVED:
                break
            # The first one is named even if the process ends before.
            failed.append(left[max(count - 1, 0)][0])
            print(f"fails without any mutant: {failed[-1].nodeid}", flush=True)
            left = left[max(count, 1) :]
            if 100 * len(failed) > UNSOUND * max(100, len(order)):
                sys.exit(f"of {len(order)} tests, more than {UNSOUND} % fail in children without any mutant")
        self.unusable.update(failed)
        print(f"without any mutant, {len(failed)} of {len(order)} tests fail in a child", flush=True)

    def is_tried(self, item: pytest.Item, seconds: dict[pytest.Item, float]) -> bool:
        """Return whether a mutant may get a test."""
        return seconds[item] < self.options.seconds or item.path.name in results.ALWAYS

    def hunt(self, module: str, reached: dict[int, set[pytest.Item]], seconds: dict[pytest.Item, float]) -> None:
        """Try the mutants of a module, and write down which survive."""
        kills: Counter[tuple[str, pytest.Item]] = Counter()
        found = results.Module(module)
        known = results.equivalents().get(module, {})
        begun = sum(os.times()[:4])
        chosen = [each for each in mutants(module) if each.function.startswith(self.options.function)]
        found.mutants = len(chosen)
        if not chosen:
            return
        if self.options.sample:
            count = share_of(len(chosen), self.options.sample)
            chosen = Random(module).sample(chosen, count)
            chosen.sort(key=lambda each: each.number)
        before = results.read().get(module)
        if again := self.options.again and before is not None and before["source"] == results.digest(module):
            chosen = [each for each in chosen if each.key in before["survivors"]]
            found.mutants, found.tried = before["mutants"], before["tried"]
        for mutant in chosen:
            items = set().union(*(reached.get(line, ()) for line in mutant.lines))
            order = sorted(items, key=lambda item: (-kills[mutant.function, item], -kills["", item], seconds[item]))
            spent = accumulate(seconds[item] for item in order)
            order = [
                item
                for item, total in zip(order, spent, strict=True)
                if total < self.options.seconds or item.path.name in results.ALWAYS
            ]
            answer, killer = SURVIVED, None
            if mutant.key not in known:
                answer, killer = self.attempt(mutant, order, seconds)
                if answer == SURVIVED and (module, mutant.function) in self.imported:
                    # Imports had run it before the fault was there.
                    answer = self.attempt_anew(mutant)
            if answer == IMPOSSIBLE:
                found.mutants -= 1
                continue
            found.tried += not again
            if answer == SURVIVED:
                found.survivors.append(mutant.key)
                if mutant.key not in known:
                    print(f"survived {len(order)} tests: {module}:{mutant.line} {mutant.key}", flush=True)
            elif killer is not None:
                kills[mutant.function, killer] += 1
                kills["", killer] += 1
            if found.tried % 50 == 0:
                print(f"{module}:{mutant.line}: {found.tried} tried, {len(found.survivors)} survived", flush=True)
        found.minutes = round((sum(os.times()[:4]) - begun) / 60, 1)
        if again and before is not None:
            spent = before["minutes"]
            found.minutes = None if spent is None else round(found.minutes + spent, 1)
        print(f"{module}: {found.tried} mutants, {len(found.survivors)} survived", flush=True)
        if not self.options.function:
            found.write()

    def attempt(
        self, mutant: Mutant, items: list[pytest.Item], seconds: dict[pytest.Item, float]
    ) -> tuple[int, pytest.Item | None]:
        """Run tests with a mutant until one fails; return how that ended, and which test has failed.

        Tests that fail in a process like that without any mutant, which may come from others that ran before or from a
        busy machine, say nothing.
        """
        while True:
            usable = [(item, patience(item, seconds)) for item in items if item not in self.unusable]
            answer, count = run([mutant.module], mutant, usable)
            if answer != KILLED or count == 0:
                return answer, None
            killer = usable[count - 1][0]
            if killer not in self.usable:
                if run([mutant.module], None, [usable[count - 1]])[0] != SURVIVED:
                    print(f"fails without any mutant: {killer.nodeid}", flush=True)
                    self.unusable.add(killer)
                    continue
                self.usable.add(killer)
            return answer, killer

    def attempt_anew(self, mutant: Mutant) -> int:
        """Run all tests with a mutant that is there before anything is imported; return how that ended.

        Raises SystemExit if tests fail in such a process without any mutant.
        """
        module = mutant.module
        if module not in self.patience_anew:
            begun = time.perf_counter()
            if not anew.passes(module, Path(sys.modules[module].__file__ or "").read_text("utf-8"), self.tests):
                sys.exit(f"tests of {module} fail without any mutant in a Python that is started anew")
            self.patience_anew[module] = PATIENCE[0] + WAITING * (time.perf_counter() - begun)
        return SURVIVED if anew.passes(module, mutant.source, self.tests, self.patience_anew[module]) else KILLED


def patience(item: pytest.Item, seconds: dict[pytest.Item, float]) -> float:
    """Return how many seconds of the processor a test gets."""
    return PATIENCE[0] + PATIENCE[1] * seconds[item]


def share_of(total: int, sample: str) -> int:
    """Return how many of the mutants of a module a sample has, which is a number or, with a %, a share of them."""
    wanted = -(-total * int(sample[:-1]) // 100) if sample.endswith("%") else int(sample)
    return min(wanted, total)


def run(modules: list[str], mutant: Mutant | None, items: list[tuple[pytest.Item, float]]) -> tuple[int, int]:
    """Run tests, each with its seconds, in a process of its own until one fails, with a mutant unless that is None.

    The process forgets what the modules have worked out. Return how that ended, and how many tests were begun.
    """
    if not items:
        return SURVIVED, 0
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        answer = KILLED
        try:
            answer = _run(modules, mutant, items, writer)
        finally:
            os._exit(answer)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        begun = len(stream.read())
    # What a mutant does to the process itself, or to its time, is noticed, too.
    answer = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return (answer if answer in (SURVIVED, IMPOSSIBLE) else KILLED), begun


def _run(modules: list[str], mutant: Mutant | None, items: list[tuple[pytest.Item, float]], writer: int) -> int:
    gc.disable()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    limit = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    # The alarms end the process, unless somebody listens.
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
    for module in modules:
        clear_caches(module)
    for item, seconds in items:
        os.write(writer, b".")
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, WAITING * seconds)
        if any(report.failed for report in runtestprotocol(item, log=False, nextitem=None)):
            return KILLED
    return SURVIVED


def main() -> None:
    """Read the arguments and hunt."""
    parser = argparse.ArgumentParser(prog="nox -s mutants --", description="Look for faults that no test notices.")
    parser.add_argument(
        "modules",
        nargs="*",
        help="such as hexrec.games.nadraz, hexrec.cli.__init__, or packages; by default all in the table",
    )
    parser.add_argument("--function", default="", help="only functions whose names begin so; nothing is written down")
    parser.add_argument("--sample", default="", metavar="N|N%%", help="N, or N %%, of each module, drawn by its name")
    parser.add_argument(
        "--seconds", type=float, default=results.LONGEST, metavar="S", help="tests of so many that a mutant gets"
    )
    parser.add_argument("--tests", nargs="+", default=[], metavar="PATH", help="these in place of those in the table")
    parser.add_argument(
        "--again", action="store_true", help="of modules that are as they were, only the mutants that survived"
    )
    arguments = parser.parse_args()
    os.chdir(Path(__file__).parent.parent.parent)
    wanted = results.all_modules()
    if arguments.modules:
        named = tuple(f"{name}." for name in arguments.modules)
        wanted = [module for module in wanted if f"{module}.".startswith(named) or f"{module}.__init__." in named]
    for tests, modules in results.by_tests(wanted).items():
        # Kernels would hide the engines; compiled ones have no mutants.
        os.environ["HEXREC_PURE"] = str(int(tests in (results.TESTS["hexrec.games"], results.TESTS["hexrec.board"])))
        # What workers do is noticed only if this process does it.
        os.environ["HEXREC_TEST_IN_PROCESS"] = "1"
        kernel._COMPILED = "hexrec.kernel" if tests == results.TESTS["hexrec.kernel"] else COMPILED
        kernel.is_compiled.cache_clear()
        kernel.get.cache_clear()
        for name in modules:
            __import__(name)
        options = ["--quiet", "-p", "no:randomly", "-p", "no:cacheprovider", "-m", "not slow", "--capture=no"]
        options += ["--assert=plain", "--tb=native"]
        paths = arguments.tests or tests
        code = pytest.main([*options, *paths], plugins=[Hunt(modules, paths, arguments)])
        if code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            sys.exit(code)


if __name__ == "__main__":
    main()
