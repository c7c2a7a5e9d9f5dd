"""Handle a request with a body: read it, run its task on the pool, count the result, answer timeouts and crashes."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from hexrec.parallel import TaskFailed, TaskTimeout, WorkerDied, WorkersUnavailable
from hexrec.parallel.workers import Pool
from hexrec.server import negotiation
from hexrec.server.limits import Limits
from hexrec.server.middleware import Metrics
from hexrec.server.problems import Problem
from hexrec.server.tasks import Answer, Operation, Task, answer_here, prepare

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

    def _count(self, answer: Answer | Problem) -> Answer:
        """Count an answer and return it. Raises Problem."""
        if isinstance(answer, Problem):
            raise answer
        self.metrics.count(answer.summary)
        return answer

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


async def respond(request: Request, operation: Operation) -> Response:
    """Return the response to a request. Raises Problem and ClientDisconnect."""
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
    task.body = await _read_body(request, service.limits)
    answer = await service.answer(request, task)
    return Response(answer.body, headers=dict(answer.headers), media_type=media_type)


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _read_body(request: Request, limits: Limits) -> bytes:
    """Return the body of a request. Raises Problem and ClientDisconnect."""
    too_large = Problem("body-too-large", f"too large: send at most {limits.body} bytes")
    if int(request.headers.get("content-length", 0)) > limits.body:
        raise too_large
    body = bytearray()
    parts = request.stream()
    while True:
        try:
            async with asyncio.timeout(limits.body_seconds):
                body += await anext(parts)
        except StopAsyncIteration:
            return bytes(body)
        except TimeoutError:
            message = f"timeout: send each part of the body within {limits.body_seconds:g} seconds"
            raise Problem("body-too-slow", message) from None
        if len(body) > limits.body:
            raise too_large
