"""Bodies of requests: read whole, or answered line by line as they come."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from hexrec.batch.chunks import is_text
from hexrec.batch.tasks import START, Offset
from hexrec.notations.base import BYTE_ORDER_MARK, WHITESPACE
from hexrec.server.limits import Limits
from hexrec.server.problems import Problem
from hexrec.server.tasks import Answer

_LOG = logging.getLogger("hexrec.server")
#: How many bytes of answers may wait for a client, in bodies of the largest size.
_MAX_PENDING = 2
#: Does something with whole lines of a body, given what came before them.
AnswerLines = Callable[[bytes, Offset], Awaitable[Answer]]


async def read_body(request: Request, limits: Limits) -> bytes:
    """Return the body of a request. Raises Problem and ClientDisconnect."""
    body = bytearray()
    async for part in _body_parts(request, limits, limits.body_seconds):
        body += part
    return bytes(body)


async def _body_parts(request: Request, limits: Limits, seconds: float) -> AsyncIterator[bytes]:
    """Yield the parts of a body as they arrive. Raises ClientDisconnect, and Problem after `seconds` too."""
    too_large = Problem("body-too-large", f"a body may have at most {limits.body} bytes")
    if int(request.headers.get("content-length", 0)) > limits.body:
        raise too_large
    size = 0
    end = asyncio.get_running_loop().time() + seconds
    while True:
        try:
            async with asyncio.timeout_at(end):
                message = await request.receive()
        except TimeoutError:
            raise Problem("body-too-slow", f"a body may take {seconds:g} seconds") from None
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        part = message.get("body", b"")
        size += len(part)
        if size > limits.body:
            yield part[: limits.body - size]
            raise too_large
        yield part
        if not message.get("more_body", False):
            return


class LineStream:
    """JSON Lines that are answered while they come.

    Answers that the client does not take wait here while the rest of the body is read: many clients send all they have
    before they look at an answer.
    """

    def __init__(self, request: Request, limits: Limits, chunk: AnswerLines) -> None:
        self._request = request
        self._limits = limits
        self._chunk = chunk
        self._pending: deque[bytes] = deque()
        self._size = 0
        self._problem: Exception | None = None
        self._ended = False
        self._ignoring = False
        self._offset = START
        self._changed = asyncio.Condition()
        self._pump = asyncio.create_task(self._run())

    async def begin(self) -> None:
        """Wait until there is an answer. Raises Problem and ClientDisconnect if there will be none."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._pending or self._ended)
        if self._problem and not self._pending:
            raise self._problem

    async def answers(self) -> AsyncIterator[bytes]:
        """Yield the answers. If a problem ends them, it is the last."""
        while True:
            async with self._changed:
                await self._changed.wait_for(lambda: self._pending or self._ended)
                if not self._pending:
                    break
                found = self._pending.popleft()
                self._size -= len(found)
                self._changed.notify_all()
            yield found
        if isinstance(self._problem, Problem):
            yield self._problem.as_line()

    async def close(self) -> None:
        """End it, whatever has come so far."""
        self._pump.cancel()
        await asyncio.wait([self._pump])

    async def _run(self) -> None:
        try:
            await self._read()
        except (Problem, ClientDisconnect) as problem:
            self._problem = problem
        except Exception:
            _LOG.exception("a body could not be answered")
            self._problem = Problem("failed", "this is an error in hexrec: report it, with the body")
        finally:
            async with self._changed:
                self._ended = True
                self._changed.notify_all()

    async def _read(self) -> None:
        held = bytearray()
        async for part in _body_parts(self._request, self._limits, self._limits.stream_seconds):
            lines, end, rest = part.rpartition(b"\n")
            if end:
                await self._answer(bytes(held) + lines + end)
                held = bytearray(rest)
            else:
                held += part
        await self._answer(bytes(held))
        if not self._offset.records:
            self._offset = START
            await self._answer(b"", even_blank=True)

    async def _answer(self, lines: bytes, *, even_blank: bool = False) -> None:
        """Answer whole lines. Nothing that follows a first line that is no text is looked at."""
        content = lines.removeprefix(BYTE_ORDER_MARK) if self._offset == START else lines
        if self._ignoring or not (even_blank or content.strip(WHITESPACE)):
            self._offset = self._offset._replace(lines=self._offset.lines + lines.count(b"\n"))
            return
        self._ignoring = self._offset == START and not is_text(lines)
        answer = await self._chunk(lines, self._offset)
        records = self._offset.records + answer.summary.records
        self._offset = Offset(records, self._offset.lines + lines.count(b"\n"))
        if answer.body:
            async with self._changed:
                await self._changed.wait_for(lambda: self._size < _MAX_PENDING * self._limits.body)
                self._pending.append(answer.body)
                self._size += len(answer.body)
                self._changed.notify_all()
        if answer.problem is not None:
            raise answer.problem


class LinesResponse(Response):
    """The answers of a stream, sent as they come. Raises TimeoutError at a client that does not take them."""

    def __init__(self, stream: LineStream, media_type: str, seconds: float) -> None:
        """`seconds` is how long a client may take for one answer."""
        super().__init__(media_type=media_type)
        del self.headers["content-length"]
        self._stream = stream
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send them."""
        del scope, receive
        try:
            await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
            async for answer in self._stream.answers():
                async with asyncio.timeout(self._seconds):
                    await send({"type": "http.response.body", "body": answer, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            await self._stream.close()
