"""The JSON Schemas as files: complete in themselves, explained, with examples, and up to date."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft7Validator, Draft202012Validator

from hexrec.record.canonical import canonical_form
from hexrec.record.json_schema import DIALECT, beginning, game_schema, record_schema, schema_files
from hexrec.record.validation import RecordError, read_record
from hexrec.rules import games
from hexrec.validation.verdict import check_record
from tests.record.helpers import ROOT, fixture_data, validator

NAMES = [*games.names(), "record"]
every_schema = pytest.mark.parametrize("name", NAMES)


@cache
def schema(name: str) -> dict[str, Any]:
    return record_schema() if name == "record" else game_schema(name)


def subschemas(part: Any) -> Iterator[dict[str, Any]]:
    """Yield every object in a schema."""
    if isinstance(part, dict):
        yield part
        for value in part.values():
            yield from subschemas(value)
    elif isinstance(part, list):
        for value in part:
            yield from subschemas(value)


def test_the_schema_files_are_those_of_the_program() -> None:
    written = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "schemas").glob("*.json")}
    del written["tables.json"]  # `hexrec schema --check` compares it
    files = schema_files()
    assert sorted(written) == sorted(files)
    for name in NAMES:
        assert json.loads(files[f"{name}.schema.json"]) == schema(name)
    for name, text in files.items():
        assert written[name] == text, f"{name} is out of date: write it with `hexrec schema --write`"


@every_schema
def test_a_schema_is_one_and_says_what_it_is(name: str) -> None:
    made = schema(name)
    Draft202012Validator.check_schema(made)
    assert made["$schema"] == DIALECT
    assert "$id" not in made
    assert made["title"]
    assert made["description"]


@every_schema
def test_every_reference_is_to_a_definition_at_the_top(name: str) -> None:
    made = schema(name)
    references = {part["$ref"] for part in subschemas(made) if "$ref" in part}
    assert references == {f"#/$defs/{definition}" for definition in made["$defs"]}
    for part in made["$defs"].values():
        assert not {"$id", "$schema", "$defs"} & part.keys()


def test_definitions_of_one_name_are_the_same_in_all_schemas() -> None:
    together = schema("record")["$defs"]
    for name in games.names():
        made = schema(name)
        for definition, part in made["$defs"].items():
            assert part == together[definition]
        whole = together[f"{games.get(name).title}Record"]
        assert whole == {key: made[key] for key in made if key not in ("$schema", "$id", "$defs", "examples")}


def test_where_a_schema_is_published_is_its_id() -> None:
    files = schema_files("https://example.org/hexrec")
    for name in NAMES:
        made = json.loads(files[f"{name}.schema.json"])
        assert made.pop("$id") == f"https://example.org/hexrec/{name}.schema.json"
        assert made == {key: value for key, value in schema(name).items() if key != "$id"}


def for_editors(name: str) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(schema_files()[f"{name}.draft-07.json"])
    return made


def test_schemas_for_editors_accept_the_same_records() -> None:
    made = for_editors("record")
    Draft7Validator.check_schema(made)
    old, new = Draft7Validator(made), validator("record")
    records = [*made["examples"], *fixture_data("record"), *fixture_data("valaturna/invalid")]
    verdicts = [new.is_valid(record) for record in records]
    assert {*verdicts} == {True, False}
    assert [old.is_valid(record) for record in records] == verdicts


@every_schema
def test_schemas_for_editors_explain_patterns_and_have_no_references_with_siblings(name: str) -> None:
    for part in subschemas(for_editors(name)):
        if "pattern" in part and isinstance(part["pattern"], str) and part.get("type") == "string":
            assert part.get("patternErrorMessage") or part["pattern"].startswith("^1"), part
        if isinstance(part.get("description"), str) and "type" in part:
            assert part["markdownDescription"] == part["description"]
        assert "$ref" not in part or len(part) == 1
        assert "$defs" not in part
    assert "patternErrorMessage" not in json.dumps(schema(name))


@every_schema
def test_a_field_has_few_examples(name: str) -> None:
    counts = [len(part["examples"]) for part in subschemas(schema(name)["$defs"]) if "examples" in part]
    assert max(counts) <= 2


@pytest.mark.parametrize(("folder", "valid"), [("test", True), ("negative_test", False)])
def test_files_for_schemastore(folder: str, valid: bool) -> None:
    """They are as SchemaStore wants them, whose folders have these names."""
    paths = sorted((ROOT / "schemas" / folder / "hexrec").iterdir())
    assert len(paths) > 6
    checker = Draft7Validator(for_editors("record"))
    for path in paths:
        record = json.loads(path.read_text(encoding="utf-8"))
        assert checker.is_valid(record) == valid, path.name
        with suppress(RecordError):
            read_record(record)
            assert valid, path.name


@every_schema
def test_the_examples_are_whole_games(name: str) -> None:
    examples = schema(name)["examples"]
    assert [example["game"] for example in examples] == ([name] if name != "record" else list(games.names()))
    for example in examples:
        assert validator(name).is_valid(example)
        record = read_record(example)
        assert check_record(record, finished=True).diagnostics == ()
        assert canonical_form(record) == example


@every_schema
def test_every_field_is_explained_and_every_example_of_a_field_is_right(name: str) -> None:
    made = schema(name)
    for part in [made, *(part for key, part in made["$defs"].items() if not key.endswith("Fields"))]:
        assert part["description"], part
        assert part["title"], part
        for field, described in part.get("properties", {}).items():
            explained = described if "description" in described else made["$defs"][described["$ref"].split("/")[-1]]
            text = explained["description"]
            assert text.endswith("."), field
            assert text.rstrip(".").lower() != explained["title"].lower(), field
            for example in described.get("examples", []):
                assert Draft202012Validator({**described, "$defs": made["$defs"]}).is_valid(example), field


@pytest.mark.parametrize("name", games.names())
def test_the_example_of_a_setup_is_a_position(name: str) -> None:
    (text,) = schema(name)["properties"]["setup"]["examples"]
    assert games.get(name).start(position=text).text() == text


@pytest.mark.parametrize("name", games.names())
def test_the_example_of_a_turn_is_a_turn(name: str) -> None:
    turn = schema(name)["$defs"][f"{games.get(name).title}Turn"]
    assert turn["examples"] == [games.get(name).example]
    assert Draft202012Validator(turn).is_valid(turn["examples"][0])
    assert not Draft202012Validator(turn).is_valid("no turn")
    assert games.get(name).turn_help in turn["description"]


@pytest.mark.parametrize("name", games.names())
def test_a_record_begins(name: str) -> None:
    begun, game = beginning(name), games.get(name)
    opening = {color: cell for color, cell in (("black", "c3"), ("white", "b2")) if color in game.opening}
    common = {"hexrec": "1", "game": name, "size": game.recommended[0]}
    assert begun == {**common, **({"opening": opening} if opening else {}), "moves": []}
    assert check_record(read_record(begun)).valid
