"""Lines that are answered as they come: the time that is left, byte-order marks, and who waits for whom."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator

import httpx
import pytest

from hexrec.server.handler import run_ahead
from hexrec.server.limits import Limits
from tests.server import in_process
from tests.server.in_process import Here
from tests.server.test_whole_answers import BROKEN, GAME, LINES, text

LIMITS = Limits(body=1_000_000, records=9, plies=40, seconds=7.0)


@pytest.fixture
def ask() -> Callable[..., tuple[httpx.Response, Here]]:
    """Ask a service whose workers seem to be at work for two seconds on each task."""

    def asked(path: str, body: bytes | Iterator[bytes], **headers: str) -> tuple[httpx.Response, Here]:
        with in_process.client(LIMITS) as client:
            here = client._transport.app.state.service.pool  # type: ignore[attr-defined]
            here.took = 2.0
            return client.post(path, content=body, headers={**headers, "Content-Type": LINES}), here

    return asked


@pytest.mark.parametrize("rest", [[], [b"\n"], [text(GAME).encode(), text(BROKEN).encode()]])
def test_a_byte_order_mark_that_comes_alone(ask: Callable[..., tuple[httpx.Response, Here]], rest: list[bytes]) -> None:
    parts = [b"\xef\xbb\xbf\n", *rest]
    whole, stream = (ask("/v1/validate", body, accept=LINES)[0] for body in (b"".join(parts), iter(parts)))
    assert stream.text == whole.text


def test_there_is_no_more_time_than_there_was(ask: Callable[..., tuple[httpx.Response, Here]]) -> None:
    answer, here = ask("/v1/score", iter([text(BROKEN).encode()] * 9), accept=LINES)
    assert len(here.tasks) == 4
    *_, last = answer.text.splitlines()
    assert '"type": "urn:hexrec:problem:too-much-work"' in last
    assert '"detail": "timeout: send fewer or shorter records in a body"' in last


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
