"""The marks that a record has on a position: which shape each kind has, and how it is mentioned.

What games point out themselves are annotations (`hexrec.rules.terms`), whose shapes are in `hexrec.render.svg`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from math import atan2, cos, pi, sin
from typing import Any, NamedTuple

from hexrec.record.schema import LEADING, MarkKind
from hexrec.render.layout import STONE, Layout, Point, element, hexagon, path, polygon, text
from hexrec.rules.board import CellNames
from hexrec.util.escaping import shorten

#: The colors that have names, in tones that can be told from stones and boards of both themes.
_COLORS: Mapping[str, str] = {
    "red": "#d62728",
    "green": "#2ca02c",
    "blue": "#1f77d0",
    "yellow": "#e6b800",
    "orange": "#f07d00",
    "purple": "#8e44ad",
    "pink": "#e377c2",
    "cyan": "#17a2b8",
    "brown": "#8c564b",
    "grey": "#7f7f7f",
    "gray": "#7f7f7f",
    "black": "#1d1d1f",
    "white": "#ffffff",
}
_HEX = re.compile(r"#(?:[0-9a-f]{3}){1,2}", re.IGNORECASE)
#: How many characters of a label are written on a cell.
_LABEL = 3
#: How long the sides of an arrow's head are, and how far they are from its shaft.
_HEAD, _SPREAD = 10.0, pi / 6


class Markup(NamedTuple):
    """A mark on the cells of a board.

    Attributes:
        kind: what is drawn.
        cells: the cells that are marked each; for an arrow or a line those that it leads through, in order.
        text: what a label says, or a remark on another mark.
        color: the color, as the record says it.
    """

    kind: MarkKind
    cells: tuple[int, ...]
    text: str = ""
    color: str = ""


def markup_of(marks: Iterable[Mapping[str, Any]], names: CellNames) -> tuple[Markup, ...]:
    """Return the marks of a record's data, as far as their cells are on a board; `lint/mark` warns of others."""
    found = []
    for mark in marks:
        cells = tuple(cell for cell in map(names.find, mark["cells"]) if cell is not None)
        if len(cells) > (mark["kind"] in LEADING):
            found.append(Markup(mark["kind"], cells, mark.get("text") or "", mark.get("colour") or ""))
    return tuple(found)


def mentions(markup: Iterable[Markup], names: CellNames) -> list[str]:
    """Return what marks say in words, a line each: ``red arrow: e5 to e8``, ``label A: c3, c4``."""
    return [f"{named(mark)}: {joiner(mark).join(names.names[cell] for cell in mark.cells)}" for mark in markup]


def named(mark: Markup) -> str:
    """Return what a mark is, in words: ``red arrow``, ``label A``, ``circle (a threat)``."""
    what = f"{shorten(mark.color)} {mark.kind}".lstrip()
    if not mark.text:
        return what
    return f"{what} {shorten(mark.text)}" if mark.kind == "label" else f"{what} ({shorten(mark.text)})"


def joiner(mark: Markup) -> str:
    """Return what stands between the names of its cells."""
    return " to " if mark.kind in LEADING else ", "


def remark(mark: Markup) -> str:
    """Return what has to be written beside the board about a mark: a text that is not whole on its cells."""
    return shorten(mark.text) if mark.kind != "label" or len(mark.text) > _LABEL else ""


def below(mark: Markup, layout: Layout) -> str:
    """Return what is drawn of a mark under the stones."""
    if mark.kind != "area":
        return ""
    return "".join(_tinted(hexagon(*layout.at(cell)), mark) for cell in mark.cells)


def above(mark: Markup, top: Callable[[int], Point]) -> str:
    """Return what is drawn of a mark over the stones, given the middle of what is uppermost on each cell."""
    points = [top(cell) for cell in mark.cells]
    if mark.kind == "area":
        return ""
    if mark.kind in LEADING:
        return _lined([points, *_head(points)] if mark.kind == "arrow" else [points], mark)
    return "".join(_shape(mark, x, y, STONE * 0.6) for x, y in points)


def sample(mark: Markup, x: float, y: float) -> str:
    """Return a mark as it is drawn, small."""
    if mark.kind == "area":
        return _tinted(hexagon(x, y, 8.0), mark)
    if mark.kind in LEADING:
        points = [(x - 8, y), (x + 8, y)]
        return _lined([points, *_head(points)] if mark.kind == "arrow" else [points], mark)
    return _shape(mark._replace(text=shorten(mark.text, 2)), x, y, 6.0)


def _shape(mark: Markup, x: float, y: float, radius: float) -> str:
    """Return the shape of a mark on one cell."""
    if mark.kind == "label":
        return text(shorten(mark.text, _LABEL), x, y, *_look("mark-text", mark))
    if mark.kind == "circle":
        return "".join(
            element("circle", class_=class_, cx=x, cy=y, r=radius, stroke=color)
            for class_, color in (("mark-halo", None), _look("mark", mark))
        )
    if mark.kind == "cross":
        arm = radius * 0.8
        return _lined([[(x - arm, y - arm), (x + arm, y + arm)], [(x - arm, y + arm), (x + arm, y - arm)]], mark)
    turns = (1, 3, 5, 7) if mark.kind == "square" else (2, 14 / 3, 22 / 3)
    reach = radius * 1.2
    corners = [(x + reach * cos(turn * pi / 4), y - reach * sin(turn * pi / 4)) for turn in turns]
    return _lined([[*corners, *corners[:2]]], mark)


def _head(points: list[Point]) -> list[list[Point]]:
    """Return the lines of an arrow's head."""
    (x, y), end = points[-2], points[-1]
    back = atan2(y - end[1], x - end[0])
    sides = [(end[0] + _HEAD * cos(back + turn), end[1] + _HEAD * sin(back + turn)) for turn in (_SPREAD, -_SPREAD)]
    return [[sides[0], end, sides[1]]]


def _lined(lines: list[list[Point]], mark: Markup) -> str:
    return path(lines, "mark-halo") + path(lines, *_look("mark", mark))


def _tinted(corners: list[Point], mark: Markup) -> str:
    return polygon(corners, *_look("mark-area", mark))


def _look(class_: str, mark: Markup) -> tuple[str, str | None]:
    """Return the class of what is drawn and its color: None for that of the theme, also for what is no color."""
    name = mark.color.strip().lower()
    color = name if _HEX.fullmatch(name) else _COLORS.get(name)
    return (class_, color) if color else (f"{class_} plain", None)
