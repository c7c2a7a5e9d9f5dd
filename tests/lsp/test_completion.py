"""What is completed where; `|` is the cursor, and the text is usually not well formed there."""

from __future__ import annotations

import pytest
from lsprotocol import types

from hexrec.lsp.completion import complete
from hexrec.lsp.files import EditorText, OpenFile

HEAD = 'hexrec: "1"\ngame: sunspot\nsize: 5\n'
JSON = '{"hexrec": "1", "game": "sunspot", "size": 5, '
SGF = "(;FF[4]CA[UTF-8]GM[5001]SZ[5]HX[sunspot];B[e5]"
HGN = '[Game "Sunspot"]\n[Size "5"]\n\n1. e5 '


def offered(format: str, text: str) -> list[types.CompletionItem]:
    before, _, after = text.partition("|")
    file = OpenFile(f"untitled:a.hexrec.{format}", "", before + after)
    list(file.read())
    return complete(file, EditorText(before + after).position(len(before)))


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
    inserted = {item.filter_text for item in offered(format, text)}
    assert some <= inserted
    assert not inserted & not_offered


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
    assert offered(format, text) == []


def test_the_word_is_replaced_with_its_quotes() -> None:
    before = JSON + '"moves": ["e5", '
    (item,) = offered("json", before + '"d4|"]}')
    replaced = types.Range(types.Position(0, len(before)), types.Position(0, len(before) + 4))
    assert (item.text_edit, item.label) == (types.TextEdit(replaced, '"d4"'), "d4")
