"""Routes without a body: constant data, such as the page, games, codes and schemas; health and metrics."""

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
from hexrec.server.negotiation import JSON, accepts_gzip
from hexrec.server.openapi import describe, make_router
from hexrec.server.parameters import GameName, Parameters
from hexrec.server.problems import Problem
from hexrec.web.assembly import ASSETS, CONTENT_SECURITY_POLICY
from hexrec.web.shapes import CodeHelp, Color, Number

reference = make_router("reference")
operation = make_router("operation")

_CACHED = {"Cache-Control": "public, max-age=3600"}
_PAGE = {"Cache-Control": "no-cache", "Content-Security-Policy": CONTENT_SECURITY_POLICY}

#: The names of schemas.
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
