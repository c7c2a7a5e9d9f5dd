"""Which games there are: hexrec's own, those that a program registers, and those of installed packages.

A package offers a game with an entry point of the group ``hexrec.games``, whose name is the game's and which leads to a
`Game`. Packages are looked through only when a name is asked for that is none of hexrec's own, or all names are.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TypeGuard

from hexrec import plugins
from hexrec.errors import ArgumentError, UnknownNameError
from hexrec.games.game import Game

#: hexrec's own games: a game's name is its module's, its description the module's constant in capitals.
BUILT_IN = (
    "sundraval",
    "sunspot",
    "frasvel",
    "valaturna",
    "nadraz",
)
_registered: dict[str, Game] = {}


def names() -> tuple[str, ...]:
    """Return the names of all games, in the order in which they are listed: hexrec's own first."""
    return (*BUILT_IN, *_registered, *_plugins())


def is_known(name: object) -> TypeGuard[str]:
    """Return whether there is a game with that name; quick for hexrec's own."""
    return isinstance(name, str) and (name in BUILT_IN or name in _registered or name in _plugins())


def get(name: str) -> Game:
    """Return a game by its name, importing its engine on first use. Raises UnknownNameError."""
    if name in BUILT_IN:
        return _built_in(name)
    game = _registered.get(name) or _plugins().get(name)
    if game is None:
        raise UnknownNameError(f"unknown game {name!r}; known: {', '.join(names())}")
    return game


def register(game: Game) -> None:
    """Add a game, for this process. Raises ValueError if there is one of that name."""
    if is_known(game.name):
        raise ArgumentError(f"there is a game {game.name!r} already")
    _registered[game.name] = game
    plugins.registered.add(game.position.__module__)


def unregister(name: str) -> None:
    """Take a game out that `register` added. Raises UnknownNameError for any other."""
    if _registered.pop(name, None) is None:
        raise UnknownNameError(f"no game {name!r} has been registered")


@cache
def _built_in(name: str) -> Game:
    game: Game = getattr(import_module(f"hexrec.games.{name}"), name.upper())
    return game


@cache
def _plugins() -> dict[str, Game]:
    """Return the games of installed packages. One that cannot be used is named in a warning and left out."""
    return plugins.load("hexrec.games", Game, BUILT_IN)
