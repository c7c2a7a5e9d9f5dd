"""Runners work on chunks, in this process or in others. Results always come in the order of the chunks.

A chunk that fails is tried record by record: its process logs the record that it is working on. A record at which a
process fails again and again gets a diagnostic, and the others are reported as usual.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from hexrec.batch.chunks import Blame, Chunk, Place, Trial
from hexrec.batch.tasks import ChunkFailure, ChunkResult, ChunkTask, run_chunk, run_stream
from hexrec.files.stamps import InputChanged

#: Tries a chunk so that this process survives.
Attempt = Callable[[Chunk], ChunkResult | ChunkFailure]
#: How many processes have to die at work on a chunk, or on one record of it, before the fault is sought there.
_CHUNK_DEATHS, RECORD_DEATHS = 2, 5
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
        return in_order(chunks, task, lambda chunk: partial(run_or_retry, chunk, attempt), 1)


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


def try_chunk(task: ChunkTask, chunk: Chunk) -> ChunkResult | ChunkFailure:
    """Return what comes of a chunk. Every error is one in the program, and is returned as a failure."""
    try:
        return run_chunk(chunk, task)
    except InputChanged:
        raise
    except Exception as error:
        return ChunkFailure(f"the program failed on this record: {type(error).__name__}: {error}")


def run_or_retry(chunk: Chunk, attempt: Attempt) -> ChunkResult:
    """Return the result of a chunk; records that make the program fail have a diagnostic. Raises RunnerError."""
    for _ in range(_CHUNK_DEATHS):
        result = attempt(chunk)
        if isinstance(result, ChunkResult):
            return result
        if not result.worker_died:
            break
    return retry(chunk, attempt)


def retry(chunk: Chunk, attempt: Attempt) -> ChunkResult:
    """Return the result of a chunk that failed as a whole, which is tried record by record. Raises RunnerError."""
    blamed: dict[Place, Blame] = {}
    deaths: Counter[tuple[Place, bool] | None] = Counter()
    with TemporaryDirectory() as folder:
        log = Path(folder, "records")
        while True:
            log.write_bytes(b"")
            result = attempt(replace(chunk, trial=Trial(os.fspath(log), blamed)))
            if isinstance(result, ChunkResult):
                return result
            at = _last(log)
            deaths[at] += 1
            if result.worker_died and deaths[at] < RECORD_DEATHS:
                continue
            if at is None:
                raise RunnerError(result.message)
            place, reading = at
            if place in blamed and (blamed[place].reading or not reading):  # the record is skipped, but to no avail
                raise RunnerError(result.message)
            blamed[place] = Blame(result.message, reading)


def _last(log: Path) -> tuple[Place, bool] | None:
    """Return the last record that a process logged, and whether it was reading it; None if it logged none."""
    lines = log.read_text().splitlines()
    if not lines:
        return None
    slice, index, reading = map(int, lines[-1].split())
    return (slice, index), bool(reading)
