"""Frasvel: the description of the game."""

from __future__ import annotations

from hexrec.rules.description import Brief
from hexrec.rules.game import Game
from hexrec.rules.games.frasvel.rules import Frasvel
from hexrec.rules.games.frasvel.words import FrasvelPosition
from hexrec.rules.terms import Reading

FRASVEL = Game(
    name="frasvel",
    title="Frasvel",
    designers=("Saïd Galdseid",),
    year=2024,
    rulesets=("2024",),
    sizes=range(3, 9),
    recommended=(5,),
    opening=("black",),
    turn="{cell}(?:-{cell}(?:/{cell})?)?",
    turn_help=(
        "the cell to place a stack on, such as e5; or a move and a placement, such as c4-c6/e5; "
        "or a move alone, such as c4-c6, if no placement exists after it; there is no pass"
    ),
    example="c4-c6/e5",
    score=None,
    rules=Frasvel,
    position=FrasvelPosition,
    sgf_number=5002,
    piece="stack",
    has_stacks=True,
    surface="cells",
    readings=(Reading("F-2b", "the moving stack is in its place when the touched groups are found"),),
    brief=Brief(
        goal="Have no cell left to place a stack on: the player who cannot place wins.",
        turn=(
            "You may move one of your stacks in a line, exactly as many cells as it is high, over empty cells "
            "and friendly stacks to an empty cell. It must touch an enemy group next to an empty cell on its "
            "way, and none that is higher; a group is connected stacks of one color and height. Every stack "
            "of the touched enemy groups loses a piece. Your stack grows by as many pieces, and so do touched "
            "friendly groups of its height. Then place a stack of height 1 on an empty cell that has no more "
            "friendly than enemy neighbors."
        ),
        end=(
            "If you can place, you must; if you cannot, you must move if you can. If you cannot place after a "
            "move, or can neither place nor move, you win. So you may move in order to leave yourself no cell "
            "to place on. There are no passes and no draws."
        ),
    ),
)
