"""Tasks on chunks: convert their records to rows, reports or hashes, which can be pickled."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from hexrec.parallel.chunks import Chunk, Slice
from hexrec.tools.suggestions import SUGGESTION_LIMITS, Suggester, SuggestionLimits
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.report import Report
from hexrec.validation.selection import Selection
from hexrec.validation.sources import check_sources
from hexrec.validation.verdict import with_hash

if TYPE_CHECKING:
    from hexrec.output.rows import Columns
    from hexrec.validation.lint import Lint

#: The number of reports in a batch: a chunk may have millions of broken records of a few bytes.
_BATCH = 1_000


@dataclass(frozen=True)
class ChunkTask(ABC):
    """A task on chunks. Instances are pickled."""

    def for_chunk(self, chunk: Chunk) -> Self:
        """Return the task with the settings of a chunk."""
        del chunk
        return self

    def reports(self, slice: Slice) -> Iterator[Report]:
        """Return the reports on a slice."""
        return reports(slice)

    @abstractmethod
    def gather(self, reports: Iterable[Report]) -> Any:
        """Convert reports to results that can be pickled."""

    def batches(self, chunk: Chunk, size: int = _BATCH) -> Iterator[Any]:
        """Yield the results of the reports on a chunk, in batches of `size` reports."""
        task = self.for_chunk(chunk)
        found = (report for slice in chunk.slices for report in task.reports(slice))
        for first in found:
            yield task.gather(chain((first,), islice(found, size - 1)))


@dataclass(frozen=True)
class ScoreTask(ChunkTask):
    """Convert reports to rows, in columns."""

    selection: Selection

    def for_chunk(self, chunk: Chunk) -> Self:
        """Return the task with the selection of a chunk's settings."""
        return replace(self, selection=Selection(*chunk.settings.layers)) if chunk.settings else self

    def gather(self, reports: Iterable[Report]) -> Columns:
        """Return the rows of reports."""
        from hexrec.output import rows

        return rows.columns(reports, self.selection.judge)


class Hashed(NamedTuple):
    """The report on a record, and the hash of its game. A game without a hash has the diagnostics that explain it."""

    report: Report
    hash: str | None


@dataclass(frozen=True)
class HashTask(ChunkTask):
    """Convert reports to game hashes."""

    symmetric: bool = False

    def gather(self, reports: Iterable[Report]) -> list[Hashed]:
        """Return the reports with their hashes. A report with a hash has no diagnostics."""
        return [self._hash(report) for report in reports]

    def _hash(self, report: Report) -> Hashed:
        report, found = with_hash(report, symmetric=self.symmetric)
        diagnostics = () if found else report.diagnostics
        return Hashed(replace(report, diagnostics=diagnostics, record=None, document=None), found)


@dataclass(frozen=True)
class ValidateTask(ChunkTask):
    """Return reports, without their documents.

    Attributes:
        finished: whether every record must have a result.
        lint: the linter, or None.
        records: whether reports on valid records include the record.
        replays: the maximum number of replays for the suggestions on a record.
        suggester: adds suggestions to the reports on a chunk.
    """

    finished: bool = False
    lint: Lint | None = None
    records: bool = False
    replays: int = SUGGESTION_LIMITS.replays
    suggester: Suggester | None = None

    def for_chunk(self, chunk: Chunk) -> Self:
        """Return the task with the options `finished` and `lint` of a chunk's settings, and a new suggester."""
        suggester = Suggester(SuggestionLimits(chunk.suggestions, self.replays)) if chunk.suggestions else None
        task = replace(self, suggester=suggester)
        demanded = chunk.settings
        if demanded is None:
            return task
        return replace(task, finished=demanded.finished, lint=self.lint if demanded.lint else None)

    def reports(self, slice: Slice) -> Iterator[Report]:
        """Return the reports on a slice."""
        suggest = self.suggester.add if self.suggester else None
        return reports(slice, suggest, finished=self.finished, lint=self.lint, records=self.records)

    def gather(self, reports: Iterable[Report]) -> list[Report]:
        """Return the reports without their documents, which are large and not needed by the caller."""
        return [report if report.document is None else replace(report, document=None) for report in reports]


def reports(slice: Slice, suggest: Callable[[Report], Report] | None = None, **options: Any) -> Iterator[Report]:
    """Yield the reports on a slice, with places in its file; the options are those of `check_document`.

    `suggest` adds suggestions to a report.
    """
    found = check_sources([slice.diagnostic or slice], first=slice.before.records, **options)
    if suggest is not None:
        found = map(suggest, found)
    if slice.before.lines < 2:  # the slice is read with one empty line before it
        return found
    return (moved(report, slice.before.lines - 1) for report in found)


def moved(report: Report, lines: int) -> Report:
    """Return a report with its places moved down by some lines."""
    key = report.lint_key
    if not lines or not (report.diagnostics or key):
        return report
    return replace(
        report,
        diagnostics=tuple(_moved(diagnostic, lines) for diagnostic in report.diagnostics),
        lint_key=key and key._replace(place=_moved(key.place, lines)),
    )


def _moved(diagnostic: Diagnostic, lines: int) -> Diagnostic:
    places: dict[str, Any] = {name: getattr(diagnostic, name) for name in ("line", "end_line")}
    places = {name: place + lines for name, place in places.items() if place is not None}
    if diagnostic.suggestions:
        places["suggestions"] = tuple(suggestion.shift_lines(lines) for suggestion in diagnostic.suggestions)
    return diagnostic.at(**places)
