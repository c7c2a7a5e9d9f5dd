"""File names made of what records say."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

import pytest
from hypothesis import given

from hexrec.check import Report
from hexrec.convert.conversion import Converted
from hexrec.convert.file_names import FIELDS, Template, TemplateError
from hexrec.record import read_record
from tests.record.strategies import texts


def converted(index: int = 0, file: str = "games/a.jsonl.gz", **fields: Any) -> Converted:
    data = {"hexrec": "1", "game": "sunspot", "size": 5, "moves": [], **fields}
    record = read_record(data)
    return Converted(Report((), game_record=record, file=file, index=index, id=record.id), "", data)


def test_every_field() -> None:
    template = Template("-".join(f"{{{name}}}" for name in FIELDS if name != "variant") + ".json")
    players = {"black": {"name": "Ada Lovelace"}, "white": {"name": "\u00c9mile"}}
    made = converted(
        7,
        date="2026-01-02",
        event="Open",
        site="here",
        round="3",
        players=players,
        result={"winner": "draw"},
        id="G1",
    )
    assert set(str(template.name(made)).removesuffix(".json").split("-")) == {
        *(
            "sunspot",
            "2024",
            "5",
            "2026",
            "01",
            "02",
            "Open",
            "here",
            "3",
            "Ada_Lovelace",
            "\u00c9mile",
            "draw",
            "G1",
            "a",
            "7",
        )
    }


def test_what_is_not_said_is_unknown() -> None:
    assert (
        str(Template("{date}-{black}-{winner}-{variant}.sgf").name(converted()))
        == "unknown-unknown-unknown-unknown.sgf"
    )


@pytest.mark.parametrize(
    ("event", "name"),
    [("_X-", "X"), ("X", "X"), ("\u00e9" * 300, "\u00e9" * 100), ("a" + "\u00e9" * 300, "a" + "\u00e9" * 99)],
    ids=["signs around", "a letter", "long", "cut within a character"],
)
def test_what_is_left_of_a_name(event: str, name: str) -> None:
    assert Template("{event}.json").name(converted(event=event)).stem == name


def test_an_unknown_field_names_the_others() -> None:
    with pytest.raises(TemplateError, match=f"the fields are {', '.join(FIELDS)}$"):
        Template("{player}.json")


def test_numbers_have_a_width() -> None:
    assert str(Template("{index:04}-{size:03}.json").name(converted(12))) == "0012-005.json"


def test_a_name_is_given_once() -> None:
    template = Template("{event}.json")
    names = [str(template.name(converted(event=event))) for event in ("a", "a", "A", "a-2", "b", "a")]
    assert len({name.casefold() for name in names}) == 6
    assert names[:2] == ["a.json", "a-2.json"]


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


@pytest.mark.parametrize(
    "text", ["{size:x}.json", "{size:3}.json", "{date:4}.json", "{index!r}.json", "{0}.json", "{}.json", "{game"]
)
def test_refused_templates_say_why(text: str) -> None:
    with pytest.raises(TemplateError, match=r".+"):
        Template(text)
