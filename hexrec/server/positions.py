"""The tasks about one position or one record: legal turns, explanations, pictures, and the data that the page draws."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Annotated, NotRequired, cast

from pydantic import Field
from typing_extensions import TypedDict

from hexrec.formats.base import Document
from hexrec.io.discovery import STANDARD_INPUT
from hexrec.output.report_data import Color, Count, Number, Result
from hexrec.output.report_json import to_text
from hexrec.record.record import Record
from hexrec.record.replay import Replay, replay
from hexrec.record.validation import RecordError, read_position
from hexrec.render import svg, views
from hexrec.render.explanation import entry as explanation_of
from hexrec.render.explanation import position_entry
from hexrec.render.pixels import MissingRenderer, gif, png
from hexrec.render.views import view_of
from hexrec.rules.board import SYSTEMS, System
from hexrec.server.parameters import DescribeParameters, PlyParameters, RenderParameters
from hexrec.server.problems import Problem
from hexrec.server.tasks import Answer, GameName, RecordTask, Task
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.report import NOT_JUDGED, locate
from hexrec.validation.summary import Summary
from hexrec.validation.verdict import check_document
from hexrec.web.replay import entry_data, position_data, replay_data
from hexrec.web.shapes import BoardEntry, Drawing

#: Pictures hold style sheets, and nothing else that a browser could load or run.
_PICTURE = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"
#: How many pixels wide a picture of pixels may be: each takes four bytes and more.
_WIDEST = 3_000
#: The formats that have objects of other kinds than records.
_FORMATS = (None, "json", "jsonl", "yaml")
SystemName = Annotated[str, Field(json_schema_extra={"enum": list(SYSTEMS)})]


class PlayedPosition(TypedDict):
    """A position of a record."""

    game: GameName
    ply: Annotated[Count, Field(description="After how many turns.")]
    to_play: Color
    result: Result


@dataclass(kw_only=True)
class PositionTask(RecordTask):
    """Something that is done with one position of a record."""

    given: PlyParameters = field(default_factory=PlyParameters)

    def played(self, record: Record, *, whole: bool = True) -> Replay:
        """Return the replay up to the position. Raises Problem if there is no such position.

        Unless it is to be `whole`, a replay to the end may have ended before an illegal turn.
        """
        ply = self.given.ply
        if ply is not None and ply > len(record.moves):
            raise Problem("no-such-ply", f"the record has {len(record.moves)} turns")
        played = replay(record, ply)
        if played.failure is not None and (whole or ply is not None or played.position is None):
            raise _refused(played.failure)
        return played


class LegalTurns(PlayedPosition):
    """The legal turns in a position of a record."""

    legal: Annotated[list[str], Field(description="All legal turns, sorted.")]


@dataclass(kw_only=True)
class ListLegalTurns(PositionTask):
    """The legal turns in a position."""

    def run(self) -> Answer:
        """List the turns. Raises Problem if there is no such position."""
        played = self.played(self.read())
        assert played.position is not None
        data = {**position_entry(played), "legal": played.position.legal_turns()}
        return Answer(to_text(data).encode(), Summary())


class ReasonData(TypedDict):
    """Why something is as it is."""

    code: Annotated[str, Field(description="Which rule or condition, the same word wherever that holds.")]
    text: Annotated[str, Field(description="A sentence about this position, without a full stop.")]
    cells: Annotated[list[str], Field(description="The cells through which it holds.")]


class ExplainedRow(TypedDict):
    """One group, loop, stack, snake or the like."""

    colour: Annotated[Color | None, Field(description="Whose it is.")]
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


@dataclass(kw_only=True)
class ExplainResult(PositionTask):
    """Why the game ended as it did, or what the same tables say of an earlier position."""

    def run(self) -> Answer:
        """Explain the position. Raises Problem if there is no such position."""
        return Answer(to_text(explanation_of(self.played(self.read()))).encode(), Summary())


@dataclass(kw_only=True)
class RenderPosition(PositionTask):
    """The picture of a position as SVG or PNG, or of the whole game up to it as GIF.

    Attributes:
        format: svg, png or gif.
    """

    given: RenderParameters = field(default_factory=RenderParameters)
    format: str = "svg"

    def run(self) -> Answer:
        """Draw it. Raises Problem if there is no such position, or what makes pixels is not installed."""
        record = self.read()
        final = self.played(record, whole=False)
        system, style = cast(System | None, self.given.coordinates), self.given.style
        view = view_of(record, final.plies, system)
        if self.format == "svg":
            return Answer(svg(view, style).encode(), Summary(), {"Content-Security-Policy": _PICTURE})
        if (style.width or 0) > _WIDEST:
            raise Problem("bad-parameter", f"width: PNG and GIF pictures are at most {_WIDEST} pixels wide")
        try:
            if self.format == "png":
                return Answer(png(view, style), Summary())
            frames = list(views(record, final.plies, system))
            return Answer(gif(frames, style, self.given.seconds), Summary())
        except MissingRenderer as missing:
            raise Problem("not-installed", str(missing)) from None


@dataclass(kw_only=True)
class ReplayRecord(RecordTask):
    """One record of the body as the page draws it, whatever is wrong with it."""

    def run(self) -> Answer:
        """Play the record. Raises Problem if there is no such record."""
        chosen = None
        count = 0
        for document in self.documents():
            if count == self.given.record:
                chosen = document
            count += 1
        if chosen is None:
            raise Problem("no-such-record", f"the body holds {count} records: they are counted from 0")
        report = check_document(chosen, STANDARD_INPUT, self.given.record)
        data = {**replay_data(report), "records": count}
        return Answer(to_text(data).encode(), Summary())


class PositionData(TypedDict):
    """A position that was described by itself."""

    game: GameName
    ruleset: str
    variant: str | None
    size: Number
    coordinates: SystemName
    plies: Annotated[Count, Field(description="How many turns were played.")]
    position: Annotated[str, Field(description="The text of the position.")]
    to_play: Color
    over: Annotated[bool, Field(description="Whether the rules have ended the game.")]
    result: Result
    legal: Annotated[list[str], Field(description="All legal turns, sorted.")]
    drawing: NotRequired[Drawing]
    entry: NotRequired[BoardEntry]


@dataclass(kw_only=True)
class DescribePosition(Task):
    """The position that the body describes: its text, the legal turns, how it is drawn."""

    given: DescribeParameters = field(default_factory=DescribeParameters)

    def run(self) -> Answer:
        """Read the text of a position, or play a game. Raises Problem with the diagnostics."""
        document = self._document()
        try:
            if document.error is not None:
                raise RecordError([document.error])
            record = read_position(document.data)
        except RecordError as error:
            raise _no_position(error.diagnostics, document) from None
        played = replay(record)
        position, failure = played.position, played.failure
        if failure is not None:
            # The text of a position is the setup of a record.
            own = failure.at(pointer="/position") if failure.pointer == "/setup" else failure
            raise _no_position([own], document)
        assert position is not None
        data = {
            "game": record.game,
            "ruleset": record.ruleset,
            "variant": record.variant,
            "size": record.size,
            "coordinates": record.coordinates,
            "plies": played.plies,
            "position": position.text(),
            "to_play": position.turn,
            "over": position.is_over,
            "result": position_entry(played)["result"],
            "legal": position.legal_turns(),
        }
        if self.given.drawing:
            data["drawing"] = position_data(record, position)
        if self.given.entry:
            data["entry"] = entry_data(record, position)
        return Answer(to_text(data).encode(), Summary())

    def _document(self) -> Document:
        if self.notation not in _FORMATS:
            raise Problem("unsupported-body", "a position is described in JSON or YAML")
        document, *more = islice(self.documents(), 2)
        if more:
            raise Problem("too-many-records", "a body describes one position")
        return document


def _no_position(diagnostics: Iterable[Diagnostic], document: Document) -> Problem:
    """Return the problem of a position that there is not, with its diagnostics at their places in the body.

    That hexrec fails on the body is a problem of its own.
    """
    located = locate(diagnostics, document)
    name = "failed" if any(diagnostic.code in NOT_JUDGED for diagnostic in located) else "bad-position"
    return Problem(name, located[0].message, {"diagnostics": [each.to_dict() for each in located]})


def _refused(diagnostic: Diagnostic) -> Problem:
    more = {"code": diagnostic.code, "ply": diagnostic.ply, "turn": diagnostic.turn}
    return Problem("bad-record", diagnostic.message, {name: value for name, value in more.items() if value is not None})
