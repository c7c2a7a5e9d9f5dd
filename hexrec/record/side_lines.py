"""Replay of side lines: variations, takebacks and engine lines."""

from __future__ import annotations

from collections.abc import Sequence

from hexrec.record.record import Record, has_side_lines, turn_of
from hexrec.record.replay import with_legal_turns
from hexrec.record.schema import Move
from hexrec.rules.position import Position
from hexrec.rules.terms import IllegalTurn
from hexrec.util.diagnostics import Diagnostic, FirstFew
from hexrec.util.limits import MAX_DIAGNOSTICS


def check_side_lines(record: Record, plies: int) -> list[Diagnostic]:
    """Return the illegal turns of variations, takebacks and engine lines, given the number of executed turns.

    Lines next to the first illegal turn are checked too. Later turns have no position to start from.
    """
    found = FirstFew[Diagnostic]()
    branching = [index for index, move in enumerate(record.moves[: plies + 1]) if has_side_lines(move)]
    if branching:
        position, turns = record.start(), record.turns
        for index in branching:
            position.play_all(turns[position.plies : index])
            _play_beside(position, record.moves[index], f"/moves/{index}", found)
    return found.diagnostics("variation/more")


def _play_beside(position: Position, move: str | Move, pointer: str, found: FirstFew[Diagnostic]) -> None:
    """Play the engine line, takebacks and variations of a turn, from the position before it; add illegal turns."""
    if isinstance(move, str):
        return
    if "eval" in move:
        _play_line(position, move["eval"].get("line", ()), f"{pointer}/eval/line", "the line of a program", found)
    for number, turn in enumerate(move.get("taken_back", ())):
        _play_line(position, [turn], f"{pointer}/taken_back", "a turn taken back", found, number)
    for number, line in enumerate(move.get("variations", ())):
        _play_line(position, line, f"{pointer}/variations/{number}", "a variation", found)


def _play_line(
    start: Position,
    line: Sequence[str | Move],
    pointer: str,
    what: str,
    found: FirstFew[Diagnostic],
    first: int = 0,
) -> None:
    """Play a line, whose turns have indexes from `first` below the pointer, up to its first illegal turn."""
    position = start.copy() if line else start
    for index, move in enumerate(line, first):
        here, turn = f"{pointer}/{index}", turn_of(move)
        _play_beside(position, move, here, found)
        try:
            position.play(turn)
        except IllegalTurn as refusal:
            message = ""
            if found.total < MAX_DIAGNOSTICS:
                message = f"illegal in {what}: {with_legal_turns(refusal.message, position)} ({refusal.code})"
            place = here if isinstance(move, str) else f"{here}/turn"
            found.add(Diagnostic("variation/illegal", message, pointer=place, ply=position.plies + 1, turn=turn))
            return
