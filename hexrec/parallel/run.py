"""Run a task on chunks, here or on a local pool of workers.

A chunk whose worker dies twice, or that fails, is tried record by record, and each record that fails alone is reported.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from hexrec.parallel import TaskError, TaskFailed, TaskTimeout, WorkerDied, WorkersUnavailable
from hexrec.parallel.chunks import Chunk, Slice
from hexrec.parallel.tasks import ChunkTask
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.report import CRASHED

#: The default timeout of a chunk in seconds, about ten times the duration of the largest (32 MiB of turns).
_SECONDS = 1800.0
#: The maximum number of bytes of waiting chunks, if there are two or more.
_HELD = 64 << 20

#: The reasons why a record could not be checked.
_MESSAGES = {
    WorkerDied: "the process working on this record ended twice; the last time, {}",
    TaskTimeout: "the work on this record {} and was ended",
    TaskFailed: "the program failed on this record: {}",
}

if TYPE_CHECKING:  # small runs have no workers
    from concurrent.futures import Future

    #: Submit a chunk, to be done in batches or record by record; the future has the parts of the answer.
    Submit = Callable[[tuple[Chunk, bool]], Future[list[Any]]]


class Batch(NamedTuple):
    """The results of up to two thousand records.

    Attributes:
        gathered: the results of the task, as `ChunkTask.join` returns them.
        size: the number of bytes of the chunk in its first batch; 0 in later batches.
    """

    gathered: Any
    size: int


def run(
    chunks: Iterable[Chunk],
    task: ChunkTask,
    jobs: int = 0,
    seconds: float | None = None,
    *,
    one_chunk_here: bool = False,
) -> Generator[Batch, None, None]:
    """Yield the results of a task on chunks, in order.

    The task runs in `jobs` worker processes with a timeout of `seconds` per chunk. It runs in this process if there are
    no jobs or, with `one_chunk_here`, if there is only one chunk. Raises WorkersUnavailable, InputChanged.
    """
    remaining = iter(chunks)
    begun = [*islice(remaining, 1)]
    if jobs and one_chunk_here and begun and not begun[0].is_stream:
        # A stream must be read before the next chunk is requested.
        begun += islice(remaining, 1)
        jobs = jobs if len(begun) == 2 else 0
    if jobs:
        results = _run_on_pool(chain(begun, remaining), task, jobs, seconds or _SECONDS)
    else:
        results = ((chunk, task.batches(chunk)) for chunk in chain(begun, remaining))
    with closing(results):
        for chunk, batches in results:
            size = chunk.size
            for gathered in batches:
                yield Batch(gathered, size)
                size = 0


def _run_on_pool(
    chunks: Iterable[Chunk], task: ChunkTask, jobs: int, seconds: float
) -> Generator[tuple[Chunk, Iterator[Any]], None, None]:
    """Yield chunks in order, each with its results. A stream is processed in this process."""
    from hexrec.parallel.workers import Pool, in_thread

    # Until so much memory was freed at once, glibc returns that of each chunk to the system, and asks for it again:
    # a quarter of the time of this process.
    bytes(16 << 20)
    waiting: deque[tuple[Chunk, Iterator[Any]]] = deque()
    # A worker calls the outer function, which returns the handler of its tasks.
    with in_thread(Pool(jobs, partial(partial, _work, task)), seconds) as submit:
        for chunk in chunks:
            begun = None if chunk.is_stream else submit((chunk, False))
            waiting.append((chunk, _complete(chunk, begun, task, submit) if begun else task.batches(chunk)))
            while waiting and (
                chunk.is_stream
                or len(waiting) > 2 * jobs
                or (len(waiting) > 1 and sum(held.size for held, _ in waiting) > _HELD)
            ):
                yield waiting.popleft()
        while waiting:
            yield waiting.popleft()


def _complete(chunk: Chunk, begun: Future[list[Any]], task: ChunkTask, submit: Submit) -> Iterator[Any]:
    """Yield the results of a submitted chunk. If it failed, try each record separately."""
    try:
        yield from map(_unpack, begun.result())
    except TaskError:
        for slice in chunk.slices:
            yield from _try_records(replace(chunk, slices=(slice,)), task, submit)


def _try_records(chunk: Chunk, task: ChunkTask, submit: Submit) -> Iterator[Any]:
    """Yield the results of the records of a slice one by one. Report each record that fails when it is the first."""
    slice: Slice | None = chunk.slices[0]
    while slice:
        failure = None
        try:
            parts = submit((replace(chunk, slices=(slice,)), True)).result()
        except TaskError as error:
            parts, failure = error.parts, error
        results = [part for part in parts if part is not None]
        yield from map(_unpack, results)
        if failure is None:
            return
        if results:
            slice = slice.skip(len(results))
            continue
        message = _MESSAGES[type(failure)].format(failure)
        is_readable = slice.format == "jsonl" or None in parts
        if not is_readable:
            message += "; the rest of the file cannot be read, and was not checked"
        blamed = Slice(slice.name, before=slice.before, diagnostic=Diagnostic(CRASHED, message, file=slice.name))
        yield from task.batches(replace(chunk, slices=(blamed,)))
        slice = slice.skip(1) if is_readable else None


def _work(task: ChunkTask, submitted: tuple[Chunk, bool]) -> Iterator[tuple[bytes, bool] | None]:
    """Yield the results of a chunk, pickled, each with whether it is compressed.

    Results larger than the chunk are compressed: a report can be a hundred times as large as a short broken record.
    """
    import pickle
    import zlib

    chunk, singly = submitted
    for gathered in task.batches(chunk, singly=singly):
        if gathered is None:
            yield None
            continue
        data = pickle.dumps(gathered, pickle.HIGHEST_PROTOCOL)
        is_large = len(data) > chunk.size
        yield zlib.compress(data, 1) if is_large else data, is_large


def _unpack(part: tuple[bytes, bool]) -> Any:
    import pickle
    import zlib

    data, is_compressed = part
    return pickle.loads(zlib.decompress(data) if is_compressed else data)


def spread(function: Callable[[Any], Iterable[Any]], tasks: Iterable[object], jobs: int) -> Iterator[Any]:
    """Yield the items that a function returns for each task, in order, computed here or by several worker processes.

    The function is pickled. Raises WorkersUnavailable, also for a task that fails or ends its process.
    """
    if jobs == 1:
        yield from chain.from_iterable(map(function, tasks))
        return
    from hexrec.parallel.workers import Pool, in_thread

    with in_thread(Pool(jobs, partial(partial, function)), _SECONDS) as submit:
        begun = map(submit, tasks)
        waiting = deque(islice(begun, 2 * jobs))
        try:
            while waiting:
                yield from waiting.popleft().result()
                waiting.extend(islice(begun, 1))
        except TaskError as error:
            raise WorkersUnavailable(str(error)) from None
