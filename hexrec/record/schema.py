"""The JSON Schemas of the record format (draft 2020-12), made from the models so that both accept the same records."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

from hexrec import games
from hexrec._version import FORMAT_VERSION
from hexrec.record.model import record_model, turn_pattern

DIALECT = "https://json-schema.org/draft/2020-12/schema"
#: The folder that the schema files are in, unless told otherwise.
FOLDER = "schemas"


def game_schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema for the records of one game, complete in itself. Raises KeyError for an unknown game."""
    game = games.get(name)
    schema = record_model(name).model_json_schema()
    with_setup = record_model(name, setup=True).model_json_schema()
    _tidy(schema)
    _allow_setup(schema, with_setup["properties"]["setup"])
    turn = {
        "type": "string",
        "title": "Turn",
        "description": f"The text of a turn: {game.turn_help}.",
        "pattern": turn_pattern(game),
        "examples": [game.example],
    }
    definitions = schema["$defs"]
    del definitions["JsonValue"]
    definitions["Turn"] = turn
    definitions["Move"]["properties"]["turn"] = {"$ref": "#/$defs/Turn"}
    line = {"anyOf": [{"$ref": "#/$defs/Turn"}, {"$ref": "#/$defs/Move"}]}
    definitions["Move"]["properties"]["taken_back"]["items"] = {"$ref": "#/$defs/Turn"}
    definitions["Eval"]["properties"]["line"]["items"] = {"$ref": "#/$defs/Turn"}
    definitions["Move"]["properties"]["variations"]["items"]["items"] = line
    schema["properties"]["moves"]["items"] = line
    # Under some rulesets there are fewer sizes.
    fewer = [rules for rules in map(game.ruleset, game.rulesets) if rules.sizes != game.sizes]
    if fewer:
        schema["allOf"] = [
            {
                "if": {"properties": {"ruleset": {"const": rules.name}}, "required": ["ruleset"]},
                "then": {
                    "properties": {"size": {"type": "integer", "minimum": rules.sizes[0], "maximum": rules.sizes[-1]}}
                },
            }
            for rules in fewer
        ]
    if game.score is not None:
        definitions[f"{game.title}Result"].update(
            {
                "if": {"properties": {"termination": {"const": "rules"}}},
                "else": {"not": {"required": ["score"]}},
            }
        )
    return {
        "$schema": DIALECT,
        "$id": schema_id(name),
        "title": f"{game.title} game record",
        "description": f"One game of {game.title} in the hexrec record format, version {FORMAT_VERSION}.",
        **{key: value for key, value in schema.items() if key not in ("title", "description")},
        "examples": [_example(name)],
    }


def _allow_setup(schema: dict[str, Any], setup: dict[str, Any]) -> None:
    """Let records have a setup, in the place of the opening in the games that have one."""
    properties = schema["properties"]
    schema["properties"] = {}
    for field in properties:
        if field == "pie":  # what follows the opening
            schema["properties"]["setup"] = setup
        schema["properties"][field] = properties[field]
    if "opening" in schema["required"]:
        schema["required"].remove("opening")
        schema["oneOf"] = [{"required": ["opening"]}, {"required": ["setup"]}]


def record_schema() -> dict[str, Any]:
    """Return the JSON Schema for the records of all games: it dispatches on the field ``game``."""
    parts = {name: game_schema(name) for name in games.names()}
    return {
        "$schema": DIALECT,
        "$id": schema_id("record"),
        "title": "hexrec game record",
        "description": f"One game in the hexrec record format, version {FORMAT_VERSION}.",
        "type": "object",
        "required": ["game"],
        "properties": {"game": {"enum": list(parts), "title": "Game", "description": "The game's name."}},
        "allOf": [
            {
                "if": {"properties": {"game": {"const": name}}, "required": ["game"]},
                "then": {"$ref": schema_id(name)},
            }
            for name in parts
        ],
        "$defs": parts,
        "examples": [part["examples"][0] for part in parts.values()],
    }


def schema_id(name: str) -> str:
    """Return the `$id` of a game's schema, or of the one for all games with the name ``record``."""
    return f"urn:hexrec:schema:{FORMAT_VERSION}:{name}"


def schema_file(name: str) -> str:
    """Return the file name of a game's schema, or of the one for all games with the name ``record``."""
    return f"{name}.schema.json"


def schema_files(base: str = "") -> dict[str, str]:
    """Return the schema files, and the catalogue of them at an address: file name to content."""
    files = {schema_file(name): to_text(schema) for name, schema in _schemas().items()}
    return files | {"catalog.json": to_text(catalogue(base))}


def catalogue(base: str = "") -> dict[str, Any]:
    """Return which files of records an editor should check with which schema, as SchemaStore's catalogue says it.

    A record's file has before its suffix the name of its game, or ``hexrec`` for any game. The schemas are looked for
    at the address `base`, or beside the catalogue.
    """
    if base and not base.endswith("/"):
        base += "/"
    return {
        "$schema": "https://json.schemastore.org/schema-catalog.json",
        "version": 1,
        "schemas": [
            {
                "name": schema["title"],
                "description": schema["description"],
                "fileMatch": [f"*.{'hexrec' if name == 'record' else name}.{end}" for end in ("json", "yaml", "yml")],
                "url": base + schema_file(name),
            }
            for name, schema in _schemas().items()
        ],
    }


def _schemas() -> dict[str, dict[str, Any]]:
    return {name: game_schema(name) for name in games.names()} | {"record": record_schema()}


def to_text(schema: dict[str, Any]) -> str:
    """Return a schema as it is written to a file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _example(name: str) -> dict[str, Any]:
    game = games.get(name)
    stones = dict(zip(("black", "white"), ("c3", "b2"), strict=True))
    example: dict[str, Any] = {"hexrec": FORMAT_VERSION, "game": name, "size": game.recommended[0]}
    if game.opening:
        example["opening"] = {colour: stones[colour] for colour in game.opening}
    return {**example, "moves": []}


def _tidy(part: Any) -> None:
    """Turn what pydantic derives into what the record format means, in place.

    Extension fields are a pattern of names; no field may be null; fields that a game does not have are not there.
    """
    if isinstance(part, list):
        for each in part:
            _tidy(each)
    if not isinstance(part, dict):
        return
    if "additionalProperties" in part:
        part["additionalProperties"] = False
        part["patternProperties"] = {"^x-": {"description": "An extension field: anything, kept verbatim."}}
    if part.get("default", ...) is None:
        del part["default"]
    choices = part.get("anyOf", [])
    if {"type": "null"} in choices:
        choices = [choice for choice in choices if choice != {"type": "null"}]
        del part["anyOf"]
        part.update(deepcopy(choices[0]) if len(choices) == 1 else {"anyOf": choices})
    properties = part.get("properties", {})
    for name in [name for name, each in properties.items() if isinstance(each, dict) and "not" in each]:
        del properties[name]
    for each in part.values():
        _tidy(each)
