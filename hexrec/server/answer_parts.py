"""The types that answers are made of: names, numbers, results, diagnostics, verdicts, positions and replays."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from hexrec import games, notations
from hexrec.board import SYSTEMS
from hexrec.games import Role

Colour = Literal["black", "white"]
Count = Annotated[int, Field(ge=0)]
#: A line, a column, a ply: counted from 1.
Number = Annotated[int, Field(ge=1)]
GameName = Annotated[str, Field(json_schema_extra={"enum": list(games.names())})]
NotationName = Annotated[str, Field(json_schema_extra={"enum": list(notations.names())})]
SystemName = Annotated[str, Field(json_schema_extra={"enum": list(SYSTEMS)})]
Winner = Literal["black", "white", "draw"]
Score = Annotated[float | list[float], Field(description="One number, or several, the largest first.")]


class Scores(TypedDict):
    """The scores of both colours, in games that have scores."""

    black: Score
    white: Score


class OutcomeData(TypedDict):
    """How a game ended."""

    winner: Annotated[Winner | None, Field(description="Null if the game was left without a winner.")]
    termination: Annotated[str, Field(description="What ended the game: `rules`, or what the record says.")]
    score: NotRequired[Scores]


Result = Annotated[OutcomeData | None, Field(description="How the game ended; null while it goes on.")]


class DiagnosticData(TypedDict):
    """Something that is wrong with a record, or probably unintended."""

    code: Annotated[str, Field(description="One of those that /v1/codes explains.")]
    severity: Literal["error", "warning"]
    message: str
    line: NotRequired[Number]
    column: NotRequired[Number]
    end_line: NotRequired[Number]
    end_column: NotRequired[Number]
    pointer: NotRequired[Annotated[str, Field(description="JSON Pointer to the value in the record.")]]
    within: NotRequired[Annotated[Number, Field(description="The column in the text there, if one is wrong.")]]
    ply: NotRequired[Number]
    turn: NotRequired[str]


class ReportData(TypedDict):
    """The verdict on one record."""

    file: Annotated[Literal["-"], Field(description="The body.")]
    index: Annotated[Count, Field(description="Which record of the body, from 0.")]
    id: str | None
    game: str | None
    valid: bool
    plies: Annotated[Count, Field(description="How many turns could be executed.")]
    result: Result
    diagnostics: list[DiagnosticData]


#: The number of a cell: its place in `cells` of the board.
CellNumber = Count
Svg = Annotated[str, Field(description="A piece of SVG.")]


class DrawnMark(TypedDict):
    """Cells that a picture points out."""

    role: Annotated[Role, Field(description="How they are drawn.")]
    name: Annotated[str, Field(description="Why they are pointed out, in the game's own words.")]
    cells: list[CellNumber]
    colour: Annotated[Literal[0, 1] | None, Field(description="Whose they are: 0 black, 1 white.")]
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
    to_play: Colour
    position: Annotated[str, Field(description="The text of the position.")]
    marks: list[DrawnMark]
    over: NotRequired[Annotated[str, Field(description="How the game has ended, in words.")]]
    markup: NotRequired[DrawnMarkup]


class Step(TypedDict):
    """A turn of a record and what it did. The first illegal one, and those after it, did nothing."""

    turn: str
    colour: Colour
    comment: NotRequired[str]
    nag: NotRequired[list[int]]
    variations: NotRequired[list[list[Step]]]
    illegal: NotRequired[Annotated[str, Field(description="Why the turn is illegal.")]]
    changes: NotRequired[Changes]
    parts: NotRequired[Annotated[list[DrawnMark], Field(description="What the turn did.")]]
    to_play: NotRequired[Colour]
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


Box = Annotated[list[float], Field(min_length=4, max_length=4, description="Left, top, width and height.")]


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
    ends: Annotated[list[list[CellNumber]], Field(description="The first and the last cells of rows.")]
    rim: Annotated[list[Literal[0, 1]], Field(description="Whether each cell is on the rim.")]
    names: CellNamesData
    pattern: Annotated[str, Field(description="The regular expression of names of cells in turns.")]


class Drawing(TypedDict):
    """How a position is drawn."""

    game: DrawnGame
    board: DrawnBoard
    start: DrawnPosition


class WrittenRecord(TypedDict):
    """A record in one notation."""

    text: str
    file: Annotated[str, Field(description="A name for a file of it.")]
    lost: Annotated[list[str], Field(description="What the notation cannot hold.")]


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
    texts: NotRequired[Annotated[dict[str, WrittenRecord], Field(description="The record, by notation.")]]
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


class PositionData(TypedDict):
    """A position that was described by itself."""

    game: GameName
    ruleset: str
    variant: str | None
    size: Number
    coordinates: SystemName
    plies: Annotated[Count, Field(description="How many turns were played.")]
    position: Annotated[str, Field(description="The text of the position.")]
    to_play: Colour
    over: Annotated[bool, Field(description="Whether the rules have ended the game.")]
    result: Result
    legal: Annotated[list[str], Field(description="All legal turns, sorted.")]
    drawing: NotRequired[Drawing]
    entry: NotRequired[BoardEntry]
