"""A record's turns through the game's engine: the executed prefix and the first failure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hexrec.diagnostics import Diagnostic
from hexrec.games import IllegalOpening, IllegalTurn, Position
from hexrec.record import Move, Record

#: Legal turns are named in the message about an illegal one when there are no more than this.
_FEW = 6


@dataclass(frozen=True)
class Replay:
    """What became of a record's turns.

    Attributes:
        position: the position after the last turn that could be executed; None if the opening is illegal.
        plies: the number of turns executed.
        failure: the first thing that the rules refuse, with pointer, ply and turn; None if there is none.
    """

    position: Position[Any] | None
    plies: int
    failure: Diagnostic | None


def replay(record: Record, plies: int | None = None) -> Replay:
    """Play a record's turns, at most `plies` of them, up to the first that is illegal."""
    try:
        position = record.start()
    except IllegalOpening as refusal:
        return Replay(None, 0, Diagnostic(refusal.code, refusal.message, pointer=f"/opening/{refusal.colour}"))
    turns = record.turns if plies is None else record.turns[:plies]
    try:
        position.play_all(turns)
    except IllegalTurn as refusal:
        return Replay(position, position.plies, _failure(record, position, refusal))
    return Replay(position, position.plies, None)


def _failure(record: Record, position: Position[Any], refusal: IllegalTurn) -> Diagnostic:
    index = position.plies
    move = record.moves[index]
    turn, pointer = (move.turn, f"/moves/{index}/turn") if isinstance(move, Move) else (move, f"/moves/{index}")
    message = refusal.message
    if not position.is_over:
        legal = position.legal_turns()
        if len(legal) <= _FEW:
            message += f" (legal here: {', '.join(legal)})"
    return Diagnostic(refusal.code, message, pointer=pointer, ply=index + 1, turn=turn)
