"""The OpenAPI document: declarations of routes, schemas and examples."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, FastAPI
from pydantic import TypeAdapter

from hexrec import formats
from hexrec.record.json_schema import record_schema
from hexrec.server import negotiation
from hexrec.server.listing import EditRequest
from hexrec.server.positions import PositionDescription
from hexrec.server.problems import MEDIA_TYPE, ServiceProblem

#: The description of the service.
ABOUT = """\
Validation, scores and conversion by `hexrec` over HTTP. Bodies contain records in any format; `Accept` selects the
media type of the response.

The status is 200 for every body that can be read, also if its records are invalid. All other responses are problem
details (RFC 9457), whose `type` is stable."""
#: Descriptions of the groups of addresses.
TAGS = [
    {"name": "records", "description": "Validation, scores and conversion of all records in a body."},
    {"name": "positions", "description": "Legal turns and pictures of one position."},
    {"name": "reference", "description": "Games, JSON Schemas of records, codes of diagnostics."},
    {"name": "operation", "description": "Health and metrics of the service."},
]


def refer_to(name: str) -> dict[str, Any]:
    """Return a content object that refers to a named schema; for JSON Lines, that of each line."""
    return {"schema": {"$ref": f"#/components/schemas/{name}"}}


#: Responses for problems, by the class of their status. FastAPI would build a model of their data for each route.
_PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"description": f"A problem {whose}.", "content": {MEDIA_TYPE: refer_to("ServiceProblem")}}
    for status, whose in {"4XX": "with the request", "5XX": "of the service"}.items()
}

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


#: Content without a named schema.
TEXT: Mapping[str, Any] = {"schema": {"type": "string"}}
BYTES: Mapping[str, Any] = {"schema": {"type": "string", "format": "binary"}}
_RECORD = refer_to("Record")["schema"]


def _describe_records(media_type: str) -> dict[str, Any]:
    """Return the content object of a body with records, with an example."""
    if media_type in (negotiation.JSON, negotiation.RECORD_JSON):
        # Not of an array: openapi-python-client makes code of it that fails.
        return {"schema": _RECORD, "examples": {"valid": {"value": _GAME}, "illegal turn": {"value": _BROKEN_GAME}}}
    text = "".join(formats.get(negotiation.FORMATS[media_type]).write([_GAME]))
    return {**BYTES, "examples": {"valid": {"value": text}}}


#: The bodies of requests. All but JSON are bytes: generated clients send them as they are.
RECORDS: Mapping[str, Any] = {
    "required": True,
    "description": "Records in any format, given by the media type or `from`. Send arrays of records as bytes.",
    "content": {
        **{media_type: _describe_records(media_type) for media_type in negotiation.RECORD_TYPES},
        **dict.fromkeys(negotiation.UNSPECIFIED, BYTES),
    },
}
POST: Mapping[str, Any] = {
    "required": True,
    "description": "A post, a note, Markdown, CSV, TSV, or an `.xlsx` file; the content decides.",
    "content": {
        "text/plain": {
            **BYTES,
            "examples": {
                "a post": {"value": "Sunspot, size 4\n1. d4 a1 2. b1 White resigns\n"},
                "no size": {"value": "Sunspot\n1. d4 a1 2. b1\n"},
            },
        },
        **dict.fromkeys(("text/markdown", "text/csv", "text/tab-separated-values"), BYTES),
        "application/octet-stream": BYTES,
    },
}
EDIT: Mapping[str, Any] = {
    "required": True,
    "description": "The text, and the new data of the record in it.",
    "content": {
        negotiation.JSON: {**refer_to("EditRequest"), "examples": {"a turn replaced": {"value": _EDIT_OF_GAME}}}
    },
}
POSITION: Mapping[str, Any] = {
    "required": True,
    "description": "Description of the position.",
    "content": {
        negotiation.JSON: {
            **refer_to("PositionDescription"),
            "examples": {
                "a position": {"value": {"game": "valaturna", "position": "1w2/5/2b*2w2/7/6/5/4 b 0"}},
                "a game": {"value": {name: value for name, value in _GAME.items() if name != "hexrec"}},
            },
        },
        "application/yaml": {
            **BYTES,
            "examples": {"a position": {"value": "game: valaturna\nposition: 1w2/5/2b*2w2/7/6/5/4 b 0\nmoves: [d3]\n"}},
        },
    },
}


def make_router(tag: str) -> APIRouter:
    """Return a router for a group of addresses; operation ids are the names of the functions."""
    return APIRouter(tags=[tag], responses=_PROBLEMS, generate_unique_id_function=lambda route: route.name)


def describe(
    description: str, kinds: Mapping[str, Any] | None = None, body: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the OpenAPI arguments of a route: its response and its body.

    `kinds` are media types in addition to that of the response model.
    """
    responses = {200: {"description": description, "content": kinds or {}}}
    return {"responses": responses, "openapi_extra": {"requestBody": body} if body else None}


def make_document(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document: routes, and schemas of responses, bodies and records."""
    made = FastAPI.openapi(app)
    schemas = {**_make_record_schemas(), **_make_body_schemas(), **made["components"]["schemas"]}
    text = json.dumps(schemas).replace('"#/$defs/', '"#/components/schemas/')
    made["components"]["schemas"] = json.loads(text, object_hook=_tidy)
    return made


#: Keywords that restrict which fields a record has together, and are no types: generators of clients would make several
#: types of one record, without the types of the fields.
_RESTRICTIONS = ("if", "then", "else", "oneOf", "allOf")


def _make_record_schemas() -> dict[str, Any]:
    """Return the schemas of the records of all games and of their parts."""
    schema = record_schema()
    parts = {}
    for name, definition in schema["$defs"].items():
        kept = {key: value for key, value in definition.items() if key not in _RESTRICTIONS}
        # Code generators name types by title, and parts of several games share titles.
        parts[name] = {**kept, "title": name}
    record = {
        "title": "A game in the record format",
        "description": "The schemas that `/v1/schemas` returns also restrict which fields a record has together.",
        "oneOf": [choice["then"] for choice in schema["allOf"]],
    }
    used: dict[str, Any] = {}
    waiting = [record]
    while waiting:
        found = re.findall('"#/\\$defs/([^"]+)"', json.dumps(waiting.pop()))
        new = {name: parts[name] for name in found if name not in used}
        used |= new
        waiting += new.values()
    return {**dict(sorted(used.items())), "Record": record}


def _make_body_schemas() -> dict[str, Any]:
    """Return the schemas of bodies other than records, and of problems."""
    kinds = (EditRequest, PositionDescription, ServiceProblem)
    edit, position, problem = (TypeAdapter(kind).json_schema() for kind in kinds)
    edit["properties"]["data"] = _RECORD
    return {"EditRequest": edit, "PositionDescription": position, **problem.pop("$defs"), "ServiceProblem": problem}


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
