"""Runs over archives: shards, processes, and progress on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, tee
from shutil import get_terminal_size
from time import monotonic
from typing import Any, TextIO

from hexrec.cli import INPUT, PROCESSES, option, options
from hexrec.cli.console import echo_diagnostics, exit_on_os_error, is_quiet, note, refuse
from hexrec.cli.inputs import Inputs
from hexrec.io.archives import is_plain
from hexrec.io.discovery import STANDARD_INPUT, Discovery, Source
from hexrec.io.outputs import Target
from hexrec.parallel.chunks import Chunk, Shard, shard, split, total_size
from hexrec.parallel.run import run, spread
from hexrec.parallel.tasks import ChunkTask, check_here
from hexrec.record.record import Record
from hexrec.rules import compiled
from hexrec.rules.terms import pluralize
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.report import Report, Summary

Sources = Iterable[Source | Diagnostic]
#: Counts bytes of input, and shows the progress of a run.
Advance = Callable[[int], object]

#: Whether this process runs a shard for a cluster. Even with one job, all records are then worked on in processes of
#: their own, and no checkpoint is written: another machine may do the shard again.
SEPARATE = False


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(eq=False, repr=False)
class ArchiveRun(Inputs):
    """A run over an archive, or over one shard of it, by the options of a command."""

    shard: str | None = option("--shard I/N", "Read part I of N of the input, the same on every machine.", INPUT)
    jobs: int | None = options.JOBS
    chunk_timeout: float | None = option(
        "--chunk-timeout SECONDS",
        "Set the timeout for one chunk of work [default: 1800].",
        PROCESSES,
        min=1,
        max=1_000_000,
    )

    @cached_property
    def sources(self) -> Sources:
        """The sources of the shard, or all sources."""
        return self._divide(self.discovery)

    def find_again(self) -> Sources:
        """Return the same sources from a new search, which does not count the files that it skips."""
        return self._divide(self.discovery.again())

    def _divide(self, discovery: Discovery) -> Sources:
        return discovery if self._shard is None else self._shard.among(discovery)

    @cached_property
    def _shard(self) -> Shard | None:
        if self.shard is None:
            return None
        if STANDARD_INPUT in self.paths:
            refuse("stdin cannot be divided: name files", "--shard")
        try:
            parsed = shard(self.shard)
        except ValueError as error:
            refuse(str(error), "--shard")
        return parsed._replace(total=total_size(self.discovery))

    def print_unmatched(self) -> None:
        """Print the rows of filters that selected no record, which may be in another shard."""
        if not self.shard:
            super().print_unmatched()

    def describe(self, **options: Any) -> dict[str, Any]:
        """Return the options of a run on which its parts depend: these and other ones."""
        selected = [path and str(path) for path in (self.keep, self.drop)]
        return {"paths": self.paths, "source": [self.source_format, self.follow_links], "selected": selected, **options}

    def finish_part(self, command: str, target: Target | None, about: Mapping[str, Any]) -> None:
        """Write the manifest of a shard, unless it went to a stream. `about` has the arguments of `describe_run`."""
        if self._shard is None or target is None or (target.exists() and not (target.is_file() or target.is_dir())):
            return
        from hexrec.parallel.parts import Part, describe_run  # other runs have no parts

        run = describe_run(command, self._shard.of, self._shard.total or 0, **about)
        with exit_on_os_error(target, "written"):
            Part(target, run, self._shard.number).finish(self.summary)

    @property
    def processes(self) -> int:
        """The number of processes, by default one per core."""
        return self.jobs or cores()

    @contextmanager
    def progress(self, *, streamed: bool) -> Iterator[Advance]:
        """Show progress on a terminal, unless --quiet is given or data is `streamed` to the same terminal."""
        out = sys.stderr
        can_erase = out.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")
        if is_quiet() or not can_erase or (streamed and sys.stdout.isatty()):
            yield lambda _: None
            return
        # A shard is a part of the files.
        shown = Progress(out, None if self.shard else size_of_files(self.paths), self.summary)
        try:
            yield shown.add
        finally:
            shown.end()

    def batches(
        self, task: ChunkTask, sources: Sources | None = None, *, streamed: bool, **demands: Any
    ) -> Generator[Any, None, None]:
        """Yield the batches of a task on the sources of the run, or on others, and show progress.

        `demands` go to `hexrec.parallel.chunks.split`.
        """
        chunks = mention_interpreted(split(self.sources if sources is None else sources, **demands))
        workers = 0 if self.processes == 1 and not SEPARATE else self.processes
        batches = run(chunks, task, workers, self.chunk_timeout, one_chunk_here=self.jobs is None)
        with self.progress(streamed=streamed) as advance, closing(batches):
            for batch in batches:
                yield batch.gathered
                advance(batch.size)

    def results(
        self, task: ChunkTask, sources: Sources | None = None, *, streamed: bool, **demands: Any
    ) -> Generator[Any, None, None]:
        """Yield the results in `batches` one by one, and add the counts of clean records to the totals."""
        with closing(self.batches(task, sources, streamed=streamed, **demands)) as batches:
            for result in chain.from_iterable(batches):
                if isinstance(result, Summary):
                    self.summary.add_all(result)
                else:
                    yield result

    def games(self, task: ChunkTask, *, streamed: bool = False) -> Generator[Any, None, None]:
        """Yield the results of a task on the selected records; print their diagnostics, and add them to the totals.

        The results have the attributes `report` and `hash`.
        """
        with closing(self.results(task, streamed=streamed)) as results:
            for game in results:
                if self.selected.selects(game.report, game.hash):
                    self.summary.add_report(game.report, valid=game.report.valid)
                    echo_diagnostics(*game.report.diagnostics)
                    yield game


def read_reports(inputs: Inputs, sources: Sources | None = None) -> Iterator[Report]:
    """Yield the reports on the selected records of inputs, or of other sources, checked in this process."""
    chunks = split(inputs.discovery if sources is None else sources)
    return inputs.selected.reports(check_here(mention_interpreted(chunks)))


def each_record(inputs: Inputs, function: Callable[[Record], Any], jobs: int | None) -> Iterator[tuple[Report, Any]]:
    """Yield the report on each record with the value of a function for it, or None if the record is invalid.

    The reports are counted. With more than one job, worker processes call the function.
    """
    reports, waiting = tee(inputs.summary.count(read_reports(inputs)))
    records = (report.record for report in waiting if report.valid and report.record)
    found = spread(partial(_in_list, function), records, jobs or cores())
    for report in reports:
        yield report, next(found) if report.valid else None


def _in_list(function: Callable[[Record], Any], record: Record) -> list[Any]:
    return [function(record)]


#: Passes reports on, changed or not, or leaves some out.
Stage = Callable[[Iterator[Report]], Iterator[Report]]


def drain(reports: Iterator[Report], *stages: Stage | None) -> None:
    """Pass reports through stages to the end; None is a stage that is not needed. Close all generators."""
    with ExitStack() as opened:
        for stage in (iter, *filter(None, stages)):
            reports = stage(reports)
            if isinstance(reports, Generator):
                opened.enter_context(closing(reports))
        for _ in reports:
            pass


#: The size in bytes of the input of a long run.
_LONG = 1 << 18


def mention_interpreted(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """Yield the chunks of a run. Print once if a long run has interpreted rules."""
    size = 0
    for chunk in chunks:
        if size < _LONG <= (size := size + chunk.size) and (message := compiled.describe_missing()):
            note(message)
        yield chunk


#: Seconds before the line of progress is shown, and before it changes.
_FIRST, _PAUSE = 0.5, 0.2
#: Erases the line of a terminal.
_ERASE = "\r\x1b[K"


class Progress:
    """Progress on a terminal: records, records per second, invalid records, and the time left if it is known."""

    def __init__(
        self, out: TextIO, total: int | None, summary: Summary, clock: Callable[[], float] = monotonic
    ) -> None:
        """`total` is the size of the input in bytes; `summary` counts the records, also those of an earlier run."""
        self._out = out
        self._total = total
        self._summary = summary
        self._clock = clock
        self._began = clock()
        self._next = self._began + _FIRST
        self._size = 0
        self._before = summary.records
        self._shown = False

    def add(self, size: int) -> None:
        """Count bytes of input, and show the line if it is time."""
        self._size += size
        if (now := self._clock()) >= self._next:
            self._next = now + _PAUSE
            self._shown = True
            # A line of the full width would wrap.
            self._write(_ERASE + self._line(now - self._began)[: get_terminal_size().columns - 1])

    def end(self) -> None:
        """Erase the line."""
        if self._shown:
            self._write(_ERASE)

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()

    def _line(self, seconds: float) -> str:
        records = self._summary.records
        rate = (records - self._before) / seconds if seconds else 0.0
        parts = [pluralize(records, "record"), f"{rate:,.0f} a second", f"{self._summary.invalid:,} invalid"]
        if self._total and self._size:
            left = max(0, self._total - self._size) * seconds / self._size
            parts.append(f"{min(99, 100 * self._size // self._total)} %, {_duration(left)} left")
        return ", ".join(parts)


def _duration(seconds: float) -> str:
    minutes, seconds_left = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds_left:02}" if hours else f"{minutes}:{seconds_left:02}"


def size_of_files(paths: list[str]) -> int | None:
    """Return the total size of files in bytes; None if one is missing, compressed, an archive or not a regular file."""
    if not all(os.path.isfile(path) and is_plain(path) for path in paths):
        return None
    return sum(map(os.path.getsize, paths))
