"""Replay the turns of a record by the rules of its game, up to the first illegal turn.

Complete games are played by the kernel of the game first, and by its engine if the kernel has no answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from hexrec.record.record import Record
from hexrec.record.validation import setup_error
from hexrec.rules import kernels
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, IllegalOpening, IllegalSetup, IllegalTurn, Outcome
from hexrec.util.diagnostics import Diagnostic

if TYPE_CHECKING:
    from hexrec.rules.kernels.kernel import State

#: Maximum number of legal turns listed in the message about an illegal turn.
_MAX_LISTED = 6


@dataclass(slots=True, eq=False)
class Replay:
    """Result of the replay of a record.

    Attributes:
        record: the record.
        plies: the number of executed turns.
        outcome: the outcome after them; None while the game is in progress.
        failure: the diagnostic of an illegal opening, setup or turn, with pointer, ply and turn; None if all are legal.
    """

    record: Record
    plies: int
    outcome: Outcome | None = None
    failure: Diagnostic | None = None
    _position: Position[Any] | None = None

    @property
    def started(self) -> bool:
        """Whether the opening or setup is legal."""
        return self.failure is None or self.failure.ply is not None

    @property
    def position(self) -> Position[Any] | None:
        """The position after the last executed turn; None if the opening or setup is illegal."""
        if self._position is None and self.started:
            self._position = replay(self.record)._position
        return self._position


def replay(record: Record, plies: int | None = None) -> Replay:
    """Replay at most `plies` turns of a record, up to the first illegal turn."""
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
    """Replay all turns of a record like `replay`, by the kernel of the game if it has an answer."""
    # Kernels refuse turns that are objects: trying is faster than looking for one.
    annotated, played = False, play_by_kernel(record, record.moves)
    if not played and record.is_annotated:
        annotated, played = True, play_by_kernel(record, record.turns)
    if not played:
        return replay(record)
    record.keep_canonical_turns(played.turns, annotated=annotated)
    return Replay(record, len(record.moves), played.outcome)


def replay_states(record: Record) -> Iterable[tuple[Sequence[int], int, tuple[str, ...]]]:
    """Return the positions before the first turn and after each turn of a record with legal turns.

    Each is given by the contents of its cells, the side to move, and the values of the game's own fields.
    """
    states: list[State] = []
    if play_by_kernel(record, record.turns, states):
        fields = record.rules.position_fields
        # In kernels, -1 stands for the first value of a field.
        return (
            (contents, side, tuple(field.values[last + 1] for field in fields)) for contents, side, _, last in states
        )
    return _states_by_engine(record)


def _states_by_engine(record: Record) -> Iterator[tuple[Sequence[int], int, tuple[str, ...]]]:
    position = record.start()
    for turns in ([], *([turn] for turn in record.turns)):
        position.play_all(turns)
        yield position.contents(), COLORS.index(position.turn), position.field_values()


def play_by_kernel(
    record: Record, turns: list[Any], states: list[State] | None = None
) -> kernels.Played | Literal[False] | None:
    """Play turns from the opening of a record by kernel; return False if one is illegal, as in `kernels.play`.

    Return None if only the engine can decide: with a setup, or if no kernel has an answer.

    The states before the first turn and after each turn are appended to `states`, if given.
    """
    if record.setup is not None:
        return None
    return kernels.play(
        record.rules,
        record.size,
        record.opening,
        turns,
        ruleset=record.ruleset,
        variant=record.variant,
        coordinates=record.coordinates,
        states=states,
    )


def with_legal_turns(message: str, position: Position[Any]) -> str:
    """Return a message about an illegal turn, with the legal turns of the position appended if they are few."""
    legal = [] if position.is_over else position.legal_turns()
    return f"{message} (legal here: {', '.join(legal)})" if 0 < len(legal) <= _MAX_LISTED else message


def _failure(record: Record, position: Position[Any], refusal: IllegalTurn) -> Diagnostic:
    index = position.plies
    move = record.moves[index]
    turn, pointer = (move["turn"], f"/moves/{index}/turn") if isinstance(move, dict) else (move, f"/moves/{index}")
    message = with_legal_turns(refusal.message, position)
    return Diagnostic(refusal.code, message, pointer=pointer, ply=index + 1, turn=turn)
