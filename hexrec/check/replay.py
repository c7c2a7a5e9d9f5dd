"""A record's turns through the game's rules: the executed prefix and the first failure.

Whole games go through the game's kernel first, if it has one; what that leaves goes through the engine.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hexrec import kernel
from hexrec.diagnostics import Diagnostic
from hexrec.games import IllegalOpening, IllegalTurn, Outcome, Position
from hexrec.games.outcome import COLOURS
from hexrec.record import Move, Record

if TYPE_CHECKING:
    from hexrec.kernel.grid import Ending

#: Legal turns are named in the message about an illegal one when there are no more than this.
_FEW = 6
#: Who has won, by what a kernel answers.
_WINNERS = (*COLOURS, "draw")


@dataclass(frozen=True)
class Replay:
    """What became of a record's turns.

    Attributes:
        record: the record.
        plies: the number of turns executed.
        outcome: how the game has ended after them; None while it goes on.
        failure: the first thing that the rules refuse, with pointer, ply and turn; None if there is none.
    """

    record: Record = field(repr=False)
    plies: int
    outcome: Outcome | None = None
    failure: Diagnostic | None = None

    @cached_property
    def position(self) -> Position[Any] | None:
        """The position after the last turn that could be executed; None if the opening is illegal."""
        return replay(self.record, self.plies).position


def replay(record: Record, plies: int | None = None) -> Replay:
    """Play a record's turns, at most `plies` of them, up to the first that is illegal."""
    try:
        position = record.start()
    except IllegalOpening as refusal:
        failure = Diagnostic(refusal.code, refusal.message, pointer=f"/opening/{refusal.colour}")
        return _at(Replay(record, 0, failure=failure), None)
    turns = record.turns if plies is None else record.turns[:plies]
    play = position.play
    failure = None
    try:
        for turn in turns:
            play(turn)
    except IllegalTurn as refusal:
        failure = _failure(record, position, refusal)
    return _at(Replay(record, position.plies, position.result(), failure), position)


def _at(made: Replay, position: Position[Any] | None) -> Replay:
    """Give a replay its position, so that it is not looked for."""
    made.__dict__["position"] = position
    return made


def replay_whole(record: Record) -> Replay:
    """Play all turns of a record like `replay`, by the kernel of the game where that has an answer."""
    ending = _by_kernel(record)
    if ending is None:
        return replay(record)
    winner, black, white = ending
    if winner >= len(_WINNERS):
        return Replay(record, len(record.moves))
    score: Any = None if black is None else {"black": black, "white": white}
    return Replay(record, len(record.moves), Outcome(_WINNERS[winner], score))


def _by_kernel(record: Record) -> Ending | None:
    """Return how a game stands after the last turn if a kernel has played it whole."""
    rules = kernel.get(record.game, record.size, record.coordinates, record.variant)
    if rules is None or record.ruleset != record.GAME.rulesets[0]:
        return None
    opening = [cell for name in record.stones.values() if (cell := rules.names.get(name)) is not None]
    return rules.replay(opening, list[object](record.turns)) if len({*opening}) == len(record.stones) else None


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
