"""Catchup: fill the board with up to three stones a turn; the player with the largest group wins.

`tests/test_new_game.py` makes it a built-in game in a copy of the tree.
"""

from __future__ import annotations

from hexrec.rules.description import Brief, PositionField
from hexrec.rules.game import Game
from hexrec.util.diagnostics import Code
from tests.examples.catchup.rules import Catchup
from tests.examples.catchup.words import CatchupPosition

CATCHUP = Game(
    name="catchup",
    title="Catchup",
    designers=("Nick Bentley",),
    year=2011,
    rulesets=("2011",),
    sizes=range(3, 8),
    recommended=(5,),
    opening=(),
    turn="{cell}(?:,{cell}){0,2}",
    turn_help="the cells to place stones on, such as d4,e5, in any order",
    example="d4,e5",
    score="list",
    synonyms=True,
    sgf_number=5005,
    rules=Catchup,
    position=CatchupPosition,
    position_fields=(PositionField("1 if the turn may have three stones, else 0", ("0", "1")),),
    brief=Brief(
        goal="Have the largest group when the board is full.",
        turn=(
            "Place one or two stones on empty cells. If the enemy's last turn made the largest group on the board "
            "larger, you may place three. The first turn of the game is one stone."
        ),
        end="When the board is full, the larger group wins; if they are equal, the second largest groups decide.",
    ),
    refusals={
        "setup/over": Code(
            meaning="In the position that a setup describes, the board is full, and so the game is over.",
            rule="A game goes on from a setup: the player to move has a turn there.",
            fix="Set up an earlier position of the game.",
            example='{hexrec: "1", game: catchup, size: 3, setup: "bbb/wwww/bbbbb/wwww/bbb w 0 0", moves: []}',
        ),
        "setup/no-bonus": Code(
            meaning="A setup allows three stones, but the largest group is not the enemy's.",
            rule="A turn may have three stones if the enemy's last turn made the largest group on the board larger.",
            fix="Write 0 at the end of the setup, or correct the stones or the side to move.",
            example='{hexrec: "1", game: catchup, size: 3, setup: "3/4/5/4/bb1 b 0 1", moves: []}',
        ),
        "move/same-cell": Code(
            meaning="A turn names a cell twice.",
            rule="Each stone of a turn is placed on an empty cell.",
            fix="Name each cell once.",
            example='{hexrec: "1", game: catchup, size: 3, moves: [c3, "a1,a1"]}',
        ),
        "move/too-many-stones": Code(
            meaning="A turn has more stones than the rules allow.",
            rule=(
                "The first turn is one stone. Other turns have one or two, or three if the enemy's last turn made the "
                "largest group on the board larger."
            ),
            fix="Place fewer stones, as the message says.",
            example='{hexrec: "1", game: catchup, size: 3, moves: [c3, "a1,a2,a3"]}',
        ),
    },
)
