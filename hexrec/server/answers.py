"""The types of answers in JSON, from which the OpenAPI document has their schemas.

They describe what workers write; a test compares real answers with them, field by field.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema
from typing_extensions import TypedDict

from hexrec import games, notations
from hexrec.board import SYSTEMS
from hexrec.games import Role
from hexrec.server.problems import KINDS

Colour = Literal["black", "white"]
Count = Annotated[int, Field(ge=0)]
#: A line, a column, a ply: counted from 1.
Number = Annotated[int, Field(ge=1)]
GameName = Annotated[str, Field(json_schema_extra={"enum": list(games.names())})]
NotationName = Annotated[str, Field(json_schema_extra={"enum": list(notations.names())})]
SystemName = Annotated[str, Field(json_schema_extra={"enum": list(SYSTEMS)})]
Winner = Literal["black", "white", "draw"]
Score = Annotated[float | list[float], Field(description="One number, or several, the largest first.")]
#: The number of a cell: its place in `cells` of the board.
CellNumber = Count
Svg = Annotated[str, Field(description="A piece of SVG.")]


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
    """Something that is wrong with a record, or probably not meant."""

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


class SummaryData(TypedDict):
    """The totals over the records of a body."""

    records: Count
    valid: Count
    invalid: Count
    files: Count
    plies: Count


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


class LegalTurns(TypedDict):
    """The legal turns in a position of a record."""

    game: GameName
    ply: Annotated[Count, Field(description="After how many turns.")]
    to_play: Colour
    result: Result
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


class ExplanationData(TypedDict):
    """Why a game ended as it did, or what is known in a position of a game that goes on."""

    game: GameName
    ply: Annotated[Count, Field(description="After how many turns.")]
    to_play: Colour
    result: Result
    conclusions: Annotated[list[ReasonData], Field(description="What decides, in the order of the rules.")]
    tables: list[ExplainedTable]


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
