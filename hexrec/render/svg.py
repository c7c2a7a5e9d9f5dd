"""A view as SVG. Which shape each role of a mark has is decided here, for pictures, their legends and the page.

The page in the browser draws no shapes of its own: `shapes` gives it each of them, to be put where it is needed.
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
    LABEL,
    PADDING,
    REACH,
    RING,
    STONE,
    Layout,
    Point,
    circle,
    element,
    hexagon,
    number,
    path,
    polygon,
    text,
    width_of,
)
from hexrec.render.markup import Markup, above, below, mentions, remark, sample
from hexrec.render.text import legend
from hexrec.render.theme import GRADIENTS, SHADES, THEMES, Style, Theme, classes_in, css, definitions
from hexrec.render.views import View, view_of
from hexrec.rules.board import Board, CellNames
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, Annotation, Role, Stack

#: What lies over what, from below.
_GROUND, _AREAS, _PATHS, _STONES, _MARKS, WORDS = range(6)
#: Where marks are drawn that are drawn whole: layer and order.
_LINES: Mapping[Role, tuple[int, int]] = {"body": (_AREAS, 0), "path": (_PATHS, 0), "chain": (_MARKS, 2)}
#: Each disc of a stack lies this much above the next; no more discs than this are drawn.
_DISC, _DISCS = 3.4, 4
#: The shadow of a stone: how far it lies to the right and below, and how far it reaches beyond the stone.
_SHADOW = (1.0, 2.5, 3.5)
#: How thick the plate is.
_LEDGE = 4.0
#: How far the light round what the last turn did reaches, relative to the radius of the stone.
_LIT = 1.47
_CAPTION, _LEGEND = 13.0, 12.0
_LINE = 19.0


class Item(NamedTuple):
    """A piece of a picture: items are drawn by layer, within a layer by order."""

    layer: int
    order: float
    markup: str


class Picture(NamedTuple):
    """What a view is drawn of, before it becomes a document."""

    layout: Layout
    items: list[Item]
    height: float


def svg(thing: Record | Position[Any] | View, style: Style | None = None, height: float = 0.0) -> str:
    """Return a picture as SVG: of a view, of a position, or of a record after its last legal turn.

    It is at least `height` units high. Raises `hexrec.rules.terms.RuleError` for a record that cannot start.
    """
    style = style or Style()
    view = thing if isinstance(thing, View) else view_of(thing) if isinstance(thing, Record) else View(thing)
    drawn = picture(view, style)
    body = "\n".join(item.markup for item in sorted(drawn.items))
    height = max(height, drawn.height)
    return document(drawn.layout, height, view.caption, description(view), body, style)


def picture(view: View, style: Style) -> Picture:
    """Draw a view: the items, and the height that they take."""
    position = view.position
    layout, ground = _ground(position.board, position.names, position.game.surface, style.labels == "ends")
    marks = _marks(view) if style.marks else []
    markup = view.markup if style.marks else ()
    words, height = _words(layout, view, marks, markup) if style.caption else ([], 0.0)
    named = _names(layout, position) if style.labels == "all" else ()
    board = [*ground, *named, *_pieces(layout, position, marks)]
    drawn = [*_drawn(layout, view, marks), *_marked_up(layout, position.stacks(), markup)]
    drawn += _crossed_out(layout, view) if style.marks else ()
    return Picture(layout, [*board, *drawn, *words], layout.height + height)


def document(
    layout: Layout, height: float, title: str, description: str, body: str, style: Style, sheet: str = ""
) -> str:
    """Return a whole SVG document, with what the body needs and a style sheet besides."""
    mark = f"hexrec-{crc32((title + description).encode()):08x}"
    width = layout.width if style.width is None else style.width
    ground = page(layout, height) if style.background else ""
    return (
        element(
            "svg",
            f"\n{element('title', escape(title), id=f'{mark}-title')}"
            f"\n{element('desc', escape(description), id=f'{mark}-text')}"
            f"\n{dressed(ground + body, style.theme, sheet)}\n",
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


def dressed(body: str, theme: Theme, sheet: str = "") -> str:
    """Return what is drawn, after the style sheet and the definitions that it needs."""
    classes = classes_in(body)
    return f"<style>\n{css(theme, classes)}{sheet}</style>\n{definitions(theme, classes)}\n{body}"


def page(layout: Layout, height: float) -> str:
    """Return what everything is drawn on."""
    return element("rect", class_="page", x=layout.left, y=layout.top, width=layout.width, height=height, rx=8.0) + "\n"


def description(view: View) -> str:
    """Say in words which stones are where, and what is marked."""
    position = view.position
    stones = position.stacks()
    said = []
    for color, name in enumerate(COLORS):
        own = sorted(cell for cell in stones if stones[cell].color == color)
        standing = ", ".join(_standing(position, cell, stones[cell]) for cell in own)
        said.append(f"{name}: {standing or 'none'}")
    pointed = [each.replace("; ", " and ") for each in legend(position, _marks(view), signs=False)]
    crossed = [position.names.single(cell) for cell in view.illegal.cells] if view.illegal else []
    illegal = [f"illegal: {', '.join(crossed)}"] if crossed else []
    return ". ".join([*said, *pointed, *mentions(view.markup, position.names), *illegal]) + "."


def _standing(position: Position[Any], cell: int, stone: Stack) -> str:
    return position.names.single(cell) + (f" (height {stone.height})" if stone.height > 1 else "")


def _marks(view: View) -> list[Annotation]:
    return [*view.position.highlights(), *view.effects]


# The board.


@lru_cache(maxsize=8)
def _ground(board: Board, names: CellNames, surface: str, ends: bool) -> tuple[Layout, tuple[Item, ...]]:
    """Return what is the same in all pictures of a board, with names at the ends of its rows or without."""
    layout = Layout(board, max(len(names.single(cell)) for cell in board.cells) if ends else 0)
    items = [*_plate(layout, surface)]
    if surface != "points":
        for cell in board.cells:
            rim = surface == "rimmed cells" and board.rim_mask >> cell & 1
            items.append(Item(_GROUND, 0, polygon(hexagon(*layout.at(cell)), "cell rim" if rim else "cell")))
    return layout, (*items, *(_ends(layout, names) if ends else ()))


def _plate(layout: Layout, surface: str) -> Iterator[Item]:
    corners = layout.plate()
    yield Item(_GROUND, -2, polygon([(x, y + _LEDGE) for x, y in corners], "ledge"))
    yield Item(_GROUND, -1, polygon(corners, "plate"))
    if surface == "points":
        yield Item(_GROUND, 0, path(_grid(layout, layout.board), "grid"))


def _names(layout: Layout, position: Position[Any]) -> Iterator[Item]:
    stones = position.stacks()
    kind = "name over-grid" if position.game.surface == "points" else "name"
    for cell in layout.board.cells:
        if cell not in stones:
            yield Item(_GROUND, 2, text(position.names.single(cell), *layout.at(cell), kind))


def _grid(layout: Layout, board: Board) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Yield every line of the grid once, from rim to rim."""
    for cell in board.rim:
        for ahead, behind in board.lines[cell]:
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


# The stones.


def _pieces(layout: Layout, position: Position[Any], marks: Iterable[Annotation]) -> Iterator[Item]:
    dead = {cell for mark in marks if mark.role == "dead" for cell in mark.cells}
    for cell, stone in position.stacks().items():
        drawn = _piece(stone, *layout.at(cell))
        yield Item(_STONES, layout.row(cell), element("g", drawn, class_="dead") if cell in dead else drawn)


def _piece(stone: Stack, x: float, y: float) -> str:
    height = text(str(stone.height), x, y - _lift(stone), f"on-{COLORS[stone.color]}") if stone.height > 1 else ""
    return _discs(stone, x, y) + height


def _discs(stone: Stack, x: float, y: float) -> str:
    foot = y + _lift(stone)
    right, below, beyond = _SHADOW
    shadow = circle("shadow", x + right, foot + below, STONE + beyond)
    color = COLORS[stone.color]
    discs = (circle(color, x, foot - _DISC * disc, STONE) for disc in range(min(stone.height, _DISCS)))
    return shadow + "".join(discs)


def _lift(stone: Stack) -> float:
    """Return how far the top of a stack is above the center of its cell, and its foot below."""
    return (min(stone.height, _DISCS) - 1) * _DISC / 2


# What is marked.


def _drawn(layout: Layout, view: View, marks: Iterable[Annotation]) -> Iterator[Item]:
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
            x, y = layout.at(cell)
            y -= _lift(stone) if stone else 0
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
    """Return what is drawn of a mark of a record under the stones, and over them."""

    def top(cell: int) -> Point:
        x, y = layout.at(cell)
        return x, y - (_lift(stones[cell]) if cell in stones else 0)

    return below(mark, layout), above(mark, top)


def _marked_up(layout: Layout, stones: Mapping[int, Stack], marks: Iterable[Markup]) -> Iterator[Item]:
    """Yield the marks of a record, over what the game points out."""
    for mark in marks:
        under, over = markup_layers(layout, stones, mark)
        if under:
            yield Item(_AREAS, 1, under)
        if over:
            yield Item(_MARKS, 4 if mark.kind == "label" else 3, over)


def _crossed_out(layout: Layout, view: View) -> Iterator[Item]:
    """Yield crosses on the cells of an illegal turn."""
    stones = view.position.stacks()
    for cell in view.illegal.cells if view.illegal else ():
        x, y = layout.at(cell)
        y -= _lift(stones[cell]) if cell in stones else 0
        yield Item(_MARKS, 5, _illegal(x, y))


def _illegal(x: float, y: float) -> str:
    return _cross(x, y, STONE * 0.7, "illegal")


def lines_of(layout: Layout, mark: Annotation) -> str | None:
    """Return a mark that is drawn whole, as lines or as a ground; None for one that has a shape on each cell."""
    if mark.role == "path":
        return path([[layout.at(cell) for cell in mark.cells]], "path")
    if mark.role == "chain":
        joined = layout.neighbors_within(mark.cells)
        return path(joined, "halo") + path(joined, "chain")
    if mark.role == "body":
        shade = f"body shade-{mark.shade % SHADES}"
        return "".join(polygon(hexagon(*layout.at(cell)), shade) for cell in mark.cells)
    return None


def _shape(role: Role, color: int, x: float, y: float, radius: float) -> str:
    """Return the shape of a mark on one cell, for stones of a radius."""
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
        return _cross(x, y, radius * 0.5, f"cross-{COLORS[color]}")
    if role == "forbidden":
        return _cross(x, y, radius * 0.36, "forbidden")
    if role == "end":
        return circle(COLORS[1 - color], x, y, radius * 0.32)
    if role == "body":
        return polygon(hexagon(x, y, radius * 1.2), "body shade-0")
    if role == "secure":
        return polygon(hexagon(x, y, radius * 0.84), f"secure-{COLORS[color]}")
    return path([((x - radius, y), (x + radius, y))], role)  # a path or a chain


def _cross(x: float, y: float, arm: float, class_: str) -> str:
    return path([((x - arm, y - arm), (x + arm, y + arm)), ((x - arm, y + arm), (x + arm, y - arm))], class_)


# What the page in the browser draws with.


def shapes() -> dict[str, Any]:
    """Return all shapes that do not depend on a game, each drawn around the origin, as JSON data of markup.

    By color (0 black, 1 white) there are the areas and the `stacks`, these then by the number of discs less one, with
    the `lifts` of their tops; by role and color the `marks` of a cell and the `samples` of the legend; by theme the
    definitions (`defs`) that all of these need. The shapes `hit`, `chosen`, `next` (on an empty cell, on a stone) and
    `cursor` are the page's alone.
    """
    stacks = [[Stack(color, height) for height in range(1, _DISCS + 1)] for color in (0, 1)]
    return {
        "defs": {theme: definitions(theme, GRADIENTS) for theme in THEMES},
        "cell": polygon(hexagon(0, 0), "cell"),
        "rim": polygon(hexagon(0, 0), "cell rim"),
        "hit": polygon(hexagon(0, 0), "hit"),
        "chosen": polygon(hexagon(0, 0, REACH - 2), "chosen"),
        "next": [circle("next", 0, 0, STONE / 3), circle("next ring", 0, 0, STONE + RING)],
        "cursor": polygon(hexagon(0, 0, REACH - 1), "cursor"),
        "illegal": _illegal(0, 0),
        "areas": [polygon(hexagon(0, 0), f"area-{color}") for color in COLORS],
        "stacks": [[_discs(stone, 0, 0) for stone in each] for each in stacks],
        "lifts": [_lift(stone) for stone in stacks[0]],
        "marks": {role: [_shape(role, color, 0, 0, STONE) for color in (0, 1)] for role in get_args(Role)},
        "samples": {role: [_sample(role, color, 0, 0) for color in (0, 1)] for role in get_args(Role)},
    }


def ground(board: Board, surface: str) -> str:
    """Return what is below everything else on a board: the plate, and the grid where there are points."""
    return "".join(item.markup for item in _plate(Layout(board), surface))


# The words below the board.


def _words(
    layout: Layout, view: View, marks: Iterable[Annotation], markup: Iterable[Markup]
) -> tuple[list[Item], float]:
    """Return the caption and the legend, and the height that they take."""
    left, room = layout.left + PADDING, layout.width - 2 * PADDING
    y = layout.top + layout.height + _LINE / 2
    items = []
    for said in _wrapped(view.caption, room):
        items.append(Item(WORDS, 0, text(said, left, y, "caption", anchor="start")))
        y += _LINE
    x = left
    y += 3
    named = {mark.name: partial(_sample, mark.role, mark.color or 0) for mark in marks}
    remarks = ((remark(mark), partial(sample, mark)) for mark in markup)
    for name, drawn in [*named.items(), *((said, drawn) for said, drawn in remarks if said)]:
        taken = 22 + width_of(name, _LEGEND) + 18
        if x > left and x + taken > left + room:
            x, y = left, y + _LINE + 3
        items.append(Item(WORDS, 1, drawn(x + 8, y) + text(name, x + 22, y, "legend", anchor="start")))
        x += taken
    bottom = y + _LINE if x > left else y - 3
    return items, bottom - (layout.top + layout.height)


def _sample(role: Role, color: int, x: float, y: float) -> str:
    """Return a mark as it is drawn, small, on what it is drawn on."""
    under = ""
    if role in ("dead", "end", "secure"):
        under = circle(COLORS[color], x, y, 8.0)
        if role == "dead":
            under = element("g", under, class_="dead")
    return under + _shape(role, color, x, y, 12.0 if role == "area" else 8.0 if under else 6.0)


def _wrapped(said: str, room: float) -> list[str]:
    """Break a caption into lines that fit: after commas, and elsewhere only what is too long without that."""
    lines = [""]
    clauses = said.replace(", ", ",\n").split("\n")
    fitting = ([clause] if width_of(clause, _CAPTION) <= room else clause.split(" ") for clause in clauses)
    for word in chain.from_iterable(fitting):
        longer = f"{lines[-1]} {word}".lstrip()
        if lines[-1] and width_of(longer, _CAPTION) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
