"""Boards as plain text, readable without color."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from hexrec.rules.board import Board, CellNames
from hexrec.rules.terms import Annotation, Role, Stack

LETTERS = "BW"
_EMPTY = "."
#: Signs of marks. A sign follows the letter of a stone and replaces the dot of an empty cell.
SIGNS: Mapping[Role, str] = {"dead": "x", "chain": "*", "end": "'", "secure": "#", "forbidden": "x"}
#: Signs of empty cells that belong to a player.
AREAS = "bw"


def draw(board: Board, names: CellNames, stacks: Mapping[int, Stack]) -> str:
    """Return a board as text, the top row first, each row between the names of its first and last cells.

    A stone is the letter of its color, a stack the letter and its height, an empty cell a dot.
    """
    return "\n".join("".join(text for text, _ in pieces) for pieces in draw_rows(board, names, stacks))


def draw_rows(
    board: Board,
    names: CellNames,
    stacks: Mapping[int, Stack],
    marked: Iterable[int] = (),
    marks: Iterable[Annotation] = (),
    letters: Sequence[str] = LETTERS,
) -> Iterator[list[tuple[str, int | None]]]:
    """Yield the lines of `draw` as pairs of string and cell; the cell of labels and margins is None.

    `marked` cells are in brackets, `marks` add their signs, and `letters` represent a black and a white stone.
    """
    bodies = _bodies(board, stacks, marks, letters)
    width = max(len(body) for body in bodies.values())
    bodies |= {cell: f"[{bodies[cell]}]" for cell in marked}
    pitch = width + 2 + width % 2
    left = min(board.position(cell)[0] for cell in board.cells)
    margin = max(len(names.single(row[0])) for row in board.rows)
    for cells in board.rows:
        first, last = names.single(cells[0]), names.single(cells[-1])
        drawn = [(bodies[cell].center(pitch), cell) for cell in cells]
        indent = int((board.position(cells[0])[0] - left) * pitch)
        yield [(f"{' ' * indent}{first:>{margin}} ", None), *drawn, (f" {last}", None)]


def _bodies(
    board: Board, stacks: Mapping[int, Stack], marks: Iterable[Annotation], letters: Sequence[str]
) -> dict[int, str]:
    """Return the content of each cell as a string, without brackets."""
    stacked = any(stack.height > 1 for stack in stacks.values())
    bodies = dict.fromkeys(board.cells, _EMPTY)
    for cell, stack in stacks.items():
        bodies[cell] = letters[stack.color] + (str(stack.height) if stacked else "")
    for mark in marks:
        sign = SIGNS.get(mark.role)
        for cell in mark.cells:
            if cell not in stacks and (sign or mark.role == "area"):
                bodies[cell] = sign or AREAS[mark.color or 0]
            elif sign and not bodies[cell].endswith(sign):
                bodies[cell] += sign
    return bodies
