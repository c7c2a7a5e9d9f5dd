"""What tasks are made of, and what is left for them: limits, seconds, parts of bodies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from starlette.requests import Request

from hexrec.server import handler
from hexrec.server.handler import Service
from hexrec.server.limits import SMALL_BODY, Limits
from hexrec.server.parameters import BodyParameters, Parameters, PlyParameters
from hexrec.server.problems import Problem
from hexrec.server.tasks import RenderPosition, ValidateRecords
from tests.server import in_process
from tests.server.in_process import Here
from tests.server.test_whole_answers import BROKEN, GAME, JSON, LINES, text

LIMITS = Limits(body=1_000_000, records=9, plies=40, seconds=7.0, memory=123_456_789, wait=3.5)


def test_what_the_dispatcher_and_the_metrics_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = SimpleNamespace(workers=2, idle=1)
    asked: list[tuple[Any, ...]] = []

    def made(*arguments: Any) -> Any:
        asked.append(arguments)
        return SimpleNamespace(pool=pool)

    monkeypatch.setattr(handler, "Dispatcher", made)
    service = Service(LIMITS, 3)
    ((*plain, on_lost),) = asked
    assert plain == [3, 123_456_789, 3.5]
    on_lost("time")
    on_lost("time")
    on_lost("gone")
    pool.idle = 0
    told = service.metrics.text().decode().splitlines()
    for line in (
        "# HELP hexrec_workers Processes that do the work.",
        "hexrec_workers 2.0",
        "# HELP hexrec_workers_idle Processes that are idle.",
        "hexrec_workers_idle 0.0",
        'hexrec_workers_replaced_total{reason="time"} 2.0',
        'hexrec_workers_replaced_total{reason="gone"} 1.0',
    ):
        assert line in told


def request(**headers: str) -> Request:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "headers": raw})


def test_what_a_task_is_made_of() -> None:
    service = Service(LIMITS, 1)
    task = service.task(RenderPosition, request(), PlyParameters(ply=3), format="png")
    assert task == RenderPosition(body=b"", notation=None, records=9, plies=40, format="png", ply=3)
    told = request(content_type="application/x-ndjson", accept_encoding="gzip")
    task = service.task(RenderPosition, told, Parameters())
    assert task == RenderPosition(body=b"", notation="jsonl", records=9, plies=40, packed=True)
    assert service.task(RenderPosition, told, BodyParameters(notation="sgf")).notation == "sgf"
    with pytest.raises(Problem):
        service.task(ValidateRecords, request(content_type="text/html"), Parameters(), report="json")


@pytest.fixture
def ask() -> Callable[..., tuple[httpx.Response, Here]]:
    """Ask a service whose workers seem to be at work for two seconds on each task."""

    def asked(path: str, body: bytes | Iterator[bytes], **headers: str) -> tuple[httpx.Response, Here]:
        with in_process.client(LIMITS) as client:
            here = client._transport.app.state.service.dispatcher  # type: ignore[attr-defined]
            here.took = 2.0
            return client.post(path, content=body, headers={**headers, "Content-Type": LINES}), here

    return asked


def test_a_body_that_is_read_whole(ask: Callable[..., tuple[httpx.Response, Here]]) -> None:
    answer, here = ask("/v1/validate", text(GAME, BROKEN).encode(), accept=JSON)
    assert answer.json()["summary"]["records"] == 2
    ((task, seconds, bulk),) = here.tasks
    assert (task.records, task.plies, task.partial, seconds, bulk) == (9, 40, False, 7.0, False)
    _, here = ask("/v1/validate", b"\n" * SMALL_BODY, accept=JSON)
    _, larger = ask("/v1/validate", b"\n" * (SMALL_BODY + 1), accept=JSON)
    assert [each.tasks[0][2] for each in (here, larger)] == [False, True]


def test_lines_are_done_one_after_the_other(ask: Callable[..., tuple[httpx.Response, Here]]) -> None:
    lines = [text(GAME).encode(), text(BROKEN, GAME).encode(), b"\n", text(GAME).encode()]
    answer, here = ask("/v1/score", iter(lines), accept=LINES, accept_encoding="gzip")
    assert "content-encoding" not in answer.headers
    assert len(answer.text.splitlines()) == 4
    assert [(task.body, task.records, task.plies, seconds) for task, seconds, _ in here.tasks] == [
        (lines[0], 9, 40, 7.0),
        (lines[1], 8, 36, 5.0),
        (lines[3], 6, 30, 3.0),
    ]
    assert [tuple(task.offset) for task, _, _ in here.tasks] == [(0, 0), (1, 1), (3, 4)]
    assert all(task.partial and not task.packed for task, _, _ in here.tasks)


@pytest.mark.parametrize("rest", [[], [b"\n"], [text(GAME).encode(), text(BROKEN).encode()]])
def test_a_byte_order_mark_that_comes_alone(ask: Callable[..., tuple[httpx.Response, Here]], rest: list[bytes]) -> None:
    parts = [b"\xef\xbb\xbf\n", *rest]
    whole, stream = (ask("/v1/validate", body, accept=LINES)[0] for body in (b"".join(parts), iter(parts)))
    assert stream.text == whole.text


def test_there_is_no_more_time_than_there_was(ask: Callable[..., tuple[httpx.Response, Here]]) -> None:
    answer, here = ask("/v1/score", iter([text(GAME).encode()] * 9), accept=LINES)
    assert len(here.tasks) == 4
    *_, last = answer.text.splitlines()
    assert '"type": "urn:hexrec:problem:too-much-work"' in last
    assert '"detail": "send fewer records in a body, or shorter ones"' in last


def test_large_parts_count_as_large_from_then_on(ask: Callable[..., tuple[httpx.Response, Here]]) -> None:
    blank = b" " * (SMALL_BODY - 3 * len(text(GAME)))
    lines = [text(GAME).encode(), text(GAME).encode(), blank + text(GAME).encode(), text(GAME).encode()]
    _, here = ask("/v1/validate", iter(lines), accept=LINES)
    assert [bulk for _, _, bulk in here.tasks] == [False, False, False, True]
