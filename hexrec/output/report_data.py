"""Types of the JSON reports for the OpenAPI document: the results of `Report.to_dict` and `Summary.data`."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypeVar

from pydantic import Field
from typing_extensions import TypedDict

Color = Literal["black", "white"]
Count = Annotated[int, Field(ge=0)]
#: A line, a column or a ply, counted from 1.
Number = Annotated[int, Field(ge=1)]
Winner = Literal["black", "white", "draw"]
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
    plies: Annotated[Count, Field(description="The number of turns executed.")]
    result: Result
    diagnostics: list[DiagnosticData]


class SummaryData(TypedDict):
    """The totals over the records of a body."""

    records: Count
    valid: Count
    invalid: Count
    files: Count
    plies: Count
    unreadable: Annotated[Count, Field(description="Inputs that could not be read: 0, as the body is the only one.")]


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

    colour: Annotated[Color | None, Field(description="Player of the row.")]
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
