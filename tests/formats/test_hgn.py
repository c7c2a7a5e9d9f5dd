"""HGN: round trips, limits, files of many games. The grammar, with a file for each of its parts, is in the fixtures.

Single texts and records are in `golden/hgn.jsonl`; see `test_readings`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexrec import formats
from hexrec.record.canonical import canonical_form
from hexrec.record.validation import read_record
from hexrec.util.limits import MAX_DEPTH
from hexrec.validation.verdict import check_document
from tests.cases import all_of
from tests.formats.helpers import check, codes, cut_out, read, read_one, write
from tests.properties import examples
from tests.record.helpers import exact, full_record
from tests.record.strategies import HOSTILE_TEXTS, texts

FOLDER = Path(__file__).parent.parent.parent / "fixtures/suite/formats/hgn"
TAGS = '[Game "Sunspot"]\n[Size "5"]\n\n'
GAME = f"{TAGS}1. e5 *\n"
FULL = canonical_form(read_record(full_record()))


def sunspot(**fields: Any) -> dict[str, Any]:
    return {"hexrec": "1", "game": "sunspot", "size": 5, **fields}


# There and back.


@all_of("text", [*HOSTILE_TEXTS, "\\u{41}", "]", "X"], ids=ascii)
def test_a_text_survives_wherever_it_stands(text: str) -> None:
    own = {"x-a": text, "x-hgn": {"Name": text, text: text}}
    move = {"turn": "e5", "comment": text, "at": text, "variations": [[{"turn": "d4", "comment": text, **own}]], **own}
    fields = dict.fromkeys(("event", "site", "round", "annotator", "source", "comment", "date"), text)
    data = sunspot(players={"black": {"name": text, "id": text}}, **fields, moves=[move, text], **own)
    found = read_one("hgn", write("hgn", data))
    assert exact(found) == exact({name: data[name] for name in found})
    assert set(found) == set(data)


@given(seconds=st.integers(0) | st.floats(0, allow_nan=False, allow_infinity=False))
def test_so_do_any_times(seconds: float) -> None:
    data = sunspot(moves=[{"turn": "e5", "seconds": seconds, "clock": seconds}])
    assert exact(read_one("hgn", write("hgn", data))) == exact(data)


def test_every_turn_of_a_long_game_and_every_comment_stays_within_80_columns() -> None:
    move = {"turn": "(0,1)x(1,0)", "comment": "word " * 60 + "end", "variations": [["(0,1)"] * 30] * 3}
    data = sunspot(coordinates="axial", comment="another " * 40 + "end", moves=["(0,1)", "(10,-10)x(1,0)", move] * 20)
    text = write("hgn", data)
    assert max(map(len, text.split("\n"))) <= 80
    assert exact(read_one("hgn", text)) == exact(data)


def test_the_example_of_the_documents_is_a_valid_game_as_it_is_written() -> None:
    page = (FOLDER.parents[3] / "docs/formats/hgn.md").read_text(encoding="utf-8")
    (document,) = read("hgn", page.split("```\n")[1])
    assert check_document(document).diagnostics == ()
    assert document.data["moves"][1]["variations"] == [["k8", "e7"]]


def test_variations_as_deep_as_a_record_may_be() -> None:
    def nested(levels: int) -> dict[str, Any]:
        line: list[Any] = ["d4"]
        for _ in range(levels):
            line = [{"turn": "e5", "variations": [line]}]
        return sunspot(moves=line)

    deepest = (MAX_DEPTH - 2) // 3
    assert exact(read_one("hgn", write("hgn", nested(deepest)))) == exact(nested(deepest))
    assert codes(read("jsonl", write("jsonl", nested(deepest)))) == [None]
    assert codes(read("hgn", write("hgn", nested(deepest + 1)))) == ["syntax/too-deep"]
    assert codes(read("jsonl", write("jsonl", nested(deepest + 1)))) == ["syntax/too-deep"]


@pytest.mark.parametrize(("levels", "expected"), [(94, None), (95, "syntax/too-deep")])
def test_extra_in_a_variation_counts_the_levels_around_it(levels: int, expected: str | None) -> None:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    data = sunspot(moves=[{"turn": "e5", "variations": [[{"turn": "d4", "x-a": value}]]}])
    assert codes(read("hgn", write("hgn", data))) == codes(read("jsonl", write("jsonl", data))) == [expected]


@pytest.mark.parametrize(
    ("fields", "tag"),
    [
        ({"tags": ["Xa", "bX"]}, '[Tags "Xa, bX"]'),
        ({"tags": ["\xa0a"]}, '[Tags "\\u{A0}a"]'),
        ({"tags": ["a, b"]}, None),
        ({"tags": [" a"]}, None),
        ({"opening": {"black": "e 5"}}, None),
        ({"opening": {"black": "e5", "white": ""}}, None),
    ],
)
def test_what_a_tag_cannot_say_stands_elsewhere(fields: dict[str, Any], tag: str | None) -> None:
    data = sunspot(**fields, moves=[])
    text = write("hgn", data)
    assert f"\n{tag}\n" in text if tag else '\n[Size "5"]\n[Result "*"]\n[Extra ' in text
    assert exact(read_one("hgn", text)) == exact(data)


# Diagnostics.


def test_names_of_fields_stand_at_their_tags() -> None:
    text = '[Game "Sunspot"]\n[WhiteId "1"]\n[White "Ada"]\n[Mine "a"]\n\n1. e5 *'
    (document,) = read("hgn", text)
    assert {pointer: cut_out(text, span) for pointer, span in document.places().keys.items()} == {
        "/game": "Game",
        "/players": "WhiteId",
        "/players/white": "WhiteId",
        "/players/white/id": "WhiteId",
        "/players/white/name": "White",
        "/x-hgn": "Mine",
        "/x-hgn/Mine": "Mine",
    }


def test_places_are_found_without_those_of_what_an_extra_holds() -> None:
    text = '[Game "Sunspot"]\n[Tags "a, b"]\n[Extra "{\\"x-a\\": {\\"b\\": 1}}"]\n\n1. e5 *'
    (document,) = read("hgn", text)
    found = document.places(["/game"])
    assert list(found.values) == ["", "/game"]
    assert cut_out(text, found.values["/game"]) == '"Sunspot"'


def test_values_before_an_error_stand_at_their_places() -> None:
    text = f"{TAGS}1. e5 d4 }} 2. e6"
    (document,) = read("hgn", text)
    assert document.error is not None
    found = document.places().values
    assert {pointer: cut_out(text, found[pointer]) for pointer in ("/game", "/moves/1")} == {
        "/game": '"Sunspot"',
        "/moves/1": "d4",
    }
    assert "/moves/2" not in found


def test_every_beginning_of_a_game_is_known_as_one() -> None:
    text = write("hgn", FULL).rstrip()
    ended = []
    for length in range(1, len(text)):
        (document,) = read("hgn", text[:length])
        if document.error is None:
            ended.append(text[:length])
            assert [warning.code for warning in document.warnings] == ["syntax/hgn-no-result"]
            assert document.data["result"] == FULL["result"], "the tags have it"
        else:
            assert document.error.code == "syntax/truncated", text[:length]
    assert {text.rpartition("1. ")[2] for text in ended} >= {"a1", "a1 a2", "a1 a2 $1 $140"}
    assert not [text for text in ended if text.endswith("{[%clk 0:20:00]")]


TOKENS = [
    *("(", ")", "{", "}", "[", "]", '"', "\\", "\\u{", "\\u{110000}", "\n", "\r", " ", ";", "%", "\n%", "\0", "\ud7ff"),
    *("[%clk 0:1:2]", "[%extra {]", "{[%extra []]}", "{[%emt 1e999]}", "$", "$1", f"${'9' * 5000}", "1.", "3...", "!"),
    *('\n[Game "x"]\n', '\n[Size "1e999"]\n', '\n[Extra "[1]"]\n', '\n[Score "B:1e999"]\n', '\n[Result "x"]\n'),
    *("*", "B+", "=", "e5", "(0,1)", "é", f"{'1' * 5000}."),
]


@pytest.mark.slow
@settings(max_examples=examples(10))
@given(data=st.data(), text=st.sampled_from([write("hgn", FULL), GAME]))
def test_there_is_always_a_verdict_with_a_place(data: st.DataObject, text: str) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(start + 10, len(text))))
        text = text[:start] + data.draw(st.sampled_from(TOKENS)) + text[end:]
    documents = read("hgn", text)
    assert documents
    for document in documents:
        assert all(diagnostic.line and diagnostic.column for diagnostic in check_document(document).diagnostics)


@given(raw=st.binary(max_size=80))
def test_there_is_a_verdict_on_any_bytes(raw: bytes) -> None:
    assert read("hgn", raw)
    assert read("hgn", GAME.encode() + raw)


# Many games in a file.


@settings(max_examples=examples(10))
@given(middle=texts.filter(lambda text: "\0" not in text))
def test_nor_does_anything_else_between_two_games(middle: str) -> None:
    documents = read("hgn", f"{GAME}{middle}\n{GAME}")
    assert documents[-1].data == read_one("hgn", GAME)
    assert documents[-1].error is None


@pytest.mark.parametrize("head", ["", "\ufeff", "\n \n", "; one\n\n  ; two\n%\n; three\n", "\r\n"])
def test_the_content_tells_the_format(tmp_path: Path, head: str) -> None:
    (report,) = check(tmp_path / "games", (head + GAME).encode())
    assert (report.valid, {each.code for each in report.diagnostics} - {"syntax/hgn-skipped"}) == (True, set())


@pytest.mark.parametrize("text", ['["Game", "x"]', '[Game, "x"]\n', "{}", "Game: x\n", '["a"]\n[Game "x"]\n'])
def test_other_formats_are_not_taken_for_it(text: str) -> None:
    assert formats.by_content(text.encode()) != "hgn"


@pytest.mark.parametrize(
    ("fields", "commands"),
    [
        ({"eval": {"value": -1}}, "[%eval -1]"),
        (
            {"eval": {"value": 0.35, "depth": 12, "engine": "X 1.0", "line": ["e6", "e7"]}},
            "[%eval 0.35] [%depth 12] [%engine X 1.0] [%pv e6 e7]",
        ),
        ({"eval": {"depth": 3, "x-nodes": 17}}, '[%depth 3] [%extra {"eval": {"x-nodes": 17\\}\\}]'),
        ({"eval": {"line": ["two words"]}}, '[%extra {"eval": {"line": \\["two words"\\]\\}\\}]'),
        ({"taken_back": ["d5", "pass"]}, "[%takeback d5 pass]"),
        ({"taken_back": ["d5", ""]}, '[%extra {"taken_back": \\["d5", ""\\]\\}]'),
    ],
)
def test_what_programs_say_and_turns_taken_back_are_commands(fields: dict[str, Any], commands: str) -> None:
    data = sunspot(moves=["e5", {"turn": "d4", **fields}])
    text = write("hgn", data)
    assert " ".join(text.split()).endswith(f"1. e5 d4 {{{commands}}} *")
    assert exact(read_one("hgn", text)) == exact(data)


@given(said=st.lists(texts, min_size=1))
def test_any_text_of_a_mark_survives(said: list[str]) -> None:
    marks = [{"kind": "label", "cells": ["e5"], "text": text} for text in said]
    data = sunspot(marks=marks, moves=[{"turn": "e5", "marks": marks}])
    assert exact(read_one("hgn", write("hgn", data))) == exact(data)
