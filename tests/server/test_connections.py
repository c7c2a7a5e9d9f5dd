"""Connections that no client library makes: headers without an end, answers not read, other protocols."""

from __future__ import annotations

from contextlib import suppress

import httpx
import pytest

from tests.server.conftest import LINE, connection
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
