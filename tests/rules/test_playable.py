"""What programs that play games call: turns taken back, random turns and playouts, hashes, actions and planes."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import hexrec
from hexrec.rules import games
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS
from tests.cases import all_of
from tests.rules.random_games import RandomGame, each_of, random_games, small_sizes

SMALL = [played for name in games.BUILT_IN for played in random_games(name, small_sizes(name)[:1], (1,))]
RECOMMENDED = [
    played for name in games.BUILT_IN for played in random_games(name, games.get(name).recommended[:1], (1,))
]


def key(position: Position) -> tuple[object, ...]:
    """Return all that users see of a position."""
    return position.text(), position.plies, position.turns, position.result(), position.legal_turns(), position.hash()


@each_of(SMALL)
class TestUndo:
    def test_takes_back_turns_that_were_played_together(self, played: RandomGame) -> None:
        position, other = played.start(), played.start()
        position.play_all(played.turns)
        other.play_all(played.turns[:-1])
        twin = position.copy()
        position.undo()
        assert key(position) == key(other)
        assert twin.turns == [*position.turns, *twin.turns[-1:]]
        while position.plies:
            position.undo()
        assert key(position) == key(played.start())

    def test_hashes_are_equal_where_positions_are(self, played: RandomGame) -> None:
        position = played.start()
        seen: dict[int, Position] = {position.hash(): position.copy()}
        for turn in played.turns:
            position.play(turn)
            assert seen.setdefault(position.hash(), position.copy()) == position

    def test_stones_by_name(self, played: RandomGame) -> None:
        position = played.start()
        position.play_all(played.turns[: len(played.turns) // 2])
        for cell in position.board.cells:
            name, stack = position.names.single(cell), position.stacks().get(cell)
            stone = stack and hexrec.Stone(COLORS[stack.color], stack.height)
            assert position[name] == position.stones.get(name) == stone


def test_nothing_to_take_back() -> None:
    position = hexrec.new_game("sunspot", size=4)
    with pytest.raises(ValueError, match="no turn has been played"):
        position.undo()


def test_a_cell_off_the_board() -> None:
    with pytest.raises(LookupError, match="z9 is not a cell of a board of size 4"):
        hexrec.new_game("sunspot", size=4)["z9"]


def _through_pickle(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@each_of(SMALL)
@pytest.mark.parametrize("make_copy", [_through_pickle, copy.copy, copy.deepcopy])
def test_copies_go_on_on_their_own(played: RandomGame, make_copy: Callable[[Any], Any]) -> None:
    middle = len(played.turns) // 2
    position = played.start()
    position.play_all(played.turns[:middle])
    before = key(position)
    twin, grid = make_copy(position), make_copy(position.grid)
    for turn in played.turns[middle:]:
        twin.play(turn)
        assert grid.play(grid.read(turn)) == 0
    assert key(position) == before
    position.play_all(played.turns[middle:])
    assert key(twin) == key(position)
    assert (grid.contents(), grid.winner) == (position.contents(), position.grid.winner)
    while twin.turns:
        assert twin.undo() == position.undo()
    assert key(twin) == key(position) == key(played.start())


@each_of(SMALL + RECOMMENDED)
@all_of("plies", [0, 30])
def test_playouts_go_on_with_the_turns_that_random_turn_draws(played: RandomGame, plies: int) -> None:
    start = played.start()
    start.playout(played.random(), plies)
    position, other = start.copy(), start.copy()
    outcome, rng = position.playout(Random(1), 60), Random(1)
    while not other.is_over and other.plies < start.plies + 60:
        other.play(other.random_turn(rng))
    assert outcome == other.result()
    assert key(position) == key(other)
    assert position.copy().turns[: start.plies] == start.turns
    while position.plies > start.plies:
        position.undo()
    assert position == start


def test_no_turn_to_draw_once_the_game_is_over() -> None:
    position = hexrec.new_game("sunspot", size=4)
    outcome = position.playout(Random(1))
    assert outcome == position.result() == position.playout(Random(1))
    with pytest.raises(ValueError, match="the game is over"):
        position.random_turn(Random(1))


_PLAY = """
import random, hexrec
for name in hexrec.games.names():
    game, rng = hexrec.games.get(name), random.Random(name)
    size = game.sizes[1]
    position = hexrec.new_game(name, size=size, opening=game.random_opening(rng, size))
    position.playout(rng)
    print(position.turns, position.result(), position.hash(), rng.random())
"""


def test_the_same_games_with_interpreted_rules() -> None:
    said = {
        subprocess.run(
            [sys.executable, "-c", _PLAY], env=os.environ | pure, capture_output=True, text=True, check=True
        ).stdout
        for pure in ({"HEXREC_PURE": "1"}, {"HEXREC_PURE": ""})
    }
    assert len(said) == 1


@each_of(SMALL)
def test_actions_lead_to_all_legal_turns(played: RandomGame) -> None:
    position = played.start()
    for turn in played.turns[:40]:
        if position.plies % 8 == 0:
            assert sorted(_reached(position)) == position.legal_turns()
        position.play(turn)


def _reached(position: Position) -> list[str]:
    turns: list[str] = []
    for action in position.legal_actions():
        assert 0 <= action < position.action_space
        after = position.copy()
        after.play_action(action)
        turns += _reached(after) if after.plies == position.plies else after.turns[-1:]
    return turns


def test_actions_of_an_unfinished_turn() -> None:
    position = hexrec.new_game("nadraz", size=4, opening={"black": "d3", "white": "d5"})
    before, cell = position.text(), position.legal_actions()[0]
    position.play_action(cell)
    assert (position.text(), position.plies) == (before, 0)
    end = position.action_space - 1
    assert end in position.legal_actions()
    with pytest.raises(ValueError, match="is not legal here"):
        position.play_action(cell)
    position.play_action(end)
    assert position.turns == [position.names.single(position.board.cells[cell])]
    position.undo()
    assert position.legal_actions()[0] == cell
    position.play_action(cell)
    position.play("e3-e4")
    assert position.turns == ["e3-e4"]
    assert end not in position.legal_actions()


def test_planes() -> None:
    position = hexrec.new_game("frasvel", opening={"black": "e5"})
    planes = position.planes()
    assert planes.shape == (5, 9, 9)
    assert planes.dtype == np.float32
    assert (planes[0].sum(), planes[0, 4, 4], planes[1].sum()) == (1, 1, 0)
    assert planes[2].sum() == len(position.board.cells)
    assert not planes[3:].any()
    position.play("a1")
    assert (position.planes()[0].sum(), position.planes()[1, 4, 4], position.planes()[1].sum()) == (0, 1, 2)


def test_planes_have_heights() -> None:
    position = games.get("frasvel").start(position="w*32/4/2b2/4/3 b 0")
    planes = position.planes()
    assert (planes[0].max(), planes[1].max()) == (1, 3)


def test_planes_of_an_unfinished_turn() -> None:
    position = hexrec.new_game("nadraz", size=4, opening={"black": "d3", "white": "d5"})
    assert not position.planes()[3].any()
    first, *_ = position.legal_actions()
    assert not position.planes()[3].any()
    position.play_action(first)
    assert np.argwhere(position.planes()[3]).tolist() == np.argwhere(position.planes()[2])[[first]].tolist()
    position.play_action(position.action_space - 1)
    assert not position.planes()[3].any()


def test_planes_after_a_pass() -> None:
    position = hexrec.new_game("valaturna", size=4, opening={"black": "d3", "white": "d5"})
    position.play("pass")
    assert (position.planes()[4] == 1).all()


@pytest.mark.parametrize("game", games.BUILT_IN)
def test_symmetries_of_actions_and_planes(game: str) -> None:
    rules, rng = games.get(game), Random(1)
    size = rules.sizes[1]
    opening = rules.random_opening(rng, size)
    first = rules.start(size, opening)
    cells = first.board.cells
    for image in first.action_symmetries():
        placed = {color: first.names.find(name) for color, name in opening.items()}
        moved = {color: cells[image[cells.index(cell)]] for color, cell in placed.items() if cell is not None}
        position = rules.start(size, opening)
        other = rules.start(size, {color: first.names.single(cell) for color, cell in moved.items()})
        for _ in range(12):
            if position.is_over:
                break
            action = rng.choice(position.legal_actions())
            assert other.legal_actions() == sorted(image[legal] for legal in position.legal_actions())
            position.play_action(action)
            other.play_action(image[action])
        rows, columns = np.nonzero(position.planes()[2])
        turned = position.planes()
        turned[:, rows[image[:-1]], columns[image[:-1]]] = position.planes()[:, rows, columns]
        assert (turned == other.planes()).all()


def test_planes_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(hexrec.MissingExtraError, match="pip install numpy"):
        hexrec.new_game("sunspot").planes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"game": "sundraval"}, "give opening=.*random_opening"),
        ({"game": "sunspot", "opening": {"black": "a1"}}, "no opening"),
        ({"game": "sunspot", "size": 99}, "4 to 11"),
        ({"game": "sunspot", "ruleset": "x"}, "no ruleset"),
    ],
)
def test_games_that_cannot_begin(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        hexrec.new_game(**arguments)


def test_new_games() -> None:
    assert hexrec.new_game("sunspot").board.size == 7
    opening = hexrec.games.get("frasvel").random_opening(Random(1))
    assert hexrec.new_game("frasvel", opening=opening).stones == {opening["black"]: hexrec.Stone("black", 1)}
    text = hexrec.new_game("nadraz", size=4, opening={"black": "d3", "white": "d5"}, variant="reverse").text()
    assert hexrec.new_game("nadraz", position=text).text() == text
    assert hexrec.new_game("valaturna", opening={"black": "d3", "white": "d5"}, ruleset="2023-first").board.size == 7
