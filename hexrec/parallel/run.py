"""A run: chunks, their runner and their checkpoint together; all results in place."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from itertools import chain, islice
from typing import Any, NamedTuple

from hexrec.io.stamps import InputChanged, compare, stamp
from hexrec.parallel.checkpoint import Checkpoint
from hexrec.parallel.chunks import START, Chunk
from hexrec.parallel.runners import ChunkResults, InProcessRunner, Runner
from hexrec.parallel.tasks import ChunkResult, ChunkTask, shift_result


class Batch(NamedTuple):
    """The results of a chunk, or of a part of one.

    Attributes:
        gathered: what the task gathered, in its place in the input.
        size: how many bytes of input are finished with it.
        restored: whether it was known from an earlier run.
    """

    gathered: Any
    size: int
    restored: bool


def run(
    chunks: Iterable[Chunk],
    task: ChunkTask,
    runner: Callable[[], Runner] | None,
    checkpoint: Checkpoint | None = None,
    *,
    resume: bool = False,
    small_here: bool = False,
) -> Generator[Batch, None, None]:
    """Yield what the task gathers from chunks, in their order.

    What is gathered does not depend on the runner, which is made when there is a chunk. If it is None, this process
    works on all chunks; with `small_here`, also on the only one that there is. With a checkpoint, results are
    saved; with `resume`, the run begins with those saved before. Raises RunnerError, CheckpointError, OSError,
    InputChanged.
    """
    rest = iter(chunks)
    known: Iterable[tuple[Chunk, ChunkResult]] = checkpoint.restore(rest) if checkpoint and resume else ()
    with closing(_unchanged(_begun(rest, task, runner, small_here))) as begun:
        fresh = checkpoint.save(begun) if checkpoint else begun
        offset = START
        for restored, results in ((True, known), (False, fresh)):
            for chunk, result in results:
                offset = (chunk.slices and chunk.slices[0].before) or offset
                gathered, offset = shift_result(result, offset, task)
                yield Batch(gathered, chunk.size if result.digest else 0, restored)


def _begun(
    chunks: Iterator[Chunk], task: ChunkTask, runner: Callable[[], Runner] | None, small_here: bool
) -> ChunkResults:
    """Yield the results of chunks, once the first is asked for."""
    begun: list[Chunk] = []
    if runner is not None:
        begun += islice(chunks, 1)
        if begun and small_here and begun[0].stream is None:  # a stream is read before the next chunk is asked for
            begun += islice(chunks, 1)
            runner = runner if len(begun) == 2 else None
    chosen = runner() if runner is not None and begun else InProcessRunner()
    yield from chosen.run(chain(begun, chunks), task)


def _unchanged(results: ChunkResults) -> ChunkResults:
    """Pass results on as long as the files are as they were when they were split. Raises InputChanged."""
    with closing(results):
        for chunk, result in results:
            if result.changed is not None:
                raise InputChanged(result.changed)
            for slice in chunk.slices if result.digest else ():
                if slice.is_part:
                    compare(slice.name, slice.stamp, stamp(slice.name))
            yield chunk, result
