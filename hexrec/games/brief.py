"""The rules of a game in a few sentences."""

from __future__ import annotations

from typing import NamedTuple


class Brief(NamedTuple):
    """What somebody has to know to play a first game, in plain sentences; the rules themselves are the engine.

    It says what holds under the game's first ruleset.

    Attributes:
        goal: what the players are after.
        turn: what a turn is, and which terms of the game it is about.
        end: when the game is over, and who has won then.
    """

    goal: str
    turn: str
    end: str
