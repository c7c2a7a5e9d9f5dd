"""Routes for bodies: records, and positions of one record."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import PlainTextResponse, Response

from hexrec.server import negotiation
from hexrec.server.handler import respond
from hexrec.server.listing import EditRecord, ListRecords, RecordList
from hexrec.server.negotiation import JSON, LINES
from hexrec.server.openapi import BYTES, EDIT, POSITION, RECORDS, TEXT, describe, make_router, refer_to
from hexrec.server.parameters import (
    BodyParameters,
    ConvertParameters,
    DescribeParameters,
    ListParameters,
    Parameters,
    PlyParameters,
    RecordParameters,
    RenderParameters,
    ValidateParameters,
)
from hexrec.server.positions import (
    DescribePosition,
    ExplainResult,
    LegalTurns,
    ListLegalTurns,
    PositionData,
    RenderPosition,
    ReplayRecord,
)
from hexrec.server.tasks import AbstractPlayRecord, ConvertedRecords, ConvertRecords, ScoreRecords, ValidateRecords
from hexrec.web.shapes import ExplanationData, ReplayData, Reports, ScoreRow

records = make_router("records")
positions = make_router("positions")

_REPORTS = {**dict.fromkeys(negotiation.REPORTS, TEXT), JSON: {}, LINES: refer_to("ReportData")}
_ROWS = {JSON: {}, LINES: refer_to("ScoreRow"), "text/csv": TEXT}
_RECORDS = {
    **dict.fromkeys(negotiation.RECORD_TYPES, TEXT),
    JSON: {"schema": {"anyOf": [refer_to("Record")["schema"]]}},
    LINES: {"schema": {"anyOf": [refer_to(name)["schema"] for name in ("Record", "ConvertedRecord")]}},
}
_PICTURES = {kind: TEXT if kind == negotiation.SVG else BYTES for kind in negotiation.PICTURES}


@records.post(
    "/v1/validate", response_model=Reports, **describe("The report, as `hexrec validate` writes it.", _REPORTS, RECORDS)
)
async def validate(request: Request, given: Annotated[ValidateParameters, Query()]) -> Response:
    """Validate every record. JSON Lines are streamed, in JSON Lines.

    With `finished`, every record must have a result. With `lint`, there are warnings about probable mistakes; the body
    is not streamed then, because duplicates are reported.
    """
    kind = negotiation.choose(request.headers.get("accept"), negotiation.REPORTS)
    by_line = kind == LINES and not given.lint
    return await respond(request, ValidateRecords, given, kind, by_line=by_line, report=negotiation.REPORTS[kind])


@records.post(
    "/v1/score",
    response_model=list[ScoreRow],
    **describe("A row for each record, as `hexrec score` writes it.", _ROWS, RECORDS),
)
async def score(request: Request, given: Annotated[BodyParameters, Query()]) -> Response:
    """Compute winner and score of every record. JSON Lines are streamed, in JSON Lines."""
    kind = negotiation.choose(request.headers.get("accept"), negotiation.ROWS)
    return await respond(request, ScoreRecords, given, kind, by_line=kind == LINES, format=negotiation.ROWS[kind])


@records.post(
    "/v1/convert", response_model=AbstractPlayRecord | ConvertedRecords, **describe("The records.", _RECORDS, RECORDS)
)
async def convert(request: Request, given: Annotated[ConvertParameters, Query()]) -> Response:
    """Convert the records to another format or coordinate system.

    Without `report`, the response is a file. All records must be valid then, unless `invalid` is set. The header
    `Hexrec-Warnings` has the number of warnings about lost data. With `report`, the response is JSON or JSON Lines:
    each record separately, with its report.
    """
    kind, to, layout = given.choose_form(request.headers.get("accept"))
    return await respond(request, ConvertRecords, given, kind, by_line=layout == "jsonl", to=to, layout=layout)


@records.post("/v1/list", response_model=RecordList, **describe("The records of the body, in order.", body=RECORDS))
async def list_records(request: Request, given: Annotated[ListParameters, Query()]) -> Response:
    """List the records: players, validation result, and extent in the body.

    The part of the body at an extent is a valid body for the other addresses.
    """
    return await respond(request, ListRecords, given)


@records.post("/v1/edit", response_class=PlainTextResponse, **describe("The new text.", body=EDIT))
async def edit_record(request: Request, given: Annotated[Parameters, Query()]) -> Response:
    """Change a record in place. Only the parts that differ change, if the format allows it.

    Send the part of a file that `/v1/list` locates, and replace it by the response.
    """
    return await respond(request, EditRecord, given, negotiation.choose(request.headers.get("accept"), ("text/plain",)))


@positions.post("/v1/legal", response_model=LegalTurns, **describe("The position.", body=RECORDS))
async def list_legal_turns(request: Request, given: Annotated[PlyParameters, Query()]) -> Response:
    """List the legal turns of a record after any of its turns."""
    return await respond(request, ListLegalTurns, given)


@positions.post("/v1/explain", response_model=ExplanationData, **describe("The explanation.", body=RECORDS))
async def explain_result(request: Request, given: Annotated[PlyParameters, Query()]) -> Response:
    """Explain the result of a game: scores or groups, their cells, and the deciding rules.

    For an unfinished game, or with `ply`, the same tables describe that position.
    """
    return await respond(request, ExplainResult, given)


@positions.post("/v1/positions", response_model=PositionData, **describe("The position.", body=POSITION))
async def describe_position(request: Request, given: Annotated[DescribeParameters, Query()]) -> Response:
    """Read a position, or play a game, and list the legal turns."""
    return await respond(request, DescribePosition, given)


@positions.post("/v1/render", response_class=Response, **describe("The picture.", _PICTURES, RECORDS))
async def render(request: Request, given: Annotated[RenderParameters, Query()]) -> Response:
    """Draw a record after any of its turns, by default after the last legal one; as GIF, the game up to it.

    PNG and GIF need the extra `pictures` of the service.
    """
    kind = negotiation.choose(request.headers.get("accept"), negotiation.PICTURES)
    return await respond(request, RenderPosition, given, kind, format=negotiation.PICTURES[kind])


@positions.post(
    "/v1/replay", response_model=ReplayData, **describe("The record, its positions and its report.", body=RECORDS)
)
async def replay(request: Request, given: Annotated[RecordParameters, Query()]) -> Response:
    """Replay a record and return its positions as data of pictures, with the report."""
    return await respond(request, ReplayRecord, given)
