"""Who does the chunks: this process, or others. Whoever it is, results come in the order of the chunks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from functools import partial
from typing import Protocol

from hexrec.batch.bisect import carefully
from hexrec.batch.chunks import Chunk
from hexrec.batch.tasks import Failed, Result, Work, done, results

Done = Generator[tuple[Chunk, Result], None, None]


class RunnerError(Exception):
    """Chunks cannot be done at all; the message says why."""


class Runner(Protocol):
    """Does chunks."""

    def run(self, chunks: Iterable[Chunk], work: Work) -> Done:
        """Yield the results of chunks, in order; no more than some are begun before they are asked for."""


class InProcess:
    """Does chunks here, one after the other."""

    def run(self, chunks: Iterable[Chunk], work: Work) -> Done:
        """Yield the results of chunks, in order."""

        def attempt(chunk: Chunk, _share: float) -> Result:
            return attempted(chunk, work)

        return in_order(chunks, work, lambda chunk: partial(carefully, chunk, work, attempt), 1)


def in_order(chunks: Iterable[Chunk], work: Work, submit: Callable[[Chunk], Callable[[], Result]], limit: int) -> Done:
    """Yield the results of chunks, in order, of which up to `limit` are on their way at any time.

    `submit` begins a chunk and returns what waits for its result. A stream is read here, when all before it is done.
    """
    waiting: deque[tuple[Chunk, Callable[[], Result]]] = deque()
    for chunk in chunks:
        if chunk.stream is not None:
            while waiting:
                yield _first(waiting)
            for result in results(chunk, work):
                yield chunk, result
            continue
        waiting.append((chunk, submit(chunk)))
        if len(waiting) >= limit:
            yield _first(waiting)
    while waiting:
        yield _first(waiting)


def _first(waiting: deque[tuple[Chunk, Callable[[], Result]]]) -> tuple[Chunk, Result]:
    chunk, wait = waiting.popleft()
    return chunk, wait()


def attempted(chunk: Chunk, work: Work) -> Result:
    """Return the result of a chunk. Raises Failed for every error, for all of them are errors in the program."""
    try:
        return done(chunk, work)
    except Exception as error:
        raise Failed(f"the program failed on this record: {type(error).__name__}: {error}") from error
