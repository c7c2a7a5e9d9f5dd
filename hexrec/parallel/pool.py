"""Run chunks on a local process pool. A worker that dies or hangs is replaced, and the record is reported."""

from __future__ import annotations

import pickle
import zlib
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any

from hexrec.formats.base import Document
from hexrec.parallel import WorkersUnavailable
from hexrec.parallel.child import Prepare, Send
from hexrec.parallel.chunks import Chunk, Offset, Slice
from hexrec.parallel.tasks import ChunkTask
from hexrec.parallel.workers import Pool, TaskError, TaskTimeout, WorkerDied, in_thread
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.report import CRASHED

#: The default timeout of a chunk in seconds, about ten times the duration of the largest (32 MiB of turns).
_SECONDS = 1800.0
#: The maximum number of bytes of waiting chunks, if there are two or more.
_HELD = 64 << 20
#: Added to the message if reading fails at the record every time.
_HIDDEN = "; the rest of the file cannot be read, and was not checked"

#: Submit a chunk, or its only slice record by record from the record with this number.
Attempt = Callable[[Chunk, int | None], Future[list[Any]]]


def run_on_pool(
    chunks: Iterable[Chunk], task: ChunkTask, jobs: int, seconds: float | None
) -> Generator[tuple[Chunk, Iterator[Any]], None, None]:
    """Yield chunks in order, each with the results of the task. A stream is processed in this process.

    Raises WorkersUnavailable.
    """
    waiting: deque[tuple[Chunk, Future[list[Any]]]] = deque()
    with in_thread(Pool(jobs, _prepare(_work, task))) as submit:

        def attempt(chunk: Chunk, start: int | None = None) -> Future[list[Any]]:
            return submit((chunk, start), seconds or _SECONDS)

        def next_result() -> tuple[Chunk, Iterator[Any]]:
            chunk, begun = waiting.popleft()
            return chunk, _complete(chunk, begun, task, attempt)

        for chunk in chunks:
            if chunk.is_stream:
                while waiting:
                    yield next_result()
                yield chunk, task.batches(chunk)
                continue
            waiting.append((chunk, attempt(chunk)))
            while len(waiting) > 2 * jobs or (len(waiting) > 1 and sum(held.size for held, _ in waiting) > _HELD):
                yield next_result()
        while waiting:
            yield next_result()


def _complete(chunk: Chunk, begun: Future[list[Any]], task: ChunkTask, attempt: Attempt) -> Iterator[Any]:
    """Yield the results of a submitted chunk. After two deaths of workers, or an error, try each record separately."""
    for again in (False, True):
        try:
            parts = (attempt(chunk, None) if again else begun).result()
        except WorkerDied:  # perhaps killed by someone else
            continue
        except TaskError:
            break
        yield from map(_unpack, parts)
        return
    for slice in chunk.slices:
        for part in slice.split_lines():
            yield from _try_records(replace(chunk, slices=(part,)), task, attempt)


def _try_records(chunk: Chunk, task: ChunkTask, attempt: Attempt) -> Iterator[Any]:
    """Yield the results of the records of a slice, one by one. Report a record on which two workers died."""
    (slice,) = chunk.slices
    if slice.diagnostic:
        yield from task.batches(chunk)
        return
    start, suspect = 0, -1
    while True:
        failure = None
        try:
            parts = attempt(chunk, start).result()
        except TaskError as error:
            parts, failure = error.parts, error
        done = [part for part in parts if part is not None]
        yield from map(_unpack, done)
        start += len(done)
        if failure is None:
            return
        if done or (isinstance(failure, WorkerDied) and suspect != start):
            suspect = start
            continue
        is_line = slice.format == "jsonl"
        message = _describe(failure) + ("" if parts or is_line else _HIDDEN)
        diagnostic = Diagnostic(CRASHED, message, file=slice.name)
        blamed = Slice(slice.name, before=Offset(slice.before.records + start), diagnostic=diagnostic)
        yield from task.batches(replace(chunk, slices=(blamed,)))
        if is_line or not parts:
            return
        start += 1


def _describe(failure: TaskError) -> str:
    """Return the reason why a record could not be checked."""
    if isinstance(failure, WorkerDied):
        return f"the process working on this record ended twice; the last time, {failure}"
    if isinstance(failure, TaskTimeout):
        return f"the work on this record {failure} and was ended"
    return f"the program failed on this record: {failure}"


def _work(task: ChunkTask, attempt: tuple[Chunk, int | None], send: Send) -> None:
    """Send the results of a chunk in packed batches, or from record `start` on one by one, each after a None."""
    chunk, start = attempt
    if start is None:
        for gathered in task.batches(chunk):
            send(_pack(gathered))
        return
    (slice,) = chunk.slices
    before = slice.before._replace(records=slice.before.records + start)
    tried = _Tried(**{**vars(slice), "before": before}, skipped=start, send=send)
    for gathered in task.batches(replace(chunk, slices=(tried,)), 1):
        send(_pack(gathered))


@dataclass(frozen=True)
class _Tried(Slice):
    """A slice that skips its first records and sends a None before each other record."""

    skipped: int = 0
    send: Send = print

    def documents(self) -> Generator[Document]:
        documents = super().documents()
        try:
            deque(islice(documents, self.skipped), 0)
        except OSError:  # its report has been sent
            return
        for document in documents:
            self.send(None)
            yield document


def _pack(gathered: Any) -> bytes:
    """Compress results for the queue: a report can be a hundred times as large as a short broken record."""
    return zlib.compress(pickle.dumps(gathered, pickle.HIGHEST_PROTOCOL), 1)


def _unpack(part: bytes) -> Any:
    return pickle.loads(zlib.decompress(part))


def spread(function: Callable[[Any], Iterable[Any]], tasks: Iterable[object], jobs: int) -> Iterator[Any]:
    """Yield the items that a function returns for each task, in order, computed in worker processes.

    The function is pickled. Raises WorkersUnavailable, also for a task that fails or ends its process.
    """
    waiting: deque[Future[list[Any]]] = deque()
    with in_thread(Pool(jobs, _prepare(_send_each, function))) as submit:
        try:
            for task in tasks:
                waiting.append(submit(task, _SECONDS))
                if len(waiting) > 2 * jobs:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        except TaskError as error:
            raise WorkersUnavailable(str(error)) from None


def _prepare(work: Callable[[Any, Any, Send], None], first: object) -> Prepare:
    """Return a picklable function that returns a handler: `work` with its first argument."""
    return partial(partial, work, first)


def _send_each(function: Callable[[Any], Iterable[Any]], task: object, send: Send) -> None:
    for made in function(task):
        send(made)
