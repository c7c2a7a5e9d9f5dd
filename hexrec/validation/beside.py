"""What stands beside a game: variations, turns taken back and lines of programs, replayed from their positions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hexrec.diagnostics import Diagnostic, FirstFew
from hexrec.games import IllegalTurn, Position
from hexrec.limits import MAX_DIAGNOSTICS
from hexrec.record import GameRecord, Move
from hexrec.record.model import turn_of
from hexrec.validation.replay import with_legal_turns


def check_beside(record: GameRecord, plies: int) -> list[Diagnostic]:
    """Return what the rules refuse beside the game, of whose turns so many could be executed.

    Beside the turn that could not be executed there is still a position; beside those after it there is none.
    """
    if not record.is_annotated:
        return []
    wanted = [
        index for index, move in enumerate(record.moves[: plies + 1]) if isinstance(move, Move) and move.has_others
    ]
    if not wanted:
        return []
    refused = _Refused()
    position = record.start()
    for index in wanted:
        position.play_all(record.turns[position.plies : index])
        refused.others(position, record.moves[index], f"/moves/{index}")
    return refused.found.diagnostics("variation/more")


class _Refused:
    """Plays lines, and keeps what the rules refuse."""

    def __init__(self) -> None:
        self.found = FirstFew[Diagnostic]()

    def others(self, position: Position[Any], move: str | Move, pointer: str) -> None:
        """Play what stands beside a turn, from the position in which it was played."""
        if not isinstance(move, Move):
            return
        if move.eval is not None:
            self._line(position, move.eval.line, f"{pointer}/eval/line", "the line of a program")
        for number, turn in enumerate(move.taken_back):
            self._play(position.copy(), turn, f"{pointer}/taken_back/{number}", "a turn taken back")
        for number, line in enumerate(move.variations):
            self._line(position, line, f"{pointer}/variations/{number}", "a variation")

    def _line(self, start: Position[Any], line: Sequence[str | Move], pointer: str, what: str) -> None:
        position = start.copy() if line else start
        for index, move in enumerate(line):
            here = f"{pointer}/{index}"
            self.others(position, move, here)
            place = f"{here}/turn" if isinstance(move, Move) else here
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
