"""What stands beside a game: variations, turns taken back and lines of programs, replayed from their positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hexrec.diagnostics import Diagnostic, FirstFew
from hexrec.games import IllegalTurn, Position
from hexrec.limits import MAX_DIAGNOSTICS
from hexrec.record import Move, Record
from hexrec.record.record import has_side_lines, turn_of
from hexrec.record.replay import with_legal_turns


def check_beside(record: Record, plies: int) -> list[Diagnostic]:
    """Return what the rules refuse beside the game, of whose turns so many could be executed.

    Beside the turn that could not be executed there is still a position; beside those after it there is none.
    """
    if not record.is_annotated:
        return []
    wanted = [index for index, move in enumerate(record.moves[: plies + 1]) if has_side_lines(move)]
    if not wanted:
        return []
    refused = _Refused()
    position = record.start()
    turns = record.turns
    for index in wanted:
        position.play_all(turns[position.plies : index])
        refused.others(position, record.moves[index], f"/moves/{index}")
    return refused.found.diagnostics("variation/more")


class _Refused:
    """Plays lines, and keeps what the rules refuse."""

    def __init__(self) -> None:
        self.found = FirstFew[Diagnostic]()

    def others(self, position: Position[Any], move: str | Move, pointer: str) -> None:
        """Play what stands beside a turn, from the position in which it was played."""
        if isinstance(move, str):
            return
        if "eval" in move:
            self._line(position, move["eval"].get("line", ()), f"{pointer}/eval/line", "the line of a program")
        for number, turn in enumerate(move.get("taken_back", ())):
            self._play(position.copy(), turn, f"{pointer}/taken_back/{number}", "a turn taken back")
        for number, line in enumerate(move.get("variations", ())):
            self._line(position, line, f"{pointer}/variations/{number}", "a variation")

    def _line(self, start: Position[Any], line: Sequence[str | Move], pointer: str, what: str) -> None:
        position = start.copy() if line else start
        for index, move in enumerate(line):
            here = f"{pointer}/{index}"
            self.others(position, move, here)
            place = here if isinstance(move, str) else f"{here}/turn"
            if not self._play(position, turn_of(move), place, what):
                return

    def _play(self, position: Position[Any], turn: str, pointer: str, what: str) -> bool:
        """Play a turn, which changes the position; return whether it is legal."""
        try:
            position.play(turn)
        except IllegalTurn as refusal:
            message = ""
            if len(self.found.kept) < MAX_DIAGNOSTICS:
                message = f"illegal in {what}: {with_legal_turns(refusal.message, position)} ({refusal.code})"
            ply = position.plies + 1
            self.found.add(Diagnostic("variation/illegal", message, pointer=pointer, ply=ply, turn=turn))
            return False
        return True
