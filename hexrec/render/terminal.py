"""Positions on a terminal, in color."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.text import Text

from hexrec.render.markup import mentions
from hexrec.render.text import changes, legend
from hexrec.render.views import View
from hexrec.rules.board_text import draw_rows
from hexrec.rules.terms import Role

#: A black and a white stone, on a terminal in color.
STONES = "●●"
_INK = ("#000000", "#ffffff")
_BOARD = "#b08d57"
_EDGE = "#8f7040"
#: Background colors of marked cells, with contrast to black and white; the last matching role wins.
_GROUNDS: Mapping[Role, str] = {
    "forbidden": "#8a8170",
    "dead": "#8a8170",
    "chain": "#008a65",
    "removed": "#8a8170",
    "changed": "#2f7fb8",
    "returned": "#7d62b0",
    "placed": "#c0591a",
    "cut": "#c0591a",
}


def color_view(view: View, *, marked: bool = True, mentioned: bool = True, letters: Sequence[str] = STONES) -> Text:
    """Return caption, board and legend of a view in color; the plain text shows the same.

    `letters` represent a black and a white stone. `marked` shows the annotations of the game, `mentioned` the marks of
    the record in words.
    """
    position = view.position
    marks = view.annotations if marked else []
    stones = position.stacks()
    edged = position.game.surface == "edged cells"
    board = position.board
    grounds = {cell: _EDGE if edged and cell in board.edge else _BOARD for cell in board.cells}
    areas = {cell: mark.color or 0 for mark in marks if mark.role == "area" for cell in mark.cells}
    for role, ground in _GROUNDS.items():
        grounds |= {cell: ground for mark in marks if mark.role == role for cell in mark.cells}
    text = Text(f"{view.caption}\n\n")
    for pieces in draw_rows(board, position.names, position.stacks(), changes(view.effects), marks, letters):
        for piece, cell in pieces:
            if cell is None:
                text.append(piece, "dim")
            else:
                ink = _INK[stones[cell].color if cell in stones else areas.get(cell, 0)]
                text.append(piece, f"{'bold ' if cell in stones else ''}{ink} on {grounds[cell]}")
        text.append("\n")
    if lines := [*legend(position, marks), *mentions(view.markup if mentioned else (), position.names)]:
        text.append("\n" + "\n".join(lines) + "\n")
    return text
