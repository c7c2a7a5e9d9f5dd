"""The canonical form of a record: default fields left out, turns in canonical spelling, one way to write each thing.

Its cells can be named in another coordinate system.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from functools import cache
from typing import Any

from hexrec import games
from hexrec.board import System
from hexrec.board.coordinates import CELL_PATTERNS
from hexrec.diagnostics import Diagnostic, FirstFew, shorten
from hexrec.games import Game, IllegalTurn, Position, RuleError
from hexrec.games.turn_text import BLANKS
from hexrec.record.game_shapes import record_shape
from hexrec.record.record import Record, has_side_lines, ordered_move, ordered_record, turn_of
from hexrec.record.schema import Move
from hexrec.record.shapes import Shape, is_extension, shape_of
from hexrec.record.validation import RecordError


def canonical_form(record: Record) -> dict[str, Any]:
    """Return the record's canonical form as plain data, fields in the order of the format.

    Left out are fields with their default values and empty parts. A turn with nothing to add is a string.
    Extension fields follow the others, sorted by name, their values verbatim. Turns are in the canonical spelling
    that the engine gives them, in variations, lines of programs and turns taken back too; from the first of a line that
    cannot be played on, they are only trimmed and in lower case.
    """
    data = _without_defaults(record.data, record_shape(record.rules), skip=("moves",))
    for color in data.get("opening", {}):
        if color in record.rules.opening:
            data["opening"][color] = trim(data["opening"][color])
    _trim_marks(data)
    start = _start(record)
    return ordered_record({**data, "moves": _moves(record.moves, spell(record.turns, start), start)})


def canonical_turns(record: Record) -> list[str]:
    """Return the turns played, in canonical spelling as far as the game can be replayed, and trimmed after that."""
    if record.canonical_turns is not None:
        return record.canonical_turns
    return spell(record.turns, _start(record))


def _start(record: Record) -> Position[Any] | None:
    """Return the position in which a record starts, if there is one and the spelling of turns depends on positions."""
    if record.rules.synonyms:
        with suppress(RuleError):
            return record.start()
    return None


def spell(turns: Iterable[str], start: Position[Any] | None) -> list[str]:
    """Return a line of turns from a position, in canonical spelling as far as it can be played."""
    trimmed = [trim(turn) for turn in turns]
    if start is not None:
        spelled: list[str] = []
        with suppress(IllegalTurn):
            start.copy().play_all(trimmed, spelled)
        trimmed[: len(spelled)] = spelled
    return trimmed


def _moves(moves: Sequence[str | Move], turns: list[str], start: Position[Any] | None) -> list[Any]:
    """Return a line of moves with their canonical turns and their canonical variations, as plain data."""
    written: list[Any] = []
    here, played = start and start.copy(), 0
    for index, (move, turn) in enumerate(zip(moves, turns, strict=True)):
        rest: dict[str, Any] = {}
        if isinstance(move, dict):
            rest = _without_defaults(move, shape_of(Move), skip=("turn", "variations"))
            _trim_marks(rest)
            if here is not None and has_side_lines(move):
                try:
                    here.play_all(turns[played:index])
                    played = index
                except IllegalTurn:
                    here = None
            if "taken_back" in rest:
                rest["taken_back"] = [spell([text], here)[0] for text in rest["taken_back"]]
            if "line" in rest.get("eval", {}):
                rest["eval"]["line"] = spell(rest["eval"]["line"], here)
            variations = move.get("variations", [])
            lines = [_moves(line, spell(map(turn_of, line), here), here) for line in variations]
            if lines:
                rest["variations"] = lines
        written.append(ordered_move({"turn": turn, **rest}) if rest else turn)
    return written


def _trim_marks(part: dict[str, Any]) -> None:
    for mark in part.get("marks", ()):
        mark["cells"] = [trim(cell) for cell in mark["cells"]]


def trim(text: str) -> str:
    """Return a turn or the name of a cell in lower case, without blanks around it."""
    text = text.strip(BLANKS)
    return text.lower() if text.isascii() else text  # some letters of other alphabets become a to z in lower case


def _without_defaults(part: Mapping[str, Any], shape: Shape, skip: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a copy of an object without default values and empty parts. An empty result says that the game is over."""
    kept = {}
    for name, value in part.items():
        if name in skip:
            continue
        if not is_extension(name):
            if value == shape.fields[name].about.default:
                continue
            inner = shape.parts.get(name)
            if inner is not None and isinstance(value, dict):
                value = _without_defaults(value, inner)
                if not value and name != "result":
                    continue
            elif inner is not None:
                value = [_without_defaults(each, inner) for each in value]
        kept[name] = deepcopy(value)
    return kept


def in_coordinates(data: Mapping[str, Any], system: System) -> dict[str, Any]:
    """Return the canonical data of a record with its cells named in a coordinate system, variations and marks included.

    What stands in comments and extension fields stays as it is. Raises RecordError with a diagnostic for every turn,
    mark and opening stone that names no cell.
    """
    old = data.get("coordinates", "row")
    if system == old:
        return dict(data)
    respell = _Respelling(data["game"], data["size"], old, system)
    changed = {name: value for name, value in data.items() if name != "coordinates"}
    if "opening" in data:
        changed["opening"] = {
            name: cell if name.startswith("x-") else respell.cell(cell, f"/opening/{name}")
            for name, cell in data["opening"].items()
        }
    if "marks" in data:
        changed["marks"] = respell.marks(data["marks"], "/marks")
    changed["moves"] = respell.moves(data["moves"], "/moves")
    if respell.refused.kept:
        raise RecordError(respell.refused.diagnostics("convert/more"))
    return changed if system == "row" else ordered_record({**changed, "coordinates": system})


class _Respelling:
    """Names cells in another system and keeps what cannot be named so."""

    def __init__(self, game: str, size: int, old: System, new: System) -> None:
        self.refused = FirstFew[Diagnostic]()
        board = games.get(game).board(size)
        self._names, self._new = board.names(old), board.names(new)
        self._turn = _turn_expression(games.get(game), old)
        self._cell = re.compile(CELL_PATTERNS[old])

    def cell(self, name: str, pointer: str) -> str:
        cell = self._names.find(name)
        if cell is None:
            self._refuse(f"{shorten(name)} is not a cell of the board", pointer)
            return name
        return self._new.single(cell)

    def moves(self, moves: list[Any], pointer: str) -> list[Any]:
        return [self._move(move, f"{pointer}/{index}") for index, move in enumerate(moves)]

    def marks(self, marks: list[Any], pointer: str) -> list[Any]:
        """Return marks with their cells named in the other system."""
        return [
            {
                **mark,
                "cells": [self.cell(cell, f"{pointer}/{index}/cells/{at}") for at, cell in enumerate(mark["cells"])],
            }
            for index, mark in enumerate(marks)
        ]

    def _move(self, move: Any, pointer: str) -> Any:
        if isinstance(move, str):
            return self._text(move, pointer)
        changed = {**move, "turn": self._text(move["turn"], f"{pointer}/turn")}
        if "line" in move.get("eval", {}):
            line = self._texts(move["eval"]["line"], f"{pointer}/eval/line")
            changed["eval"] = {**move["eval"], "line": line}
        if "marks" in move:
            changed["marks"] = self.marks(move["marks"], f"{pointer}/marks")
        if "taken_back" in move:
            changed["taken_back"] = self._texts(move["taken_back"], f"{pointer}/taken_back")
        if "variations" in move:
            lines = enumerate(move["variations"])
            changed["variations"] = [self.moves(line, f"{pointer}/variations/{number}") for number, line in lines]
        return changed

    def _texts(self, turns: list[str], pointer: str) -> list[str]:
        return [self._text(turn, f"{pointer}/{index}") for index, turn in enumerate(turns)]

    def _text(self, turn: str, pointer: str) -> str:
        if self._turn.fullmatch(turn) is None:
            self._refuse(f"{shorten(turn)} is not spelled like a turn", pointer)
            return turn
        try:
            return self._cell.sub(self._renamed, turn)
        except KeyError as unknown:
            self._refuse(f"{unknown.args[0]} in {shorten(turn)} is not a cell of the board", pointer)
            return turn

    def _renamed(self, name: re.Match[str]) -> str:
        return self._new.names[self._names.cells[name[0]]]

    def _refuse(self, what: str, pointer: str) -> None:
        message = f"{what}: it has no name in {self._new.system} coordinates"
        self.refused.add(Diagnostic("convert/cell", message, pointer=pointer))


@cache
def _turn_expression(game: Game, system: System) -> re.Pattern[str]:
    return re.compile(game.turn_pattern(system))
