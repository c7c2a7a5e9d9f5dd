"""Places: what stands at the place of a value is that value."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexrec.formats.located_text import LocatedText
from hexrec.formats.places import Places, Span
from tests.formats.helpers import LINE, cut_out, parts, read, read_one, write
from tests.properties import examples
from tests.record.helpers import exact
from tests.record.strategies import json_values, texts

objects = st.dictionaries(texts, json_values, max_size=4)
json_styles = st.fixed_dictionaries(
    {
        "indent": st.sampled_from([None, 0, 1, 4, "\t", "\r\n "]),
        "separators": st.sampled_from([(",", ":"), (" , ", " : "), (",\n", ":\r\n\t")]),
        "ensure_ascii": st.booleans(),
    }
)
#: Texts without control characters, which may not stand unescaped in YAML.
plain_texts = st.text(st.characters(min_codepoint=32, exclude_categories=["C", "Zl", "Zp"]), max_size=12)
plain_objects = st.dictionaries(
    plain_texts,
    st.recursive(
        st.none() | st.booleans() | st.integers() | plain_texts,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(plain_texts, inner, max_size=3),
        max_leaves=8,
    ),
    max_size=4,
)


def places(name: str, text: str) -> Places:
    return read(name, text)[0].places()


@settings(max_examples=examples(10))
@given(data=objects, style=json_styles, before=st.sampled_from(["", " ", "\n\n\t"]))
def test_json_values_stand_at_their_places(data: dict[str, Any], style: dict[str, Any], before: str) -> None:
    text = before + json.dumps(data, **style) + "\n"
    found = places("json", text)
    expected = dict(parts(data))
    assert {pointer: exact(json.loads(cut_out(text, span))) for pointer, span in found.values.items()} == {
        pointer: exact(value) for pointer, value in expected.items()
    }


@settings(max_examples=examples(10))
@given(data=objects, style=json_styles)
def test_json_keys_stand_at_their_places(data: dict[str, Any], style: dict[str, Any]) -> None:
    text = json.dumps(data, **style)
    keys = {pointer: json.loads(cut_out(text, span)) for pointer, span in places("json", text).keys.items()}
    assert keys == {
        pointer: pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
        for pointer, _ in parts(data)
        if pointer in keys
    }
    in_objects = sum(len(value) for _, value in parts(data) if isinstance(value, dict))
    assert len(keys) == in_objects


@settings(max_examples=examples(10))
@given(data=objects, ascii_only=st.booleans())
def test_places_in_json_lines_count_the_lines_before(data: dict[str, Any], ascii_only: bool) -> None:
    text = f"{LINE}\n\n\r\n{json.dumps(data, ensure_ascii=ascii_only)}\n{LINE}\n"
    second = read("jsonl", text)[1]
    for pointer, value in parts(data):
        span = second.places().values[pointer]
        assert span.line == span.end_line == 4
        assert exact(json.loads(cut_out(text, span))) == exact(value)


@pytest.mark.slow
@settings(max_examples=examples(10))
@given(data=st.dictionaries(texts, json_values, min_size=1, max_size=4))
def test_yaml_scalars_stand_at_their_places(data: dict[str, Any]) -> None:
    text = write("yaml", data)
    _check_yaml(text, data, places("yaml", text))


@pytest.mark.slow
@settings(max_examples=examples(10))
@given(data=plain_objects, indent=st.sampled_from([None, 2]), ascii_only=st.booleans())
def test_the_same_in_yaml_that_is_json(data: dict[str, Any], indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(data, ensure_ascii=ascii_only, indent=indent)
    found = places("yaml", text)
    _check_yaml(text, data, found)
    for pointer, value in parts(data):
        assert exact(read_one("yaml", cut_out(text, found.values[pointer]))) == exact(value)


@settings(max_examples=examples(10))
@given(data=st.dictionaries(texts, json_values, min_size=1, max_size=3))
def test_places_in_a_later_yaml_document_count_the_lines_before(data: dict[str, Any]) -> None:
    text = f"# a comment\n{LINE}\n--- # another\n{write('yaml', data)}...\n"
    _check_yaml(text, data, read("yaml", text)[1].places())


def _check_yaml(text: str, data: Any, found: Places) -> None:
    assert set(found.values) == {pointer for pointer, _ in parts(data)}
    for pointer, value in parts(data):
        here = cut_out(text, found.values[pointer])
        if isinstance(value, list):
            assert here[0] in "[-"
        elif isinstance(value, dict):
            assert here[0] in "{?" or found.values[pointer][:2] == min(
                span[:2] for key, span in found.keys.items() if key.rpartition("/")[0] == pointer
            )
        else:
            assert exact(read_one("yaml", here)) == exact(value)
    for pointer, span in found.keys.items():
        key = pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")
        assert read_one("yaml", f"? {cut_out(text, span)}\n") == {key: None}


@pytest.mark.parametrize("name", ["json", "yaml"])
def test_a_byte_order_mark_takes_no_room(name: str) -> None:
    (document,) = read(name, b"\xef\xbb\xbf" + LINE.encode())
    assert document.places().find("/hexrec") == Span(1, 12, 1, 15)


@pytest.mark.parametrize("name", ["json", "yaml"])
def test_columns_count_characters(name: str) -> None:
    found = places(name, '{"x-a": "\u00e9\u4e2d\U0001f600e\u0301", "x-b": 1}')
    assert found.find("/x-b") == Span(1, 25, 1, 26)


@pytest.mark.parametrize("name", ["json", "jsonl"])
def test_only_line_ends_end_a_line(name: str) -> None:
    found = places(name, '{"x-a": "\u0085\u2028\u2029", "x-b": 1}')
    assert found.find("/x-b") == Span(1, 23, 1, 24)


@pytest.mark.parametrize("name", ["json", "yaml"])
def test_what_is_not_there_is_found_at_what_is_around_it(name: str) -> None:
    found = places(name, '{"a": {"b": [1, 2]}}')
    assert found.find("/a/b/1/c/d") == found.values["/a/b/1"]
    assert found.find("/a/b/7") == found.values["/a/b"]
    assert found.find("/z") == found.values[""]
    assert found.find("/a", key=True) == Span(1, 2, 1, 5)
    assert found.find("/a/z", key=True) == found.values["/a"]


def test_where_nothing_is_known_nothing_is_found() -> None:
    assert Places().find("/a") is None


#: Ways to write ``4/5/6/7/6/5/4 b 0``, each with what stands where its b is; with a quote if that is not found.
WRITTEN = [
    ("json", '{"setup":"4/5/6/7/6/5/4 b 0"}', "b 0"),
    ("json", '{\n "setup": "4\\/5\\/6\\/7\\/6\\/5\\/4 b 0"}', "b 0"),
    ("json", '{"setup": "4/5/\\u0036/7/6/5/4\\u0020\\u0062 0"}', '"'),
    ("jsonl", '{"setup": "1"}\n{"setup":"4/5/6/7/6/5/4 b 0"}', "b 0"),
    ("yaml", "setup: 4/5/6/7/6/5/4 b 0", "b 0"),
    ("yaml", "a: 1\nsetup: '4/5/6/7/6/5/4 b 0' # x", "b 0"),
    ("yaml", 'setup: "4/5/6/7/6/5/4\\x20b 0"', '"'),
    ("yaml", "setup:\n  4/5/6/7/6/5/4\n  b 0", "b 0"),
    ("yaml", "setup: >-\n  4/5/6/7/6/5/4\n  b 0\n", "b 0"),
    ("yaml", "setup: |-\n  4/5/6/7/6/5/4 b 0\n", "b 0"),
    ("sgf", '(;GM[5001]HX[sunspot]SZ[4]\nHJ[{"x-a":"b","setup":"4/5/6/7/6/5/4 b 0"}])', "b 0"),
    ("hgn", '[Game "Sunspot"]\n[Size "4"]\n[Setup "4/5/6/7/6/5/4 b 0"]\n\n*', "b 0"),
]


@pytest.mark.parametrize(("name", "text", "begins"), WRITTEN)
def test_a_character_within_a_text(name: str, text: str, begins: str) -> None:
    document = read(name, text)[-1]
    span = document.places(["/setup"]).find("/setup")
    assert span is not None
    assert document.text is not None
    found = document.text.within(span, document.data["setup"], len("4/5/6/7/6/5/4 "))
    line = text.split("\n")[found.line - 1]
    assert line[found.column - 1 :].startswith(begins)
    assert (found == span) == (begins == '"')


@pytest.mark.parametrize("blanks", ["  ", " \t", "\u2003 "], ids=ascii)
def test_a_character_between_many_spaces(blanks: str) -> None:
    """Each of them may be a newline in YAML, and all ways to divide them would be tried."""
    value = f"x{blanks * 30}\\y{blanks * 30}"
    text = LocatedText(f'"{value}"')
    whole = text.span(0, len(value) + 2)
    assert text.within(whole, value, 62) == text.span(63, 64)
    assert text.within(whole, f"{value}z", 62) == whole
