"""What is done with chunks: their records become rows, reports or hashes, which can travel between processes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from hexrec.parallel.chunks import Chunk, Slice
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.report import Report
from hexrec.validation.selection import Selection
from hexrec.validation.sources import check_sources
from hexrec.validation.verdict import with_hash

if TYPE_CHECKING:
    from hexrec.output.rows import Columns
    from hexrec.validation.configuration import Configuration
    from hexrec.validation.lint import Lint

#: How many reports are gathered at a time: a chunk may have millions of broken records of a few bytes.
_BATCH = 1_000


@dataclass(frozen=True)
class ChunkTask(ABC):
    """What to do with chunks. Instances travel to other processes."""

    def with_settings(self, settings: Configuration) -> Self:
        """Return the task for records of which settings demand something."""
        del settings
        return self

    def reports(self, slice: Slice) -> Iterator[Report]:
        """Return the reports on a slice."""
        return reports(slice)

    @abstractmethod
    def gather(self, reports: Iterable[Report]) -> Any:
        """Make something of reports that can travel."""

    def batches(self, chunk: Chunk, size: int = _BATCH) -> Iterator[Any]:
        """Yield what is gathered from the reports on a chunk, so many at a time."""
        task = self.with_settings(chunk.settings) if chunk.settings else self
        found = (report for slice in chunk.slices for report in task.reports(slice))
        for first in found:
            yield task.gather(chain((first,), islice(found, size - 1)))


@dataclass(frozen=True)
class ScoreTask(ChunkTask):
    """Reports become rows, in columns."""

    selection: Selection

    def with_settings(self, settings: Configuration) -> Self:
        """Return the task with the selection that settings make."""
        return replace(self, selection=Selection(*settings.layers))

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
    """

    finished: bool = False
    lint: Lint | None = None
    records: bool = False

    def with_settings(self, settings: Configuration) -> Self:
        """Return the task with what settings demand of results, and without lint if they do not ask for it."""
        return replace(self, finished=settings.finished, lint=self.lint if settings.lint else None)

    def reports(self, slice: Slice) -> Iterator[Report]:
        """Return the reports on a slice."""
        return reports(slice, finished=self.finished, lint=self.lint, records=self.records)

    def gather(self, reports: Iterable[Report]) -> list[Report]:
        """Return the reports, as they travel to another process."""
        return [report if report.document is None else replace(report, document=None) for report in reports]


def reports(slice: Slice, **options: Any) -> Iterator[Report]:
    """Yield the reports on a slice, in their places in its file; the options are those of `check_document`."""
    found = check_sources([slice.diagnostic or slice], first=slice.before.records, **options)
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
    places = {name: getattr(diagnostic, name) for name in ("line", "end_line")}
    return diagnostic.at(**{name: place + lines for name, place in places.items() if place is not None})
