"""Who does the units: this process, or others. Whoever it is, results come in the order of the units."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from functools import partial
from typing import Protocol

from hexrec.batch.bisect import carefully
from hexrec.batch.chunks import Unit
from hexrec.batch.tasks import Failed, Result, Work, done, results

Done = Generator[tuple[Unit, Result], None, None]


class RunnerError(Exception):
    """Units cannot be done at all; the message says why."""


class Runner(Protocol):
    """Does units."""

    def run(self, units: Iterable[Unit], work: Work) -> Done:
        """Yield the results of units, in order; no more than some are begun before they are asked for."""


class InProcess:
    """Does units here, one after the other."""

    def run(self, units: Iterable[Unit], work: Work) -> Done:
        """Yield the results of units, in order."""

        def attempt(unit: Unit, _share: float) -> Result:
            return attempted(unit, work)

        return in_order(units, work, lambda unit: partial(carefully, unit, work, attempt), 1)


def in_order(units: Iterable[Unit], work: Work, submit: Callable[[Unit], Callable[[], Result]], limit: int) -> Done:
    """Yield the results of units, in order, of which up to `limit` are on their way at any time.

    `submit` begins a unit and returns what waits for its result. A stream is read here, when all before it is done.
    """
    waiting: deque[tuple[Unit, Callable[[], Result]]] = deque()
    for unit in units:
        if unit.stream is not None:
            while waiting:
                yield _first(waiting)
            for result in results(unit, work):
                yield unit, result
            continue
        waiting.append((unit, submit(unit)))
        if len(waiting) >= limit:
            yield _first(waiting)
    while waiting:
        yield _first(waiting)


def _first(waiting: deque[tuple[Unit, Callable[[], Result]]]) -> tuple[Unit, Result]:
    unit, wait = waiting.popleft()
    return unit, wait()


def attempted(unit: Unit, work: Work) -> Result:
    """Return the result of a unit. Raises Failed for every error, for all of them are errors in the program."""
    try:
        return done(unit, work)
    except Exception as error:
        raise Failed(f"the program failed on this record: {type(error).__name__}: {error}") from error
