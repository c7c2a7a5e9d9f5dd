"""Routes for reference data: games, JSON Schemas, codes, and the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from typing import Annotated, Literal, NotRequired

from fastapi import Path, Query, Request
from fastapi.openapi.docs import get_redoc_html
from fastapi.responses import Response
from pydantic import Field
from typing_extensions import TypedDict

from hexrec import codes
from hexrec.output.report_data import Color, Number
from hexrec.output.report_json import to_text
from hexrec.record.json_schema import game_schema, record_schema
from hexrec.rules import games
from hexrec.server import negotiation, openapi
from hexrec.server.constant import constant
from hexrec.server.negotiation import JSON
from hexrec.server.parameters import Parameters
from hexrec.server.problems import Problem
from hexrec.server.tasks import GameName

router = openapi.router("reference")

#: The names of schemas.
_SCHEMAS = (*games.names(), "record")
#: Redoc creates style sheets and a worker; it may connect to the service only.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; worker-src blob:; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


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


@router.get("/v1/games", response_model=list[GameData], **openapi.route("The games.", constant=True))
async def list_games(request: Request, _: Annotated[Parameters, Query()]) -> Response:
    """List the games: rulesets, sizes, variants, turn notation."""
    return constant(request, JSON, lambda: to_text([_game(name) for name in games.names()]))


@router.get(
    "/v1/schemas/{game}",
    response_class=Response,
    **openapi.route(
        "A JSON Schema.", {negotiation.SCHEMA: {"schema": {"type": "object"}}}, statuses=[404], constant=True
    ),
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
    return constant(
        request, negotiation.SCHEMA, lambda: to_text(record_schema() if game == "record" else game_schema(game))
    )


class CodeData(TypedDict):
    """Explanation of a diagnostic code."""

    code: str
    group: Annotated[str, Field(description="Group of the code.")]
    meaning: str
    rule: str
    fix: Annotated[str, Field(description="How to fix the error.")]
    page: NotRequired[Annotated[str, Field(description="URL of its page, if the service knows the site.")]]


@router.get("/v1/codes", response_model=list[CodeData], **openapi.route("The codes.", constant=True))
async def list_codes(request: Request, _: Annotated[Parameters, Query()]) -> Response:
    """Explain every code that a diagnostic can have."""
    return constant(request, JSON, lambda: to_text(list(_codes())))


@router.get("/openapi.json", include_in_schema=False)
async def get_document(request: Request) -> Response:
    """Return the OpenAPI document."""
    return constant(request, JSON, lambda: to_text(request.app.openapi()))


@router.get("/docs", include_in_schema=False)
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


@router.get("/docs/redoc.js", include_in_schema=False)
async def get_redoc(request: Request) -> Response:
    """Return the script of Redoc."""
    script = files("hexrec.server").joinpath("static", "redoc.standalone.js")
    return constant(request, "text/javascript", lambda: script.read_text(encoding="utf-8"))


def _game(name: str) -> GameData:
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


def _codes() -> Iterator[CodeData]:
    for title, group in codes.sections():
        for code, about in group.items():
            entry: CodeData = {
                "code": code,
                "group": title,
                "meaning": about.meaning,
                "rule": about.rule,
                "fix": about.fix,
            }
            if page := codes.address(code):
                entry["page"] = page
            yield entry
