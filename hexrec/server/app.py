"""FastAPI application: routers, middleware and error handlers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from functools import cache

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from hexrec.codes import site_address
from hexrec.server import openapi
from hexrec.server.handler import Service
from hexrec.server.limits import Limits
from hexrec.server.observability import RequestMiddleware
from hexrec.server.origins import OriginMiddleware
from hexrec.server.parameters import make_problem
from hexrec.server.problems import Problem
from hexrec.server.reference import operation, reference
from hexrec.server.routes import positions, records
from hexrec.util.version import __version__

_ROUTERS = (records, positions, reference, operation)
_STATUSES = {400: "bad-request", 404: "not-found", 405: "method-not-allowed"}


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
        await service.dispatcher.pool.open()
        yield
        await service.dispatcher.pool.close()

    app = FastAPI(
        title="hexrec",
        openapi_url=None,
        version=__version__,
        summary="Check, score and convert records of games on hexagonal boards.",
        lifespan=lifespan,
        redirect_slashes=False,
        # include_router would rebuild all routes, which takes 0.4 seconds.
        routes=[route for router in _ROUTERS for route in router.routes],
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
        return error.make_response()

    @app.exception_handler(RequestValidationError)
    async def bad_parameter(_: Request, error: RequestValidationError) -> Response:
        return make_problem(error.errors()).make_response()

    @app.exception_handler(HTTPException)
    async def http_error(_: Request, error: HTTPException) -> Response:
        name = _STATUSES.get(error.status_code, "bad-request")
        headers = dict(error.headers or {})
        if headers.get("Allow") == "GET":
            headers["Allow"] = "GET, HEAD"
        return Problem(name, str(error.detail)).make_response(headers)

    @app.exception_handler(ClientDisconnect)
    async def client_disconnected(_: Request, __: ClientDisconnect) -> Response:
        return Response(status_code=499)

    @app.exception_handler(Exception)
    async def internal_error(_: Request, __: Exception) -> Response:
        return Problem("failed", "this is an error in hexrec: report it").make_response()
