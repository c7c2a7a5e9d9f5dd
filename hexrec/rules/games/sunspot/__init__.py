"""Sunspot: the description of the game."""

from __future__ import annotations

from hexrec.rules.description import Brief
from hexrec.rules.game import Game
from hexrec.rules.games.sunspot.rules import Sunspot
from hexrec.rules.games.sunspot.words import SunspotPosition
from hexrec.rules.terms import Reading

SUNSPOT = Game(
    name="sunspot",
    title="Sunspot",
    designers=("Hoembla",),
    year=2024,
    rulesets=("2024",),
    sizes=range(4, 12),
    recommended=(7, 5, 6, 8, 9, 10, 11),
    opening=(),
    turn="pass|{cell}(?:x{cell}(?:x{cell})?)?|x{cell}(?:x{cell})?",
    turn_help=(
        "the cell to place a stone on, such as h8; with a flip, x and the stone to flip follow, and x and a stone of "
        "the edge subgroup to flip back where one is due, as in h8xi3xj2; on a full board it is the flip alone, or pass"
    ),
    example="h8xi3xj2",
    score=None,
    rules=Sunspot,
    position=SunspotPosition,
    synonyms=True,
    sgf_number=5001,
    readings=(
        Reading(
            "P-1b",
            "a loop counts only if it cuts off a cell that was not cut off just before: before the turn, or, when the "
            "turn flips, before the flip",
            "Abstract Play",
        ),
        Reading("P-2b", "on a full board on which the player has nothing to flip, the game ends in a draw"),
    ),
    brief=Brief(
        goal=(
            "Close a loop: stones of your color that cut off an empty cell or an enemy stone from the edge of "
            "the board."
        ),
        turn=(
            "Place a stone on any empty cell. Then you may flip an interior enemy stone of a group that also "
            "has edge stones. Edge stones are on the edge of the board or see it across empty cells; all "
            "others are interior. If the flipped stone now belongs to such a group of your color, choose a "
            "connected set of edge stones of that group and flip it to the enemy's color."
        ),
        end=(
            "A turn after which there is a loop ends the game. The owner of the loop wins; if both have one, "
            "the player who had the turn wins. On a full board, a turn is a flip alone."
        ),
    ),
)
