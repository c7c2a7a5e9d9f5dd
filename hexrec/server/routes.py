"""All routes: for bodies of records and positions; for constant data, such as the page and the codes; for metrics."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from importlib.resources import files
from typing import Annotated, Literal, NotRequired

from fastapi import Path, Query, Request
from fastapi.openapi.docs import get_redoc_html
from fastapi.responses import PlainTextResponse, Response
from prometheus_client import generate_latest
from pydantic import Field
from typing_extensions import TypedDict

from hexrec import codes
from hexrec.output import to_text
from hexrec.record.json_schema import game_schema, record_schema
from hexrec.rules import games
from hexrec.server import negotiation
from hexrec.server.handler import respond
from hexrec.server.imports import ImportedGames, ImportText
from hexrec.server.listing import EditRecord, ListRecords, RecordList
from hexrec.server.negotiation import JSON, LINES, accepts_gzip
from hexrec.server.openapi import BYTES, EDIT, POSITION, POST, RECORDS, TEXT, describe, make_router, refer_to
from hexrec.server.parameters import GameName, Parameters
from hexrec.server.positions import (
    DescribePosition,
    ExplainResult,
    LegalTurns,
    ListLegalTurns,
    PositionData,
    RenderPosition,
    ReplayRecord,
)
from hexrec.server.problems import Problem
from hexrec.server.records import AbstractPlayRecord, ConvertedRecords, ConvertRecords, ScoreRecords, ValidateRecords
from hexrec.web.answers import CodeHelp, Color, ExplanationData, Number, ReplayData, Reports, ScoreRow
from hexrec.web.assembly import ASSETS, CONTENT_SECURITY_POLICY

records = make_router("records")
positions = make_router("positions")
reference = make_router("reference")
operation = make_router("operation")

_REPORTS = {**dict.fromkeys(negotiation.REPORTS, TEXT), JSON: {}, LINES: refer_to("ReportData")}
_ROWS = {JSON: {}, LINES: refer_to("ScoreRow"), "text/csv": TEXT}
_RECORDS = {
    **dict.fromkeys(negotiation.RECORD_TYPES, TEXT),
    JSON: {"schema": {"anyOf": [refer_to("Record")["schema"]]}},
    negotiation.RECORD_JSON: refer_to("Record"),
    LINES: {"schema": {"anyOf": [refer_to(name)["schema"] for name in ("Record", "ConvertedRecord")]}},
}
_PICTURES = {kind: TEXT if kind == negotiation.SVG else BYTES for kind in negotiation.PICTURES}


@records.post(
    "/v1/validate", response_model=Reports, **describe("The report, as `hexrec validate` writes it.", _REPORTS, RECORDS)
)
async def validate(request: Request, given: Annotated[ValidateRecords, Query()]) -> Response:
    """Validate every record. JSON Lines are streamed, in JSON Lines.

    With `finished`, every record must have a result. With `lint`, there are warnings about probable mistakes; the body
    is not streamed then, because duplicates are reported.
    """
    return await respond(request, given, by_line=not given.lint)


@records.post(
    "/v1/score",
    response_model=list[ScoreRow],
    **describe("A row for each record, as `hexrec score` writes it.", _ROWS, RECORDS),
)
async def score(request: Request, given: Annotated[ScoreRecords, Query()]) -> Response:
    """Compute winner and score of every record. JSON Lines are streamed, in JSON Lines."""
    return await respond(request, given, by_line=True)


@records.post(
    "/v1/convert", response_model=AbstractPlayRecord | ConvertedRecords, **describe("The records.", _RECORDS, RECORDS)
)
async def convert(request: Request, given: Annotated[ConvertRecords, Query()]) -> Response:
    """Convert the records to another format or coordinate system.

    Without `report`, the response is a file. All records must be valid then, unless `invalid` is set. The header
    `Hexrec-Warnings` has the number of warnings about lost data. With `report`, the response is JSON or JSON Lines:
    each record separately, with its report.
    """
    return await respond(request, given, by_line=given.report)


@records.post(
    "/v1/import",
    response_model=ImportedGames,
    **describe("The games of the text, in order.", {JSON: {}, LINES: refer_to("ImportedGame")}, POST),
)
async def import_text(request: Request, given: Annotated[ImportText, Query()]) -> Response:
    """Import the games of a text as people write them, of a table, or of a spreadsheet.

    A game has a record if the text has a single valid reading. Otherwise its diagnostics have the turn that fails, or
    the parameter that decides. The header `Content-Type` is ignored.
    """
    return await respond(request, given)


@records.post("/v1/list", response_model=RecordList, **describe("The records of the body, in order.", body=RECORDS))
async def list_records(request: Request, given: Annotated[ListRecords, Query()]) -> Response:
    """List the records: players, validation result, and extent in the body.

    The part of the body at an extent is a valid body for the other addresses.
    """
    return await respond(request, given)


@records.post("/v1/edit", response_class=PlainTextResponse, **describe("The new text.", body=EDIT))
async def edit_record(request: Request, given: Annotated[EditRecord, Query()]) -> Response:
    """Change a record in place. Only the parts that differ change, if the format allows it.

    Send the part of a file that `/v1/list` locates, and replace it by the response.
    """
    return await respond(request, given)


@positions.post("/v1/legal", response_model=LegalTurns, **describe("The position.", body=RECORDS))
async def list_legal_turns(request: Request, given: Annotated[ListLegalTurns, Query()]) -> Response:
    """List the legal turns of a record after any of its turns."""
    return await respond(request, given)


@positions.post("/v1/explain", response_model=ExplanationData, **describe("The explanation.", body=RECORDS))
async def explain_result(request: Request, given: Annotated[ExplainResult, Query()]) -> Response:
    """Explain the result of a game: scores or groups, their cells, and the deciding rules.

    For an unfinished game, or with `ply`, the same tables describe that position.
    """
    return await respond(request, given)


@positions.post("/v1/positions", response_model=PositionData, **describe("The position.", body=POSITION))
async def describe_position(request: Request, given: Annotated[DescribePosition, Query()]) -> Response:
    """Read a position, or play a game, and list the legal turns."""
    return await respond(request, given)


@positions.post("/v1/render", response_class=Response, **describe("The picture.", _PICTURES, RECORDS))
async def render(request: Request, given: Annotated[RenderPosition, Query()]) -> Response:
    """Draw a record after any of its turns, by default after the last legal one; as GIF, the game up to it.

    PNG and GIF need the extra `pictures` of the service.
    """
    return await respond(request, given)


@positions.post(
    "/v1/replay", response_model=ReplayData, **describe("The record, its positions and its report.", body=RECORDS)
)
async def replay(request: Request, given: Annotated[ReplayRecord, Query()]) -> Response:
    """Replay a record and return its positions as data of pictures, with the report."""
    return await respond(request, given)


# The routes without a body.

_CACHED = {"Cache-Control": "public, max-age=3600"}
_PAGE = {"Cache-Control": "no-cache", "Content-Security-Policy": CONTENT_SECURITY_POLICY}

_SCHEMAS = (*games.names(), "record")
#: Redoc creates style sheets and a worker; it may connect to the service only.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; worker-src blob:; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def send_constant(
    request: Request, media_type: str, make: Callable[[], str], headers: Mapping[str, str] = _CACHED
) -> Response:
    """Return the constant response at the path of a request; `make` builds it for the first request."""
    responses = request.app.state.constants
    path = request.scope["path"]
    if path not in responses:
        body = make().encode()
        responses[path] = body, gzip.compress(body, mtime=0), f'"{sha256(body).hexdigest()[:32]}"'
    body, packed, tag = responses[path]
    # The tag is weak because both encodings share it.
    headers = {**headers, "ETag": f"W/{tag}", "Vary": "Accept-Encoding"}
    known = request.headers.get("if-none-match", "")
    if tag in known or known.strip() == "*":
        return Response(status_code=304, headers=headers)
    if accepts_gzip(request.headers.get("accept-encoding")):
        return Response(packed, headers=headers | {"Content-Encoding": "gzip"}, media_type=media_type)
    return Response(body, headers=headers, media_type=media_type)


@reference.get("/", include_in_schema=False)
@reference.get("/page.css", include_in_schema=False)
@reference.get("/page.js", include_in_schema=False)
@reference.get("/page.js.map", include_in_schema=False)
@reference.get("/opponent-worker.js", include_in_schema=False)
@reference.get("/puzzles.jsonl", include_in_schema=False)
@reference.get("/hexrec-board.js", include_in_schema=False)
async def get_page(request: Request) -> Response:
    """Return a file of the page."""
    return send_constant(request, *ASSETS[request.scope["path"]], _PAGE)


class Revision(TypedDict):
    """A revision of the rules of a game."""

    name: str
    year: int
    sizes: list[Number]


class TurnForm(TypedDict):
    """Turn notation of a game."""

    help: str
    example: str


class GameData(TypedDict):
    """A supported game."""

    name: GameName
    title: str
    rulesets: Annotated[list[str], Field(description="Names of the revisions of its rules.")]
    revisions: list[Revision]
    sizes: Annotated[list[Number], Field(description="Cells per side.")]
    recommended: Annotated[list[Number], Field(description="Recommended sizes, the default first.")]
    opening: Annotated[list[Color], Field(description="Players with opening stones.")]
    variants: list[str]
    score: Annotated[
        Literal["number", "list"] | None, Field(description="Type of a score; null in games without scores.")
    ]
    turn: TurnForm


@reference.get("/v1/games", response_model=list[GameData], **describe("The games."))
async def list_games(request: Request, _: Annotated[Parameters, Query()]) -> Response:
    """List the games: rulesets, sizes, variants, turn notation."""
    return send_constant(request, JSON, lambda: to_text([_describe_game(name) for name in games.names()]))


@reference.get(
    "/v1/schemas/{game}",
    response_class=Response,
    **describe("A JSON Schema.", {negotiation.SCHEMA: {"schema": {"type": "object"}}}),
)
async def get_schema(
    request: Request,
    game: Annotated[
        str,
        Path(
            description="The name of a game, or `record` for the schema that dispatches on the game.",
            json_schema_extra={"enum": list(_SCHEMAS)},
        ),
    ],
    _: Annotated[Parameters, Query()],
) -> Response:
    """Return the JSON Schema of a game's records."""
    if game not in _SCHEMAS:
        raise Problem("not-found", f"no such schema ({game}): name one of {', '.join(_SCHEMAS)}")
    return send_constant(
        request, negotiation.SCHEMA, lambda: to_text(record_schema() if game == "record" else game_schema(game))
    )


class CodeData(CodeHelp):
    """Explanation of a diagnostic code."""

    code: str
    group: Annotated[str, Field(description="Group of the code.")]
    meaning: str
    page: NotRequired[Annotated[str, Field(description="URL of its page, if the service knows the site.")]]


@reference.get("/v1/codes", response_model=list[CodeData], **describe("The codes."))
async def list_codes(request: Request, _: Annotated[Parameters, Query()]) -> Response:
    """Explain every code that a diagnostic can have."""
    return send_constant(request, JSON, lambda: to_text(list(_describe_codes())))


@reference.get("/openapi.json", include_in_schema=False)
async def get_document(request: Request) -> Response:
    """Return the OpenAPI document."""
    return send_constant(request, JSON, lambda: to_text(request.app.openapi()))


@reference.get("/docs", include_in_schema=False)
async def get_docs(request: Request) -> Response:
    """Return an HTML page of the OpenAPI document."""
    page = get_redoc_html(
        openapi_url="openapi.json",
        title=f"{request.app.title} {request.app.version}",
        redoc_js_url="docs/redoc.js",
        redoc_favicon_url="data:,",
        with_google_fonts=False,
    )
    page.headers["Content-Security-Policy"] = _POLICY
    return page


@reference.get("/docs/redoc.js", include_in_schema=False)
async def get_redoc(request: Request) -> Response:
    """Return the script of Redoc."""
    script = files("hexrec.server").joinpath("static", "redoc.standalone.js")
    return send_constant(request, "text/javascript", lambda: script.read_text(encoding="utf-8"))


class Status(TypedDict):
    """Status of the service."""

    status: Literal["ok"]


@operation.get("/healthz", **describe("The service is ready."))
async def get_health(_: Annotated[Parameters, Query()]) -> Status:
    """Report that the process is running."""
    return {"status": "ok"}


@operation.get("/readyz", **describe("The service is ready."))
async def get_readiness(request: Request, _: Annotated[Parameters, Query()]) -> Status:
    """Report whether workers are running."""
    if not request.app.state.service.pool.workers:
        raise Problem("busy", "no worker is running")
    return {"status": "ok"}


@operation.get("/metrics", response_class=PlainTextResponse, **describe("The metrics."))
async def get_metrics(request: Request, _: Annotated[Parameters, Query()]) -> Response:
    """Return the metrics for Prometheus."""
    text = generate_latest(request.app.state.service.metrics.registry)
    return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")


def _describe_game(name: str) -> GameData:
    game = games.get(name)
    return {
        "name": game.name,
        "title": game.title,
        "rulesets": list(game.rulesets),
        "revisions": [
            {"name": rules.name, "year": rules.year, "sizes": list(rules.sizes)}
            for rules in map(game.ruleset, game.rulesets)
        ],
        "sizes": list(game.sizes),
        "recommended": list(game.recommended),
        "opening": list(game.opening),
        "variants": list(game.variants),
        "score": game.score,
        "turn": {"help": game.turn_help, "example": game.example},
    }


def _describe_codes() -> Iterator[CodeData]:
    for title, group in codes.sections():
        for code, about in group.items():
            entry = CodeData(code=code, group=title, meaning=about.meaning, rule=about.rule, fix=about.fix)
            if page := codes.address(code):
                entry["page"] = page
            yield entry
