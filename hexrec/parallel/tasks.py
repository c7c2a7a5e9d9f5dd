"""What is done with chunks: their records become rows, reports or hashes, which can travel between processes."""

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

#: How many reports are gathered at a time: a chunk may have millions of broken records of a few bytes.
_BATCH = 1_000


@dataclass(frozen=True)
class ChunkTask(ABC):
    """What to do with chunks. Instances travel to other processes."""

    def for_chunk(self, chunk: Chunk) -> Self:
        """Return the task with what the settings of a chunk demand."""
        del chunk
        return self

    def reports(self, slice: Slice) -> Iterator[Report]:
        """Return the reports on a slice."""
        return reports(slice)

    @abstractmethod
    def gather(self, reports: Iterable[Report]) -> Any:
        """Make something of reports that can travel."""

    def batches(self, chunk: Chunk, size: int = _BATCH) -> Iterator[Any]:
        """Yield what is gathered from the reports on a chunk, so many at a time."""
        task = self.for_chunk(chunk)
        found = (report for slice in chunk.slices for report in task.reports(slice))
        for first in found:
            yield task.gather(chain((first,), islice(found, size - 1)))


@dataclass(frozen=True)
class ScoreTask(ChunkTask):
    """Reports become rows, in columns."""

    selection: Selection

    def for_chunk(self, chunk: Chunk) -> Self:
        """Return the task with the selection that the settings of a chunk make."""
        return replace(self, selection=Selection(*chunk.settings.layers)) if chunk.settings else self

    def gather(self, reports: Iterable[Report]) -> Columns:
        """Return the rows of reports."""
        from hexrec.output import rows

        return rows.columns(reports, self.selection.judge)


class Hashed(NamedTuple):
    """The report on a record, with what keeps its game from having a hash, and the hash if it has one."""

    report: Report
    hash: str | None


@dataclass(frozen=True)
class HashTask(ChunkTask):
    """Reports become game hashes."""

    symmetric: bool = False

    def gather(self, reports: Iterable[Report]) -> list[Hashed]:
        """Return the reports with their hashes. Of a game that has one, nothing else is worth telling."""
        return [self._hashed(report) for report in reports]

    def _hashed(self, report: Report) -> Hashed:
        report, found = with_hash(report, symmetric=self.symmetric)
        diagnostics = () if found else report.diagnostics
        return Hashed(replace(report, diagnostics=diagnostics, record=None, document=None), found)


@dataclass(frozen=True)
class ValidateTask(ChunkTask):
    """Reports stay reports, without what only the process needs that made them.

    Attributes:
        finished: whether every record must have a result.
        lint: the linter, if there is to be one.
        records: whether the reports on valid records keep these.
        replays: how many replays are tried for the suggestions for a record.
        suggester: adds the suggestions of a chunk.
    """

    finished: bool = False
    lint: Lint | None = None
    records: bool = False
    replays: int = SUGGESTION_LIMITS.replays
    suggester: Suggester | None = None

    def for_chunk(self, chunk: Chunk) -> Self:
        """Return the task with what the settings of a chunk demand of results, and with lint if they ask for it."""
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
        """Return the reports, as they travel to another process."""
        return [report if report.document is None else replace(report, document=None) for report in reports]


def reports(slice: Slice, suggest: Callable[[Report], Report] | None = None, **options: Any) -> Iterator[Report]:
    """Yield the reports on a slice, in their places in its file; the options are those of `check_document`.

    `suggest` adds suggestions to a report.
    """
    found = check_sources([slice.diagnostic or slice], first=slice.before.records, **options)
    if suggest is not None:
        found = map(suggest, found)
    if slice.before.lines < 2:  # a line takes the place of all that come before
        return found
    return (moved(report, slice.before.lines - 1) for report in found)


def moved(report: Report, lines: int) -> Report:
    """Return a report on a record that has more lines before it in its file."""
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
        places["suggestions"] = tuple(each.shifted(lines) for each in diagnostic.suggestions)
    return diagnostic.at(**places)
