"""Run a task on chunks, with a checkpoint."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from itertools import chain, islice
from typing import Any, NamedTuple

from hexrec.parallel.checkpoint import Checkpoint
from hexrec.parallel.chunks import Chunk
from hexrec.parallel.tasks import ChunkTask


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
    last = None
    if checkpoint and resume:
        for chunk, gathered in checkpoint.restore(rest):
            yield Batch(gathered, 0 if chunk is last else chunk.size, restored=True)
            last = chunk
    begun = [last] if last else [*islice(rest, 1)]
    if jobs and small_here and begun and not begun[0].is_stream:
        # A stream must be read before the next chunk is requested.
        begun += islice(rest, 1)
        jobs = jobs if len(begun) == 2 else 0
    if jobs:
        from hexrec.parallel.pool import run_on_pool

        results = run_on_pool(chain(begun, rest), task, jobs, seconds)
    else:
        results = ((chunk, task.batches(chunk)) for chunk in chain(begun, rest))
    with closing(results):
        for chunk, batches in results:
            size = 0 if chunk is last else chunk.size
            for gathered in checkpoint.save(chunk, batches) if checkpoint else batches:
                yield Batch(gathered, size, restored=False)
                size = 0
