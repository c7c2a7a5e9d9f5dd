"""Routes for operators: health, readiness and metrics."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query, Request
from fastapi.responses import PlainTextResponse, Response
from prometheus_client import generate_latest
from typing_extensions import TypedDict

from hexrec.server.openapi import describe, make_router
from hexrec.server.parameters import Parameters
from hexrec.server.problems import Problem


class Status(TypedDict):
    """Status of the service."""

    status: Literal["ok"]


router = make_router("operation")


@router.get("/healthz", **describe("The service is ready."))
async def get_health(_: Annotated[Parameters, Query()]) -> Status:
    """Report that the process is running."""
    return {"status": "ok"}


@router.get("/readyz", **describe("The service is ready."))
async def get_readiness(request: Request, _: Annotated[Parameters, Query()]) -> Status:
    """Report whether workers are running."""
    if not request.app.state.service.dispatcher.pool.workers:
        raise Problem("busy", "no worker is running")
    return {"status": "ok"}


@router.get("/metrics", response_class=PlainTextResponse, **describe("The metrics."))
async def get_metrics(request: Request, _: Annotated[Parameters, Query()]) -> Response:
    """Return the metrics for Prometheus."""
    text = generate_latest(request.app.state.service.metrics.registry)
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")
