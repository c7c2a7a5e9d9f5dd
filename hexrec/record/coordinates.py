"""A record in another coordinate system: the same cells under other names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from hexrec import games
from hexrec.board import System
from hexrec.board.coordinates import CELL_PATTERNS
from hexrec.diagnostics import Diagnostic, FirstFew, shorten
from hexrec.games import Game
from hexrec.record.record import ordered_record
from hexrec.record.validation import RecordError


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
