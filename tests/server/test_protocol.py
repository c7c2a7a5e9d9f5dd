"""Connections from within: what is read, what is sent in how many pieces, and when that ends, without a clock."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive, Scope, Send
from uvicorn import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from hexrec.server import connections
from hexrec.server.connections import protocol, while_connected

TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
GET = b"GET /a?b=1 HTTP/1.1\r\nHost: x\r\nX-Own: 1\r\n\r\n"
HEAD_SECONDS = 7.5


class Timer:
    """Something that is to be called at some time."""

    def __init__(self, seconds: float, call: Callable[[], object]) -> None:
        self.seconds = seconds
        self.call = call
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class Loop:
    """The event loop, in which no time passes."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.timers: list[Timer] = []

    def call_later(self, seconds: float, call: Callable[..., object], *arguments: object) -> Timer:
        self.timers.append(Timer(seconds, lambda: call(*arguments)))
        return self.timers[-1]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loop, name)

    def due(self) -> list[Timer]:
        """Return what will be called for a header that does not come."""
        return [timer for timer in self.timers if timer.seconds == HEAD_SECONDS and not timer.cancelled]


class Wire(asyncio.Transport):
    """What a client gets, in pieces as they are sent."""

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[bytes] = []
        self.closing = False
        self.aborted = False

    def write(self, data: Any) -> None:
        self.pieces.append(bytes(data))

    def writelines(self, list_of_data: Any) -> None:
        self.write(b"".join(list_of_data))

    def close(self) -> None:
        self.closing = True

    def abort(self) -> None:
        self.closing = self.aborted = True

    def is_closing(self) -> bool:
        return self.closing

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return {"peername": ("127.0.0.1", 1), "sockname": ("127.0.0.1", 2)}.get(name, default)

    @property
    def sent(self) -> bytes:
        return b"".join(self.pieces)


class Server:
    """Connections to an application that answers with what it was asked, in two parts.

    Attributes:
        asked: what was asked, with the bodies.
        free: is set where answers need not wait.
    """

    def __init__(self, limit: int | None = None) -> None:
        self.loop = Loop()
        self.state = ServerState()
        self.config = Config(
            self.app,
            interface="asgi3",
            proxy_headers=False,
            limit_concurrency=limit,
            log_config=None,
            server_header=False,
            date_header=False,
        )
        self.config.load()
        self.kind = protocol(HEAD_SECONDS)
        self.asked: list[tuple[str, str, bytes, list[tuple[bytes, bytes]], bytes]] = []
        self.free = asyncio.Event()
        self.free.set()
        self.left = 0

    async def app(self, scope: Scope, receive: Receive, send: Send) -> None:
        body, more = b"", True
        while more:
            message: Message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        try:
            with while_connected(scope):
                await self.free.wait()
        except ClientDisconnect:
            self.left += 1
            return
        self.asked.append((scope["method"], scope["path"], scope["query_string"], list(scope["headers"]), body))
        start = {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]}
        await send(start)
        await send({"type": "http.response.body", "body": b"ab", "more_body": True})
        await send({"type": "http.response.body", "body": b"cd"})

    def connect(self) -> tuple[HttpToolsProtocol, Wire]:
        wire = Wire()
        found = self.kind(self.config, self.state, {}, self.loop)  # type: ignore[arg-type]
        found.connection_made(wire)
        return found, wire


async def rest() -> None:
    for _ in range(30):
        await asyncio.sleep(0)


def run(does: Callable[[Server], Awaitable[None]], limit: int | None = None) -> None:
    async def all_of_it() -> None:
        await does(Server(limit))

    asyncio.run(all_of_it())


def test_the_header_is_sent_with_the_beginning_of_the_body() -> None:
    async def does(server: Server) -> None:
        connection, wire = server.connect()
        for _ in range(2):
            wire.pieces.clear()
            connection.data_received(GET)
            await rest()
            assert [piece.rpartition(b"\r\n\r\n")[2] for piece in wire.pieces] == [b"ab", b"cd"]
            assert wire.pieces[0].startswith(b"HTTP/1.1 200 OK\r\n")
        assert server.asked == [("GET", "/a", b"b=1", [(b"host", b"x"), (b"x-own", b"1")], b"")] * 2
        assert not wire.closing
        connection.data_received(GET.replace(b"X-Own: 1", b"Connection: close"))
        await rest()
        assert wire.closing
        assert not wire.aborted

    run(does)


def test_an_answer_without_a_body_is_sent() -> None:
    async def does(server: Server) -> None:
        connection, wire = server.connect()
        connection.data_received(GET.replace(b"GET", b"HEAD"))
        await rest()
        assert wire.sent.startswith(b"HTTP/1.1 200 OK\r\n")
        assert wire.sent.endswith(b"\r\n\r\n")
        wire.pieces.clear()
        transport = connections._JoiningTransport(connection.cycle)
        assert connection.cycle.response_started
        transport._transport = wire
        transport.write(b"header")
        assert (wire.sent, transport.is_closing()) == (b"", False)
        transport.close()
        assert (wire.sent, wire.closing, transport.is_closing()) == (b"header", True, True)

    run(does)


def test_what_is_sent_before_an_answer_is_sent_at_once() -> None:
    async def does(server: Server) -> None:
        connection, wire = server.connect()
        server.free.clear()
        connection.data_received(b"POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n")
        await rest()
        assert wire.sent == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.data_received(b"x")
        server.free.set()
        await rest()
        assert wire.sent.endswith(b"\r\n\r\nabcd")

    run(does)


def test_when_a_header_is_waited_for() -> None:
    async def does(server: Server) -> None:
        connection, wire = server.connect()
        assert len(server.loop.due()) == 1
        connection.data_received(GET[:9])
        assert len(server.loop.due()) == 1
        connection.data_received(GET[9:])
        assert server.loop.due() == []
        await rest()
        assert server.loop.due() == []
        wire.pieces.clear()
        connection.data_received(GET[:9])
        connection.data_received(GET[9:12])
        (timer,) = server.loop.due()
        timer.call()
        assert (wire.sent, wire.closing, wire.aborted) == (TOO_SLOW, True, False)
        timer.call()
        assert wire.sent == TOO_SLOW
        connection.data_received(GET[12:14])
        assert len(server.loop.due()) == 1
        connection.connection_lost(None)
        assert server.loop.due() == []
        connection.connection_lost(None)

    run(does)


def test_nothing_is_said_into_an_answer() -> None:
    async def does(server: Server) -> None:
        connection, wire = server.connect()
        (timer,) = server.loop.due()
        server.free.clear()
        connection.data_received(GET)
        await rest()
        timer.call()
        assert (wire.sent, wire.aborted) == (b"", True)

    run(does)


def test_silent_connections_make_room() -> None:
    async def does(server: Server) -> None:
        made = [server.connect() for _ in range(2)]
        busy, _ = made[0]
        server.free.clear()
        busy.data_received(GET)
        assert not any(wire.aborted for _, wire in made)
        made.append(server.connect())
        assert [wire.aborted for _, wire in made] == [False, True, False]
        assert server.state.connections == {made[0][0], made[2][0]}
        assert len(server.loop.due()) == 1
        made[2][0].data_received(GET)
        # Nobody is silent.
        made.append(server.connect())
        assert [wire.aborted for _, wire in made] == [False, True, False, False]
        assert len(server.loop.due()) == 1
        server.free.set()
        await rest()

    run(does, limit=3)
    run(lambda server: _connect_many(server), limit=None)


async def _connect_many(server: Server) -> None:
    made = [server.connect() for _ in range(9)]
    assert not any(wire.aborted for _, wire in made)


POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n"


@pytest.mark.parametrize("before", [b"", GET, POST + b"x"])
def test_how_long_a_header_may_be(before: bytes) -> None:
    async def does(server: Server) -> None:
        connection, wire = server.connect()
        for part in filter(None, (before[: len(POST)], before[len(POST) :])):
            connection.data_received(part)
            await rest()
        answered = wire.sent
        connection.data_received(b"GET /".ljust(connections._MOST_UNREAD, b"x"))
        assert wire.sent == answered
        connection.data_received(b"x")
        assert wire.sent == answered + TOO_LARGE

    run(does)


def test_a_long_body_is_no_header() -> None:
    async def does(server: Server) -> None:
        connection, wire = server.connect()
        size = 3 * connections._MOST_UNREAD
        connection.data_received(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % size)
        for _ in range(9):
            connection.data_received(b"x" * (size // 9))
            await rest()
        connection.data_received(b"x" * (size % 9))
        await rest()
        assert len(server.asked[0][4]) == size
        assert wire.sent.endswith(b"abcd")

    run(does)


def test_what_follows_a_body_is_no_field() -> None:
    async def does(server: Server) -> None:
        connection, _ = server.connect()
        chunks = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nX-Late: 1\r\n\r\n"
        connection.data_received(chunks + GET)
        await rest()
        assert [(body, dict(headers).get(b"x-late")) for *_, headers, body in server.asked] == [
            (b"x", None),
            (b"", None),
        ]
        assert server.asked[1][3] == [(b"host", b"x"), (b"x-own", b"1")]

    run(does)


UPGRADE = b"Connection: Upgrade\r\nUpgrade: h2c\r\n"


@pytest.mark.parametrize("size", [1, 1_000])
def test_another_protocol_is_not_spoken(size: int) -> None:
    async def does(server: Server) -> None:
        connection, wire = server.connect()
        data = b"POST /c%20d?e=%2f HTTP/1.1\r\nHost: x\r\n" + UPGRADE + b"X-Own: 1\r\nContent-Length: 2\r\n\r\nxy" + GET
        for at in range(0, len(data), size):
            connection.data_received(data[at : at + size])
        await rest()
        fields = [(b"host", b"x"), (b"x-own", b"1"), (b"content-length", b"2")]
        assert server.asked[0] == ("POST", "/c d", b"e=%2f", fields, b"xy")
        assert [method for method, *_ in server.asked] == ["POST", "GET"]
        assert wire.sent.count(b"HTTP/1.1 200 OK") == 2

    run(does)


def test_what_follows_the_last_request_is_not_read() -> None:
    async def does(server: Server) -> None:
        connection, wire = server.connect()
        connection.data_received(GET.replace(b"X-Own: 1", b"Connection: close") + b"more")
        await rest()
        assert wire.sent.startswith(b"HTTP/1.1 200 OK")
        assert wire.sent.endswith(b"abcd")

    run(does)


@pytest.mark.parametrize("target", [b"example.org:80", b"http://x/healthz", b"/healthz"])
@pytest.mark.parametrize("more", [b"", b"Connection: Upgrade\r\nUpgrade: h2c\r\n"])
def test_a_way_to_elsewhere_is_refused(monkeypatch: pytest.MonkeyPatch, target: bytes, more: bytes) -> None:
    """As soon as it is read."""
    parsers: list[object] = []
    usual = connections._PlainParser

    def kept(connection: Any) -> object:
        parsers.append(usual(connection))
        return parsers[-1]

    monkeypatch.setattr(connections, "_PlainParser", kept)

    async def does(server: Server) -> None:
        connection, wire = server.connect()
        connection.data_received(b"CONNECT %s HTTP/1.1\r\nHost: x\r\n%s\r\n" % (target, more))
        await rest()
        assert wire.sent.startswith(b"HTTP/1.1 400 ")
        assert wire.sent.count(b"HTTP/1.1 ") == 1
        assert server.asked == []
        assert len(parsers) == 1

    run(does)


def test_a_connection_that_breaks_is_not_closed_once_more() -> None:
    async def does(server: Server) -> None:
        for error in (None, ConnectionResetError()):
            connection, wire = server.connect()
            connection.connection_lost(error)
            assert wire.closing == (error is None)

    run(does)


def test_a_client_that_leaves() -> None:
    async def does(server: Server) -> None:
        server.free.clear()
        connection, wire = server.connect()
        connection.data_received(GET)
        await rest()
        connection.connection_lost(None)
        await rest()
        assert (server.left, server.asked, wire.sent) == (1, [], b"")
        # A task that is cancelled for another reason is cancelled.
        connection, _ = server.connect()
        connection.data_received(GET)
        await rest()
        (task,) = server.state.tasks
        task.cancel()
        await task
        assert server.left == 1

    run(does)


def test_waiting_without_a_connection() -> None:
    async def waits() -> None:
        with while_connected({}):
            await asyncio.sleep(0)

    asyncio.run(waits())


def test_a_connection_that_is_lost_when_the_answer_is_there() -> None:
    async def run_all() -> list[bool]:
        lost = asyncio.get_running_loop().create_future()
        with while_connected({connections._LOST: lost}):
            await asyncio.sleep(0)
            lost.set_result(None)
        await rest()
        return [asyncio.current_task().cancelling() == 0]  # type: ignore[union-attr]

    assert asyncio.run(run_all()) == [True]


def test_nothing_is_left_at_a_connection_that_stays() -> None:
    async def waits() -> object:
        lost = asyncio.get_running_loop().create_future()
        for _ in range(2):
            with while_connected({connections._LOST: lost}):
                await asyncio.sleep(0)
        return lost._callbacks

    assert not asyncio.run(waits())
