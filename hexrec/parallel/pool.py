"""A pool of processes on this machine works on chunks. One that ends or hangs is replaced, and its record named."""

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
from hexrec.parallel.child import Handler, Send
from hexrec.parallel.chunks import Chunk, Offset, Slice
from hexrec.parallel.process import TaskError, TaskTimeout, WorkerDied
from hexrec.parallel.tasks import ChunkTask
from hexrec.parallel.worker_pool import Pool, in_thread
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.report import CRASHED

#: How many seconds a process may work on a chunk: by an estimate more than ten times what
#: the largest takes, 32 MiB of turns.
_SECONDS = 1800.0
#: How many bytes of chunks are held at most, if there are two of them.
_HELD = 64 << 20
#: What a reader that always fails at a record adds to the message.
_HIDDEN = "; what follows it in the file cannot be read, and was not judged"

#: Has a process work on a chunk, or try its only slice record by record from a certain one on.
Attempt = Callable[[Chunk, int | None], Future[list[Any]]]


def in_pool(
    chunks: Iterable[Chunk], task: ChunkTask, jobs: int, seconds: float | None
) -> Generator[tuple[Chunk, Iterator[Any]], None, None]:
    """Yield chunks, in order, each with what the task gathers from it. A stream is read in this process.

    Raises WorkersUnavailable.
    """
    seconds = seconds or _SECONDS
    waiting: deque[tuple[Chunk, Future[list[Any]]]] = deque()
    with in_thread(Pool(jobs, partial(prepare, task))) as submit:

        def attempt(chunk: Chunk, start: int | None = None) -> Future[list[Any]]:
            return submit((chunk, start), seconds)

        def next_result() -> tuple[Chunk, Iterator[Any]]:
            chunk, begun = waiting.popleft()
            return chunk, _outcome(chunk, begun, task, attempt)

        for chunk in chunks:
            if chunk.is_stream:
                while waiting:
                    yield next_result()
                yield chunk, task.batches(chunk)
                continue
            waiting.append((chunk, attempt(chunk)))
            while len(waiting) > 2 * jobs or (len(waiting) > 1 and sum(each.size for each, _ in waiting) > _HELD):
                yield next_result()
        while waiting:
            yield next_result()


def _outcome(chunk: Chunk, begun: Future[list[Any]], task: ChunkTask, attempt: Attempt) -> Iterator[Any]:
    """Yield what is gathered from a chunk that was begun. After two deaths, or an error, its records are tried."""
    deaths = 0
    while deaths < 2:
        try:
            parts = (attempt(chunk, None) if deaths else begun).result()
        except WorkerDied:  # perhaps killed by someone else
            deaths += 1
        except TaskError:
            break
        else:
            yield from map(_unpacked, parts)
            return
    for slice in chunk.slices:
        for each in slice.lines_apart():
            yield from _by_record(replace(chunk, slices=(each,)), task, attempt)


def _by_record(chunk: Chunk, task: ChunkTask, attempt: Attempt) -> Iterator[Any]:
    """Yield what is gathered from the records of a slice, each by itself. One that ends two processes is named."""
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
        yield from map(_unpacked, done)
        start += len(done)
        if failure is None:
            return
        if done or (isinstance(failure, WorkerDied) and suspect != start):
            suspect = start
            continue
        is_line = slice.format == "jsonl"
        message = _reason(failure) + ("" if parts or is_line else _HIDDEN)
        diagnostic = Diagnostic(CRASHED, message, file=slice.name)
        blamed = Slice(slice.name, before=Offset(slice.before.records + start), diagnostic=diagnostic)
        yield from task.batches(replace(chunk, slices=(blamed,)))
        if is_line or not parts:
            return
        start += 1


def _reason(failure: TaskError) -> str:
    """Return why a record could not be judged."""
    if isinstance(failure, WorkerDied):
        return f"the process working on this record ended twice; the last time, {failure}"
    if isinstance(failure, TaskTimeout):
        return f"the work on this record {failure} and was ended"
    return f"the program failed on this record: {str(failure).strip().rpartition(chr(10))[2]}"


def prepare(task: ChunkTask) -> Handler:
    """Return what a process does with each chunk."""
    return partial(_work, task)


def _work(task: ChunkTask, attempt: tuple[Chunk, int | None], send: Send) -> None:
    """Send what is gathered from a chunk, in packed batches; from each record, after a None, if records are tried."""
    chunk, start = attempt
    if start is None:
        for gathered in task.batches(chunk):
            send(_packed(gathered))
        return
    (slice,) = chunk.slices
    before = slice.before._replace(records=slice.before.records + start)
    tried = _Tried(**{**vars(slice), "before": before}, skipped=start, send=send)
    for gathered in task.batches(replace(chunk, slices=(tried,)), 1):
        send(_packed(gathered))


@dataclass(frozen=True)
class _Tried(Slice):
    """A slice whose first records are skipped; the reading of every other one is announced."""

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


def _packed(gathered: Any) -> bytes:
    """Return something as it travels and waits. Reports take a hundred times as much as broken records of few bytes."""
    return zlib.compress(pickle.dumps(gathered, pickle.HIGHEST_PROTOCOL), 1)


def _unpacked(part: bytes) -> Any:
    return pickle.loads(zlib.decompress(part))


def spread(function: Callable[[Any], Iterable[Any]], tasks: Iterable[object], jobs: int) -> Iterator[Any]:
    """Yield what a function returns for each task, in order, from processes to which it travels.

    Raises WorkersUnavailable, also for a task that ends its process.
    """
    waiting: deque[Future[list[Any]]] = deque()
    with in_thread(Pool(jobs, partial(_prepare_function, function))) as submit:
        try:
            for task in tasks:
                waiting.append(submit(task, _SECONDS))
                if len(waiting) > 2 * jobs:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        except TaskError as error:
            raise WorkersUnavailable(str(error).strip().rpartition("\n")[2]) from None


def _prepare_function(function: Callable[[Any], Iterable[Any]]) -> Handler:
    return partial(_send_each, function)


def _send_each(function: Callable[[Any], Iterable[Any]], task: object, send: Send) -> None:
    for made in function(task):
        send(made)
