"""Turns entered on the page: by pointing, by name, with the keyboard; and what becomes of the game."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import hexrec
from hexrec.rules.position import Position
from hexrec.rules.terms import IllegalTurn
from tests.cli.conftest import Run
from tests.cli.conftest import hexrec as command
from tests.web.conftest import Shown
from tests.web.games import FIXTURES, TWO, good, position_at, standing

__all__ = ["command"]

#: Short games that the rules end, with turns of several parts and passes.
WHOLE = {"valaturna": "two-passes-longer-list-wins", "nadraz": "tie-white-placed-last"}


def begun(**fields: object) -> str:
    return json.dumps({"hexrec": "1", "game": "sunspot", "size": 4, "moves": [], **fields})


def clicks_of(position: Position, turn: str) -> list[int]:
    """Return the cells to click on for a turn: its parts, the last one twice where other turns go on from there."""
    parts = {turn: parts for turn, parts, _ in position.after_turns()}
    clicks: list[int] = []
    for cell in (cells[-1] for cells in parts[turn]):
        clicks.append(cell)
        found = [
            each for each in parts.values() if all(map(tuple.__contains__, each, clicks)) and each[len(clicks) - 1 :]
        ]
        if len(found) == 1:
            break
    else:
        clicks += clicks[-1:]
    return [position.board.cells.index(cell) for cell in clicks]


def enter(page: Shown, position: Position, turn: str) -> None:
    """Enter a turn by clicks alone."""
    clicks = clicks_of(position, turn)
    for count, cell in enumerate(clicks[:-1], 1):
        page.click_cell(cell)
        page.until(lambda: page.page.locator("#board .chosen").count() == count)  # noqa: B023
    page.moved(lambda: page.click_cell(clicks[-1]) if clicks else page.page.click("#pass"))


@pytest.mark.parametrize("game", TWO)
def test_a_whole_game_by_clicks(page: Shown, game: str, tmp_path: Path, command: Run) -> None:
    (record,) = hexrec.records(FIXTURES / game / "valid" / f"{WHOLE[game]}.yaml")
    page.page.select_option("#new-game", game)
    page.page.select_option("#new-rules", label=", ".join(filter(None, [record.ruleset, record.variant])))
    page.page.select_option("#new-size", str(record.size))
    page.page.click("#beginnings [type=submit]")
    position = record.start()
    for color, cell in record.opening.items():
        page.until(lambda: f"{color.title()}'s opening" in page.text("#legal-note"))  # noqa: B023
        page.click_cell(position.board.cells.index(position.names.cells[cell]))
    page.until(lambda: standing(position) in page.board)
    for turn in record.turns:
        enter(page, position, turn)
        position.play(turn)
    assert standing(position) in page.board
    page.until(lambda: page.text("#legal-note") == "The game is over.")
    page.moved(lambda: page.page.click("#undo"))
    page.moved(lambda: page.page.click("#redo"))
    # Another first turn, which is a variation, with a comment.
    page.moved(lambda: page.page.click("#first"))
    position = record.start()
    other = next(turn for turn in position.legal_turns() if turn != record.turns[0])
    enter(page, position, other)
    page.page.fill("#comment", "or so")
    saved = tmp_path / "game.yaml"
    saved.write_text(page.download("yaml"), encoding="utf-8")
    assert command("validate", saved, "--finished").code == 0
    made = hexrec.load(saved)
    assert (made.turns, made.opening) == (record.turns, record.opening)
    move = made.moves[0]
    assert isinstance(move, dict)
    (first,) = move["variations"]
    assert first == [{"turn": other, "comment": "or so"}]
    assert made.result is not None


@pytest.mark.parametrize("game", TWO)
def test_cells_where_a_part_can_be_entered_have_dots(page: Shown, game: str) -> None:
    record = hexrec.loads(good(game))
    page.check(good(game))
    page.go_to(len(record.moves) // 2)
    position = position_at(record, len(record.moves) // 2)
    parts = [parts for _, parts, _ in position.after_turns()]
    longest = max(parts, key=len)
    for count in range(len(longest)):
        if count:
            page.click_cell(position.board.cells.index(longest[count - 1][0]))
        going_on = [each for each in parts if each[:count] == longest[:count]]
        wanted = {cell for each in going_on for cells in each[count : count + 1] for cell in cells}
        page.until(lambda: page.page.locator("#board .next").count() == len(wanted))  # noqa: B023
    chosen = len(longest) - 1
    page.page.keyboard.press("Escape")
    assert page.page.locator("#board .chosen").count() == max(chosen - 1, 0)


def test_where_nothing_but_a_pass_is_legal(page: Shown) -> None:
    page.check(begun(game="nadraz", setup="4/1bww1/2b1w1/1b1bbw1/1bbbw1/1www1/4 b 0 -"))
    page.until(lambda: page.text("#legal-note") == "There is nothing for Black but to pass.")
    page.moved(lambda: page.page.click("#pass"))
    page.page.focus("#board")
    page.until(lambda: page.page.is_visible("#pass"))
    page.moved(lambda: page.page.keyboard.press("p"))
    page.until(lambda: "draw" in page.text("#caption"))
    assert hexrec.loads(page.download("json")).moves == ["pass", "pass"]


def test_a_cell_is_refused_in_the_words_of_the_report(page: Shown) -> None:
    record = begun(game="frasvel", size=5, opening={"black": "c4"}, moves=["e5", "f5"])
    page.check(record)
    position = position_at(hexrec.loads(record))
    for cell, said in (
        ("f5", "f5 is not legal: f5 is occupied by an enemy stack: place on an empty cell."),
        ("e5", "legal turns for Black with e5."),
        ("a1", "e5-a1 is not legal: "),
    ):
        page.click_cell(position.board.cells.index(position.names.cells[cell]))
        page.until(lambda: said in page.text("#legal-note"))  # noqa: B023
    with pytest.raises(IllegalTurn) as refused:
        position.play("e5-a1")
    assert page.text("#legal-note") == f"a1 begins another turn: e5-a1 is not legal: {refused.value.message}."


def test_what_is_written_is_played(page: Shown) -> None:
    record = hexrec.loads(good("frasvel"))
    page.check(good("frasvel"))
    page.go_to(12)
    position = position_at(record, 12)
    turn = next(turn for turn in position.legal_turns() if "/" in turn)
    start, landing, placed = re.findall(r"[a-z]\d+", turn)
    page.page.fill("#cells", f"{start.upper()}, {landing}")
    page.until(lambda: page.page.locator("#board .chosen").count() == 2 and page.legal() != [])
    assert page.legal() == [each for each in position.legal_turns() if each.startswith(f"{start}-{landing}")]
    # Cells that begin no turn are those that it goes through.
    page.page.fill("#cells", f"{placed} {start}")
    assert turn in page.legal()
    page.page.fill("#cells", f"{start} {landing} {placed}")
    assert page.legal() == [turn]
    page.moved(lambda: page.page.press("#cells", "Enter"))
    assert page.ply == 13
    assert page.focused == "cells"
    for written, said in (("z9", "There is no turn z9 here."), ("pass", "A pass is not legal here.")):
        page.page.fill("#cells", written)
        page.page.press("#cells", "Enter")
        page.until(lambda: page.text("#legal-note") == said)  # noqa: B023


def test_a_game_with_the_keyboard_alone(page: Shown) -> None:
    page.check(begun())
    keys = page.page.keyboard
    page.page.focus("#board")
    assert page.text("#live").startswith("d4, empty")
    keys.press("ArrowRight")
    keys.press("ArrowUp")
    keys.press("ArrowUp")
    keys.press("ArrowDown")
    assert page.text("#live").startswith("e4, empty")
    page.moved(lambda: keys.press("Enter"))
    assert page.text("#caption") == "After ply 1, Black e4; White to play"
    assert page.focused == "board"
    keys.press("Enter")
    page.until(
        lambda: page.text("#live") == "e4 is not legal: e4 is occupied by an enemy stone: place on an empty cell."
    )
    keys.press("ArrowLeft")
    page.moved(lambda: keys.press("Enter"))
    assert page.text("#live") == "After ply 2, White e3; Black to play"
    page.moved(lambda: keys.press("Control+z"))
    assert page.ply == 1
    keys.press("PageUp")
    keys.press("PageDown")
    assert page.ply == 1
    page.page.focus("#redo")
    page.moved(lambda: keys.press("Enter"))
    assert (page.ply, page.focused) == (2, "redo")


def test_focus_stays_in_the_list_of_turns_which_is_one_tab_stop(page: Shown) -> None:
    page.check(good("sundraval"))
    keys = page.page.keyboard
    page.page.focus("#turns [tabindex='0']")
    keys.press("ArrowUp")
    keys.press("ArrowUp")
    keys.press("ArrowDown")
    assert page.ply == len(hexrec.loads(good("sundraval")).moves) - 1
    keys.press("Enter")
    assert page.page.evaluate("document.activeElement.ariaCurrent") == "true"
    assert page.page.locator("#turns [tabindex='0']").count() == 1


def test_the_right_turn_takes_the_place_of_an_illegal_one_and_the_rest_is_played(page: Shown) -> None:
    page.check(begun(moves=["d4", {"turn": "d4", "comment": "oh"}, "a1"]))
    page.play("d5")
    page.until(lambda: page.text("#report-title") == "Valid")
    assert page.text("#caption") == "After ply 2, White d5; Black to play"
    page.page.click("#last")
    assert page.ply == 3
    saved = hexrec.loads(page.download("json"))
    assert saved.turns == ["d4", "d5", "a1"]
    assert saved.moves[1]["comment"] == "oh"  # type: ignore[index]


def test_a_legal_turn_is_replaced_and_the_rest_is_played(page: Shown) -> None:
    page.check(begun(moves=["d4", {"turn": "d5", "comment": "oh"}, "a1", "b2"]))
    page.go_to(1)
    page.play("a2")
    page.play("c3")
    assert page.page.get_attribute("#substitute", "title") == "Replace d5"
    page.moved(lambda: page.page.click("#substitute"))
    assert page.text("#caption") == "After ply 2, White a2; Black to play"
    assert json.loads(page.download("json"))["moves"] == [
        "d4",
        {"turn": "a2", "comment": "oh"},
        {"turn": "a1", "variations": [["c3"]]},
        "b2",
    ]
    assert page.page.is_hidden("#substitute")
    # What is no longer legal is told, and can be replaced in turn.
    page.go_to(2)
    page.play("b2")
    page.moved(lambda: page.page.click("#substitute"))
    page.until(lambda: page.text("#report-title") == "Invalid")
    page.until(lambda: "b2 is occupied" in page.text("#diagnostics"))
    page.until(lambda: "b2 is occupied" in page.text("#live"))
    for _ in range(2):
        page.page.click("#undo")
    page.until(lambda: page.text("#report-title") == "Valid")


def test_what_was_played_is_checked_again_and_kept_when_the_page_is_loaded_again(page: Shown) -> None:
    page.check(begun())
    page.play("a1")
    page.page.click("#link")
    page.until(lambda: "#game=" in page.page.url)
    page.play("a2")
    page.until(lambda: "&ply=2" in page.page.url)
    assert "a2" in page.page.input_value("#source-text")
    page.page.reload()
    page.until(lambda: page.text("#caption") == "After ply 2, White a2; Black to play")
    page.play("a3")
    page.until(lambda: "a3" in page.page.input_value("#source-text"))


def test_an_error_leaves_nothing_of_the_record_before(page: Shown) -> None:
    page.check(good("sunspot"))
    page.page.click("#home")
    page.page.fill("#text", " ")
    page.page.click("text=Check")
    page.until(lambda: page.text("#problem").startswith("There is no record"))
    assert page.page.is_hidden("#shown")


def test_the_document_is_as_high_as_what_is_in_it(page: Shown) -> None:
    page.check(good("sundraval"))
    height, bottom = page.page.evaluate(
        "[document.documentElement.scrollHeight, document.querySelector('main').getBoundingClientRect().bottom]"
    )
    assert height < bottom + 20
