"""Hostile bodies: each is refused for what it is, and good requests are served all the while."""

from __future__ import annotations

import gzip
import json
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import httpx
import pytest

from hexrec.rules import compiled
from hexrec.server.limits import MEBIBYTE, Limits
from tests.processes import PATIENCE
from tests.server import in_process
from tests.server.conftest import GAME, LINE, Serve, connection, metric, serving, until
from tests.server.test_http import problem

LINES = {"Content-Type": "application/x-ndjson"}
#: Lines that make a worker busy for much longer than the tests that need that give it.
LONG = {"hexrec": "1", "game": "nadraz", "size": 14, "opening": {"black": "g7", "white": "t13"}, "moves": ["pass"]}
SLOW = (json.dumps(LONG) + "\n").encode() * 5_000
#: A record that only a worker looks at, as it has an illegal turn.
CLOSER = json.dumps({**GAME, "moves": ["a1", "a1"]}).encode() + b"\n"


def codes(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200
    return [diagnostic["code"] for record in answer.json()["records"] for diagnostic in record["diagnostics"]]


def served(client: httpx.Client) -> bool:
    """Return whether requests are answered as they should be: one where it arrives, and one by a worker."""
    answers = [client.post("/v1/validate", content=body, headers=LINES).json()["summary"] for body in (LINE, CLOSER)]
    return [(answer["valid"], answer["invalid"]) for answer in answers] == [(1, 0), (0, 1)]


def test_empty_documents_are_counted_up_to_a_limit(client: httpx.Client) -> None:
    answer = client.post("/v1/validate", content=b"---\n" * 5_000, headers={"Content-Type": "application/yaml"})
    assert codes(answer) == ["syntax/empty"] * 100 + ["syntax/unreadable"]
    assert (answer.json()["summary"]["invalid"], answer.json()["summary"]["unreadable"]) == (100, 1)
    answer = client.post("/v1/list", content=b"---\n" * 5_000, headers={"Content-Type": "application/yaml"})
    assert answer.json()["records"][-1]["diagnostic"]["code"] == "syntax/unreadable"


@pytest.mark.parametrize(
    ("kind", "body", "code"),
    [
        ("application/json", b"[" * 200_000, "syntax/too-deep"),
        ("application/json", b'{"a":' * 100_000, "syntax/too-deep"),
        ("application/json", b'{"size": ' + b"9" * 1_000_000 + b"}", "syntax/number"),
        ("application/json", b'{"size": 1e999999999}', "syntax/number"),
        ("application/json", b'{"hexrec": NaN}', "syntax/number"),
        ("application/yaml", b"[" * 100_000, "syntax/too-deep"),
        ("application/yaml", b"a: &a [x,x]\nb: &b [*a,*a]\nc: &c [*b,*b]\nd: [*c,*c]\n", "syntax/yaml-alias"),
        ("application/yaml", b"!!python/object/apply:os.system ['true']\n", "syntax/yaml-tag"),
        ("application/octet-stream", gzip.compress(b"[" * 1_000_000) * 100, "syntax/binary"),
        ("application/octet-stream", b"\0" * 1_000_000, "syntax/binary"),
        ("application/x-ndjson", b"x" * 9_000_000, "syntax/too-large"),
    ],
)
def test_bodies_that_are_diagnostics(client: httpx.Client, kind: str, body: bytes, code: str) -> None:
    assert code in codes(client.post("/v1/validate", content=body, headers={"Content-Type": kind}))


@pytest.mark.parametrize("accept", ["application/json", "application/x-ndjson"])
def test_packed_bodies_are_opened_within_the_limits(limited: Serve, accept: str) -> None:
    own = limited(body=1_000_000)
    headers = {**LINES, "Accept": accept, "Content-Encoding": "gzip"}

    def answer(body: bytes, **more: str) -> httpx.Response:
        return own.post("/v1/validate", content=body, headers={**headers, **more})

    packed = gzip.compress(LINE * 300)
    plain = own.post("/v1/validate", content=LINE * 300, headers={**LINES, "Accept": accept})
    assert answer(packed).content == answer(gzip.compress(LINE * 200) + gzip.compress(LINE * 100)).content
    assert answer(packed).content == plain.content
    # A kilobyte that unpacks to more than there may be, and as much that never ends.
    assert problem(answer(gzip.compress(b" " * 1_000_001))) == "body-too-large"
    assert problem(answer(gzip.compress(b" " * 1_000_000) * 100)) == "body-too-large"
    for damaged in (b"x", LINE, packed[:-9], packed + b"x"):
        assert problem(answer(damaged)) == "bad-request"
    for packing in ("br", "deflate, gzip"):
        assert problem(answer(packed, **{"Content-Encoding": packing})) == "unsupported-body"
    assert answer(LINE, **{"Content-Encoding": "identity"}).status_code == 200


def test_all_bodies_together_have_a_limit(serve: Serve) -> None:
    """A body counts until its request is answered, however it is sent; what has been answered does not."""
    own = serve(body=1_000)
    for kind in ({}, {"Content-Encoding": "gzip"}, {"Accept": LINES["Content-Type"]}):
        headers = b"".join(f"{name}: {value}\r\n".encode() for name, value in {**LINES, **kind}.items())
        head = b"POST /v1/validate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n%s\r\n" % headers
        with ExitStack() as stack:
            for _ in range(16):
                stack.enter_context(connection(own)).sendall(head + b" " * 995)
            until(own, "hexrec_requests_with_body", 16)
            busy = own.post("/v1/validate", content=b" " * 90, headers=LINES)
            assert (problem(busy), busy.json()["detail"]) == ("busy", "too many bytes of bodies at a time")
        until(own, "hexrec_requests_with_body", 0)
        assert served(own)


@pytest.mark.parametrize("accept", ["application/json", "application/x-ndjson"])
def test_a_body_that_is_too_large(limited: Serve, accept: str) -> None:
    small = limited(body=10_000)
    headers = {**LINES, "Accept": accept}
    assert problem(small.post("/v1/validate", content=b" " * 10_001, headers=headers)) == "body-too-large"
    untold = small.post("/v1/validate", content=iter([b" " * 6_000] * 2), headers=headers)
    assert problem(untold) == "body-too-large"
    assert served(small)


def test_a_client_that_sends_all_of_a_body_before_it_reads_gets_the_answer(serve: Serve) -> None:
    own = serve(body=1_000_000)
    for path, status in (("/v1/validate", 413), ("/v1/validate?unknown=1", 422), ("/v1/nothing", 404)) * 3:
        with pytest.raises(HTTPError) as refused:
            urlopen(f"{own.base_url}{path}", b" " * 10_000_000, timeout=PATIENCE)
        assert refused.value.code == status
        refused.value.close()


@pytest.mark.parametrize("path", ["/v1/validate", "/v1/score", "/v1/convert?to=sgf", "/v1/legal?record=2"])
@pytest.mark.parametrize(
    ("limits", "body", "name"),
    [
        ({"records": 2}, LINE * 3, "too-many-records"),
        ({"plies": 10}, LINE * 3, "too-many-plies"),
    ],
)
def test_records_and_turns_are_counted(
    limited: Serve, path: str, limits: dict[str, int], body: bytes, name: str
) -> None:
    own = limited(**limits)
    assert problem(own.post(path, content=body, headers=LINES)) == name
    assert own.post(path.partition("?")[0], content=LINE, headers=LINES).status_code == 200


@pytest.mark.parametrize(
    "beside", [{"variations": [["a2", {"turn": "a3", "variations": [["b1"] * 8]}]]}, {"taken_back": ["b1"] * 10}]
)
def test_turns_beside_the_game_count(limited: Serve, beside: dict[str, Any]) -> None:
    own = limited(plies=13)
    moves: list[Any] = [{"turn": "a1", **beside}, *GAME["moves"][1:]]
    assert problem(own.post("/v1/validate", json={**GAME, "moves": moves})) == "too-many-plies"
    own = limited(plies=14)
    assert own.post("/v1/validate", json={**GAME, "moves": moves}).status_code == 200


@pytest.mark.parametrize("path", ["/v1/validate", "/v1/score", "/v1/convert?report=true&to=sgf"])
@pytest.mark.parametrize(
    ("limits", "name"),
    [
        ({"records": 130}, "too-many-records"),
        ({"plies": 4 * 130 + 3}, "too-many-plies"),
        ({"body": 131 * len(LINE) - 1}, "body-too-large"),
    ],
)
def test_all_records_within_a_limit_are_answered(limited: Serve, path: str, limits: dict[str, int], name: str) -> None:
    headers = {**LINES, "Accept": LINES["Content-Type"]}
    # At once, so that the limit is reached in the middle of what is judged together.
    answer = limited(**limits).post(path, content=iter([LINE * 200]), headers=headers)
    *found, last = map(json.loads, answer.text.splitlines())
    assert [each["index"] for each in found] == list(range(130))
    assert last["type"] == f"urn:hexrec:problem:{name}"


@pytest.mark.skipif(bool(compiled.OBSTACLE), reason="interpreted rules take longer")
@pytest.mark.parametrize("path", ["/v1/validate", "/v1/score"])
def test_small_bodies_of_clean_records_need_no_worker(path: str) -> None:
    """All others do, and the answers are the same."""
    with in_process.client() as own:
        pool = own._transport.app.state.service.pool  # type: ignore[attr-defined]
        whole = {"Content-Type": "application/json"}
        packed = {**LINES, "Content-Encoding": "gzip"}
        few, many = LINE * 16, LINE * 17
        cases = [(LINE, whole, 0), (few, LINES, 0), (many, LINES, 1), (LINE + CLOSER, LINES, 1), (CLOSER, whole, 1)]
        cases += [(gzip.compress(LINE), packed, 1), (LINE + b"\n" * 20_000, LINES, 1), (b"[" + LINE + b"]", whole, 1)]
        for body, headers, tasks in cases:
            pool.tasks.clear()
            answer = own.post(path, content=body, headers=headers)
            assert (answer.status_code, len(pool.tasks)) == (200, tasks), body[:99]
        lines = own.post(path, content=few, headers={**LINES, "Accept": LINES["Content-Type"]}).text
        more = own.post(path, content=many, headers={**LINES, "Accept": LINES["Content-Type"]}).text
        assert more.startswith(lines)


@pytest.fixture(scope="module")
def working() -> Iterator[httpx.Client]:
    """A client of a service with a worker."""
    with serving(Limits(wait=PATIENCE, seconds=PATIENCE), workers=1) as found:
        yield found


@pytest.mark.parametrize(
    "body", [SLOW, gzip.compress(b"", mtime=0) * 300_000], ids=["many records", "many compressed members"]
)
def test_a_worker_that_takes_too_long_is_killed_and_replaced(working: httpx.Client, body: bytes) -> None:
    before, replaced = pids(working), metric(working, 'hexrec_workers_replaced_total{reason="time"')
    usual, service(working).limits = service(working).limits, Limits(seconds=0.1)
    headers = LINES if body is SLOW else {**LINES, "Content-Encoding": "gzip"}
    assert problem(working.post("/v1/validate", content=body, headers=headers)) == "too-much-work"
    service(working).limits = usual
    assert served(working)
    assert not set(before) & set(pids(working))
    assert metric(working, 'hexrec_workers_replaced_total{reason="time"') == replaced + 1


def test_a_worker_that_is_killed_is_replaced(working: httpx.Client) -> None:
    """Its request goes to another one."""
    (killed,) = stopped(working)
    replaced = metric(working, "hexrec_workers_replaced_total")
    with ThreadPoolExecutor() as threads:
        asked = threads.submit(working.post, "/v1/validate", content=CLOSER, headers=LINES)
        until(working, "hexrec_workers_idle", 0)
        os.kill(killed, signal.SIGKILL)
        until(working, "hexrec_workers_replaced_total", replaced + 1)
        assert asked.result().json()["summary"]["invalid"] == 1
    assert served(working)
    assert killed not in pids(working)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")
def test_memory_is_limited(serve: Serve) -> None:
    narrow = serve(workers=1, memory=120 * MEBIBYTE, body=64 * MEBIBYTE, seconds=PATIENCE)
    # Each character takes four bytes of memory where one is beyond the first 65,536.
    body = '{"hexrec": "1", "x-a": "\U0001f600'.encode() + b"a" * 8_000_000 + b'"}'
    answer = narrow.post("/v1/validate", content=body, headers={"Content-Type": "application/json"})
    assert problem(answer) == "too-much-memory"
    assert served(narrow)


def test_a_body_that_comes_too_slowly(serve: Serve) -> None:
    own = serve(body_seconds=0.3)
    for accept in (b"application/json", b"application/x-ndjson"):
        with connection(own) as plain:
            plain.sendall(
                b"POST /v1/validate?from=jsonl HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\nAccept: %s\r\n\r\n{"
                % accept
            )
            assert plain.recv(4096).startswith(b"HTTP/1.1 408 ")
    assert served(own)


def test_clients_that_leave_are_forgotten(serve: Serve) -> None:
    own = serve(requests=9)
    head = b"POST /v1/validate?from=jsonl HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(LINE)
    for body in (b"", b"{", LINE) * 3:
        with connection(own) as plain:
            plain.sendall(head + body)
    until(own, 'hexrec_requests_total{method="POST"', 9)
    until(own, "hexrec_requests_with_body", 0)
    assert served(own)


def test_a_task_is_not_begun_when_its_client_has_left(working: httpx.Client) -> None:
    own, before = working, metric(working, "hexrec_records_total")
    (pid,) = stopped(own)
    with ThreadPoolExecutor() as threads:
        asked = threads.submit(own.post, "/v1/validate", content=CLOSER, headers=LINES)
        until(own, "hexrec_workers_idle", 0)
        with connection(own) as plain:
            plain.sendall(
                b"POST /v1/validate HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(CLOSER) + CLOSER
            )
            until(own, "hexrec_requests_with_body", 2)
        until(own, "hexrec_requests_with_body", 1)
        os.kill(pid, signal.SIGCONT)
        assert asked.result().status_code == 200
    assert served(own)
    assert metric(own, "hexrec_records_total") == before + 3
    assert 'status="499"' in own.get("/metrics").text


def test_too_many_requests_at_a_time(serve: Serve) -> None:
    own = serve(requests=2)
    head = b"POST /v1/validate HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n"
    with connection(own) as first, connection(own) as second:
        first.sendall(head)
        second.sendall(head)
        until(own, "hexrec_requests_with_body", 2)
        busy = own.post("/v1/validate", json=GAME)
        assert problem(busy) == "busy"
        assert int(busy.headers["retry-after"]) > 0
        assert busy.headers["x-content-type-options"] == "nosniff"
        assert own.get("/healthz").status_code == 200


def test_no_more_requests_with_a_body_than_there_may_be(limited: Serve) -> None:
    none, one = limited(requests=0), limited(requests=1)
    answer = none.post("/v1/score", content=LINE)
    assert (problem(answer), answer.json()["detail"]) == ("busy", "too many requests at a time")
    assert none.get("/v1/games").status_code == 200
    assert [one.post("/v1/score", content=LINE).status_code for _ in range(3)] == [200] * 3


def service(client: httpx.Client) -> Any:
    return client.server.config.app.state.service  # type: ignore[attr-defined]


def pids(client: httpx.Client) -> list[int]:
    return [worker.process.pid for worker in service(client).pool.workers]


def stopped(client: httpx.Client) -> list[int]:
    """Stop the workers, so that what they are given to do takes as long as a test wants; return their numbers."""
    found = pids(client)
    for pid in found:
        os.kill(pid, signal.SIGSTOP)
    return found
