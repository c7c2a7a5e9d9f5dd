"""Tasks on chunks: convert their records to rows, reports or hashes, which can be pickled."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple

from hexrec.parallel.chunks import Chunk
from hexrec.validation.configuration import grade
from hexrec.validation.report import Report
from hexrec.validation.sources import check_sources
from hexrec.validation.verdict import with_hash

if TYPE_CHECKING:
    from hexrec.output.rows import Columns
    from hexrec.validation.lint import Lint

#: The number of reports in a batch: a chunk may have millions of broken records of a few bytes.
BATCH = 1_000


@dataclass(frozen=True)
class ChunkTask(ABC):
    """A task on chunks. Instances are pickled."""

    def options(self, _: Chunk) -> dict[str, Any]:
        """Return the options of `check_document` for a chunk."""
        return {}

    def check(self, chunk: Chunk) -> Iterator[Report]:
        """Yield the reports on a chunk, with places in its files."""
        for slice in chunk.slices:
            source = slice.diagnostic or slice
            reports = check_sources([source], first=slice.before.records, **self.options(chunk))
            for report in map(chunk.suggester.add, reports) if chunk.suggester else reports:
                yield report.shift_lines(slice.before.shift)

    @abstractmethod
    def gather(self, reports: Iterable[Report], chunk: Chunk) -> Any:
        """Convert reports on a chunk to results that can be pickled."""

    def batches(self, chunk: Chunk, size: int = BATCH) -> Iterator[Any]:
        """Yield the results of the reports on a chunk, in batches of `size` reports."""
        reports = self.check(chunk)
        for first in reports:
            yield self.gather(chain((first,), islice(reports, size - 1)), chunk)


class ScoreTask(ChunkTask):
    """Convert reports to rows, in columns."""

    def gather(self, reports: Iterable[Report], chunk: Chunk) -> Columns:
        """Return the rows of reports."""
        from hexrec.output import rows

        return rows.columns(reports, partial(grade, layers=chunk.settings.layers))


class Hashed(NamedTuple):
    """The report on a record, and the hash of its game. A game without a hash has the diagnostics that explain it."""

    report: Report
    hash: str | None


@dataclass(frozen=True)
class HashTask(ChunkTask):
    """Convert reports to game hashes."""

    symmetric: bool = False

    def gather(self, reports: Iterable[Report], _: Chunk) -> list[Hashed]:
        """Return the reports with their hashes. A report with a hash has no diagnostics."""
        return [self._hash(report) for report in reports]

    def _hash(self, report: Report) -> Hashed:
        report, digest = with_hash(report, symmetric=self.symmetric)
        diagnostics = () if digest else report.diagnostics
        return Hashed(replace(report, diagnostics=diagnostics, record=None, document=None), digest)


@dataclass(frozen=True)
class ValidateTask(ChunkTask):
    """Return reports, without their documents.

    Attributes:
        lint: the linter, for chunks whose settings demand it.
        records: whether reports on valid records include the record.
    """

    lint: Lint | None = None
    records: bool = False

    def options(self, chunk: Chunk) -> dict[str, Any]:
        """Return the options of `check_document` for a chunk, from its settings."""
        lint = self.lint if chunk.settings.lint else None
        return {"finished": chunk.settings.finished, "lint": lint, "records": self.records}

    def gather(self, reports: Iterable[Report], _: Chunk) -> list[Report]:
        """Return the reports without their documents, which are large and not needed by the caller."""
        return [report if report.document is None else replace(report, document=None) for report in reports]
