"""Captions of positions, and legends of their marks, as plain text."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from hexrec.rules.board_text import AREAS, SIGNS
from hexrec.rules.position import Position
from hexrec.rules.terms import Annotation, Role, describe_outcome

#: Roles of turn effects that put a cell in brackets.
_CHANGES: Collection[Role] = ("placed", "changed", "returned", "cut", "removed")


def changes(parts: Iterable[Annotation]) -> set[int]:
    """Return the cells that the effects of a turn put in brackets."""
    return {cell for part in parts if part.role in _CHANGES for cell in part.cells}


def legend(position: Position, marks: Iterable[Annotation], *, signs: bool = True) -> list[str]:
    """Return a line per name of a mark with its cells: ``strangled (x): a1, a2``. `signs` adds the signs."""
    cells_by_name: dict[str, list[str]] = {}
    for mark in marks:
        sign = AREAS[mark.color or 0] if mark.role == "area" else SIGNS.get(mark.role)
        label = f"{mark.label} at " if mark.label else ""
        cells = label + ", ".join(position.names.names[cell] for cell in mark.cells)
        cells_by_name.setdefault(mark.name + (f" ({sign})" if sign and signs else ""), []).append(cells)
    return [f"{name}: {'; '.join(cells)}" for name, cells in cells_by_name.items()]


def describe(position: Position, last: str | None = None) -> str:
    """Return a caption: game, ply, and side to move or outcome."""
    game = position.game
    unusual = [position.ruleset] * (position.ruleset != game.rulesets[0]) + [position.variant or "", *position.readings]
    name = f"{game.title} {position.board.size}" + "".join(f" ({note})" for note in unusual if note)
    if not position.plies:
        when = "before the first turn"
    else:
        previous = "White" if position.turn == "black" else "Black"
        when = f"after ply {position.plies}" + (f" ({previous} {last})" if last else "")
    outcome = position.result()
    then = f"{position.turn.capitalize()} to play" if outcome is None else describe_outcome(outcome)
    return f"{name}, {when}, {then}"
