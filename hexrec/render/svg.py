"""Views as SVG, and the shapes of marks for pictures, legends and the page.

The page in the browser copies its shapes from `shapes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import chain
from typing import Any, NamedTuple, get_args
from xml.sax.saxutils import escape
from zlib import crc32

from hexrec.record.record import Record
from hexrec.render.layout import (
    CHARACTER,
    FRAME,
    LABEL,
    LABEL_GAP,
    LABEL_SIZE,
    PADDING,
    PITCH,
    REACH,
    RING,
    ROW,
    STONE,
    Layout,
    Point,
    circle,
    cross,
    element,
    hexagon,
    number,
    path,
    polygon,
    text,
    width_of,
)
from hexrec.render.markup import COLORS_OF_MARKS, Markup, draw, draw_area, legend_text, mentions, sample
from hexrec.render.text import legend
from hexrec.render.theme import GRADIENTS, SHADES, THEMES, Style, classes_in, css, definitions
from hexrec.render.views import View, view_of
from hexrec.rules.board import Board, CellNames
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, Annotation, Role, Stack

#: Layers from bottom to top.
_GROUND, _AREAS, _PATHS, _STONES, _MARKS, WORDS = range(6)
#: Layer and order of marks that are drawn as one shape.
_LINES: Mapping[Role, tuple[int, int]] = {
    "body": (_AREAS, 0),
    "group": (_PATHS, 0),
    "ray": (_PATHS, 0),
    "path": (_PATHS, 0),
    "chain": (_MARKS, 2),
}
#: Height of a disc of a stack, and the maximum number of discs drawn.
_DISC, _DISCS = 3.4, 4
#: Shadow of a stone: offset to the right and downwards, and additional radius.
_SHADOW = (1.0, 2.5, 3.5)
#: Thickness of the plate.
_LEDGE = 4.0
#: Radius of the glow around effects of the last turn, relative to that of a stone.
_LIT = 1.47
_CAPTION, _LEGEND = 13.0, 12.0
_LINE = 19.0


class Item(NamedTuple):
    """A piece of a picture. Items are drawn in order of layer and `order`."""

    layer: int
    order: float
    markup: str


class Picture(NamedTuple):
    """The items of a view, with layout and height."""

    layout: Layout
    items: list[Item]
    height: float


def svg(thing: Record | Position | View, style: Style | None = None, height: float = 0.0) -> str:
    """Return a view, a position, or a record after its last legal turn as SVG, at least `height` units high.

    Raises `hexrec.rules.terms.RuleError` for a record that cannot start.
    """
    style = style or Style()
    view = thing if isinstance(thing, View) else view_of(thing) if isinstance(thing, Record) else View(thing)
    drawn = picture(view, style)
    body = "\n".join(item.markup for item in sorted(drawn.items))
    height = max(height, drawn.height)
    return document(drawn.layout, height, view.caption, description(view), body, style)


def picture(view: View, style: Style) -> Picture:
    """Return the items of a view and their height."""
    position = view.position
    layout, ground = _ground(position.board, position.names, position.game.surface, style.labels == "ends")
    marks = view.annotations if style.marks else []
    markup = view.markup if style.marks else ()
    words, height = _draw_words(layout, view, marks, markup) if style.caption else ([], 0.0)
    named = _names(layout, position) if style.labels == "all" else ()
    board = [*ground, *named, *_draw_stones(layout, position, marks)]
    drawn = [*_draw_marks(layout, view, marks), *_draw_markup(layout, position.stacks(), markup)]
    drawn += _draw_illegal(layout, view) if style.marks else ()
    return Picture(layout, [*board, *drawn, *words], layout.height + height)


def document(
    layout: Layout, height: float, title: str, description: str, body: str, style: Style, sheet: str = ""
) -> str:
    """Return an SVG document with the styles of its body and an additional style sheet."""
    mark = f"hexrec-{crc32((title + description).encode()):08x}"
    width = layout.width if style.width is None else style.width
    if style.background:
        page = element("rect", class_="page", x=layout.left, y=layout.top, width=layout.width, height=height, rx=8.0)
        body = f"{page}\n{body}"
    classes = classes_in(body)
    return (
        element(
            "svg",
            f"\n{element('title', escape(title), id=f'{mark}-title')}"
            f"\n{element('desc', escape(description), id=f'{mark}-text')}"
            f"\n<style>\n{css(style.theme, classes)}{sheet}</style>"
            f"\n{definitions(style.theme, classes)}\n{body}\n",
            xmlns="http://www.w3.org/2000/svg",
            class_=f"hexrec-{style.theme}",
            role="img",
            aria_labelledby=f"{mark}-title",
            aria_describedby=f"{mark}-text",
            viewBox=" ".join(map(number, (layout.left, layout.top, layout.width, height))),
            width=width,
            height=height * width / layout.width,
        )
        + "\n"
    )


def description(view: View) -> str:
    """Return stones and marks of a view in words, for screen readers."""
    position = view.position
    stones = position.stacks()
    clauses = []
    for color, name in enumerate(COLORS):
        cells = sorted(cell for cell in stones if stones[cell].color == color)
        standing = ", ".join(_standing(position, cell, stones[cell]) for cell in cells)
        clauses.append(f"{name.capitalize()}: {standing or 'none'}")
    marked = [line.replace("; ", " and ") for line in legend(position, view.annotations, signs=False)]
    crossed = [position.names.single(cell) for cell in view.illegal.cells] if view.illegal else []
    illegal = [f"illegal: {', '.join(crossed)}"] if crossed else []
    return ". ".join([*clauses, *marked, *mentions(view.markup, position.names), *illegal]) + "."


def _standing(position: Position, cell: int, stone: Stack) -> str:
    return position.names.single(cell) + (f" (height {stone.height})" if stone.height > 1 else "")


@lru_cache(maxsize=8)
def _ground(board: Board, names: CellNames, surface: str, ends: bool) -> tuple[Layout, tuple[Item, ...]]:
    """Return layout and background of a board, with labels at the ends of its rows if `ends`."""
    layout = Layout(board, names if ends else None)
    items = [*_plate(layout, surface)]
    if surface != "points":
        for cell in board.cells:
            is_edge = surface == "edged cells" and cell in board.edge
            items.append(Item(_GROUND, 0, polygon(hexagon(*layout.at(cell)), "cell edge-cell" if is_edge else "cell")))
    return layout, (*items, *(_ends(layout, names) if ends else ()))


def _plate(layout: Layout, surface: str) -> Iterator[Item]:
    corners = layout.plate()
    yield Item(_GROUND, -2, polygon([(x, y + _LEDGE) for x, y in corners], "ledge"))
    yield Item(_GROUND, -1, polygon(corners, "plate"))
    if surface == "points":
        yield Item(_GROUND, 0, path(_grid(layout), "grid"))


def _names(layout: Layout, position: Position) -> Iterator[Item]:
    stones = position.stacks()
    kind = "name over-grid" if position.game.surface == "points" else "name"
    for cell in layout.board.cells:
        if cell not in stones:
            yield Item(_GROUND, 2, text(position.names.single(cell), *layout.at(cell), kind))


def _grid(layout: Layout) -> Iterator[tuple[Point, Point]]:
    """Yield every line of the grid once, from edge cell to edge cell."""
    for cell in layout.board.edge:
        for ahead, behind in layout.board.lines[cell]:
            if ahead and not behind:
                yield layout.at(cell), layout.at(ahead[-1])


def _ends(layout: Layout, names: CellNames) -> Iterator[Item]:
    for cell in layout.board.cells:
        east, west = layout.board.rays[cell][0], layout.board.rays[cell][3]
        x, y = layout.at(cell)
        if not west:
            yield Item(_GROUND, 2, text(names.single(cell), x - LABEL, y, "label", anchor="end"))
        if not east:
            yield Item(_GROUND, 2, text(names.single(cell), x + LABEL, y, "label", anchor="start"))


def _draw_stones(layout: Layout, position: Position, marks: Iterable[Annotation]) -> Iterator[Item]:
    dead = {cell for mark in marks if mark.role == "dead" for cell in mark.cells}
    for cell, stone in position.stacks().items():
        x, y = layout.at(cell)
        drawn = _discs(stone, x, y)
        if stone.height > 1:
            drawn += text(str(stone.height), x, y - _lift(stone), f"on-{COLORS[stone.color]}")
        yield Item(_STONES, y, element("g", drawn, class_="dead") if cell in dead else drawn)


def _discs(stone: Stack, x: float, y: float) -> str:
    foot = y + _lift(stone)
    right, down, beyond = _SHADOW
    shadow = circle("shadow", x + right, foot + down, STONE + beyond)
    color = COLORS[stone.color]
    discs = (circle(color, x, foot - _DISC * disc, STONE) for disc in range(min(stone.height, _DISCS)))
    return shadow + "".join(discs)


def _lift(stone: Stack) -> float:
    """Return the distance of the top of a stack above the center of its cell, equal to that of its foot below."""
    return (min(stone.height, _DISCS) - 1) * _DISC / 2


def _top(layout: Layout, stones: Mapping[int, Stack], cell: int) -> Point:
    """Return the center of the top disc on a cell, or of an empty cell."""
    x, y = layout.at(cell)
    return x, y - (_lift(stones[cell]) if cell in stones else 0)


def _draw_marks(layout: Layout, view: View, marks: Iterable[Annotation]) -> Iterator[Item]:
    stones = view.position.stacks()
    for mark in marks:
        if (lines := lines_of(layout, mark)) is not None:
            layer, order = _LINES[mark.role]
            yield Item(layer, order, lines)
            continue
        for cell in mark.cells:
            stone = stones.get(cell)
            if mark.role == "removed" and stone is not None:
                continue
            x, y = _top(layout, stones, cell)
            color = (stone.color if stone else mark.color) or 0
            if mark.role == "area":
                yield Item(_AREAS, 0, polygon(hexagon(*layout.at(cell)), f"area-{COLORS[mark.color or 0]}"))
                if stone is not None:
                    continue
            if mark.label and cell == mark.cells[0]:
                yield Item(_MARKS, 1, text(mark.label, x, y, f"on-{COLORS[color]}"))
            else:
                yield Item(_MARKS, 0, _shape(mark.role, color, x, y, STONE))


def markup_layers(layout: Layout, stones: Mapping[int, Stack], mark: Markup) -> tuple[str, str]:
    """Return the markup of a mark of a record below and above the stones."""
    if mark.kind == "area":
        return draw_area(mark, map(layout.at, mark.cells)), ""
    return "", draw(mark, [_top(layout, stones, cell) for cell in mark.cells])


def _draw_markup(layout: Layout, stones: Mapping[int, Stack], marks: Iterable[Markup]) -> Iterator[Item]:
    """Yield the marks of a record, above the annotations of the game."""
    for mark in marks:
        under, over = markup_layers(layout, stones, mark)
        if under:
            yield Item(_AREAS, 1, under)
        if over:
            yield Item(_MARKS, 4 if mark.kind == "label" else 3, over)


def _draw_illegal(layout: Layout, view: View) -> Iterator[Item]:
    stones = view.position.stacks()
    for cell in view.illegal.cells if view.illegal else ():
        yield Item(_MARKS, 5, path(cross(*_top(layout, stones, cell), STONE * 0.7), "illegal"))


def lines_of(layout: Layout, mark: Annotation) -> str | None:
    """Return a mark that is drawn as one shape; None for one with a shape on each cell."""
    if mark.role == "path":
        return path([[layout.at(cell) for cell in mark.cells]], "path")
    if mark.role == "chain":
        joined = layout.neighbors_within(mark.cells)
        return path(joined, "halo") + path(joined, "chain")
    if mark.role == "group":
        return path(layout.neighbors_within(mark.cells), "group")
    if mark.role == "ray":
        return path([[layout.at(cell) for cell in mark.cells]], "ray") + circle(
            "ray", *layout.at(mark.cells[0]), STONE * 0.6
        )
    if mark.role == "body":
        shade = f"body shade-{mark.shade % SHADES}"
        return "".join(polygon(hexagon(*layout.at(cell)), shade) for cell in mark.cells)
    return None


def _shape(role: Role, color: int, x: float, y: float, radius: float) -> str:
    """Return the shape of a mark on one cell, for stones of the given radius."""
    if role in ("placed", "changed"):
        return circle(f"lit-{role}", x, y, radius * _LIT) + circle(role, x, y, radius + 1.8)
    if role == "cut":
        return polygon(hexagon(x, y, radius * 1.38), "cut")
    if role == "returned":
        return circle(f"returned-{COLORS[color]}", x, y, radius * 0.55)
    if role == "removed":
        return circle("removed", x, y, radius * 0.8)
    if role == "area":
        side = radius * 0.6
        return element("rect", class_=COLORS[color], x=x - side / 2, y=y - side / 2, width=side, height=side)
    if role == "dead":
        return path(cross(x, y, radius * 0.5), f"cross-{COLORS[color]}")
    if role == "forbidden":
        return path(cross(x, y, radius * 0.36), "forbidden")
    if role == "end":
        return circle(COLORS[1 - color], x, y, radius * 0.32)
    if role == "edge":
        return circle(f"secure-{COLORS[color]}", x, y, radius * 0.4)
    if role == "interior":
        half = radius * 0.45
        return polygon([(x, y - half), (x + half, y), (x, y + half), (x - half, y)], COLORS[1 - color])
    if role == "target":
        near, far = radius * 1.1, radius * 1.5
        ticks = [
            ((x + i * near, y + j * near), (x + i * far, y + j * far)) for i, j in ((0, -1), (1, 0), (0, 1), (-1, 0))
        ]
        return path(ticks, "target")
    if role == "closed":
        bar = path([((x - radius * 0.3, y), (x + radius * 0.3, y))], f"cross-{COLORS[color]}")
        return circle(COLORS[color], x, y, radius * 0.55) + bar
    if role == "ray":
        return path([((x - radius, y), (x + radius, y))], role) + circle(role, x - radius * 0.7, y, radius * 0.3)
    if role == "body":
        return polygon(hexagon(x, y, radius * 1.2), "body shade-0")
    if role == "secure":
        return polygon(hexagon(x, y, radius * 0.84), f"secure-{COLORS[color]}")
    return path([((x - radius, y), (x + radius, y))], role)  # a path or a chain


def shapes() -> dict[str, Any]:
    """Return all shapes that are independent of games as JSON data: markup around the origin.

    `areas` and `stacks` are by color (0 Black, 1 White), stacks then by height minus 1, with the `lifts` of their tops.
    `marks` of cells and `samples` of the legend are by role and color, definitions (`defs`) by theme. Only the page
    uses `hit`, `chosen`, `next` (on an empty cell, on a stone) and `cursor`. `layout` has the distances of boards and
    the width of a character of labels, `tones` the colors of marks of records by name.
    """
    stacks = [[Stack(color, height) for height in range(1, _DISCS + 1)] for color in (0, 1)]
    return {
        "layout": {
            "pitch": PITCH,
            "row": ROW,
            "reach": REACH,
            "frame": FRAME,
            "ledge": _LEDGE,
            "padding": PADDING,
            "label": LABEL,
            "character": LABEL_SIZE * CHARACTER,
            "gap": LABEL_GAP,
            "stone": STONE,
        },
        "tones": COLORS_OF_MARKS,
        "defs": {theme: definitions(theme, GRADIENTS) for theme in THEMES},
        "cell": polygon(hexagon(0, 0), "cell"),
        "edge": polygon(hexagon(0, 0), "cell edge-cell"),
        "body": polygon(hexagon(0, 0), "body"),
        "shades": SHADES,
        "hit": polygon(hexagon(0, 0), "hit"),
        "chosen": polygon(hexagon(0, 0, REACH - 2), "chosen"),
        "next": [circle("next", 0, 0, STONE / 3), circle("next ring", 0, 0, STONE + RING)],
        "cursor": polygon(hexagon(0, 0, REACH - 1), "cursor"),
        "illegal": path(cross(0, 0, STONE * 0.7), "illegal"),
        "areas": [polygon(hexagon(0, 0), f"area-{color}") for color in COLORS],
        "stacks": [[_discs(stone, 0, 0) for stone in stacks_of_color] for stacks_of_color in stacks],
        "lifts": [_lift(stone) for stone in stacks[0]],
        "marks": {role: [_shape(role, color, 0, 0, STONE) for color in (0, 1)] for role in get_args(Role)},
        "samples": {role: [_sample(role, color, 0, 0) for color in (0, 1)] for role in get_args(Role)},
    }


def ground(board: Board, surface: str) -> str:
    """Return the background of a board: the plate, and the grid if the surface is points."""
    return "".join(item.markup for item in _plate(Layout(board), surface))


def _draw_words(
    layout: Layout, view: View, marks: Iterable[Annotation], markup: Iterable[Markup]
) -> tuple[list[Item], float]:
    """Return the items of caption and legend, and their height."""
    left, width = layout.left + PADDING, layout.width - 2 * PADDING
    y = layout.top + layout.height + _LINE / 2
    items = []
    for line in _wrap(view.caption, width):
        items.append(Item(WORDS, 0, text(line, left, y, "caption", anchor="start")))
        y += _LINE
    x = left
    y += 3
    named = {mark.name: partial(_sample, mark.role, mark.color or 0) for mark in marks}
    remarks = ((legend_text(mark), partial(sample, mark)) for mark in markup)
    for name, drawn in [*named.items(), *((comment, drawn) for comment, drawn in remarks if comment)]:
        entry_width = 22 + width_of(name, _LEGEND) + 18
        if x > left and x + entry_width > left + width:
            x, y = left, y + _LINE + 3
        items.append(Item(WORDS, 1, drawn(x + 8, y) + text(name, x + 22, y, "legend", anchor="start")))
        x += entry_width
    bottom = y + _LINE if x > left else y - 3
    return items, bottom - (layout.top + layout.height)


def _sample(role: Role, color: int, x: float, y: float) -> str:
    """Return a small sample of a mark for the legend, on a stone if it needs one."""
    under = ""
    if role in ("dead", "end", "secure", "returned", "edge", "interior"):
        under = circle(COLORS[color], x, y, 8.0)
        if role == "dead":
            under = element("g", under, class_="dead")
    return under + _shape(role, color, x, y, 12.0 if role == "area" else 8.0 if under else 6.0)


def _wrap(caption: str, width: float) -> list[str]:
    """Break a caption into lines, after commas if possible, else at spaces."""
    lines = [""]
    clauses = caption.replace(", ", ",\n").split("\n")
    fitting = ([clause] if width_of(clause, _CAPTION) <= width else clause.split(" ") for clause in clauses)
    for word in chain.from_iterable(fitting):
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and width_of(longer, _CAPTION) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
