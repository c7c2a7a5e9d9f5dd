"""Streams from within: what waits for whom."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.types import Message

from hexrec.batch.tasks import Offset
from hexrec.server.limits import Limits
from hexrec.server.streaming import LineStream
from hexrec.server.tasks import Answer
from hexrec.summary import Summary

PARTS = 10


class Client:
    """Sends lines of ten bytes and looks at no answer before it is told to."""

    def __init__(self) -> None:
        self.sent = 0

    async def receive(self) -> Message:
        self.sent += 1
        return {"type": "http.request", "body": b"0123456789"[:-1] + b"\n", "more_body": self.sent < PARTS}


def streamed(answer: bytes, then: Callable[[Client], object]) -> list[bytes]:
    """Return the answers to all lines, taken only after the stream has come to a rest and `then` has been called."""

    async def chunk(lines: bytes, offset: Offset) -> Answer:
        del lines, offset
        return Answer(answer, Summary(records=1))

    async def run() -> list[bytes]:
        client = Client()
        scope = {"type": "http", "headers": []}
        stream = LineStream(Request(scope, client.receive), Limits(body=PARTS * 10), chunk)
        await stream.begin()
        for _ in range(100):
            await asyncio.sleep(0)
        then(client)
        found = [each async for each in stream.answers()]
        await stream.close()
        return found

    return asyncio.run(run())


def test_a_body_is_read_to_its_end_while_answers_wait() -> None:
    sent: list[int] = []
    assert streamed(b"answer\n", lambda client: sent.append(client.sent)) == [b"answer\n"] * PARTS
    assert sent == [PARTS]


@pytest.mark.parametrize(("size", "expected"), [(100, 3), (199, 3), (200, 2)])
def test_no_more_is_read_while_too_much_waits(size: int, expected: int) -> None:
    """As much as two bodies of the largest size; one more answer is ready."""
    sent: list[int] = []
    large = b"x" * size
    assert streamed(large, lambda client: sent.append(client.sent)) == [large] * PARTS
    assert sent == [expected]


def test_a_client_that_leaves_ends_a_stream() -> None:
    async def leave() -> Message:
        return {"type": "http.disconnect"}

    async def run() -> None:
        async def chunk(lines: bytes, offset: Offset) -> Answer:
            raise AssertionError((lines, offset))

        stream = LineStream(Request({"type": "http", "headers": []}, leave), Limits(), chunk)
        with pytest.raises(ClientDisconnect):
            await stream.begin()

    asyncio.run(run())
