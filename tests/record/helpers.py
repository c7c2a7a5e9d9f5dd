"""What the tests of records share."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from hexrec import formats
from hexrec.io.discovery import Discovery, Source
from hexrec.record.json_schema import game_schema, record_schema
from hexrec.record.validation import RecordError, read_record
from hexrec.util.diagnostics import Diagnostic

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures/suite"
#: A record of Sundraval with every field of the format.
FULL = FIXTURES / "record" / "valid" / "all-fields.yaml"


@cache
def validator(name: str) -> Draft202012Validator:
    """Return the validator of a game's schema, or of the one for all games with the name ``record``."""
    base = "https://example.org/"  # without an address, a schema cannot be referred to
    schema = record_schema(base) if name == "record" else game_schema(name, base)
    Draft202012Validator.check_schema(schema)
    resource = DRAFT202012.create_resource(schema)
    name = resource.id() or ""
    # Where references lead is looked up once here, not in every validation.
    registry = Registry().with_resource(name, resource).crawl()
    return Draft202012Validator({"$ref": name}, registry=registry)


def diagnostics(data: Any) -> list[Diagnostic]:
    """Return what the models find wrong with some data."""
    try:
        read_record(data)
    except RecordError as error:
        return list(error.diagnostics)
    return []


def fixture_data(folder: str = "") -> Iterator[Any]:
    """Yield the data of all documents of the fixtures that are free of syntax errors."""
    for source in Discovery([str(FIXTURES / folder)]):
        if isinstance(source, Source):
            yield from (document.data for document in source.documents() if document.error is None)


def full_record() -> dict[str, Any]:
    """Return a fresh copy of the record with every field."""
    with FULL.open("rb") as stream:
        (document,) = formats.get("yaml").read(stream)
    return dict(document.data)


def exact(data: Any) -> str:
    """Return a text that is equal for equal data only, in any order of fields: 1, 1.0 and true differ."""
    return json.dumps(data, sort_keys=True)


def exact_in_order(data: Any) -> str:
    """Return a text that is equal for equal data only: 1, 1.0 and true differ, and so does the order of fields."""
    return json.dumps(data)


def places(data: Any, path: tuple[int | str, ...] = ()) -> Iterator[tuple[int | str, ...]]:
    """Yield the path of everything in a record but what is in its extension fields, the record itself first."""
    yield path
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for step, value in items:
        if not str(step).startswith("x-"):
            yield from places(value, (*path, step))


def at(data: Any, path: tuple[int | str, ...]) -> Any:
    for step in path:
        data = data[step]
    return data


def put(data: Any, path: tuple[int | str, ...], value: Any) -> Any:
    """Return a copy of some data with a value put at a path."""
    changed = json.loads(json.dumps(data))
    if not path:
        return value
    at(changed, path[:-1])[path[-1]] = value
    return changed


def without(data: Any, path: tuple[int | str, ...]) -> Any:
    """Return a copy of some data with what is at a path taken out."""
    changed = json.loads(json.dumps(data))
    del at(changed, path[:-1])[path[-1]]
    return changed
