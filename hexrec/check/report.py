"""The report on one record: what was found, in the order of its places."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from hexrec import internal_error
from hexrec.diagnostics import Diagnostic
from hexrec.games import Outcome
from hexrec.notations.base import Document
from hexrec.record import Record, own_id

#: The code of a record at which the process at work died.
CRASHED = "batch/crashed"
#: What could not be judged: no rule and no baseline touches these, no verdict with one is kept, the exit code is 2.
NOT_JUDGED = frozenset({"syntax/unreadable", internal_error.CODE, CRASHED})


class LintKey(NamedTuple):
    """What a report keeps of a game, so that it can be recognised when it comes again.

    Attributes:
        digest: the same for a game and all its images under the symmetries of the board, different for other games.
        image: which of these the game is.
        place: a finding at the place of the record, to be completed if the game is a duplicate.
    """

    digest: bytes
    image: int
    place: Diagnostic


@dataclass(frozen=True)
class Report:
    """The verdict on one record.

    Attributes:
        diagnostics: all findings, in the order of their places.
        plies: the number of turns executed.
        result: what the engine computed; the record's claim if it says that something else ended the game; None
            while the game goes on, and when the replay failed.
        record: the record, as far as it could be read.
        file, index: where the record stands; None for a record that came from no file.
        game, id: the record's game and own identity, even where the rest could not be read.
        lint_key: what the game is recognised by if it comes again; None without lint.
        document: what was judged, to find more places in; None for a record that came from no file.
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
    def valid(self) -> bool:
        """Whether there is no finding of severity error."""
        return not self.errors

    @property
    def errors(self) -> list[Diagnostic]:
        """The findings that make the record invalid."""
        return [finding for finding in self.diagnostics if finding.severity == "error"]

    @property
    def unreadable(self) -> bool:
        """Whether nothing was judged: the file or folder could not be read at all, or hexrec failed on the record."""
        return any(finding.code in NOT_JUDGED for finding in self.diagnostics)


def unjudged(document: Document, file: str | None = None, index: int | None = None) -> Report:
    """Return the report on a document of which nothing is known but where it stands and what it says it is."""
    data = document.data if isinstance(document.data, dict) else {}
    game = data.get("game")
    named = game if isinstance(game, str) else None
    return Report((), file=file, index=index, game=named, id=own_id(data.get("x-id")), document=document)


def failed(report: Report, error: Exception) -> Report:
    """Return the report on a record on which hexrec failed, given what was known of it before."""
    finding = internal_error.diagnostic(error).at(file=report.file, record=report.index, id=report.id)
    if report.document is not None:
        with suppress(Exception):  # what failed may be finding the place
            (finding,) = placed([finding], report.document)
    return replace(report, diagnostics=(*report.diagnostics, finding))


def locate(findings: Iterable[Diagnostic], document: Document, **known: Any) -> tuple[Diagnostic, ...]:
    """Return the findings with their places in a document, what stands there, and what else is `known` of them.

    They are in the order of their places. The document's own fault and notes have their places already.
    """
    return in_order(placed(list(findings), document, **known))


def in_order(findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return findings in one record in the order of their places."""
    return tuple(sorted(findings, key=lambda finding: (finding.line or 0, finding.column or 0)))


def placed(found: list[Diagnostic], document: Document, **known: Any) -> list[Diagnostic]:
    """Return the findings as `locate` does, in the order in which they are given."""
    if not found:
        return []
    places = document.places([finding.pointer or "" for finding in found if finding.line is None])
    lines = document.lines() if document.lines else None
    located = []
    for finding in found:
        span = None
        if finding.line is None:
            span = places.find(finding.pointer or "", key=finding.code == "schema/unknown-field")
        found_at = finding.at(**known, **(span._asdict() if span else {}))
        if lines is not None and found_at.line is not None and found_at.column is not None:
            found_at = found_at.at(source_line=lines.excerpt(found_at.line, found_at.column))
        located.append(found_at)
    return located
