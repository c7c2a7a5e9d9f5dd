from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands.conftest import Run


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
        "Sundraval 3, after ply 4 (white pass), white wins, black 0, white 1.5\n"
        "\n"
        "    e1  .   .   .   e3\n"
        "  d1  .   .   .   .   d4\n"
        "c1  .   .   B   .   .   c5\n"
        "  b1  .   W   .   .   b4\n"
        "    a1  B   W   .   a3\n"
    )


def test_show_marks_the_last_turn(hexrec: Run, file: Path) -> None:
    ran = hexrec("show", file, "--ply", "1")
    assert ran.out.startswith("Sundraval 3, after ply 1 (black a1), white to play\n")
    assert ran.out.count("[") == 1
    assert "    a1 [B]  .   .   a3\n" in ran.out
    assert "before the first turn, black to play" in hexrec("show", file, "--ply", "0").out


def test_show_an_illegal_turn(hexrec: Run, file: Path) -> None:
    ran = hexrec("show", file, "--record", "1")
    assert ran.code == 1
    assert ran.out.startswith("Sundraval 3, after ply 1")
    assert "ply 2, turn a1: a1 is occupied by an enemy stone" in ran.err


def test_show_what_cannot_be_shown(hexrec: Run, file: Path, tmp_path: Path) -> None:
    assert hexrec("show", file, "--record", "2").code == 1
    assert "syntax/truncated" in hexrec("show", file, "--record", "2").err
    none = hexrec("show", file, "--record", "9")
    assert (none.code, "holds no record 9" in none.err) == (2, True)
    late = hexrec("show", file, "--ply", "5")
    assert (late.code, "the record has 4 turns" in late.err) == (2, True)
    missing = hexrec("show", tmp_path / "missing.json")
    assert (missing.code, "syntax/unreadable" in missing.err) == (2, True)


def test_show_stacks_with_their_heights(hexrec: Run) -> None:
    """White's c1 moves to c2 and absorbs a piece of b2, which disappears: a stack of 2."""
    record = b'{"hexrec":"1","game":"frasvel","size":3,"opening":{"black":"a3"},"moves":["d3","c1","b2","c1-c2/b4"]}'
    ran = hexrec("show", "-", stdin=record)
    assert ran.code == 0
    assert ran.out == (
        "Frasvel 3, after ply 4 (white c1-c2/b4), black to play\n"
        "\n"
        "    e1  .   .   .   e3\n"
        "  d1  .   .   B1  .   d4\n"
        "c1 [.] [W2] .   .   .   c5\n"
        "  b1  .  [.]  .  [W1] b4\n"
        "    a1  .   .   B1  a3\n"
    )


def test_legal(hexrec: Run, file: Path) -> None:
    ran = hexrec("legal", file, "--ply", "0")
    assert ran.code == 0
    turns = ran.out.split()
    assert len(turns) == 18
    assert turns == sorted(turns)
    assert turns[-1] == "pass"


def test_legal_after_the_end(hexrec: Run, file: Path) -> None:
    ran = hexrec("legal", file)
    assert (ran.code, ran.out) == (0, "")
    assert "the game is over (white wins, black 0, white 1.5)" in ran.err


def test_legal_after_an_illegal_turn(hexrec: Run, file: Path) -> None:
    ran = hexrec("legal", file, "--record", "1")
    assert (ran.code, ran.out) == (1, "")
    assert "move/occupied" in ran.err
    assert hexrec("legal", file, "--record", "1", "--ply", "1").code == 0
