"""Col: place a stone next to none of your own; whoever cannot loses.

Colin Vout's map-coloring game, from Conway's *On Numbers and Games* (1976), on a hexagonal board.
"""

from __future__ import annotations

from hexrec.rules.description import Brief
from hexrec.rules.game import Game
from hexrec.util.diagnostics import Code
from hexrec_col.rules import Col as Col
from hexrec_col.words import ColPosition as ColPosition

COL = Game(
    name="col",
    title="Col",
    designers=("Colin Vout",),
    year=1976,
    rulesets=("1976",),
    sizes=range(3, 9),
    recommended=(5, 4),
    opening=(),
    turn="{cell}",
    turn_help="the cell to place a stone on, such as b2",
    example="b2",
    score=None,
    rules=Col,
    position=ColPosition,
    brief=Brief(
        goal="Be the last who can place a stone.",
        turn="Place a stone on an empty cell that is next to no stone of yours.",
        end="Whoever cannot place has lost.",
    ),
    refusals={
        "move/next-to-own": Code(
            meaning="A stone was placed next to a stone of the same color.",
            rule="No two stones of one color are neighbors.",
            fix="Name an empty cell without a neighbor of your own color.",
            example='{hexrec: "1", game: col, size: 3, moves: [c3, a1, c4]}',
        ),
        "setup/over": Code(
            meaning="In the position that a setup describes, the player to move can place nowhere, and so has lost.",
            rule="A game goes on from a setup: the player to move has a turn there.",
            fix="Set up an earlier position of the game.",
            example='{hexrec: "1", game: col, size: 3, setup: "w2/2b1/1b2w/4/w1b b 0", moves: []}',
        ),
    },
)
