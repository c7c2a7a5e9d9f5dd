"""Streams from within: what waits for whom."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from hexrec.server.streaming import run_ahead


def test_a_body_is_read_to_its_end_while_answers_wait() -> None:
    made = []

    async def parts() -> AsyncIterator[bytes]:
        for number in range(10):
            made.append(number)
            yield b"%d" % number

    async def run() -> list[bytes]:
        answers = run_ahead(parts())
        first = await anext(answers)
        for _ in range(100):
            await asyncio.sleep(0)
        assert len(made) == 10
        return [first, *[each async for each in answers]]

    assert asyncio.run(run()) == [b"%d" % number for number in range(10)]
