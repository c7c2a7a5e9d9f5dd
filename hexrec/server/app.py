"""The FastAPI application: routers, middleware and error handlers; its run on a port until a signal ends it."""

from __future__ import annotations

import json
import logging
import signal
import socket
import sys
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import cache

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from hexrec.codes import site_address
from hexrec.rules import compiled
from hexrec.server import openapi
from hexrec.server.connections import Connection
from hexrec.server.handler import Service
from hexrec.server.limits import Limits
from hexrec.server.middleware import OriginMiddleware, RequestMiddleware, respond_with
from hexrec.server.parameters import make_problem
from hexrec.server.problems import Problem
from hexrec.server.routes import operation, positions, records, reference
from hexrec.util.version import __version__

_LOG = logging.getLogger("hexrec.server")
_STATUSES = {400: "bad-request", 404: "not-found", 405: "method-not-allowed"}
_EXIT_CODES = {signal.SIGINT: 130, signal.SIGTERM: 0}


def create(
    limits: Limits | None = None, workers: int = 2, origins: Collection[str] = (), hosts: Collection[str] = ()
) -> FastAPI:
    """Return the application.

    It answers requests for `hosts`, localhost and IP addresses, from its own pages and from `origins`.
    Raises EnvironmentVariableError if the URL of the site is invalid.
    """
    site_address()
    service = Service(limits or Limits(), workers)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await service.pool.open()
        yield
        await service.pool.close()

    app = FastAPI(
        title="hexrec",
        openapi_url=None,
        version=__version__,
        summary="Validate, convert and score records of games on hexagonal boards.",
        description=openapi.ABOUT,
        openapi_tags=openapi.TAGS,
        license_info={"name": "MIT", "identifier": "MIT"},
        lifespan=lifespan,
        redirect_slashes=False,
        # include_router would rebuild all routes, which takes 0.4 seconds.
        routes=[route for router in (records, positions, reference, operation) for route in router.routes],
    )
    app.state.service = service
    app.state.constants = {}
    _add_exception_handlers(app)
    app.openapi = cache(lambda: openapi.make_document(app))  # type: ignore[method-assign]
    app.add_middleware(OriginMiddleware, hosts=hosts, origins=origins)
    app.add_middleware(RequestMiddleware, metrics=service.metrics, limits=service.limits)
    if origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(origins),
            allow_methods=["GET", "HEAD", "POST"],
            allow_headers=["X-Request-ID"],
            expose_headers=["Hexrec-Warnings", "X-Request-ID"],
        )
    return app


def _add_exception_handlers(app: FastAPI) -> None:
    @app.exception_handler(Problem)
    async def problem(_: Request, error: Problem) -> Response:
        return respond_with(error)

    @app.exception_handler(RequestValidationError)
    async def bad_parameter(_: Request, error: RequestValidationError) -> Response:
        return respond_with(make_problem(error.errors()))

    @app.exception_handler(HTTPException)
    async def http_error(_: Request, error: HTTPException) -> Response:
        name = _STATUSES.get(error.status_code, "bad-request")
        headers = dict(error.headers or {})
        if headers.get("Allow") == "GET":
            headers["Allow"] = "GET, HEAD"
        details = {"not-found": "/docs lists all URLs", "method-not-allowed": f"use {headers.get('Allow')}"}
        return respond_with(Problem(name, details.get(name, str(error.detail))), headers)

    @app.exception_handler(ClientDisconnect)
    async def client_disconnected(_: Request, __: ClientDisconnect) -> Response:
        return Response(status_code=499)

    @app.exception_handler(Exception)
    async def internal_error(_: Request, __: Exception) -> Response:
        return respond_with(Problem("failed", "this is an error in hexrec: report it"))


def make_server(app: FastAPI, host: str, port: int) -> uvicorn.Server:
    """Return a server that has not started. A shutdown waits for open requests."""
    limits = app.state.service.limits
    return uvicorn.Server(
        uvicorn.Config(
            app,
            host=host,
            port=port,
            # h11 is slower than httptools, but it limits headers and pipelined requests and ignores upgrades.
            http=Connection,
            h11_max_incomplete_event_size=limits.head,
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            limit_concurrency=limits.connections,
            timeout_graceful_shutdown=int(limits.seconds) + 5,
        )
    )


def listen(host: str, port: int) -> list[socket.socket]:
    """Return listening sockets for all addresses of a host, on the same port. Raises OSError."""
    sockets: list[socket.socket] = []
    for family, *_, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE):
        # With port 0, the first address takes a free port and the others use the same.
        at = (address[0], sockets[0].getsockname()[1] if sockets else port)
        sockets.append(socket.create_server(at, family=family))
    return sockets


def serve(app: FastAPI, host: str, sockets: list[socket.socket]) -> None:
    """Serve on listening sockets until a signal, then exit."""
    _log_to_stderr()
    port = sockets[0].getsockname()[1]
    running = make_server(app, host, port)
    # The server raises the signal again after its shutdown: exit then without a traceback.
    for number, code in _EXIT_CODES.items():
        signal.signal(number, lambda *_, code=code: sys.exit(code))
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        # uvicorn handles SIGINT and SIGTERM only.
        signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
    _LOG.info(f"hexrec listens on http://{f'[{host}]' if ':' in host else host}:{port} (Ctrl+C stops it)")
    if message := compiled.describe_missing():
        _LOG.warning(message)
    running.run(sockets)


class JsonFormatter(logging.Formatter):
    """Formatter that writes log entries as JSON, one per line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a log entry as a line of JSON."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        entry = {"time": time, "level": record.levelname.lower(), "event": record.getMessage()}
        entry.update(getattr(record, "data", {}))
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps(entry)


def _log_to_stderr() -> None:
    """Write the log of the service and of uvicorn to stderr."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter())
    for name in ("hexrec.server", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(logging.INFO)
        logger.propagate = False
