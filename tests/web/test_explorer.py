"""The explorer: what was played in the position on the board, in the records that are open."""

from __future__ import annotations

import json

import pytest

from tests.web.conftest import Shown

#: Four games of Sunspot: one has the mirror image of the first's turns, one is invalid.
LINES = (
    {"moves": ["d4", "c4", "e4"], "result": {"winner": "black", "termination": "resignation"}, "event": "City Open"},
    {"moves": ["d4", "e3", "c3"], "result": {"winner": "white", "termination": "resignation"}},
    {"moves": ["d4", "a1"], "players": {"black": {"name": "Ada"}, "white": {"name": "Ben"}}},
    {"moves": ["d4", "d4"]},
)


@pytest.fixture
def explorer(page: Shown) -> Shown:
    """Return the page with the explorer unfolded, after the first turn of the first game."""
    page.check("\n".join(json.dumps({"hexrec": "1", "game": "sunspot", "size": 4, **line}) for line in LINES))
    page.page.click("#record-0")
    page.until(lambda: page.ply == 3)
    page.go_to(1)
    page.page.click("#explorer summary")
    page.until(lambda: page.text("#explorer-note") == "3 games have this position.")
    return page


def turns(page: Shown) -> list[list[str]]:
    rows = page.page.locator("#explorer-turns tr").all()[1:]
    return [row.locator("td").all_inner_texts() for row in rows]


def test_turns_are_counted_and_played_and_games_opened(explorer: Shown) -> None:
    """c4 and e3 are mirror images of each other, and count as one; either may stand for both."""
    (first, *counts), (second, *others) = turns(explorer)
    assert first in ("c4", "e3", "c3", "e4", "d3", "d5")
    assert (counts, others) == (["2", "1", "1", "0"], ["1", "0", "0", "0"])
    # It follows the board.
    explorer.go_to(2)
    explorer.until(lambda: explorer.text("#explorer-note") == "2 games have this position.")
    explorer.go_to(3)
    explorer.until(lambda: explorer.page.is_hidden("#explorer-turns"))
    explorer.go_to(1)
    button = explorer.page.get_by_role("button", name=second, exact=True).last
    explorer.moved(lambda: button.click())
    assert explorer.ply == 2
    explorer.go_to(0)
    explorer.until(lambda: "Ada – Ben" in explorer.text("#explorer-games"))
    explorer.page.get_by_role("button", name="2: Ada – Ben").click()
    explorer.until(lambda: explorer.text("#black").startswith("Ada"))


def test_edited_games_count_as_they_are_now(explorer: Shown) -> None:
    explorer.play("b2")
    explorer.go_to(0)
    explorer.page.click("#record-2")
    explorer.until(lambda: explorer.ply == 2)
    explorer.play("b2")
    explorer.go_to(2)
    explorer.until(lambda: [row[1:] for row in turns(explorer)] == [["1", "0", "0", "0"]])


def test_one_game_needs_no_explorer(page: Shown) -> None:
    page.check(json.dumps({"hexrec": "1", "game": "sunspot", "size": 4, "moves": ["d4"]}))
    assert page.page.is_hidden("#explorer")
