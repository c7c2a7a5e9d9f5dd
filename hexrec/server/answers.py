"""The types of answers in JSON, from which the OpenAPI document has their schemas.

They describe what workers write; a test compares real answers with them, field by field. `server/answer_parts.py` has
what they are made of.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from typing_extensions import TypedDict

from hexrec.server.answer_parts import (
    Colour,
    Count,
    DiagnosticData,
    GameName,
    NotationName,
    Number,
    PositionData,
    ReplayData,
    ReportData,
    Result,
    Score,
    Winner,
)
from hexrec.server.problems import KINDS


class SummaryData(TypedDict):
    """The totals over the records of a body."""

    records: Count
    valid: Count
    invalid: Count
    files: Count
    plies: Count
    unreadable: Annotated[Count, Field(description="Inputs that could not be read: 0, as the body is the only one.")]


class Reports(TypedDict):
    """The verdicts on all records of a body."""

    hexrec: Annotated[str, Field(description="The version of the program.")]
    summary: SummaryData
    records: list[ReportData]


class AbstractPlayRecord(TypedDict):
    """A record of Abstract Play, as that site's own schema describes it."""

    header: dict[str, Any]
    moves: list[Any]


class ConvertedRecord(ReportData):
    """The verdict on one record, and its text in the other notation."""

    text: Annotated[str | None, Field(description="Null if the record was not converted.")]


class ConvertedRecords(TypedDict):
    """The records of a body, each converted by itself."""

    hexrec: Annotated[str, Field(description="The version of the program.")]
    to: NotationName
    records: list[ConvertedRecord]


class RecordExtent(TypedDict):
    """The part of a file that holds a record."""

    offset: Annotated[Count, Field(description="How many bytes are before it.")]
    size: Annotated[Count, Field(description="How many bytes it has.")]
    line: Annotated[Count, Field(description="How many line ends are before it.")]
    record: Annotated[Count, Field(description="Which of the records that this part holds by itself is meant.")]


class PlayerNames(TypedDict):
    """The names of the players."""

    black: str | None
    white: str | None


class ListedRecord(TypedDict):
    """A record of a file: where it stands, what it says of itself, and its verdict."""

    index: Count
    extent: RecordExtent
    id: str | None
    game: str | None
    size: int | None
    players: PlayerNames
    date: str | None
    valid: bool
    plies: Count
    result: Result
    diagnostic: Annotated[DiagnosticData | None, Field(description="The first error, or else the first warning.")]


class RecordList(TypedDict):
    """The records of a file."""

    hexrec: Annotated[str, Field(description="The version of the program.")]
    notation: Annotated[NotationName, Field(description="What the body, and each part of it, is read as.")]
    summary: SummaryData
    records: list[ListedRecord]


class ScoreRow(TypedDict):
    """The scores of one record. What is unknown is null."""

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
    claimed_winner: Annotated[Winner | None, Field(description="The winner that the record names.")]
    agrees: Annotated[bool | None, Field(description="Whether all that the record says of its result holds.")]
    code: Annotated[str | None, Field(description="The code of the first error.")]
    ply: Annotated[Number | None, Field(description="The turn in which that was found.")]
    message: str | None
    hash: Annotated[str | None, Field(description="The game hash: the same for all records of the same game.")]


class PlayedPosition(TypedDict):
    """A position of a record."""

    game: GameName
    ply: Annotated[Count, Field(description="After how many turns.")]
    to_play: Colour
    result: Result


class LegalTurns(PlayedPosition):
    """The legal turns in a position of a record."""

    legal: Annotated[list[str], Field(description="All legal turns, sorted.")]


class ReasonData(TypedDict):
    """Why something is as it is."""

    code: Annotated[str, Field(description="Which rule or condition, the same word wherever that holds.")]
    text: Annotated[str, Field(description="A sentence about this position, without a full stop.")]
    cells: Annotated[list[str], Field(description="The cells through which it holds.")]


class ExplainedRow(TypedDict):
    """One group, loop, stack, snake or the like."""

    colour: Annotated[Colour | None, Field(description="Whose it is.")]
    cells: Annotated[list[str], Field(description="Its cells; none in the rows of totals.")]
    values: Annotated[dict[str, int | float | str | None], Field(description="What stands in each column.")]
    reasons: list[ReasonData]


class ExplainedTable(TypedDict):
    """Things of one kind."""

    name: Annotated[str, Field(description="What they are, in the plural.")]
    columns: list[str]
    rows: list[ExplainedRow]


class ExplanationData(PlayedPosition):
    """Why a game ended as it did, or what is known in a position of a game that goes on."""

    conclusions: Annotated[list[ReasonData], Field(description="What decides, in the order of the rules.")]
    tables: list[ExplainedTable]


class Revision(TypedDict):
    """One revision of a game's rules."""

    name: str
    year: int
    sizes: list[Number]


class TurnForm(TypedDict):
    """How turns are written."""

    help: str
    example: str


class GameData(TypedDict):
    """A game that records can be of."""

    name: GameName
    title: str
    rulesets: Annotated[list[str], Field(description="The names of the revisions of its rules.")]
    revisions: list[Revision]
    sizes: Annotated[list[Number], Field(description="Cells per side.")]
    recommended: Annotated[list[Number], Field(description="The usual sizes, the most usual first.")]
    opening: Annotated[list[Colour], Field(description="The colours that have opening stones.")]
    variants: list[str]
    score: Annotated[
        Literal["number", "list"] | None, Field(description="What a score is; null in games without scores.")
    ]
    turn: TurnForm


class CodeData(TypedDict):
    """What a code of diagnostics means."""

    code: str
    group: Annotated[str, Field(description="What kind of codes it belongs to.")]
    meaning: str
    rule: str
    fix: Annotated[str, Field(description="What to do about it.")]
    page: NotRequired[Annotated[str, Field(description="Its address on the site, where the service knows that.")]]


class Status(TypedDict):
    """That the service is well."""

    status: Literal["ok"]


class ServiceProblem(TypedDict):
    """Problem details (RFC 9457): why a request is not answered as asked for."""

    type: Annotated[str, Field(json_schema_extra={"enum": [f"urn:hexrec:problem:{name}" for name in KINDS]})]
    title: str
    status: int
    detail: Annotated[str, Field(description="What is wrong with this request, for people.")]
    records: NotRequired[Annotated[list[ReportData], Field(description="The records that are in the way.")]]
    diagnostics: NotRequired[Annotated[list[DiagnosticData], Field(description="What is wrong with a position.")]]
    code: NotRequired[Annotated[str, Field(description="The code of the illegal turn that is in the way.")]]
    ply: NotRequired[Number]
    turn: NotRequired[str]


class _Plain(GenerateJsonSchema):
    """Leaves out the titles that only repeat the names of fields."""

    def field_title_should_be_set(self, schema: object) -> bool:
        del schema
        return False


#: The types that answers refer to by name; what these consist of comes along.
_NAMED: tuple[Any, ...] = (
    Reports,
    AbstractPlayRecord,
    ConvertedRecords,
    RecordList,
    ScoreRow,
    LegalTurns,
    ExplanationData,
    ReplayData,
    PositionData,
    GameData,
    CodeData,
    Status,
    ServiceProblem,
)


def schemas() -> Mapping[str, Any]:
    """Return the JSON Schemas of all types of answers, and of what they consist of, by name."""
    inputs: list[tuple[Any, Literal["serialization"], TypeAdapter[Any]]] = [
        (kind.__name__, "serialization", TypeAdapter(kind)) for kind in _NAMED
    ]
    _, found = TypeAdapter.json_schemas(inputs, ref_template="#/components/schemas/{model}", schema_generator=_Plain)
    return dict(found["$defs"])
