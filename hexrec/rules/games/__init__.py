"""Which games there are: hexrec's own, those that a program registers, and those of installed packages.

A package offers a game with an entry point of the group ``hexrec.games``, whose name is the game's and which leads to
a `Game`.
"""

from __future__ import annotations

from importlib import import_module

from hexrec.rules.game import Game
from hexrec.util.plugins import Registry

#: hexrec's own games: a game's name is its module's, its description the module's constant in capitals.
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


GAMES = Registry("hexrec.games", Game, BUILT_IN, _load, "position")
names, is_known, get, register, unregister = (
    GAMES.names,
    GAMES.is_known,
    GAMES.get,
    GAMES.register,
    GAMES.unregister,
)
