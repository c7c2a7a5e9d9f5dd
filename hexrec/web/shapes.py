"""The data of the page as types: what `replay_data`, `position_data` and `entry_data` return."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from hexrec.output.report_data import Color, Count, Number, ReportData
from hexrec.rules.terms import Role

#: The number of a cell: its place in `cells` of the board.
CellNumber = Count
Svg = Annotated[str, Field(description="A piece of SVG.")]


class DrawnMark(TypedDict):
    """Cells that a picture points out."""

    role: Annotated[Role, Field(description="How they are drawn.")]
    name: Annotated[str, Field(description="Why they are pointed out, in the game's own words.")]
    cells: list[CellNumber]
    color: Annotated[Literal[0, 1] | None, Field(description="Whose they are: 0 black, 1 white.")]
    label: Annotated[str, Field(description="To be written on the first of them.")]
    shade: Annotated[Count, Field(description="Which of several bodies they are.")]
    lines: Annotated[str | None, Field(description="As SVG, of marks that are drawn as lines.")]


class MarkupWords(TypedDict):
    """A mark of a record in words."""

    name: str
    cells: list[CellNumber]
    joiner: Annotated[str, Field(description="What stands between the names of the cells.")]


class DrawnMarkup(TypedDict):
    """The marks that a record has on a position."""

    under: Svg
    over: Svg
    words: list[MarkupWords]


#: A cell, and what is there: a height, negative for white, or 0 for nothing.
Change = tuple[CellNumber, int]
Changes = Annotated[
    list[Change], Field(description="Cells, and what is there now: a height, negative for white, or 0 for nothing.")
]


class DrawnPosition(TypedDict):
    """The stones of a position, and what is pointed out."""

    changes: Changes
    to_play: Color
    position: Annotated[str, Field(description="The text of the position.")]
    marks: list[DrawnMark]
    over: NotRequired[Annotated[str, Field(description="How the game has ended, in words.")]]
    markup: NotRequired[DrawnMarkup]


class Step(TypedDict):
    """A turn of a record and what it did. The first illegal one, and those after it, did nothing."""

    turn: str
    color: Color
    comment: NotRequired[str]
    nag: NotRequired[list[int]]
    variations: NotRequired[list[list[Step]]]
    illegal: NotRequired[Annotated[str, Field(description="Why the turn is illegal.")]]
    changes: NotRequired[Changes]
    parts: NotRequired[Annotated[list[DrawnMark], Field(description="What the turn did.")]]
    to_play: NotRequired[Color]
    position: NotRequired[Annotated[str, Field(description="The text of the position after it.")]]
    marks: NotRequired[list[DrawnMark]]
    over: NotRequired[Annotated[str, Field(description="How the game ended, in words.")]]
    markup: NotRequired[DrawnMarkup]


class DrawnGame(TypedDict):
    """What pictures have to know of a game."""

    title: str
    surface: Annotated[str, Field(description="What the board is made of: cells, rimmed cells, or points.")]
    piece: Annotated[str, Field(description="What a stone is called.")]


class CellNamesData(TypedDict):
    """The names of all cells in each coordinate system."""

    row: list[str]
    skew: list[str]
    axial: list[str]


Box = Annotated[tuple[float, float, float, float], Field(description="Left, top, width and height.")]


class Boxes(TypedDict):
    """The part of the plane that a board takes, by the coordinate system of its labels."""

    none: Box
    row: Box
    skew: Box
    axial: Box


class DrawnBoard(TypedDict):
    """Where the cells of a board are. Everywhere else cells are numbers: places in `cells`."""

    size: Number
    cells: Annotated[list[tuple[int, int]], Field(description="Axial coordinates.")]
    places: Annotated[list[tuple[float, float]], Field(description="The middle of each cell on the picture.")]
    boxes: Boxes
    ground: Annotated[str, Field(description="As SVG, what is below all cells.")]
    ends: Annotated[
        tuple[list[CellNumber], list[CellNumber]], Field(description="The first and the last cells of rows.")
    ]
    rim: Annotated[list[Literal[0, 1]], Field(description="Whether each cell is on the rim.")]
    names: CellNamesData
    pattern: Annotated[str, Field(description="The regular expression of names of cells in turns.")]


class Drawing(TypedDict):
    """How a position is drawn."""

    game: DrawnGame
    board: DrawnBoard
    start: DrawnPosition


class WrittenRecord(TypedDict):
    """A record in one format."""

    text: str
    file: Annotated[str, Field(description="A name for a file of it.")]
    lost: Annotated[list[str], Field(description="What the format cannot hold.")]


class CodeHelp(TypedDict):
    """What a code of diagnostics is about."""

    rule: str
    fix: Annotated[str, Field(description="What to do about it.")]


class ReplayData(TypedDict):
    """A record with all its positions. One that cannot be read has a report only; an illegal opening has no board."""

    hexrec: Annotated[str, Field(description="The version of the program.")]
    report: ReportData
    codes: Annotated[dict[str, CodeHelp], Field(description="The codes of the diagnostics.")]
    record: Annotated[
        dict[str, Any] | None, Field(description="The record in its canonical form; null if it cannot be read.")
    ]
    records: Annotated[Count, Field(description="How many records the body holds.")]
    texts: NotRequired[Annotated[dict[str, WrittenRecord], Field(description="The record, by format.")]]
    game: NotRequired[DrawnGame]
    board: NotRequired[DrawnBoard]
    start: NotRequired[DrawnPosition]
    moves: NotRequired[list[Step]]
    legal: NotRequired[Annotated[bool, Field(description="Whether the legal turns in all positions are listed.")]]


class BoardEntry(TypedDict):
    """What a board needs on which turns are entered."""

    steps: Annotated[list[Step], Field(description="The moves of the body, as /v1/replay has them.")]
    parts: Annotated[
        list[list[list[CellNumber]]],
        Field(description="For each legal turn its parts, in order: the cells any of which stands for the part."),
    ]
    changes: Annotated[list[list[Change]], Field(description="For each legal turn what it changes on the board.")]
