"""The task about one position that is described by itself, without a record of its game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from hexrec.diagnostics import Diagnostic
from hexrec.notations.base import Document
from hexrec.record import RecordError, read_position
from hexrec.reporters import Summary
from hexrec.server.problems import Problem
from hexrec.server.tasks import Answer, Task, as_text, result_of
from hexrec.validation import locate, replay
from hexrec.validation.report import NOT_JUDGED
from hexrec.web import entry_data, position_data

#: The notations that have objects of other kinds than records.
_NOTATIONS = (None, "json", "jsonl", "yaml")


@dataclass(frozen=True, kw_only=True)
class DescribePosition(Task):
    """The position that the body describes: its text, the legal turns, how it is drawn.

    Attributes:
        drawing: whether to say how it is drawn.
        entry: whether to say how turns are entered on a board, and what those that were played did.
    """

    drawing: bool = True
    entry: bool = False

    def run(self) -> Answer:
        """Read the text of a position, or play a game. Raises Problem with the diagnostics."""
        document = self._document()
        try:
            if document.error is not None:
                raise RecordError([document.error])
            record = read_position(document.data)
        except RecordError as error:
            raise _refused(error.diagnostics, document) from None
        played = replay(record)
        position, failure = played.position, played.failure
        if failure is not None:
            # The text of a position is the setup of a record.
            own = failure.at(pointer="/position") if failure.pointer == "/setup" else failure
            raise _refused([own], document)
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
            "result": result_of(position),
            "legal": position.legal_turns(),
        }
        if self.drawing:
            data["drawing"] = position_data(record, position)
        if self.entry:
            data["entry"] = entry_data(record, position)
        return Answer(as_text(data).encode(), Summary())

    def _document(self) -> Document:
        if self.notation not in _NOTATIONS:
            raise Problem("unsupported-body", "a position is described in JSON or YAML")
        document, *more = islice(self.documents(), 2)
        if more:
            raise Problem("too-many-records", "a body describes one position")
        return document


def _refused(diagnostics: Iterable[Diagnostic], document: Document) -> Problem:
    """Return the problem of a position that there is not, with its diagnostics at their places in the body.

    That hexrec fails on the body is a problem of its own.
    """
    located = locate(diagnostics, document)
    name = "failed" if any(diagnostic.code in NOT_JUDGED for diagnostic in located) else "bad-position"
    return Problem(name, located[0].message, {"diagnostics": [each.to_dict() for each in located]})
