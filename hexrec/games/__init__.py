"""The five games: rules engines behind one interface, and the registry that finds them by name.

A new game is one module that defines a `Game`, one line in `_MODULES` and a folder of fixtures.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from hexrec.games.base import Position
from hexrec.games.description import (
    COLOURS,
    Colour,
    Game,
    IllegalOpening,
    IllegalTurn,
    Mark,
    Outcome,
    Role,
    RuleError,
    Score,
    Stone,
)

#: The registry: a game's name is its module's, its description the module's constant in capitals.
_MODULES = (
    "sundraval",
    "sunspot",
    "frasvel",
    "valaturna",
    "nadraz",
)


def names() -> tuple[str, ...]:
    """Return the names of all games, in the order in which they are listed."""
    return _MODULES


@cache
def get(name: str) -> Game:
    """Return a game by its name, importing its engine on first use. Raises KeyError for an unknown name."""
    if name not in _MODULES:
        raise KeyError(f"unknown game {name!r}; known: {', '.join(_MODULES)}")
    game: Game = getattr(import_module(f"hexrec.games.{name}"), name.upper())
    return game


__all__ = [
    "COLOURS",
    "Colour",
    "Game",
    "IllegalOpening",
    "IllegalTurn",
    "Mark",
    "Outcome",
    "Position",
    "Role",
    "RuleError",
    "Score",
    "Stone",
    "get",
    "names",
]
