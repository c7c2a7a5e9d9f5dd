"""What is counted and logged of requests that are answered in this process."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from hexrec.server import middleware
from hexrec.server.app import JsonFormatter
from tests.server import in_process
from tests.server.test_whole_answers import BROKEN, GAME, LINES, text

LOGGER = "hexrec.server"
BODY = text(GAME, BROKEN).encode()


@pytest.fixture
def here() -> Iterator[httpx.Client]:
    with in_process.client() as found:
        yield found


def entry(record: logging.LogRecord) -> dict[str, Any]:
    found = dict(json.loads(JsonFormatter().format(record)))
    assert 0 <= found.pop("milliseconds") < 600_000
    return found


def metrics(client: httpx.Client) -> dict[str, float]:
    """Return what is counted, without what depends on time."""
    lines = [line for line in client.get("/metrics").text.splitlines() if not line.startswith("#")]
    counted = {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}
    return {name: value for name, value in counted.items() if not re.search("_created|_bucket|_sum", name)}


def test_what_is_logged(here: httpx.Client, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "getrandbits", lambda bits: (1 << bits) - 1)
    caplog.set_level(logging.INFO, LOGGER)
    parts = iter([BODY[:9], BODY[9:]])
    answer = here.post(
        "/v1/validate",
        content=parts,
        headers={"X-Request-ID": "A.z_0-9", "Content-Type": LINES, "Accept-Encoding": "identity"},
    )
    here.head("/v1/games", headers={"X-Request-ID": "x" * 64})
    strange = here.request("BREW", "/secret/pot", headers={"X-Request-ID": "x" * 65})
    assert here.get("/healthz", headers={"X-Request-ID": "a b"}).headers["x-request-id"] != "a b"
    assert answer.headers["x-request-id"] == "A.z_0-9"
    made = strange.headers["x-request-id"]
    assert made == "f" * 32
    first, head, other, _ = (entry(each) for each in caplog.records if each.name == LOGGER)
    assert datetime.fromisoformat(first.pop("time")).tzinfo == UTC
    whole = {"level": "info", "event": "request", "request": "A.z_0-9", "method": "POST", "path": "/v1/validate"}
    assert first == {**whole, "status": 200, "bytes_in": len(BODY), "bytes_out": len(answer.content)}
    assert [head[name] for name in ("request", "method", "path", "status", "bytes_in", "bytes_out")] == [
        *("x" * 64, "HEAD", "/v1/games", 200, 0, 0)
    ]
    assert [other[name] for name in ("request", "method", "path", "status")] == [made, "other", "other", 404]


def test_what_is_counted(here: httpx.Client) -> None:
    before = metrics(here)
    assert before == {
        "hexrec_requests_with_body": 0,
        "hexrec_received_bytes_total": 0,
        "hexrec_plies_total": 0,
        "hexrec_workers": 0,
        "hexrec_workers_idle": 0,
    }
    here.post("/v1/validate", content=text(GAME, BROKEN, BROKEN).encode(), headers={"Content-Type": LINES})
    here.get("/v1/schemas/nadraz")
    here.get("/nowhere")
    after = metrics(here)
    assert {name: value for name, value in after.items() if before.get(name) != value} == {
        'hexrec_requests_total{method="GET",path="/metrics",status="200"}': 1,
        'hexrec_request_seconds_count{path="/metrics"}': 1,
        'hexrec_requests_total{method="POST",path="/v1/validate",status="200"}': 1,
        'hexrec_request_seconds_count{path="/v1/validate"}': 1,
        'hexrec_requests_total{method="GET",path="/v1/schemas/{game}",status="200"}': 1,
        'hexrec_request_seconds_count{path="/v1/schemas/{game}"}': 1,
        'hexrec_requests_total{method="GET",path="other",status="404"}': 1,
        'hexrec_request_seconds_count{path="other"}': 1,
        "hexrec_received_bytes_total": len(text(GAME, BROKEN, BROKEN)),
        'hexrec_records_total{verdict="valid"}': 1,
        'hexrec_records_total{verdict="invalid"}': 2,
        "hexrec_plies_total": 6,
    }
    told = here.get("/metrics")
    assert told.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    spent = re.findall(r'^hexrec_request_seconds_sum\{path="other"\} (.*)$', told.text, re.MULTILINE)
    assert [0 < float(each) < 600 for each in spent] == [True]


def test_a_line_of_the_log() -> None:
    record = logging.makeLogRecord({"msg": "what %s", "args": ("happens",), "levelname": "ERROR", "created": 1.5})
    line = JsonFormatter().format(record)
    assert line == '{"time": "1970-01-01T00:00:01.500+00:00", "level": "error", "event": "what happens"}'
    try:
        raise ValueError("why")
    except ValueError as error:
        record.exc_info = (type(error), error, error.__traceback__)
    found = json.loads(JsonFormatter().format(record))
    assert found["traceback"].startswith("Traceback ")
    assert found["traceback"].endswith("ValueError: why")
