"""Tasks on one position or record: legal turns, explanations, pictures, and data of the page."""

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
from hexrec.web.replay import entry_data, overlay_data, position_data, replay_data
from hexrec.web.shapes import BoardEntry, Drawing, DrawnMark

#: Pictures contain style sheets and nothing else that a browser could load or run.
_PICTURE = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"
#: The maximum width of PNG and GIF pictures, in pixels: each takes four bytes and more.
_WIDEST = 3_000
#: The formats that can represent objects other than records.
_FORMATS = (None, "json", "jsonl", "yaml")
SystemName = Annotated[str, Field(json_schema_extra={"enum": list(SYSTEMS)})]


class PlayedPosition(TypedDict):
    """A position of a record."""

    game: GameName
    ply: Annotated[Count, Field(description="Number of turns before the position.")]
    to_play: Color
    result: Result


@dataclass(kw_only=True)
class PositionTask(RecordTask):
    """A task on one position of a record."""

    given: PlyParameters = field(default_factory=PlyParameters)

    def played(self, record: Record, *, whole: bool = True) -> Replay:
        """Return the replay up to the position. Raises Problem if there is no such position.

        Unless `whole`, a replay without a ply may stop before an illegal turn.
        """
        ply = self.given.ply
        if ply is not None and ply > len(record.moves):
            raise Problem("no-such-ply", f"no such ply ({ply}): the record has {len(record.moves)} turns")
        played = replay(record, ply)
        if played.failure is not None and (whole or ply is not None or played.position is None):
            raise _illegal_turn_problem(played.failure)
        return played


class LegalTurns(PlayedPosition):
    """The legal turns in a position of a record."""

    legal: Annotated[list[str], Field(description="All legal turns, sorted.")]


@dataclass(kw_only=True)
class ListLegalTurns(PositionTask):
    """The legal turns in a position."""

    def run(self) -> Answer:
        """Return the turns. Raises Problem if there is no such position."""
        played = self.played(self.read())
        assert played.position is not None
        data = {**position_entry(played), "legal": played.position.legal_turns()}
        return Answer(to_text(data).encode(), Summary())


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


@dataclass(kw_only=True)
class ExplainResult(PositionTask):
    """Explain the result, or an earlier position with the same tables."""

    def run(self) -> Answer:
        """Return the explanation. Raises Problem if there is no such position."""
        return Answer(to_text(explanation_of(self.played(self.read()))).encode(), Summary())


@dataclass(kw_only=True)
class RenderPosition(PositionTask):
    """Draw a position as SVG or PNG, or the game up to it as GIF.

    Attributes:
        format: svg, png or gif.
    """

    given: RenderParameters = field(default_factory=RenderParameters)
    format: str = "svg"

    def run(self) -> Answer:
        """Return the picture. Raises Problem if there is no such position or a renderer is missing."""
        record = self.read()
        final = self.played(record, whole=False)
        system, style = cast(System | None, self.given.coordinates), self.given.style
        view = view_of(record, final.plies, system)
        if self.format == "svg":
            return Answer(svg(view, style).encode(), Summary(), {"Content-Security-Policy": _PICTURE})
        if (style.width or 0) > _WIDEST:
            raise Problem("bad-parameter", f"width: {style.width} is too large for PNG and GIF: give at most {_WIDEST}")
        try:
            if self.format == "png":
                return Answer(png(view, style), Summary())
            frames = list(views(record, final.plies, system))
            return Answer(gif(frames, style, self.given.seconds), Summary())
        except MissingRenderer as missing:
            raise Problem("not-installed", str(missing)) from None


@dataclass(kw_only=True)
class ReplayRecord(RecordTask):
    """Return one record of the body with the data of the page, valid or not."""

    def run(self) -> Answer:
        """Return the replay. Raises Problem if there is no such record."""
        chosen = None
        count = 0
        for document in self.documents():
            if count == self.given.record:
                chosen = document
            count += 1
        if chosen is None:
            raise Problem("no-such-record", f"no record {self.given.record}: the body has {count}, counted from 0")
        report = check_document(chosen, STANDARD_INPUT, self.given.record)
        data = {**replay_data(report), "records": count}
        return Answer(to_text(data).encode(), Summary())


class PositionData(TypedDict):
    """A position described without a record."""

    game: GameName
    ruleset: str
    variant: str | None
    size: Number
    coordinates: SystemName
    plies: Annotated[Count, Field(description="Number of turns played.")]
    position: Annotated[str, Field(description="Position in position notation.")]
    to_play: Color
    over: Annotated[bool, Field(description="Whether the game is over by the rules.")]
    result: Result
    legal: Annotated[list[str], Field(description="All legal turns, sorted.")]
    drawing: NotRequired[Drawing]
    entry: NotRequired[BoardEntry]
    overlays: NotRequired[Annotated[dict[str, list[DrawnMark]], Field(description="Marks by name of the overlay.")]]


@dataclass(kw_only=True)
class DescribePosition(Task):
    """Describe a position: position notation, legal turns, and the data of a picture."""

    given: DescribeParameters = field(default_factory=DescribeParameters)

    def run(self) -> Answer:
        """Read a position or play a game. Raises Problem with the diagnostics."""
        document = self._document()
        try:
            if document.error is not None:
                raise RecordError([document.error])
            record = read_position(document.data)
        except RecordError as error:
            raise _position_problem(error.diagnostics, document) from None
        played = replay(record)
        position, failure = played.position, played.failure
        if failure is not None:
            # The position is the setup of the record.
            located = failure.at(pointer="/position") if failure.pointer == "/setup" else failure
            raise _position_problem([located], document)
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
        if self.given.overlays:
            data["overlays"] = overlay_data(position)
        return Answer(to_text(data).encode(), Summary())

    def _document(self) -> Document:
        if self.notation not in _FORMATS:
            raise Problem("unsupported-body", "wrong format: describe a position in JSON or YAML")
        document, *more = islice(self.documents(), 2)
        if more:
            raise Problem("too-many-records", "several positions: send one in a body")
        return document


def _position_problem(diagnostics: Iterable[Diagnostic], document: Document) -> Problem:
    """Return the problem for an invalid position, with its diagnostics located in the body.

    Failures of hexrec are a separate problem.
    """
    located = locate(diagnostics, document)
    name = "failed" if any(diagnostic.code in NOT_JUDGED for diagnostic in located) else "bad-position"
    return Problem(name, located[0].message, {"diagnostics": [each.to_dict() for each in located]})


def _illegal_turn_problem(diagnostic: Diagnostic) -> Problem:
    more = {"code": diagnostic.code, "ply": diagnostic.ply, "turn": diagnostic.turn}
    return Problem("bad-record", diagnostic.message, {name: value for name, value in more.items() if value is not None})
