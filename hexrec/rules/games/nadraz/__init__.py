"""Nadraz: the description of the game."""

from __future__ import annotations

from hexrec.rules.description import Brief, PositionField
from hexrec.rules.game import Game
from hexrec.rules.games.nadraz.rules import Nadraz
from hexrec.rules.games.nadraz.words import NadrazPosition
from hexrec.rules.terms import Reading

NADRAZ = Game(
    name="nadraz",
    title="Nadraz",
    designers=("Saïd Galdseid",),
    year=2023,
    rulesets=("2023",),
    sizes=range(4, 15),
    recommended=(10,),
    opening=("black", "white"),
    turn="pass|{cell}(?:-{cell})?",
    turn_help="a cell such as e5, the first and the last cell of a line such as e5-e8, or pass",
    example="e5-e8",
    score="list",
    rules=Nadraz,
    position=NadrazPosition,
    sgf_number=5004,
    surface="edged cells",
    variants=("reverse",),
    position_fields=(PositionField("the color that placed the last stone, b, w or -", ("-", "b", "w")),),
    readings=(
        Reading("N-3b", "a line begins on an empty cell, also one that flips"),
        Reading("N-5b", "a turn that flips nothing may not leave a stone of the player on the edge"),
    ),
    brief=Brief(
        goal="Own more of the longest snakes: connected sets of stones of one color.",
        turn=(
            "Place a straight line of stones. Grow: begin next to one or two stones of a friendly snake. Cut: "
            "continue straight from one of its heads, the stones with one neighbor in the snake, or from a "
            "single stone, and flip enemy stones on the way. Heads and single stones cannot be flipped, and "
            "each run of flipped stones must be followed by an empty cell. Merge: the line stops where it "
            "touches another friendly snake, and the two become one. Only a line that cuts may use cells on "
            "the edge. Afterwards, every snake of two or more stones must have exactly two heads."
        ),
        end=(
            "You pass when you have no other turn, and only then. Two passes in a row end the game. The "
            "lengths of the snakes are compared from the longest down. If all are equal, the player who "
            "placed the last stone wins. In the variant reverse, the player with fewer of the shortest snakes "
            "wins."
        ),
    ),
)
