"""Operations on one position or record: legal turns, explanations, pictures, and data of the page."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Annotated, NotRequired, cast

from pydantic import ConfigDict, Field
from typing_extensions import TypedDict

from hexrec.errors import MissingExtraError
from hexrec.formats.base import Document
from hexrec.io.discovery import STANDARD_INPUT
from hexrec.output import to_text
from hexrec.record.identity import renamings
from hexrec.record.record import Record
from hexrec.record.replay import Replay, replay
from hexrec.record.validation import RecordError, read_position
from hexrec.render import svg, view_of, views
from hexrec.render.explanation import explanation_data, position_entry
from hexrec.render.pixels import gif, png
from hexrec.render.theme import Labels, Style, Theme
from hexrec.rules.board import System
from hexrec.rules.position import Position
from hexrec.server import negotiation
from hexrec.server.parameters import GameName, SystemName
from hexrec.server.problems import Problem
from hexrec.server.tasks import Answer, BodyOperation, Operation, Task, make_record_problem
from hexrec.tools.positions import fold_position
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.report import NOT_VALIDATED
from hexrec.validation.verdict import check_document, read_document
from hexrec.web.answers import BoardEntry, Color, Count, Drawing, DrawnMark, Number, PlayedPosition, Result
from hexrec.web.replay import entry_data, overlay_data, position_data, replay_data

#: Pictures contain style sheets and nothing else that a browser could load or run.
_PICTURE = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"
#: An upper bound of record indices and plies.
_MOST = 2**31 - 1
#: The formats that can represent objects other than records.
_FORMATS = (None, "json", "jsonl", "yaml")


class RecordOperation(BodyOperation):
    """An operation on one record of a body."""

    record: int = Field(0, ge=0, le=_MOST, description="Index of the record in the body, from 0.")


class PositionOperation(RecordOperation):
    """An operation on one position of a record."""

    ply: int | None = Field(None, ge=0, le=_MOST, description="The position after N turns; default: after the last.")

    def replay(self, task: Task, *, whole: bool = True) -> Replay:
        """Return the replay up to the position. Raises Problem if there is no such position.

        Unless `whole`, a replay without a ply may stop before an illegal turn.
        """
        document, record = self._read_record(task)
        ply = self.ply
        if ply is not None and ply > len(record.moves):
            raise Problem("no-such-ply", f"no such ply ({ply}): the record has {len(record.moves)} turns")
        played = replay(record, ply)
        failure = played.failure
        if failure is not None and (whole or ply is not None or played.position is None):
            raise make_record_problem(failure.message, [check_document(document, STANDARD_INPUT, self.record)])
        return played

    def _read_record(self, task: Task) -> tuple[Document, Record]:
        index = self.record
        document = next(islice(task.read_documents(), index, None), None)
        if document is None:
            raise Problem("no-such-record", f"no record {index}: records are counted from 0")
        try:
            return document, read_document(document, STANDARD_INPUT, index)
        except RecordError:
            report = check_document(document, STANDARD_INPUT, index)
            raise make_record_problem("the record is invalid", [report]) from None


class LegalTurns(PlayedPosition):
    """The legal turns in a position of a record."""

    legal: Annotated[list[str], Field(description="All legal turns, sorted.")]


class ListLegalTurns(PositionOperation):
    """The legal turns in a position."""

    def run(self, task: Task) -> Answer:
        """Return the turns. Raises Problem if there is no such position."""
        played = self.replay(task)
        assert played.position is not None
        data = {**position_entry(played), "legal": played.position.legal_turns()}
        return Answer(to_text(data).encode())


class ExplainResult(PositionOperation):
    """Explain the result, or an earlier position with the same tables."""

    def run(self, task: Task) -> Answer:
        """Return the explanation. Raises Problem if there is no such position."""
        return Answer(to_text(explanation_data(self.replay(task))).encode())


class RenderPosition(PositionOperation):
    """Draw a position as SVG or PNG, or the game up to it as GIF."""

    offered = negotiation.PICTURES

    coordinates: SystemName | None = Field(None, description="Output coordinate system; default: that of the record.")
    theme: Theme = Field("auto", description="Colors; auto follows the system of the reader.")
    labels: Labels = Field("ends", description="Labels of cells: at the ends of rows, on all cells, or none.")
    marks: bool = Field(True, description="Show marks: the last turn, the deciding cells, marks of the record.")
    caption: bool = Field(True, description="Write a caption below the board.")
    width: int | None = Field(None, ge=16, le=3_000, description="Width in pixels.")
    seconds: float = Field(1.0, ge=0.05, le=60, description="Seconds per turn in a GIF.")

    def run(self, task: Task) -> Answer:
        """Return the picture. Raises Problem if there is no such position or a renderer is missing."""
        final, format = self.replay(task, whole=False), negotiation.PICTURES[task.media_type]
        system = cast(System | None, self.coordinates)
        style = Style(self.theme, self.labels, self.marks, self.caption, self.width)
        view = view_of(final.record, final.plies, system)
        if format == "svg":
            return Answer(svg(view, style).encode(), headers={"Content-Security-Policy": _PICTURE})
        try:
            if format == "png":
                return Answer(png(view, style))
            frames = list(views(final.record, final.plies, system))
            return Answer(gif(frames, style, self.seconds))
        except MissingExtraError as missing:
            raise Problem("not-installed", str(missing)) from None


class ReplayRecord(RecordOperation):
    """Return one record of the body with the data of the page, valid or not."""

    drawing: bool = Field(True, description="Include the board and the effects of the turns.")

    def run(self, task: Task) -> Answer:
        """Return the replay. Raises Problem if there is no such record."""
        documents, index = list(task.read_documents()), self.record
        if index >= len(documents):
            raise Problem("no-such-record", f"no record {index}: the body has {len(documents)}, counted from 0")
        report = check_document(documents[index], STANDARD_INPUT, index)
        data = {**replay_data(report, drawing=self.drawing), "records": len(documents)}
        return Answer(to_text(data).encode())


class PositionDescription(TypedDict):
    """A position in position notation, or a game from its opening, and the turns to play from there."""

    __pydantic_config__ = ConfigDict(extra="forbid")  # type: ignore[misc]

    game: GameName
    ruleset: NotRequired[Annotated[str, Field(description="Default: the game's first ruleset.")]]
    variant: NotRequired[str]
    size: NotRequired[Annotated[int, Field(description="Optional with a position, which determines it.")]]
    coordinates: NotRequired[Annotated[SystemName, Field(description="Default: row.")]]
    position: NotRequired[Annotated[str, Field(examples=["4/5/6/7/6/5/4 b 0"])]]
    opening: NotRequired[Annotated[dict[Color, str], Field(description="Cells of the opening stones by color.")]]
    moves: NotRequired[Annotated[list[str], Field(description="Turns to play from there.")]]


class FoldedPosition(TypedDict):
    """A position among those of an archive."""

    key: Annotated[str, Field(description="The key, the same for all images of the position.")]
    cells: Annotated[dict[str, str], Field(description="Cells of the position by cells of the image with the key.")]


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
    folded: NotRequired[FoldedPosition]
    overlays: NotRequired[Annotated[dict[str, list[DrawnMark]], Field(description="Marks by name of the overlay.")]]


def _fold(position: Position) -> FoldedPosition:
    """Return the key of a position. A symmetric one has several images with that key: the first is taken."""
    folded = fold_position(position)
    names = renamings(position.board)[folded.symmetries[0]]
    return {"key": folded.key, "cells": {image: name for name, image in names.items()}}


class DescribePosition(Operation):
    """Describe a position: position notation, legal turns, and the data of a picture."""

    drawing: bool = Field(True, description="Include the data of a picture.")
    entry: bool = Field(False, description="Include the data to enter turns on a board, and the effects of the turns.")
    folded: bool = Field(
        False, description="Include the key of the position, and its cells in the image with that key."
    )
    overlays: bool = Field(False, description="Include the overlays: features of the position to show on a board.")

    def run(self, task: Task) -> Answer:
        """Read a position or play a game. Raises Problem with the diagnostics."""
        document = _read_position(task)
        try:
            if document.error is not None:
                raise RecordError([document.error])
            record = read_position(document.data)
        except RecordError as error:
            raise _make_position_problem(error.diagnostics, document) from None
        played = replay(record)
        position, failure = played.position, played.failure
        if failure is not None:
            # The position is the setup of the record.
            located = failure.at(pointer="/position") if failure.pointer == "/setup" else failure
            raise _make_position_problem([located], document)
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
        if self.drawing:
            data["drawing"] = position_data(record, position)
        if self.entry:
            data["entry"] = entry_data(record, position)
        if self.folded:
            data["folded"] = _fold(position)
        if self.overlays:
            data["overlays"] = overlay_data(position)
        return Answer(to_text(data).encode())


def _read_position(task: Task) -> Document:
    if task.notation not in _FORMATS:
        raise Problem("unsupported-body", "wrong format: describe a position in JSON or YAML")
    document, *more = islice(task.read_documents(), 2)
    if more:
        raise Problem("too-many-records", "several positions: send one in a body")
    return document


def _make_position_problem(diagnostics: Iterable[Diagnostic], document: Document) -> Problem:
    """Return the problem for an invalid position, or for a failure of hexrec, with located diagnostics."""
    located = document.locate(diagnostics)
    name = "failed" if any(diagnostic.code in NOT_VALIDATED for diagnostic in located) else "bad-position"
    return Problem(name, located[0].message, {"diagnostics": [entry.to_dict() for entry in located]})
