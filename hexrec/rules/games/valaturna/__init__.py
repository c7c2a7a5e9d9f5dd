"""Valaturna: the description of the game."""

from __future__ import annotations

from hexrec.rules.description import Brief
from hexrec.rules.game import Game
from hexrec.rules.games.valaturna.rules import Valaturna, ValaturnaFirst
from hexrec.rules.games.valaturna.words import ValaturnaPosition
from hexrec.rules.terms import Reading, Ruleset

VALATURNA = Game(
    name="valaturna",
    title="Valaturna",
    designers=("Saïd Gadwen",),
    year=2023,
    rulesets=("2023", "2023-first"),
    revisions=(Ruleset("2023-first", range(7, 8), ValaturnaFirst),),
    sizes=range(4, 10),
    recommended=(7, 5),
    opening=("black", "white"),
    turn="pass|{cell}",
    turn_help="the cell to place a stack on, such as e5, or pass",
    example="e5",
    score="list",
    rules=Valaturna,
    position=ValaturnaPosition,
    sgf_number=5003,
    piece="stack",
    has_stacks=True,
    readings=(
        Reading("V-2b", "a single stack must be the tallest, and it must be secure"),
        Reading("V-2c", "only the player who has just placed can win by a secure stack"),
    ),
    brief=Brief(
        goal="Have the tallest stacks, by putting your pieces on top of enemy stacks that you flank.",
        turn=(
            "Pass, or place a stack of height 1 on an empty cell that sees a friendly stack along a line. "
            "Every enemy stack that is flanked gets one of your pieces on top, and is yours. Stacks are flanked "
            "between the new stack and the next friendly one if all gaps on that line have the same number of "
            "empty cells, or if there are no gaps."
        ),
        end=(
            "A color wins when, after a placement, the tallest stacks are all of that color and one of them "
            "is secure: it can never be flanked. Two passes in a row end the game, too. Then the heights are "
            "compared from the tallest down."
        ),
    ),
)
