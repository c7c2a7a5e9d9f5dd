"""Tasks on chunks: convert their records to rows, reports, hashes or positions, which can be pickled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from typing import Any

from hexrec.parallel.chunks import Chunk
from hexrec.tools.positions import GamePositions, positions
from hexrec.validation.configuration import grade
from hexrec.validation.lint import add_warnings
from hexrec.validation.report import Report, add_internal_error
from hexrec.validation.sources import check_sources
from hexrec.validation.verdict import with_hash

#: The number of reports in a batch: a chunk may have millions of broken records of a few bytes.
_BATCH = 1_000


class ChunkTask:
    """A task on chunks: a subclass defines `convert`. Instances are pickled."""

    def check(self, chunk: Chunk, **options: Any) -> Iterator[Report]:
        """Yield the reports on a chunk, with places in its files. The options are those of `check_document`."""
        for slice in chunk.slices:
            source = slice.diagnostic or slice
            reports = check_sources([source], first=slice.before.records, **options)
            for report in map(chunk.suggester.add, reports) if chunk.suggester else reports:
                yield report.shift_lines(slice.before.shift)

    def batches(self, chunk: Chunk, *, singly: bool = False) -> Iterator[Any]:
        """Yield the results of the reports on a chunk, in batches.

        With `singly`, yield those of a slice one by one, and before them None if its first record can be read. JSON
        Lines can always be read.
        """
        if singly and chunk.slices[0].format != "jsonl" and chunk.slices[0].is_readable():
            yield None
        reports = self.check(chunk)
        for first in reports:
            batch = chain((first,), islice(reports, 0 if singly else _BATCH - 1))
            yield [self.convert(report, chunk) for report in batch]

    def convert(self, report: Report, chunk: Chunk) -> Any:
        """Convert a report on a chunk to a result that can be pickled, without the large record and document."""
        raise NotImplementedError

    def is_batch(self, data: Any) -> bool:
        """Return whether data from a checkpoint has the form of a batch of results."""
        raise NotImplementedError


class ScoreTask(ChunkTask):
    """Convert reports to rows."""

    def is_batch(self, data: Any) -> bool:
        """Return whether data is a list of rows."""
        from hexrec.output.rows import is_row

        return isinstance(data, list) and all(map(is_row, data))

    def convert(self, report: Report, chunk: Chunk) -> list[Any]:
        """Return the row of a report."""
        from hexrec.output.rows import make_row  # other tasks need no rows

        return make_row(report, partial(grade, layers=chunk.settings.layers))


@dataclass(frozen=True)
class ValidateTask(ChunkTask):
    """Return reports, without their documents.

    Attributes:
        records: whether reports on valid records include the record.
    """

    records: bool = False

    def check(self, chunk: Chunk, **_: Any) -> Iterator[Report]:
        """Yield the reports on a chunk, as its settings demand."""
        lint = add_warnings if chunk.settings.lint else None
        return super().check(chunk, finished=chunk.settings.finished, lint=lint, records=self.records)

    def convert(self, report: Report, _: Chunk) -> Report:
        """Return a report without its document."""
        return report if report.document is None else replace(report, document=None)


@dataclass(frozen=True)
class HashTask(ChunkTask):
    """Convert reports to pairs: a report, and the hash of its game or None.

    A report with a hash has no diagnostics; those of any other explain why it has none.
    """

    symmetric: bool = False

    def convert(self, report: Report, _: Chunk) -> tuple[Report, str | None]:
        """Return a report and the hash."""
        report, digest = with_hash(report, symmetric=self.symmetric)
        diagnostics = () if digest else report.diagnostics
        return replace(report, diagnostics=diagnostics, record=None, document=None), digest


@dataclass(frozen=True)
class PositionsTask(ChunkTask):
    """Convert reports to the folded positions of valid records.

    Attributes:
        hashes: whether to compute game hashes.
    """

    hashes: bool = False

    def convert(self, report: Report, _: Chunk) -> GamePositions:
        """Return the positions of the record of a report."""
        game_hash = with_hash(report)[1] if self.hashes else None
        record = report.record
        found: tuple[Any, ...] = ()
        if record is not None and report.valid:
            try:
                keys, turns = positions(record)
            except Exception as error:
                report = add_internal_error(report, error, memory=False)
            else:
                report = replace(report, diagnostics=())
                found = record.ruleset, record.variant, record.size, tuple(keys), tuple(turns)
        return GamePositions(replace(report, record=None, document=None), game_hash, *found)
