"""What the OpenAPI document says beside what the functions that answer say themselves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from starlette.responses import Response

from hexrec import games, notations
from hexrec.board import SYSTEMS
from hexrec.games import COLOURS
from hexrec.record.schema import record_schema
from hexrec.server import negotiation
from hexrec.server.problems import KINDS, MEDIA_TYPE

#: What is said of kinds of answers that have no schema of their own.
TEXT: Mapping[str, Any] = {"schema": {"type": "string"}}
OBJECT: Mapping[str, Any] = {"schema": {"type": "object"}}
OBJECTS: Mapping[str, Any] = {"schema": {"type": "array", "items": {"type": "object"}}}
_PROBLEM = {
    "type": "object",
    "title": "Problem",
    "description": "Problem details (RFC 9457).",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "enum": [f"urn:hexrec:problem:{name}" for name in KINDS]},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "records": {"type": "array", "items": {"$ref": "#/components/schemas/Report"}},
        "diagnostics": {"type": "array", "items": {"$ref": "#/components/schemas/Diagnostic"}},
    },
}
_OUTCOME = {
    "type": ["object", "null"],
    "description": "How the game ended; null while it goes on.",
    "required": ["winner", "termination"],
    "properties": {
        "winner": {"enum": ["black", "white", "draw", None]},
        "termination": {"type": "string"},
        "score": {"type": "object", "description": "By colour: a number or a list of numbers."},
    },
}
_DIAGNOSTIC = {
    "type": "object",
    "required": ["code", "severity", "message"],
    "properties": {
        "code": {"type": "string", "description": "One of those that /v1/codes explains."},
        "severity": {"enum": ["error", "warning"]},
        "message": {"type": "string"},
        **{name: {"type": "integer", "minimum": 1} for name in ("line", "column", "end_line", "end_column", "ply")},
        "pointer": {"type": "string", "description": "JSON Pointer to the value in the record."},
        "within": {"type": "integer", "minimum": 1, "description": "The column in the text there, if one is wrong."},
        "turn": {"type": "string"},
    },
}
_REPORT = {
    "type": "object",
    "description": "The verdict on one record.",
    "required": ["file", "index", "id", "game", "valid", "plies", "result", "diagnostics"],
    "properties": {
        "file": {"const": "-", "description": "The body."},
        "index": {"type": "integer", "minimum": 0},
        "id": {"type": ["string", "null"]},
        "game": {"type": ["string", "null"]},
        "valid": {"type": "boolean"},
        "plies": {"type": "integer", "minimum": 0},
        "result": {"$ref": "#/components/schemas/Outcome"},
        "diagnostics": {"type": "array", "items": {"$ref": "#/components/schemas/Diagnostic"}},
        "text": {"type": ["string", "null"], "description": "Of a conversion: the record in the other notation."},
    },
}
_COUNTS = {name: {"type": "integer", "minimum": 0} for name in ("records", "valid", "invalid", "files", "plies")}
_REPORTS = {
    "type": "object",
    "required": ["hexrec", "records"],
    "properties": {
        "hexrec": {"type": "string", "description": "The version of the program."},
        "summary": {"type": "object", "required": list(_COUNTS), "properties": _COUNTS},
        "to": {"enum": list(notations.names())},
        "records": {"type": "array", "items": {"$ref": "#/components/schemas/Report"}},
    },
}

_COUNT = {"type": "integer", "minimum": 0}
_EXTENT = {
    "type": "object",
    "description": "The part of a file that holds a record.",
    "required": ["offset", "size", "line", "record"],
    "properties": {
        "offset": {**_COUNT, "description": "How many bytes are before it."},
        "size": {**_COUNT, "description": "How many bytes it has."},
        "line": {**_COUNT, "description": "How many line ends are before it."},
        "record": {**_COUNT, "description": "Which of the records that this part holds by itself is meant."},
    },
}
_TEXT_OR_NULL = {"type": ["string", "null"]}
_LISTED_RECORD = {
    "type": "object",
    "description": "A record of a file: where it stands, what it says of itself, and its verdict.",
    "required": [
        *("index", "extent", "id", "game", "size", "players", "date"),
        *("valid", "plies", "result", "diagnostic"),
    ],
    "properties": {
        "index": _COUNT,
        "extent": {"$ref": "#/components/schemas/Extent"},
        "id": _TEXT_OR_NULL,
        "game": _TEXT_OR_NULL,
        "size": {"type": ["integer", "null"]},
        "players": {
            "type": "object",
            "description": "Their names.",
            "required": list(COLOURS),
            "properties": dict.fromkeys(COLOURS, _TEXT_OR_NULL),
        },
        "date": _TEXT_OR_NULL,
        "valid": {"type": "boolean"},
        "plies": _COUNT,
        "result": {"$ref": "#/components/schemas/Outcome"},
        "diagnostic": {
            "description": "The first error, or else the first warning.",
            "oneOf": [{"$ref": "#/components/schemas/Diagnostic"}, {"type": "null"}],
        },
    },
}
_RECORD_LIST = {
    "type": "object",
    "required": ["hexrec", "notation", "summary", "records"],
    "properties": {
        "hexrec": {"type": "string", "description": "The version of the program."},
        "notation": {"enum": list(notations.names()), "description": "What the body, and each part, is read as."},
        "summary": {"type": "object", "required": list(_COUNTS), "properties": _COUNTS},
        "records": {"type": "array", "items": {"$ref": "#/components/schemas/ListedRecord"}},
    },
}
_EDIT = {
    "type": "object",
    "required": ["text", "notation", "record", "data"],
    "additionalProperties": False,
    "properties": {
        "text": {"type": "string", "description": "A part of a file that holds the record."},
        "notation": {"enum": list(notations.names())},
        "record": {**_COUNT, "description": "Which of the records in it is meant."},
        "data": {"$ref": "#/components/schemas/Record"},
    },
}

_POSITION_DESCRIPTION = {
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
_CELLS = {"type": "array", "items": {"type": "integer", "minimum": 0}}
_ENTRY = {
    "type": "object",
    "description": "What a board on which turns are entered needs.",
    "required": ["steps", "parts"],
    "properties": {
        "steps": {"type": "array", "items": {"type": "object"}, "description": "The moves, as /v1/replay has them."},
        "parts": {
            "type": "array",
            "description": "For each legal turn its parts, in order: for each the numbers of the cells, in board order "
            "from 0, any of which stands for it.",
            "items": {"type": "array", "items": _CELLS},
        },
    },
}
_POSITION = {
    "type": "object",
    "title": "Position",
    "required": [
        *("game", "ruleset", "variant", "size", "coordinates", "plies"),
        *("position", "to_play", "over", "result", "legal"),
    ],
    "properties": {
        "game": {"enum": list(games.names())},
        "ruleset": {"type": "string"},
        "variant": {"type": ["string", "null"]},
        "size": {"type": "integer", "minimum": 1},
        "coordinates": {"enum": list(SYSTEMS)},
        "plies": {"type": "integer", "minimum": 0, "description": "How many turns were played."},
        "position": {"type": "string", "description": "The text of the position."},
        "to_play": {"enum": list(COLOURS)},
        "over": {"type": "boolean", "description": "Whether the rules have ended the game."},
        "result": {"$ref": "#/components/schemas/Outcome"},
        "legal": {"type": "array", "items": {"type": "string"}, "description": "All legal turns, sorted."},
        "drawing": {"type": "object", "description": "What /v1/replay has as game, board and start."},
        "entry": _ENTRY,
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


def route(
    kinds: Mapping[str, Mapping[str, Any]], description: str, body: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return what a route with a body says of itself: the body, the good answer, by media type, and the problems.

    The body holds records unless something else is said of it.
    """
    found: dict[int | str, dict[str, Any]] = {200: {"description": description, "content": dict(kinds)}}
    found |= problems(status for status, _ in KINDS.values() if status not in (404, 405))
    return {"response_class": Response, "openapi_extra": {"requestBody": body or _records()}, "responses": found}


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
    text = "".join(notations.get("yaml").write([_BROKEN_GAME]))
    example = {"text": text, "notation": "yaml", "record": 0, "data": _GAME}
    content = {negotiation.JSON: {**reference("Edit"), "examples": {"a turn replaced": {"value": example}}}}
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
        "description": "Records in any notation: the type of the body, or `from`, says in which.",
        "content": content,
    }


def problems(statuses: Iterable[int]) -> dict[int | str, dict[str, Any]]:
    """Return what is said of answers with these statuses."""
    found: dict[int | str, dict[str, Any]] = {}
    for status in sorted(set(statuses)):
        names = [f"`{name}`: {kind.title}." for name, kind in KINDS.items() if kind.status == status]
        content = {MEDIA_TYPE: reference("Problem")}
        found[status] = {"description": " ".join(names), "content": content}
        if status == 503:
            found[status]["headers"] = {"Retry-After": {"schema": {"type": "string"}}}
    return found


def reference(name: str) -> dict[str, Any]:
    """Return what is said of a kind of answer that has a schema of its own."""
    return {"schema": {"$ref": f"#/components/schemas/{name}"}}


def components() -> dict[str, Any]:
    """Return the schemas that others refer to, those of the records of all games included."""
    found: dict[str, Any] = {
        "Problem": _PROBLEM,
        "Outcome": _OUTCOME,
        "Diagnostic": _DIAGNOSTIC,
        "Report": _REPORT,
        "Reports": _REPORTS,
        "Extent": _EXTENT,
        "ListedRecord": _LISTED_RECORD,
        "RecordList": _RECORD_LIST,
        "Edit": _EDIT,
        "PositionDescription": _POSITION_DESCRIPTION,
        "Position": _POSITION,
    }
    schema = json.loads(json.dumps(record_schema()).replace('"#/$defs/', '"#/components/schemas/'))
    records = [choice["then"] for choice in schema["allOf"]]
    return {**found, **schema["$defs"], "Record": {"title": "A game in the record format", "oneOf": records}}
