"""Connections whose requests do not come: they have a deadline, and make room for others before that."""

from __future__ import annotations

from asyncio import TimerHandle, Transport

from uvicorn.protocols.http.h11_impl import H11Protocol

_TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


def protocol(seconds: float) -> type[H11Protocol]:
    """Return the protocol of connections on which the header of a request has to come in so many seconds."""
    #: Connections on which a header is to come, the oldest first, with what ends them.
    waiting: dict[H11Protocol, TimerHandle] = {}

    class Connection(H11Protocol):
        def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if waiting and self.limit_concurrency and len(self.connections) >= self.limit_concurrency:
                oldest = next(iter(waiting))
                waiting.pop(oldest).cancel()
                oldest.transport.abort()
            self._expect()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            in_request = self.cycle is not None and not self.cycle.response_complete
            if in_request:
                self._forget()
            elif self not in waiting and not self.transport.is_closing():
                self._expect()

        def connection_lost(self, exc: Exception | None) -> None:
            self._forget()
            super().connection_lost(exc)

        def _expect(self) -> None:
            waiting[self] = self.loop.call_later(seconds, self._too_slow)

        def _forget(self) -> None:
            if (timer := waiting.pop(self, None)) is not None:
                timer.cancel()

        def _too_slow(self) -> None:
            del waiting[self]
            self.transport.write(_TOO_SLOW)
            self.transport.close()

    return Connection
