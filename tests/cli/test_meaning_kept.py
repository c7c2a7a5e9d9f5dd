"""What commands write says what they read: no record, no line and no verdict changes on the way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hexrec.formats.base import Document
from tests.cli.conftest import Run

LINE = b'{"hexrec":"1","game":"sunspot","size":5,"moves":["e5"]}\n'
GAME = '[Game "Sunspot"]\n[Size "5"]\n[Result "*"]\n\n1. e5 *\n'


Verdict = tuple[bool, list[tuple[str, int | None]]]


def verdicts(hexrec: Run, *arguments: str | Path, stdin: bytes = b"") -> list[Verdict]:
    """Return for each record whether it is valid, and the codes and plies of its errors."""

    def errors(record: Any) -> list[tuple[str, int | None]]:
        return [(each["code"], each.get("ply")) for each in record["diagnostics"] if each["severity"] == "error"]

    report = hexrec("validate", "--format", "json", *arguments, stdin=stdin).report
    return [(record["valid"], errors(record)) for record in report["records"]]


TURNS = ["", " ", "\t", "?", "resign", "draw", "B+", "*", "1.", "$1", "(", "]", "\\", "e5!", "null", "\x07", "tt", "-"]


@pytest.mark.parametrize("format", ["sgf", "hgn", "abstractplay", "yaml"])
def test_a_malformed_turn_comes_back_as_the_turn_it_was(
    hexrec: Run, tmp_path: Path, game: dict[str, Any], format: str
) -> None:
    """An empty text is no pass, although `B[]` is one in SGF."""
    lines = [["a1", turn, *["pass"] * (number % 2)] for number, turn in enumerate(TURNS)]
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps({**game, "moves": moves}) + "\n" for moves in lines))
    made = hexrec("convert", "--no-validate", "--to", format, path).out.encode()
    assert verdicts(hexrec, "--from", format, "-", stdin=made) == [(False, [("move/malformed", 2)])] * len(lines)
    back = hexrec("convert", "--no-validate", "--from", format, "--to", "jsonl", "-", stdin=made).out
    # The canonical form leaves out the blanks around a turn.
    canonical = [[turn.strip(" \t").lower() for turn in moves] for moves in lines]
    assert [json.loads(line)["moves"] for line in back.splitlines()] == canonical


@pytest.mark.parametrize("bad", [b"\0\n", b"\xef\xbb\xbf" + LINE, b"\xff\xfe{}\n", b"{\0\n"])
@pytest.mark.parametrize("blank", [b"\n", b" \n\n", b"\xef\xbb\xbf\n"])
def test_blank_lines_before_what_cannot_be_read(hexrec: Run, tmp_path: Path, bad: bytes, blank: bytes) -> None:
    """On the first line, zero bytes and byte-order marks are read otherwise than further down."""
    path = tmp_path / "a.jsonl"
    text = blank + bad + LINE.replace(b"e5", b"E5") + b"\n"
    path.write_bytes(text)
    before = verdicts(hexrec, path)
    assert (len(before), before[-1][0]) == (2, True)
    assert hexrec("fmt", path).code == 1
    assert path.read_bytes() == blank + bad + LINE + b"\n"
    assert verdicts(hexrec, path) == before


@pytest.mark.parametrize("command", ["fmt", "fix"])
@pytest.mark.parametrize("format", ["yaml", "jsonl", "json", "hgn", "sgf", "abstractplay"])
def test_no_line_of_a_binary_file_vanishes(hexrec: Run, tmp_path: Path, command: str, format: str) -> None:
    record = b'hexrec: "1"\ngame: sunspot\nsize: 5.0\nmoves: [E5]\n'
    text = b"a: 1\n\0\n---\n" + record + b"...\n---\n" + record + GAME.encode().replace(b"\n\n", b"\n") * 2 + LINE
    ran = hexrec(command, "--from", format, "-", stdin=text)
    assert (ran.code, ran.out.encode()) == (1, text)
    path = tmp_path / f"a.{format}"
    path.write_bytes(text)
    assert hexrec(command, "--from", format, path).code == 1
    assert path.read_bytes() == text


UNREADABLE = [
    '[Game "Sunspot"]\n[Size   "99"]\n\n1. E5 *\n\n',
    '[Game "Sunspot"]\n[Size   "5"]\n\n1. E5 {[%clk soon]} *\n\n\n',
    '[Game "Sunspot"]\n[Size   "5"]\n\n1. E5 ) *\n\n',
    '[Game   "Chess"]\n\n1. e4 *\n\n',
]


@pytest.mark.parametrize("bad", UNREADABLE)
def test_a_game_that_cannot_be_read_stays_byte_for_byte(hexrec: Run, tmp_path: Path, bad: str) -> None:
    path = tmp_path / "a.hgn"
    other = GAME.replace(" e5", "   E5").replace('[Result "*"]\n', "")
    path.write_text(f"\n{other}\n{bad}{other}\n{bad}")
    before = verdicts(hexrec, path)
    ran = hexrec("fmt", path)
    assert (ran.code, "report it" in ran.err) == (1, False)
    assert path.read_text() == f"\n{GAME}\n{bad}{GAME}\n{bad}"
    assert verdicts(hexrec, path) == before


def test_a_record_that_cannot_be_read_stays_in_sgf(hexrec: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.sgf"
    bad = "(;FF[4]GM[5001]SZ[99]HX[sunspot];B[E5])\n"
    path.write_text(f"(;FF[4]GM[5001]SZ[5]HX[sunspot]\n\n;B[E5])\n{bad}")
    ran = hexrec("fmt", path)
    formatted, found, left = path.read_text().rpartition(bad)
    assert (ran.code, found, left, "B[e5]" in formatted) == (1, bad, "", True)
    assert "schema/range" in ran.err


def test_a_line_that_readers_pass_over_is_not_lost(hexrec: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.hgn"
    text = GAME.replace("1. e5", "% for my program\n1. E5")
    path.write_text(text)
    ran = hexrec("fmt", path)
    assert (ran.code, path.read_text()) == (1, text)
    assert "begins with %" in ran.err
    for comment, written in (("{half\n% or more}", "{half % or more}"), ("{\\u{20}% x}", "{\\u{20}% x}")):
        path.write_text(GAME.replace("1. e5", f"{comment}\n1. E5"))
        assert hexrec("fmt", path).code == 0
        assert f"{written} 1. e5" in path.read_text()


@pytest.mark.parametrize("lost", [b"", b"a: 1\n", b"---\n"])
def test_an_editor_that_loses_a_part_is_not_believed(
    hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lost: bytes
) -> None:
    """The edited text is read again."""
    from hexrec.tools.edit import files as edit
    from hexrec.tools.edit.files import Change, Segment

    def careless(stream: Any, change: Change) -> Any:
        change(Document(error=None, data={"a": 1}))
        yield Segment(b"", stream.read(5))
        yield Segment(lost, b"---\n")
        stream.read()

    path = tmp_path / "a.yaml"
    path.write_bytes(b"a: 1\n---\nb: 2\n")
    monkeypatch.setattr(edit, "get", lambda _, **__: careless)
    ran = hexrec("fmt", path)
    assert (ran.code, path.read_bytes()) == (2, b"a: 1\n---\nb: 2\n")
    assert "report it" in ran.err
