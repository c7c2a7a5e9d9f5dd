"""Run a task on chunks, with a checkpoint."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import chain, islice
from typing import Any, NamedTuple

from hexrec.parallel.checkpoint import Checkpoint
from hexrec.parallel.chunks import Chunk
from hexrec.parallel.tasks import ChunkTask

#: Chunks, each with its results.
Gathered = Generator[tuple[Chunk, Iterator[Any]], None, None]


class Batch(NamedTuple):
    """The results of up to a thousand records.

    Attributes:
        gathered: the results of the task.
        size: the number of bytes of the chunk in its first batch; 0 in later batches.
        restored: whether the batch comes from the checkpoint.
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
    """Yield the results of a task on chunks, in order.

    The task runs in `jobs` worker processes with a timeout of `seconds` per chunk. With no jobs, and with `small_here`
    for a single chunk, it runs in this process. With a checkpoint, results are saved; with `resume`, saved results come
    first. Raises WorkersUnavailable, CheckpointError, OSError, InputChanged.
    """
    rest = iter(chunks)
    if checkpoint and resume:
        for chunk, gathered, is_first in checkpoint.restore(rest):
            yield Batch(gathered, chunk.size if is_first else 0, restored=True)
    begun: list[Chunk] = []
    if jobs and small_here:
        begun += islice(rest, 1)
        if begun and not begun[0].is_stream:  # a stream must be read before the next chunk is requested
            begun += islice(rest, 1)
            jobs = jobs if len(begun) == 2 else 0
    with closing(_gathered(chain(begun, rest), task, jobs, seconds)) as found:
        for chunk, batches in found:
            size = chunk.size
            for gathered in checkpoint.save(chunk, batches) if checkpoint else batches:
                yield Batch(gathered, size, restored=False)
                size = 0


def _gathered(chunks: Iterable[Chunk], task: ChunkTask, jobs: int, seconds: float | None) -> Gathered:
    if not jobs:
        return ((chunk, task.batches(chunk)) for chunk in chunks)
    from hexrec.parallel.pool import in_pool

    return in_pool(chunks, task, jobs, seconds)
