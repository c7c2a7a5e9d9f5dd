"""Bodies that are counted while they arrive: refused as soon as they are beyond a limit, and never before."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Callable
from functools import cache
from itertools import cycle, islice
from random import Random
from typing import Any

import httpx
import pytest

from hexrec.server import counting
from hexrec.server.counting import ArrivingCount
from hexrec.server.problems import Problem
from hexrec.server.tasks import Answer, ConvertRecords, Task, ValidateRecords, count_turns
from tests.fixtures import FIXTURES
from tests.processes import PATIENCE
from tests.server.conftest import Serve, connection
from tests.server.test_http import problem
from tests.server.test_limits import served

NOTATIONS = ["abstractplay", "hgn", "json", "jsonl", "sgf", "yaml"]
GAMES = (FIXTURES / "sunspot/reference/games.jsonl").read_bytes().splitlines(keepends=True)
MANY: dict[str, Any] = {"records": 10_000, "plies": 1_000_000}


@cache
def body_of(notation: str, count: int) -> bytes:
    """Return so many games in a notation."""
    lines = list(islice(cycle(GAMES), count))
    if notation in ("json", "abstractplay"):
        games = [ConvertRecords(body=line, notation="jsonl", to=notation, layout="text", **MANY) for line in lines]
        return b"[" + b",\n".join(game.run().body for game in games) + b"]"
    return ConvertRecords(body=b"".join(lines), notation="jsonl", to=notation, layout="text", **MANY).run().body


def found_in(body: bytes, notation: str) -> dict[str, int]:
    """Return how many records and turns a body has."""
    datas = [
        document.data for document in ValidateRecords(body=body, notation=notation, report="json", **MANY).documents()
    ]
    turns = sum(count_turns(data.get("moves")) for data in datas if isinstance(data, dict))
    return {"records": len(datas), "plies": turns}


class Arrival:
    """A body that arrives in parts of a thousand bytes.

    Attributes:
        tasks: what workers were asked for, with the seconds that they had.
        arrived: how many bytes had arrived when it was refused, or at the end.
        refused: the name of the problem that it was refused with.
    """

    def __init__(self, body: bytes, notation: str | None, limits: dict[str, Any]) -> None:
        self.tasks: list[tuple[Task, float]] = []
        self.arrived = 0
        self.refused: str | None = None
        asyncio.run(self._arrive(body, ValidateRecords(body=b"", notation=notation, report="json", **limits)))

    async def _arrive(self, body: bytes, task: Task) -> None:
        count = ArrivingCount(task, 1_000, self._run)
        try:
            while self.arrived < len(body) - 1_000:
                self.arrived += 1_000
                await count.check(bytearray(body[: self.arrived]))
        except Problem as refusal:
            self.refused = refusal.name

    async def _run(self, task: Task, seconds: float, size: int) -> tuple[Answer, float]:
        assert size == self.arrived
        self.tasks.append((task, seconds))
        return task.answer(), 1.0


@pytest.fixture
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have bodies counted long before they are large."""
    monkeypatch.setattr(counting, "SMALL_BODY", 9_000)


@pytest.mark.usefixtures("early")
@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize(("limit", "name"), [("records", "too-many-records"), ("plies", "too-many-plies")])
def test_a_body_beyond_a_limit_is_refused_soon_after_it(notation: str, limit: str, name: str) -> None:
    body = body_of(notation, 200)
    found = found_in(body, notation)
    for given in (notation, None):
        arrival = Arrival(body, given, {**found, limit: found[limit] // 2})
        assert arrival.refused == name
        assert len(body) // 2 <= arrival.arrived < len(body) * 3 // 4
        assert max(len(task.body) for task, _ in arrival.tasks) < len(body) * 3 // 4


def damaged(body: bytes, seed: int) -> bytes:
    """Return a body with some bytes lost, and others in their place."""
    random = Random(seed)
    found = bytearray(body)
    for _ in range(30):
        at = random.randrange(len(found))
        found[at : at + random.randrange(4)] = random.choice(
            [b"", b"\n", b'"', b"]", b"{", b"(", b"\0", b"\xff", b"---\n"]
        )
    return bytes(found)


@pytest.mark.usefixtures("early")
@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("damage", [None, 1, 2, 3])
def test_a_body_within_the_limits_is_never_refused(notation: str, damage: int | None) -> None:
    body = body_of(notation, 120)
    if damage is not None:
        body = damaged(body, damage)
    arrival = Arrival(body, notation, found_in(body, notation))
    assert arrival.refused is None
    assert arrival.arrived > len(body) - 2_000


@pytest.mark.usefixtures("early")
def test_workers_have_the_time_of_one_request_for_all_counts() -> None:
    body = body_of("json", 200)
    arrival = Arrival(body, "json", found_in(body, "json"))
    seconds = [seconds for _, seconds in arrival.tasks]
    assert seconds == [1_000.0 - number for number in range(len(seconds))]
    assert len(seconds) > 1


@pytest.mark.usefixtures("early")
def test_what_can_have_no_more_records_and_turns_than_there_may_be_is_not_counted() -> None:
    for notation in NOTATIONS:
        assert Arrival(body_of(notation, 60), notation, MANY).tasks == []


@pytest.mark.usefixtures("early")
@pytest.mark.parametrize(
    ("notation", "marked", "records", "plies"),
    [
        ("jsonl", b"\n" * 100, 100, 0),
        ("jsonl", b",[" * 50, 0, 100),
        ("json", b"{\n(" * 100, 100, 0),
        ("json", b"{,[" * 50, 50, 100),
        ("yaml", b"---\n,[" * 100, 100, 300),
        ("sgf", b"([[\n," * 100, 100, 200),
        ("abstractplay", b"{," * 100, 100, 100),
        ("hgn", b"\n{( ,;[" * 100, 300, 500),
        (None, b"\n{( ,;[" * 100, 300, 500),
    ],
)
def test_what_may_be_a_record_or_a_turn(notation: str | None, marked: bytes, records: int, plies: int) -> None:
    blank = b"x" * 6_000
    body = blank + marked + blank
    assert Arrival(body, notation, {"records": records + 1, "plies": plies + 1}).tasks == []
    for limits in ({"records": records, "plies": plies + 1}, {"records": records + 1, "plies": plies}):
        assert Arrival(body, notation, limits).tasks != []


@pytest.mark.usefixtures("early")
@pytest.mark.parametrize("packed", [bytes, gzip.compress])
@pytest.mark.parametrize(
    ("limits", "name"), [({"records": 20}, "too-many-records"), ({"plies": 500}, "too-many-plies")]
)
def test_the_refusal_arrives_before_the_rest_is_sent(
    serve: Serve, limits: dict[str, int], name: str, packed: Callable[[bytes], bytes]
) -> None:
    own = serve(body_seconds=PATIENCE, **limits)
    for notation, path in [
        ("jsonl", "validate?"), ("json", "score?"), ("yaml", "convert?to=json&"), ("sgf", "list?"), ("hgn", "replay?"),
    ]:  # fmt: skip
        body = packed(body_of(notation, 60))
        with connection(own) as plain:
            plain.sendall(
                f"POST /v1/{path}from={notation} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body) + 1}\r\n"
                f"Content-Encoding: {'gzip' if packed is gzip.compress else 'identity'}\r\n\r\n".encode()
            )
            plain.sendall(body)
            header, _, answer = plain.recv(1 << 16).partition(b"\r\n\r\n")
            assert header.startswith(b"HTTP/1.1 413 ")
            assert json.loads(answer)["type"] == f"urn:hexrec:problem:{name}"
    assert served(own)


@pytest.mark.usefixtures("early")
def test_a_body_in_parts_is_answered_as_one(limited: Serve) -> None:
    body = body_of("json", 60)
    own = limited(**found_in(body, "json"))
    headers = {"Content-Type": "application/json"}

    def sent(content: Any, path: str = "/v1/validate") -> httpx.Response:
        return own.post(path, content=content, headers=headers)

    parts = [body[at : at + 5_000] for at in range(0, len(body), 5_000)]
    assert sent(iter(parts)).content == sent(body).content
    more = [*parts[:-1], parts[-1][:-1], b",", GAMES[0], b"]"]
    assert problem(sent(iter(more))) == "too-many-records"
    # What is about one record does not care how many follow it.
    assert sent(iter(more), "/v1/legal?record=0&ply=0").status_code == 200
