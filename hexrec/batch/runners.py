"""Runners work on chunks, in this process or in others. Results always come in the order of the chunks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from functools import partial
from typing import Protocol

from hexrec.batch.bisect import run_or_bisect
from hexrec.batch.chunks import Chunk
from hexrec.batch.tasks import ChunkFailure, ChunkResult, ChunkTask, run_chunk, run_stream
from hexrec.files.stamps import InputChanged

ChunkResults = Generator[tuple[Chunk, ChunkResult], None, None]


class RunnerError(Exception):
    """A runner that cannot work at all; the message says why."""


class Runner(Protocol):
    """Works on chunks."""

    def run(self, chunks: Iterable[Chunk], task: ChunkTask) -> ChunkResults:
        """Yield the results of chunks, in order; no more than some are begun before they are asked for."""


class InProcessRunner:
    """Works on chunks in this process, one after another."""

    def run(self, chunks: Iterable[Chunk], task: ChunkTask) -> ChunkResults:
        """Yield the results of chunks, in order."""
        attempt = partial(try_chunk, task)
        return in_order(chunks, task, lambda chunk: partial(run_or_bisect, chunk, task, attempt), 1)


def in_order(
    chunks: Iterable[Chunk], task: ChunkTask, submit: Callable[[Chunk], Callable[[], ChunkResult]], limit: int
) -> ChunkResults:
    """Yield the results of chunks, in order, of which up to `limit` are on their way at any time.

    `submit` begins a chunk and returns a function that waits for its result. A stream is read in this process, after
    all chunks before it.
    """
    waiting: deque[tuple[Chunk, Callable[[], ChunkResult]]] = deque()
    for chunk in chunks:
        if chunk.stream is not None:
            while waiting:
                yield _first(waiting)
            for result in run_stream(chunk, task):
                yield chunk, result
            continue
        waiting.append((chunk, submit(chunk)))
        if len(waiting) >= limit:
            yield _first(waiting)
    while waiting:
        yield _first(waiting)


def _first(waiting: deque[tuple[Chunk, Callable[[], ChunkResult]]]) -> tuple[Chunk, ChunkResult]:
    chunk, wait = waiting.popleft()
    return chunk, wait()


def try_chunk(task: ChunkTask, chunk: Chunk, _share: float = 1.0) -> ChunkResult | ChunkFailure:
    """Return what comes of a chunk. Every error is one in the program, and is returned as a failure."""
    try:
        return run_chunk(chunk, task)
    except InputChanged:
        raise
    except Exception as error:
        return ChunkFailure(f"the program failed on this record: {type(error).__name__}: {error}")
