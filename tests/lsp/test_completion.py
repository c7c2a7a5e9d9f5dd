"""What is completed where; `|` is the cursor, and the text is usually not well formed there."""

from __future__ import annotations

import pytest
from lsprotocol import types

from hexrec.lsp.completion import complete
from hexrec.lsp.files import OpenFile
from hexrec.lsp.text import EditorText

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
        ("sgf", SGF + "(;W[d4])(;W[a1];B[|", {"d4"}, {"a1", "e5"}),
        ("sgf", SGF + "(;W[|])(;W[d4]))", {"d4"}, {"e5"}),
        ("sgf", "(;FF[4]GM[5001]HX[sun|", {"sunspot", "sundraval"}, {"nadraz"}),
        ("sgf", "(;FF[4]GM[5001]SZ[5]HX[sunspot]HV[|];B[e5])", {"2024"}, {"2023"}),
        ("hgn", HGN + "| *", {"a1"}, {"e5"}),
        ("hgn", HGN + "d4 2. |* ", {"a1"}, {"e5"}),
        ("hgn", HGN + "|B+\n", {"a1"}, {"e5"}),
        ("hgn", HGN + "d|", {"d4"}, {"a1"}),
        ("hgn", HGN + "d4 (1... |) *", {"d4"}, {"e5"}),
        ("hgn", HGN + "d4 (1... e4 2. | *", {"d4"}, {"e5", "e4"}),
        ("hgn", HGN + "d4 2. a1 {or (} (2. b|) b1 *", {"b1", "b2"}, {"a2"}),
        ("hgn", '[Game "s|"]\n', {"Sunspot", "Sundraval"}, {"Nadraz", "sunspot"}),
        ("hgn", '[Game "Sunspot"]\n[Si|\n\n1. e5 *\n', {'Size "', 'Site "'}, {'Game "'}),
        ("hgn", '[Game "Sunspot"]\n[|', {'Size "', 'Result "'}, set()),
        ("hgn", '[Game "Sunspot"]\n[Result "|"]\n\n1. e5 *\n', {"B+", "W+", "=", "?", "*"}, {"black"}),
        ("hgn", '[Game "Sunspot"]\n[Termination "re|"]\n\n1. e5 *\n', {"resignation"}, {"time"}),
        # Brackets and strings that are not closed yet, with nothing, other fields or other records after them.
        ("yaml", HEAD + "moves: [e5, |", {"a1"}, {"e5"}),
        ("yaml", HEAD + "event: don't [\nmoves: [e5, d|\nresult: {winner: black}\n", {"d4"}, {"a1"}),
        ("yaml", HEAD + "moves: [e5, {turn: d4, variations: [[d5, |", {"d4"}, {"d5", "e5"}),
        ("yaml", HEAD + "moves: []\nresult: {winner: |", {"black", "white"}, set()),
        ("yaml", HEAD + "moves: []\nresult: {wi|", {"winner: "}, {"size: "}),
        ("yaml", HEAD + "moves: [e5, |\n---\n" + HEAD + "moves: []\n", {"a1"}, {"e5"}),
        ("json", JSON + '"moves":["e5","d|', {'"d4"'}, {'"a1"'}),
        ("json", JSON + '"moves":["e5",|\n}\n', {'"a1"'}, {'"e5"'}),
        ("json", JSON + '"event":"a [","moves":["e5",|', {'"a1"'}, {'"e5"'}),
        ("json", JSON + '"moves":[],"result":{"winner":"|', {'"black"', '"white"'}, set()),
        ("json", JSON + '"moves":[],"result":{"|', {'"winner": '}, {'"size": '}),
        ("json", "[\n" + JSON + '"moves":["e5","|\n},\n' + JSON + '"moves":[]}\n]', {'"a1"'}, {'"e5"'}),
        ("jsonl", JSON + '"moves":["e5","d|\n' + JSON + '"moves":[]}\n', {'"d4"'}, {'"a1"'}),
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
        ("json", "[" * 20_000),  # deeper than any record
        ("yaml", HEAD + "comment: " + "a" * 100_000 + "|"),  # longer than any word
        ("sgf", "no|"),
        ("sgf", "(;C" + "[" * 100_000),
        ("hgn", ""),
    ],
)
def test_nothing_is_offered(format: str, text: str) -> None:
    assert offered(format, text) == []


@pytest.mark.parametrize(
    ("format", "before", "word", "after", "new"),
    [
        ("json", JSON + '"moves": ["e5", ', '"d4|"', "]}", '"d4"'),
        ("hgn", HGN + "d4 (1... ", "c|", ") *", "c1"),
        ("yaml", HEAD + "coordinates: axial\nmoves: [", "(0,-|1)", "]", '"(0,-1)"'),
        ("hgn", '[Game "', "sunsp|", '"]\n', "Sunspot"),
        ("hgn", '[Game "Sunspot"]\n[', "Resu|", "", 'Result "'),
    ],
)
def test_the_word_is_replaced(format: str, before: str, word: str, after: str, new: str) -> None:
    """With its quotation marks, and without the parenthesis that closes a variation."""
    item = offered(format, before + word + after)[0]
    located = EditorText(before + word.replace("|", ""))
    assert item.text_edit == types.TextEdit(located.range(len(before), len(located.text)), new)
