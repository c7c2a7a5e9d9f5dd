"""The page in the browser: what it is made of, and the address that tells it of a record."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import FastAPI, Request
from starlette.responses import Response

from hexrec.page import CONTENT_SECURITY_POLICY, Asset, assets
from hexrec.service import media, openapi
from hexrec.service.answering import Service
from hexrec.service.parameters import From, RecordIndex
from hexrec.service.work import Story


def add_page(app: FastAPI, service: Service) -> None:
    """Add the page, and the address that it asks."""
    for path, asset in assets().items():
        app.add_api_route(path, _handing_out(asset), methods=["GET"], include_in_schema=False)

    drawn = openapi.answers({media.JSON: {"schema": {"type": "object"}}}, "The record, its positions and its verdict.")

    @app.post("/v1/replay", response_class=Response, openapi_extra=openapi.body(), responses=drawn)
    async def replay(
        request: Request,
        notation: From = None,
        record: RecordIndex = 0,
    ) -> Response:
        """Play a record and tell all that a picture of every position needs, with the verdict on it."""
        kind = media.choose(request.headers.get("accept"), (media.JSON,))
        return await service.answer(request, Story(**service.about(request, notation), record=record), kind)


def _handing_out(asset: Asset) -> Callable[[], Response]:
    headers = {"Content-Security-Policy": CONTENT_SECURITY_POLICY, "Cache-Control": "no-cache"}

    def hand_out() -> Response:
        return Response(asset.text, headers=headers, media_type=f"{asset.media_type}; charset=utf-8")

    return hand_out
