"""Registry of games, and start positions.

An installed package adds a game by an entry point of the group ``hexrec.games`` with the name of the game, which refers
to a `Game`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module

from hexrec.errors import ArgumentError
from hexrec.rules.board import System
from hexrec.rules.game import Game
from hexrec.rules.position import Position
from hexrec.util.plugins import Registry

#: Built-in games. The name is also that of the module, and in upper case that of its constant.
BUILT_IN = (
    "sundraval",
    "sunspot",
    "frasvel",
    "valaturna",
    "nadraz",
)


def _load(name: str) -> Game:
    game: Game = getattr(import_module(f"hexrec.rules.games.{name}"), name.upper())
    return game


GAMES = Registry("hexrec.games", Game, BUILT_IN, _load, "rules", "position", unique="sgf_number")
names, is_known, get, register, unregister = (
    GAMES.names,
    GAMES.is_known,
    GAMES.get,
    GAMES.register,
    GAMES.unregister,
)


def find(text: str) -> str | None:
    """Return the name of the game with a name or title, in either case; None if no game has it."""
    folded = text.casefold()
    if is_known(folded):  # the usual case: no other game is imported
        return folded
    return next((name for name in names() if folded == get(name).title.casefold()), None)


def new_game(
    game: str,
    *,
    size: int | None = None,
    opening: Mapping[str, str] | None = None,
    position: str | None = None,
    variant: str | None = None,
    ruleset: str | None = None,
    coordinates: System = "row",
    readings: Sequence[str] = (),
) -> Position:
    """Return the start position of a game, by default on the recommended size, or the position of a position text.

    Raises the exceptions of `Game.start`, and ArgumentError if opening stones are missing.
    """
    rules = get(game)
    if position is None and size is None:
        size = rules.usual_size(ruleset)
    if position is None and rules.opening and not opening:
        cells = ", ".join(f'"{color}": …' for color in rules.opening)
        raise ArgumentError(
            f"{rules.title} begins with stones: give opening={{{cells}}}, or draw one: "
            f'hexrec.games.get("{game}").random_opening(rng, size={size})'
        )
    return rules.start(size, opening, variant, coordinates, position=position, ruleset=ruleset, readings=readings)
