"""Handle a request with a body: read it, run its task on the pool, count the result, and answer timeouts and crashes.

Bodies are read whole, or streamed line by line.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from functools import partial

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from hexrec.formats.json import is_text
from hexrec.output import to_text
from hexrec.parallel import TaskFailed, TaskTimeout, WorkerDied, WorkersUnavailable
from hexrec.parallel.chunks import START
from hexrec.parallel.workers import Pool
from hexrec.server import negotiation
from hexrec.server.limits import Limits
from hexrec.server.middleware import Metrics
from hexrec.server.problems import Problem
from hexrec.server.tasks import Answer, Operation, Task, answer_here
from hexrec.server.worker import prepare

_LOG = logging.getLogger("hexrec.server")

#: The maximum size of a small body in bytes. Larger ones leave a worker free for small ones.
_SMALL_BODY = 1 << 17


class Service:
    """State shared by all routes: limits, metrics, and a pool of workers that does the tasks of requests."""

    def __init__(self, limits: Limits, workers: int) -> None:
        self.limits = limits
        self.metrics = Metrics()
        self.pool = pool = Pool(workers, partial(prepare, limits.memory), self._report_loss)
        self.metrics.workers.set_function(lambda: len(pool.workers))
        self.metrics.idle.set_function(lambda: len(pool.idle))

    async def run(self, task: Task, seconds: float, *, bulk: bool) -> Answer:
        """Return the answer to a task, as `Pool.run` does, and count it. Raises Problem."""
        try:
            answer: Answer | Problem = (await self.pool.run(task, seconds, bulk=bulk, wait=self.limits.wait))[0]
        except WorkersUnavailable:
            raise Problem("busy", "no worker was free in time") from None
        except WorkerDied:
            raise Problem("busy", "2 processes working on this body ended") from None
        except TaskTimeout:
            raise Problem("too-much-work", "timeout: send fewer or shorter records in a body") from None
        except TaskFailed as error:
            _LOG.error("a task failed", extra={"data": {"traceback": error.traceback}})
            raise Problem("failed", "this is an error in hexrec: report it, with the body") from None
        return self._count(answer)

    async def _answer_part(self, task: Task, seconds: float, *, bulk: bool) -> Answer:
        """Return the answer to a body or a part of it: made here if that is certain to be quick, else by a worker."""
        answer = answer_here(task)
        if answer is None:
            return await self.run(task, seconds, bulk=bulk)
        return self._count(answer)

    def _count(self, answer: Answer | Problem) -> Answer:
        """Count an answer and return it. Raises Problem."""
        if isinstance(answer, Problem):
            raise answer
        self.metrics.count(answer.summary)
        return answer

    async def stream(self, request: Request, task: Task) -> Response:
        """Return a response that answers lines as they arrive. Raises Problem and ClientDisconnect."""
        answers = run_ahead(self._answer_lines(request, replace(task, partial=True, packed=False)))
        first = await anext(answers)  # a problem here can still set the status
        return _LinesResponse(first, answers, task.media_type, self.limits.body_seconds)

    async def _answer_lines(self, request: Request, task: Task) -> AsyncIterator[bytes]:
        """Yield the answers to whole lines as they arrive. Ignore all lines after a first line that is binary."""
        seconds, size, ignoring = self.limits.seconds, 0, False
        async for lines in _read_lines(request, self.limits):
            size += len(lines)
            offset = task.offset.after(lines)
            if offset.records > task.offset.records and not ignoring:
                ignoring = task.offset == START and not is_text(lines)
                answer = await self._answer_part(replace(task, body=lines), seconds, bulk=size > _SMALL_BODY)
                if answer.body:
                    yield answer.body
                if answer.problem is not None:
                    raise answer.problem
                seconds -= answer.seconds
                records, plies = task.records - answer.summary.records, task.plies - answer.turns
                task = replace(task, records=records, plies=plies)
            task = replace(task, offset=offset)
        if not task.offset.records:
            yield (await self.run(replace(task, offset=START), seconds, bulk=False)).body

    async def answer(self, request: Request, task: Task) -> Answer:
        """Return the answer to a whole body. Raises Problem and ClientDisconnect."""
        if (answer := answer_here(task)) is not None:
            return self._count(answer)
        bulk = len(task.body) > _SMALL_BODY or task.unpacks_to is not None
        work = asyncio.create_task(self.run(task, self.limits.seconds, bulk=bulk))
        leaves = asyncio.create_task(_wait_for_disconnect(request))
        try:
            await asyncio.wait((work, leaves), return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise ClientDisconnect
            return work.result()
        finally:
            work.cancel()
            leaves.cancel()

    def _report_loss(self, cause: str, reason: str) -> None:
        if cause == "start":
            _LOG.error("a worker cannot be started", extra={"data": {"reason": reason}})
            return
        if cause == "gone":
            _LOG.error("a worker ended", extra={"data": {"reason": reason}})
        self.metrics.replaced.labels(cause).inc()


async def respond(request: Request, operation: Operation, *, by_line: bool = False) -> Response:
    """Return the response to a request. With `by_line`, JSON Lines are streamed in JSON Lines.

    Raises Problem and ClientDisconnect.
    """
    service: Service = request.app.state.service
    headers = request.headers
    media_type = operation.choose_media_type(headers.get("accept"))
    notation = getattr(operation, "notation", None)
    if notation is None and not operation.reads_text:
        notation = negotiation.find_format(headers.get("content-type"))
    task = Task(
        operation,
        body=b"",
        notation=notation,
        records=service.limits.records,
        plies=service.limits.plies,
        media_type=media_type,
        packed=negotiation.accepts_gzip(headers.get("accept-encoding")),
        unpacks_to=service.limits.body if negotiation.is_gzip(headers.get("content-encoding")) else None,
    )
    # Compressed bodies are not streamed: only workers, which can be killed, decompress.
    if by_line and media_type == negotiation.LINES and task.notation == "jsonl" and task.unpacks_to is None:
        return await service.stream(request, task)
    task.body = b"".join([part async for part in _read_parts(request, service.limits)])
    answer = await service.answer(request, task)
    return Response(answer.body, headers=dict(answer.headers), media_type=media_type)


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _read_parts(request: Request, limits: Limits) -> AsyncIterator[bytes]:
    """Yield the parts of a body as they arrive. Raises Problem and ClientDisconnect."""
    too_large = Problem("body-too-large", f"too large: send at most {limits.body} bytes")
    if int(request.headers.get("content-length", 0)) > limits.body:
        raise too_large
    size = 0
    parts = request.stream()
    while True:
        try:
            async with asyncio.timeout(limits.body_seconds):
                part = await anext(parts)
        except StopAsyncIteration:
            return
        except TimeoutError:
            message = f"timeout: send each part of the body within {limits.body_seconds:g} seconds"
            raise Problem("body-too-slow", message) from None
        size += len(part)
        if size > limits.body:
            yield part[: limits.body - size]
            raise too_large
        yield part


async def _read_lines(request: Request, limits: Limits) -> AsyncIterator[bytes]:
    """Yield the whole lines of a body as they arrive. Raises Problem and ClientDisconnect."""
    held = bytearray()
    async for part in _read_parts(request, limits):
        lines, end, rest = part.rpartition(b"\n")
        if end:
            yield bytes(held) + lines + end
            held = bytearray(rest)
        else:
            held += part
    yield bytes(held)


async def run_ahead(parts: AsyncIterator[bytes]) -> AsyncGenerator[bytes]:
    """Yield parts of a response while further ones are made: many clients send the whole body before they read."""
    waiting: asyncio.Queue[bytes | Exception | None] = asyncio.Queue()

    async def make() -> None:
        try:
            async for part in parts:
                waiting.put_nowait(part)
            waiting.put_nowait(None)
        except Exception as error:
            waiting.put_nowait(error)

    making = asyncio.create_task(make())
    try:
        while (part := await waiting.get()) is not None:
            if isinstance(part, Exception):
                raise part
            yield part
    finally:
        making.cancel()
        await asyncio.wait([making])


class _LinesResponse(StreamingResponse):
    """A streamed response. Raises TimeoutError if the client does not read it."""

    def __init__(self, first: bytes, others: AsyncGenerator[bytes], media_type: str, seconds: float) -> None:
        """`seconds` is the timeout for sending one part."""
        super().__init__(_end_with_problem(first, others), media_type=media_type)
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the parts. `receive` is not used: the body may still be arriving."""
        del scope, receive

        async def send_in_time(message: Message) -> None:
            async with asyncio.timeout(self._seconds):
                await send(message)

        await self.stream_response(send_in_time)


async def _end_with_problem(first: bytes, others: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """Yield the parts; after an error, the last one is a problem."""
    async with aclosing(others):
        yield first
        try:
            async for part in others:
                yield part
        except ClientDisconnect:
            return
        except Problem as problem:
            yield to_text(problem.as_data()).encode() + b"\n"
