"""JSON that is in another format's shape is found to be so, read as that, and told where it is not read."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from hexrec import formats
from hexrec.formats import Extent
from hexrec.formats.base import JSON_HEAD
from hexrec.util.streams import prepend
from tests.cases import all_of
from tests.formats.helpers import LINE

_PLAYERS = '[{"name": "a", "result": 1}, {"name": "b", "result": 0}]'
_GAME = '{"name": "Sunspot", "variants": ["size-5"]}'
_HEADER = f'"header": {{"game": {_GAME}, "site": {{"name": "Abstract Play"}}, "players": {_PLAYERS}}}'
_PLAY = f'{{{_HEADER}, "moves": [["e5"]]}}'
_MARK = "\ufeff"


class Dribble(io.RawIOBase):
    """A stream that has no window on what comes next, and gives a few bytes at a time at its beginning."""

    def __init__(self, raw: bytes) -> None:
        self._stream = io.BytesIO(raw)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._stream.readinto(memoryview(buffer)[: 5 if self._stream.tell() < 20_000 else None])


@all_of(
    ("name", "text", "expected"),
    [
        ("json", _PLAY, "abstractplay"),
        ("json", f"\n {{ {_PLAY[1:]}", "abstractplay"),
        ("json", f"{_MARK}{_PLAY}", "abstractplay"),
        ("json", f"[{_PLAY}, {_PLAY}]", "json"),
        ("json", f"{_MARK} [\n{_PLAY}]", "json"),
        ("json", f"{' ' * 9_000}{_PLAY}", "abstractplay"),
        ("json", " " * (2 * JSON_HEAD) + _PLAY, "json"),
        ("json", f'{{"a": 1,\n\n"b": 2,\n{_PLAY[1:]}', "abstractplay"),
        ("json", f'{{"a": "{"x" * (JSON_HEAD // 2)}",\n{_PLAY[1:]}', "abstractplay"),
        ("json", f'{{"a": "{"x" * JSON_HEAD}",\n{_PLAY[1:]}', "json"),
        ("json", LINE, "json"),
        ("json", f'{{ "hexrec": "1", {_PLAY[1:]}', "json"),
        ("json", f"[{LINE}]", "json"),
        ("json", '"text"', "json"),
        ("json", "", "json"),
        ("jsonl", _PLAY, "jsonl"),
        ("yaml", _PLAY, "yaml"),
        ("sgf", _PLAY, "sgf"),
    ],
)
def test_json_like_the_records_of_a_site_is_in_that_format(name: str, text: str, expected: str) -> None:
    raw = text.encode()
    begun = prepend(raw[:9], io.BytesIO(raw[9:]))
    for stream in (io.BufferedReader(io.BytesIO(raw)), io.BytesIO(raw), Dribble(raw), begun):
        found, whole = formats.recognize_dialect(name, stream)  # type: ignore[arg-type] # it need only be read
        assert (found, whole.read()) == (expected, raw)


@pytest.mark.parametrize("text", [f"{LINE}\n{_PLAY}\n", f"{_PLAY}\n{LINE}\n{_PLAY}\n"])
def test_lines_are_translated_one_by_one(text: str) -> None:
    documents = list(formats.read("jsonl", io.BytesIO(text.encode())))
    assert [document.error for document in documents] == [None] * text.count("\n")
    assert [document.data["game"] for document in documents] == ["sunspot"] * text.count("\n")
    placed = list(formats.read_placed("jsonl", text.encode()))
    assert [document.data for _, document in placed] == [document.data for document in documents]
    lines = text.encode().splitlines(keepends=True)
    assert [text.encode()[each.offset : each.offset + each.size] for each, _ in placed] == lines
    assert [each.line for each, _ in placed] == list(range(len(lines)))


def test_a_list_of_them_has_its_places() -> None:
    text = f"[{_PLAY},\n  {_PLAY}]"
    placed = list(formats.read_placed("json", text.encode()))
    assert [document.data["moves"] for _, document in placed] == [["e5"]] * 2
    assert [extent for extent, _ in placed] == [Extent(1, len(_PLAY)), Extent(len(_PLAY) + 5, len(_PLAY), 1)]


def test_one_line_with_a_list_of_them_is_told_how_to_read_it() -> None:
    listed = f"[{_PLAY}, {LINE}]"
    (found,) = formats.read("jsonl", io.BytesIO(f"\n  {listed}\n".encode()))
    assert found.data is None
    assert found.error is not None
    assert (found.error.code, found.error.pointer) == ("schema/type", "")
    message = "this is an array of Abstract Play records: read it with --from abstractplay"
    assert found.error.message == message
    place = found.error.line, found.error.column, found.error.end_line, found.error.end_column
    assert place == (2, 3, 2, 3 + len(listed))


@all_of(
    "text",
    ["[]", "5", "[5]", "[[]]", "{}", f"[{LINE}]", f'{{"hexrec": "1", {_PLAY[1:]}', '{"headers": 5}', '[{"hexrec": 1}]'],
)
def test_other_json_is_left_as_it_is(text: str) -> None:
    (document,) = formats.read("jsonl", io.BytesIO(text.encode()))
    assert (document.error, document.data) == (None, json.loads(text))
