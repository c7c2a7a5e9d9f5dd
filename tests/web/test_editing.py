"""Games edited on the page: variations, comments, glyphs, marks, players, results."""

from __future__ import annotations

import json
from typing import Any

import hexrec
from tests.web.conftest import Shown, seen


def begun(**fields: object) -> str:
    return json.dumps({"hexrec": "1", "game": "sunspot", "size": 4, "moves": [], **fields})


def saved(page: Shown) -> dict[str, Any]:
    return dict(json.loads(page.download("json")))


def test_variations_are_reordered_promoted_and_deleted_and_all_is_undone(page: Shown) -> None:
    moves = ["a1", {"turn": "a2", "variations": [["b1", "b2"], [{"turn": "c1", "comment": "first"}, "c2"]]}, "a3"]
    page.check(begun(moves=moves))
    assert page.page.is_hidden("#promote")
    page.page.click(".variation button:has-text('c2')")
    page.page.click("#earlier")
    page.until(lambda: page.page.get_attribute("#earlier", "aria-disabled") == "true")
    assert saved(page)["moves"][1]["variations"] == [moves[1]["variations"][1], ["b1", "b2"]]  # type: ignore[index]
    page.page.click("#promote")
    page.until(lambda: page.page.is_hidden("#promote"))
    assert page.text("#caption") == "After ply 3, Black c2; White to play"
    promoted = {"turn": "c1", "comment": "first", "variations": [["a2", "a3"], ["b1", "b2"]]}
    assert saved(page)["moves"] == ["a1", promoted, "c2"]
    page.page.click(".variation button:has-text('b1')")
    page.moved(lambda: page.page.click("#delete"))
    page.page.click("#last")
    page.moved(lambda: page.page.click("#delete"))
    del promoted["variations"][1]  # type: ignore[attr-defined]
    assert saved(page)["moves"] == ["a1", promoted]
    for _ in range(4):
        page.page.click("#undo")
    page.until(lambda: page.page.get_attribute("#undo", "aria-disabled") == "true")
    assert saved(page)["moves"] == moves
    assert page.text("#caption") == "After ply 3, Black c2; White to play"


def test_what_is_said_of_turns_and_of_the_game(page: Shown) -> None:
    page.check(begun(moves=[{"turn": "a1", "variations": [["b1"]]}, "a2"]))
    page.page.click(".variation button:has-text('b1')")
    assert page.text("#notes-title") == "Notes on ply 1, b1"
    page.page.fill("#comment", "or this")
    page.click_cell(0)  # what was written is kept when a turn is played next
    page.until(lambda: page.ply == 2)
    page.page.select_option("#glyph", "3")
    page.until(lambda: "a1 !!" in page.text(".variation"))
    page.page.click("#first")
    page.page.fill("#comment", "on the game")
    page.page.press("#comment", "Tab")
    page.until(lambda: "on the game" in page.text("#about"))
    record = saved(page)
    assert record["comment"] == "on the game"
    assert record["moves"][0]["variations"] == [[{"turn": "b1", "comment": "or this"}, {"turn": "a1", "nag": [3]}]]


#: Lets the page wait for the end of a press however long a busy machine makes it.
PATIENT = "() => { const usual = setTimeout; window.setTimeout = (go, wait) => (wait > 1000 ? 0 : usual(go, wait)); }"


def test_a_click_that_lasts_while_the_game_is_judged_anew_is_heard(page: Shown) -> None:
    """Whoever has written a comment clicks on the board or in the list next, and does not let go at once."""
    for place, turns, ply in (("#board [data-cell='1']", ["a1", "a2"], 2), ("#turns .turn", ["a1"], 0)):
        page.check(begun(moves=["a1"]))
        page.page.evaluate(PATIENT)
        page.page.fill("#comment", "a long story")
        left, top, right, bottom = seen(page.page, place)
        page.page.mouse.move((left + right) / 2, (top + bottom) / 2)
        page.page.mouse.down()
        page.page.wait_for_timeout(100)
        page.page.mouse.up()
        page.until(lambda: page.ply == ply)  # noqa: B023
        page.until(lambda: "a long story" in page.text("#turns"))
        assert page.ply == ply, place
        assert saved(page)["moves"] == [{"turn": "a1", "comment": "a long story"}, *turns[1:]], place


def test_whoever_looks_for_another_game_is_left_there_while_this_one_is_judged_anew(page: Shown) -> None:
    page.check(begun(moves=["a1"]))
    held: list[Any] = []
    page.page.route("**/v1/replay*", lambda route: held.append(route))
    page.page.click("#details summary")
    page.page.fill("[data-field='date']", "2026-13")
    page.page.click("#home")
    page.until(lambda: bool(held))
    held[0].continue_()
    page.page.unroute("**/v1/replay*")
    page.until(lambda: "date" in page.text("#problem"))
    assert page.page.is_visible("#entry")
    page.check(begun(moves=["a2"]))
    assert page.page.is_hidden("#entry")


def test_marks_are_drawn_by_clicks_and_taken_away_again(page: Shown) -> None:
    page.check(begun(moves=["d4"]))
    page.page.select_option("#mark-kind", "label")
    page.click_cell(0)
    page.until(lambda: "label A: a1" in page.text("#legend"))
    assert page.page.input_value("#mark-text") == "B"
    page.page.select_option("#mark-kind", "arrow")
    page.page.select_option("#mark-colour", "green")
    page.click_cell(1)
    page.click_cell(3)
    page.until(lambda: "reen arrow: a2 to a4" in page.text("#legend"))
    marks = [
        {"kind": "label", "cells": ["a1"], "text": "A"},
        {"kind": "arrow", "cells": ["a2", "a4"], "color": "green"},
    ]
    assert saved(page)["moves"] == [{"turn": "d4", "marks": marks}]
    page.page.select_option("#mark-kind", "label")
    page.click_cell(0)
    page.until(lambda: "label" not in page.text("#legend"))
    page.page.select_option("#mark-kind", "")
    page.click_cell(0)
    page.until(lambda: page.ply == 2)
    assert saved(page)["moves"] == [{"turn": "d4", "marks": marks[1:]}, "a1"]


def test_players_event_date_pie_and_result(page: Shown) -> None:
    page.check(begun(moves=["d4"]))
    page.page.click("#details summary")

    def fill(field: str, value: str) -> None:
        page.page.fill(f"[data-field='{field}']", value)
        page.page.press(f"[data-field='{field}']", "Tab")

    def choose(field: str, value: str) -> None:
        page.page.select_option(f"[data-field='{field}']", value)

    fill("players.black.name", "Ada")
    fill("players.white.rating", "1850")
    fill("date", "tomorrow")
    page.until(lambda: "date" in page.text("#problem"))
    assert "date" not in saved(page)
    fill("date", "2026-11")
    page.until(lambda: page.page.is_hidden("#problem"))
    choose("pie.chosen", "white")
    choose("result.termination", "resignation")
    page.until(lambda: "Black wins (resignation)" in page.text("#about"))
    record = hexrec.loads(page.download("json"))
    assert hexrec.validate(record).valid
    assert saved(page) == json.loads(
        begun(
            players={"black": {"name": "Ada"}, "white": {"rating": 1850}},
            date="2026-11",
            pie={"chosen": "white"},
            moves=["d4"],
            result={"winner": "black", "termination": "resignation"},
        )
    )
    choose("result.termination", "agreement")
    choose("result.winner", "draw")
    page.until(lambda: "a draw (agreement)" in page.text("#about"))
    choose("result.termination", "time")  # has a loser
    page.until(lambda: "Black wins (time)" in page.text("#about"))
    choose("result.termination", "illegal")
    page.until(lambda: "Black wins (illegal turn)" in page.text("#about"))
    assert saved(page)["result"] == {"winner": "black", "termination": "illegal", "illegal": {"by": "white"}}
    choose("result.termination", "")
    assert "result" not in saved(page)
    fill("players.black.name", "")
    assert saved(page)["players"] == {"white": {"rating": 1850}}


def test_a_game_that_the_rules_end_gets_its_result_and_loses_it_with_its_last_turn(page: Shown) -> None:
    page.check(begun(game="valaturna", opening={"black": "c3", "white": "b2"}))
    page.moved(lambda: page.page.click("#pass"))
    page.moved(lambda: page.page.click("#pass"))
    page.until(lambda: page.page.input_value("[data-field='result.winner']") == "draw")
    result = saved(page)["result"]
    assert result == {"winner": "draw", "score": {"black": [1], "white": [1]}}
    page.moved(lambda: page.page.click("#delete"))
    assert "result" not in saved(page)


def test_everything_but_the_words_of_a_service_works_without_one(page: Shown) -> None:
    page.check(begun(moves=["d4"]))
    page.page.route("**/v1/**", lambda route: route.abort())
    page.page.click("#delete")
    page.play("a1")
    page.click_cell(0)
    page.until(lambda: "a1 is not legal" in page.text("#legal-note"))
    page.play("a2")
    page.page.fill("#comment", "alone")
    page.page.click("#undo")
    page.page.click("#redo")
    page.page.keyboard.press("Control+z")
    assert saved(page)["moves"] == ["a1", "a2"]
    page.forgive()


def test_opening_stones_need_cells_of_their_own(page: Shown) -> None:
    page.check(begun(game="nadraz", opening={"black": "c3", "white": "b2"}))
    page.page.click("#opening")
    page.click_cell(0)
    page.until(lambda: "White's opening stone" in page.text("#legal-note"))
    page.click_cell(0)
    page.until(lambda: "two different cells" in page.text("#legal-note"))
    # The opening is left as it was: the cells where a turn can begin have their dots at once.
    page.page.click("#opening")
    page.until(lambda: "legal turns for Black" in page.text("#legal-note"))
    page.until(lambda: page.page.locator("#board .next").count() > 0)
    page.click_cell(1)
    page.until(lambda: "a2" in page.text("#live") or page.ply == 1)
    assert saved(page)["opening"] == {"black": "c3", "white": "b2"}
