"""Games from elsewhere, on a board of hexrec's and on one of their own, do what hexrec's own games do.

They are registered for one test at a time, through the call that any program may use.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from codes import pages
from hexrec_col import COL

import hexrec
from hexrec import render
from hexrec.record.random import random_record
from hexrec.record.validation import read_record
from hexrec.rules import games
from hexrec.rules.game import Game
from hexrec.util.diagnostics import Code
from hexrec.web.replay import replay_data
from tests.cli.conftest import Run
from tests.cli.conftest import hexrec as run
from tests.examples.havannah import HAVANNAH
from tests.examples.hex import HEX
from tests.rules import test_conformance as conformance
from tests.rules.random_games import RandomGame

__all__ = ["run"]

EXAMPLES = {"col": COL, "havannah": HAVANNAH, "hex": HEX}
#: What ends games, by game and what it is: size, turns, winner, and the highlighted cells.
ENDINGS: dict[str, tuple[Game, int, str, str, str]] = {
    "ring-round-an-empty-cell": (HAVANNAH, 4, "d3 a1 d5 a2 e3 f1 e4 g1 c3 g3 c4", "black", "c3 c4 d3 d5 e3 e4"),
    "filled-ring": (HAVANNAH, 4, "d4 a1 d3 a3 d5 f1 e3 g1 e4 g3 c3 b1 c4", "black", "c3 c4 d3 d4 d5 e3 e4"),
    "white-can-place-nowhere": (COL, 3, "a3 c2 c5 e3 a1 b3 e1", "black", "c1 c3 d3"),
    "bridge": (HAVANNAH, 4, "a1 d4 a2 d3 a3 d5 a4", "black", "a1 a2 a3 a4"),
    "fork": (HAVANNAH, 4, "a2 g1 b2 g3 b1 f4 c2 e5 d2 d5 e1", "black", "a2 b1 b2 c2 d2 e1"),
    "black-from-bottom-to-top": (HEX, 3, "a2 a1 b2 a3 c2", "black", "a2 b2 c2"),
    "stones-apart-from-the-chain": (HEX, 4, "a1 a2 b1 b2 c1 a4 a3 c2 d1", "black", "a1 b1 c1 d1"),
    "white-from-left-to-right": (HEX, 3, "a1 b1 a2 b2 c1 b3", "white", "b1 b2 b3"),
}


@pytest.fixture(params=EXAMPLES)
def game(request: pytest.FixtureRequest) -> Iterator[Game]:
    """A game that is registered during the test."""
    example = EXAMPLES[request.param]
    games.register(example)
    yield example
    games.unregister(example.name)


@pytest.fixture(params=range(2), ids=lambda seed: f"seed-{seed}")
def played(game: Game, request: pytest.FixtureRequest) -> RandomGame:
    return RandomGame(game.name, game.sizes[0], None, request.param)


def random_data(game: Game) -> dict[str, Any]:
    return random_record(game, game.sizes[1], None, "example", 10_000)


def test_a_wrong_turn_is_named(game: Game) -> None:
    record = read_record({**random_data(game), "moves": ["b2", "b2"]} | {"result": {"termination": "time"}})
    (diagnostic,) = hexrec.validate(record).diagnostics
    assert (diagnostic.code, diagnostic.ply) == ("move/occupied", 2)


def test_the_board_is_drawn(game: Game) -> None:
    record = read_record(random_data(game))
    position = record.start()
    assert render.svg(record).count("<circle") >= len(record.moves)
    stones = position.board.size
    lines = str(position).splitlines()
    assert sum(line.count(".") for line in lines) == len(position.board.cells)
    assert len(lines) == (stones if game is HEX else 2 * stones - 1)


def test_the_page_knows_where_the_cells_are(game: Game) -> None:
    """The origin is in the middle of the board, and the plate reaches beyond all cells."""
    board = replay_data(hexrec.validate(read_record(random_data(game))))["board"]
    across, down = zip(*board["places"], strict=True)
    assert (min(across), min(down)) == (-max(across), -max(down))
    _, _, width, height = board["boxes"]["none"]
    assert width / 2 > max(across)
    assert height / 2 > max(down)


@pytest.mark.parametrize(("example", "size", "turns", "winner", "cells"), ENDINGS.values(), ids=ENDINGS)
def test_endings(example: Game, size: int, turns: str, winner: str, cells: str) -> None:
    position = example.start(size)
    for turn in turns.split():
        assert not position.is_over
        position.play(turn)
    outcome = position.result()
    assert (outcome.winner if outcome else "") == winner
    shown = {position.names.names[cell] for highlight in position.highlights() for cell in highlight.cells}
    assert shown == set(cells.split())
    told = [row.cells for table in position.explain().tables for row in table.rows]
    assert told == [highlight.cells for highlight in position.highlights()]


def test_examples_of_refusals(game: Game) -> None:
    """Each is a record with just that error."""
    assert game.refusals
    for code, explained in game.refusals.items():
        (report,) = hexrec.check_text(explained.example, "yaml")
        assert [diagnostic.code for diagnostic in report.diagnostics] == [code]


@pytest.mark.parametrize("turn", ["swap", "a1-a2"])
def test_a_text_that_is_no_cell_is_not_taken_for_a_pass(turn: str) -> None:
    position = replace(HEX, turn="{cell}(?:-{cell})?|swap|pass").start(4)
    assert position.is_legal("a1")
    assert not position.is_legal(turn)
    with pytest.raises(hexrec.IllegalTurn, match=f'^"{turn}" is not a turn of Hex: a turn is the cell to place'):
        position.play(turn)


def test_a_pass_in_a_game_without_passes() -> None:
    position = HEX.start(4)
    assert not position.is_legal("pass")
    with pytest.raises(hexrec.IllegalTurn, match='"pass" is not a turn of Hex'):
        position.play("pass")


def test_commands(game: Game, run: Run, tmp_path: Any) -> None:
    assert f"{game.name} " in run("games").out
    file = tmp_path / "one.yaml"
    assert run("random", game.name, "-o", str(file)).code == 0
    assert run("validate", str(file)).code == 0
    assert run("show", str(file)).code == 0
    assert run("score", str(file)).code == 0


def test_explained_refusals_come_along() -> None:
    code = Code("It is so.", "Do this.", rule="The rule.")
    games.register(replace(COL, refusals={"move/never": code}))
    try:
        assert "### `move/never`" in pages()["codes/move.md"]
    finally:
        games.unregister(COL.name)


class TestConformance:
    """What holds for every game in the registry holds for these."""

    def test_texts(self, played: RandomGame) -> None:
        conformance.test_a_text_is_legal_or_refused_alike_by_all_calls(played)

    def test_after_the_end(self, played: RandomGame) -> None:
        conformance.test_nothing_may_follow_the_end(played)
