"""A run: chunks, the task that is done with them and their checkpoint together."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import chain, islice
from typing import Any, NamedTuple

from hexrec.parallel.checkpoint import Checkpoint
from hexrec.parallel.chunks import Chunk
from hexrec.parallel.tasks import ChunkTask

#: Chunks, each with what is gathered from it.
Gathered = Generator[tuple[Chunk, Iterator[Any]], None, None]


class Batch(NamedTuple):
    """What was gathered from up to a thousand records.

    Attributes:
        gathered: what the task made of them.
        size: how many bytes of input they are; in the first batch of a chunk, of all of it.
        restored: whether it was known from an earlier run.
    """

    gathered: Any
    size: int
    restored: bool


def run(
    chunks: Iterable[Chunk],
    task: ChunkTask,
    jobs: int = 0,
    seconds: float | None = None,
    checkpoint: Checkpoint | None = None,
    *,
    resume: bool = False,
    small_here: bool = False,
) -> Generator[Batch, None, None]:
    """Yield what the task gathers from chunks, in their order, whoever works on them.

    These are `jobs` processes, each of which may take so many seconds for a chunk. If there are none, this process does
    all; with `small_here`, it also does the only chunk that there is. With a checkpoint, results are saved; with
    `resume`, the run begins with those saved before. Raises WorkersUnavailable, CheckpointError, OSError, InputChanged.
    """
    rest = iter(chunks)
    if checkpoint and resume:
        for chunk, gathered, is_first in checkpoint.restore(rest):
            yield Batch(gathered, chunk.size if is_first else 0, restored=True)
    begun: list[Chunk] = []
    if jobs and small_here:
        begun += islice(rest, 1)
        if begun and not begun[0].is_stream:  # a stream is read before the next chunk is asked for
            begun += islice(rest, 1)
            jobs = jobs if len(begun) == 2 else 0
    with closing(_gathered(chain(begun, rest), task, jobs, seconds)) as found:
        for chunk, batches in found:
            size = chunk.size
            for gathered in checkpoint.saved(chunk, batches) if checkpoint else batches:
                yield Batch(gathered, size, restored=False)
                size = 0


def _gathered(chunks: Iterable[Chunk], task: ChunkTask, jobs: int, seconds: float | None) -> Gathered:
    if not jobs:
        return ((chunk, task.batches(chunk)) for chunk in chunks)
    from hexrec.parallel.pool import in_pool

    return in_pool(chunks, task, jobs, seconds)
