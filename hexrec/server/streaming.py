"""Request bodies: read whole, or streamed line by line."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing

from starlette.requests import ClientDisconnect, Request
from starlette.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from hexrec.output.report_json import to_text
from hexrec.server.limits import Limits
from hexrec.server.problems import Problem


async def read_parts(request: Request, limits: Limits) -> AsyncIterator[bytes]:
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


async def read_lines(request: Request, limits: Limits) -> AsyncIterator[bytes]:
    """Yield the whole lines of a body as they arrive. Raises Problem and ClientDisconnect."""
    held = bytearray()
    async for part in read_parts(request, limits):
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


class LinesResponse(StreamingResponse):
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
