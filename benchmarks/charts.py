"""Plots as SVG: bars and lines, light or dark as the reader's system is, with a description in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, cos, floor, log10, pi, sin, sqrt
from typing import NamedTuple
from xml.sax.saxutils import escape

#: Colors that can be told apart with any kind of color vision, on light and on dark.
COLORS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9")
WIDTH = 720
_LEFT, _RIGHT, _TOP, _BAR, _GAP, _HEIGHT = 155, 70, 62, 13, 12, 240
_ACROSS = WIDTH - _LEFT - _RIGHT
_SHEET = """
text { font: 12px system-ui, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif; fill: #222 }
text.title { font-size: 14px; font-weight: 700 }
.page { fill: #fff }
.grid { stroke: #d5d5d5 }
@media (prefers-color-scheme: dark) {
text { fill: #eee }
.page { fill: #16181c }
.grid { stroke: #3c4048 }
}
"""


class Line(NamedTuple):
    """Points that a line leads through, and what they stand for."""

    name: str
    points: Sequence[tuple[float, float]]


def bars(title: str, rows: Mapping[str, Mapping[str, float]], *, stacked: bool = False) -> str:
    """Return horizontal bars: for each row one for each of its values, below each other or, stacked, end to end."""
    names = list(dict.fromkeys(name for values in rows.values() for name in values))
    longest = max(sum(values.values()) if stacked else max(values.values()) for values in rows.values())
    parts, y = _legend(names), float(_TOP)
    for row, values in rows.items():
        height = _BAR if stacked else _BAR * len(values)
        parts.append(_text(_LEFT - 8, y + height / 2 + 4, row, "end"))
        x = float(_LEFT)
        for name, value in values.items():
            width = value / longest * _ACROSS
            color = COLORS[names.index(name)]
            parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{_BAR - 1}" fill="{color}"/>')
            if stacked:
                x += width
            else:
                parts.append(_text(x + width + 5, y + _BAR - 2.5, _said(value)))
                y += _BAR
        y += _GAP + (_BAR if stacked else 0)
    said = [
        f"{row}: {', '.join(f'{name} {_said(value)}' for name, value in values.items())}"
        for row, values in rows.items()
    ]
    return _document(title, said, parts, y)


def lines(title: str, across: str, drawn: Sequence[Line]) -> str:
    """Return lines over axes that begin at zero. `across`: what goes across."""
    x_axis = _Axis([x for line in drawn for x, _ in line.points], _LEFT, _LEFT + _ACROSS)
    y_axis = _Axis([y for line in drawn for _, y in line.points], _TOP + _HEIGHT, _TOP)
    parts = _legend([line.name for line in drawn])
    for tick in y_axis.ticks:
        y = y_axis.place(tick)
        parts.append(f'<path class="grid" d="M{_LEFT} {y:.1f}h{_ACROSS}"/>')
        parts.append(_text(_LEFT - 8, y + 4, _said(tick), "end"))
    for tick in x_axis.ticks:
        parts.append(_text(x_axis.place(tick), _TOP + _HEIGHT + 18, _said(tick), "middle"))
    parts.append(_text(_LEFT + _ACROSS / 2, _TOP + _HEIGHT + 38, across, "middle"))
    for line, color in zip(drawn, COLORS, strict=False):
        places = [f"{x_axis.place(x):.1f} {y_axis.place(y):.1f}" for x, y in line.points]
        parts.append(f'<path d="M{"L".join(places)}" fill="none" stroke="{color}" stroke-width="2.2"/>')
    said = [f"{line.name}: {', '.join(f'{_said(x)}: {_said(y)}' for x, y in line.points)}" for line in drawn]
    return _document(title, said, parts, _TOP + _HEIGHT + 50)


class Cell(NamedTuple):
    """A cell of a board: its place in cells, and a value from -1 to 1; None if a stone is there."""

    x: float
    y: float
    value: float | None


def boards(title: str, names: tuple[str, str], drawn: Mapping[str, Sequence[Cell]]) -> str:
    """Return boards of the same shape, with a color for the values above 0 and one for those below, pale near 0."""
    xs, ys = zip(*((cell.x, cell.y) for cell in next(iter(drawn.values()))), strict=True)
    columns = min(4, len(drawn))
    across = (WIDTH - 28) / columns
    size = min(26, across / (max(xs) - min(xs) + 2))
    row = size * sqrt(3) / 2
    height = (max(ys) - min(ys)) * row + 3 * size
    corners = ((size / sqrt(3) * sin(turn * pi / 3), size / sqrt(3) * cos(turn * pi / 3)) for turn in range(6))
    outline = " ".join(f"{x:.1f},{y:.1f}" for x, y in corners)
    parts = [*_legend(names), f'<defs><polygon id="c" stroke="#888" points="{outline}"/></defs>']
    said = []
    for number, (name, cells) in enumerate(drawn.items()):
        left, top = 14 + across * (number % columns + 0.5), _TOP + size + height * (number // columns)
        for cell in cells:
            x, y = left + (cell.x - (min(xs) + max(xs)) / 2) * size, top + (max(ys) - cell.y) * row
            color, opacity = COLORS[(cell.value or 0) < 0], f"{abs(cell.value or 0):.2g}"
            parts.append(f'<use href="#c" x="{x:.1f}" y="{y:.1f}" fill="{color}" fill-opacity="{opacity}"/>')
            if cell.value is None:
                parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size * 0.3:.1f}" fill="#888"/>')
        parts.append(_text(left, top + height - 1.4 * size, name, "middle"))
        counts = (sum(sign * (cell.value or 0) > 0 for cell in cells) for sign in (1, -1))
        said.append(f"{name}: {', '.join(f'{count} {word}' for count, word in zip(counts, names, strict=True))}")
    return _document(title, said, parts, _TOP + height * ceil(len(drawn) / columns))


class _Axis:
    """Where values are between two places, and at which values there are ticks."""

    def __init__(self, values: Sequence[float], begin: float, end: float) -> None:
        self._begin, self._length = begin, end - begin
        step = next(
            step
            for power in range(floor(log10(max(values))) - 1, 99)
            for step in (factor * 10.0**power for factor in (1, 2, 5))
            if max(values) / step <= 6
        )
        self.ticks = [step * number for number in range(ceil(max(values) / step) + 1)]

    def place(self, value: float) -> float:
        first, last = self.ticks[0], self.ticks[-1]
        return self._begin + self._length * (value - first) / (last - first)


def _legend(names: Sequence[str]) -> list[str]:
    if len(names) < 2:
        return []
    parts, x = [], 14.0
    for name, color in zip(names, COLORS, strict=False):
        parts += [f'<rect x="{x:.0f}" y="35" width="11" height="11" fill="{color}"/>', _text(x + 16, 45, name)]
        x += 40 + 6.6 * len(name)
    return parts


def _said(value: float) -> str:
    """Return a number in few characters: three digits of it, and thousands or millions as such."""
    for limit, unit in ((1e6, " M"), (1e3, " k")):
        if value >= 0.9995 * limit:
            return f"{value / limit:.3g}{unit}"
    return f"{value:.0f}" if value == round(value) else f"{value:.3g}"


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'


def _document(title: str, said: Sequence[str], parts: Sequence[str], height: float) -> str:
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {WIDTH} {height:.0f}"'
            f' width="{WIDTH}" height="{height:.0f}">',
            f"<title>{escape(title)}</title>",
            f"<desc>{escape('. '.join(said))}.</desc>",
            f"<style>{_SHEET}</style>",
            f'<rect class="page" width="{WIDTH}" height="{height:.0f}" rx="8"/>',
            f'<text class="title" x="14" y="23">{escape(title)}</text>',
            *parts,
            "</svg>\n",
        ]
    )
