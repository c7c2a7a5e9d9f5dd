"""Whole games entered as fast as somebody can, by clicks and by typing, whatever the service does: no turn is lost."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

import pytest

import hexrec
from hexrec.record.canonical import canonical_form
from hexrec.record.record import Record
from hexrec.rules import games
from tests.properties import FACTOR
from tests.web.conftest import Shown
from tests.web.games import GAMES, standing
from tests.web.test_entry import begun, clicks_of

#: The seeds of random games on the smallest boards: of each, one of the shortest that is a real game.
SEEDS = {"sundraval": 211, "sunspot": 13, "frasvel": 41, "valaturna": 425, "nadraz": 19}
#: Lets every answer be late by some milliseconds.
LATE = """milliseconds => {
    const ask = window.fetch;
    window.fetch = async (...given) => {
        await new Promise((go) => setTimeout(go, milliseconds));
        return ask(...given);
    };
}"""
#: Returns the middles of cells on the screen.
MIDDLES = """cells => cells.map((each) => each.getBoundingClientRect())
    .map(({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2])"""


class Way(NamedTuple):
    """How a game is entered: the latency in milliseconds, and what the person does."""

    latency: int
    typed: bool = False
    doubled: bool = False
    undone: bool = False
    away: bool = False
    size: int | None = None


def ways() -> Iterator[tuple[str, Way]]:
    """Yield the ways to enter each game: in the suite one, of which all games together have every part."""
    some = [Way(300), Way(1000, doubled=True), Way(0, typed=True, undone=True), Way(300, undone=True, away=True)]
    for number, game in enumerate(GAMES):
        if FACTOR == 1:
            yield game, some[number % len(some)]
            continue
        for latency, typed, doubled in product((0, 300, 1000), (False, True), (False, True)):
            yield game, Way(latency, typed, doubled and not typed, undone=True, away=latency == 300)
        yield game, Way(300, size=games.get(game).recommended[0], undone=True)


def random_game(name: str, size: int, seed: int) -> Record:
    game, chance = games.get(name), random.Random(seed)
    opening = game.random_opening(chance, size)
    position = game.start(size, opening)
    turns = []
    while not position.is_over:
        turns.append(chance.choice(position.legal_turns()))
        position.play(turns[-1])
    return hexrec.loads(begun(game=name, size=size, moves=turns, **({"opening": opening} if opening else {})))


@pytest.mark.parametrize(("game", "way"), [*ways()])
def test_a_whole_random_game_is_recorded_exactly(page: Shown, game: str, way: Way) -> None:
    record = random_game(game, way.size or games.get(game).sizes[0], SEEDS[game])
    page.check(json.dumps({**canonical_form(record), "moves": []}))
    page.page.evaluate(LATE, way.latency)
    # The board stays where it is from the first click to the last.
    cells = page.page.locator("#board [data-cell]").evaluate_all(MIDDLES)
    chance = random.Random(str(way))
    position = record.start()
    keys, mouse = page.page.keyboard, page.page.mouse

    def enter(turn: str) -> None:
        if way.typed:
            keys.type(turn)
            keys.press("Enter")
            return
        clicks = clicks_of(position, turn)
        for count, cell in enumerate(clicks):
            # The last part again ends a turn; a person who means that does not click twice at once.
            is_double = way.doubled and clicks.count(cell) == 1
            mouse.click(*cells[cell], click_count=2 if is_double else 1, delay=0 if count else 1)
        if not clicks:
            page.page.click("#pass")

    if way.typed:
        page.page.focus("#cells")
    for ply, turn in enumerate(record.turns):
        if way.away and ply == len(record.turns) // 3:
            page.page.route("**/v1/**", lambda route: route.abort())
        if way.away and ply == len(record.turns) * 2 // 3:
            page.page.unroute_all()
        enter(turn)
        position.play(turn)
        if way.undone and not chance.randrange(4):
            # As many turns are taken back, and played again or brought back.
            count = chance.randint(1, min(3, ply + 1))
            for _ in range(count):
                page.page.click("#undo")
            again = [position.undo() for _ in range(count)][::-1]
            is_redone = chance.randrange(2)
            for _ in again if is_redone else ():
                page.page.click("#redo")
            if way.typed:
                page.page.focus("#cells")
            for each in again:
                if not is_redone:
                    enter(each)
                position.play(each)
    recorded = hexrec.loads(page.download("json"))
    assert recorded.turns == record.turns
    assert standing(position) in page.board
    assert page.text("#legal-note") == "The game is over."
    page.until(lambda: page.text("#report-title") == "Valid")
    assert hexrec.validate(recorded).result == position.result() is not None
    page.errors.clear()  # that the service did not answer


def test_typed_turns_do_not_wait_for_each_other(page: Shown) -> None:
    page.check(begun())
    page.page.evaluate(LATE, 1000)
    page.page.focus("#cells")
    for turn in ("d4", "d5", "c3", "b2"):
        page.page.keyboard.type(turn)
        page.page.keyboard.press("Enter")
    assert page.text("#caption") == "After ply 4, White b2; Black to play"
    assert hexrec.loads(page.download("json")).turns == ["d4", "d5", "c3", "b2"]


def test_a_second_click_and_a_refused_one_do_nothing_else(page: Shown) -> None:
    page.check(begun())
    first, second, *_ = page.page.locator("#board [data-cell]").evaluate_all(MIDDLES)
    page.page.mouse.dblclick(*first)
    page.page.mouse.click(*first)
    page.page.mouse.click(*second)
    page.page.click("#undo")
    page.page.mouse.click(*second)
    page.page.keyboard.press("p")
    assert page.text("#caption") == "After ply 2, White a2; Black to play"
    assert hexrec.loads(page.download("json")).turns == ["a1", "a2"]


def test_a_pass_that_is_not_legal_is_refused_in_words(page: Shown) -> None:
    page.check(begun())
    page.page.focus("#board")
    page.page.keyboard.press("p")
    page.until(lambda: page.text("#legal-note") == "A pass is not legal here.")


def test_what_is_done_while_the_server_is_away_stays_when_it_comes_back(opened: Callable[..., Shown]) -> None:
    """The server is stopped, and another one is started in its place."""
    from hexrec.server.limits import Limits
    from tests.server.conftest import serving

    with serving(Limits(), workers=1) as client:
        port = client.base_url.port or 0
        page = opened(str(client.base_url), reduced_motion="reduce")
        page.check(begun())
        page.play("d4")
    for turn in ("d5", "c3", "b2"):
        page.play(turn)
    page.page.click("#undo")
    page.page.click("#details summary")
    page.page.fill("[data-field='date']", "2026-11-28")
    page.page.press("[data-field='date']", "Tab")
    assert page.text("#caption") == "After ply 3, Black c3; White to play"
    page.until(lambda: page.page.is_visible("#away"))
    with serving(Limits(), workers=1, port=port):
        page.until(lambda: page.page.is_hidden("#away"))
        page.page.select_option("#format", "yaml")
        page.page.click("#download")
        page.until(lambda: page.text("#save-note") == "Saved as game.yaml: 3 turns.")
        record = json.loads(page.download("json"))
        assert (record["moves"], record["date"]) == (["d4", "d5", "c3"], "2026-11-28")
        page.forgive()
