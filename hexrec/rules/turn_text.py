"""Turn texts: their shape, the cells that they name, and what is said of those that mean no turn on a board."""

from __future__ import annotations

import re
from functools import cache, partial

from hexrec.rules.board import CELL_PATTERNS, Board, CellNames, System
from hexrec.rules.terms import IllegalTurn
from hexrec.util.escaping import shorten

BLANKS = " \t\r\n"


@cache
def pattern(shape: str, coordinates: System) -> str:
    """Return the regular expression, without anchors and for either case, of turn texts of a shape (`Game.turn`)."""

    def spell(token: re.Match[str]) -> str:
        text = token[0]
        return CELL_PATTERNS[coordinates] if text == "{cell}" else f"[{text.upper()}{text}]"

    return re.sub(r"\{cell\}|[a-z]", spell, shape)


@cache
def _expressions(shape: str, coordinates: System) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return re.compile(pattern(shape, coordinates)), _cell_expression(coordinates)


def read(turn: str, shape: str, names: CellNames, board: Board, title: str, turn_help: str) -> tuple[str, list[int]]:
    """Return a turn text without blanks and in lower case, and the cells that it names, in order.

    `title` and `turn_help` say to people which game's turns have the shape, and what that is. Raises IllegalTurn if the
    text has another shape, or names a cell off the board.
    """
    text = turn.strip(BLANKS)
    whole, cell = _expressions(shape, names.system)
    if whole.fullmatch(text) is None:
        raise IllegalTurn(
            "move/malformed",
            lambda: (
                f'"{shorten(turn)}" is not a turn of {title}{system_note(names.system)}: '
                f"a turn is {turn_help}{_spelling_hint(text, names, board)}"
            ),
        )
    # Only now: some letters of other alphabets become a to z in lower case.
    text = text.lower()
    cells = []
    for name in cell.findall(text):
        number = names.cells.get(name)
        if number is None:
            raise IllegalTurn("move/off-board", partial(_off_board, name, names, board))
        cells.append(number)
    return text, cells


def cells_named(turn: str, names: CellNames) -> list[int]:
    """Return the cells that the canonical text of a turn names, in order."""
    return [names.cells[name] for name in _cell_expression(names.system).findall(turn)]


@cache
def _cell_expression(coordinates: System) -> re.Pattern[str]:
    return re.compile(CELL_PATTERNS[coordinates])


def cells_through(text: str, names: CellNames, board: Board) -> list[int]:
    """Return the cells that a turn text of any shape names, and those between the two ends of a line, in order."""
    found: list[int] = []
    last, end = None, 0
    for name in _cell_expression(names.system).finditer(_lowered(text)):
        cell = names.cells.get(name[0])
        if cell is None:
            continue
        if last is not None and text[end : name.start()] == "-":
            found += next((ray[: ray.index(cell)] for ray in board.rays[last] if cell in ray), ())
        found.append(cell)
        last, end = cell, name.end()
    return found


def in_names(text: str, names: CellNames, others: CellNames) -> str:
    """Return a turn text of any shape with the cells that it names named otherwise."""

    def renamed(name: re.Match[str]) -> str:
        cell = names.cells.get(name[0])
        return name[0] if cell is None else others.names[cell]

    return _cell_expression(names.system).sub(renamed, _lowered(text))


def _lowered(text: str) -> str:
    return text.lower() if text.isascii() else text


def system_note(coordinates: System) -> str:
    """Say which coordinate system names are read in, unless it is the usual one."""
    return "" if coordinates == "row" else f" in {coordinates} coordinates"


def _spelling_hint(text: str, names: CellNames, board: Board) -> str:
    """Say how cells are written where the text, or the examples of turns, are of another coordinate system."""
    if names.system == "axial":
        return f" (in axial coordinates a cell is written {names.names[board.cells[0]]})"
    return " (cells are written (q,r) in axial coordinates only)" if "(" in text else ""


def _off_board(name: str, names: CellNames, board: Board) -> str:
    return f"{name} is not a cell: {_where(name, names, board)} on a board of size {board.size}"


def _where(name: str, names: CellNames, board: Board) -> str:
    """Say what cells there are near the name of one that is not on the board."""
    if names.system != "row":
        return f"no cell has that name in {names.system} coordinates"
    row = name.rstrip("0123456789")
    mates = [other for other in names.cells if other.rstrip("0123456789") == row]
    last = names.names[board.cells[-1]].rstrip("0123456789")
    return f"row {row} runs from {mates[0]} to {mates[-1]}" if mates else f"the rows run from a to {last}"
