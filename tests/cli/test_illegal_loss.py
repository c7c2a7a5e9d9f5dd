"""A game lost by an illegal turn: what the reports, hashes, rows, pictures and repairs make of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

import hexrec as library
from hexrec.record.replay import replay
from hexrec.record.validation import read_record
from hexrec.render.explanation import explain_position
from tests.cli.conftest import Run

PLAYED: dict[str, Any] = {"hexrec": "1", "game": "sunspot", "size": 5, "moves": ["e5", "e6"]}


def lost(by: str = "black", **illegal: str) -> dict[str, Any]:
    """Return a record of a game that a player lost by an illegal turn."""
    return {**PLAYED, "result": {"termination": "illegal", "illegal": {**illegal, "by": by}}}


def test_the_other_player_wins_and_the_turn_is_not_part_of_the_game() -> None:
    (report,) = library.check_text(json.dumps(lost(turn="e5")))
    assert report.valid
    assert report.result is not None
    assert (report.plies, report.result.winner, report.result.termination) == (2, "white", "illegal")
    assert report.record is not None
    assert report.record.hash() == library.loads(json.dumps(PLAYED)).hash()
    assert report.record.turns == ["e5", "e6"]


@pytest.mark.parametrize("system", ["row", "skew", "axial"])
def test_the_turn_is_renamed_with_the_other_cells(system: Any) -> None:
    text = library.dumps(library.loads(json.dumps(lost(turn="e5"))), coordinates=system)
    turn = json.loads(text)["result"]["illegal"]["turn"]
    assert turn == {"row": "e5", "skew": "e5", "axial": "(0,0)"}[system]
    (report,) = library.check_text(text)
    assert report.valid


@pytest.mark.parametrize("turn", ["e5", "a1", "k99"])
@pytest.mark.parametrize("by", ["black", "white"])
def test_no_command_and_no_suggestion_changes_it(hexrec: Run, tmp_path: Any, by: str, turn: str) -> None:
    record = lost(by, turn=turn)
    record["result"]["winner"] = "white"
    path = tmp_path / "game.json"
    path.write_text(json.dumps(record))
    for command in (("fix",), ("fix", "--suggestions"), ("fix", "--replace-results", "--suggestions")):
        hexrec(*command, path)
        assert json.loads(path.read_text()) == record
    assert "help:" not in hexrec("validate", path).err


def test_the_explanation_names_the_rule() -> None:
    def explained(record: dict[str, Any]) -> str:
        return explain_position(replay(read_record(record))).conclusions[0].text

    assert explained(lost()) == "Black lost the game by an illegal turn"
    reason = "e5 is occupied by your own stone: place on an empty cell"
    assert explained(lost(turn="e5")) == f"Black lost the game by an illegal turn, e5: {reason}"


def test_the_row_has_the_winner_and_the_cause(hexrec: Run) -> None:
    ran = hexrec("score", "-", "--format", "jsonl", stdin=json.dumps(lost(turn="e5")).encode())
    row = json.loads(ran.out)
    assert (row["winner"], row["termination"], row["agrees"], row["plies"]) == ("white", "illegal", True, 2)


CONTRADICTION = """\
(;FF[4]CA[UTF-8]GM[5001]SZ[5]HX[sunspot]HR[{"termination":"illegal","illegal":{"turn":"e5","by":"black"}}]
;B[e5];W[e6];B[{turn}]KO[]HI[illegal])"""


@pytest.mark.parametrize(("turn", "code"), [("e5", None), ("e6", "syntax/sgf-result")])
def test_sgf_has_the_turn_twice_and_refuses_a_contradiction(turn: str, code: str | None) -> None:
    (report,) = library.check_text(CONTRADICTION.replace("{turn}", turn), format="sgf")
    assert [error.code for error in report.errors] == [code] * (code is not None)


def test_sgf_without_a_result_takes_the_last_node() -> None:
    text = "(;FF[4]CA[UTF-8]GM[5001]SZ[5]HX[sunspot]\n;B[e5];W[e5]KO[]HI[illegal])"
    record = library.loads(text, format="sgf")
    assert record.data["result"] == {"termination": "illegal", "illegal": {"turn": "e5", "by": "white"}}
    assert record.turns == ["e5"]
