"""Connections whose requests do not come: they have a deadline, and make room for others before that."""

from __future__ import annotations

from asyncio import CancelledError, Future, TimerHandle, Transport, current_task
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from httptools import HttpParserError, HttpParserUpgrade, HttpRequestParser
from starlette.requests import ClientDisconnect
from starlette.types import Scope
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

#: How many bytes may come that neither complete the header of a request nor belong to a body.
_MOST_UNREAD = 1 << 16
#: Where the scope of a request has what is done when its connection is lost.
_LOST = "hexrec.lost"
_TOO_SLOW = b"408 Request Timeout"
_TOO_LARGE = b"431 Request Header Fields Too Large"


def protocol(seconds: float) -> type[HttpToolsProtocol]:
    """Return the protocol of connections on which the header of a request has to come in so many seconds."""
    #: Connections on which a header is to come, the oldest first, with what ends them.
    waiting: dict[HttpToolsProtocol, TimerHandle] = {}

    class Connection(_PlainConnection):
        def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if waiting and self.limit_concurrency and len(self.connections) >= self.limit_concurrency:
                oldest = next(iter(waiting))
                waiting.pop(oldest).cancel()
                oldest.transport.abort()
                self.connections.discard(oldest)  # at once: it may take a while until it is lost
            self._expect()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self._in_request():
                self._forget()
            elif self not in waiting and not self.transport.is_closing():
                self._expect()

        def connection_lost(self, exc: Exception | None) -> None:
            self._forget()
            super().connection_lost(exc)

        def _expect(self) -> None:
            waiting[self] = self.loop.call_later(seconds, self._refuse, _TOO_SLOW)

        def _forget(self) -> None:
            if (timer := waiting.pop(self, None)) is not None:
                timer.cancel()

    return Connection


@contextmanager
def while_connected(scope: Scope) -> Iterator[None]:
    """End what is being waited for when the client is gone. Raises ClientDisconnect then."""
    lost: Future[None] | None = scope.get(_LOST)
    task = current_task()
    if lost is None or task is None:
        yield
        return
    before = task.cancelling()
    within = True

    def cancel(_: Future[None]) -> None:
        if within:  # else the call was on its way when what was being waited for came
            task.cancel()

    lost.add_done_callback(cancel)
    try:
        yield
    except CancelledError:
        if lost.done() and task.uncancel() <= before:
            raise ClientDisconnect from None
        raise
    finally:
        within = False
        lost.remove_done_callback(cancel)


class _PlainConnection(HttpToolsProtocol):
    """A connection that has no headers without an end, and speaks no other protocol."""

    parser: _PlainParser
    _unread = 0
    _in_header = False

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.parser = _PlainParser(self)
        self._lost = self.loop.create_future()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if not self._lost.done():
            self._lost.set_result(None)

    def data_received(self, data: bytes) -> None:
        # The parser keeps what it has not understood yet, however much that is.
        self._unread += len(data)
        super().data_received(data)
        if self._unread > _MOST_UNREAD:
            self._refuse(_TOO_LARGE)

    def on_message_begin(self) -> None:
        self._in_header = True
        super().on_message_begin()
        cast(Scope, self.scope)[_LOST] = self._lost

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._in_header:  # else it is behind a body, and no part of what was asked
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_header = False
        self._unread = 0
        if self.parser.get_method() == b"CONNECT":
            raise HttpParserError
        if not self.parser.should_upgrade():
            super().on_headers_complete()
            if self.scope["method"] != "HEAD":
                self.cycle.transport = cast(Transport, _JoiningTransport(self.cycle))

    def on_body(self, body: bytes) -> None:
        self._unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        if not self.parser.should_upgrade():
            super().on_message_complete()

    def plain_header(self) -> bytes:
        """Return the header of the last request, without the wish for another protocol."""
        fields = [field for field in self.headers if field[0] not in (b"connection", b"upgrade")]
        lines = [b"%s %s HTTP/1.1" % (self.parser.get_method(), self.url), *(b"%s: %s" % field for field in fields)]
        return b"\r\n".join([*lines, b"", b""])

    def _in_request(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _refuse(self, status: bytes) -> None:
        """End the connection, with an answer unless another one has begun."""
        if self._in_request():
            self.transport.abort()
        elif not self.transport.is_closing():
            self.transport.write(b"HTTP/1.1 %s\r\nconnection: close\r\ncontent-length: 0\r\n\r\n" % status)
            self.transport.close()


class _JoiningTransport:
    """What an exchange sends through: the header of an answer is sent together with the beginning of its body.

    Every call of the system costs more than much of what is done for an answer.
    """

    def __init__(self, cycle: RequestResponseCycle) -> None:
        self._cycle = cycle
        self._transport = cycle.transport
        self._header: bytes | None = None

    def write(self, data: bytes) -> None:
        """Send something, or keep it if it is the header."""
        if self._cycle.response_started and self._header is None:
            self._header = data
        elif self._header:
            self._transport.writelines((self._header, data))
            self._header = b""
        else:
            self._transport.write(data)

    def close(self) -> None:
        """Close the connection when all is sent."""
        if self._header:
            self._transport.write(self._header)
        self._transport.close()

    def is_closing(self) -> bool:
        """Return whether it is being closed."""
        return self._transport.is_closing()


class _PlainParser(HttpRequestParser):
    """A parser that reads requests which would rather speak another protocol once more, without that wish.

    Some clients, Java's among them, ask for HTTP/2 in this way whenever they connect. The parser below leaves the body
    of such a request to whoever speaks that protocol.
    """

    def __init__(self, connection: _PlainConnection) -> None:
        super().__init__(connection)
        # As uvicorn has it: what comes after a request that is the last on its connection is no error.
        self.set_dangerous_leniencies(lenient_data_after_close=True)
        self._connection = connection

    def feed_data(self, data: Any) -> None:
        """Parse what has come. Raises HttpParserError."""
        try:
            super().feed_data(data)
        except HttpParserUpgrade as upgrade:
            header = self._connection.plain_header()
            self._connection.parser = _PlainParser(self._connection)
            self._connection.parser.feed_data(header + data[upgrade.args[0] :])
