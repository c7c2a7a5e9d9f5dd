"""What is the same for everyone: the games, the JSON Schemas of records, the codes, the OpenAPI document."""

from __future__ import annotations

import json
from functools import partial
from importlib.resources import files
from typing import Any

from fastapi import FastAPI, Request
from fastapi.openapi.docs import get_redoc_html
from starlette.responses import Response

from hexrec import code_registry, games
from hexrec.record.json_schema import game_schema, record_schema
from hexrec.server import negotiation, openapi
from hexrec.server.constant import Constant
from hexrec.server.problems import Problem

#: Redoc makes style sheets and a worker of its own; the service is all that it may ask.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; worker-src blob:; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_route = partial(openapi.plain_route, "reference", tagged=True)


def add_reference(app: FastAPI) -> None:
    """Add the routes. Raises EnvironmentVariableError for an address of the site that is none."""
    code_registry.site_address()
    all_games = Constant(lambda: _json([_game(name) for name in games.names()]), negotiation.JSON)
    all_codes = Constant(lambda: _json(_codes()), negotiation.JSON)
    names = (*games.names(), "record")
    schemas = {name: Constant(partial(_schema, name), negotiation.SCHEMA) for name in names}
    document = Constant(lambda: _json(app.openapi()), negotiation.JSON)
    redoc = Constant(
        lambda: files(__package__).joinpath("static", "redoc.standalone.js").read_bytes(), "text/javascript"
    )

    @app.get("/v1/games", **_route({negotiation.JSON: openapi.list_of("GameData")}, "The games."))
    async def list_games(request: Request) -> Response:
        """List the games: rulesets, sizes, variants, how turns are written."""
        return all_games.response(request)

    @app.get(
        "/v1/schemas/{game}",
        **_route({negotiation.SCHEMA: openapi.OBJECT}, "A JSON Schema.", 404),
        openapi_extra={
            "parameters": [
                {
                    "name": "game",
                    "in": "path",
                    "required": True,
                    "description": "The name of a game, or `record` for the schema that dispatches on the game.",
                    "schema": {"enum": list(names)},
                }
            ]
        },
    )
    async def get_schema(request: Request) -> Response:
        """Return the JSON Schema of a game's records."""
        found = schemas.get(request.path_params["game"])
        if found is None:
            raise Problem("not-found", f"there are schemas for {', '.join(games.names())} and record")
        return found.response(request)

    @app.get("/v1/codes", **_route({negotiation.JSON: openapi.list_of("CodeData")}, "The codes."))
    async def list_codes(request: Request) -> Response:
        """Explain every code that a diagnostic can have."""
        return all_codes.response(request)

    @app.get("/openapi.json", include_in_schema=False)
    async def get_document(request: Request) -> Response:
        return document.response(request)

    @app.get("/docs", include_in_schema=False)
    async def get_docs() -> Response:
        page = get_redoc_html(
            openapi_url="openapi.json",
            title=f"{app.title} {app.version}",
            redoc_js_url="docs/redoc.js",
            redoc_favicon_url="data:,",
            with_google_fonts=False,
        )
        page.headers["Content-Security-Policy"] = _POLICY
        return page

    @app.get("/docs/redoc.js", include_in_schema=False)
    async def get_redoc(request: Request) -> Response:
        return redoc.response(request)


def _json(data: object) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode()


def _schema(name: str) -> bytes:
    return _json(record_schema() if name == "record" else game_schema(name))


def _game(name: str) -> dict[str, Any]:
    game = games.get(name)
    return {
        "name": game.name,
        "title": game.title,
        "rulesets": game.rulesets,
        "revisions": [
            {"name": rules.name, "year": rules.year, "sizes": list(rules.sizes)}
            for rules in map(game.ruleset, game.rulesets)
        ],
        "sizes": list(game.sizes),
        "recommended": game.recommended,
        "opening": game.opening,
        "variants": game.variants,
        "score": game.score,
        "turn": {"help": game.turn_help, "example": game.example},
    }


def _codes() -> list[dict[str, str]]:
    return [
        {"code": code, "group": title, "meaning": about.meaning, "rule": about.rule, "fix": about.fix}
        | ({"page": page} if (page := code_registry.address(code)) else {})
        for title, group in code_registry.sections()
        for code, about in group.items()
    ]
