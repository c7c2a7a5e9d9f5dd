"""A record's turns through the game's rules: the executed prefix and the first failure.

Whole games go through the game's kernel first, if it has one; what that leaves goes through the engine.
"""

from __future__ import annotations

from typing import Any

from hexrec.record.record import Record
from hexrec.record.validation import setup_error
from hexrec.rules import kernels
from hexrec.rules.position import Position
from hexrec.rules.terms import IllegalOpening, IllegalSetup, IllegalTurn, Outcome
from hexrec.util.diagnostics import Diagnostic

#: Legal turns are named in the message about an illegal one when there are no more than this.
_FEW = 6


class Replay:
    """What became of a record's turns.

    Attributes:
        record: the record.
        plies: the number of turns executed.
        outcome: how the game has ended after them; None while it goes on.
        failure: the first thing that the rules refuse, with pointer, ply and turn; None if there is none.
    """

    __slots__ = ("_position", "failure", "outcome", "plies", "record")

    def __init__(
        self,
        record: Record,
        plies: int,
        outcome: Outcome | None = None,
        failure: Diagnostic | None = None,
        position: Position[Any] | None = None,
    ) -> None:
        self.record = record
        self.plies = plies
        self.outcome = outcome
        self.failure = failure
        self._position = position

    @property
    def started(self) -> bool:
        """Whether the opening, or the setup, is legal."""
        return self.failure is None or self.failure.ply is not None

    @property
    def legal(self) -> bool:
        """Whether the opening and all turns are legal."""
        return self.failure is None

    @property
    def position(self) -> Position[Any] | None:
        """The position after the last turn that could be executed; None if the opening is illegal."""
        if self._position is None and self.started:
            self._position = replay(self.record)._position
        return self._position


def replay(record: Record, plies: int | None = None) -> Replay:
    """Play a record's turns, at most `plies` of them, up to the first that is illegal."""
    try:
        position = record.start()
    except IllegalOpening as refusal:
        return Replay(record, 0, None, Diagnostic(refusal.code, refusal.message, pointer=f"/opening/{refusal.color}"))
    except IllegalSetup as refusal:
        return Replay(record, 0, None, setup_error(refusal))
    failure = None
    try:
        position.play_all(record.turns[:plies])
    except IllegalTurn as refusal:
        failure = _failure(record, position, refusal)
    return Replay(record, position.plies, position.result(), failure, position)


def replay_whole(record: Record) -> Replay:
    """Play all turns of a record like `replay`, by the kernel of the game where that has an answer."""
    moves = record.moves
    if record.setup is None:
        # Kernels know no turns that are objects: that is simpler to try than to look for.
        annotated, played = False, play_by_kernel(record, moves)
        if played is None and record.is_annotated:
            annotated, played = True, play_by_kernel(record, record.turns)
        if played is not None:
            record.keep_canonical_turns(played.turns, annotated=annotated)
            return Replay(record, len(moves), played.outcome)
    return replay(record)


def play_by_kernel(record: Record, turns: list[Any]) -> kernels.Played | None:
    """Play turns from the opening of a record; None if the kernel leaves them to the engine, or there is none."""
    return kernels.play(
        record.rules,
        record.size,
        record.opening,
        turns,
        ruleset=record.ruleset,
        variant=record.variant,
        coordinates=record.coordinates,
    )


def with_legal_turns(message: str, position: Position[Any]) -> str:
    """Return a message about an illegal turn with the turns that are legal in the position, if these are few."""
    legal = [] if position.is_over else position.legal_turns()
    return f"{message} (legal here: {', '.join(legal)})" if 0 < len(legal) <= _FEW else message


def _failure(record: Record, position: Position[Any], refusal: IllegalTurn) -> Diagnostic:
    index = position.plies
    move = record.moves[index]
    turn, pointer = (move["turn"], f"/moves/{index}/turn") if isinstance(move, dict) else (move, f"/moves/{index}")
    message = with_legal_turns(refusal.message, position)
    return Diagnostic(refusal.code, message, pointer=pointer, ply=index + 1, turn=turn)
