"""Connections whose requests do not come: they have a deadline, and make room for others before that."""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from typing import Any

from httptools import HttpParserUpgrade, HttpRequestParser
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

#: How many bytes may come that neither complete the header of a request nor belong to a body.
_MOST_UNREAD = 1 << 16
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


class _PlainConnection(HttpToolsProtocol):
    """A connection that has no headers without an end, and speaks no other protocol."""

    parser: _PlainParser
    _unread = 0
    _in_header = False

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.parser = _PlainParser(self)

    def data_received(self, data: bytes) -> None:
        # The parser keeps what it has not understood yet, however much that is.
        self._unread += len(data)
        super().data_received(data)
        if self._unread > _MOST_UNREAD:
            self._refuse(_TOO_LARGE)

    def on_message_begin(self) -> None:
        self._in_header = True
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._in_header:  # else it is behind a body, and no part of what was asked
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_header = False
        self._unread = 0
        if not self.parser.ignores():
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        if not self.parser.ignores():
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


class _PlainParser(HttpRequestParser):
    """A parser for which requests that would rather speak another protocol are such as all others.

    Some clients, Java's among them, ask for HTTP/2 in this way whenever they connect. The parser below leaves the body
    of such a request to whoever speaks that protocol.
    """

    def __init__(self, connection: _PlainConnection) -> None:
        super().__init__(connection)
        # As uvicorn has it: what comes after a request that is the last on its connection is no error.
        self.set_dangerous_leniencies(lenient_data_after_close=True)
        self._connection = connection

    def ignores(self) -> bool:
        """Return whether the request is one that will be read once more, as one that asks for no other protocol."""
        return bool(self.should_upgrade()) and self.get_method() != b"CONNECT"

    def feed_data(self, data: Any) -> None:
        """Parse what has come. Raises HttpParserError."""
        try:
            super().feed_data(data)
        except HttpParserUpgrade as upgrade:
            header = self._connection.plain_header()
            self._connection.parser = _PlainParser(self._connection)
            self._connection.parser.feed_data(header + data[upgrade.args[0] :])
