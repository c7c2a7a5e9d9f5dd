"""Marks of a record on a position: shapes and descriptions.

Annotations of games (`hexrec.rules.terms`) are separate; their shapes are in `hexrec.render.svg`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import atan2, cos, pi, sin
from typing import Any, NamedTuple

from hexrec.record.schema import LEADING, MarkKind
from hexrec.render.layout import REACH, STONE, Point, circle, cross, hexagon, path, polygon, text
from hexrec.rules.board import CellNames
from hexrec.util.escaping import shorten

#: Named colors, in tones that contrast with stones and boards of both themes.
COLORS_OF_MARKS: Mapping[str, str] = {
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
#: The maximum length of a label on a cell, in characters.
_LABEL = 3
#: Length of the sides of an arrowhead, and their angle to the shaft.
_HEAD, _SPREAD = 10.0, pi / 6


class Markup(NamedTuple):
    """A mark on the cells of a board.

    Attributes:
        kind: the kind of mark.
        cells: the marked cells; for an arrow or a line its points, in order.
        text: the text of a label, or a comment on another mark.
        color: the color as in the record.
    """

    kind: MarkKind
    cells: tuple[int, ...]
    text: str = ""
    color: str = ""


def markup_of(marks: Iterable[Mapping[str, Any]], names: CellNames) -> tuple[Markup, ...]:
    """Return the marks of a record. Cells outside the board are skipped (`lint/mark` warns about them)."""
    markup = []
    for mark in marks:
        cells = tuple(cell for cell in map(names.find, mark["cells"]) if cell is not None)
        if len(cells) > (mark["kind"] in LEADING):
            markup.append(Markup(mark["kind"], cells, mark.get("text") or "", mark.get("color") or ""))
    return tuple(markup)


def mentions(markup: Iterable[Markup], names: CellNames) -> list[str]:
    """Return a line of text per mark: ``red arrow: e5 to e8``, ``label A: c3, c4``."""
    return [f"{describe_mark(mark)}: {joiner(mark).join(names.names[cell] for cell in mark.cells)}" for mark in markup]


def describe_mark(mark: Markup) -> str:
    """Return the description of a mark: ``red arrow``, ``label A``, ``circle (a threat)``."""
    name = f"{shorten(mark.color)} {mark.kind}".lstrip()
    if not mark.text:
        return name
    return f"{name} {shorten(mark.text)}" if mark.kind == "label" else f"{name} ({shorten(mark.text)})"


def joiner(mark: Markup) -> str:
    """Return the separator between the cell names of a mark."""
    return " to " if mark.kind in LEADING else ", "


def legend_text(mark: Markup) -> str:
    """Return the text of a mark for the legend, or an empty string if its cells show it."""
    return shorten(mark.text) if mark.kind != "label" or len(mark.text) > _LABEL else ""


def draw_area(mark: Markup, points: Iterable[Point], reach: float = REACH) -> str:
    """Return the markup of an area, below the stones."""
    return "".join(polygon(hexagon(x, y, reach), *_style("mark-area", mark)) for x, y in points)


def draw(mark: Markup, points: Sequence[Point], radius: float = STONE * 0.6) -> str:
    """Return the markup of any other mark, above the stones."""
    if mark.kind in LEADING:
        return _draw_lines([points, _head(points)] if mark.kind == "arrow" else [points], mark)
    return "".join(_shape(mark, x, y, radius) for x, y in points)


def sample(mark: Markup, x: float, y: float) -> str:
    """Return a small sample of a mark for the legend."""
    if mark.kind == "area":
        return draw_area(mark, [(x, y)], 8.0)
    points = [(x - 8, y), (x + 8, y)] if mark.kind in LEADING else [(x, y)]
    return draw(mark._replace(text=shorten(mark.text, 2)), points, 6.0)


def _shape(mark: Markup, x: float, y: float, radius: float) -> str:
    if mark.kind == "label":
        return text(shorten(mark.text, _LABEL), x, y, *_style("mark-text", mark))
    if mark.kind == "circle":
        class_, color = _style("mark", mark)
        return circle("mark-halo", x, y, radius) + circle(class_, x, y, radius, color)
    if mark.kind == "cross":
        return _draw_lines(cross(x, y, radius * 0.8), mark)
    turns = (1, 3, 5, 7) if mark.kind == "square" else (2, 14 / 3, 22 / 3)
    reach = radius * 1.2
    corners = [(x + reach * cos(turn * pi / 4), y - reach * sin(turn * pi / 4)) for turn in turns]
    return _draw_lines([[*corners, *corners[:2]]], mark)


def _head(points: Sequence[Point]) -> list[Point]:
    """Return the line of an arrow's head."""
    (x, y), end = points[-2], points[-1]
    back = atan2(y - end[1], x - end[0])
    sides = [(end[0] + _HEAD * cos(back + turn), end[1] + _HEAD * sin(back + turn)) for turn in (_SPREAD, -_SPREAD)]
    return [sides[0], end, sides[1]]


def _draw_lines(lines: Sequence[Sequence[Point]], mark: Markup) -> str:
    return path(lines, "mark-halo") + path(lines, *_style("mark", mark))


def _style(class_: str, mark: Markup) -> tuple[str, str | None]:
    """Return class and color of a mark; None, for the color of the theme, if the color is missing or unknown."""
    name = mark.color.strip().lower()
    color = name if _HEX.fullmatch(name) else COLORS_OF_MARKS.get(name)
    return (class_, color) if color else (f"{class_} plain", None)
