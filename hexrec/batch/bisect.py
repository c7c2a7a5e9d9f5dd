"""Chunks that cannot be done: the record that fails is found by halving and gets a diagnostic, the others are judged.

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
from hexrec.batch.tasks import Failed, Result, Work, done, joined
from hexrec.check.report import CRASHED
from hexrec.diagnostics import Diagnostic
from hexrec.files.compression import decompressed
from hexrec.files.discovery import Source
from hexrec.files.stamps import InputChanged

#: Does a chunk in such a way that the process lives on, within a share of the time that a whole chunk may take. Raises
#: Failed.
Attempt = Callable[[Chunk, float], Result]
#: A chunk, or a record by itself, fails when so many processes died at work on it.
_CHUNK_DEATHS, RECORD_DEATHS = 2, 5
#: The least share of the time that a part of a chunk may take.
_LEAST = 0.1


class Died(Failed):
    """A process that ended at work on a chunk: that may have had nothing to do with the chunk."""


class _Part(NamedTuple):
    """A part of a chunk and what came of it.

    Attributes:
        last: whether nothing of its file that follows can be read.
    """

    chunk: Chunk
    result: Result
    last: bool = False


def carefully(chunk: Chunk, work: Work, attempt: Attempt) -> Result:
    """Return the result of a chunk; records that make the program fail have a diagnostic that says so."""
    try:
        return _tried(chunk, attempt, _CHUNK_DEATHS)
    except Failed:
        return bisected(chunk, work, attempt)


def bisected(chunk: Chunk, work: Work, attempt: Attempt) -> Result:
    """Return the result of a chunk that could not be done as a whole. Raises InputChanged."""
    attempt = partial(_unchanged, attempt)

    def slice(number: int) -> Iterator[_Part]:
        whole = Chunk((chunk.slices[number],))
        share = max(_LEAST, 1 / len(chunk.slices))
        if len(chunk.slices) > 1:
            try:
                yield _Part(whole, attempt(whole, share))
                return
            except Failed:
                pass
        records = 0
        for part in _within(chunk.slices[number], attempt, work, share):
            records += part.result.records
            yield part
        if records == 0:  # what there is to say is about the file
            yield _alone(whole, attempt, work)

    found = _search(lambda start, stop: Chunk(chunk.slices[start:stop]), len(chunk.slices), attempt, slice)
    return replace(joined(((part.chunk, part.result) for part in found), work), digest=chunk.digest())


def _unchanged(attempt: Attempt, chunk: Chunk, share: float) -> Result:
    result = attempt(chunk, share)
    if result.changed is not None:
        raise InputChanged(result.changed)
    return result


def _search(
    part: Callable[[int, int], Chunk],
    count: int | None,
    attempt: Attempt,
    single: Callable[[int], Iterator[_Part]],
    share: float = 1.0,
) -> Iterator[_Part]:
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
        try:
            result = attempt(chunk, share if stop - start == 1 else max(_LEAST, share * (stop - start) / whole))
        except Failed:
            bad = stop
            continue
        yield _Part(chunk, result)
        if count is None and result.records < stop - start:
            return
        start = stop
        if bad is None:
            size *= 2


def _within(slice: Slice, attempt: Attempt, work: Work, share: float) -> Iterator[_Part]:
    """Yield the parts of a slice that probably cannot be done as a whole."""
    lines = _lines(slice) if slice.diagnostic is None else []
    if lines:

        def cut(start: int, stop: int) -> Chunk:
            first, last = slice.first and start == 0, slice.last and stop == len(lines)
            data = b"".join(lines[start:stop])
            return Chunk((replace(slice, format="jsonl", data=data, start=None, end=None, first=first, last=last),))

        yield from _search(cut, len(lines), attempt, lambda n: iter([_alone(cut(n, n + 1), attempt, work)]), share)
    else:

        def records(start: int, stop: int) -> Chunk:
            return Chunk((replace(slice, only=(start, stop), first=slice.first and start == 0, last=False),))

        def record(number: int) -> Iterator[_Part]:
            found = _alone(records(number, number + 1), attempt, work)
            if found.chunk.slices[0].diagnostic is None:
                yield found
                return
            try:
                _tried(records(number + 1, number + 1), attempt, RECORD_DEATHS)
            except Failed:
                blamed = found.chunk.slices[0].diagnostic
                message = f"{blamed.message}; what follows it in the file cannot be read, and was not judged"
                yield _blamed(found.chunk, message, work)._replace(last=True)
            else:
                yield found

        yield from _search(records, None, attempt, record, share)


def _lines(slice: Slice) -> list[bytes]:
    """Return the lines of a slice in JSON Lines; none if it is in another notation, or cannot be read."""
    try:
        content = slice.content()
        stream = decompressed(BytesIO(content)) if slice.data is None and not slice.cut else BytesIO(content)
        format, stream = Source(slice.name, slice.format).recognise(stream)
        lines = stream.readlines() if format == "jsonl" else []
    except OSError:
        return []
    return lines if lines and is_text(lines[0]) else []


def _alone(chunk: Chunk, attempt: Attempt, work: Work) -> _Part:
    """Return what comes of a chunk of one record."""
    try:
        return _Part(chunk, _tried(chunk, attempt, RECORD_DEATHS))
    except Failed as failure:
        return _blamed(chunk, str(failure), work)


def _tried(chunk: Chunk, attempt: Attempt, deaths: int) -> Result:
    """Return the result of a chunk. Raises Failed, but not before so many processes have died at work on it."""
    for _ in range(deaths - 1):
        try:
            return attempt(chunk, 1.0)
        except Died:
            continue
    return attempt(chunk, 1.0)


def _blamed(chunk: Chunk, message: str, work: Work) -> _Part:
    """Return a chunk of one record that cannot be judged, and the diagnostic that says so."""
    (slice,) = chunk.slices
    blamed = Chunk((replace(slice, diagnostic=Diagnostic(CRASHED, message, file=slice.name)),))
    return _Part(blamed, done(blamed, work))
