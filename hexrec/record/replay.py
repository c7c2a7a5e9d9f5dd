"""Replay the turns of a record by the rules of its game, up to the first illegal turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hexrec.errors import ArgumentError
from hexrec.record.record import Record
from hexrec.record.schema import RecordData
from hexrec.record.validation import setup_error
from hexrec.rules.game import Game
from hexrec.rules.grid import LEGAL, NOT_CANONICAL, UNREAD, Grid
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, IllegalOpening, IllegalSetup, IllegalTurn, Outcome
from hexrec.util.diagnostics import Diagnostic

#: Maximum number of legal turns listed in the message about an illegal turn.
_MAX_LISTED = 6


@dataclass(slots=True, eq=False, repr=False)
class Replay:
    """Result of the replay of a record.

    Attributes:
        record: the record.
        plies: the number of executed turns.
        outcome: the outcome after them; None while the game is in progress.
        failure: the diagnostic of an illegal opening, setup or turn, with pointer, ply and turn; None if all are legal.
        position: the position after the last executed turn; None if the opening or setup is illegal.
    """

    record: Record
    plies: int
    outcome: Outcome | None = None
    failure: Diagnostic | None = None
    position: Position | None = None

    @property
    def started(self) -> bool:
        """Whether the opening or setup is legal."""
        return self.position is not None


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
    else:
        if plies is None:
            record.canonical_turns = position.turns
    return Replay(record, position.plies, position.result(), failure, position)


def play_clean(data: RecordData, rules: Game, turns: list[str]) -> tuple[Grid, list[str]] | None:
    """Play the turns of a valid record without a setup; return the grid after them, and the turns in canonical form.

    None means that `replay` must decide: the opening or a turn is illegal, or is in no form that the grid reads.
    """
    try:
        system, ruleset, readings = data.get("coordinates", "row"), data.get("ruleset"), data.get("readings", ())
        grid = rules.empty_grid(data["size"], data.get("variant"), system, ruleset, readings)
        if rules.opening:
            stones, number_of = data["opening"], grid.number_of
            cells = [number_of[stones[color]] for color in rules.opening]
            if len({*cells}) < len(cells):
                return None
            for color, cell in zip(rules.opening, cells, strict=True):
                grid.put(cell, COLORS.index(color), 1)
    except (KeyError, ArgumentError):
        return None
    played = play_turns(grid, turns)
    return (grid, played) if len(played) == len(turns) else None


def play_turns(grid: Grid, turns: list[str]) -> list[str]:
    """Play turns up to the first that is illegal or that the grid does not read; return them in canonical form."""
    played: list[str] = []
    while True:
        start, before = len(played), grid.plies
        code = grid.play_all(turns, start)
        played += turns[start : start + grid.plies - before]
        if code != NOT_CANONICAL:
            return played
        move = grid.read(turns[len(played)])
        canonical = UNREAD if move == UNREAD else grid.canonical(move)
        if canonical == UNREAD or grid.play(canonical) != LEGAL:
            return played
        played.append(grid.write(canonical))


def replay_states(record: Record) -> Iterator[tuple[Sequence[int], int, tuple[str, ...]]]:
    """Yield the positions before the first turn and after each turn of a record with legal turns.

    Each is given by the contents of its cells, the side to move, and the values of the game's own fields.
    """
    position = record.start()
    for turns in ([], *([turn] for turn in record.turns)):
        position.play_all(turns)
        yield position.contents(), COLORS.index(position.turn), position.field_values()


def with_legal_turns(message: str, position: Position) -> str:
    """Return a message about an illegal turn, with the legal turns of the position appended if they are few."""
    legal = [] if position.is_over else position.legal_turns()
    return f"{message} (legal here: {', '.join(legal)})" if 0 < len(legal) <= _MAX_LISTED else message


def _failure(record: Record, position: Position, refusal: IllegalTurn) -> Diagnostic:
    index = position.plies
    move = record.moves[index]
    turn, pointer = (move["turn"], f"/moves/{index}/turn") if isinstance(move, dict) else (move, f"/moves/{index}")
    message = with_legal_turns(refusal.message, position)
    return Diagnostic(refusal.code, message, pointer=pointer, ply=index + 1, turn=turn)
