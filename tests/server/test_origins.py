"""Requests that browsers make for pages of others, and for names that lead to this machine without being its own."""

from __future__ import annotations

import httpx
import pytest

from tests.server import in_process
from tests.server.conftest import GAME
from tests.server.test_http import problem

PAGE = "https://example.org"


@pytest.mark.parametrize(
    ("host", "answered"),
    [
        *(("localhost", True), ("LocalHost:8000", True), ("127.0.0.1:8000", True), ("[::1]:8000", True)),
        *(("192.0.2.7", True), ("hexrec.example", True), ("HEXREC.example:80", True), ("", True)),
        *(("evil.example", False), ("evil.example:8000", False), ("localhost.evil.example", False)),
        *(("127.0.0.1.evil.example", False), ("[::1", False), ("localhost/v1", False), ("*", False)),
    ],
)
def test_names_that_it_answers_for(host: str, answered: bool) -> None:
    with in_process.client(hosts=["hexrec.example"]) as client:
        answer = client.post("/v1/validate", json=GAME, headers={"Host": host})
        assert answered or problem(answer) == "unknown-host"
        assert (answer.status_code, client.get("/", headers={"Host": host}).status_code) == (
            (200, 200) if answered else (421, 421)
        )
    with in_process.client(hosts=["*"]) as client:
        assert client.get("/healthz", headers={"Host": "any.example"}).status_code == 200


@pytest.mark.parametrize(
    ("host", "origin", "answered"),
    [
        *(("localhost:8000", "http://localhost:8000", True), ("[::1]:80", "http://[::1]:80", True)),
        # A proxy may have ended TLS.
        ("hexrec.example", "https://hexrec.example", True),
        *(("localhost:8000", "http://localhost:9000", False), ("localhost:8000", "http://127.0.0.1:8000", False)),
        *(
            ("localhost", PAGE, False),
            ("localhost", "null", False),
            ("localhost", "", False),
            ("localhost", "http://[", False),
        ),
    ],
)
def test_pages_that_may_use_it(host: str, origin: str, answered: bool) -> None:
    headers = {"Host": host, "Origin": origin}

    def ask(client: httpx.Client) -> httpx.Response:
        return client.post("/v1/validate", json=GAME, headers=headers)

    with in_process.client(hosts=["hexrec.example"]) as client:
        answer = ask(client)
        assert answer.status_code == 200 if answered else problem(answer) == "foreign-origin"
    for origins in ([PAGE], ["*"]):
        with in_process.client(hosts=["hexrec.example"], origins=origins) as client:
            assert ask(client).status_code == (200 if answered or origin == PAGE or origins == ["*"] else 403)


def test_pages_of_others_ask_first() -> None:
    with in_process.client(origins=[PAGE]) as client:
        asked = {"Origin": PAGE, "Access-Control-Request-Method": "POST"}
        allowed = client.options("/v1/score", headers={**asked, "Access-Control-Request-Headers": "X-Request-ID"})
        assert allowed.status_code == 200
        assert allowed.headers["access-control-allow-origin"] == PAGE
        assert allowed.headers["access-control-allow-methods"] == "GET, HEAD, POST"
        assert {"Content-Type", "X-Request-ID"} <= set(allowed.headers["access-control-allow-headers"].split(", "))
        for wrong in ({"Access-Control-Request-Method": "PUT"}, {"Access-Control-Request-Headers": "X-Other"}):
            assert client.options("/v1/score", headers={**asked, **wrong}).status_code == 400
        answer = client.get("/v1/games", headers={"Origin": PAGE})
        assert answer.headers["access-control-expose-headers"] == "Hexrec-Warnings, X-Request-ID"
    with in_process.client() as client:
        assert client.options("/v1/score", headers=asked).status_code == 403
