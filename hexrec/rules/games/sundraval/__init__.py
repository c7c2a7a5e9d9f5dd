"""Sundraval: the description of the game."""

from __future__ import annotations

from hexrec.rules.description import Brief
from hexrec.rules.game import Game
from hexrec.rules.games.sundraval.rules import Sundraval
from hexrec.rules.games.sundraval.words import SundravalPosition
from hexrec.rules.terms import Reading

SUNDRAVAL = Game(
    name="sundraval",
    title="Sundraval",
    designers=("Saïd Gadwen",),
    contributors=("Drew Edwards", "Dale Walton"),
    year=2023,
    rulesets=("2023",),
    sizes=range(3, 12),
    recommended=(9,),
    opening=("black", "white"),
    turn="pass|{cell}",
    turn_help="the cell to place a stone on, such as e5, or pass",
    example="e5",
    score="number",
    rules=Sundraval,
    position=SundravalPosition,
    sgf_number=5000,
    readings=(
        Reading(
            "S-3b",
            "a territory that touches several groups counts for the largest of them, and of equal ones for the one "
            "with the first cell",
        ),
    ),
    brief=Brief(
        goal=(
            "Surround territories: empty regions that touch stones of your color only. A group with several "
            "territories scores more than as many groups with one each."
        ),
        turn="Pass, or place a stone on an empty cell whose empty region touches an enemy stone.",
        end=(
            "Two passes in a row end the game. Strangled groups are removed. A group is strangled if it has "
            "no territory, no path over empty cells to a living friendly group, but one to an enemy group "
            "that is larger or has a territory. A path to a smaller enemy group that is strangled saves it. "
            "Then each group with N territories scores N(N+1)/2, and the color with the larger territories, "
            "compared from the largest down, gets half a point. The higher score wins."
        ),
    ),
)
