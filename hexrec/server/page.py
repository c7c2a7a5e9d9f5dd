"""The page in the browser: its files, and the route from which it gets a record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import FastAPI, Query, Request
from starlette.responses import Response

from hexrec.server import negotiation, openapi
from hexrec.server.constant import Constant
from hexrec.server.handler import Service
from hexrec.server.parameters import RecordParameters
from hexrec.server.tasks import ReplayRecord
from hexrec.web import CONTENT_SECURITY_POLICY, Asset, assets


def add_page(app: FastAPI, service: Service) -> None:
    """Add the page and its route."""
    for path, asset in assets().items():
        app.add_api_route(path, _static_handler(asset), include_in_schema=False)

    drawn = "The record, its positions and its verdict."

    @app.post("/v1/replay", **openapi.route("positions", {negotiation.JSON: openapi.reference("ReplayData")}, drawn))
    async def replay(request: Request, given: Annotated[RecordParameters, Query()]) -> Response:
        """Replay a record: all that a picture of every position needs, and the verdict."""
        kind = negotiation.media_type(request, (negotiation.JSON,))
        return await service.respond(request, service.task(ReplayRecord, request, given), kind)


def _static_handler(asset: Asset) -> Callable[[Request], Response]:
    headers = {"Content-Security-Policy": CONTENT_SECURITY_POLICY, "Cache-Control": "no-cache"}
    answer = Constant(asset.text.encode, f"{asset.media_type}; charset=utf-8", headers)

    def serve_asset(request: Request) -> Response:
        return answer.response(request)

    return serve_asset
