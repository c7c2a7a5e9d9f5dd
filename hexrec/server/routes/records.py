"""Routes for all records of a body: validation, scores, conversion, lists and edits."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import PlainTextResponse, Response

from hexrec.output.report_data import Reports
from hexrec.server import negotiation, openapi
from hexrec.server.handler import respond
from hexrec.server.listing import EditRecord, ListRecords, RecordList
from hexrec.server.negotiation import JSON, LINES
from hexrec.server.parameters import BodyParameters, ConvertParameters, Parameters, ValidateParameters
from hexrec.server.tasks import (
    AbstractPlayRecord,
    ConvertedRecords,
    ConvertRecords,
    ScoreRecords,
    ScoreRow,
    ValidateRecords,
)

router = openapi.router("records")

_REPORTS = {**dict.fromkeys(negotiation.REPORTS, openapi.TEXT), JSON: {}, LINES: openapi.one("ReportData")}
_ROWS = {JSON: {}, LINES: openapi.one("ScoreRow"), "text/csv": openapi.TEXT}
_RECORDS = {
    **dict.fromkeys(negotiation.RECORD_TYPES, openapi.TEXT),
    JSON: {"schema": {"anyOf": [openapi.one("Record")["schema"]]}},
    LINES: {"schema": {"anyOf": [openapi.one(name)["schema"] for name in ("Record", "ConvertedRecord")]}},
}


@router.post(
    "/v1/validate",
    response_model=Reports,
    **openapi.route("The report, as `hexrec validate` writes it.", _REPORTS, openapi.RECORDS),
)
async def validate(request: Request, given: Annotated[ValidateParameters, Query()]) -> Response:
    """Validate every record. JSON Lines are streamed, in JSON Lines.

    With `finished`, every record must have a result. With `lint`, there are warnings about probable mistakes; the body
    is not streamed then, because duplicates are reported.
    """
    kind = negotiation.media_type(request, negotiation.REPORTS)
    by_line = kind == LINES and not given.lint
    return await respond(request, ValidateRecords, given, kind, by_line=by_line, report=negotiation.REPORTS[kind])


@router.post(
    "/v1/score",
    response_model=list[ScoreRow],
    **openapi.route("A row for each record, as `hexrec score` writes it.", _ROWS, openapi.RECORDS),
)
async def score(request: Request, given: Annotated[BodyParameters, Query()]) -> Response:
    """Compute winner and score of every record. JSON Lines are streamed, in JSON Lines."""
    kind = negotiation.media_type(request, negotiation.ROWS)
    return await respond(request, ScoreRecords, given, kind, by_line=kind == LINES, format=negotiation.ROWS[kind])


@router.post(
    "/v1/convert",
    response_model=AbstractPlayRecord | ConvertedRecords,
    **openapi.route("The records.", _RECORDS, openapi.RECORDS),
)
async def convert(request: Request, given: Annotated[ConvertParameters, Query()]) -> Response:
    """Convert the records to another format or coordinate system.

    Without `report`, the response is a file. All records must be valid then, unless `invalid` is set. The header
    `Hexrec-Warnings` has the number of warnings about lost data. With `report`, the response is JSON or JSON Lines:
    each record separately, with its report.
    """
    kind, to, layout = given.form(request.headers.get("accept"))
    return await respond(request, ConvertRecords, given, kind, by_line=layout == "jsonl", to=to, layout=layout)


@router.post(
    "/v1/list",
    response_model=RecordList,
    **openapi.route("The records of the body, in order.", body=openapi.RECORDS),
)
async def list_records(request: Request, given: Annotated[BodyParameters, Query()]) -> Response:
    """List the records: players, validation result, and extent in the body.

    The part of the body at an extent is a valid body for the other addresses.
    """
    return await respond(request, ListRecords, given)


@router.post("/v1/edit", response_class=PlainTextResponse, **openapi.route("The new text.", body=openapi.EDIT))
async def edit_record(request: Request, given: Annotated[Parameters, Query()]) -> Response:
    """Change a record in place. Only the parts that differ change, if the format allows it.

    Send the part of a file that `/v1/list` locates, and replace it by the response.
    """
    return await respond(request, EditRecord, given, negotiation.media_type(request, ("text/plain",)))
