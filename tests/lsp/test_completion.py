"""What is completed where; `|` is the cursor, and the text is usually not well formed there."""

from __future__ import annotations

import pytest

from hexrec.lsp.completion import complete

HEAD = 'hexrec: "1"\ngame: sunspot\nsize: 5\n'
JSON = '{"hexrec": "1", "game": "sunspot", "size": 5, '
SGF = "(;FF[4]CA[UTF-8]GM[5001]SZ[5]HX[sunspot];B[e5]"
HGN = '[Game "Sunspot"]\n[Size "5"]\n\n1. e5 '


@pytest.mark.parametrize(
    ("format", "text", "some", "not_offered"),
    [
        ("yaml", "hexrec: '1'\nga|", {"game: "}, {"hexrec: "}),
        ("yaml", HEAD + "si|\nmoves: []", {"site: "}, {"size: "}),
        ("yaml", HEAD + "players:\n  black:\n    na|", {"name: "}, {"size: "}),
        ("yaml", HEAD + "res|: {}\nmoves: []", {"result"}, {"result: "}),
        ("yaml", "hexrec: '1'\ngame: su|", {"sunspot", "sundraval"}, {"nadraz"}),
        ("yaml", HEAD + "moves: [e5, |]", {"a1"}, {"e5"}),
        ("yaml", HEAD + "moves:\n  - e5\n  - |", {"a1"}, {"e5"}),
        ("yaml", HEAD + "moves: [e5, {turn: |}]", {"a1"}, {"e5"}),
        ("yaml", HEAD + "moves: [e5, {turn: d4, variations: [[d5, |]]}]", {"d4"}, {"d5", "e5"}),
        ("yaml", HEAD + "coordinates: axial\nmoves: [|]", {'"(0,0)"'}, set()),
        ("yaml", HEAD + "moves: []\nresult: {winner: bl|}", {"black"}, {"white"}),
        ("yaml", HEAD + "rated: |\nmoves: []", {"true", "false"}, set()),
        ("json", JSON + '"moves": ["e5" |]}', {'"a1"'}, {'"e5"'}),
        ("json", JSON + '"moves": ["e5", "|"]}', {'"a1"'}, {'"e5"'}),
        ("json", JSON + '"ev|"}', {'"event": '}, {'"size": '}),
        ("json", '{"hexrec": "1", "game": "|"}', {'"nadraz"'}, set()),
        ("jsonl", JSON + '"moves": ["e5", d|]}', {'"d4"'}, {'"e4"'}),
        ("sgf", SGF + ";W[|])", {"a1"}, {"e5"}),
        ("sgf", SGF + ";W[|", {"a1"}, {"e5"}),
        ("hgn", HGN + "| *", {"a1"}, {"e5"}),
        ("hgn", HGN + "d|", {"d4"}, {"a1"}),
    ],
)
def test_what_is_offered(format: str, text: str, some: set[str], not_offered: set[str]) -> None:
    offset = text.index("|")
    offered = {item.text for item in complete(format, text.replace("|", ""), offset)}
    assert some <= offered
    assert not offered & not_offered


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("yaml", HEAD + "moves: [e5, e5, |]"),  # no position is known there
        ("yaml", HEAD + "# a comm|"),
        ("json", "[[[["),
        ("sgf", "no|"),
        ("hgn", ""),
    ],
)
def test_nothing_is_offered(format: str, text: str) -> None:
    offset = text.find("|") if "|" in text else len(text)
    assert complete(format, text.replace("|", ""), offset) == []


def test_the_word_is_replaced_with_its_quotes() -> None:
    text = JSON + '"moves": ["e5", "d4"]}'
    at = text.index('"d4"')
    (item,) = complete("json", text, at + 3)
    assert (item.start, item.end, item.text, item.label) == (at, at + 4, '"d4"', "d4")
