"""The routes for one record or one position: legal turns, explanations, pictures, and the data that the page draws."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import Response

from hexrec.server import negotiation, openapi
from hexrec.server.handler import respond
from hexrec.server.parameters import DescribeParameters, PlyParameters, RecordParameters, RenderParameters
from hexrec.server.positions import (
    DescribePosition,
    ExplainResult,
    ExplanationData,
    LegalTurns,
    ListLegalTurns,
    PositionData,
    RenderPosition,
    ReplayRecord,
)
from hexrec.web.shapes import ReplayData

router = openapi.router("positions")

_PICTURES = {kind: openapi.TEXT if kind == negotiation.SVG else openapi.BYTES for kind in negotiation.PICTURES}


@router.post("/v1/legal", response_model=LegalTurns, **openapi.route("The position.", body=openapi.RECORDS))
async def list_legal_turns(request: Request, given: Annotated[PlyParameters, Query()]) -> Response:
    """List the legal turns of a record after any of its turns."""
    return await respond(request, ListLegalTurns, given)


@router.post("/v1/explain", response_model=ExplanationData, **openapi.route("The explanation.", body=openapi.RECORDS))
async def explain_result(request: Request, given: Annotated[PlyParameters, Query()]) -> Response:
    """Say why a game ended as it did: what counts, where it is, and by which condition of the rules.

    For an unfinished game, or after any of its turns, the same tables describe that position.
    """
    return await respond(request, ExplainResult, given)


@router.post("/v1/positions", response_model=PositionData, **openapi.route("The position.", body=openapi.POSITION))
async def describe_position(request: Request, given: Annotated[DescribeParameters, Query()]) -> Response:
    """Read the text of a position, or play a game, and say what can be played there."""
    return await respond(request, DescribePosition, given)


@router.post("/v1/render", response_class=Response, **openapi.route("The picture.", _PICTURES, openapi.RECORDS))
async def render(request: Request, given: Annotated[RenderParameters, Query()]) -> Response:
    """Draw a record after any of its turns, else after the last that is legal; as GIF, the whole game up to there.

    PNG and GIF need the extra `pictures` where the service is installed.
    """
    kind = negotiation.media_type(request, negotiation.PICTURES)
    return await respond(request, RenderPosition, given, kind, format=negotiation.PICTURES[kind])


@router.post(
    "/v1/replay",
    response_model=ReplayData,
    **openapi.route("The record, its positions and its verdict.", body=openapi.RECORDS),
)
async def replay(request: Request, given: Annotated[RecordParameters, Query()]) -> Response:
    """Replay a record: all that a picture of every position needs, and the verdict."""
    return await respond(request, ReplayRecord, given)
