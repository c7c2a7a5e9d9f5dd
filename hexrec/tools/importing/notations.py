"""Ways to name cells and to join them to turns, each with its cost: the differences from the notation of records."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from typing import NamedTuple

from hexrec.rules.board import Board, System, letters
from hexrec.rules.game import Game
from hexrec.tools.importing.lexer import Cell
from hexrec.tools.importing.selection import APART, TurnPart

_LETTER_I = 8
#: The signs for those of turn notations that joined cells have in between.
_SYNONYMS = {"-": ("-", " - ", ">"), "/": ("/", "+")}
_MAX_EXTRA = 4


class CellNotation(NamedTuple):
    """A way to name cells.

    Attributes:
        system: ``row``; ``transposed``, where the number is the row and the letter the cell in it; ``skew``, as in
            records; ``oblique``, the other pair of lines; ``axial``.
        without_i: whether the letter after h is j.
        zero: whether numbers begin with 0.
        cost: the number of differences from the notation of records that the text does not show by itself.
    """

    system: str
    without_i: bool = False
    zero: bool = False
    cost: int = 0

    def __str__(self) -> str:
        parts = {
            "row": "letters as rows",
            "transposed": "numbers as rows",
            "skew": "skew coordinates",
            "oblique": "coordinates by two lines",
            "axial": "axial coordinates",
        }[self.system]
        return parts + (", no letter i" if self.without_i else "") + (", numbers from 0" if self.zero else "")

    def name(self, cell: Cell, board: Board) -> str | None:
        """Return the name of a cell in row coordinates, or None if the board does not have it."""
        first, second, size = cell.first, cell.second, board.size
        if self.system == "axial":
            return _at(board, first, second)
        if not self.zero:
            second -= 1
            first -= not cell.lettered
        if self.without_i and cell.lettered and first >= _LETTER_I:
            if first == _LETTER_I:
                return None
            first -= 1
        if first < 0 or second < 0:
            return None
        if self.system == "row":
            return _named(board, first, second)
        if self.system == "transposed":
            return _named(board, second, first)
        if self.system == "skew":
            return _at(board, first - second, second - (size - 1))
        return _at(board, first - (size - 1), second - (size - 1))


class CellTable(dict[Cell, str | None]):
    """The names of cells in row coordinates by those of a notation, computed once; None for cells off the board."""

    def __init__(self, notation: CellNotation, board: Board) -> None:
        super().__init__()
        self._notation, self._board = notation, board

    def __missing__(self, cell: Cell) -> str | None:
        name = self[cell] = self._notation.name(cell, self._board)
        return name


def _named(board: Board, row: int, index: int) -> str | None:
    name = f"{letters(row)}{index + 1}" if row < 52 else ""
    return name if name in board.names().cells else None


def _at(board: Board, q: int, r: int) -> str | None:
    reach = board.size - 1
    if max(abs(q), abs(r), abs(q + r)) > reach:
        return None
    return board.names().names[board.cell(q, r)]


def notations(cells: Sequence[Cell], system: System | None) -> list[CellNotation]:
    """Return the notations that some cells can be in, given the coordinate system if it is known."""
    lettered = [cell for cell in cells if cell.lettered]
    if len(lettered) < len(cells):
        if lettered:
            return []
        if system == "axial" or any(min(cell.first, cell.second) < 0 for cell in cells):
            return [CellNotation("axial")]
        zero = any(min(cell.first, cell.second) == 0 for cell in cells)
        names: Sequence[str] = ("row", "transposed", "skew", "oblique") if system is None else (system,)
        return [CellNotation(name, zero=zero, cost=cost) for cost, name in enumerate(names)]
    zero = any(cell.second == 0 for cell in cells)
    has_i = any(cell.first == _LETTER_I for cell in cells)
    beyond = any(cell.first > _LETTER_I for cell in cells)
    letterings = (False, True) if beyond and not has_i else (False,)
    costs: dict[str, int] = {"row": 0, "transposed": 1, "skew": 1, "oblique": 2} if system is None else {system: 0}
    found = [
        CellNotation(name, without_i, base, cost + without_i + (base and not zero))
        for name, cost in costs.items()
        for without_i in letterings
        for base in ((True,) if zero else (False, True))
    ]
    return sorted(found, key=lambda notation: notation.cost)


class Joins(NamedTuple):
    """The signs that join cells to turns.

    Attributes:
        first: the signs between the first cell of a turn and the second.
        second: the signs between the second and the third.
        cost: the number of differences from the notation of records.
    """

    first: frozenset[str]
    second: frozenset[str]
    cost: int = 0


@cache
def templates(game: Game) -> dict[int, str]:
    """Return, by number of cells, the turns of a game that begin with a cell, with ``{}`` for each cell."""
    pattern = re.compile(game.turn_pattern())
    found: dict[int, str] = {}
    signs = [sign for sign in "-x/:+>*" if sign in re.sub(r"pass|\(\?:|\{cell\}", "", game.turn)]
    for count in (1, 2, 3):
        for joining in product(signs, repeat=count - 1):
            template = "{}".join(["", *joining, ""])
            if pattern.fullmatch(template.replace("{}", "a1")):
                found.setdefault(count, template)
    return found or {1: "{}"}


def joins(game: Game, items: Sequence[TurnPart]) -> Iterator[Joins]:
    """Yield the ways to join the items of a text to turns of a game."""
    forms = templates(game)
    if 2 not in forms:
        yield Joins(frozenset(), frozenset())
        return
    first = _like(forms[2].strip("{}"))
    second = _like(forms[3].split("{}")[2]) if 3 in forms else frozenset()
    present = {item.gap for item in items} - {APART}
    yield Joins(first, second)
    extra = sorted(present - first - second)[:_MAX_EXTRA]
    for count in (1, 2):
        for chosen in combinations(extra, count):
            more = frozenset(chosen)
            yield Joins(first, second | more, count)
            yield Joins(first | more, second, count)
            yield Joins(first | more, second | more, count)
    for sign in sorted(present & {"-", " - ", "/", "x"}):
        yield Joins(first - {sign}, second - {sign}, 1)
        for other in extra:
            yield Joins(first - {sign} | {other}, second - {sign} | {other}, 2)


def _like(sign: str) -> frozenset[str]:
    """Return the signs that people use for one of a turn notation."""
    return frozenset(_SYNONYMS.get(sign, (sign,)))
