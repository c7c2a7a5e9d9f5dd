"""Long runs over archives: number of processes, and progress."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from hexrec.cli import PROCESSES, option, options
from hexrec.cli.console import Progress, can_erase, total_size
from hexrec.parallel.run import Batch, run
from hexrec.validation.report import Summary

if TYPE_CHECKING:
    from hexrec.parallel.checkpoint import Checkpoint
    from hexrec.parallel.chunks import Chunk
    from hexrec.parallel.tasks import ChunkTask

#: Counts records, errors and bytes of input for the display of progress, like `Progress.add`.
Advance = Callable[..., object]


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass
class Work:
    """The work of a command on an archive, by its options."""

    jobs: options.Jobs = None
    chunk_timeout: Annotated[
        float | None,
        option(
            "--chunk-timeout SECONDS",
            "Set the timeout for one chunk of work [default: 1800].",
            PROCESSES,
            min=1,
            max=1_000_000,
        ),
    ] = None
    quiet: options.Quiet = False

    @property
    def processes(self) -> int:
        """The number of processes, by default one per core."""
        return self.jobs or cores()

    def run(
        self, chunks: Iterable[Chunk], task: ChunkTask, checkpoint: Checkpoint | None = None, **options: bool
    ) -> Generator[Batch, None, None]:
        """Yield the results of a task on chunks, as `hexrec.parallel.run.run` does."""
        options = {"one_chunk_here": self.jobs is None, **options}
        workers = 0 if self.processes == 1 else self.processes
        return run(chunks, task, workers, self.chunk_timeout, checkpoint, **options)

    @contextmanager
    def progress(self, paths: list[str], *, streamed: bool) -> Iterator[Advance]:
        """Show progress on a terminal, unless --quiet is given or data is `streamed` to the same terminal."""
        out = sys.stderr
        if self.quiet or not can_erase(out) or (streamed and sys.stdout.isatty()):
            yield lambda *_, **__: None
            return
        shown = Progress(out, total_size(paths))
        try:
            yield shown.add
        finally:
            shown.end()


def gather(batches: Iterable[Batch], advance: Advance, summary: Summary) -> Iterator[Any]:
    """Yield the results of batches one by one. After each batch, show the progress of `summary`."""
    for batch in batches:
        records, invalid = summary.records, summary.invalid
        yield from batch.gathered
        advance(summary.records - records, summary.invalid - invalid, batch.size)
