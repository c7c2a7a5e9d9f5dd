from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from hexrec.rules import games
from tests.cli.conftest import Run


@pytest.fixture
def file(tmp_path: Path, game: dict[str, Any]) -> Path:
    path = tmp_path / "games.jsonl"
    illegal = {**game, "moves": ["a1", "a1"]}
    path.write_text(f"{json.dumps(game)}\n{json.dumps(illegal)}\n{{\n")
    return path


def test_show_the_end(hexrec: Run, file: Path) -> None:
    ran = hexrec("show", file)
    assert ran.code == 0
    assert ran.out == (
        "Sundraval 3, after ply 4 (White pass), White wins, Black 0, White 1.5\n"
        "\n"
        "    e1  .   .   .   e3\n"
        "  d1  .   .   .   .   d4\n"
        "c1  .   .   B   .   .   c5\n"
        "  b1  .   W   .   .   b4\n"
        "    a1  B   W   .   a3\n"
    )


def test_show_marks_the_last_turn(hexrec: Run, file: Path) -> None:
    ran = hexrec("show", file, "--ply", "1")
    assert ran.out.startswith("Sundraval 3, after ply 1 (Black a1), White to play\n")
    assert ran.out.count("[") == 1
    assert "    a1 [B]  .   .   a3\n" in ran.out
    assert "before the first turn, Black to play" in hexrec("show", file, "--ply", "0").out


def test_show_an_illegal_turn(hexrec: Run, file: Path) -> None:
    ran = hexrec("show", file, "--record", "1")
    assert ran.code == 1
    assert ran.out.startswith("Sundraval 3, after ply 1")
    assert "ply 2, turn a1: a1 is occupied by an enemy stone" in ran.err


def test_show_what_cannot_be_shown(hexrec: Run, file: Path, tmp_path: Path) -> None:
    assert hexrec("show", file, "--record", "2").code == 1
    assert "syntax/truncated" in hexrec("show", file, "--record", "2").err
    none = hexrec("show", file, "--record", "9")
    assert (none.code, "has no record 9" in none.err) == (2, True)
    late = hexrec("show", file, "--ply", "5")
    assert (late.code, "the record has 4 turns" in late.err) == (2, True)
    missing = hexrec("show", tmp_path / "missing.json")
    assert (missing.code, "syntax/unreadable" in missing.err) == (2, True)


def test_show_what_is_before_something_wrong(hexrec: Run, file: Path, game: dict[str, Any]) -> None:
    """What is no turn at all is as illegal as one that is; where it stands is said."""
    odd = json.dumps({**game, "moves": ["a1", "??"]}).encode()
    ran = hexrec("show", "-", stdin=odd)
    assert (ran.code, ran.out.startswith("Sundraval 3, after ply 1 (Black a1), White to play; ?? is ")) == (1, True)
    for command in ("show", "legal"):
        ran = hexrec(command, file, "--record", "2")
        assert (ran.code, ran.out) == (1, "")
        assert ran.err.startswith(f"{file}:3:2: error syntax/truncated: record 2: ")
        assert hexrec(command, file, "--ply", "4").code == 0


def test_show_stacks_with_their_heights(hexrec: Run) -> None:
    """White's c1 moves to c2 and absorbs a piece of b2, which disappears: a stack of 2."""
    record = b'{"hexrec":"1","game":"frasvel","size":3,"opening":{"black":"a3"},"moves":["d3","c1","b2","c1-c2/b4"]}'
    ran = hexrec("show", "-", stdin=record)
    assert ran.code == 0
    assert ran.out == (
        "Frasvel 3, after ply 4 (White c1-c2/b4), Black to play\n"
        "\n"
        "    e1  .   .   .   e3\n"
        "  d1  .   .   B1  .   d4\n"
        "c1 [.] [W2] .   .   .   c5\n"
        "  b1  .  [.]  .  [W1] b4\n"
        "    a1  .   .   B1  a3\n"
    )


def test_show_says_what_is_marked(hexrec: Run, file: Path) -> None:
    assert hexrec("show", file, "--marks").out == (
        "Sundraval 3, after ply 4 (White pass), White wins, Black 0, White 1.5\n"
        "\n"
        "    e1  w   w   w   e3\n"
        "  d1  w   w   w   w   d4\n"
        "c1  w   w   Bx  w   w   c5\n"
        "  b1  w   W   w   w   b4\n"
        "    a1  Bx  W   w   a3\n"
        "\n"
        "strangled (x): a1, c3\n"
        "white territory (w): a1, a3, b1, b3, b4, c1, c2, c3, c4, c5, d1, d2, d3, d4, e1, e2, e3\n"
    )
    assert "placed: a1\n" in hexrec("show", file, "--marks", "--ply", "1").out


def test_show_in_colors_on_a_terminal(hexrec: Run, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "COLORTERM", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    colored = hexrec("show", file)
    assert (colored.code, "\x1b[" in colored.out, "strangled (x): a1, c3" in colored.out) == (0, True, True)
    assert "strangled" not in hexrec("show", file, "--no-marks").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert hexrec("show", file).out == hexrec("show", file, "--marks").out
    assert "\x1b" not in hexrec("show", file).out


def test_show_names_the_marks_of_the_record(hexrec: Run, game: dict[str, Any]) -> None:
    """Where nobody asks for others, and nobody asks for none."""
    marked = [{"turn": "a1", "marks": [{"kind": "circle", "cells": ["a2", "b3"]}]}]
    record = json.dumps({**game, "moves": marked}).encode()
    said = "circle: a2, b3\n"
    assert hexrec("show", "-", stdin=record).out.endswith(f"   a3\n\n{said}")
    assert hexrec("show", "-", "--marks", stdin=record).out.endswith(f"   a3\n\nplaced: a1\n{said}")
    assert hexrec("show", "-", "--no-marks", stdin=record).out.endswith("   a3\n")
    assert hexrec("show", "-", "--coordinates", "axial", stdin=record).out.endswith("\n\ncircle: (1,-2), (1,-1)\n")


@pytest.mark.parametrize("system", ["row", "skew", "axial"])
def test_show_in_other_coordinates(hexrec: Run, file: Path, system: str) -> None:
    ran = hexrec("show", file, "--ply", "2", "--coordinates", system, "--svg", "-")
    assert ran.code == 0
    turn = {"row": "a2", "skew": "b1", "axial": "(1,-2)"}[system]
    assert f"after ply 2 (White {turn}), Black to play" in ran.out
    board = hexrec("show", file, "--ply", "2", "--coordinates", system).out
    assert {"row": "d4", "skew": "e4", "axial": "1,1"}[system] in board


def test_show_writes_pictures(hexrec: Run, file: Path, tmp_path: Path) -> None:
    paths = {kind: tmp_path / f"board.{kind}" for kind in ("svg", "png", "gif")}
    ran = hexrec("show", file, "--svg", paths["svg"], "--png", paths["png"], "--animate", paths["gif"])
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert paths["svg"].read_bytes().startswith(b"<svg ")
    assert paths["png"].read_bytes().startswith(b"\x89PNG")
    assert paths["gif"].read_bytes().startswith(b"GIF89a")
    assert paths["svg"].read_text() == hexrec("show", file, "--svg", "-").out


def test_show_options_of_pictures(hexrec: Run, file: Path, tmp_path: Path) -> None:
    drawn = hexrec(
        "show", file, "--svg", "-", "--theme", "dark", "--width", "300", "--labels", "none", "--no-caption"
    ).out
    assert 'class="hexrec-dark"' in drawn
    assert 'width="300"' in drawn
    assert "<text" not in drawn
    assert 'class="cross-black"' in drawn
    assert 'class="cross' not in hexrec("show", file, "--svg", "-", "--no-marks").out
    assert 'class="page"' not in hexrec("show", file, "--svg", "-", "--no-background").out
    film = tmp_path / "game.svg"
    assert hexrec("show", file, "--animate", film, "--ply", "2", "--seconds", "0.5").code == 0
    assert " 3s step-end infinite" in film.read_text()  # two turns, and the last view four times as long


@pytest.mark.parametrize("only", ["svg", "png", "html"])
def test_show_prints_nothing_beside_a_picture(hexrec: Run, file: Path, tmp_path: Path, only: str) -> None:
    assert hexrec("show", file, f"--{only}", tmp_path / "a").out == ""


def test_the_format_and_the_ruleset_can_be_given(hexrec: Run, tmp_path: Path) -> None:
    """A format that the file is not in is an error; a ruleset has its own sizes."""
    path = tmp_path / "a.json"
    path.write_text('{"hexrec": "1", "game": "sunspot", "size": 5, "moves": ["a1"]}')
    small = "4/5/6/7/6/5/4 b 0"
    for command in ("show", "legal"):
        ran = hexrec(command, path, "--from", "sgf")
        assert (ran.code, "syntax/sgf" in ran.err) == (1, True)
        position = ["valaturna", "--position", small]
        assert hexrec(command, *position).code == 0
        assert hexrec(command, *position, "--ruleset", "2023-first").code == 1


def test_show_without_what_makes_pixels(
    hexrec: Run, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    ran = hexrec("show", file, "--png", tmp_path / "board.png")
    assert (ran.code, ran.err) == (2, "hexrec: to write PNG, install hexrec-games[pictures]\n")
    assert not (tmp_path / "board.png").exists()


def test_legal(hexrec: Run, file: Path) -> None:
    ran = hexrec("legal", file, "--ply", "0")
    assert ran.code == 0
    turns = ran.out.split()
    assert len(turns) == 18
    assert turns == sorted(turns)
    assert turns[-1] == "pass"


def test_legal_after_more_turns_than_there_are(hexrec: Run, file: Path) -> None:
    ran = hexrec("legal", file, "--ply", "5")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "hexrec: there is no ply 5: the record has 4 turns\n"


def test_legal_after_the_end(hexrec: Run, file: Path) -> None:
    ran = hexrec("legal", file)
    assert (ran.code, ran.out) == (0, "")
    assert "the game is over (White wins, Black 0, White 1.5)" in ran.err


def test_legal_after_an_illegal_turn(hexrec: Run, file: Path) -> None:
    ran = hexrec("legal", file, "--record", "1")
    assert (ran.code, ran.out) == (1, "")
    assert "move/occupied" in ran.err
    assert hexrec("legal", file, "--record", "1", "--ply", "1").code == 0


@pytest.mark.parametrize("command", ["show", "legal"])
@pytest.mark.parametrize("name", ["games.zip", "games.tar.gz"])
def test_an_archive_is_refused(hexrec: Run, tmp_path: Path, command: str, name: str) -> None:
    (tmp_path / name).write_bytes(b"PK\3\4")
    ran = hexrec(command, tmp_path / name)
    assert (ran.code, ran.out) == (2, "")
    assert (
        ran.err == f"hexrec: {tmp_path / name}: this command does not read archives: unpack it and name a file in it\n"
    )


class TestPositions:
    TEXT = "1w2/5/2b*2w2/7/6/5/4 b 0"

    def test_show(self, hexrec: Run) -> None:
        ran = hexrec("show", "valaturna", "--position", self.TEXT)
        assert ran.code == 0
        assert "B2" in ran.out
        assert ran.out.startswith("Valaturna 4, before the first turn, Black to play")

    def test_variant(self, hexrec: Run) -> None:
        ran = hexrec("legal", "nadraz", "--position", "4/5/1b4/7/6/5/3w b 0 -", "--variant", "reverse")
        assert ran.code == 0

    def test_ruleset(self, hexrec: Run) -> None:
        """By its first rules, nobody may pass in the beginning."""
        text = "7/8/9/10/11/12/5bw6/12/11/10/9/8/7 b 0"
        turns = {}
        for name in ("2023", "2023-first"):
            turns[name] = hexrec("legal", "valaturna", "--position", text, "--ruleset", name).out.split()
            assert turns[name] == games.get("valaturna").start(position=text, ruleset=name).legal_turns()
        assert {*turns["2023"]} ^ {*turns["2023-first"]} == {"pass"}

    @pytest.mark.parametrize(
        ("arguments", "code", "said"),
        [
            (["valaturna", "--position", TEXT.replace("5/4", "5/5")], 1, "setup/size: --position, column 20: row 7"),
            (["chess", "--position", TEXT], 2, "with --position this is the name of a game"),
            (["valaturna", "--position", TEXT, "--variant", "reverse"], 2, "Valaturna has no variant 'reverse'"),
            (["valaturna", "--variant", "reverse"], 2, "a record states its own rules"),
        ],
    )
    def test_refused(self, hexrec: Run, arguments: list[str], code: int, said: str) -> None:
        for command in ("show", "legal"):
            ran = hexrec(command, *arguments)
            assert ran.code == code
            assert said in " ".join(ran.err.split())


def test_a_record_that_no_file_has(hexrec: Run, file: Path) -> None:
    for index in ("3", "9" * 30):
        ran = hexrec("show", file, "--record", index)
        assert ran.code == 2
        assert f"has no record {index}: it has records 0 to 2" in ran.err
