"""Games of plug-ins on the page: their rules are in it if it can translate them, else the service plays."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from hexrec_col import COL

import hexrec
from hexrec.rules import games
from hexrec.rules.game import Game
from hexrec.server.limits import Limits
from tests.examples.hex import HEX
from tests.server.conftest import serving
from tests.web.conftest import Shown
from tests.web.games import standing
from tests.web.test_clicks import LATE, MIDDLES

Open = Callable[[Game], Shown]


@pytest.fixture
def begun(opened: Callable[..., Shown]) -> Iterator[Open]:
    """Begin a game of a plug-in on its smallest board."""
    for game in (COL, HEX):
        games.register(game)
    try:
        with serving(Limits()) as client:
            pages = []

            def begin(game: Game) -> Shown:
                page = opened(str(client.base_url), reduced_motion="reduce")
                pages.append(page)
                page.check(json.dumps({"hexrec": "1", "game": game.name, "size": game.sizes[0], "moves": []}))
                page.until(lambda: "legal turns" in page.text("#legal-note"))
                return page

            yield begin
            for page in pages:  # it asks nothing when the service has stopped
                page.page.goto("about:blank")
    finally:
        for game in (COL, HEX):
            games.unregister(game.name)


def played(page: Shown, turns: list[str], game: Game) -> None:
    position = game.start(game.sizes[0])
    position.play_all(turns)
    page.until(lambda: page.ply == len(turns))
    assert standing(position) in page.board
    assert hexrec.loads(page.download("json")).turns == turns


def test_rules_that_can_be_translated_are_in_the_page(begun: Open) -> None:
    page = begun(COL)
    page.page.route("**/v1/**", lambda route: route.abort())
    position = COL.start(COL.sizes[0])
    while not position.is_over:
        turn = position.legal_turns()[0]
        page.click_cell(position.board.cells.index(position.names.cells[turn]))
        position.play(turn)
        page.click_cell(0)  # it is occupied
    assert page.text("#legal-note") == "The game is over."
    page.page.click("#undo")
    played(page, position.turns[:-1], COL)
    page.forgive()


def test_the_service_plays_other_games_in_the_order_of_the_clicks(begun: Open) -> None:
    page = begun(HEX)
    page.page.evaluate(LATE, 300)
    cells = page.page.locator("#board [data-cell]").evaluate_all(MIDDLES)
    for cell in (0, 1, 1, 4):  # a cell that is taken is refused alone
        page.page.mouse.click(*cells[cell])
    page.until(lambda: page.ply == 3)
    page.page.click("#undo")
    page.until(lambda: page.ply == 2)
    for cell in (5, 8):
        page.page.mouse.click(*cells[cell])
    page.page.click("#undo")  # of the click that waits
    turns = hexrec.loads(page.download("json")).turns
    names = HEX.start(3).board.names("row")
    board = HEX.start(3).board
    assert turns == [names.single(board.cells[cell]) for cell in (0, 1, 5)]
    played(page, list(turns), HEX)
