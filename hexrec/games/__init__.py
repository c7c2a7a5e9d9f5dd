"""Games: rules engines behind one interface, and the registry that finds them by name.

A new game of hexrec's is its engine in `rules`, a module with its `Game`, one line in `BUILT_IN` and a folder of
fixtures. A game from elsewhere is registered with `register`, or by an entry point of the group ``hexrec.games`` that
names its `Game`; see `hexrec.games.registry`.
"""

from __future__ import annotations

from hexrec.games.description import Brief
from hexrec.games.game import Game
from hexrec.games.position import CellPosition, Position
from hexrec.games.registry import BUILT_IN, get, is_known, names, register, unregister
from hexrec.games.terms import (
    COLOURS,
    Annotation,
    Colour,
    IllegalOpening,
    IllegalSetup,
    IllegalTurn,
    Outcome,
    Role,
    RuleError,
    Ruleset,
    Score,
    SetupFault,
    Stone,
)

__all__ = [
    "BUILT_IN",
    "COLOURS",
    "Annotation",
    "Brief",
    "CellPosition",
    "Colour",
    "Game",
    "IllegalOpening",
    "IllegalSetup",
    "IllegalTurn",
    "Outcome",
    "Position",
    "Role",
    "RuleError",
    "Ruleset",
    "Score",
    "SetupFault",
    "Stone",
    "get",
    "is_known",
    "names",
    "register",
    "unregister",
]
