"""The routes for those who run the service."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Query, Request
from fastapi.responses import PlainTextResponse, Response
from typing_extensions import TypedDict

from hexrec.server import negotiation, openapi
from hexrec.server.parameters import Parameters
from hexrec.server.problems import Problem


class Status(TypedDict):
    """That the service is well."""

    status: Literal["ok"]


router = openapi.router("operation")
_OK = b'{"status": "ok"}'


@router.get("/healthz", response_model=Status, **openapi.route("It is well."))
async def get_health(_: Annotated[Parameters, Query()]) -> Response:
    """Say that the process is there."""
    return Response(_OK, media_type=negotiation.JSON)


@router.get("/readyz", response_model=Status, **openapi.route("It is well.", statuses=[503]))
async def get_readiness(request: Request, _: Annotated[Parameters, Query()]) -> Response:
    """Say whether there are workers."""
    if not request.app.state.service.dispatcher.pool.workers:
        raise Problem("busy", "there is no worker")
    return Response(_OK, media_type=negotiation.JSON)


@router.get("/metrics", response_class=PlainTextResponse, **openapi.route("The metrics."))
async def get_metrics(request: Request, _: Annotated[Parameters, Query()]) -> Response:
    """Return what is counted, for Prometheus."""
    return Response(request.app.state.service.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
