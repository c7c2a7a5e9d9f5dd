"""What commands need that work on archives: who does the work, progress, a checkpoint."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from hexrec.cli.console import Progress, fail, say, total_size
from hexrec.parallel import WorkersUnavailable
from hexrec.parallel.checkpoint import Checkpoint, CheckpointError
from hexrec.parallel.run import Batch
from hexrec.validation.configuration import Misconfigured
from hexrec.validation.report import Report

#: Counts records, errors and bytes of input for the display of progress, like `Progress.add`.
Advance = Callable[..., object]


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def workers(jobs: int | None) -> int:
    """Return how many processes share the work, as many as there are cores by default; 0 to work in this one."""
    wanted = jobs or cores()
    return 0 if wanted == 1 else wanted


@contextmanager
def progress(paths: list[str], quiet: bool, streamed: bool) -> Iterator[Advance]:
    """Show how far the run is, unless that is not wanted, or the data is `streamed` to the same terminal."""
    if quiet or (streamed and sys.stdout.isatty()):
        yield lambda *_, **__: None
        return
    shown = Progress(sys.stderr, total_size(paths))
    try:
        yield shown.add
    finally:
        shown.end()


def reports(batches: Iterable[Batch], advance: Advance) -> Iterator[Report]:
    """Yield the reports in batches, as progress counts them."""
    for batch in batches:
        records, errors = 0, 0
        for report in batch.gathered:
            records += 1
            errors += not report.valid
            yield report
        advance(records, errors, batch.size)


@contextmanager
def unbroken(checkpoint: Checkpoint | None = None) -> Iterator[Checkpoint | None]:
    """End the command, with the reason, if the work cannot be done; say what of it is kept.

    The checkpoint is deleted if all goes well.
    """
    try:
        yield checkpoint
    except (WorkersUnavailable, CheckpointError, Misconfigured) as error:
        _say_kept(checkpoint)
        fail(str(error))
    except BaseException:
        _say_kept(checkpoint)
        raise
    if checkpoint:
        checkpoint.delete()


def _say_kept(checkpoint: Checkpoint | None) -> None:
    if checkpoint is None:
        return
    checkpoint.close()
    if checkpoint.chunks:
        say(f"what is finished is kept in {checkpoint.path}: --resume continues")
