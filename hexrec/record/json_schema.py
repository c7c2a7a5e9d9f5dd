"""JSON Schemas of the record format (draft 2020-12, and draft 7 for editors), generated from its definition."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from itertools import combinations
from pathlib import Path
from typing import Any
from urllib.parse import quote

from hexrec.record.game_shapes import own_name, record_shape, turn_pattern
from hexrec.record.kinds import ERROR, NEWER_PATTERN, Kind, ListOf, Schema
from hexrec.record.schema import one_of
from hexrec.record.shapes import Shape, Turn
from hexrec.record.validation import read_record
from hexrec.rules import games
from hexrec.rules.game import Game
from hexrec.util.version import FORMAT_VERSION

DIALECT = "https://json-schema.org/draft/2020-12/schema"
EDITOR_DIALECT = "http://json-schema.org/draft-07/schema#"
#: Default directory of the schema files.
FOLDER = "schemas"
#: One complete record of each built-in game, one a line.
_EXAMPLES = Path(__file__).with_name("examples.jsonl")


def game_schema(name: str, base: str = "") -> Schema:
    """Return the self-contained JSON Schema for the records of one game.

    With the URL `base`, its `$id` is the URL of the schema below it. Raises UnknownNameError.
    """
    schema: Schema = _strict(_game_schema(name, base))
    return schema


def _game_schema(name: str, base: str) -> Schema:
    game = games.get(name)
    shape = record_shape(game)
    record = example(name)
    schema = shape.definition()
    properties = schema["properties"]
    properties["setup"]["examples"] = [_position_in(record)]
    definitions: dict[str, Schema] = {}
    _define(shape, definitions)
    _define_turns(properties, definitions, game)
    # The objects of a newer version can have unknown fields.
    definitions[_own_fields_name(shape)] = _own_fields(shape)
    schema |= {
        "if": {"properties": {"hexrec": {"type": "string", "pattern": NEWER_PATTERN}}, "required": ["hexrec"]},
        "else": {"$ref": f"#/$defs/{_own_fields_name(shape)}"},
    }
    if game.opening:
        schema["oneOf"] = one_of("opening", "setup")
    if "readings" in properties:
        properties["readings"] |= _restrict_readings(game)
    # Some rulesets have fewer sizes.
    fewer = [rules for rules in map(game.ruleset, game.rulesets) if rules.sizes != game.sizes]
    if fewer:
        schema["allOf"] = [
            {
                "if": {"properties": {"ruleset": {"const": rules.name}}, "required": ["ruleset"]},
                "then": {
                    "properties": {
                        "size": {"type": "integer", "minimum": rules.sizes[0], "maximum": rules.sizes[-1]},
                        **({} if rules.readings else {"readings": {"type": "array", "maxItems": 0}}),
                    }
                },
            }
            for rules in fewer
        ]
    return {
        "$schema": DIALECT,
        **_identity(name, base),
        "title": f"{game.title} game record",
        "description": f"One game of {game.title} in the hexrec record format, version {FORMAT_VERSION}.",
        "$defs": dict(sorted(definitions.items())),
        **{key: value for key, value in schema.items() if key not in ("title", "description")},
        "examples": [record],
    }


def _restrict_readings(game: Game) -> Schema:
    """Return the JSON Schema that allows each reading of the default ruleset once, and one for a ruling."""
    rulings: dict[str, list[str]] = {}
    for reading in game.readings:
        rulings.setdefault(reading.ruling, []).append(reading.name)
    rivals = [pair for names in rulings.values() for pair in combinations(names, 2)]
    schema: Schema = {"items": {"type": "string", "enum": [known.name for known in game.readings]}, "uniqueItems": True}
    if rivals:
        schema["not"] = {"anyOf": [{"allOf": [{"contains": {"const": name}} for name in pair]} for pair in rivals]}
    return schema


def _define(shape: Shape, definitions: dict[str, Schema]) -> None:
    """Add the JSON Schemas of all objects in a shape to `definitions`, by name."""
    for inner in shape.parts.values():
        if inner.name not in definitions:
            definitions[inner.name] = inner.definition()
            definitions[_own_fields_name(inner)] = _own_fields(inner)
            _define(inner, definitions)


def _own_fields_name(shape: Shape) -> str:
    """Return the name of the JSON Schema that allows no unknown fields in an object."""
    return f"{shape.name}Fields"


def _own_fields(shape: Shape) -> Schema:
    """Return the JSON Schema of an object without unknown fields, in itself and in the objects within."""

    def fields_within(kind: Kind, inner: Shape) -> Schema:
        if isinstance(kind, ListOf):
            return {"type": "array", "items": fields_within(kind.items, inner)}
        schema = {"$ref": f"#/$defs/{_own_fields_name(inner)}"}
        return {"anyOf": [{"type": "string"}, schema]} if isinstance(kind, Turn) else schema

    return {
        "type": "object",
        "properties": {
            name: fields_within(field.kind, shape.parts[name]) if name in shape.parts else True
            for name, field in shape.fields.items()
        },
        "patternProperties": {"^x-": True},
        "additionalProperties": False,
    }


def _define_turns(properties: Schema, definitions: dict[str, Schema], game: Game) -> None:
    """Restrict all turns in a schema to the turn notation of the game.

    Definitions that contain turns are prefixed with the title of the game, so one schema can define all games.
    """
    turn, move, evaluation = (own_name(game, part) for part in ("Turn", "Move", "Eval"))
    definitions[move], definitions[evaluation] = definitions.pop("Move"), definitions.pop("Eval")
    definitions[turn] = {
        "type": "string",
        "title": "Turn",
        "description": f"The text of a turn: {game.turn_help}.",
        "pattern": turn_pattern(game),
        ERROR: f"should be a turn of {game.title}: {game.turn_help}",
        "examples": [game.example],
    }
    own_turn = {"$ref": f"#/$defs/{turn}"}
    either = {"anyOf": [own_turn, {"$ref": f"#/$defs/{move}"}]}
    fields = definitions[move]["properties"]
    fields["turn"] = own_turn
    fields["eval"]["$ref"] = f"#/$defs/{evaluation}"
    fields["taken_back"]["items"] = own_turn
    fields["variations"]["items"]["items"] = either
    definitions[evaluation]["properties"]["line"]["items"] = own_turn
    properties["moves"]["items"] = either


def record_schema(base: str = "") -> dict[str, Any]:
    """Return the JSON Schema for the records of all games, which dispatches on the field ``game``.

    All definitions are at the top level without `$id`: editors do not resolve other references.
    """
    schema: Schema = _strict(_schemas(base, games.names())["record"])
    return schema


def _combine_schemas(parts: Mapping[str, dict[str, Any]], base: str) -> dict[str, Any]:
    """Return the schema for all games, given the schema of each game by name."""
    definitions: dict[str, Any] = {}
    references = {}
    for name, part in parts.items():
        own = own_name(games.get(name), "Record")
        references[name] = {"$ref": f"#/$defs/{own}"}
        definitions |= part["$defs"]
        definitions[own] = {key: part[key] for key in part if key not in ("$schema", "$id", "$defs", "examples")}
    return {
        "$schema": DIALECT,
        **_identity("record", base),
        "title": "hexrec game record",
        "description": f"One game in the hexrec record format, version {FORMAT_VERSION}.",
        "type": "object",
        "required": ["game"],
        "properties": {"game": {"enum": list(references), "title": "Game", "description": "The game's name."}},
        "allOf": [
            {"if": {"properties": {"game": {"const": name}}, "required": ["game"]}, "then": reference}
            for name, reference in references.items()
        ],
        "$defs": dict(sorted(definitions.items())),
        "examples": [example for part in parts.values() for example in part["examples"]],
    }


def _identity(name: str, base: str) -> Schema:
    """Return the `$id` of a schema as a part of it: its URL below `base`, which a release sets; none without `base`."""
    return {"$id": f"{_folder(base)}{schema_file(name)}"} if base else {}


def _folder(address: str) -> str:
    return address if not address or address.endswith("/") else f"{address}/"


def schema_file(name: str) -> str:
    """Return the file name of the schema of a game; the name ``record`` means the schema for all games."""
    return f"{name}.schema.json"


def schema_address(game: str, folder: Path) -> str:
    """Return the URL of the schema of a game in the default directory, relative to another directory."""
    file = Path(FOLDER, schema_file(game))
    try:
        return quote(Path(os.path.relpath(file, folder)).as_posix())
    except ValueError:  # no relative path between drives
        return file.absolute().as_uri()


def schema_files(base: str = "", *, built_in: bool = False) -> dict[str, str]:
    """Return the schemas and their catalog, for publication at a URL, as file name to content.

    `built_in` leaves out the games of other packages, and those that a program has registered.
    """
    schemas = _schemas(base, games.BUILT_IN if built_in else games.names())
    files = {schema_file(name): to_text(_strict(schema)) for name, schema in schemas.items()}
    files |= {editor_file(name): to_text(_for_editors(name, schema, base)) for name, schema in schemas.items()}
    return files | {"catalog.json": to_text(_catalog(schemas, base))}


def _strict(schema: Any) -> Any:
    """Return a schema without keywords that only editors know, which strict validators refuse."""
    if isinstance(schema, dict):
        return {key: _strict(part) for key, part in schema.items() if key != ERROR}
    return [*map(_strict, schema)] if isinstance(schema, list) else schema


def _for_editors(name: str, schema: Schema, base: str) -> Schema:
    """Return a schema in draft 7, which editors and SchemaStore support best, with keywords of editors."""
    copy: Schema = _in_draft_7({key: part for key, part in schema.items() if key not in ("$schema", "$id")})
    identity = {"$id": _folder(base) + editor_file(name)} if base else {}
    return {"$schema": EDITOR_DIALECT, **identity, **copy}


def _in_draft_7(part: Any, *, names: bool = False) -> Any:
    """Return a part of a schema in draft 7; with `names`, its keys are names, and no keywords."""
    if isinstance(part, list):
        return [*map(_in_draft_7, part)]
    if not isinstance(part, dict):
        return part
    if names:
        return {name: _in_draft_7(inner) for name, inner in part.items()}
    copy: Schema = {}
    for key, value in part.items():
        if key in ("examples", "default", "const", "enum"):
            copy[key] = value
        elif key == "$ref":
            # In draft 7, keywords next to a reference do not count.
            reference = {"$ref": value.replace("#/$defs/", "#/definitions/")}
            copy |= reference if len(part) == 1 else {"allOf": [reference]}
        else:
            inner = _in_draft_7(value, names=key in ("properties", "patternProperties", "$defs"))
            copy["definitions" if key == "$defs" else key] = inner
            if key == "description":
                copy["markdownDescription"] = value
    return copy


def editor_file(name: str) -> str:
    """Return the file name of the schema of a game for editors; the name ``record`` means the schema for all games."""
    return f"{name}.draft-07.json"


def _catalog(schemas: Mapping[str, dict[str, Any]], base: str) -> dict[str, Any]:
    """Return a catalog in SchemaStore's format, by which editors choose the schema for a file."""
    return {
        "$schema": "https://json.schemastore.org/schema-catalog.json",
        "version": 1,
        "schemas": [
            {
                "name": schema["title"],
                "description": schema["description"],
                "fileMatch": [f"*.{'hexrec' if name == 'record' else name}.{end}" for end in ("json", "yaml", "yml")],
                "url": _folder(base) + editor_file(name),
            }
            for name, schema in schemas.items()
        ],
    }


def _schemas(base: str, names: Iterable[str]) -> dict[str, dict[str, Any]]:
    parts = {name: _game_schema(name, base) for name in names}
    return {**parts, "record": _combine_schemas(parts, base)}


def to_text(schema: dict[str, Any]) -> str:
    """Return a schema as the string to write to a file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def example(name: str) -> dict[str, Any]:
    """Return a complete record of a built-in game, or a record without turns of another game."""
    for line in _EXAMPLES.read_text(encoding="utf-8").splitlines():
        record: dict[str, Any] = json.loads(line)
        if record["game"] == name:
            return record
    return beginning(name)


def beginning(name: str) -> dict[str, Any]:
    """Return a record of a game without turns. Raises UnknownNameError."""
    game = games.get(name)
    stones = {"black": "c3", "white": "b2"}
    record: dict[str, Any] = {"hexrec": FORMAT_VERSION, "game": name, "size": game.recommended[0]}
    if game.opening:
        record["opening"] = {color: stones[color] for color in game.opening}
    return {**record, "moves": []}


def _position_in(example: dict[str, Any]) -> str:
    """Return the position text at the middle of a game."""
    record = read_record(example)
    position = record.start()
    position.play_all(record.turns[: len(record.turns) // 2])
    return position.text()
