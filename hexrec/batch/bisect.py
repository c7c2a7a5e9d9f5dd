"""Bisection of chunks that fail: the record at fault is found and gets a diagnostic, the others are judged.

Whoever does a part of a chunk may be killed from outside at any time, so a part that fails proves nothing: it is only
halved again. What is blamed is a single record that fails when it is tried alone, several times if its process dies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from io import BytesIO
from typing import NamedTuple

from hexrec.batch.chunks import Chunk, Slice, is_text
from hexrec.batch.tasks import ChunkFailure, ChunkResult, ChunkTask, merge_results, run_chunk
from hexrec.diagnostics import Diagnostic
from hexrec.files.compression import decompressed
from hexrec.files.discovery import Source
from hexrec.files.stamps import InputChanged
from hexrec.validation.report import CRASHED

#: Tries a chunk so that this process survives, within a share of the time that a whole chunk may take.
Attempt = Callable[[Chunk, float], ChunkResult | ChunkFailure]
#: A chunk, or a record by itself, fails when so many processes died at work on it.
_CHUNK_DEATHS, RECORD_DEATHS = 2, 5
#: The least share of the time that a part of a chunk may take.
_LEAST = 0.1


class _PartResult(NamedTuple):
    """A part of a chunk and its result.

    Attributes:
        last: whether nothing of its file that follows can be read.
    """

    chunk: Chunk
    result: ChunkResult
    last: bool = False


def run_or_bisect(chunk: Chunk, task: ChunkTask, attempt: Attempt) -> ChunkResult:
    """Return the result of a chunk; records that make the program fail have a diagnostic that says so."""
    result = _retry(chunk, attempt, _CHUNK_DEATHS)
    return bisect(chunk, task, attempt) if isinstance(result, ChunkFailure) else result


def bisect(chunk: Chunk, task: ChunkTask, attempt: Attempt) -> ChunkResult:
    """Return the result of a chunk that failed as a whole. Raises InputChanged."""
    attempt = partial(_unchanged, attempt)

    def slice(number: int) -> Iterator[_PartResult]:
        whole = Chunk((chunk.slices[number],))
        share = max(_LEAST, 1 / len(chunk.slices))
        if len(chunk.slices) > 1:
            result = attempt(whole, share)
            if not isinstance(result, ChunkFailure):
                yield _PartResult(whole, result)
                return
        records = 0
        for part in _parts_of(chunk.slices[number], attempt, task, share):
            records += part.result.records
            yield part._replace(last=False)  # other files can be read
        if records == 0:  # what there is to say is about the file
            yield _single(whole, attempt, task)

    found = _search(lambda start, stop: Chunk(chunk.slices[start:stop]), len(chunk.slices), attempt, slice)
    return replace(merge_results(((part.chunk, part.result) for part in found), task), digest=chunk.digest())


def _unchanged(attempt: Attempt, chunk: Chunk, share: float) -> ChunkResult | ChunkFailure:
    result = attempt(chunk, share)
    if isinstance(result, ChunkResult) and result.changed is not None:
        raise InputChanged(result.changed)
    return result


def _search(
    part: Callable[[int, int], Chunk],
    count: int | None,
    attempt: Attempt,
    single: Callable[[int], Iterator[_PartResult]],
    share: float = 1.0,
) -> Iterator[_PartResult]:
    """Yield the parts of what fails as a whole, in order, as large ones as can be done.

    Parts double in size until one fails. Then the first member at fault is between `start` and `bad`, and half of that
    is tried: if it can be done, the fault is in the other half, which needs no trying.

    Args:
        part: the members from one number up to another.
        count: how many there are; None if that shows only when there are no more.
        attempt: does a part.
        single: what comes of one member that is probably at fault.
        share: of the time for a chunk, what all members together may take. Only a part of several members has less: it
            is halved again if that was too little.
    """
    start, size, bad = 0, 1, count
    while count is None or start < count:
        if bad is not None:
            size = (bad - start) // 2
        if size == 0:
            found = None
            for found in single(start):
                yield found
            if found is not None and found.last:
                return
            start, size, bad = start + 1, 1, None
            continue
        stop = start + size if count is None else min(start + size, count)
        whole = count or (bad - start if bad is not None else size)
        chunk = part(start, stop)
        result = attempt(chunk, share if stop - start == 1 else max(_LEAST, share * (stop - start) / whole))
        if isinstance(result, ChunkFailure):
            bad = stop
            continue
        yield _PartResult(chunk, result)
        if count is None and result.records < stop - start:
            return
        start = stop
        if bad is None:
            size *= 2


def _parts_of(slice: Slice, attempt: Attempt, task: ChunkTask, share: float) -> Iterator[_PartResult]:
    """Yield the parts of a slice that probably fails as a whole."""
    lines = _lines(slice) if slice.diagnostic is None else []
    if lines:

        def split(start: int, stop: int) -> Chunk:
            first, last = slice.first and start == 0, slice.last and stop == len(lines)
            data = b"".join(lines[start:stop])
            return Chunk((replace(slice, notation="jsonl", data=data, start=None, end=None, first=first, last=last),))

        yield from _search(split, len(lines), attempt, lambda n: iter([_single(split(n, n + 1), attempt, task)]), share)
    else:

        def records(start: int, stop: int) -> Chunk:
            return Chunk((replace(slice, only=(start, stop), first=slice.first and start == 0, last=False),))

        def record(number: int) -> Iterator[_PartResult]:
            found = _single(records(number, number + 1), attempt, task)
            diagnostic = found.chunk.slices[0].diagnostic
            if diagnostic and isinstance(_retry(records(number + 1, number + 1), attempt, RECORD_DEATHS), ChunkFailure):
                message = f"{diagnostic.message}; what follows it in the file cannot be read, and was not judged"
                found = _failed(found.chunk, message, task)._replace(last=True)
            yield found

        yield from _search(records, None, attempt, record, share)


def _lines(slice: Slice) -> list[bytes]:
    """Return the lines of a slice in JSON Lines; none if it is in another notation, or cannot be read."""
    try:
        content = slice.content()
        stream = decompressed(BytesIO(content)) if slice.data is None and not slice.is_part else BytesIO(content)
        notation, stream = Source(slice.name, slice.notation).recognise(stream)
        lines = stream.readlines() if notation == "jsonl" else []
    except OSError:
        return []
    return lines if lines and is_text(lines[0]) else []


def _single(chunk: Chunk, attempt: Attempt, task: ChunkTask) -> _PartResult:
    """Return the result of a chunk of one record."""
    result = _retry(chunk, attempt, RECORD_DEATHS)
    return _failed(chunk, result.message, task) if isinstance(result, ChunkFailure) else _PartResult(chunk, result)


def _retry(chunk: Chunk, attempt: Attempt, deaths: int) -> ChunkResult | ChunkFailure:
    """Return what comes of a chunk, which is tried again until so many processes have died at work on it."""
    for _ in range(deaths - 1):
        result = attempt(chunk, 1.0)
        if not (isinstance(result, ChunkFailure) and result.worker_died):
            return result
    return attempt(chunk, 1.0)


def _failed(chunk: Chunk, message: str, task: ChunkTask) -> _PartResult:
    """Return a chunk of one record that cannot be judged, and the diagnostic that says so."""
    (slice,) = chunk.slices
    blamed = Chunk((replace(slice, diagnostic=Diagnostic(CRASHED, message, file=slice.name)),))
    return _PartResult(blamed, run_chunk(blamed, task))
