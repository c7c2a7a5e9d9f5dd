"""Kernels: fast implementations of the rules on arrays, compiled to machine code.

A kernel replays a whole record. It computes results only for records whose turns are all legal, and explains nothing.
The engine replays all other records: it specifies the rules and words all refusals. Only compiled kernels are used,
because uncompiled ones are slower than the engines. `HEXREC_PURE=1` in the environment turns kernels off;
`HEXREC_REQUIRE_KERNELS=1` makes it an error that they are missing.
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
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, Outcome
from hexrec.util.limits import EnvironmentVariableError

if TYPE_CHECKING:
    from hexrec.rules.kernels.kernel import Ending, Kernel, State

_COMPILED = "hexrec.rules.kernels.compiled"
#: Environment variables: the first turns kernels off, the second makes missing kernels an error.
PURE, REQUIRED = "HEXREC_PURE", "HEXREC_REQUIRE_KERNELS"
#: The winner for each number in an `Ending`.
_WINNERS: tuple[Literal["black", "white", "draw"], ...] = (*COLORS, "draw")
#: Held while a kernel runs: all threads share its arrays.
_WORKSPACE = Lock()


class Played(NamedTuple):
    """Replay of a game whose turns are all legal.

    Attributes:
        outcome: the outcome; None if the game is in progress.
        turns: the turns in canonical form.
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
) -> Played | Literal[False] | None:
    """Replay a game with its kernel; return False if a turn is illegal, None if only the engine can decide.

    Turns that are objects, in upper case or with whitespace around them count as illegal. The position before the first
    turn and the position after each turn are added to `states`, if given.
    """
    rules = get(game.name, size, coordinates, variant)
    if rules is None or ruleset != game.rulesets[0]:
        return None
    cells: list[int] = []
    for color in game.opening:
        # Axial names have parentheses only in turns. The names include `pass`, with a negative number.
        name = opening[color] if coordinates != "axial" else f"({opening[color]})"
        cell = rules.names.get(name, -1)
        if cell < 0 or cell in cells:
            return None
        cells.append(cell)
    with _WORKSPACE:
        ending = rules.replay(cells, turns, states)
        spelled: list[Any] = turns if rules.respelled is None else rules.respelled
        is_over = rules.is_over
    if ending is not None:
        return Played(_outcome(ending), spelled)
    # Without an ending, a game that is over either goes on or has a score that only the engine can compute.
    return None if is_over else False


def play_out(position: Position[Any], rng: Random, most: int) -> bool:
    """Play at most `most` random turns in a position; return False if no kernel can, with the position unchanged."""
    game = position.game
    rules = get(game.name, position.board.size, position.names.system, position.variant)
    if rules is None or position.ruleset != game.rulesets[0]:
        return False
    turns: list[str] = []
    with _WORKSPACE:
        rules.start(*position.as_numbers())
        rules.play_out(rng.randrange, turns, most)
        state = rules.state()  # before `ending`, which may remove strangled stones
        ending = rules.ending()
        is_over = rules.is_over
    position.go_to(turns, state, is_over=is_over, outcome=ending and _outcome(ending))
    return True


def _outcome(ending: Ending) -> Outcome | None:
    winner, black, white = ending
    if winner >= len(_WINNERS):
        return None
    score: Any = None if black is None else {"black": black, "white": white}
    return Outcome(_WINNERS[winner], score)


def is_set(variable: str) -> bool:
    """Return whether an environment variable is set to a value other than 0."""
    return os.environ.get(variable, "") not in ("", "0")


@cache
def find_obstacle() -> str:
    """Return the reason why no compiled kernels are used, or an empty string if they are."""
    if is_set(PURE):
        return f"{PURE} is set"
    if not compiled.exist():
        return compiled.read_reason()
    if not compiled.are_current():
        return "their sources are newer: compile them with `nox -s kernel`"
    try:
        import_module(f"{_COMPILED}.kernel")
    # librt raises ValueError if it has another binary interface than the librt that compiled them.
    except (ImportError, ValueError) as error:
        return f"they cannot be loaded ({error}): install a version of librt that they can use"
    return ""


@cache
def is_compiled() -> bool:
    """Return whether compiled kernels are used.

    Raises EnvironmentVariableError if HEXREC_REQUIRE_KERNELS is set and they are not.
    """
    obstacle = find_obstacle()
    if obstacle and is_set(REQUIRED):
        raise EnvironmentVariableError(f"{REQUIRED} is set, and there are no compiled kernels: {obstacle}")
    return not obstacle


def describe_missing() -> str:
    """Return a message that no compiled kernels are used, or an empty string if they are, or if that is a choice."""
    obstacle = "" if is_set(PURE) else find_obstacle()
    return obstacle and f"no compiled kernels, so this takes several times as long ({obstacle})"


@cache
def get(game: str, size: int, system: System, variant: str | None) -> Kernel | None:
    """Return the cached kernel of a game with cell names in a coordinate system; None if no kernel can be used."""
    if game not in games.BUILT_IN or not is_compiled():
        return None
    return load(_COMPILED, game, size, system, variant)


def load(package: str, game: str, size: int, system: System, variant: str | None) -> Kernel | None:
    """Return a new kernel from a package: that of the compiled modules, or `hexrec.rules.kernels`.

    The module has the name of the game, and the class of the kernel begins with it.
    """
    rules = games.get(game)
    try:
        module = import_module(f"{package}.{game}")
    except ModuleNotFoundError:
        return None
    board = rules.board(size)
    names = board.names(system).cells
    kind: type[Kernel] = getattr(module, f"{game.capitalize()}Kernel")
    return kind((board.span, board.cells, board.steps), names, variant is not None)
