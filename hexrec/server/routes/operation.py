"""Routes for operators: health, readiness and metrics."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query, Request
from fastapi.responses import PlainTextResponse, Response
from typing_extensions import TypedDict

from hexrec.server import negotiation, openapi
from hexrec.server.parameters import Parameters
from hexrec.server.problems import Problem


class Status(TypedDict):
    """Status of the service."""

    status: Literal["ok"]


router = openapi.router("operation")
_OK = b'{"status": "ok"}'


@router.get("/healthz", response_model=Status, **openapi.route("The service is ready."))
async def get_health(_: Annotated[Parameters, Query()]) -> Response:
    """Report that the process is running."""
    return Response(_OK, media_type=negotiation.JSON)


@router.get("/readyz", response_model=Status, **openapi.route("The service is ready.", statuses=[503]))
async def get_readiness(request: Request, _: Annotated[Parameters, Query()]) -> Response:
    """Report whether workers are running."""
    if not request.app.state.service.dispatcher.pool.workers:
        raise Problem("busy", "no worker is running")
    return Response(_OK, media_type=negotiation.JSON)


@router.get("/metrics", response_class=PlainTextResponse, **openapi.route("The metrics."))
async def get_metrics(request: Request, _: Annotated[Parameters, Query()]) -> Response:
    """Return the metrics for Prometheus."""
    return Response(request.app.state.service.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
