"""Geometry of pictures, and SVG elements. Independent of positions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from xml.sax.saxutils import escape, quoteattr

from hexrec.rules.board import Board, CellNames

#: Distances between cell centers in a row, and between rows.
PITCH = 40.0
ROW = PITCH * sqrt(3) / 2
#: Distance from the center of a cell to its corners.
REACH = PITCH / sqrt(3)
#: Distance from the edge cells to the edge of the plate.
FRAME = 5.0
#: Distance from the center of the last cell of a row to its label.
LABEL = 40.0
#: The radius of a stone.
STONE = 15.5
#: Distance from a stone to the ring that marks it as a possible next part of a turn.
RING = 4.5
PADDING = 10.0
#: Size of the letters of labels, and the space beyond them.
LABEL_SIZE = 12.0
LABEL_GAP = 4.0
#: Estimated maximum width of a character relative to the font size, for wrapping.
CHARACTER = 0.54

Point = tuple[float, float]


def number(value: float) -> str:
    """Return a number with at most two decimals, without trailing zeros."""
    short = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if short == "-0" else short


def element(name: str, content: str | None = None, **attributes: str | float | None) -> str:
    """Return an element with markup as content. Attributes with value None are omitted; a final _ is removed."""
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}={quoteattr(value if isinstance(value, str) else number(value))}"
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}/>" if content is None else f"<{name}{written}>{content}</{name}>"


def text(content: str, x: float, y: float, class_: str, fill: str | None = None, anchor: str = "middle") -> str:
    """Return a text element whose capitals and digits are vertically centered at `y`."""
    return element("text", escape(content), class_=class_, x=x, y=y, dy="0.36em", text_anchor=anchor, fill=fill)


def polygon(points: Iterable[Point], class_: str, fill: str | None = None) -> str:
    """Return a closed polygon."""
    corners = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    return element("polygon", points=corners, class_=class_, fill=fill)


def path(lines: Iterable[Sequence[Point]], class_: str, stroke: str | None = None) -> str:
    """Return a path of several polylines."""
    drawn = "".join("M" + "L".join(f"{number(x)},{number(y)}" for x, y in line) for line in lines)
    return element("path", d=drawn, class_=class_, stroke=stroke)


def hexagon(x: float, y: float, reach: float = REACH) -> list[Point]:
    """Return the corners of a pointy-topped hexagon around a center."""
    half, side = reach * sqrt(3) / 2, reach / 2
    corners = [(0.0, -reach), (half, -side), (half, side), (0.0, reach), (-half, side), (-half, -side)]
    return [(x + right, y + down) for right, down in corners]


def cross(x: float, y: float, arm: float) -> list[list[Point]]:
    """Return the two lines of a diagonal cross around a center."""
    return [[(x - arm, y - arm), (x + arm, y + arm)], [(x - arm, y + arm), (x + arm, y - arm)]]


def circle(class_: str, x: float, y: float, radius: float, stroke: str | None = None) -> str:
    """Return a circle."""
    return element("circle", class_=class_, cx=x, cy=y, r=radius, stroke=stroke)


def width_of(content: str, size: float) -> float:
    """Return the estimated maximum width of a string."""
    return len(content) * size * CHARACTER


def _unit(start: Point, end: Point) -> Point:
    """Return the unit vector from one point to another."""
    across, down = end[0] - start[0], end[1] - start[1]
    length = sqrt(across**2 + down**2)
    return across / length, down / length


class Layout:
    """Coordinates of the cells of a board, with the origin at its center.

    Attributes:
        board: the board.
        left, top, width, height: the bounding box of the board and its labels.
    """

    def __init__(self, board: Board, names: CellNames | None = None) -> None:
        """`names` are for labels at the ends of rows."""
        self.board = board
        across, up = zip(*map(board.position, board.cells), strict=True)
        self._middle = (min(across) + max(across)) / 2, (min(up) + max(up)) / 2
        margin = (
            max(len(names.single(cell)) for cell in board.cells) * LABEL_SIZE * CHARACTER + LABEL_GAP if names else 0.0
        )
        half = (max(across) - min(across)) / 2 * PITCH + LABEL + margin
        self.left, self.width = -half, 2 * half
        self.top = -((max(up) - min(up)) / 2 * ROW + REACH + FRAME + PADDING)
        self.height = -2 * self.top

    def at(self, cell: int) -> Point:
        """Return the center of a cell."""
        across, up = self.board.position(cell)
        return (across - self._middle[0]) * PITCH, (self._middle[1] - up) * ROW

    def plate(self) -> list[Point]:
        """Return the corners of the plate, whose sides are at a distance from the edge cells."""
        distance = REACH + FRAME
        places = [self.at(cell) for cell in self.board.corners]
        corners = []
        for before, (x, y), after in zip(places[-1:] + places[:-1], places, places[1:] + places[:1], strict=True):
            (one_x, one_y), (other_x, other_y) = _unit(before, (x, y)), _unit((x, y), after)
            # Move both sides outwards by the distance: the corner is their intersection.
            stretch = distance / (1 + one_x * other_x + one_y * other_y)
            corners.append((x - (one_y + other_y) * stretch, y + (one_x + other_x) * stretch))
        return corners

    def neighbors_within(self, cells: Iterable[int]) -> list[tuple[Point, Point]]:
        """Return the centers of all pairs of neighbors among some cells."""
        chosen = set(cells)
        return [
            (self.at(cell), self.at(other))
            for cell in sorted(chosen)
            for other in self.board.neighbors[cell]
            if other > cell and other in chosen
        ]
