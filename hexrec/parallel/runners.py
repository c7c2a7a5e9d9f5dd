"""Runners work on chunks, in this process or in others. Results always come in the order of the chunks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from typing import Protocol

from hexrec.parallel.apart import try_apart
from hexrec.parallel.chunks import Chunk
from hexrec.parallel.tasks import ChunkFailure, ChunkResult, ChunkTask, run_stream, try_chunk

ChunkResults = Generator[tuple[Chunk, ChunkResult], None, None]
#: Waits for the outcome of a chunk that was begun.
Wait = Callable[[], ChunkResult | ChunkFailure]


class Runner(Protocol):
    """Works on chunks."""

    def run(self, chunks: Iterable[Chunk], task: ChunkTask) -> ChunkResults:
        """Yield the results of chunks, in order. A chunk has one or several, and only the last of them has a digest."""


class InProcessRunner:
    """Works on chunks in this process, one after another."""

    def run(self, chunks: Iterable[Chunk], task: ChunkTask) -> ChunkResults:
        """Yield the results of chunks, in order."""
        return in_order(chunks, task, lambda chunk: partial(try_chunk, task, chunk), 1)


def in_order(chunks: Iterable[Chunk], task: ChunkTask, begin: Callable[[Chunk], Wait], limit: int) -> ChunkResults:
    """Yield the results of chunks, in order, of which up to `limit` have begun at any time.

    A stream is read in this process, after all chunks before it. Raises RunnerError.
    """
    waiting: deque[tuple[Chunk, Wait]] = deque()

    def results(chunk: Chunk, wait: Wait) -> Iterator[tuple[Chunk, ChunkResult]]:
        outcome = wait()
        if isinstance(outcome, ChunkFailure) and outcome.worker_died:  # perhaps killed by someone else
            outcome = begin(chunk)()
        if isinstance(outcome, ChunkResult):
            yield chunk, outcome
        else:
            for result in try_apart(chunk, task, lambda part: begin(part)()):
                yield chunk, result

    for chunk in chunks:
        if chunk.stream is None:
            waiting.append((chunk, begin(chunk)))
            if len(waiting) >= limit:
                yield from results(*waiting.popleft())
            continue
        while waiting:
            yield from results(*waiting.popleft())
        for result in run_stream(chunk, task):
            yield chunk, result
    while waiting:
        yield from results(*waiting.popleft())
