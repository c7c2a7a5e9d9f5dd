"""The position before a turn, in records that may be invalid."""

from __future__ import annotations

from typing import Any

from hexrec.record.record import turn_of
from hexrec.rules.position import Position
from hexrec.rules.terms import RuleError
from hexrec.tools.repairs import playable
from hexrec.util.diagnostics import steps_of


def turns_before(data: Any, pointer: str) -> list[str] | None:
    """Return the turns before the turn at a JSON Pointer; None if there is no turn at the pointer."""
    steps = steps_of(pointer)
    if steps[:1] != ["moves"] or len(steps) < 2:
        return None
    turns: list[str] = []
    line, steps = data["moves"], steps[1:]
    while True:
        index = int(steps[0])
        turns += [turn_of(move) for move in line[:index]]
        match steps[1:]:
            case ["variations", number, *deeper] if deeper:
                line, steps = line[index]["variations"][int(number)], deeper
            case ["eval", "line", number]:
                return [*turns, *line[index]["eval"]["line"][: int(number)]]
            case [] | ["turn"] | ["taken_back", _]:
                return turns
            case _:
                return None


def position_before(data: Any, pointer: str) -> Position[Any] | None:
    """Return the position before the turn at a JSON Pointer; None without a turn there, or after illegal turns."""
    try:
        turns = turns_before(data, pointer)
    except (LookupError, TypeError, ValueError):  # the data does not have the shape of a record
        return None
    if turns is None:
        return None
    record = playable({name: value for name, value in data.items() if name != "result"} | {"moves": turns})
    if record is None:
        return None
    try:
        position = record.start()
        position.play_all(turns)
    except RuleError:
        return None
    return position
