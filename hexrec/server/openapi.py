"""What the OpenAPI document says beside what the functions that answer say themselves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.responses import Response

from hexrec import games, notations
from hexrec.board import SYSTEMS
from hexrec.games import COLOURS
from hexrec.record.json_schema import record_schema
from hexrec.server import answers, negotiation
from hexrec.server.listing import EditRecord, ListRecords
from hexrec.server.positions import DescribePosition
from hexrec.server.problems import KINDS, MEDIA_TYPE
from hexrec.server.tasks import (
    ConvertRecords,
    ExplainResult,
    ListLegalTurns,
    RenderPosition,
    ReplayRecord,
    ScoreRecords,
    Task,
    ValidateRecords,
)

_ABOUT = """\
The verdicts of `hexrec` over HTTP. Bodies hold records in any notation; `Accept` chooses the form of the answer.

A body that could be read is answered with 200, whatever is wrong with its records: that they are invalid is the answer.
What cannot be answered is told with problem details (RFC 9457), whose `type` is stable."""
#: The groups of addresses, and what they are for.
_TAGS = {
    "records": "Verdicts, scores and conversions of all records in a body.",
    "positions": "One position of a record, or by itself: legal turns, pictures.",
    "reference": "The games, the JSON Schemas of records, the codes of diagnostics.",
    "operation": "Whether the service is well, and what it has done.",
}

#: What is said of kinds of answers that have no schema of their own.
TEXT: Mapping[str, Any] = {"schema": {"type": "string"}}
OBJECT: Mapping[str, Any] = {"schema": {"type": "object"}}
_BYTES: Mapping[str, Any] = {"schema": {"type": "string", "format": "binary"}}
PICTURES = {kind: TEXT if kind == negotiation.SVG else _BYTES for kind in negotiation.PICTURES}
_EDIT = {
    "type": "object",
    "required": ["text", "notation", "record", "data"],
    "additionalProperties": False,
    "properties": {
        "text": {"type": "string", "description": "A part of a file that holds the record."},
        "notation": {"enum": list(notations.names())},
        "record": {"type": "integer", "minimum": 0, "description": "Which of the records in it is meant."},
        "data": {"$ref": "#/components/schemas/Record"},
    },
}

_DESCRIPTION = {
    "type": "object",
    "title": "Description of a position",
    "description": "A position by its text, or a game from its opening; moves are played from there.",
    "required": ["game"],
    "additionalProperties": False,
    "properties": {
        "game": {"enum": list(games.names())},
        "ruleset": {"type": "string", "description": "By default the game's first."},
        "variant": {"type": "string"},
        "size": {"type": "integer", "description": "May be left out with a position, whose rows say it."},
        "coordinates": {"enum": list(SYSTEMS), "description": "By default row: those of the opening and the turns."},
        "position": {"type": "string", "description": "The text of a position.", "examples": ["4/5/6/7/6/5/4 b 0"]},
        "opening": {
            "type": "object",
            "description": "The cells of the opening stones by colour, as the game has them.",
            "properties": {colour: {"type": "string"} for colour in COLOURS},
        },
        "moves": {"type": "array", "items": {"type": "string"}, "description": "Turns to be played from there."},
    },
}

#: A short game in each kind of body, as examples: White's two stones strangle both single black ones.
_GAME = {
    "hexrec": "1",
    "game": "sundraval",
    "size": 3,
    "opening": {"black": "c3", "white": "b2"},
    "moves": ["a1", "a2", "pass", "pass"],
}
#: The same with a turn that is not legal.
_BROKEN_GAME = {**_GAME, "moves": ["a1", "a1"]}
#: The same in YAML, with what it should be.
_EDIT_OF_GAME = {
    "text": "".join(notations.get("yaml").write([_BROKEN_GAME])),
    "notation": "yaml",
    "record": 0,
    "data": _GAME,
}


def route(
    tag: str, kinds: Mapping[str, Mapping[str, Any]], description: str, body: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return what a route with a body says of itself: its group, the good answer, by media type, and the problems.

    The body holds records unless something else is said of it.
    """
    found: dict[int | str, dict[str, Any]] = {200: {"description": description, "content": dict(kinds)}}
    found |= problems(status for status, _ in KINDS.values() if status not in (404, 405))
    extra = {"requestBody": body or _records()}
    return {"tags": [tag], "response_class": Response, "openapi_extra": extra, "responses": found}


def plain_route(
    tag: str, kinds: Mapping[str, Mapping[str, Any]], description: str, *statuses: int, tagged: bool = False
) -> dict[str, Any]:
    """Return what a route without a body says of itself, with the problems of these statuses.

    `tagged` is one whose answer is always the same, so that a client may have it already.
    """
    found: dict[int | str, dict[str, Any]] = {200: {"description": description, "content": dict(kinds)}}
    if tagged:
        found[200]["headers"] = {"ETag": {"schema": {"type": "string"}}}
        found[304] = {"description": "The client has the answer: its `If-None-Match` names it."}
    return {"tags": [tag], "response_class": Response, "responses": found | problems([422, *statuses])}


def position_description() -> dict[str, Any]:
    """Return what is said of a body that describes a position."""
    examples = {
        "a position": {"value": {"game": "valaturna", "position": "1w2/5/2b*2w2/7/6/5/4 b 0"}},
        "a game": {"value": {name: value for name, value in _GAME.items() if name != "hexrec"}},
        "an error in the text": {"value": {"game": "sunspot", "position": "4/5/6/8/6/5/4 b 0"}},
    }
    as_yaml = {"a position": {"value": "game: valaturna\nposition: 1w2/5/2b*2w2/7/6/5/4 b 0\nmoves: [d3]\n"}}
    content = {
        negotiation.JSON: {**reference("PositionDescription"), "examples": examples},
        "application/yaml": {**TEXT, "examples": as_yaml},
    }
    return {"required": True, "description": "What describes the position.", "content": content}


def edit() -> dict[str, Any]:
    """Return what is said of a body that describes an edit of a record."""
    content = {negotiation.JSON: {**reference("Edit"), "examples": {"a turn replaced": {"value": _EDIT_OF_GAME}}}}
    return {"required": True, "description": "The text, and what the record in it should be.", "content": content}


def _records() -> dict[str, Any]:
    """Return what is said of bodies that hold records."""
    records = {"valid": {"value": _GAME}, "illegal turn": {"value": _BROKEN_GAME}}
    content: dict[str, Any] = {
        negotiation.JSON: {**reference("Record"), "examples": records},
    }
    for kind in negotiation.RECORD_TYPES[1:]:
        written = "".join(notations.get(negotiation.NOTATIONS[kind]).write([_GAME]))
        content[kind] = {**TEXT, "examples": {"valid": {"value": written}}}
    for kind in negotiation.UNSPECIFIED:
        content[kind] = TEXT
    return {
        "required": True,
        "description": "Records in any notation; its type, or `from`, says in which. A JSON list holds many.",
        "content": content,
    }


def problems(statuses: Iterable[int]) -> dict[int | str, dict[str, Any]]:
    """Return what is said of answers with these statuses."""
    found: dict[int | str, dict[str, Any]] = {}
    for status in sorted(set(statuses)):
        names = [f"`{name}`: {kind.title}." for name, kind in KINDS.items() if kind.status == status]
        content = {MEDIA_TYPE: reference("ServiceProblem")}
        found[status] = {"description": " ".join(names), "content": content}
        if status == 503:
            found[status]["headers"] = {"Retry-After": {"schema": {"type": "string"}}}
    return found


def reference(name: str) -> dict[str, Any]:
    """Return what is said of a kind of answer that has a schema of its own."""
    return {"schema": _named(name)}


def list_of(name: str) -> dict[str, Any]:
    """Return what is said of answers that are lists of what has a schema of its own."""
    return {"schema": {"type": "array", "items": _named(name)}}


def either(*names: str) -> dict[str, Any]:
    """Return what is said of answers that have one of several schemas."""
    return {"schema": {"anyOf": [_named(name) for name in names]}}


def _named(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def document(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document of the service: what its routes say, the schemas, answers as examples."""
    made = get_openapi(
        title=app.title,
        version=app.version,
        summary=app.summary,
        description=_ABOUT,
        routes=app.routes,
        tags=[{"name": name, "description": said} for name, said in _TAGS.items()],
        license_info={"name": "MIT", "identifier": "MIT"},
    )
    made.setdefault("components", {})["schemas"] = _components()
    for path, task in _sample_tasks().items():
        content = made["paths"][path]["post"]["responses"]["200"]["content"]
        first = next(iter(content))
        answer = task.run().body.decode()
        content[first] = {**content[first], "example": json.loads(answer) if first == negotiation.JSON else answer}
    return made


def _sample_tasks() -> dict[str, Task]:
    """Return, by address, a task whose answer is the example there."""
    about: dict[str, Any] = {"notation": "json", "records": 1, "plies": 100}
    game, broken = (json.dumps(data).encode() for data in (_GAME, _BROKEN_GAME))
    position = json.dumps({"game": "sundraval", "position": "1b1/4/2w2/4/3 b 0"}).encode()
    return {
        "/v1/validate": ValidateRecords(**about, body=broken, report="json"),
        "/v1/score": ScoreRecords(**about, body=game, format="json"),
        "/v1/convert": ConvertRecords(**about, body=game, to="json", layout="text"),
        "/v1/list": ListRecords(**about, body=broken),
        "/v1/edit": EditRecord(**about, body=json.dumps(_EDIT_OF_GAME).encode()),
        "/v1/legal": ListLegalTurns(**about, body=game, ply=1),
        "/v1/explain": ExplainResult(**about, body=game),
        "/v1/positions": DescribePosition(**about, body=position, drawing=False),
        "/v1/render": RenderPosition(**about, body=game),
        "/v1/replay": ReplayRecord(**about, body=game),
    }


def _components() -> dict[str, Any]:
    """Return the schemas that others refer to, those of the records of all games included."""
    schema = json.loads(json.dumps(record_schema()).replace('"#/$defs/', '"#/components/schemas/'))
    records = [choice["then"] for choice in schema["allOf"]]
    own = {
        "Record": {"title": "A game in the record format", "oneOf": records},
        "PositionDescription": _DESCRIPTION,
        "Edit": _EDIT,
    }
    for name, definition in schema["$defs"].items():
        definition["title"] = name  # generators name types by their titles, and games have parts of the same ones
    return {name: _without_booleans(each) for name, each in {**schema["$defs"], **own, **answers.schemas()}.items()}


def _without_booleans(schema: Any) -> Any:
    """Return a schema whose fields have no schemas that are booleans, which generators of clients do not expect."""
    if isinstance(schema, list):
        return [_without_booleans(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _without_booleans(value) for key, value in schema.items()}
    if isinstance(fields := found.get("properties"), dict):
        plain: dict[bool, Any] = {True: {}, False: {"not": {}}}
        found["properties"] = {name: plain[each] if isinstance(each, bool) else each for name, each in fields.items()}
    return found
