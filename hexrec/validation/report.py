"""Report: the diagnostics on one record, in the order of their places; and the totals over the records of a run.

The line of totals, the last that every command prints, gives the number of records and files, then the number of
records with each outcome. The outcomes add up to the number of records. An input that could not be read is not a
record, and is counted separately.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from hexrec.record.record import Record
from hexrec.rules.terms import Outcome, join_words, pluralize
from hexrec.util.diagnostics import INTERNAL_ERROR, PLUGIN_ERROR, Diagnostic, Suggestion, diagnose_error
from hexrec.util.escaping import visible

if TYPE_CHECKING:  # a small start reads no documents
    from hexrec.formats.base import Document

#: The code of an input that could not be read.
UNREADABLE = "syntax/unreadable"
#: The code of a record on which a worker process died.
CRASHED = "batch/crashed"
#: The codes of inputs that were not checked: no rule or baseline applies, no report is cached, and the exit code is 2.
NOT_VALIDATED = frozenset({UNREADABLE, INTERNAL_ERROR, PLUGIN_ERROR, CRASHED})
#: The words for valid and invalid records in the totals of hashes.
HASHED = ("with a hash", "without")
#: The value of `Diagnostic.by` for an error that options ignore, and not a file.
OPTIONS = "options"
#: The extension field, an object, of a record that was converted although it is invalid.
INVALID_MARK = "x-invalid"
#: The maximum number of names in the line of accepted records.
_MOST_NAMES = 4


class LintKey(NamedTuple):
    """The data of a game for duplicate detection.

    Attributes:
        digest: a digest that a game shares with all its images under the symmetries of the board, and no other game.
        image: the number of the first image of the game from which the digest is computed.
        place: a diagnostic at the place of the record, completed if the game is a duplicate.
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
        result: the computed result, or the claimed result if its termination is not `rules`; None while the game is in
            progress and if the replay failed.
        record: the record; None if the schema refused it.
        file, index: the file and the position in it; None for a record without a file.
        game, id: the record's game and id, even if the record could not be read.
        lint_key: the key for duplicate detection; None without lint.
        document: the validated part of the file, for locating more values.
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
        return not self.diagnostics or not self.errors

    @property
    def accepted(self) -> bool:
        """Whether the record is valid, or rules and baselines ignore all its errors."""
        return all(diagnostic.ignored for diagnostic in self.errors)

    @property
    def accepted_by(self) -> list[str]:
        """The files, or ``options``, that ignore the errors of an accepted record; none for any other record."""
        names = {diagnostic.by for diagnostic in self.errors}
        return [] if None in names else sorted(filter(None, names))

    @property
    def errors(self) -> list[Diagnostic]:
        """The diagnostics that make the record invalid, including ignored ones."""
        return [diagnostic for diagnostic in self.diagnostics if diagnostic.severity == "error"]

    @property
    def shown(self) -> list[Diagnostic]:
        """The diagnostics without suppressed errors."""
        return [diagnostic for diagnostic in self.diagnostics if not diagnostic.suppressed]

    @property
    def suggestions(self) -> list[Suggestion]:
        """The suggestions of all diagnostics."""
        return [suggestion for diagnostic in self.diagnostics for suggestion in diagnostic.suggestions]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as data for JSON, as printed by `hexrec validate --format json`."""
        return {
            "file": self.file,
            "index": self.index,
            "id": self.id,
            "game": self.game,
            "valid": self.valid,
            "accepted": self.accepted,
            "plies": self.plies,
            "result": self.result.as_data() if self.result else None,
            "diagnostics": [diagnostic.to_dict() for diagnostic in self.diagnostics],
        }

    def copy(self, **attributes: Any) -> Report:
        """Return a copy with the given attributes set."""
        copy = Report(*_attributes(self))
        for name, value in attributes.items():  # as in `Diagnostic.at`
            object.__setattr__(copy, name, value)
        return copy

    @property
    def unreadable(self) -> bool:
        """Whether the report is on a file or directory that could not be read, instead of a record."""
        return any(diagnostic.code == UNREADABLE for diagnostic in self.diagnostics)

    @property
    def failed(self) -> bool:
        """Whether hexrec failed on the record."""
        return any(diagnostic.code in NOT_VALIDATED - {UNREADABLE} for diagnostic in self.diagnostics)


_attributes = attrgetter(*(attribute.name for attribute in fields(Report)))


def new_report(document: Document, file: str | None = None, index: int | None = None) -> Report:
    """Return the report on a document before any check: its place, its game and its id, which may be an integer."""
    data = document.data if isinstance(document.data, dict) else {}
    game, id = data.get("game"), data.get("id")
    game = game if isinstance(game, str) else None
    id = str(id) if isinstance(id, str | int) and not isinstance(id, bool) else None
    return Report((), file=file, index=index, game=game, id=id, document=document)


def add_internal_error(report: Report, error: Exception, *, memory: bool = True) -> Report:
    """Return a report with a diagnostic for an internal error added. Without `memory`, raises MemoryError again."""
    diagnostic = diagnose_error(error, memory=memory).at(file=report.file, record=report.index, id=report.id)
    if report.document is not None:
        with suppress(Exception):  # the error may come from locating the diagnostic
            (diagnostic,) = report.document.locate([diagnostic])
    return report.copy(diagnostics=(*report.diagnostics, diagnostic))


@dataclass(repr=False)
class Summary:
    """Counts over records.

    Attributes:
        records: all records, including broken ones; `valid` + `invalid`.
        accepted: the number of invalid records whose errors are all ignored.
        files: files with records.
        plies: turns executed.
        unreadable: files and directories that could not be read completely.
        failed: the number of invalid records with an internal error.
        cached: files with reports from the cache.
        selective: whether records may be skipped, so that the first record of a file may have any index.
        latest_file: the file of the record counted last.
        accepted_by: the files, or ``options``, that ignore the errors of accepted records, in the order of records.
        notes: messages on reports that leave out diagnostics, for stderr.
    """

    records: int = 0
    valid: int = 0
    invalid: int = 0
    accepted: int = 0
    files: int = 0
    plies: int = 0
    unreadable: int = 0
    failed: int = 0
    cached: int = 0
    selective: bool = False
    latest_file: str | None = None
    accepted_by: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def count(self, reports: Iterable[Report]) -> Iterator[Report]:
        """Yield reports and add them to the counts."""
        for report in reports:
            self.add_report(report, valid=report.valid)
            yield report

    def add_report(self, report: Report, *, valid: bool) -> None:
        """Add the report on one record, or on an input that could not be read."""
        if report.unreadable:
            self.unreadable += 1
        else:
            self.add(report.index, report.plies, valid=valid, failed=report.failed, file=report.file)
            if not valid:
                self.accept(report.accepted_by)

    def accept(self, names: Iterable[str]) -> None:
        """Count the invalid record added last as accepted by some files or ``options``, if any are named."""
        names = list(names)
        self.accepted += bool(names)
        self.accepted_by += [name for name in names if name not in self.accepted_by]

    def add(self, index: int | None, plies: int, *, valid: bool, failed: bool = False, file: str | None = None) -> None:
        """Add one record. Index 0 begins a file, unless `selective`."""
        self.records += 1
        self.files += file != self.latest_file if self.selective else index == 0
        self.latest_file = file
        self.plies += plies
        self.failed += failed
        self.valid += valid
        self.invalid += not valid

    def add_all(self, other: Summary) -> None:
        """Add the counts of another summary."""
        for name in (*self.data(), "failed", "cached"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.accepted_by += [name for name in other.accepted_by if name not in self.accepted_by]

    @classmethod
    def restore(cls, data: Any) -> Summary:
        """Return a summary from its attributes. Raises TypeError and ValueError for others."""
        summary = cls(**data)
        if not all(isinstance(getattr(summary, name), int) for name in (*summary.data(), "failed")):
            raise ValueError
        return summary

    def data(self) -> dict[str, int]:
        """Return the counts that reports contain."""
        names = ("records", "valid", "invalid", "accepted", "files", "plies", "unreadable")
        return {name: getattr(self, name) for name in names}

    @property
    def exit_code(self) -> int:
        """2 if an input could not be read, or hexrec failed on a record, else 1 if a record is not accepted, else 0."""
        return 2 if self.unreadable or self.failed else 1 if self.invalid > self.accepted else 0

    def line(self, names: tuple[str, str] = ("valid", "invalid")) -> str:
        """Return the line of totals; `names` are the words for valid and invalid records."""
        parts = dict(zip(names, (self.valid, self.invalid), strict=True))
        return self.line_of(parts, f"{pluralize(self.plies, 'ply', 'plies')} replayed")

    def line_of(self, outcomes: Mapping[str, int], end: str) -> str:
        """Return the line of totals with the number of records by outcome. Each record has one outcome."""
        parts = ", ".join(f"{number:,} {name}" for name, number in outcomes.items())
        line = f"{pluralize(sum(outcomes.values()), 'record')} in {pluralize(self.files, 'file')}: {parts}; {end}"
        return f"{line}; {pluralize(self.unreadable, 'input')} could not be read" if self.unreadable else line

    def lines(self) -> list[str]:
        """Return the line of totals and, if invalid records are accepted, a line with the files that accept them."""
        if not self.accepted:
            return [self.line()]
        names = ["the options" if name == OPTIONS else name for name in self.accepted_by]
        if len(names) > _MOST_NAMES:
            names[_MOST_NAMES - 1 :] = [pluralize(len(names) - _MOST_NAMES + 1, "other file")]
        accepted = f"{pluralize(self.accepted, 'invalid record')} accepted by {join_words(names, 'and')}"
        return [self.line(), visible(accepted)]
