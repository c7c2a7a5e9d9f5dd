"""Middleware: metrics, request log, limits for all requests and default headers; Host and Origin checks."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import partial
from ipaddress import ip_address
from random import getrandbits
from time import perf_counter
from urllib.parse import urlsplit

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hexrec.output import to_text
from hexrec.server.limits import Limits
from hexrec.server.problems import MEDIA_TYPE, Problem
from hexrec.validation.report import Summary

_LOG = logging.getLogger("hexrec.server")
#: Default headers: browsers may show a response, but not store or embed it.
_HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
#: Seconds before a refused client should try again.
_RETRY_AFTER = "2"
#: The maximum size in bytes, and the timeout in seconds, for reading the rest of an unused body.
_MOST_DRAINED, _DRAIN_SECONDS = 1 << 26, 5.0
#: The maximum total size of all bodies in memory, in bodies of the maximum size.
_BODIES = 16
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
#: The paths of health probes, which are answered however many requests are in progress.
_PROBES = ("/healthz", "/readyz")
_METHODS = ("GET", "HEAD", "POST", "OPTIONS")


def respond_with(problem: Problem, headers: Mapping[str, str] | None = None) -> Response:
    """Return a problem as a response."""
    retry = {"Retry-After": _RETRY_AFTER} if problem.status == 503 else {}
    return Response(to_text(problem.as_data()), problem.status, {**retry, **(headers or {})}, MEDIA_TYPE)


class Metrics:
    """Prometheus metrics of the service.

    Attributes:
        registry: all metrics.
    """

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        counter, gauge = partial(Counter, registry=self.registry), partial(Gauge, registry=self.registry)
        self.requests = counter("hexrec_requests", "Requests answered.", ["path", "method", "status"])
        self.received = counter("hexrec_received_bytes", "Bytes of bodies received.")
        self.records = counter("hexrec_records", "Records validated.", ["verdict"])
        self.plies = counter("hexrec_plies", "Turns replayed.")
        self.replaced = counter("hexrec_workers_replaced", "Workers that were killed or ended.", ["reason"])
        time = "Time from request to the end of the answer."
        self.seconds = Histogram("hexrec_request_seconds", time, ["path"], registry=self.registry)
        self.busy = gauge("hexrec_requests_with_body", "Requests with a body in progress.")
        self.workers = gauge("hexrec_workers", "Processes that do the work.")
        self.idle = gauge("hexrec_workers_idle", "Processes that are idle.")

    def count(self, summary: Summary) -> None:
        """Add the totals of some records."""
        self.records.labels("valid").inc(summary.valid)
        self.records.labels("invalid").inc(summary.invalid)
        self.plies.inc(summary.plies)


class RequestMiddleware:
    """Middleware that counts, logs and times every request, and refuses requests beyond the limits.

    Attributes:
        free_bytes: the number of bytes that further bodies may have.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, limits: Limits) -> None:
        self._app = app
        self._metrics = metrics
        self._free = limits.requests
        self._limits = limits
        self._active = 0
        self.free_bytes = _BODIES * limits.body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = _Exchange(scope, receive, send, self)
        counts = scope["path"] not in _PROBES
        with_body = exchange.method == "POST"
        refusal = self._refuse_head(scope)
        is_full = (counts and self._active >= self._limits.connections) or (with_body and not self._free)
        if refusal is None and is_full:
            refusal = respond_with(Problem("busy", "too many requests at a time"))
        with_body = with_body and refusal is None
        self._active += counts
        self._free -= with_body
        self._metrics.busy.inc(with_body)
        try:
            await (refusal or self._app)(exchange.scope, exchange.receive, exchange.send)
        finally:
            self._active -= counts
            self._free += with_body
            self._metrics.busy.dec(with_body)
            self.free_bytes += exchange.held
            self._log(exchange)

    def _refuse_head(self, scope: Scope) -> Response | None:
        """Return the response to a head that is too large, or that says in two ways where the body ends."""
        names = {name for name, _ in scope["headers"]}
        size = len(scope["raw_path"] or b"") + len(scope["query_string"])
        size += sum(len(name) + len(value) + len(b": \r\n") for name, value in scope["headers"])
        if size > self._limits.head:
            problem = Problem("head-too-large", f"too large: send at most {self._limits.head} bytes before the body")
        elif {b"content-length", b"transfer-encoding"} <= names:
            problem = Problem(
                "bad-request", "Content-Length and Transfer-Encoding exclude each other: send one of them"
            )
        else:
            return None
        return respond_with(problem, {"Connection": "close"})

    def _log(self, exchange: _Exchange) -> None:
        seconds = perf_counter() - exchange.begun
        path = getattr(exchange.scope.get("route"), "path", "other")
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
    """One request and its response; `held` bytes of the body are in memory."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, server: RequestMiddleware) -> None:
        self.method = scope["method"]
        # Handle HEAD as GET; the server drops the body.
        self.scope = {**scope, "method": "GET"} if self.method == "HEAD" else scope
        self._receive = receive
        self._send = send
        self._server = server
        headers = dict(scope["headers"])
        # A client that sends Expect does not send its body after a refusal.
        self._unread = self.method == "POST" and b"expect" not in headers
        given = headers.get(b"x-request-id", b"")
        self.id = given if _REQUEST_ID.fullmatch(given) else b"%032x" % getrandbits(128)
        self.begun = perf_counter()
        self.status = 500
        self.held = self.received = self.sent = 0

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
            headers = MutableHeaders(raw=[*message["headers"], (b"x-request-id", self.id)])
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            message = {**message, "headers": headers.raw}
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


class OriginMiddleware:
    """Middleware that refuses requests for unknown host names and from pages of other origins.

    DNS rebinding can point any host name at this machine, so only known names and IP addresses are accepted.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], origins: Collection[str]) -> None:
        """`hosts` are the accepted host names, `origins` the accepted origins of pages; `*` accepts all."""
        self._app = app
        self._hosts = {"localhost", *(host.lower() for host in hosts)}
        self._origins = set(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on or refuse it."""
        problem = self._find_problem(Headers(scope=scope)) if scope["type"] == "http" else None
        await (respond_with(problem) if problem else self._app)(scope, receive, send)

    def _find_problem(self, headers: Headers) -> Problem | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._is_own(host):
            return Problem("unknown-host", "unknown host name: start the service with --allow-host to accept it")
        if origin is None or self._origins & {origin, "*"} or origin.partition("://")[2] == host:
            return None
        return Problem("foreign-origin", "unknown origin: start the service with --cors-origin to accept it")

    def _is_own(self, host: str) -> bool:
        try:
            place = urlsplit(f"//{host}")
            name = place.hostname
            if place.netloc != host:  # more than a name and a port
                return False
            # HTTP/1.0 needs no Host; browsers always send one.
            if name is not None and not self._hosts & {name, "*"}:
                ip_address(name)
        except ValueError:
            return False
        return True
