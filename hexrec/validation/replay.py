"""A record's turns through the game's rules: the executed prefix and the first failure.

Whole games go through the game's kernel first, if it has one; what that leaves goes through the engine.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from hexrec import kernel
from hexrec.diagnostics import Diagnostic
from hexrec.games import IllegalOpening, IllegalSetup, IllegalTurn, Outcome, Position
from hexrec.record import GameRecord, Move, setup_error

#: Legal turns are named in the message about an illegal one when there are no more than this.
_FEW = 6


@dataclass(frozen=True)
class Replay:
    """What became of a record's turns.

    Attributes:
        record: the record.
        plies: the number of turns executed.
        outcome: how the game has ended after them; None while it goes on.
        failure: the first thing that the rules refuse, with pointer, ply and turn; None if there is none.
        canonical: all turns in canonical spelling, where they are legal and the kernel has told it; else None.
    """

    record: GameRecord = field(repr=False)
    plies: int
    outcome: Outcome | None = None
    failure: Diagnostic | None = None
    canonical: list[str] | None = field(default=None, repr=False, compare=False)

    @property
    def started(self) -> bool:
        """Whether the opening, or the setup, is legal."""
        return self.failure is None or self.failure.ply is not None

    @cached_property
    def position(self) -> Position[Any] | None:
        """The position after the last turn that could be executed; None if the opening is illegal."""
        return replay(self.record).position


def replay(record: GameRecord, plies: int | None = None) -> Replay:
    """Play a record's turns, at most `plies` of them, up to the first that is illegal."""
    try:
        position = record.start()
    except IllegalOpening as refusal:
        illegal = Diagnostic(refusal.code, refusal.message, pointer=f"/opening/{refusal.colour}")
        return _at(Replay(record, 0, failure=illegal), None)
    except IllegalSetup as refusal:
        return _at(Replay(record, 0, failure=setup_error(refusal)), None)
    failure = None
    try:
        position.play_all(record.turns[:plies])
    except IllegalTurn as refusal:
        failure = _failure(record, position, refusal)
    return _at(Replay(record, position.plies, position.result(), failure), position)


def _at(made: Replay, position: Position[Any] | None) -> Replay:
    """Give a replay its position, so that it is not looked for."""
    made.__dict__["position"] = position
    return made


def replay_whole(record: GameRecord) -> Replay:
    """Play all turns of a record like `replay`, by the kernel of the game where that has an answer."""
    played = None
    turns = record.turns
    if record.setup is None:
        played = kernel.play(
            record.GAME,
            record.size,
            record.stones,
            turns,
            ruleset=record.ruleset,
            variant=record.variant,
            coordinates=record.coordinates,
        )
    if played is None:
        return replay(record)
    return Replay(record, len(record.moves), played.outcome, canonical=played.turns)


def with_legal_turns(message: str, position: Position[Any]) -> str:
    """Return a message about an illegal turn with the turns that are legal in the position, if these are few."""
    legal = [] if position.is_over else position.legal_turns()
    return f"{message} (legal here: {', '.join(legal)})" if 0 < len(legal) <= _FEW else message


def _failure(record: GameRecord, position: Position[Any], refusal: IllegalTurn) -> Diagnostic:
    index = position.plies
    move = record.moves[index]
    turn, pointer = (move.turn, f"/moves/{index}/turn") if isinstance(move, Move) else (move, f"/moves/{index}")
    message = with_legal_turns(refusal.message, position)
    return Diagnostic(refusal.code, message, pointer=pointer, ply=index + 1, turn=turn)
