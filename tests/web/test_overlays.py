"""Overlays: what a player switches on is on the board, and nothing else changes."""

from __future__ import annotations

import json

from tests.web.conftest import Shown, seen
from tests.web.test_entry import begun

#: A black stack in the middle and a white one in a corner, on a board of size 3.
FRASVEL = json.dumps({"hexrec": "1", "game": "frasvel", "size": 3, "setup": "w2/4/2b2/4/3 b 0", "moves": []})
CLOSED = "closed to Black: more black neighbors: b2, b3, c2, c4, d3."


def test_an_overlay_is_marked_and_moves_nothing(page: Shown) -> None:
    page.check(FRASVEL)
    before = seen(page.page, "#board [data-cell='9']")
    assert "closed to" not in page.board
    page.page.select_option("#overlay", label="Closed cells")
    page.until(lambda: CLOSED in page.board)
    assert seen(page.page, "#board [data-cell='9']") == before
    assert "closed to Black: more black neighbors" in page.text("#legend")
    # A turn changes it.
    page.play("b4")
    page.until(lambda: "closed to Black: more black neighbors: a3, b2, b3, c2, c4, c5, d3." in page.board)
    assert CLOSED not in page.board
    page.page.select_option("#overlay", label="none")
    page.until(lambda: "closed to" not in page.board)


def test_a_key_switches_overlays_and_the_choice_is_kept_for_the_game(page: Shown) -> None:
    page.check(FRASVEL)
    page.page.keyboard.press("o")
    page.until(lambda: CLOSED in page.board)
    page.check(begun(game="nadraz", size=5, opening={"black": "c3", "white": "g3"}))
    assert page.page.input_value("#overlay") == ""
    page.page.keyboard.press("o")
    page.until(lambda: "Cuts for Black: none" in page.text("#legend"))
    page.page.keyboard.press("o")
    page.until(lambda: "Cuts for White: none" in page.text("#legend"))
    page.page.keyboard.press("o")
    assert page.page.input_value("#overlay") == ""
    page.page.reload()
    page.until(lambda: page.page.is_visible("#board"))
    page.check(FRASVEL)
    page.until(lambda: CLOSED in page.board)
    assert page.page.input_value("#overlay") == "closed cells"


def test_the_cell_under_the_cursor_is_told_with_its_overlay(page: Shown) -> None:
    page.check(FRASVEL)
    page.page.keyboard.press("o")
    page.until(lambda: CLOSED in page.board)
    page.page.focus("#board")
    page.page.keyboard.press("ArrowLeft")
    assert page.text("#live") == "c2, empty, closed to Black: more black neighbors"
