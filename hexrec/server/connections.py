"""Connections over HTTP/1.1. A new one has room, however many others only wait for a request."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol


class Connection(H11Protocol):
    """A connection. If there are too many, the one that has waited longest for the head of a request is closed.

    A head may never arrive whole, and the next connection may be a health probe.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # uvicorn would refuse all further requests; `RequestMiddleware` limits those in progress.
        self._most, self.limit_concurrency = self.limit_concurrency, None
        self._since = self.loop.time()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Register the connection, and close another one if there are too many."""
        super().connection_made(transport)
        if self._most is not None and len(self.connections) > self._most:
            others = (other for other in self.connections if isinstance(other, Connection) and other is not self)
            oldest = min((other for other in others if other.is_waiting), key=lambda other: other._since, default=None)
            if oldest is not None:
                oldest.shutdown()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        self._since = self.loop.time()
        super().on_response_complete()

    @property
    def is_waiting(self) -> bool:
        """Whether no request is in progress."""
        return not self.transport.is_closing() and (self.cycle is None or self.cycle.response_complete)
