"""No field of the record format is missing from the fixtures: neither in any game, nor in any format that has it.

The schema has all fields. `fixtures/suite/<game>/valid/all-fields.yaml` has two records of each game, from its
opening and from a setup. `python -m tests.formats.test_all_fields` writes the same records in the other formats.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import Any, get_args

import pytest

from hexrec import formats
from hexrec.io.discovery import Discovery, Source
from hexrec.record.canonical import canonical_form, canonicalize
from hexrec.record.game_shapes import record_shape
from hexrec.record.schema import MarkKind
from hexrec.record.shapes import Shape
from hexrec.record.validation import read_record
from hexrec.rules import games
from tests.cases import try_all
from tests.formats.test_conversions import FORMATS, assert_there_and_back, without, write, written_in
from tests.properties import sample
from tests.record.helpers import FIXTURES, exact

#: The names of fields on the way from a record to a value; entries of lists have none.
Names = tuple[str, ...]


def fields(shape: Shape) -> Iterator[Names]:
    """Yield every field of a shape and of the parts of records in it, but not of turns in variations."""
    for name in shape.fields:
        yield (name,)
        part = shape.parts.get(name)
        if part is not None and part is not shape:
            yield from ((name, *names) for names in fields(part))


def all_fields(game: str) -> set[Names]:
    return {*fields(record_shape(games.get(game)))}


def said(data: Any, names: Names = ()) -> Iterator[Names]:
    """Yield the fields in some data of a record."""
    if isinstance(data, list):
        for value in data:
            yield from said(value, names)
    elif isinstance(data, dict):
        for name, value in data.items():
            yield (*names, name)
            if not name.startswith("x-"):
                yield from said(value, (*names, name))


def read_all(path: Path) -> list[dict[str, Any]]:
    """Return the data of all records of a file, or of the files below a folder."""
    sources = [source for source in Discovery([str(path)]) if isinstance(source, Source)]
    return [document.data for source in sources for document in source.documents()]


def full(game: str) -> list[dict[str, Any]]:
    """Return the records of a game that have every field."""
    return read_all(FIXTURES / game / "valid/all-fields.yaml")


def every_game() -> dict[str, dict[str, Any]]:
    """Return the canonical records that have every field, by their identity."""
    found = [canonical_form(read_record(record)) for game in games.names() for record in full(game)]
    return {record["id"]: record for record in found}


@pytest.mark.parametrize("game", games.names())
def test_every_field_is_in_a_fixture_of_its_game(game: str) -> None:
    found = {names for record in full(game) for names in said(record)}
    assert all_fields(game) - found == set()


@pytest.mark.parametrize("game", games.names())
def test_every_part_of_a_record_has_an_extension_field_in_a_fixture_of_its_game(game: str) -> None:
    found = {names[:-1] for record in full(game) for names in said(record) if names[-1].startswith("x-")}
    assert {names[:-1] for names in all_fields(game)} - found == set()


@pytest.mark.parametrize("game", games.names())
def test_every_kind_of_mark_is_in_a_fixture_of_its_game(game: str) -> None:
    turns = [turn for record in full(game) for turn in record["moves"] if isinstance(turn, dict)]
    assert {mark["kind"] for turn in turns for mark in turn.get("marks", [])} == set(get_args(MarkKind))


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "yaml"])
def test_every_field_is_in_a_fixture_of_every_format_that_has_it(name: str) -> None:
    """The fixtures say all that a record says, but for what is announced when it is written."""
    records = {key: record for key, record in every_game().items() if name in written_in(record)}
    found = {
        data["id"]: data
        for data in read_all(FIXTURES / "formats" / name / "valid")
        if isinstance(data, dict) and data.get("id") in records
    }
    assert found.keys() == records.keys()
    for key, record in records.items():
        left = without(record, write(name, record)[1])
        assert exact(canonicalize(found[key])) == exact(left)


def test_every_field_goes_there_and_back() -> None:
    """Some games are tried from their openings, some from setups."""
    try_all(assert_there_and_back, sample(every_game().values(), 3), ids=itemgetter("id"))


def write_fixtures() -> None:
    for name in FORMATS:
        folder = FIXTURES / "formats" / name / "valid"
        records = {key: record for key, record in every_game().items() if name in written_in(record)}
        if name == "json":
            for key, record in records.items():
                (folder / f"{key}.json").write_text(write(name, record)[0], encoding="utf-8")
        elif name != "yaml":
            suffix = "jsonl" if name == "abstractplay" else name
            text = "".join(formats.get(name).write(list(records.values()), lambda _: None))
            (folder / f"every-game.{suffix}").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_fixtures()
