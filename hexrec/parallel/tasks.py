"""Tasks on chunks: convert their records to rows, reports, hashes or positions, which can be pickled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from hexrec.parallel.checkpoint import Checkpoint
from hexrec.parallel.chunks import Chunk, Slice
from hexrec.tools.suggestions import Suggester
from hexrec.util.escaping import printable_path
from hexrec.validation.cache import Cache
from hexrec.validation.clean import Clean, report_on
from hexrec.validation.report import Report, Summary
from hexrec.validation.sources import check_sources

if TYPE_CHECKING:  # most tasks make no rows
    from hexrec.output.totals import Totals


#: The number of reports in a batch: a chunk may have millions of broken records of a few bytes.
_BATCH = 2_000


def _check_slice(
    slice: Slice, suggester: Suggester | None, *, finished: bool = False, lint: bool = False
) -> Iterator[Clean | Report]:
    """Yield the clean records of a slice, and the reports on the others, with places in its file."""
    for part in (slice,) if lint else slice.examine(finished=finished):
        if isinstance(part, Clean):
            yield part
            continue
        sources = [part.diagnostic or part]
        reports = check_sources(sources, first=part.before.records, finished=finished, lint=lint)
        yield from map(suggester.add, reports) if suggester else reports


class ChunkTask:
    """A task on chunks: a subclass defines `convert`, or `converter`. Instances are pickled.

    The dataclasses of tasks have no methods to compare and print them, which would take time at each start.
    """

    #: Whether clean records are only counted: a `Summary` among the results stands for them.
    counts = False

    def check(self, chunk: Chunk) -> Iterator[Clean | Report | Summary]:
        """Yield the clean records of a chunk and the reports on the others, without the demands of its settings.

        A summary stands for clean records that are only counted.
        """
        return chain.from_iterable(_check_slice(slice, chunk.suggester) for slice in chunk.slices)

    def batches(self, chunk: Chunk, *, singly: bool = False) -> Iterator[Any]:
        """Yield the results of a chunk, in batches.

        With `singly`, yield those of a slice one by one, and before them None if its first record can be read. JSON
        Lines can always be read.
        """
        if singly and chunk.slices[0].format != "jsonl" and chunk.slices[0].is_readable():
            yield None
        results: list[Any] = []
        counted, counts, convert = Summary(), self.counts, self.converter(chunk)
        for found in self.check(chunk):
            if isinstance(found, Summary):
                counted.add_all(found)
            elif counts and isinstance(found, Clean):
                counted.records += 1
                counted.valid += 1
                counted.files += found.number == 0
                counted.plies += len(found.turns)
            else:
                results.append(convert(found))
            if singly or len(results) == _BATCH:
                yield self.join(results, counted)
                results, counted = [], Summary()
        if results or counted.records or counted.cached:
            yield self.join(results, counted)

    def converter(self, _: Chunk) -> Callable[[Clean | Report], Any]:
        """Return the function that converts the records of a chunk, as `convert` does."""
        return lambda found: self.convert(report_on(found))

    def convert(self, report: Report) -> Any:
        """Convert the report on a record to a result that can be pickled, without the large record and document."""
        raise NotImplementedError

    def join(self, results: list[Any], counted: Summary) -> Any:
        """Return a batch of results, and of records that are only counted."""
        return [counted, *results] if counted.records or counted.cached else results


def check_here(chunks: Iterable[Chunk]) -> Iterator[Report]:
    """Yield the reports on all records of chunks, without the demands of their settings, in this process."""
    for chunk in chunks:
        for slice in chunk.slices:
            yield from map(report_on, _check_slice(slice, chunk.suggester))


class EncodedRows(NamedTuple):
    """A batch of rows.

    Attributes:
        totals: their totals.
        part: the rows, encoded.
    """

    totals: Totals
    part: bytes

    def pack(self) -> bytes:
        """Return the bytes for a checkpoint."""
        return self.totals.pack() + b"\n" + self.part

    @staticmethod
    def unpack(data: bytes) -> EncodedRows:
        """Return a batch from the result of `pack`."""
        from hexrec.output.totals import Totals

        totals, _, part = data.partition(b"\n")
        return EncodedRows(Totals.unpack(totals), part)


@dataclass(eq=False, repr=False, kw_only=True)
class ScoreTask(ChunkTask):
    """Convert records to rows, which are encoded together.

    Attributes:
        encode: the function of a `RowWriter`; None is `encode_rows`.
        checkpoint: the checkpoint of the run, or None.
    """

    encode: Callable[[list[Any]], bytes] | None = None
    checkpoint: Checkpoint | None = None

    def batches(self, chunk: Chunk, *, singly: bool = False) -> Iterator[Any]:
        """Yield the rows of a chunk, in batches; take them from the checkpoint if they are there."""
        checkpoint = None if singly or chunk.is_stream else self.checkpoint
        if checkpoint and (saved := checkpoint.read(chunk)):
            yield from map(EncodedRows.unpack, saved)
            return
        made = []
        for batch in super().batches(chunk, singly=singly):
            if checkpoint:
                made.append(batch.pack())
            yield batch
        if checkpoint:
            checkpoint.save(chunk, made)

    def converter(self, chunk: Chunk) -> Callable[[Clean | Report], Any]:
        """Return a function that makes the row of a record."""
        from hexrec.output.rows import make_row  # other tasks need no rows

        return partial(make_row, layers=chunk.settings.layers)

    def join(self, results: list[Any], _: Summary) -> EncodedRows:
        """Return the encoded rows, and their totals."""
        from hexrec.output.rows import encode_rows
        from hexrec.output.totals import Totals

        totals = Totals()
        for row in results:
            totals.add(row)
        return EncodedRows(totals, (self.encode or encode_rows)(results))


@dataclass(eq=False, repr=False)
class ValidateTask(ChunkTask):
    """Return reports, without their documents.

    Attributes:
        counts: whether clean records are only counted.
        records: whether reports on valid records include the record.
        cache: the cache of reports, or None.
    """

    counts: bool = False
    records: bool = False
    cache: Cache | None = None

    def check(self, chunk: Chunk) -> Iterator[Clean | Report | Summary]:
        """Yield the clean records of a chunk, and the reports on the others, as its settings demand."""
        settings = chunk.settings
        check = partial(_check_slice, suggester=chunk.suggester, finished=settings.finished, lint=settings.lint)
        if self.cache is not None:
            return self._check_changed(chunk, self.cache, check)
        return chain.from_iterable(map(check, chunk.slices))

    def _check_changed(
        self, chunk: Chunk, cache: Cache, check: Callable[[Slice], Iterator[Clean | Report]]
    ) -> Iterator[Clean | Report | Summary]:
        """Yield the records of a chunk as `check` does, but from the cache if the same bytes were checked before."""
        suggester = chunk.suggester or Suggester()
        demands = chunk.settings.finished, chunk.settings.lint, self.counts
        keys = [cache.key(slice.data, slice.format, slice.before, demands) for slice in chunk.slices]
        with cache.open(keys) as entries:
            for slice, key in zip(chunk.slices, keys, strict=True):
                if not slice.is_whole:
                    yield from check(slice)
                elif known := [*entries.read(key, printable_path(slice.name), cached=slice.before.records == 0)]:
                    yield from known
                else:
                    left_out = suggester.left_out
                    yield from entries.add(key, check(slice), counts=self.counts)
                    if suggester.left_out > left_out:  # another run may have suggestions left
                        entries.new.pop(key, None)

    def convert(self, report: Report) -> Report:
        """Return a report without its document."""
        is_needed = self.records or report.diagnostics or report.lint_key
        return report.copy(document=None, record=report.record if is_needed else None)


@dataclass(eq=False, repr=False)
class FunctionTask(ChunkTask):
    """Call a function with the report on each record.

    Attributes:
        function: the function, which is pickled like its results: these should have no record and document.
    """

    function: Callable[[Report], Any]

    def convert(self, report: Report) -> Any:
        """Return the result of the function."""
        return self.function(report)
