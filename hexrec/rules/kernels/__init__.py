"""The rules once more, on arrays that compile to machine code: whole records at once, results without explanations.

A kernel answers for a record whose turns are all legal, and leaves every other to the engine: engines are the only
authors of refusals and the specification of the rules. Kernels are used compiled only: uncompiled ones give the same
answers, but later than the engines. `HEXREC_PURE=1` in the environment leaves everything to the engines.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from random import Random
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from hexrec.rules import games
from hexrec.rules.board import System
from hexrec.rules.game import Game
from hexrec.rules.kernels import compiled
from hexrec.rules.playable import PlayedOut
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, Outcome

if TYPE_CHECKING:
    from hexrec.rules.kernels.grid import Ending, Kernel, State

#: The package of the compiled modules.
_COMPILED = "hexrec.rules.kernels.compiled"
#: Who has won, by what a kernel answers.
_WINNERS: tuple[Literal["black", "white", "draw"], ...] = (*COLORS, "draw")
#: Held while a kernel is at work: it has one workspace, whichever threads ask.
_WORKSPACE = Lock()


class Played(NamedTuple):
    """A whole game of legal turns.

    Attributes:
        outcome: how it has ended; None while it goes on.
        turns: the turns in their canonical spelling.
    """

    outcome: Outcome | None
    turns: list[str]


def play(
    game: Game,
    size: int,
    opening: Mapping[str, str],
    turns: list[Any],
    *,
    ruleset: str,
    variant: str | None,
    coordinates: System,
    states: list[State] | None = None,
) -> Played | None:
    """Play all turns of a game by its kernel; None leaves the game, which may have illegal turns, to the engine.

    The position before the first turn and those after each are added to `states`, where given.
    """
    rules = get(game.name, size, coordinates, variant)
    if rules is None or ruleset != game.rulesets[0]:
        return None
    cells: list[int] = []
    for color in game.opening:
        # Axial names have brackets in turns alone. `pass` is among the names, with a number that no cell has.
        name = opening[color] if coordinates != "axial" else f"({opening[color]})"
        cell = rules.names.get(name, -1)
        if cell < 0 or cell in cells:
            return None
        cells.append(cell)
    with _WORKSPACE:
        ending = rules.replay(cells, turns, states)
        spelled: list[Any] = turns if rules.respelled is None else rules.respelled
    return None if ending is None else Played(_outcome(ending), spelled)


def play_out(position: Position[Any], rng: Random, most: int) -> PlayedOut | None:
    """Go on from a position, which stays as it is, with at most `most` random turns; None if no kernel can."""
    game = position.game
    rules = get(game.name, position.board.size, position.names.system, position.variant)
    if rules is None or position.ruleset != game.rulesets[0]:
        return None
    turns: list[str] = []
    with _WORKSPACE:
        rules.start(*position.as_numbers())
        rules.play_out(rng.randrange, turns, most)
        state = rules.state()  # before the end is decided, which may take dead stones off
        ending = rules.ending()
        return PlayedOut(turns, *state, rules.is_over, ending and _outcome(ending))


def _outcome(ending: Ending) -> Outcome | None:
    winner, black, white = ending
    if winner >= len(_WINNERS):
        return None
    score: Any = None if black is None else {"black": black, "white": white}
    return Outcome(_WINNERS[winner], score)


@cache
def is_compiled() -> bool:
    """Return whether there are compiled kernels, made of the present sources, and they are wanted."""
    if os.environ.get("HEXREC_PURE", "") not in ("", "0") or not compiled.are_current():
        return False
    try:
        import_module(f"{_COMPILED}.grid")
    except ImportError:
        return False
    return True


@cache
def get(game: str, size: int, system: System, variant: str | None) -> Kernel | None:
    """Return the kernel of a game, with names of cells in a coordinate system; None if no kernel can be used."""
    if game not in games.BUILT_IN or not is_compiled():
        return None
    return load(_COMPILED, game, size, system, variant)


def load(package: str, game: str, size: int, system: System, variant: str | None) -> Kernel | None:
    """Return a new kernel from the modules of a package: the compiled ones, or `hexrec.rules.kernels`."""
    rules = games.get(game)
    try:
        module = import_module(f"{package}.{game}")
    except ModuleNotFoundError:
        return None
    board = rules.board(size)
    grid = import_module(f"{package}.grid")
    names = {**board.names(system).cells, "pass": grid.PASS}
    kernel: Kernel = module.KERNEL(grid.Grid(board.span, board.cells, board.steps), names, variant is not None)
    return kernel
