"""Turn notation: its pattern, the cells that a turn names, and messages for malformed turns."""

from __future__ import annotations

import re
from functools import cache, partial

from hexrec.rules.board import BLANKS, CELL_PATTERNS, Board, CellNames, System, trim
from hexrec.rules.terms import IllegalTurn
from hexrec.util.escaping import shorten


@cache
def pattern(shape: str, coordinates: System) -> str:
    """Return the regular expression of a turn notation (`Game.turn`), without anchors and for either case."""

    def spell(token: re.Match[str]) -> str:
        text = token[0]
        return CELL_PATTERNS[coordinates] if text == "{cell}" else f"[{text.upper()}{text}]"

    return re.sub(r"\{cell\}|[a-z]", spell, shape)


@cache
def _turn_expression(shape: str, coordinates: System) -> re.Pattern[str]:
    return re.compile(pattern(shape, coordinates))


@cache
def _cell_expression(coordinates: System) -> re.Pattern[str]:
    return re.compile(CELL_PATTERNS[coordinates])


def read(turn: str, shape: str, names: CellNames, board: Board, title: str, turn_help: str) -> tuple[str, list[int]]:
    """Return a turn in lower case without surrounding whitespace, and the cells that it names, in order.

    `title` and `turn_help` are for messages. Raises IllegalTurn if the turn does not match the notation or names a
    cell off the board.
    """
    text = turn.strip(BLANKS)
    if _turn_expression(shape, names.system).fullmatch(text) is None:
        raise IllegalTurn(
            "move/malformed",
            lambda: (
                f'"{shorten(turn)}" is not a turn of {title}{system_note(names.system)}: '
                f"a turn is {turn_help}{_spelling_hint(text, names, board)}"
            ),
        )
    # After the match, because some non-ASCII letters become a to z in lower case.
    text = text.lower()
    cells = []
    for name in _cell_expression(names.system).findall(text):
        number = names.cells.get(name)
        if number is None:
            raise IllegalTurn("move/off-board", partial(_off_board, name, names, board))
        cells.append(number)
    return text, cells


def cells_named(turn: str, names: CellNames) -> list[int]:
    """Return the cells that a canonical turn names, in order."""
    return [names.cells[name] for name in _cell_expression(names.system).findall(turn)]


def cells_through(text: str, names: CellNames, board: Board) -> list[int]:
    """Return the cells that a string names, and those between two cells joined by a hyphen, in order."""
    text = trim(text)
    path: list[int] = []
    last, end = None, 0
    for name in _cell_expression(names.system).finditer(text):
        cell = names.cells.get(name[0])
        if cell is None:
            continue
        if last is not None and text[end : name.start()] == "-":
            path += next((ray[: ray.index(cell)] for ray in board.rays[last] if cell in ray), ())
        path.append(cell)
        last, end = cell, name.end()
    return path


def in_names(text: str, names: CellNames, others: CellNames) -> str:
    """Return a trimmed string with its cell names converted from one coordinate system to another."""

    def rename(name: re.Match[str]) -> str:
        cell = names.cells.get(name[0])
        return name[0] if cell is None else others.names[cell]

    return _cell_expression(names.system).sub(rename, trim(text))


def system_note(coordinates: System) -> str:
    """Return the words for a coordinate system, or an empty string for the default."""
    return "" if coordinates == "row" else f" in {coordinates} coordinates"


def _spelling_hint(text: str, names: CellNames, board: Board) -> str:
    """Return a hint at the cell notation if the turn, or the example of turns, is in another coordinate system."""
    if names.system == "axial":
        return f" (in axial coordinates a cell is written {names.names[board.cells[0]]})"
    return " (cells are written (q,r) in axial coordinates only)" if "(" in text else ""


def _off_board(name: str, names: CellNames, board: Board) -> str:
    """Return the message about a cell off the board, with the range of existing cells near it."""
    row = name.rstrip("0123456789")
    mates = [other for other in names.cells if other.rstrip("0123456789") == row]
    if names.system != "row":
        where = f"no cell has that name in {names.system} coordinates"
    elif mates:
        where = f"row {row} runs from {mates[0]} to {mates[-1]}"
    else:
        where = f"the rows run from a to {names.names[board.cells[-1]].rstrip('0123456789')}"
    return f"{name} is not a cell: {where} on a board of size {board.size}"
