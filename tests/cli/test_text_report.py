"""The report `text`: what stands below the line of a diagnostic."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
YAML = 'hexrec: "1"\ngame: sundraval\nsize: 3\nopening: {black: c3, white: b2}\n'


@pytest.fixture
def below(hexrec: Run, tmp_path: Path) -> Any:
    """Return a function that validates a file with one invalid record; it returns the lines below the diagnostic."""

    def validate(name: str, content: str | bytes, *options: str) -> list[str]:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        ran = hexrec("validate", path, *options)
        assert ran.code in (1, 2)
        first, *shown, last = ran.out.splitlines()
        assert first.startswith(f"{path}:")
        assert " 1 invalid; " in last
        return shown

    return validate


def test_json(below: Any) -> None:
    text = (
        '{"hexrec": "1", "game": "sundraval", "size": 3, "opening": {"black": "c3", "white": "b2"},\n "moves": ["%s"]}'
    )
    assert below("a.json", text % 'a1", "c3') == [
        '  2 |  "moves": ["a1", "c3"]}',
        '    |                  ^^^^',
    ]  # fmt: skip


def test_what_goes_on_over_several_lines_is_marked_to_the_end_of_the_first(below: Any) -> None:
    text = '{"hexrec": "1", "game": "sundraval", "size": 3, "opening": ["c3",  \n "b2"], "moves": []}'
    assert below("a.json", text) == [
        '  1 | {"hexrec": "1", "game": "sundraval", "size": 3, "opening": ["c3",',
        '    |                                                            ^^^^^^',
    ]  # fmt: skip


def test_an_unknown_field_is_marked_at_its_name(below: Any) -> None:
    assert below("a.yaml", YAML + "moves: []\nevnt: Open\n") == [
        "  6 | evnt: Open",
        "    | ^^^^",
    ]


def test_a_long_line_is_cut_around_the_place(below: Any, game: dict[str, Any]) -> None:
    good = json.dumps(game)
    del game["moves"]
    bad = {**game, "x-a": "a" * 500, "moves": ["c3", "pass", "pass"], "x-b": "b" * 500}
    line = json.dumps(bad)
    assert below("a.jsonl", f"{good}\n{line}\n{good}\n") == [
        '  2 | …' + 'a' * 27 + '", "moves": ["c3", "pass", "pass"], "x-b": "' + 'b' * 29 + '…',
        '    |  ' + ' ' * 40 + '^^^^',
    ]  # fmt: skip


def test_a_line_that_is_cut_at_one_end(below: Any, game: dict[str, Any]) -> None:
    first = below("a.jsonl", json.dumps({"hexrec": 1, **{key: game[key] for key in game if key != "hexrec"}}))
    last = below("a.jsonl", json.dumps({**game, "moves": ["c3"]}))
    assert first == [
        '  1 | {"hexrec": 1, "game": "sundraval", "size": 3, "opening": {"black": "c3", "white": "b2"}, "moves": ["…',
        '    |            ^',
    ]  # fmt: skip
    assert last == [
        '  1 | …c": "1", "game": "sundraval", "size": 3, "opening": {"black": "c3", "white": "b2"}, "moves": ["c3"]}',
        '    | ' + ' ' * 95 + '^^^^',
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("moves", "line", "shown", "carets"),
    [
        ("moves: [a1, c3]", 10, "moves: [a1, c3]", "            ^^"),
        ("moves:\n  - a1\n  - turn: c3\n    comment: x", 12, "  - turn: c3", "          ^^"),
    ],
    ids=["flow", "block"],
)
def test_a_later_yaml_document(below: Any, moves: str, line: int, shown: str, carets: str) -> None:
    assert below("a.yaml", f"{YAML}moves: [a1]\n---\n{YAML[:-1]}\n{moves}\n") == [
        f"  {line + 1} | {shown}",
        f"     | {carets}",
    ]


@pytest.mark.parametrize("name", ["a.yaml", "a.json"])
def test_line_ends_of_two_characters(below: Any, name: str, game: dict[str, Any]) -> None:
    text = json.dumps({**game, "moves": ["c3"]}).replace(' "moves"', '\n"moves"').replace("\n", "\r\n") + "\r\n"
    assert below(name, text) == [
        '  2 | "moves": ["c3"]}',
        "    |           ^^^^",
    ]


@pytest.mark.parametrize(
    ("comment", "shown", "width"),
    [
        ("é", "é", 1),
        ("e\u0301", "e\u0301", 1),
        ("\u2764\ufe0f", "\u2764\ufe0f", 1),
        ("中文", "中文", 4),
        ("\U0001f600", "\U0001f600", 2),
        ("\t", " ", 1),
        ("\u202e", "\\u202e", 6),
    ],
    ids=ascii,
)
def test_characters_of_other_widths_do_not_shift_the_carets(below: Any, comment: str, shown: str, width: int) -> None:
    assert below("a.yaml", YAML + f'moves: [{{comment: "{comment}", turn: c3}}]\n') == [
        f'  5 | moves: [{{comment: "{shown}", turn: c3}}]',
        "    | " + " " * (len('moves: [{comment: "", turn: ') + width) + "^^",
    ]


def test_carets_are_as_wide_as_what_they_mark(below: Any) -> None:
    assert below("a.yaml", YAML + "moves: [中文, pass]\n") == [
        "  5 | moves: [中文, pass]",
        "    |         ^^^^",
    ]


def test_the_end_of_a_truncated_file(below: Any) -> None:
    assert below("a.json", '{"hexrec": "1",\n "game"') == ['  2 |  "game"', "    |        ^"]
    assert below("a.json", '{"hexrec": "1",\n "game":\n') == ["  3 |", "    | ^"]
    assert below("a.yaml", "hexrec: [1,\n") == ["  2 |", "    | ^"]


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.yaml"])
def test_a_byte_that_is_no_text(below: Any, name: str) -> None:
    assert below(name, b'{"\xc3\xa9": "\xff\xfe"}') == ['  1 | {"é": "\ufffd\ufffd"}', "    |        ^"]


@pytest.mark.parametrize(
    "content", [b"", b"\0\1", '{"hexrec": "1"}'.encode("utf-16")], ids=["empty", "binary", "UTF-16"]
)
def test_a_file_that_is_no_text_has_no_line(below: Any, content: bytes) -> None:
    assert below("a.json", content) == []


def test_an_unreadable_file_has_no_line(hexrec: Run, tmp_path: Path) -> None:
    ran = hexrec("validate", tmp_path / "none.json")
    assert [line.split(": ")[1] for line in ran.out.splitlines()[:-1]] == ["error syntax/unreadable"]
    assert ran.out.count("\n") == 2


BOARDS = {
    "frasvel/invalid/move.touches-higher.yaml": """
    Frasvel 3, after ply 4, black to play

        e1  .   .   .   e3
      d1  .   .   B1  .   d4
    c1  .   W2  .   .   .   c5
      b1  .   .   .   W1  b4
        a1  .   .   B1  a3
""",
    "sundraval/invalid/move.game-over~third-pass.yaml": """
    Sundraval 3, after ply 3, black wins, black 1.5, white 0

        e1  .   .   .   e3
      d1  .   .   .   .   d4
    c1  .   .   B   B   .   c5
      b1  .   W   .   .   b4
        a1  .   .   .   a3
""",
    "sunspot/invalid/move.board-full~placement.yaml": """
    Sunspot 4, after ply 37, white to play

          g1  B   W   W   W   g4
        f1  W   B   W   W   W   f5
      e1  W   W   B   W   B   W   e6
    d1  W   W   B   B   B   B   W   d7
      c1  B   W   B   B   W   W   c6
        b1  W   B   B   B   W   b5
          a1  W   W   W   W   a4
""",
    "valaturna/invalid/move.game-over~after-two-passes.yaml": """
    Valaturna 4, after ply 2, a draw, black 1, white 1

          g1  .   .   .   .   g4
        f1  .   .   .   .   .   f5
      e1  .   .   .   .   .   .   e6
    d1  .   .   .   B   .   .   .   d7
      c1  .   .   W   .   .   .   c6
        b1  .   .   .   .   .   b5
          a1  .   .   .   .   a4
""",
    "nadraz/invalid/move.early-pass~one-turn-left.yaml": """
    Nadraz 4, after ply 1, white to play

          g1  .   .   .   .   g4
        f1  W   .   B   .   .   f5
      e1  .   B   B   .   .   .   e6
    d1  .   .   .   .   .   .   .   d7
      c1  .   .   .   .   .   .   c6
        b1  .   .   .   .   .   b5
          a1  .   .   .   .   a4
""",
}


@pytest.mark.parametrize("options", [["--board"], ["--board", "-o", "text=-"], []], ids=["usual", "named", "none"])
def test_a_board_that_is_asked_for(hexrec: Run, game: dict[str, Any], options: list[str]) -> None:
    ran = hexrec("validate", "-", *options, stdin=json.dumps({**game, "moves": ["c3"]}).encode())
    drawn = "\n    Sundraval 3, before the first turn, black to play\n\n" in ran.out
    assert (ran.code, drawn) == (1, bool(options))


@pytest.mark.parametrize("file", BOARDS, ids=lambda file: file.partition("/")[0])
def test_the_board_before_an_illegal_turn(hexrec: Run, file: str) -> None:
    plain = hexrec("validate", FIXTURES / file).out.splitlines()
    drawn = hexrec("validate", FIXTURES / file, "--board").out.splitlines()
    assert drawn[:3] == plain[:3]
    assert drawn[3:-1] == [*BOARDS[file].splitlines(), ""]
    assert drawn[-1] == plain[-1]


@pytest.mark.parametrize("moves", ["moves: 1", "moves: [a1]\nresult: {}"], ids=["fields", "result"])
def test_no_board_where_no_turn_is_illegal(below: Any, moves: str) -> None:
    text = YAML + moves + "\n"
    assert below("a.yaml", text, "--board") == below("a.yaml", text)


def test_no_board_where_the_opening_is_illegal(below: Any) -> None:
    text = YAML.replace("b2", "c3") + "moves: [a1]\n"
    assert below("a.yaml", text, "--board") == [
        "  4 | opening: {black: c3, white: c3}",
        "    |                             ^^",
    ]


def test_only_the_report_text_draws_boards(hexrec: Run, tmp_path: Path, game: dict[str, Any]) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(game))
    ran = hexrec("validate", path, "--board", "--format", "json")
    assert (ran.code, ran.out) == (2, "")
    assert "--board" in ran.err
    assert hexrec("validate", path, "--board", "--format", "text").code == 0


def test_programs_get_no_lines(hexrec: Run, tmp_path: Path, game: dict[str, Any]) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps({**game, "moves": ["c3"]}))
    (record,) = hexrec("validate", path, "--format", "json").report["records"]
    assert set(record["diagnostics"][0]) == {
        "code", "severity", "message", "line", "column", "end_line", "end_column", "pointer", "ply", "turn"
    }  # fmt: skip
