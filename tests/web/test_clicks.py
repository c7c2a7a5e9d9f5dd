"""Clicks on the board when answers are late, or do not come: no turn is lost, and none is played by the wrong color."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import hexrec
from hexrec.rules import games
from hexrec.rules.position import Position
from tests.web.conftest import Shown
from tests.web.games import GAMES, standing
from tests.web.test_entry import begun, clicks_of

#: The sizes in which random games are entered.
SIZES = {game: games.get(game).sizes[:2] for game in GAMES}


@pytest.fixture
def late(page: Shown) -> Callable[..., None]:
    """Let every answer be late by some milliseconds in turn, which are waited for in the page: clicks go on."""

    def delay(*milliseconds: int) -> None:
        page.page.evaluate(
            "waits => { let count = 0; const ask = window.fetch; window.fetch = async (...given) => {"
            " await new Promise((go) => setTimeout(go, waits[count++ % waits.length])); return ask(...given); }; }",
            milliseconds,
        )

    return delay


@pytest.mark.parametrize("latency", [300, 1000])
def test_clicks_made_before_the_answer_are_turns_in_their_order(
    page: Shown, late: Callable[..., None], latency: int
) -> None:
    page.check(begun())
    position = hexrec.loads(begun()).start()
    late(latency)
    turns = ["b4", "c6", "d7", "e6", "f5", "d3"]
    for turn in turns:
        page.click_cell(position.board.cells.index(position.names.cells[turn]))
        page.page.wait_for_timeout(100)
    page.until(lambda: page.text("#caption").startswith("After ply 6"))
    assert hexrec.loads(page.download("json")).turns == turns


def test_a_turn_is_on_the_board_before_the_answer(page: Shown, late: Callable[..., None]) -> None:
    page.check(begun())
    page.until(lambda: page.page.locator("#board .next").count() > 0)
    late(60_000)
    page.click_cell(0)
    assert page.page.locator("#board .stones .piece").count() == 1
    assert page.text("#caption") == "After ply 1, Black a1; White to play"


def test_a_turn_that_the_server_does_not_confirm_is_taken_back(page: Shown) -> None:
    page.check(begun(moves=["d4"]))
    page.until(lambda: page.page.locator("#board .next").count() > 0)
    page.page.route("**/v1/positions*", lambda route: route.abort())
    page.click_cell(0)
    page.page.click("#give-up")
    page.until(lambda: page.text("#problem") == "a1 is not played: The server does not answer.")
    assert page.text("#caption") == "After ply 1, Black d4; White to play"
    assert page.page.locator("#board .stones .piece").count() == 1
    page.page.unroute("**/v1/positions*")
    page.play("a2")
    assert hexrec.loads(page.download("json")).turns == ["d4", "a2"]
    page.errors.clear()  # that a request has failed


def test_undo_without_a_server_changes_nothing(page: Shown) -> None:
    page.check(begun())
    for turn in ("a1", "a2", "a3"):
        page.play(turn)
    assert hexrec.loads(page.download("json")).turns == ["a1", "a2", "a3"]
    page.page.route("**/v1/**", lambda route: route.abort())
    for _ in range(2):
        page.page.click("#undo")
        page.page.click("#give-up")
    page.until(lambda: page.text("#problem") == "The server does not answer.")
    assert page.ply == 3
    page.page.unroute("**/v1/**")
    page.play("a4")
    assert hexrec.loads(page.download("json")).turns == ["a1", "a2", "a3", "a4"]
    page.errors.clear()


def test_undo_takes_back_the_click_that_waits(page: Shown, late: Callable[..., None]) -> None:
    page.check(begun())
    page.until(lambda: page.page.locator("#board .next").count() > 0)
    late(500)
    for cell in (0, 1, 2):
        page.click_cell(cell)
    page.page.click("#undo")
    page.until(lambda: page.text("#caption").startswith("After ply 2"))
    page.until(lambda: "legal turns for Black" in page.text("#legal-note"))
    assert page.ply == 2


def test_another_position_drops_the_clicks_that_wait_and_says_so(page: Shown) -> None:
    page.check(begun(moves=["d4"]))
    page.until(lambda: page.page.locator("#board .next").count() > 0)
    page.page.evaluate(
        "() => { const ask = window.fetch; const released = new Promise((go) => { window.release = go; });"
        " window.fetch = async (...given) => { await released; return ask(...given); }; }"
    )
    for cell in (0, 1, 2):
        page.click_cell(cell)
    page.page.click("#first")
    page.page.evaluate("window.release()")
    page.until(lambda: page.text("#legal-note").startswith("2 clicks did nothing"))
    assert hexrec.loads(page.download("json")).turns == ["d4", "a1"]


def shortest_game(start: Position[Any], chance: random.Random) -> list[str]:
    """Return the turns of the shortest of some random games."""

    def played() -> list[str]:
        position = start.copy()
        turns = []
        while not position.is_over:
            turns.append(chance.choice(position.legal_turns()))
            position.play(turns[-1])
        return turns

    return min((played() for _ in range(20)), key=len)


@pytest.mark.parametrize(
    ("game", "size", "latencies"),
    [*((game, size, [300]) for game in GAMES for size in SIZES[game]), ("nadraz", 4, [300, 300, 1000])],
)
def test_a_whole_random_game_by_clicks_that_do_not_wait_for_answers(
    page: Shown, late: Callable[..., None], game: str, size: int, latencies: list[int]
) -> None:
    page.page.select_option("#new-game", game)
    page.page.select_option("#new-size", str(size))
    page.page.click("#beginnings [type=submit]")
    page.page.wait_for_selector("#report-title:focus")
    if page.page.is_visible("#opening"):
        page.page.click("#opening")
    position = hexrec.loads(page.download("json")).start()
    turns = shortest_game(position, random.Random(f"{game} {size}"))
    page.until(lambda: page.page.locator("#board .next").count() > 0)
    # The board stays where it is from the first click to the last.
    cells = page.page.locator("#board [data-cell]").evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect()).map((box) =>"
        " [(box.left + box.right) / 2, (box.top + box.bottom) / 2])"
    )
    late(*latencies)
    for turn in turns:
        clicks = clicks_of(position, turn)
        for cell in clicks:
            page.page.mouse.click(*cells[cell])
        if not clicks:
            page.page.click("#pass")
        position.play(turn)
    page.until(lambda: page.text("#legal-note") == "The game is over.")
    assert standing(position) in page.board
    page.until(lambda: page.text("#report-title") == "Valid" and '"result"' in page.download("json"))
    record = hexrec.loads(page.download("json"))
    assert record.turns == turns
    assert hexrec.validate(record).result == position.result()
