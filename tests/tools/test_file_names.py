"""File names made of what records say."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

import pytest
from hypothesis import given

from hexrec.errors import ArgumentError
from hexrec.record.validation import read_record
from hexrec.tools.convert import FIELDS, Converted, Template
from hexrec.validation.report import Report
from tests.record.strategies import texts


def converted(index: int = 0, file: str = "games/a.jsonl.gz", **fields: Any) -> Converted:
    data = {"hexrec": "1", "game": "sunspot", "size": 5, "moves": [], **fields}
    record = read_record(data)
    return Converted(Report((), record=record, file=file, index=index, id=record.id), "", data)


def test_every_field() -> None:
    template = Template("-".join(f"{{{name}}}" for name in FIELDS if name != "variant") + ".json")
    players = {"black": {"name": "Ada Lovelace"}, "white": {"name": "\u00c9mile"}}
    made = converted(
        7, date="2026-01-02", event="Open", site="here", round="3", players=players, result={"winner": "draw"}, id="G1"
    )
    assert set(str(template.name(made)).removesuffix(".json").split("-")) == {
        *("sunspot", "2024", "5", "2026", "01", "02", "Open", "here", "3", "Ada_Lovelace", "\u00c9mile", "draw"),
        *("G1", "a", "7"),
    }


def test_what_is_not_said_is_unknown() -> None:
    assert (
        str(Template("{date}-{black}-{winner}-{variant}.sgf").name(converted()))
        == "unknown-unknown-unknown-unknown.sgf"
    )


def test_an_unknown_field_names_the_others() -> None:
    with pytest.raises(ArgumentError, match=f"the fields are {', '.join(FIELDS)}$"):
        Template("{player}.json")


def test_numbers_have_a_width() -> None:
    assert str(Template("{index:04}-{size:03}.json").name(converted(12))) == "0012-005.json"


@pytest.mark.parametrize(
    ("template", "events", "names"),
    [
        ("{event}.json", ["a", "a", "b", "a"], ["a.json", "a-2.json", "b.json", "a-3.json"]),
        (
            "{event}.json",
            ["a", "A", "Stra\u00dfe", "STRASSE"],
            ["a.json", "A-2.json", "Stra\u00dfe.json", "STRASSE-2.json"],
        ),
        ("{event}.json", ["a-2", "a", "a", "a"], ["a-2.json", "a.json", "a-3.json", "a-4.json"]),
        ("{event}.json", ["a", "a", "a-2", "a"], ["a.json", "a-2.json", "a-2-2.json", "a-3.json"]),
        ("{event}/all.jsonl.gz", ["a", "b", "a"], ["a/all.jsonl.gz", "b/all.jsonl.gz", "a/all-2.jsonl.gz"]),
    ],
    ids=["a number", "case", "a number that is taken", "taken by a number", "in folders"],
)
def test_a_name_is_given_once(template: str, events: list[str], names: list[str]) -> None:
    names_of = Template(template)
    assert [str(names_of.name(converted(event=event))) for event in events] == names


@given(texts, texts)
def test_names_are_safe(event: str, site: str) -> None:
    name = Template("{event}/{site}.yaml").name(converted(event=event, site=site))
    assert len(name.parts) == 2
    for part in name.parts:
        assert part not in ("", ".", "..")
        assert not part.startswith((".", "-", " "))
        assert len(part.encode()) <= 255
        assert part.isprintable()
        assert not set(part) & set('<>:"/\\|?*')
    assert name.suffix == ".yaml"


@pytest.mark.parametrize("word", ["con", "NUL", "com1", "Lpt9"])
def test_reserved_names_are_not_given(word: str) -> None:
    assert PurePosixPath(Template("{event}.json").name(converted(event=word))).stem == f"{word}_"


_WIDTH = "only index and size take a width, as in {index:04}"
_BELOW = "should be the name of a file below the output directory"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        *((f"{{{spec}}}.json", f"{{{spec}}}: {_WIDTH}") for spec in ("size:x", "size:3", "date:4", "date:04")),
        ("{index!r}.json", f"{{index:}}: {_WIDTH}"),
        ("a-{size:x}.json", f"{{size:x}}: {_WIDTH}"),
        *((f"{{{name}}}.json", f"unknown field {{{name}}}; the fields are {', '.join(FIELDS)}") for name in ("0", "")),
        ("{game", "'{game': a brace has no counterpart: write a field as {game}, and a brace as {{ or }}"),
        *((text, f"{text!r} {_BELOW}") for text in ("/a.json", "../a.json", "a/../b.json", "a/", ".", "")),
    ],
)
def test_refused_templates_say_why(text: str, why: str) -> None:
    with pytest.raises(ArgumentError) as refused:
        Template(text)
    assert str(refused.value) == why


def test_a_template_goes_on_after_braces_that_are_written() -> None:
    """Doubled braces stand for themselves, and are no field."""
    assert str(Template("{{a}}/{event}.json").name(converted(event="b"))) == "{a}/b.json"
    with pytest.raises(ArgumentError, match="unknown field"):
        Template("a}}{player}.json")


def test_a_template_may_hold_bytes_that_are_no_text() -> None:
    """So arguments of the command line are read."""
    name = "\udcff" + "a" * 199
    assert Template("\udcff-{event}.json").name(converted(event="b")).name == "\udcff-b.json"
    assert Template(f"{name}.json").name(converted()).stem == name
    assert Template(f"{name}{{event}}.json").name(converted(event="b")).stem == "a" * 199
