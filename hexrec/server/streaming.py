"""Request bodies: read whole, or streamed line by line."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing

from starlette.requests import ClientDisconnect, Request
from starlette.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from hexrec.formats.base import BYTE_ORDER_MARK, WHITESPACE
from hexrec.parallel.chunks import START, Offset, is_text
from hexrec.server.limits import Limits
from hexrec.server.problems import Problem
from hexrec.server.tasks import Answer

_LOG = logging.getLogger("hexrec.server")
#: Answers whole lines of a body, given the offset of the first.
AnswerLines = Callable[[bytes, Offset], Awaitable[Answer]]


async def read_body(request: Request, limits: Limits) -> bytes:
    """Return the body of a request. Raises Problem and ClientDisconnect."""
    body = bytearray()
    async for part in _body_parts(request, limits, limits.body_seconds):
        body += part
    return bytes(body)


async def _body_parts(request: Request, limits: Limits, seconds: float) -> AsyncIterator[bytes]:
    """Yield the parts of a body as they arrive, for at most `seconds`. Raises Problem and ClientDisconnect."""
    too_large = Problem("body-too-large", f"too large: send at most {limits.body} bytes")
    if int(request.headers.get("content-length", 0)) > limits.body:
        raise too_large
    size = 0
    end = asyncio.get_running_loop().time() + seconds
    while True:
        try:
            async with asyncio.timeout_at(end):
                message = await request.receive()
        except TimeoutError:
            raise Problem("body-too-slow", f"timeout: send the body within {seconds:g} seconds") from None
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


async def answer_lines(request: Request, limits: Limits, answer: AnswerLines) -> AsyncGenerator[bytes]:
    """Yield the answers to JSON Lines as they arrive. Raises Problem and ClientDisconnect.

    Reading continues while answers wait, because many clients send the whole body before they read.
    """
    waiting: asyncio.Queue[bytes | Exception | None] = asyncio.Queue()

    async def read() -> None:
        try:
            async for part in _answers(request, limits, answer):
                waiting.put_nowait(part)
            waiting.put_nowait(None)
        except Exception as error:
            waiting.put_nowait(error)

    reading = asyncio.create_task(read())
    try:
        while (part := await waiting.get()) is not None:
            if isinstance(part, Exception):
                raise part
            yield part
    finally:
        reading.cancel()
        await asyncio.wait([reading])


async def _answers(request: Request, limits: Limits, answer: AnswerLines) -> AsyncIterator[bytes]:
    """Yield the answers to whole lines. Ignore all lines after a first line that is binary."""
    offset, ignoring = START, False
    async for lines in _whole_lines(request, limits):
        content = lines.removeprefix(BYTE_ORDER_MARK) if offset == START else lines
        if content.strip(WHITESPACE) and not ignoring:
            ignoring = offset == START and not is_text(lines)
            part = await answer(lines, offset)
            offset = offset._replace(records=offset.records + part.summary.records)
            if part.body:
                yield part.body
            if part.problem is not None:
                raise part.problem
        offset = offset._replace(lines=offset.lines + lines.count(b"\n"))
    if not offset.records:
        yield (await answer(b"", START)).body


async def _whole_lines(request: Request, limits: Limits) -> AsyncIterator[bytes]:
    held = bytearray()
    async for part in _body_parts(request, limits, limits.stream_seconds):
        lines, end, rest = part.rpartition(b"\n")
        if end:
            yield bytes(held) + lines + end
            held = bytearray(rest)
        else:
            held += part
    yield bytes(held)


class LinesResponse(StreamingResponse):
    """A streamed response. Raises TimeoutError if the client does not read it."""

    def __init__(self, first: bytes, others: AsyncGenerator[bytes], media_type: str, seconds: float) -> None:
        """`seconds` is the timeout for sending one part."""
        super().__init__(_until_problem(first, others), media_type=media_type)
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the parts. `receive` is not used: the body may still be arriving."""
        del scope, receive

        async def send_in_time(message: Message) -> None:
            async with asyncio.timeout(self._seconds):
                await send(message)

        await self.stream_response(send_in_time)


async def _until_problem(first: bytes, others: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """Yield the parts; after an error, the last one is a problem."""
    async with aclosing(others):
        yield first
        try:
            async for part in others:
                yield part
        except ClientDisconnect:
            return
        except Problem as problem:
            yield problem.as_line()
        except Exception:
            _LOG.exception("a body could not be answered")
            yield Problem("failed", "this is an error in hexrec: report it, with the body").as_line()
