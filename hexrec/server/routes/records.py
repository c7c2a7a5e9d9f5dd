"""Routes for all records of a body: validation, scores, conversion, lists and edits."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import PlainTextResponse, Response

from hexrec.output.report_data import Reports, ScoreRow
from hexrec.server import negotiation
from hexrec.server.handler import respond
from hexrec.server.listing import EditRecord, ListRecords, RecordList
from hexrec.server.negotiation import JSON, LINES
from hexrec.server.openapi import EDIT, RECORDS, TEXT, describe, make_router, refer_to
from hexrec.server.parameters import BodyParameters, ConvertParameters, ListParameters, Parameters, ValidateParameters
from hexrec.server.tasks import (
    AbstractPlayRecord,
    ConvertedRecords,
    ConvertRecords,
    ScoreRecords,
    ValidateRecords,
)

router = make_router("records")

_REPORTS = {**dict.fromkeys(negotiation.REPORTS, TEXT), JSON: {}, LINES: refer_to("ReportData")}
_ROWS = {JSON: {}, LINES: refer_to("ScoreRow"), "text/csv": TEXT}
_RECORDS = {
    **dict.fromkeys(negotiation.RECORD_TYPES, TEXT),
    JSON: {"schema": {"anyOf": [refer_to("Record")["schema"]]}},
    LINES: {"schema": {"anyOf": [refer_to(name)["schema"] for name in ("Record", "ConvertedRecord")]}},
}


@router.post(
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


@router.post(
    "/v1/score",
    response_model=list[ScoreRow],
    **describe("A row for each record, as `hexrec score` writes it.", _ROWS, RECORDS),
)
async def score(request: Request, given: Annotated[BodyParameters, Query()]) -> Response:
    """Compute winner and score of every record. JSON Lines are streamed, in JSON Lines."""
    kind = negotiation.choose(request.headers.get("accept"), negotiation.ROWS)
    return await respond(request, ScoreRecords, given, kind, by_line=kind == LINES, format=negotiation.ROWS[kind])


@router.post(
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


@router.post("/v1/list", response_model=RecordList, **describe("The records of the body, in order.", body=RECORDS))
async def list_records(request: Request, given: Annotated[ListParameters, Query()]) -> Response:
    """List the records: players, validation result, and extent in the body.

    The part of the body at an extent is a valid body for the other addresses.
    """
    return await respond(request, ListRecords, given)


@router.post("/v1/edit", response_class=PlainTextResponse, **describe("The new text.", body=EDIT))
async def edit_record(request: Request, given: Annotated[Parameters, Query()]) -> Response:
    """Change a record in place. Only the parts that differ change, if the format allows it.

    Send the part of a file that `/v1/list` locates, and replace it by the response.
    """
    return await respond(request, EditRecord, given, negotiation.choose(request.headers.get("accept"), ("text/plain",)))
