"""Clicks on the board when answers are late, or do not come: no turn is lost, and none is played by the wrong color."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import pytest

import hexrec
from hexrec.record.canonical import canonical_form
from hexrec.record.record import Record
from hexrec.rules import games
from tests.properties import FACTOR, sample
from tests.web.conftest import Shown
from tests.web.games import GAMES, TWO, standing
from tests.web.test_entry import begun, clicks_of

Late = Callable[..., None]
#: The turns of random games on the two smallest boards: of each, one of the shortest that is a real game.
SEEDS = {"sundraval": (211, 509), "sunspot": (13, 155), "frasvel": (41, 48), "valaturna": (425, 75), "nadraz": (19, 37)}
#: Lets every answer be late by some milliseconds in turn, which are waited for in the page: clicks go on.
LATE = """waits => {
    let count = 0;
    const ask = window.fetch;
    window.fetch = async (...given) => {
        await new Promise((go) => setTimeout(go, waits[count++ % waits.length]));
        return ask(...given);
    };
}"""

#: Returns the middles of cells on the screen.
MIDDLES = """cells => cells.map((each) => each.getBoundingClientRect())
    .map(({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2])"""


@pytest.fixture
def late(page: Shown) -> Late:
    return lambda *milliseconds: page.page.evaluate(LATE, milliseconds)


def test_clicks_made_before_the_answer_are_turns_in_their_order(page: Shown, late: Late) -> None:
    page.check(begun())
    position = hexrec.loads(begun()).start()
    late(1000, 300, 300)
    turns = ["b4", "c6", "d7", "e6", "f5", "d3"]
    for turn in turns:
        page.click_cell(position.board.cells.index(position.names.cells[turn]))
    page.until(lambda: page.text("#caption").startswith("After ply 6"))
    assert hexrec.loads(page.download("json")).turns == turns


def test_a_turn_is_on_the_board_before_the_answer(page: Shown, late: Late) -> None:
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


def test_undo_takes_back_the_click_that_waits(page: Shown, late: Late) -> None:
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


def random_game(name: str, size: int, seed: int) -> Record:
    game, chance = games.get(name), random.Random(seed)
    opening = game.random_opening(chance, size)
    position = game.start(size, opening)
    turns = []
    while not position.is_over:
        turns.append(chance.choice(position.legal_turns()))
        position.play(turns[-1])
    return hexrec.loads(begun(game=name, size=size, moves=turns, **({"opening": opening} if opening else {})))


def test_whole_random_games_by_clicks_that_do_not_wait_for_answers(opened: Callable[..., Shown], site: str) -> None:
    """Each in a tab, a turn in each tab after the other: in the suite without those that `test_entry` plays."""
    window = opened(site, reduced_motion="reduce")
    names = [game for game in GAMES if FACTOR > 1 or game not in TWO]
    tabs = {game: opened(site, beside=window) if number else window for number, game in enumerate(names)}
    for page in tabs.values():
        page.page.evaluate(LATE, [300])
    for board in sample((0, 1), 2):
        played = []
        for game, page in tabs.items():
            record = random_game(game, games.get(game).sizes[board], SEEDS[game][board])
            page.check(json.dumps({**canonical_form(record), "moves": []}))
            page.until(lambda page=page: page.page.locator("#board .next").count() > 0)  # type: ignore[misc]
            # The board stays where it is from the first click to the last.
            cells = page.page.locator("#board [data-cell]").evaluate_all(MIDDLES)
            played.append((page, record, record.start(), cells))
        for ply in range(max(len(record.turns) for _, record, _, _ in played)):
            for page, record, position, cells in played:
                if ply >= len(record.turns):
                    continue
                clicks = clicks_of(position, record.turns[ply])
                for cell in clicks:
                    page.page.mouse.click(*cells[cell])
                if not clicks:
                    page.page.click("#pass")
                position.play(record.turns[ply])
        for page, record, position, _ in played:
            page.until(lambda page=page: page.text("#legal-note") == "The game is over.")  # type: ignore[misc]
            assert standing(position) in page.board
            page.until(lambda page=page: '"result"' in page.download("json"))  # type: ignore[misc]
            page.until(lambda page=page: page.text("#report-title") == "Valid")  # type: ignore[misc]
            recorded = hexrec.loads(page.download("json"))
            assert recorded.turns == record.turns
            assert hexrec.validate(recorded).result == position.result()
