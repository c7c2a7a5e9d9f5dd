"""What is the same for all requests, and answers that never change, from within."""

from __future__ import annotations

import asyncio
import gzip
import json
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request

from hexrec import code_registry, games
from hexrec.record.json_schema import game_schema, record_schema
from hexrec.server import handler
from hexrec.server.app import create
from hexrec.server.constant import Constant
from hexrec.server.limits import Limits
from hexrec.server.negotiation import LINES, accepts_gzip, choose, media_type, media_type_of
from hexrec.server.problems import Problem
from hexrec.web import CONTENT_SECURITY_POLICY, assets
from tests.server import in_process
from tests.server.test_whole_answers import GAME, text

ORIGIN = "https://example.org"


def request(**headers: str) -> Request:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "headers": raw})


def test_pages_of_others_ask_first() -> None:
    with in_process.client(origins=[ORIGIN]) as client:
        asked = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST"}
        allowed = client.options("/v1/score", headers={**asked, "Access-Control-Request-Headers": "X-Request-ID"})
        assert allowed.status_code == 200
        assert allowed.headers["access-control-allow-origin"] == ORIGIN
        assert allowed.headers["access-control-allow-methods"] == "GET, HEAD, POST"
        assert {"Content-Type", "X-Request-ID"} <= set(allowed.headers["access-control-allow-headers"].split(", "))
        for wrong in ({"Access-Control-Request-Method": "PUT"}, {"Access-Control-Request-Headers": "X-Other"}):
            assert client.options("/v1/score", headers={**asked, **wrong}).status_code == 400
        answer = client.get("/v1/games", headers={"Origin": ORIGIN})
        assert answer.headers["access-control-expose-headers"] == "Hexrec-Warnings, X-Request-ID"
    with in_process.client() as client:
        assert client.options("/v1/score", headers=asked).status_code == 403


def test_no_more_requests_with_a_body_than_there_may_be() -> None:
    with in_process.client(Limits(requests=0)) as client:
        answer = client.post("/v1/score", content=text(GAME).encode())
        assert (answer.status_code, answer.json()["detail"]) == (503, "too many requests at a time")
        assert answer.headers["retry-after"] == "2"
        assert client.get("/v1/games").status_code == 200
    with in_process.client(Limits(requests=1)) as client:
        assert [client.post("/v1/score", content=text(GAME).encode()).status_code for _ in range(3)] == [200] * 3


def test_it_is_not_ready_without_workers() -> None:
    with in_process.client() as client:
        assert (client.get("/readyz").status_code, client.get("/readyz").content) == (200, b'{"status": "ok"}')
        client._transport.app.state.service.dispatcher.pool.workers = 0  # type: ignore[attr-defined]
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()["detail"]) == (503, "there is no worker")
        assert (client.get("/healthz").status_code, client.get("/healthz").content) == (200, b'{"status": "ok"}')


def test_workers_begin_and_end_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    does: list[str] = []
    asked: list[tuple[Any, ...]] = []

    def dispatcher(*arguments: Any) -> Any:
        asked.append(arguments)

        async def note(what: str) -> None:
            does.append(what)

        return SimpleNamespace(pool=None, start=lambda: note("start"), stop=lambda: note("stop"))

    monkeypatch.setattr(handler, "Dispatcher", dispatcher)

    async def live() -> None:
        app = create()
        assert app.state.service.limits == Limits()
        async with app.router.lifespan_context(app):
            does.append("live")

    asyncio.run(live())
    assert does == ["start", "live", "stop"]
    create(Limits(memory=5), 7)
    assert [arguments[:2] for arguments in asked] == [(2, Limits().memory), (7, 5)]


def test_the_files_of_the_page() -> None:
    with in_process.client() as client:
        for path, asset in assets().items():
            answer = client.get(path)
            assert answer.text == asset.text
            told = ("content-type", "content-security-policy", "cache-control")
            assert [answer.headers[name] for name in told] == [
                *(f"{asset.media_type}; charset=utf-8", CONTENT_SECURITY_POLICY, "no-cache")
            ]


def test_what_is_the_same_for_everyone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXREC_SITE", "https://example.org/hexrec/")
    expected: dict[str, tuple[str, Any]] = {
        **{f"/v1/schemas/{name}": ("application/schema+json", game_schema(name)) for name in games.names()},
        "/v1/schemas/record": ("application/schema+json", record_schema()),
        "/openapi.json": ("application/json", create().openapi()),
    }
    with in_process.client() as client:
        for path, (kind, content) in expected.items():
            answer = client.get(path)
            assert answer.headers["content-type"] == kind
            assert answer.content == json.dumps(content, ensure_ascii=False).encode()
        assert "…".encode() in client.get("/v1/codes").content
        codes = client.get("/v1/codes").json()
        assert {each["code"] for each in codes} == code_registry.all_codes()
        assert all(each["page"].startswith("https://example.org/hexrec/") for each in codes)


def test_an_answer_that_never_changes() -> None:
    made: list[bytes] = []

    def make() -> bytes:
        made.append(b"x" * 100)
        return made[-1]

    constant = Constant(make, "text/x", {"A": "b"})
    assert made == []
    digest = sha256(b"x" * 100).hexdigest()[:32]
    common = {"a": "b", "vary": "Accept-Encoding"}
    plain, packed = (constant.response(request(accept_encoding=accepted)) for accepted in ("", "gzip"))
    assert dict(plain.headers) == {
        **common,
        "etag": f'W/"{digest}"',
        "content-length": "100",
        "content-type": "text/x; charset=utf-8",
    }
    assert dict(packed.headers) == {
        **common,
        "etag": f'W/"{digest}"',
        "content-encoding": "gzip",
        "content-length": str(len(packed.body)),
        "content-type": "text/x; charset=utf-8",
    }
    assert (plain.body, gzip.decompress(bytes(packed.body))) == (made[0], made[0])
    assert bytes(packed.body)[4:8] == bytes(4)  # the time, which would make other bytes under the same tag
    for known in (f'"{digest}"', f'"a" ,  W/"{digest}"', "*", f'"a","{digest}"'):
        again = constant.response(request(if_none_match=known))
        assert (again.status_code, again.body, dict(again.headers)) == (304, b"", {**common, "etag": f'W/"{digest}"'})
    for other in ("", digest, '"other"', f'"{digest}'):
        assert constant.response(request(if_none_match=other)).status_code == 200
    assert len(made) == 1
    assert dict(Constant(make, "text/x").response(request()).headers)["cache-control"] == "public, max-age=3600"


@pytest.mark.parametrize(
    ("accepted", "packs"),
    [
        (None, False),
        ("", False),
        ("gzip", True),
        ("br, GZIP;q=0.1", True),
        ("gzip;q=0", False),
        ("*", True),
        ("*;q=0", False),
        ("gzip;q=0, *", False),
        ("gzip; q=x", False),
        ("gzip;level=0", True),
        ("br", False),
    ],
)
def test_what_is_compressed(accepted: str | None, packs: bool) -> None:
    assert accepts_gzip(request() if accepted is None else request(accept_encoding=accepted)) == packs


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        (None, "a/b"),
        (" ", "a/b"),
        ("a/c", "a/c"),
        ("a/*;q=0.5, a/c;q=0.4", "a/b"),
        ("a/*;q=0.5, a/c;q=0.6", "a/c"),
        ("a/c;q=0.5, a/b;q=0.1, a/b;q=0.7", "a/b"),
        ("*/*;q=0.1, d/*", "d/e"),
        ("A/C ; Q=1.0 ; x=y, a/b; q=0.9", "a/c"),
        ("a/c;q =0.2, d/e; q= 0.3", "d/e"),
        ("a/b;level=0, a/c;q=0.9", "a/b"),
        ("a/c, a/b;q=1", "a/b"),
        ("a/c;q=1=1, a/b;q=0.5", "a/b"),
    ],
)
def test_what_is_accepted_most(accepted: str | None, chosen: str) -> None:
    offered = ("a/b", "a/c", "d/e")
    assert choose(accepted, offered) == chosen
    assert media_type(request() if accepted is None else request(accept=accepted), offered) == chosen


def test_what_is_accepted_by_nobody() -> None:
    with pytest.raises(Problem) as refused:
        media_type(request(accept="x/y, a/b;q=0"), iter(["a/b", "a/c"]))
    assert (refused.value.name, refused.value.detail) == ("not-acceptable", "this is available as a/b, a/c")


def test_types_of_notations() -> None:
    assert [media_type_of(name) for name in ("jsonl", "hgn", "abstractplay")] == [
        LINES,
        "text/x-hgn",
        "application/json",
    ]
