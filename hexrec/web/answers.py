"""Types of the JSON answers, for the OpenAPI document: reports, scores, explanations, and the data of the page."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypeVar

from pydantic import Field
from typing_extensions import TypedDict

from hexrec.record.schema import Winner
from hexrec.rules.terms import Role

Color = Literal["black", "white"]
Count = Annotated[int, Field(ge=0)]
#: A line, a column or a ply, counted from 1.
Number = Annotated[int, Field(ge=1)]
Score = Annotated[float | list[float], Field(description="One number, or several, the largest first.")]


class Scores(TypedDict):
    """The scores of both colors, in games with scores."""

    black: Score
    white: Score


class OutcomeData(TypedDict):
    """How a game ended."""

    winner: Annotated[Winner | None, Field(description="Null if the game was left without a winner.")]
    termination: Annotated[str, Field(description="The cause of the end: `rules`, or the recorded termination.")]
    score: NotRequired[Scores]


Result = Annotated[OutcomeData | None, Field(description="How the game ended; null while it goes on.")]


class EditData(TypedDict):
    """A change to the text of a record."""

    pointer: Annotated[str, Field(description="JSON Pointer to the value in the record.")]
    text: Annotated[str, Field(description="The text to put there; empty where a turn is left out.")]
    line: NotRequired[Number]
    column: NotRequired[Number]
    end_line: NotRequired[Number]
    end_column: NotRequired[Number]


class SuggestionData(TypedDict):
    """Edits that repair a record, or a part of it."""

    message: str
    complete: Annotated[bool, Field(description="Whether the whole record is valid after the edits.")]
    edits: list[EditData]


class DiagnosticData(TypedDict):
    """An error in a record, or a warning about it."""

    code: Annotated[str, Field(description="A code that /v1/codes explains.")]
    severity: Literal["error", "warning"]
    message: str
    line: NotRequired[Number]
    column: NotRequired[Number]
    end_line: NotRequired[Number]
    end_column: NotRequired[Number]
    pointer: NotRequired[Annotated[str, Field(description="JSON Pointer to the value in the record.")]]
    within: NotRequired[Annotated[Number, Field(description="The column of the error in that string, if known.")]]
    ply: NotRequired[Number]
    turn: NotRequired[str]
    suggestions: NotRequired[list[SuggestionData]]


class ReportData(TypedDict):
    """The report on one record."""

    file: Annotated[Literal["-"], Field(description="The body.")]
    index: Annotated[Count, Field(description="The index of the record in the body, from 0.")]
    id: str | None
    game: str | None
    valid: bool
    accepted: Annotated[bool, Field(description="The same as `valid`: the service has no settings.")]
    plies: Annotated[Count, Field(description="The number of turns executed.")]
    result: Result
    diagnostics: list[DiagnosticData]


class SummaryData(TypedDict):
    """The totals over the records of a body."""

    records: Count
    valid: Count
    invalid: Count
    accepted: Annotated[Count, Field(description="Accepted invalid records: 0, as the service has no settings.")]
    files: Count
    plies: Count
    unreadable: Annotated[Count, Field(description="1 if the body was not read to its end, else 0.")]


class Reports(TypedDict):
    """The reports on all records of a body."""

    hexrec: Annotated[str, Field(description="The version of the program.")]
    summary: SummaryData
    records: list[ReportData]


_Value = TypeVar("_Value")
Recorded = Annotated[_Value | None, Field(description="Value in the record.")]


class ScoreRow(TypedDict):
    """The scores of one record. Unknown values are null."""

    file: Literal["-"]
    index: Count
    id: str | None
    game: str | None
    ruleset: str | None
    variant: str | None
    readings: Annotated[str | None, Field(description="Readings of the record, separated by spaces.")]
    size: int | None
    plies: Count
    winner: Winner | None
    termination: str | None
    black: Score | None
    white: Score | None
    claimed_winner: Annotated[Winner | None, Field(description="Winner claimed by the record.")]
    agrees: Annotated[bool | None, Field(description="Whether the recorded result agrees with the computed result.")]
    code: Annotated[str | None, Field(description="Code of the first error.")]
    ply: Annotated[Number | None, Field(description="Ply of the first error.")]
    message: str | None
    accepted_by: Annotated[None, Field(description="The settings that accept an invalid record: none.")]
    hash: Annotated[str | None, Field(description="Game hash, the same for all records of the same game.")]
    event: Recorded[str]
    site: Recorded[str]
    round: Recorded[str]
    date: Recorded[str]
    rated: Recorded[bool]
    black_name: Recorded[str]
    black_id: Recorded[str]
    black_rating: Recorded[float]
    black_bot: Recorded[bool]
    white_name: Recorded[str]
    white_id: Recorded[str]
    white_rating: Recorded[float]
    white_bot: Recorded[bool]


class PlayedPosition(TypedDict):
    """A position of a record."""

    game: str
    ply: Annotated[Count, Field(description="Number of turns before the position.")]
    to_play: Color
    result: Result


class ReasonData(TypedDict):
    """A reason for a result."""

    code: Annotated[str, Field(description="Stable name of the rule or condition.")]
    text: Annotated[str, Field(description="Sentence about this position, without a full stop.")]
    cells: Annotated[list[str], Field(description="Cells that satisfy the condition.")]


class ExplainedRow(TypedDict):
    """A row of a table: a group, loop, stack or snake."""

    color: Annotated[Color | None, Field(description="Player of the row.")]
    cells: Annotated[list[str], Field(description="Cells of the row; empty for totals.")]
    values: Annotated[dict[str, int | float | str | None], Field(description="Values by column.")]
    reasons: list[ReasonData]


class ExplainedTable(TypedDict):
    """A table of groups, loops, stacks or snakes."""

    name: Annotated[str, Field(description="Name of the rows, in the plural.")]
    columns: list[str]
    rows: list[ExplainedRow]


class ExplanationData(PlayedPosition):
    """Explanation of a result, or of a position of an unfinished game."""

    conclusions: Annotated[list[ReasonData], Field(description="Deciding conditions, in the order of the rules.")]
    tables: list[ExplainedTable]


# The data of the page, which `hexrec.web.replay` makes. Reports and totals are made by `Report.to_dict` and
# `Summary.data`.

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
