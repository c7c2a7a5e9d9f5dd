"""Types of the data that `replay_data`, `position_data` and `entry_data` return."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from hexrec.output.report_data import Color, Count, Number, ReportData
from hexrec.rules.terms import Role

#: The index of a cell in `cells` of the board.
CellNumber = Count
Svg = Annotated[str, Field(description="SVG fragment.")]


class DrawnMark(TypedDict):
    """Marked cells of a picture."""

    role: Annotated[Role, Field(description="Role, which determines the shape.")]
    name: Annotated[str, Field(description="Name of the mark in the game.")]
    cells: list[CellNumber]
    color: Annotated[Literal[0, 1] | None, Field(description="Player: 0 Black, 1 White.")]
    label: Annotated[str, Field(description="Label on the first cell.")]
    shade: Annotated[Count, Field(description="Index of the body, for its color.")]
    lines: Annotated[str | None, Field(description="SVG of marks that are drawn as lines.")]


class MarkupWords(TypedDict):
    """A mark of a record in words."""

    name: str
    cells: list[CellNumber]
    joiner: Annotated[str, Field(description="Separator between the names of the cells.")]


class DrawnMarkup(TypedDict):
    """The marks of a record on a position."""

    under: Svg
    over: Svg
    words: list[MarkupWords]


#: A cell and its content: a height, negative for White, or 0 if empty.
Change = tuple[CellNumber, int]
Changes = Annotated[
    list[Change], Field(description="Cells and their new contents: a height, negative for White, or 0 if empty.")
]


class DrawnPosition(TypedDict):
    """The stones and marks of a position."""

    changes: Changes
    to_play: Color
    position: Annotated[str, Field(description="Position in position notation.")]
    marks: list[DrawnMark]
    over: NotRequired[Annotated[str, Field(description="Outcome in words.")]]
    markup: NotRequired[DrawnMarkup]


class Step(TypedDict):
    """A turn of a record and its effects. The first illegal turn and those after it have no effects."""

    turn: str
    color: Color
    comment: NotRequired[str]
    nag: NotRequired[list[int]]
    variations: NotRequired[list[list[Step]]]
    illegal: NotRequired[Annotated[str, Field(description="Reason why the turn is illegal.")]]
    changes: NotRequired[Changes]
    parts: NotRequired[Annotated[list[DrawnMark], Field(description="Effects of the turn.")]]
    to_play: NotRequired[Color]
    position: NotRequired[Annotated[str, Field(description="Position after the turn, in position notation.")]]
    marks: NotRequired[list[DrawnMark]]
    over: NotRequired[Annotated[str, Field(description="Outcome in words.")]]
    markup: NotRequired[DrawnMarkup]


class DrawnGame(TypedDict):
    """Properties of a game for pictures."""

    title: str
    surface: Annotated[str, Field(description="Surface of the board: cells, edged cells, or points.")]
    piece: Annotated[str, Field(description="Name of a stone.")]


class CellNamesData(TypedDict):
    """The names of all cells in each coordinate system."""

    row: list[str]
    skew: list[str]
    axial: list[str]


Box = Annotated[tuple[float, float, float, float], Field(description="Left, top, width and height.")]


class Boxes(TypedDict):
    """The bounding box of a board, by the coordinate system of its labels."""

    none: Box
    row: Box
    skew: Box
    axial: Box


class DrawnBoard(TypedDict):
    """Geometry of a board. Elsewhere, cells are indices in `cells`."""

    size: Number
    cells: Annotated[list[tuple[int, int]], Field(description="Axial coordinates.")]
    places: Annotated[list[tuple[float, float]], Field(description="Center of each cell in the picture.")]
    boxes: Boxes
    ground: Annotated[str, Field(description="SVG below all cells.")]
    edge: Annotated[list[Literal[0, 1]], Field(description="Whether each cell is an edge cell.")]
    names: CellNamesData
    pattern: Annotated[str, Field(description="Regular expression of cell names in turns.")]


class Drawing(TypedDict):
    """Data of a picture of a position."""

    game: DrawnGame
    board: DrawnBoard
    start: DrawnPosition


class WrittenRecord(TypedDict):
    """A record in one format."""

    text: str
    file: Annotated[str, Field(description="Name for a file with the record.")]
    lost: Annotated[list[str], Field(description="Data that the format cannot represent.")]


class CodeHelp(TypedDict):
    """Explanation of a diagnostic code."""

    rule: str
    fix: Annotated[str, Field(description="How to fix the error.")]


class ReplayData(TypedDict):
    """A record with all its positions. Unreadable records have a report only, illegal openings no board."""

    hexrec: Annotated[str, Field(description="Version of hexrec.")]
    report: ReportData
    codes: Annotated[dict[str, CodeHelp], Field(description="Explanations by code of a diagnostic.")]
    record: Annotated[
        dict[str, Any] | None, Field(description="Canonical form of the record; null if it cannot be read.")
    ]
    records: Annotated[Count, Field(description="Number of records in the body.")]
    texts: NotRequired[Annotated[dict[str, WrittenRecord], Field(description="Record by format.")]]
    game: NotRequired[DrawnGame]
    board: NotRequired[DrawnBoard]
    start: NotRequired[DrawnPosition]
    moves: NotRequired[list[Step]]
    legal: NotRequired[Annotated[bool, Field(description="Whether the legal turns in all positions are listed.")]]


class BoardEntry(TypedDict):
    """Data for entering turns on a board."""

    steps: Annotated[list[Step], Field(description="Turns of the body, as in /v1/replay.")]
    parts: Annotated[
        list[list[list[CellNumber]]],
        Field(description="Parts of each legal turn, in order: the cells that select the part."),
    ]
    changes: Annotated[list[list[Change]], Field(description="Changes of the board by each legal turn.")]
