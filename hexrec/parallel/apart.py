"""Chunks that fail as a whole: each record is tried alone, and one at which the program fails gets a diagnostic."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from hexrec import formats
from hexrec.formats.base import WHITESPACE, Document
from hexrec.parallel.chunks import Chunk, Offset, Slice, Trial, is_text
from hexrec.parallel.tasks import ChunkFailure, ChunkResult, ChunkTask, SliceSource, count_lines, for_chunk
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.report import CRASHED

#: Tries a chunk so that this process survives.
Attempt = Callable[[Chunk], ChunkResult | ChunkFailure]
#: How many processes may end before they get to a record that was not read before.
_PATIENCE = 10


class RunnerError(Exception):
    """A runner that cannot work at all; the message says why."""


def try_apart(chunk: Chunk, task: ChunkTask, attempt: Attempt) -> Iterator[ChunkResult]:
    """Yield the results of a chunk, record by record where a file of it fails. Raises RunnerError."""
    task = for_chunk(task, chunk)
    for slice in chunk.slices:
        part = replace(chunk, slices=(slice,))
        outcome = attempt(part) if len(chunk.slices) > 1 else None
        if isinstance(outcome, ChunkResult):
            yield replace(outcome, digest="")
        elif (lines := _lines(slice)) is not None:
            for line in lines:
                yield _try_record(replace(chunk, slices=(line,)), task, attempt)
        else:
            yield from _try_records(part, task, attempt)
    yield ChunkResult(task.gather(()), 0, digest=chunk.digest(), continues=True)


def _lines(slice: Slice) -> list[Slice] | None:
    """Return a slice for each record in JSON Lines; None if the slice is of another format or cannot be read."""
    format = slice.format or formats.by_suffix(os.path.splitext(slice.name)[1].lower())
    if format != "jsonl" or slice.diagnostic is not None:
        return None
    try:
        content = slice.content()
    except OSError:
        return None
    if slice.first and not is_text(content):
        return None
    texts = [b""]
    for line in BytesIO(content):
        texts[-1] += line
        if line.strip(WHITESPACE):
            texts.append(b"")
    texts = [text for text in texts if text]
    whole = replace(slice, format="jsonl", start=None, end=None, stamp=None)
    return [
        replace(
            whole,
            data=text,
            size=len(text),
            first=slice.first and number == 0,
            last=slice.last and number == len(texts) - 1,
        )
        for number, text in enumerate(texts)
    ]


def _try_record(part: Chunk, task: ChunkTask, attempt: Attempt) -> ChunkResult:
    """Return the result of a single record. Only one that ends a fresh process too is to blame."""
    outcome = attempt(part)
    if isinstance(outcome, ChunkFailure) and outcome.worker_died:
        outcome = attempt(part)
    if isinstance(outcome, ChunkFailure):
        (slice,) = part.slices
        lines = count_lines(slice.data or b"")
        return _blame(part, task, outcome.message, lines=lines, continues=part.continues)
    return replace(outcome, digest="")


def _try_records(part: Chunk, task: ChunkTask, attempt: Attempt) -> Iterator[ChunkResult]:
    """Yield the results of a file that is always read from its beginning, in ranges of records that do not fail.

    The process logs the record that it is working on. If it fails there, the records before it are validated without
    it, and then it is tried alone. Raises RunnerError.
    """
    start, stop, suspect, lost = 0, None, -1, 0
    with TemporaryDirectory() as folder:
        log = Path(folder, "records")
        while True:
            log.write_bytes(b"")
            outcome = attempt(replace(part, trial=Trial(os.fspath(log), start, stop)))
            if isinstance(outcome, ChunkResult):
                yield outcome
                if stop is None or outcome.changed:
                    return
                start, stop = stop, stop + 1 if stop == suspect else None
                continue
            at, reading = _last(log)
            if at > start:
                stop = suspect = at
            elif at < start:
                lost += 1
                if lost == _PATIENCE:
                    raise RunnerError(outcome.message)
            elif stop != start + 1 and outcome.worker_died:
                stop = start + 1
            else:
                hint = "; what follows it in the file cannot be read, and was not judged" if reading else ""
                yield _blame(part, task, outcome.message + hint, continues=part.continues or start > 0)
                if reading:
                    return
                start, stop = start + 1, None


def _last(log: Path) -> tuple[int, bool]:
    """Return the latest record that a process logged, -1 if none, and whether it was reading that."""
    lines = log.read_text().splitlines()
    index, reading = map(int, lines[-1].split()) if lines else (-1, 1)
    return index, bool(reading)


def _blame(part: Chunk, task: ChunkTask, message: str, *, lines: int = 0, continues: bool) -> ChunkResult:
    """Return the result of a record that is skipped."""
    document = Document(error=Diagnostic(CRASHED, message))
    source = SliceSource(part.slices[0].name, read=lambda: iter((document,)))
    gathered = task.gather(task.judge(source))
    return ChunkResult(gathered, 1, int(continues), Offset(1, lines), continues=continues)
