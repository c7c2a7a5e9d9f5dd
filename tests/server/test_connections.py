"""Connections that no client library makes: headers without an end, answers not read, other protocols."""

from __future__ import annotations

import asyncio
import socket
from contextlib import ExitStack, suppress

import httpx
import pytest
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from hexrec.server.limits import Limits
from hexrec.server.middleware import Metrics, RequestMiddleware
from tests.server.conftest import LINE, Serve, connection
from tests.server.test_limits import served

ENDLESS = b"x" * (1 << 18)


@pytest.mark.parametrize(
    "begun",
    [
        b"GET /healthz?",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: ",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /healthz?",
    ],
)
def test_a_header_without_an_end(client: httpx.Client, begun: bytes) -> None:
    with connection(client) as plain:
        with suppress(ConnectionError):
            plain.sendall(begun + ENDLESS * 40)
        answer = b""
        with suppress(ConnectionError):
            while part := plain.recv(4096):
                answer += part
    # The answer may be lost where the rest of what was sent comes after the end.
    assert answer.rpartition(b"HTTP/1.1 ")[2][:3] in (b"400", b"")
    assert served(client)


#: The number of bytes that the other parts of a head leave for one field.
LEFT = Limits().head - sum(map(len, (b"/healthz", b"host: localhost\r\n", b"connection: close\r\n", b"x-long: \r\n")))


@pytest.mark.parametrize(("size", "status"), [(LEFT, 200), (LEFT + 1, 431), (100_000, 431), (1 << 20, 431)])
def test_a_head_that_arrives_at_once(limited: Serve, size: int, status: int) -> None:
    headers = [("Host", "localhost"), ("Connection", "close"), ("X-Long", "x" * size)]
    request = httpx.Request("GET", "http://localhost/healthz", headers=headers)
    answer = limited().send(request)
    assert answer.status_code == status
    assert ("urn:hexrec:problem:head-too-large" in answer.text) == (status == 431)


@pytest.mark.parametrize("part", [1 << 12, 1 << 20])
@pytest.mark.parametrize(("size", "statuses"), [(60_000, (b"200",)), (66_000, (b"400", b"431"))])
def test_a_head_that_arrives_in_parts(client: httpx.Client, size: int, statuses: tuple[bytes, ...], part: int) -> None:
    head = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Long: %s\r\n\r\n" % (b"x" * size)
    with connection(client) as plain:
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        answer = b""
        with suppress(ConnectionError):
            for at in range(0, len(head), part):
                plain.sendall(head[at : at + part])
        with suppress(ConnectionError):
            while received := plain.recv(4096):
                answer += received
    # A refusal may be lost where more arrives after it.
    assert answer[9:12] in (*statuses, *(() if size < LEFT else (b"",)))


@pytest.mark.parametrize("begun", [b"", b"GET /heal", b"POST /v1/validate HTTP/1.1\r\nHost: localhost\r\nX-Long: "])
def test_heads_that_never_arrive_keep_nobody_out(begun: bytes, serve: Serve) -> None:
    client = serve(requests=1)
    most = Limits(requests=1).connections
    with ExitStack() as opened:
        held = [opened.enter_context(connection(client)) for _ in range(most + 50)]
        for plain in held:
            with suppress(ConnectionError):
                plain.sendall(begun)
        assert client.get("/healthz").status_code == 200
        assert client.get("/readyz").status_code == 200
        assert served(client)
        with suppress(ConnectionError):  # the first ones have made room for the others
            assert held[0].recv(1) == b""
        held[-1].sendall(b"thz HTTP/1.1\r\nHost: localhost\r\n\r\n" if begun == b"GET /heal" else b"")
        if begun == b"GET /heal":
            assert held[-1].recv(13) == b"HTTP/1.1 200 "


def test_probes_are_answered_however_many_requests_are_in_progress() -> None:
    """All others are refused, and served again later."""
    limits = Limits(requests=1)

    async def run() -> None:
        answered = asyncio.Event()

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["path"] == "/v1/games":
                await answered.wait()
            await Response()(scope, receive, send)

        middleware = RequestMiddleware(app, Metrics(), limits)

        async def ask(path: str) -> int:
            scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b""}
            statuses: list[int] = []

            async def receive() -> Message:
                return {"type": "http.request", "body": b"", "more_body": False}

            async def send(message: Message) -> None:
                statuses.append(message.get("status", 0))

            await middleware({**scope, "headers": []}, receive, send)
            return statuses[0]

        held = [asyncio.create_task(ask("/v1/games")) for _ in range(limits.connections)]
        await asyncio.sleep(0)
        asked = ("/v1/codes", "/healthz", "/readyz", "/metrics")
        assert [await ask(path) for path in asked] == [503, 200, 200, 503]
        answered.set()
        assert set(await asyncio.gather(*held)) == {200}
        assert [await ask(path) for path in asked] == [200] * 4

    asyncio.run(run())


@pytest.mark.parametrize(
    "fields",
    [
        b"Content-Length: %d\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked\r\nContent-Length: %d\r\n",
        b"transfer-encoding: Chunked\r\ncontent-length: %d\r\nX: y\r\n",
    ],
)
def test_a_body_with_two_lengths_is_refused(client: httpx.Client, fields: bytes) -> None:
    """What follows is no request: who sent it and the service may disagree where the body ends."""
    chunk = b"%x\r\n%s\r\n0\r\n\r\n" % (len(LINE), LINE)
    with connection(client) as plain:
        plain.sendall(b"POST /v1/validate HTTP/1.1\r\nHost: localhost\r\n%s\r\n" % (fields % len(chunk)) + chunk)
        plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = b""
        with suppress(ConnectionError):
            while part := plain.recv(4096):
                answer += part
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert (answer.count(b"HTTP/1.1 "), b"urn:hexrec:problem:bad-request" in answer) == (1, True)
    assert served(client)


def test_requests_are_not_read_while_their_answers_are_not(client: httpx.Client) -> None:
    sent = 0
    with connection(client) as plain, suppress(TimeoutError):
        plain.settimeout(1)
        while sent < 1 << 24:
            sent += plain.send(b"GET /v1/codes HTTP/1.1\r\nHost: localhost\r\n\r\n" * 2_000)
    assert sent < 1 << 24
    assert served(client)


def test_what_follows_a_body_without_an_end(client: httpx.Client) -> None:
    with connection(client) as plain:
        plain.sendall(
            b"POST /v1/validate HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Long: "
        )
        with pytest.raises(ConnectionError):
            plain.sendall(ENDLESS * 1000)
    assert served(client)


def test_what_follows_a_body_is_no_part_of_the_request(client: httpx.Client) -> None:
    with connection(client) as plain:
        plain.sendall(
            b"POST /v1/validate HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
            b"%x\r\n%s\r\n0\r\nX-Request-ID: behind\r\nContent-Encoding: br\r\n\r\n"
            b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" % (len(LINE), LINE)
        )
        answer = plain.makefile("rb").read()
    assert answer.count(b"HTTP/1.1 200 ") == 2
    assert b"behind" not in answer


UPGRADE = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABk\r\n"


@pytest.mark.parametrize("size", [1, 50, 1 << 16])
def test_the_wish_for_another_protocol_is_not_heard(client: httpx.Client, size: int) -> None:
    header = b"POST /v1/validate?lint=true HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n" % (
        UPGRADE,
        len(LINE),
    )
    last = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    with connection(client) as plain:
        asked = header + LINE + header + LINE + last
        for at in range(0, len(asked), size):
            plain.sendall(asked[at : at + size])
        answer = plain.makefile("rb").read()
    assert answer.count(b"HTTP/1.1 200 ") == 3
    assert answer.count(b'"valid": true') == 2


def test_a_way_to_elsewhere_is_refused(client: httpx.Client) -> None:
    with connection(client) as plain:
        plain.sendall(b"CONNECT example.org:80 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        answer = plain.makefile("rb")
        assert next(answer).startswith(b"HTTP/1.1 404 ")
