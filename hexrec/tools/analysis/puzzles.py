"""Puzzles: positions of games in which one turn wins and no other does, all of which is proved."""

from __future__ import annotations

from typing import Any, NamedTuple

from hexrec.record.identity import hash_legal
from hexrec.record.record import Record
from hexrec.record.validation import read_record
from hexrec.tools.analysis.annotations import Evaluation
from hexrec.tools.analysis.search import VALUES, Solver
from hexrec.tools.positions import fold_position

#: The tag of a puzzle.
TAG = "puzzle"
#: The least number of legal turns in a puzzle.
_TURNS = 3


class Puzzle(NamedTuple):
    """A puzzle from a game.

    Attributes:
        key: the same for all images of the position under the symmetries of the board.
        record: the position as the setup, with the turn that wins.
    """

    key: str
    record: Record


def puzzles_of(record: Record, positions: int) -> list[Puzzle]:
    """Return the puzzles of a valid game, in its order. Each proof searches at most `positions` positions.

    The search goes from the end of the game backwards, to the first position without a proof.
    """
    solver = Solver(positions)
    found: list[Puzzle] = []
    for ply, position in reversed([*enumerate(record.positions())]):
        if position.is_over:
            continue
        proof = solver.solve(position)
        if proof is None:
            break
        is_won = proof.value == VALUES[position.turn]
        if is_won and position.legal_count() >= _TURNS and solver.winning_turns(position, 2) == proof.line[:1]:
            key = f"{record.game}/{record.ruleset}/{record.variant}/{record.size}/{fold_position(position).key}"
            solution = {"turn": proof.line[0], "eval": Evaluation(proof.value, 0, proof.line).as_data()}
            found.append(Puzzle(key, _record(record, ply, position.turn, position.text(), solution)))
    return found[::-1]


def _record(game: Record, ply: int, color: str, setup: str, solution: dict[str, Any]) -> Record:
    kept = ("ruleset", "variant", "readings", "coordinates", "event", "date")
    data = {
        "hexrec": game["hexrec"],
        "game": game.game,
        "size": game.size,
        **{name: game[name] for name in kept if name in game},
        "source": f"position after {ply} turns of the game {hash_legal(game)}",
        "comment": f"{color.capitalize()} to play and win.",
        "tags": [TAG],
        "setup": setup,
        "moves": [solution],
    }
    return read_record(data)
