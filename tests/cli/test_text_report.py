"""The report `text`: below the line of a diagnostic, on a terminal, in color, in numbers."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

FIXTURES = Path(__file__).parent.parent.parent / "fixtures/suite"
YAML = 'hexrec: "1"\ngame: sundraval\nsize: 3\nopening: {black: c3, white: b2}\n'


@pytest.fixture
def below(hexrec: Run, tmp_path: Path) -> Any:
    """Return a function that validates a file with one invalid record; it returns the lines below the diagnostic."""

    def validate(name: str, content: str | bytes, *options: str) -> list[str]:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        ran = hexrec("validate", path, "--suggest", "0", *options)
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
    assert below("a.yaml", YAML + "moves: []\nevnt: Open\n") == ["  6 | evnt: Open", "    | ^^^^"]


def test_a_long_line_is_cut_around_the_place(below: Any, game: dict[str, Any]) -> None:
    good = json.dumps(game)
    del game["moves"]
    bad = {**game, "x-a": "a" * 500, "moves": ["c3", "pass", "pass"], "x-b": "b" * 500}
    line = json.dumps(bad)
    assert below("a.jsonl", f"{good}\n{line}\n{good}\n") == [
        '  2 | …' + 'a' * 27 + '", "moves": ["c3", "pass", "pass"], "x-b": "' + 'b' * 29 + '…',
        '    |  ' + ' ' * 40 + '^^^^',
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


BOARDS = {
    "frasvel/invalid/move.touches-higher.yaml": """
    Frasvel 3, after ply 4, Black to play

        e1  .   .   .   e3
      d1  .   .   B1  .   d4
    c1  .   W2  .   .   .   c5
      b1  .   .   .   W1  b4
        a1  .   .   B1  a3
""",
    "valaturna/invalid/move.game-over~after-two-passes.yaml": """
    Valaturna 4, after ply 2, a draw, Black 1, White 1

          g1  .   .   .   .   g4
        f1  .   .   .   .   .   f5
      e1  .   .   .   .   .   .   e6
    d1  .   .   .   B   .   .   .   d7
      c1  .   .   W   .   .   .   c6
        b1  .   .   .   .   .   b5
          a1  .   .   .   .   a4
""",
}


@pytest.mark.parametrize("options", [["--board"], ["--board", "-o", "text=-"], []], ids=["usual", "named", "none"])
def test_a_board_that_is_asked_for(hexrec: Run, game: dict[str, Any], options: list[str]) -> None:
    ran = hexrec("validate", "-", *options, stdin=json.dumps({**game, "moves": ["c3"]}).encode())
    drawn = "\n    Sundraval 3, before the first turn, Black to play\n\n" in ran.out
    assert (ran.code, drawn) == (1, bool(options))


@pytest.mark.parametrize("file", BOARDS, ids=lambda file: file.partition("/")[0])
def test_the_board_before_an_illegal_turn(hexrec: Run, file: str) -> None:
    plain = hexrec("validate", FIXTURES / file).out.splitlines()
    drawn = hexrec("validate", FIXTURES / file, "--board").out.splitlines()
    assert drawn[: len(plain) - 1] == plain[:-1]
    assert drawn[len(plain) - 1 : -1] == [*BOARDS[file].splitlines(), ""]
    assert drawn[-1] == plain[-1]


@pytest.mark.parametrize("moves", ["moves: 1", "moves: [a1]\nresult: {}"], ids=["fields", "result"])
def test_no_board_where_no_turn_is_illegal(below: Any, moves: str) -> None:
    text = YAML + moves + "\n"
    assert below("a.yaml", text, "--board") == below("a.yaml", text)


WRONG = """\
hexrec: "1"
game: sundraval
size: 3
opening: {black: c3, white: b2}
moves: [a1, a2]
comment: 7
date: 20.11.2026
"""
ON_A_TERMINAL = """\
wrong.yaml
  6:10 error schema/type: record 0
    comment should be a string, not the number 7
    6 | comment: 7
      |          ^
    note: write it in quotes
    help: write comment as "7", in quotes; write
          2026-11-20 for 20.11.2026: then the whole
          record is valid
    help: write comment as "7", in quotes: then the
          value is right

  7:7 error schema/date: record 0
    date should be a date such as 2026-11-20, 2026-11
    or 2026, or a date and time with its zone such as
    2026-11-20T18:03:11Z, not the string "20.11.2026"
    7 | date: 20.11.2026
      |       ^^^^^^^^^^
    help: write 2026-11-20 for 20.11.2026: then the
          value is right

1 record in 1 file: 0 valid, 1 invalid; 2 plies replayed
help: `hexrec fix --suggestions wrong.yaml` repairs 1 record (--diff shows the changes)
help: `hexrec explain schema/type` explains the code
"""


@pytest.fixture
def wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A file with two wrong fields in the current directory."""
    monkeypatch.chdir(tmp_path)
    Path("wrong.yaml").write_text(WRONG)
    return "wrong.yaml"


def test_a_terminal_has_wrapped_messages_in_groups_and_the_next_steps(
    hexrec: Run, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "54")
    ran = hexrec("validate", wrong, "--color", "never", terminal=True)
    assert ran.out == ON_A_TERMINAL


def test_color_is_an_option_and_a_setting_of_the_environment(
    hexrec: Run, wrong: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It changes no word, and the environment stays."""
    plain = hexrec("validate", wrong).out
    colored = hexrec("validate", wrong, "--color", "always").out
    assert "\x1b" in colored
    assert re.sub("\x1b\\[[0-9;]*m", "", colored) == plain == hexrec("validate", wrong).out
    assert "\x1b" in hexrec("validate", wrong, terminal=True).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert hexrec("validate", wrong).out == colored
    assert hexrec("validate", wrong, "--color", "never").out == plain
    monkeypatch.setenv("NO_COLOR", "")
    assert "\x1b" not in hexrec("validate", wrong, terminal=True).out
    assert hexrec("validate", wrong, "--color", "always").out == colored


def test_what_files_contain_has_no_effect_on_a_terminal(hexrec: Run, wrong: str) -> None:
    Path(wrong).write_bytes(WRONG.replace("20.11.2026", '"\\e[31m\\n::error::"').encode() + b"x: \xc2\x9b31m\n")
    out = hexrec("validate", wrong, "--color", "never", terminal=True).out
    assert "\x1b" not in out
    assert "\x9b" not in out


def test_statistics(hexrec: Run, wrong: str) -> None:
    (totals,) = hexrec("validate", wrong).out.splitlines()[-1:]
    ran = hexrec("validate", wrong, "--statistics")
    assert ran.out.splitlines()[:2] == ["1  error    schema/date", "1  error    schema/type"]
    assert ran.out.splitlines()[2:] == [totals]
    assert "only the text report has statistics" in hexrec("validate", wrong, "--statistics", "-o", "a.json").err


def test_every_command_can_be_quiet(hexrec: Run, wrong: str) -> None:
    """Diagnostics and data stay."""
    Path("good.yaml").write_text(WRONG.replace("comment: 7\ndate: 20.11.2026\n", ""))
    for arguments in (
        ("validate",),
        ("convert", "--to", "sgf"),
        ("fmt", "--check"),
        ("fix", "--check"),
        ("score",),
        ("stats",),
        ("hash",),
        ("dedupe", "--check"),
        ("readings",),
        ("explain-result",),
        ("legal",),
    ):
        usual = hexrec(*arguments, "good.yaml")
        quiet = hexrec(*arguments, "-q", "good.yaml")
        assert quiet.code == usual.code
        assert quiet.err == ""
        assert arguments == ("validate",) or quiet.out == usual.out
    assert hexrec("validate", "--quiet", "good.yaml").out == ""
    assert hexrec("validate", "--quiet", wrong).out == "".join(hexrec("validate", wrong).out.splitlines(True)[:-1])


def test_help_has_two_names_and_the_version_a_short_one(hexrec: Run) -> None:
    assert hexrec("help", "score") == hexrec("score", "--help")
    assert hexrec("help") == hexrec("--help")
    assert hexrec("-V") == hexrec("--version")
    assert "No such command 'nope'" in hexrec("help", "nope").err
