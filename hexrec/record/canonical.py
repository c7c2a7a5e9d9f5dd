"""Canonical form of records, and conversion of their cells to another coordinate system."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from hexrec.record.game_shapes import any_shape, record_shape
from hexrec.record.record import Record, cells_in, has_side_lines, turn_of, turns_in
from hexrec.record.schema import Move
from hexrec.record.shapes import Shape, is_extension, shape_of
from hexrec.record.validation import RecordError, read_record
from hexrec.rules import games
from hexrec.rules.board import CELL_PATTERNS, CellNames, System, trim
from hexrec.rules.position import Position
from hexrec.rules.terms import IllegalTurn, RuleError
from hexrec.util.diagnostics import Diagnostic, FirstFew, pointer_to, shorten


def canonical_form(record: Record) -> dict[str, Any]:
    """Return the record's canonical form as plain data, fields in the order of the format.

    Fields with default values and empty parts are left out. A turn without annotations is a string. Unknown fields of a
    newer version, then extension fields, follow the others, sorted by name, with values unchanged. Turns have the
    canonical notation, also in variations, engine lines and takebacks. From the first illegal turn of a line on, they
    are only trimmed and lower-cased.
    """
    data = _without_defaults(record.data, record_shape(record.rules))
    for color in data.get("opening", {}):
        if color in record.rules.opening:
            data["opening"][color] = _cell(data["opening"][color])
    if "readings" in data:
        known = [reading.name for reading in record.rules.ruleset(record.ruleset).readings]
        data["readings"].sort(key=known.index)
    illegal = data.get("result", {}).get("illegal", {})
    if "turn" in illegal:
        illegal["turn"] = trim(illegal["turn"])
    _trim_marks(data)
    turns = canonical_turns(record)
    data["moves"] = _moves(record.moves, turns, _start(record)) if record.is_annotated else [*turns]
    return data


def canonicalize(data: object) -> dict[str, Any]:
    """Return the canonical form of the data of a record, whose turns need not be legal. Raises RecordError."""
    return canonical_form(read_record(data, turns_unchecked=True))


def canonical_turns(record: Record) -> list[str]:
    """Return the turns of the main line in canonical notation; from the first illegal turn on, only trimmed."""
    if record.canonical_turns is not None:
        return record.canonical_turns
    return spell(record.turns, _start(record))


def _start(record: Record) -> Position | None:
    """Return the start position, or None if it is illegal or the notation of turns does not depend on positions."""
    if record.rules.synonyms:
        with suppress(RuleError):
            return record.start()
    return None


def spell(turns: Iterable[str], start: Position | None) -> list[str]:
    """Return a line of turns from a position in canonical notation, up to the first illegal turn."""
    trimmed = [trim(turn) for turn in turns]
    if start is not None:
        position = start.copy()
        with suppress(IllegalTurn):
            position.play_all(trimmed)
        spelled = position.turns[start.plies :]
        trimmed[: len(spelled)] = spelled
    return trimmed


def _moves(moves: Sequence[str | Move], turns: list[str], start: Position | None) -> list[Any]:
    """Return a line of moves with canonical turns and variations, as plain data."""
    written: list[Any] = []
    position, played = start and start.copy(), 0
    for index, (move, turn) in enumerate(zip(moves, turns, strict=True)):
        move_data: dict[str, Any] = {}
        if isinstance(move, dict):
            move_data = {**_without_defaults(move, shape_of(Move)), "turn": turn}
            _trim_marks(move_data)
            if position is not None and has_side_lines(move):
                try:
                    position.play_all(turns[played:index])
                    played = index
                except IllegalTurn:
                    position = None
            if "taken_back" in move_data:
                move_data["taken_back"] = [spell([text], position)[0] for text in move_data["taken_back"]]
            if "line" in move_data.get("eval", {}):
                move_data["eval"]["line"] = spell(move_data["eval"]["line"], position)
            if "variations" in move_data:
                lines = move["variations"]
                move_data["variations"] = [
                    _moves(line, spell(map(turn_of, line), position), position) for line in lines
                ]
        written.append(move_data if len(move_data) > 1 else turn)
    return written


def _trim_marks(part: dict[str, Any]) -> None:
    for mark in part.get("marks", ()):
        mark["cells"] = [*map(_cell, mark["cells"])]


def _cell(text: str) -> str:
    """Return a cell outside of a turn, where axial coordinates need no parentheses, in canonical form."""
    return trim(text).strip("()")


def _without_defaults(part: Mapping[str, Any], shape: Shape) -> dict[str, Any]:
    """Return a copy of an object without default values and empty parts, except an empty result: the game is over.

    Unknown fields, of a newer version, and extension fields are last, each sorted by name. Turns are not copied.
    """
    defaults, parts = shape.defaults, shape.parts
    copy: dict[str, Any] = {}
    others = part.keys() - defaults.keys()
    known = [name for name in part if name not in others] if others else part
    for name in chain(known, sorted(others, key=_place)):
        value = part[name]
        if isinstance(value, str | int | float) or name in ("moves", "variations"):
            if name in others or value != defaults[name]:
                copy[name] = value
            continue
        if name not in others:
            if value == defaults[name]:
                continue
            inner = parts.get(name)
            if inner is not None and isinstance(value, dict):
                value = _without_defaults(value, inner)
                if not value and name != "result":
                    continue
            elif inner is not None:
                value = [_without_defaults(item, inner) for item in value]
        copy[name] = _copy(value)
    return copy


def _place(name: str) -> tuple[bool, str]:
    """Return the key that sorts unknown and extension fields."""
    return is_extension(name), name


_CONTAINERS = frozenset({dict, list})


def _copy(value: Any) -> Any:
    """Return a copy of a JSON value. It takes a fraction of the time of `deepcopy`."""
    if isinstance(value, dict):
        return {name: _copy(item) for name, item in value.items()}
    if isinstance(value, list):  # a score may have a hundred numbers
        return value[:] if _CONTAINERS.isdisjoint(map(type, value)) else [_copy(item) for item in value]
    return value


def in_coordinates(data: Mapping[str, Any], system: System) -> dict[str, Any]:
    """Return canonical data with all cells, in variations and marks too, named in a coordinate system.

    Comments and extension fields are unchanged. Raises RecordError with a diagnostic for every turn, mark and opening
    stone that names no cell of the board.
    """
    old: System = data.get("coordinates", "row")
    if system == old:
        return dict(data)
    game = games.get(data["game"])
    before, after = (game.board(data["size"]).names(name) for name in (old, system))
    expression = re.compile(game.turn_pattern(old))
    fields = {**data, "coordinates": system}
    if system == "row":
        del fields["coordinates"]
    renamed: dict[str, Any] = _copy({name: fields[name] for name in (*any_shape().fields, *fields) if name in fields})
    refused = FirstFew[Diagnostic]()
    opening = ((("opening", color), cell) for color, cell in data.get("opening", {}).items() if not is_extension(color))
    marked = cells_in(("marks",), data.get("marks", ()))
    illegal = data.get("result", {}).get("illegal", {})
    lost = ((("result", "illegal", name), text) for name, text in illegal.items() if name == "turn")
    for path, text in chain(opening, marked, lost, turns_in(("moves",), data["moves"], marks=True)):
        is_cell = "cells" in path or path[0] == "opening"
        try:
            name = _rename(text, None if is_cell else expression, before, after)
        except ValueError as problem:
            message = f"{problem}: it has no name in {system} coordinates"
            refused.add(Diagnostic("convert/cell", message, pointer=pointer_to(path)))
            continue
        part: Any = renamed
        for step in path[:-1]:
            part = part[step]
        part[path[-1]] = name
    if refused.kept:
        raise RecordError(refused.diagnostics("convert/more"))
    return renamed


def _rename(text: str, turn: re.Pattern[str] | None, old: CellNames, new: CellNames) -> str:
    """Return a cell, or a turn with a given notation, in new names. Raises ValueError with the reason."""
    if turn is None:
        cell = old.find(text)
        if cell is None:
            raise ValueError(f"{shorten(text)} is not a cell of the board")
        return new.single(cell)
    if turn.fullmatch(text) is None:
        raise ValueError(f"{shorten(text)} is not spelled like a turn")
    unknown = next((name for name in re.findall(CELL_PATTERNS[old.system], text) if name not in old.cells), None)
    if unknown is not None:
        raise ValueError(f"{unknown} in {shorten(text)} is not a cell of the board")
    return old.translate(text, new)
