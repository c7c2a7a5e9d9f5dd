"""The report on one record: what was found, in the order of its places."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from hexrec.formats.base import Document
from hexrec.record.record import Record, display_id
from hexrec.rules.terms import Outcome
from hexrec.util import internal_error
from hexrec.util.diagnostics import Diagnostic, value_at

#: The code of an input that could not be read.
UNREADABLE = "syntax/unreadable"
#: The code of a record at which the process at work died.
CRASHED = "batch/crashed"
#: What could not be judged: no rule and no baseline touches these, no verdict with one is kept, the exit code is 2.
NOT_JUDGED = frozenset({UNREADABLE, internal_error.CODE, CRASHED})


class LintKey(NamedTuple):
    """What a report keeps of a game, so that it can be recognized when it comes again.

    Attributes:
        digest: the same for a game and all its images under the symmetries of the board, different for other games.
        image: which of these the game is.
        place: a diagnostic at the place of the record, to be completed if the game is a duplicate.
    """

    digest: bytes
    image: int
    place: Diagnostic


@dataclass(frozen=True, slots=True)
class Report:
    """The report on one record.

    Attributes:
        diagnostics: all diagnostics, in the order of their places.
        plies: the number of turns executed.
        result: what the engine computed; the record's claim if it says that something else ended the game; None
            while the game goes on, and when the replay failed.
        record: the record; None where the schema refused it.
        file, index: where the record is; None for a record that came from no file.
        game, id: the record's game and own identity, even where the rest could not be read.
        lint_key: what the game is recognized by if it comes again; None without lint.
        document: the part of the file that was validated, to find more places in.
    """

    diagnostics: tuple[Diagnostic, ...]
    plies: int = 0
    result: Outcome | None = None
    record: Record | None = None
    file: str | None = None
    index: int | None = None
    game: str | None = None
    id: str | None = None
    lint_key: LintKey | None = None
    document: Document | None = field(default=None, repr=False, compare=False)

    @property
    def legal(self) -> bool:
        """Whether the opening and all turns are legal."""
        return (
            self.record is not None
            and self.plies == len(self.record.moves)
            and not any(diagnostic.code.startswith(("opening/", "setup/")) for diagnostic in self.diagnostics)
        )

    @property
    def valid(self) -> bool:
        """Whether there is no diagnostic of severity error."""
        return not self.errors

    @property
    def errors(self) -> list[Diagnostic]:
        """The diagnostics that make the record invalid."""
        return [diagnostic for diagnostic in self.diagnostics if diagnostic.severity == "error"]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as data that JSON can hold, as `hexrec validate --format json` prints it."""
        return {
            "file": self.file,
            "index": self.index,
            "id": self.id,
            "game": self.game,
            "valid": self.valid,
            "plies": self.plies,
            "result": self.result.as_data() if self.result else None,
            "diagnostics": [diagnostic.to_dict() for diagnostic in self.diagnostics],
        }

    @property
    def unreadable(self) -> bool:
        """Whether this is about a file or folder that could not be read, and about no record."""
        return any(diagnostic.code == UNREADABLE for diagnostic in self.diagnostics)

    @property
    def failed(self) -> bool:
        """Whether hexrec failed on the record."""
        return any(diagnostic.code in (internal_error.CODE, CRASHED) for diagnostic in self.diagnostics)


def unjudged(document: Document, file: str | None = None, index: int | None = None) -> Report:
    """Return the report on a document of which nothing is known but where it is and what it says it is."""
    data = document.data if isinstance(document.data, dict) else {}
    game = data.get("game")
    named = game if isinstance(game, str) else None
    return Report((), file=file, index=index, game=named, id=display_id(data.get("id")), document=document)


def failed(report: Report, error: Exception) -> Report:
    """Return the report on a record on which hexrec failed, given what was known of it before."""
    diagnostic = internal_error.diagnostic(error).at(file=report.file, record=report.index, id=report.id)
    if report.document is not None:
        with suppress(Exception):  # what failed may be finding the place
            (diagnostic,) = placed([diagnostic], report.document)
    return replace(report, diagnostics=(*report.diagnostics, diagnostic))


def locate(diagnostics: Iterable[Diagnostic], document: Document, **known: Any) -> tuple[Diagnostic, ...]:
    """Return the diagnostics with their places in a document, the text there, and what else is `known` of them.

    They are in the order of their places. The document's own error and warnings have their places already.
    """
    return in_order(placed(list(diagnostics), document, **known))


def in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return diagnostics in one record in the order of their places."""
    return tuple(sorted(diagnostics, key=lambda diagnostic: (diagnostic.line or 0, diagnostic.column or 0)))


def placed(found: list[Diagnostic], document: Document, **known: Any) -> list[Diagnostic]:
    """Return the diagnostics as `locate` does, in the order in which they are given."""
    if not found:
        return []
    places = document.places([diagnostic.pointer or "" for diagnostic in found if diagnostic.line is None])
    located = []
    for diagnostic in found:
        more = dict(known)
        if diagnostic.line is None:
            span = places.find(diagnostic.pointer or "", key=diagnostic.code == "schema/unknown-field")
            if span is not None and diagnostic.within is not None and document.text is not None:
                value = value_at(document.data, diagnostic.pointer or "")
                span = document.text.within(span, value, diagnostic.within - 1)
            if span is not None:
                more |= span._asdict()
        line, column = more.get("line", diagnostic.line), more.get("column", diagnostic.column)
        if document.text is not None and line is not None and column is not None:
            more["source_line"] = document.text.excerpt(line, column)
        located.append(diagnostic.at(**more))
    return located
