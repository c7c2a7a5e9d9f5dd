"""What is the same for everyone: the games, the JSON Schemas of records, the codes, the OpenAPI document."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from fastapi import FastAPI, Request
from starlette.responses import Response

from hexrec import code_registry, games, site
from hexrec.record.json_schema import game_schema, record_schema
from hexrec.server import handbook, negotiation, openapi
from hexrec.server.constant import Constant
from hexrec.server.problems import Problem

_route = partial(openapi.plain_route, "reference", tagged=True)


def add_reference(app: FastAPI) -> None:
    """Add the routes. Raises EnvironmentVariableError for an address of the site that is none."""
    site.address()
    all_games = Constant(lambda: _json([_game(name) for name in games.names()]), negotiation.JSON)
    all_codes = Constant(lambda: _json(_codes()), negotiation.JSON)
    names = (*games.names(), "record")
    schemas = {name: Constant(partial(_schema, name), negotiation.SCHEMA) for name in names}
    document = Constant(lambda: _json(app.openapi()), negotiation.JSON)
    policy = {"Content-Security-Policy": handbook.CONTENT_SECURITY_POLICY, "Cache-Control": "no-cache"}
    readable = Constant(lambda: handbook.page(app.openapi()).encode(), "text/html; charset=utf-8", policy)

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
    async def get_handbook(request: Request) -> Response:
        return readable.response(request)


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
