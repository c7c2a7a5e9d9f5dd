"""Handle a request with a body: read it, run its task on the pool, and count the result."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from hexrec.parallel.chunks import Offset
from hexrec.server import negotiation
from hexrec.server.dispatcher import Dispatcher
from hexrec.server.limits import SMALL_BODY, Limits
from hexrec.server.observability import Metrics
from hexrec.server.parameters import Parameters, refuse_repeated
from hexrec.server.problems import Problem
from hexrec.server.streaming import LinesResponse, answer_lines, read_body
from hexrec.server.tasks import Answer, Task


class Service:
    """State shared by all routes: limits, workers and metrics."""

    def __init__(self, limits: Limits, workers: int) -> None:
        self.limits = limits
        self.metrics = Metrics()
        self.dispatcher = Dispatcher(
            workers, limits.memory, limits.wait, lambda reason: self.metrics.replaced.labels(reason).inc()
        )
        pool = self.dispatcher.pool
        self.metrics.add_gauge("hexrec_workers", "Processes that do the work.", lambda: pool.workers)
        self.metrics.add_gauge("hexrec_workers_idle", "Processes that are idle.", lambda: pool.idle)

    async def respond(self, request: Request, task: Task, media_type: str, *, by_line: bool) -> Response:
        """Read the body and return the response to a task. Raises Problem and ClientDisconnect."""
        # Compressed bodies are not streamed: only workers, which can be killed, decompress.
        if by_line and task.notation == "jsonl" and task.unpacks_to is None:
            return await self._stream(request, task, media_type)
        body = await read_body(request, self.limits)
        answer = await self._run_for(request, replace(task, body=body))
        return Response(answer.body, headers=dict(answer.headers), media_type=media_type)

    async def _stream(self, request: Request, task: Task, media_type: str) -> Response:
        plies, seconds, size = task.plies, self.limits.seconds, 0

        async def chunk(lines: bytes, offset: Offset) -> Answer:
            nonlocal plies, seconds, size
            size += len(lines)
            left = task.records - offset.records
            part = replace(task, body=lines, offset=offset, records=left, plies=plies, partial=True, packed=False)
            answer, spent = await self._run(part, seconds, bulk=size > SMALL_BODY)
            plies -= answer.turns
            seconds -= spent
            return answer

        answers = answer_lines(request, self.limits, chunk)
        first = await anext(answers)  # a problem here can still set the status
        return LinesResponse(first, answers, media_type, self.limits.body_seconds)

    async def _run_for(self, request: Request, task: Task) -> Answer:
        """Run the task of a request with its body. Raises Problem and ClientDisconnect."""
        bulk = len(task.body) > SMALL_BODY or task.unpacks_to is not None
        work = asyncio.create_task(self._run(task, self.limits.seconds, bulk=bulk))
        leaves = asyncio.create_task(_wait_for_disconnect(request))
        try:
            await asyncio.wait((work, leaves), return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise ClientDisconnect
            answer, _ = work.result()
            return answer
        finally:
            work.cancel()
            leaves.cancel()

    async def _run(self, task: Task, seconds: float, *, bulk: bool) -> tuple[Answer, float]:
        if seconds <= 0:
            raise Problem("too-much-work", "timeout: send fewer or shorter records in a body")
        answer, spent = await self.dispatcher.run(task, seconds, bulk=bulk)
        self.metrics.count(answer.summary)
        return answer, spent


async def respond(
    request: Request,
    kind: type[Task],
    given: Parameters,
    media_type: str | None = None,
    *,
    by_line: bool = False,
    **fields: Any,
) -> Response:
    """Return the response to a request, by default as JSON. With `by_line`, JSON Lines are streamed.

    `fields` are further fields of the task. Raises Problem and ClientDisconnect.
    """
    refuse_repeated(name for name, _ in request.query_params.multi_items())
    service: Service = request.app.state.service
    media_type = media_type or negotiation.media_type(request, (negotiation.JSON,))
    notation = getattr(given, "notation", None) or negotiation.format_of(request.headers.get("content-type"))
    task = kind(
        body=b"",
        given=given,
        notation=notation,
        records=service.limits.records,
        plies=service.limits.plies,
        packed=negotiation.accepts_gzip(request),
        unpacks_to=service.limits.body if negotiation.is_gzip(request) else None,
        **fields,
    )
    return await service.respond(request, task, media_type, by_line=by_line)


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
