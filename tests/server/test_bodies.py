"""Streams from within: what waits for whom."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.types import Message

from hexrec.parallel.chunks import Offset
from hexrec.server.limits import Limits
from hexrec.server.streaming import answer_lines
from hexrec.server.tasks import Answer
from hexrec.validation.summary import Summary

SCOPE = {"type": "http", "headers": []}


async def answer(lines: bytes, _: Offset) -> Answer:
    return Answer(lines, Summary(records=1))


def test_a_body_is_read_to_its_end_while_answers_wait() -> None:
    sent = 0

    async def receive() -> Message:
        nonlocal sent
        sent += 1
        return {"type": "http.request", "body": b"%d\n" % sent, "more_body": sent < 10}

    async def run() -> list[bytes]:
        answers = answer_lines(Request(SCOPE, receive), Limits(), answer)
        first = await anext(answers)
        for _ in range(100):
            await asyncio.sleep(0)
        assert sent == 10
        return [first, *[each async for each in answers]]

    assert asyncio.run(run()) == [b"%d\n" % number for number in range(1, 11)]
