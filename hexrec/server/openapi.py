"""The OpenAPI document: declarations of routes, schemas and examples."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi

from hexrec import formats
from hexrec.record.json_schema import record_schema
from hexrec.rules import games
from hexrec.rules.board import SYSTEMS
from hexrec.rules.terms import COLORS
from hexrec.server import negotiation
from hexrec.server.listing import EditRecord, ListRecords
from hexrec.server.parameters import DescribeParameters, PlyParameters
from hexrec.server.positions import DescribePosition, ExplainResult, ListLegalTurns, RenderPosition, ReplayRecord
from hexrec.server.problems import KINDS, MEDIA_TYPE, ServiceProblem
from hexrec.server.tasks import ConvertRecords, ScoreRecords, Task, ValidateRecords

_ABOUT = """\
Validation, scores and conversion by `hexrec` over HTTP. Bodies contain records in any format; `Accept` selects the
media type of the response.

The status is 200 for every body that can be read, also if its records are invalid. All other responses are problem
details (RFC 9457), whose `type` is stable."""
#: Descriptions of the groups of addresses.
_TAGS = {
    "records": "Validation, scores and conversion of all records in a body.",
    "positions": "Legal turns and pictures of one position.",
    "reference": "Games, JSON Schemas of records, codes of diagnostics.",
    "operation": "Health and metrics of the service.",
}
#: Statuses of problems of any request, and of requests with a body.
_ANY, _WITH_BODY = {403, 421, 422}, {kind.status for kind in KINDS.values()} - {404, 405}

#: A short game, in which White's two stones strangle both single stones of Black; then with an illegal turn.
_GAME = {
    "hexrec": "1",
    "game": "sundraval",
    "size": 3,
    "opening": {"black": "c3", "white": "b2"},
    "moves": ["a1", "a2", "pass", "pass"],
}
_BROKEN_GAME = {**_GAME, "moves": ["a1", "a1"]}
_EDIT_OF_GAME = {
    "text": "".join(formats.get("yaml").write([_BROKEN_GAME])),
    "notation": "yaml",
    "record": 0,
    "data": _GAME,
}


def one(name: str) -> dict[str, Any]:
    """Return a content object that refers to a named schema; for JSON Lines, that of each line."""
    return {"schema": {"$ref": f"#/components/schemas/{name}"}}


#: Content without a named schema.
TEXT: Mapping[str, Any] = {"schema": {"type": "string"}}
BYTES: Mapping[str, Any] = {"schema": {"type": "string", "format": "binary"}}
#: The bodies of requests.
RECORDS: Mapping[str, Any] = {
    "required": True,
    "description": "Records in any format, given by the media type or `from`. A JSON array may contain several.",
    "content": {
        negotiation.JSON: {
            **one("Record"),
            "examples": {"valid": {"value": _GAME}, "illegal turn": {"value": _BROKEN_GAME}},
        },
        **{
            kind: {
                **TEXT,
                "examples": {"valid": {"value": "".join(formats.get(negotiation.FORMATS[kind]).write([_GAME]))}},
            }
            for kind in negotiation.RECORD_TYPES[1:]
        },
        **dict.fromkeys(negotiation.UNSPECIFIED, TEXT),
    },
}
EDIT: Mapping[str, Any] = {
    "required": True,
    "description": "The text, and the new data of the record in it.",
    "content": {negotiation.JSON: {**one("Edit"), "examples": {"a turn replaced": {"value": _EDIT_OF_GAME}}}},
}
POSITION: Mapping[str, Any] = {
    "required": True,
    "description": "Description of the position.",
    "content": {
        negotiation.JSON: {
            **one("PositionDescription"),
            "examples": {
                "a position": {"value": {"game": "valaturna", "position": "1w2/5/2b*2w2/7/6/5/4 b 0"}},
                "a game": {"value": {name: value for name, value in _GAME.items() if name != "hexrec"}},
                "an error in the text": {"value": {"game": "sunspot", "position": "4/5/6/8/6/5/4 b 0"}},
            },
        },
        "application/yaml": {
            **TEXT,
            "examples": {"a position": {"value": "game: valaturna\nposition: 1w2/5/2b*2w2/7/6/5/4 b 0\nmoves: [d3]\n"}},
        },
    },
}
#: Schemas of bodies other than records.
_BODIES: Mapping[str, Any] = {
    "Edit": {
        "type": "object",
        "required": ["text", "notation", "record", "data"],
        "additionalProperties": False,
        "properties": {
            "text": {"type": "string", "description": "The part of a file with the record."},
            "notation": {"enum": list(formats.names())},
            "record": {"type": "integer", "minimum": 0, "description": "Index of the record in the text."},
            "data": one("Record")["schema"],
        },
    },
    "PositionDescription": {
        "type": "object",
        "title": "Description of a position",
        "description": "A position in position notation, or a game from its opening, and the turns to play from there.",
        "required": ["game"],
        "additionalProperties": False,
        "properties": {
            "game": {"enum": list(games.names())},
            "ruleset": {"type": "string", "description": "Default: the game's first ruleset."},
            "variant": {"type": "string"},
            "size": {"type": "integer", "description": "Optional with a position, which determines it."},
            "coordinates": {
                "enum": list(SYSTEMS),
                "description": "Coordinate system of the opening and the turns; default: row.",
            },
            "position": {
                "type": "string",
                "description": "Position in position notation.",
                "examples": ["4/5/6/7/6/5/4 b 0"],
            },
            "opening": {
                "type": "object",
                "description": "Cells of the opening stones by color.",
                "properties": {color: {"type": "string"} for color in COLORS},
            },
            "moves": {"type": "array", "items": {"type": "string"}, "description": "Turns to play from there."},
        },
    },
}


def router(tag: str) -> APIRouter:
    """Return a router for a group of addresses; operation ids are the names of the functions."""
    return APIRouter(tags=[tag], generate_unique_id_function=lambda route: route.name)


def route(
    description: str,
    kinds: Mapping[str, Any] | None = None,
    body: Mapping[str, Any] | None = None,
    *,
    statuses: Collection[int] = (),
    constant: bool = False,
) -> dict[str, Any]:
    """Return the OpenAPI arguments of a route: its response, body and problems.

    `kinds` are media types in addition to that of the response model, `statuses` those of its own problems. A
    `constant` route always returns the same response.
    """
    responses: dict[int | str, dict[str, Any]] = {200: {"description": description, "content": kinds or {}}}
    if constant:
        responses[200]["headers"] = {"ETag": {"schema": {"type": "string"}}}
        responses[304] = {"description": "The response has not changed (`If-None-Match`)."}
    for status in sorted(_WITH_BODY if body else _ANY.union(statuses)):
        names = [f"`{name}`: {kind.title}." for name, kind in KINDS.items() if kind.status == status]
        responses[status] = {"description": " ".join(names), "model": ServiceProblem}
        if status == 503:
            responses[status]["headers"] = {"Retry-After": {"schema": {"type": "string"}}}
    return {"responses": responses, "openapi_extra": {"requestBody": body} if body else None}


def document(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document: routes, schemas of records, and real responses as examples."""
    made = get_openapi(
        title=app.title,
        version=app.version,
        summary=app.summary,
        description=_ABOUT,
        routes=app.routes,
        tags=[{"name": name, "description": text} for name, text in _TAGS.items()],
        license_info={"name": "MIT", "identifier": "MIT"},
    )
    for operation in (each for path in made["paths"].values() for each in path.values()):
        for status, response in operation["responses"].items():
            if int(status) >= 400:
                response["content"] = {MEDIA_TYPE: one("ServiceProblem")}
    schemas = made["components"]["schemas"]
    made["components"]["schemas"] = json.loads(
        json.dumps({**_record_schemas(), **_BODIES, **schemas}), object_hook=_tidy
    )
    for path, task in _sample_tasks().items():
        content = made["paths"][path]["post"]["responses"]["200"]["content"]
        kind = next(iter(content))
        answer = task.run().body.decode()
        content[kind]["example"] = json.loads(answer) if kind == negotiation.JSON else answer
    return made


def _sample_tasks() -> dict[str, Task]:
    """Return by address the task whose answer is the example response."""
    about: dict[str, Any] = {"notation": "json", "records": 1, "plies": 100}
    game, broken = (json.dumps(data).encode() for data in (_GAME, _BROKEN_GAME))
    position = json.dumps({"game": "sundraval", "position": "1b1/4/2w2/4/3 b 0"}).encode()
    return {
        "/v1/validate": ValidateRecords(**about, body=broken, report="json"),
        "/v1/score": ScoreRecords(**about, body=game, format="json"),
        "/v1/convert": ConvertRecords(**about, body=game, to="json", layout="text"),
        "/v1/list": ListRecords(**about, body=broken),
        "/v1/edit": EditRecord(**about, body=json.dumps(_EDIT_OF_GAME).encode()),
        "/v1/legal": ListLegalTurns(**about, body=game, given=PlyParameters(ply=1)),
        "/v1/explain": ExplainResult(**about, body=game),
        "/v1/positions": DescribePosition(**about, body=position, given=DescribeParameters(drawing=False)),
        "/v1/render": RenderPosition(**about, body=game),
        "/v1/replay": ReplayRecord(**about, body=game),
    }


def _record_schemas() -> dict[str, Any]:
    """Return the schemas of the records of all games and of their parts."""
    schema = json.loads(json.dumps(record_schema()).replace('"#/$defs/', '"#/components/schemas/'))
    for name, definition in schema["$defs"].items():
        definition["title"] = name  # code generators name types by title, and parts of several games share titles
    records = [choice["then"] for choice in schema["allOf"]]
    return {**schema["$defs"], "Record": {"title": "A game in the record format", "oneOf": records}}


def _tidy(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema without titles of fields, which repeat their names, and without boolean schemas.

    Client generators do not support boolean schemas.
    """
    for name, field in schema.get("properties", {}).items():
        if isinstance(field, bool):
            schema["properties"][name] = {} if field else {"not": {}}
        else:
            field.pop("title", None)
    return schema
