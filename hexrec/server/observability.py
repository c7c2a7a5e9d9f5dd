"""Request log, metrics and default headers."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from random import getrandbits
from time import perf_counter
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hexrec.server.problems import Problem
from hexrec.validation.summary import Summary

_LOG = logging.getLogger("hexrec.server")
#: Default headers: browsers may show a response, but not store or embed it.
_HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]
#: The maximum size in bytes, and the timeout in seconds, for reading the rest of an unused body.
_MOST_DRAINED, _DRAIN_SECONDS = 1 << 26, 5.0
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_METHODS = ("GET", "HEAD", "POST", "OPTIONS")


class Metrics:
    """Prometheus metrics of the service."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        options: dict[str, Any] = {"registry": self._registry}
        self.requests = Counter("hexrec_requests", "Requests answered.", ["path", "method", "status"], **options)
        self.seconds = Histogram(
            "hexrec_request_seconds", "Time from request to the end of the answer.", ["path"], **options
        )
        self.busy = Gauge("hexrec_requests_with_body", "Requests with a body in progress.", **options)
        self.received = Counter("hexrec_received_bytes", "Bytes of bodies received.", **options)
        self.records = Counter("hexrec_records", "Records validated.", ["verdict"], **options)
        self.plies = Counter("hexrec_plies", "Turns replayed.", **options)
        self.replaced = Counter("hexrec_workers_replaced", "Workers that were killed or ended.", ["reason"], **options)
        for reason in ("time", "gone"):
            self.replaced.labels(reason)
        self._options = options
        for verdict in ("valid", "invalid"):
            self.records.labels(verdict)

    def add_gauge(self, name: str, help: str, value: Callable[[], float]) -> None:
        """Add a gauge that calls `value` when it is read."""
        Gauge(name, help, **self._options).set_function(value)

    def count(self, summary: Summary) -> None:
        """Add the totals of some records."""
        self.records.labels("valid").inc(summary.valid)
        self.records.labels("invalid").inc(summary.invalid)
        self.plies.inc(summary.plies)

    def text(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        return bytes(generate_latest(self._registry))


class RequestMiddleware:
    """Middleware that counts, logs and times every request, and refuses requests beyond the limits.

    Attributes:
        free_bytes: the number of bytes that further bodies may have.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, requests: int, bodies: int) -> None:
        """`requests` limits the concurrent requests with a body, `bodies` their total size in bytes."""
        self._app = app
        self._metrics = metrics
        self._free = requests
        self.free_bytes = bodies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = _Exchange(scope, receive, send, self)
        scope = exchange.scope
        with_body = scope["method"] == "POST"
        try:
            if with_body and self._free == 0:
                busy = Problem("busy", "too many requests at a time").response()
                await busy(scope, exchange.receive, exchange.send)
                return
            self._free -= with_body
            self._metrics.busy.inc(with_body)
            try:
                await self._app(scope, exchange.receive, exchange.send)
            finally:
                self._free += with_body
                self._metrics.busy.dec(with_body)
        finally:
            self.free_bytes += exchange.held
            self._log(exchange)

    def _log(self, exchange: _Exchange) -> None:
        seconds = perf_counter() - exchange.begun
        route = exchange.scope.get("route")
        path = getattr(route, "path", "other")
        method = exchange.method if exchange.method in _METHODS else "other"
        data = {
            "request": exchange.id.decode(),
            "method": method,
            "path": path,
            "status": exchange.status,
            "bytes_in": exchange.received,
            "bytes_out": exchange.sent,
            "milliseconds": round(seconds * 1000, 1),
        }
        _LOG.info("request", extra={"data": data})
        self._metrics.received.inc(exchange.received)
        self._metrics.requests.labels(path, method, str(exchange.status)).inc()
        self._metrics.seconds.labels(path).observe(seconds)


class _Exchange:
    """One request and its response.

    Attributes:
        held: the bytes of its body in memory, until the response ends.
    """

    def __init__(self, scope: Scope, receive: Receive, send: Send, server: RequestMiddleware) -> None:
        self.method = scope["method"]
        # Handle HEAD as GET; the server drops the body.
        self.scope = {**scope, "method": "GET"} if self.method == "HEAD" else scope
        self._receive = receive
        self._send = send
        self._server = server
        self.held = 0
        headers = dict(scope["headers"])
        # A client that sends Expect does not send its body after a refusal.
        self._unread = self.method == "POST" and b"expect" not in headers
        given = headers.get(b"x-request-id", b"")
        self.id = given if _REQUEST_ID.fullmatch(given) else b"%032x" % getrandbits(128)
        self.begun = perf_counter()
        self.status = 500
        self.received = 0
        self.sent = 0

    async def receive(self) -> Message:
        """Return the next part of the request. Raises Problem if all bodies together are too large."""
        message = await self._receive_uncounted()
        size = len(message.get("body", b""))
        if size > self._server.free_bytes:
            raise Problem("busy", "too many bytes of bodies at a time")
        self._server.free_bytes -= size
        self.held += size
        return message

    async def _receive_uncounted(self) -> Message:
        message = await self._receive()
        self.received += len(message.get("body", b""))
        self._unread = message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = list(message["headers"])
            present = {name.lower() for name, _ in headers}
            headers.append((b"x-request-id", self.id))
            headers += [field for field in _HEADERS if field[0] not in present]
            message = {**message, "headers": headers}
        self.sent += 0 if self.method == "HEAD" else len(message.get("body", b""))
        if self._unread and message["type"] == "http.response.body" and not message.get("more_body", False):
            await self._send({**message, "more_body": True})
            await self._drain()
            message = {"type": "http.response.body", "body": b""}
        await self._send(message)

    async def _drain(self) -> None:
        """Read the rest of a body: closing earlier would lose the response for clients that send all of it first."""
        most = self.received + _MOST_DRAINED
        with suppress(TimeoutError):
            async with asyncio.timeout(_DRAIN_SECONDS):
                while self._unread and self.received < most:
                    await self._receive_uncounted()


class JsonFormatter(logging.Formatter):
    """Formatter that writes log entries as JSON, one per line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a log entry as a line of JSON."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        entry = {"time": time, "level": record.levelname.lower(), "event": record.getMessage()}
        entry.update(getattr(record, "data", {}))
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        # Escape `##`, which begins commands to CI services.
        return json.dumps(entry).replace("##", "\\u0023#")


def log_to_stderr() -> None:
    """Write the log of the service and of uvicorn to stderr."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter())
    for name in ("hexrec.server", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(logging.INFO)
        logger.propagate = False
