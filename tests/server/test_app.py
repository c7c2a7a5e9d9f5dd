"""What is the same for all requests: limits, readiness, negotiation."""

from __future__ import annotations

from hexrec.server.limits import Limits
from tests.server import in_process
from tests.server.test_whole_answers import GAME, text

ORIGIN = "https://example.org"


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
        assert (client.get("/readyz").status_code, client.get("/readyz").content) == (200, b'{"status":"ok"}')
        client._transport.app.state.service.dispatcher.pool.workers = 0  # type: ignore[attr-defined]
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()["detail"]) == (503, "no worker is running")
        assert (client.get("/healthz").status_code, client.get("/healthz").content) == (200, b'{"status":"ok"}')
