"""Explanations of results as text and as JSON data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from hexrec.record.replay import Replay
from hexrec.record.schema import Illegal
from hexrec.rules.board import CellNames
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, Explanation, IllegalTurn, Reason, Row, Table, Value, ending
from hexrec.util.escaping import shorten

#: The maximum number of cell names in a row; longer rows end with their number of cells.
_CELLS = 8


def explain_position(played: Replay) -> Explanation:
    """Return the explanation of the last position of a replay, with the claimed result at the end of the record.

    The replay must have started.
    """
    position, claim = played.position, played.record.result
    assert position is not None
    explanation = position.explain()
    if (
        claim is None
        or claim.get("termination", "rules") == "rules"
        or played.plies < len(played.record.moves)
        or position.is_over
    ):
        return explanation
    if "illegal" in claim:
        claimed = Reason("claimed", _explain_illegal(claim["illegal"], position))
        return explanation._replace(conclusions=(claimed, *explanation.conclusions))
    winner = claim.get("winner")
    result = ending(winner) if winner else "no winner"
    claimed = Reason("claimed", f"the recorded end is {claim['termination']}, with {result}: no rule decides")
    return explanation._replace(conclusions=(claimed, *explanation.conclusions))


def _explain_illegal(illegal: Illegal, position: Position) -> str:
    """Return the sentence on the illegal turn that lost a game, in the position before it."""
    lost = f"{illegal['by'].capitalize()} lost the game by an illegal turn"
    turn = illegal.get("turn")
    if turn is None:
        return lost
    try:
        position.copy().play(turn)
    except IllegalTurn as refusal:
        return f"{lost}, {shorten(turn)}: {refusal.message}"
    return f"{lost}, {shorten(turn)}, by the record; but it is legal"


def position_entry(played: Replay) -> dict[str, Any]:
    """Return game, ply, side to move and result of the last position of a replay as JSON data."""
    position = played.position
    assert position is not None
    outcome = position.result()
    return {
        "game": played.record.game,
        "ply": played.plies,
        "to_play": position.turn,
        "result": outcome.as_data() if outcome else None,
    }


def explanation_data(played: Replay) -> dict[str, Any]:
    """Return the last position of a replay and its explanation as JSON data, with cells by name."""
    assert played.position is not None
    explanation, names = explain_position(played), played.position.names
    return {
        **position_entry(played),
        "conclusions": [_reason_data(reason, names) for reason in explanation.conclusions],
        "tables": [
            {
                "name": table.name,
                "columns": list(table.columns),
                "rows": [_row_data(row, table.columns, names) for row in table.rows],
            }
            for table in explanation.tables
        ],
    }


def _row_data(row: Row, columns: Iterable[str], names: CellNames) -> dict[str, Any]:
    return {
        "color": None if row.color is None else COLORS[row.color],
        "cells": [names.names[cell] for cell in row.cells],
        "values": dict(zip(columns, row.values, strict=True)),
        "reasons": [_reason_data(reason, names) for reason in row.reasons],
    }


def _reason_data(reason: Reason, names: CellNames) -> dict[str, Any]:
    return {"code": reason.code, "text": reason.text, "cells": [names.names[cell] for cell in reason.cells]}


def as_text(explanation: Explanation, names: CellNames) -> str:
    """Return an explanation as text."""
    lines = [f"  {reason.text}" for reason in explanation.conclusions]
    for table in explanation.tables:
        lines += ["", *(f"  {line}" for line in _table(table, names))]
    return "\n".join(line.rstrip() for line in lines)


def _table(table: Table, names: CellNames) -> Iterator[str]:
    """Yield the lines of a table, with a header of its name and columns."""
    headings = [_format_cells(row, names) for row in table.rows]
    width = max(len(table.name), *map(len, headings))
    texts = [[*map(_format_value, row.values)] for row in table.rows]
    widths = [max(map(len, column)) for column in zip(table.columns, *texts, strict=True)]
    yield "  ".join([f"{table.name:<{width}}", *map(str.rjust, table.columns, widths)])
    for row, heading, values in zip(table.rows, headings, texts, strict=True):
        yield "  ".join([f"{heading:<{width}}", *map(str.rjust, values, widths)])
        yield from (f"    - {reason.text}" for reason in row.reasons)


def _format_cells(row: Row, names: CellNames) -> str:
    color = "" if row.color is None else COLORS[row.color].capitalize()
    cells = [names.names[cell] for cell in row.cells]
    if len(cells) > _CELLS:
        cells = [*cells[: _CELLS - 2], f"… ({len(cells)} in all)"]
    return " ".join([color, *cells]).strip()


def _format_value(value: Value) -> str:
    return f"{value:g}" if isinstance(value, float) else "–" if value is None else str(value)
