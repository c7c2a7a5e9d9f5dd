"""What stands beside a game is replayed, and decides nothing about the game."""

from __future__ import annotations

from typing import Any

import hexrec
from hexrec.record.validation import read_record
from hexrec.util.limits import MAX_DIAGNOSTICS

GAME: dict[str, Any] = {
    "hexrec": "1",
    "game": "sundraval",
    "size": 3,
    "opening": {"black": "c3", "white": "b2"},
    "moves": ["a1", "a2", "pass", "pass"],
    "result": {"winner": "white", "score": {"black": 0, "white": 1.5}},
}


def check(ply: int, **beside: Any) -> hexrec.Report:
    moves = [*GAME["moves"]]
    moves[ply - 1] = {"turn": moves[ply - 1], **beside}
    return hexrec.validate(read_record({**GAME, "moves": moves}))


def test_what_is_legal_is_not_mentioned() -> None:
    report = check(2, variations=[["b1", "c1"], ["pass", "pass"], []], taken_back=["b1", "pass"], eval={"line": ["c1"]})
    assert report.diagnostics == ()


def test_an_illegal_turn_stops_its_own_line_and_nothing_else() -> None:
    report = check(2, variations=[["b1", "a1", "a1"], [{"turn": "c3"}]])
    assert [(each.code, each.pointer, each.ply, each.turn) for each in report.diagnostics] == [
        ("variation/illegal", "/moves/1/variations/0/1", 3, "a1"),
        ("variation/illegal", "/moves/1/variations/1/0/turn", 2, "c3"),
    ]
    assert all("(move/occupied)" in each.message for each in report.diagnostics)
    assert not report.valid
    assert report.plies == 4
    assert report.result is not None
    assert report.result.winner == "white"


def test_no_turn_follows_the_end_of_the_game_in_a_variation() -> None:
    (found,) = check(3, variations=[["pass", "pass", "b1"]]).diagnostics
    assert (found.pointer, found.ply) == ("/moves/2/variations/0/2", 5)
    assert "(move/game-over)" in found.message


def test_beside_an_illegal_turn_the_position_is_that_before_it() -> None:
    moves = ["a1", {"turn": "a1", "taken_back": ["c3", "a2"]}, {"turn": "pass", "taken_back": ["c3"]}]
    report = hexrec.validate(read_record({**GAME, "moves": moves}))
    found = {(each.code, each.pointer) for each in report.diagnostics}
    assert found == {("move/occupied", "/moves/1/turn"), ("variation/illegal", "/moves/1/taken_back/0")}
    assert report.plies == 1


def test_many_are_counted() -> None:
    report = check(2, taken_back=["c3"] * (MAX_DIAGNOSTICS + 7))
    *shown, more = report.diagnostics
    assert {each.code for each in shown} == {"variation/illegal"}
    assert len(shown) == MAX_DIAGNOSTICS
    assert (more.code, more.message.split()[0]) == ("variation/more", "7")
