"""Which texts are quoted in YAML, and how: no version of YAML takes them for anything else."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from hexrec.formats.yaml.writer import on_one_line
from hexrec.tools.edit import files as edit
from tests.cases import all_of
from tests.formats.helpers import read, read_one, write
from tests.properties import examples
from tests.record.helpers import exact
from tests.record.strategies import json_values, texts

#: Texts that one version of YAML or another takes for something else when they are not quoted.
QUOTED = [
    *("", "~", "null", "Null", "y", "Y", "n", "N", "yes", "No", "on", "OFF", "true", "False", "=", "<<"),
    *("1", "-1", "+1", "017", "08", "0o7", "0o17", "0x1F", "0b1", "1_000", "1:30", "-1:30", "190:20:30", "1:30.5"),
    *("0", "-0", "01e5", "12:30:45", "1.5e5", "1.5e+5", ".5e5", "1e3", "1E3", "+1e3", "-1e-3", "1.", ".5", "-.5"),
    *("+.5", "1.5", "1.e5", ".inf", "-.Inf", "+.INF", ".nan", ".NaN", "---", "..."),
    *("2026-11-20", "2026-11-20T18:03:11Z", "2026-11-20 18:03:11.5 -5"),
    *(" a", "a ", "- a", "a: b", "a #b", "[a]", "{a}", "? a", "!a", "&a", "*a", "|", ">", "%a", "@a", "`a", "'a'"),
]
#: Texts that mean the same to everybody without quotes where they stand alone on a line.
UNQUOTED = [
    *("Ada", "e5", "h8xi3xj2", "c4-c6/e5", "it's", "a:b", "a#b", "a, b", "-a", "?a", ":a", "2026-11", "1-0", "1/2"),
    *("1.5.6", "nope", "NaN", "Infinity", "1_0e5", "._5", "-0o7", "1e", "+", "0x", "__proto"),
    *("\u00e9t\u00e9", "\u68cb", "\U0001f600", "a \U0001f600", "\\U0001F600", "\U0010ffff"),
]
#: Characters that end a line for YAML 1.1 alone, and others that are written as escapes.
DISPUTED = {
    "a\u0085b": r'"a\Nb"',
    "\u2028": r'"\L"',
    "a \u2029 b": r'"a \P b"',
    "a\u2028\U0001f600": r'"a\L' + "\U0001f600" + '"',
    "\ufeffa": r'"\uFEFFa"',
    "\ue000\U0001f600\x07": '"\ue000\U0001f600' + r'\a"',
    "\uffff\U0001f600": r'"\uFFFF' + "\U0001f600" + '"',
    "a\tb": r'"a\tb"',
    "a\rb": r'"a\rb"',
}
LONG = "\U0001f600 " + "word " * 30 + "end"
objects = st.dictionaries(texts, json_values, max_size=4)


def written(text: str) -> str:
    return write("yaml", {"a": {}, "b": text}).removeprefix("a: {}\nb: ").removesuffix("\n")


@all_of("text", QUOTED)
def test_quoted(text: str) -> None:
    assert written(text)[0] in "'\""
    assert f"- {written(text)}" in write("yaml", {"a": [text, {}]})


@all_of("text", UNQUOTED)
def test_as_they_are(text: str) -> None:
    assert written(text) == text


@all_of("text", DISPUTED)
def test_escaped(text: str) -> None:
    assert written(text) == DISPUTED[text]
    assert read_one("yaml", DISPUTED[text]) == text


@settings(max_examples=examples(10))
@given(data=objects)
def test_what_is_written_is_the_same_to_every_version(data: dict[str, Any]) -> None:
    text = write("yaml", data)
    assert not re.search("[\x85\u2028\u2029]", text)
    assert exact(yaml.safe_load(text)) == exact(data)


@given(st.text(st.characters(min_codepoint=0x10000, exclude_categories=["Cs"]), min_size=1))
def test_no_character_of_a_higher_plane_is_escaped(text: str) -> None:
    assert text in write("yaml", {"a": text, "x": "\n\x07" + text})


def test_texts_with_characters_of_a_higher_plane_are_folded_like_others() -> None:
    plain = LONG.replace("\U0001f600", "o")
    assert write("yaml", {"a": LONG}).replace("\U0001f600", "o") == write("yaml", {"a": plain})
    assert max(map(len, write("yaml", {"a": LONG}).splitlines())) in range(95, 106)
    for text in (LONG, plain):
        assert on_one_line({"a": [text]}) == f"{{a: [{text}]}}"


def test_a_text_with_more_characters_than_can_stand_in_for_others() -> None:
    private = "".join(map(chr, range(0xE000, 0xF8FF)))
    data = {"a": private + "\U0001f600\U0001f601"}
    text = write("yaml", data)
    assert "\U0001f600" in text
    assert "\\U0001F601" in text
    assert read_one("yaml", text) == data


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [("a: 1\nb: x\u2028y\n", 2, 5), ("a: |\n  x\u2029y\n", 2, 4), ("a: 1 # c\x85d\n", 1, 9), ('{"\u2028": 1}', 1, 3)],
)
def test_what_ends_a_line_in_one_version_only_is_refused(text: str, line: int, column: int) -> None:
    (document,) = read("yaml", text)
    assert document.error is not None
    assert document.error.code == "syntax/yaml-line-break"
    assert (document.error.line, document.error.column) == (line, column)


@pytest.mark.parametrize("quote", ['"', "'"])
def test_an_edit_escapes_what_ends_a_line_in_one_version_only(quote: str) -> None:
    text = f"a: {quote}b{quote} # kept\n"
    segments = edit.get("yaml", canonical=False)(BytesIO(text.encode()), lambda _: {"a": "x\u2028y"})
    assert b"".join(segment.new for segment in segments) == rb'a: "x\Ly" # kept' + b"\n"


@pytest.mark.parametrize("face", ["", "\U0001f600 "])
def test_what_an_edit_puts_into_a_line_stays_on_it(face: str) -> None:
    text = f"{face}word{' word' * 40}"
    segments = edit.get("yaml", canonical=False)(BytesIO(b"{a: 1} # kept\n"), lambda _: {"a": [{"b": text}, {"c": []}]})
    made = b"".join(segment.new for segment in segments).decode()
    assert made == f"{{a: [{{b: {text}}}, {{c: []}}]}} # kept\n"
