"""Routes for one record or position: legal turns, explanations, pictures, and data of the page."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import Response

from hexrec.output.report_data import ExplanationData
from hexrec.server import negotiation
from hexrec.server.handler import respond
from hexrec.server.openapi import BYTES, POSITION, RECORDS, TEXT, describe, make_router
from hexrec.server.parameters import DescribeParameters, PlyParameters, RecordParameters, RenderParameters
from hexrec.server.positions import (
    DescribePosition,
    ExplainResult,
    LegalTurns,
    ListLegalTurns,
    PositionData,
    RenderPosition,
    ReplayRecord,
)
from hexrec.web.shapes import ReplayData

router = make_router("positions")

_PICTURES = {kind: TEXT if kind == negotiation.SVG else BYTES for kind in negotiation.PICTURES}


@router.post("/v1/legal", response_model=LegalTurns, **describe("The position.", body=RECORDS))
async def list_legal_turns(request: Request, given: Annotated[PlyParameters, Query()]) -> Response:
    """List the legal turns of a record after any of its turns."""
    return await respond(request, ListLegalTurns, given)


@router.post("/v1/explain", response_model=ExplanationData, **describe("The explanation.", body=RECORDS))
async def explain_result(request: Request, given: Annotated[PlyParameters, Query()]) -> Response:
    """Explain the result of a game: scores or groups, their cells, and the deciding rules.

    For an unfinished game, or with `ply`, the same tables describe that position.
    """
    return await respond(request, ExplainResult, given)


@router.post("/v1/positions", response_model=PositionData, **describe("The position.", body=POSITION))
async def describe_position(request: Request, given: Annotated[DescribeParameters, Query()]) -> Response:
    """Read a position, or play a game, and list the legal turns."""
    return await respond(request, DescribePosition, given)


@router.post("/v1/render", response_class=Response, **describe("The picture.", _PICTURES, RECORDS))
async def render(request: Request, given: Annotated[RenderParameters, Query()]) -> Response:
    """Draw a record after any of its turns, by default after the last legal one; as GIF, the game up to it.

    PNG and GIF need the extra `pictures` of the service.
    """
    kind = negotiation.choose(request.headers.get("accept"), negotiation.PICTURES)
    return await respond(request, RenderPosition, given, kind, format=negotiation.PICTURES[kind])


@router.post(
    "/v1/replay", response_model=ReplayData, **describe("The record, its positions and its report.", body=RECORDS)
)
async def replay(request: Request, given: Annotated[RecordParameters, Query()]) -> Response:
    """Replay a record and return its positions as data of pictures, with the report."""
    return await respond(request, ReplayRecord, given)
