"""Tasks on chunks: pure functions from their bytes to the rows, or the reports, of their records."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from io import BufferedReader, BytesIO
from itertools import count, islice
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from hexrec import formats
from hexrec.formats.base import EMPTY, Document
from hexrec.io.compression import counted
from hexrec.io.discovery import Source
from hexrec.io.stamps import InputChanged
from hexrec.parallel.chunks import START, Chunk, ChunkReader, Offset, Slice, Trial
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.streams import ReadStream
from hexrec.validation.report import Report
from hexrec.validation.selection import Selection
from hexrec.validation.sources import check_sources
from hexrec.validation.verdict import with_hash

if TYPE_CHECKING:
    from hexrec.output.rows import Columns
    from hexrec.validation.configuration import Configuration
    from hexrec.validation.lint import Lint

#: How many records of a stream make one result.
_RECORDS = 1_000
#: How many reports of a chunk are kept as they are. One of ordinary records has no more.
_PLAIN = 5_000
_T = TypeVar("_T")


def pack(items: Iterable[_T]) -> list[_T | bytes]:
    """Return a list of the first items, followed by the others pickled and compressed, a thousand at a time.

    A chunk may have millions of broken records of a few bytes, on which the reports take a hundred times as much.
    """
    rest = iter(items)
    packed: list[_T | bytes] = list(islice(rest, _PLAIN))
    while batch := list(islice(rest, _RECORDS)):
        packed.append(zlib.compress(pickle.dumps(batch, pickle.HIGHEST_PROTOCOL), 1))
    return packed


def unpack(packed: Iterable[_T | bytes]) -> Iterator[_T]:
    """Yield what `pack` was given."""
    for part in packed:
        if isinstance(part, bytes):
            yield from pickle.loads(zlib.decompress(part))
        else:
            yield part


@dataclass(frozen=True)
class ChunkResult:
    """The result of a task on a chunk.

    Attributes:
        gathered: what the task made of the reports. In the file that an earlier result began, their indexes and lines
            count from the beginning of this one.
        records: how many records there are.
        lead: how many of them belong to the file that an earlier result began.
        tail: how much of the last file is in this result.
        digest: of the chunk and its content; empty if more results of the same chunk follow.
        continues: whether all of it belongs to the file that the result before it ends in.
        changed: the file that is not as it was when it was split; then there is nothing else.
    """

    gathered: Any
    records: int
    lead: int = 0
    tail: Offset = START
    digest: str = ""
    continues: bool = False
    changed: str | None = None


class ChunkFailure(NamedTuple):
    """Why there is no result of a chunk.

    Attributes:
        message: why, as a diagnostic on a record says it.
        worker_died: whether a process ended while it worked on the chunk, which may have had another cause.
    """

    message: str
    worker_died: bool = False


class ChunkTask(Protocol):
    """What to do with each chunk. Instances travel to other processes."""

    def with_settings(self, settings: Configuration) -> ChunkTask:
        """Return the task for records of which settings demand something."""

    def judge(self, source: Source | Diagnostic) -> Iterable[Report]:
        """Return the reports on a source."""

    def gather(self, reports: Iterable[Report]) -> Any:
        """Make something of reports that can travel between processes."""

    def shift(self, gathered: Any, count: int, offset: Offset) -> Any:
        """Return the same for reports of which the first `count` have more records and lines before them."""


@dataclass(frozen=True)
class ScoreTask:
    """Reports become rows, in columns."""

    selection: Selection

    def with_settings(self, settings: Configuration) -> ScoreTask:
        """Return the task with the selection that settings make."""
        return replace(self, selection=Selection(*settings.layers))

    def judge(self, source: Source | Diagnostic) -> Iterator[Report]:
        """Return the reports on a source."""
        return check_sources([source])

    def gather(self, reports: Iterable[Report]) -> Columns:
        """Return the rows of reports."""
        from hexrec.output import rows

        return rows.columns(reports, self.selection.judge)

    def shift(self, gathered: Columns, count: int, offset: Offset) -> Columns:
        """Return rows with other indexes."""
        index = gathered["index"]
        return {**gathered, "index": [number + offset.records for number in index[:count]] + index[count:]}


class Hashed(NamedTuple):
    """The report on a record, with what keeps its game from having a hash, and the hash if it has one."""

    report: Report
    hash: str | None


@dataclass(frozen=True)
class HashTask:
    """Reports become game hashes."""

    symmetric: bool = False

    def with_settings(self, _: Configuration) -> HashTask:
        """Return the task: no settings change hashes."""
        return self

    def judge(self, source: Source | Diagnostic) -> Iterator[Report]:
        """Return the reports on a source."""
        return check_sources([source])

    def gather(self, reports: Iterable[Report]) -> list[Hashed | bytes]:
        """Return the reports with their hashes. Of a game that has one, nothing else is worth telling."""
        return pack(map(self._hashed, reports))

    def _hashed(self, report: Report) -> Hashed:
        report, found = with_hash(report, symmetric=self.symmetric)
        diagnostics = () if found else report.diagnostics
        return Hashed(replace(report, diagnostics=diagnostics, record=None, document=None), found)

    def shift(self, gathered: list[Hashed | bytes], count: int, offset: Offset) -> Iterator[Hashed]:
        """Yield the shifted reports and the hashes."""
        for number, (report, found) in enumerate(unpack(gathered)):
            yield Hashed(shifted(report, offset if number < count else START), found)


@dataclass(frozen=True)
class ValidateTask:
    """Reports stay reports, without what only the process needs that made them.

    Attributes:
        finished: whether every record must have a result.
        lint: the linter, if there is to be one.
        records: whether the reports on valid records keep these.
    """

    finished: bool = False
    lint: Lint | None = None
    records: bool = False

    def with_settings(self, settings: Configuration) -> ValidateTask:
        """Return the task with what settings demand of results, and without lint if they do not ask for it."""
        return replace(self, finished=settings.finished, lint=self.lint if settings.lint else None)

    def judge(self, source: Source | Diagnostic) -> Iterator[Report]:
        """Return the reports on a source."""
        return check_sources([source], finished=self.finished, lint=self.lint, records=self.records)

    def gather(self, reports: Iterable[Report]) -> list[Report | bytes]:
        """Return the reports, as they travel to another process."""
        return pack(report if report.document is None else replace(report, document=None) for report in reports)

    def shift(self, gathered: list[Report | bytes], count: int, offset: Offset) -> Iterator[Report]:
        """Yield the shifted reports."""
        if offset == START:
            yield from unpack(gathered)
            return
        for number, report in enumerate(unpack(gathered)):
            yield shifted(report, offset) if number < count else report


def shifted(report: Report, offset: Offset) -> Report:
    """Return a report on a record that has more records and lines before it in its file."""
    if report.index is None or offset == START:
        return report
    if not offset.records and not report.diagnostics and not report.lint_key:  # lines alone change nothing
        return report
    key, index = report.lint_key, report.index + offset.records
    if not report.diagnostics and not key:  # as most, of which there may be very many
        return Report((), report.plies, report.result, report.record, report.file, index, report.game, report.id)
    return replace(
        report,
        index=index,
        diagnostics=tuple(_shifted(diagnostic, offset) for diagnostic in report.diagnostics),
        lint_key=key and key._replace(place=_shifted(key.place, offset)),
    )


def _shifted(diagnostic: Diagnostic, offset: Offset) -> Diagnostic:
    places = {"record": offset.records, "line": offset.lines, "end_line": offset.lines}
    return diagnostic.at(
        **{name: value + more for name, more in places.items() if (value := getattr(diagnostic, name)) is not None}
    )


def shift_result(result: ChunkResult, offset: Offset, task: ChunkTask) -> tuple[Any, Offset]:
    """Return what was gathered, shifted to its place, and how much of its last file there has been."""
    gathered = task.shift(result.gathered, result.lead, offset)
    if not result.continues:
        return gathered, result.tail
    return gathered, Offset(offset.records + result.tail.records, offset.lines + result.tail.lines)


def for_chunk(task: ChunkTask, chunk: Chunk) -> ChunkTask:
    """Return the task with what the settings of a chunk demand."""
    return task.with_settings(chunk.settings) if chunk.settings else task


def run_stream(chunk: Chunk, task: ChunkTask) -> Iterator[ChunkResult]:
    """Yield the results of a chunk that is a stream."""
    reader = ChunkReader(chunk)
    task = for_chunk(task, chunk)
    for slice, _ in reader:
        assert slice.format is not None
        documents = formats.read(slice.format, BufferedReader(ReadStream(reader.read)))
        source = SliceSource(slice.name, read=partial(counted, documents, slice.allowance))
        reports = iter(task.judge(source))
        while batch := list(islice(reports, _RECORDS)):
            yield ChunkResult(task.gather(batch), len(batch))
    yield ChunkResult(task.gather(()), 0, digest=reader.digest())


def try_chunk(task: ChunkTask, chunk: Chunk) -> ChunkResult | ChunkFailure:
    """Return the outcome of a chunk. Every error is one in the program, and is returned as a failure."""
    try:
        return run_chunk(chunk, task)
    except Exception as error:
        return ChunkFailure(f"the program failed on this record: {type(error).__name__}: {error}")


def prepare(task: ChunkTask) -> Callable[[Chunk], ChunkResult | ChunkFailure]:
    """Return what a process does with each chunk."""
    return partial(try_chunk, task)


def run_chunk(chunk: Chunk, task: ChunkTask) -> ChunkResult:
    """Return the result of a chunk whose content can be held."""
    reader = ChunkReader(chunk)
    task = for_chunk(task, chunk)
    counts = _Counts()
    try:
        gathered = task.gather(_reports(reader, task, counts, chunk.trial))
    except InputChanged as changed:
        return ChunkResult(None, 0, changed=changed.diagnostic.file)
    if chunk.trial:  # places in its file are counted from the beginning, but records from where it starts
        continues = chunk.trial.start > 0
        lead = counts.records if continues else 0
        return ChunkResult(gathered, counts.records, lead, Offset(counts.records), continues=continues)
    lead = counts.records if counts.lead is None else counts.lead
    return ChunkResult(gathered, counts.records, lead, counts.tail, reader.digest(), chunk.continues)


@dataclass
class _Counts:
    """What has been counted so far: in the chunk, in the file that an earlier chunk began, in the latest file."""

    records: int = 0
    lead: int | None = None
    tail: Offset = START


def _reports(reader: ChunkReader, task: ChunkTask, counts: _Counts, trial: Trial | None) -> Iterator[Report]:
    for slice, content in reader:
        if slice.first:
            counts.lead = counts.records if counts.lead is None else counts.lead
            counts.tail = START
        records, lines = counts.tail
        # The blank line that replaces all lines before a slice is one of these.
        offset = Offset(records, lines - (slice.is_part and not slice.first))
        read = partial(_tried, slice, content, trial) if trial else partial(_documents, slice, content)
        source = SliceSource(slice.name, read=read)
        is_part, shift = slice.is_part, offset != START
        for report in task.judge(slice.diagnostic or source):
            if is_part and report.document is EMPTY:
                continue
            counts.records += 1
            records += 1
            yield shifted(report, offset) if shift else report
        if isinstance(content, bytes):
            lines += count_lines(content)
        counts.tail = Offset(records, lines)


def _documents(slice: Slice, content: bytes | OSError) -> Iterator[Document]:
    """Yield the documents of a slice with such a content. Raises OSError if it could not be read."""
    if isinstance(content, OSError):
        raise content
    if slice.data is None and slice.start is None:
        return Source(slice.name, slice.format, opener=lambda: BytesIO(content)).documents()
    # Whether a file is text is seen from its first line: another one has a blank line before it.
    lead = b"" if slice.first else b"\n"
    assert slice.format is not None
    return counted(formats.read(slice.format, BytesIO(lead + content)), slice.allowance)


def _tried(slice: Slice, content: bytes | OSError, trial: Trial) -> Iterator[Document]:
    """Yield the documents of a slice that a trial is about, noting each. Raises OSError if it could not be read."""
    documents = _documents(slice, content)
    for index in count():
        if index == trial.stop:
            return
        trial.begin(index, reading=True)
        try:
            document = next(documents, None)
        except OSError:
            if index < trial.start:  # the range before this one has reported it
                return
            raise
        if document is None:
            return
        if index >= trial.start:
            trial.begin(index, reading=False)
            yield document


def count_lines(content: bytes) -> int:
    """Return the number of lines, one that is not terminated included."""
    return content.count(b"\n") + (content[-1:] not in (b"", b"\n"))


@dataclass(frozen=True)
class SliceSource(Source):
    """A slice that is at hand; `read` returns its documents."""

    read: Callable[[], Iterator[Document]] = lambda: iter(())

    def documents(self) -> Generator[Document]:
        """Yield the documents of the slice. Raises OSError if it could not be read."""
        yield from self.read()
