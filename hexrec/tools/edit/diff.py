"""Unified diff of an edited file, produced while the file is edited."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher
from io import BytesIO

from hexrec.tools.edit.editor import Segment
from hexrec.util.escaping import visible

#: The number of unchanged lines before and after a change.
_CONTEXT = 3
#: The maximum number of lines to compare in a segment, old and new: the time may grow with the square.
_COMPARED = 8_000


def unified_diff(edited: Iterable[Segment], file: str) -> Iterator[bytes]:
    """Yield a unified diff of a file hunk by hunk; nothing if no segment has changed."""
    header = b"--- %s\n+++ %s\n" % ((visible(file).encode(),) * 2)
    for hunk in _hunks(edited):
        yield header + hunk
        header = b""


def _hunks(edited: Iterable[Segment]) -> Iterator[bytes]:
    context: deque[bytes] = deque(maxlen=_CONTEXT)
    hunk: list[bytes] = []
    start = (0, 0)
    olds = news = unchanged = 0
    for old, new in _changes(edited):
        if old != new:
            if not hunk:
                start = (olds - len(context), news - len(context))
                hunk = [b" " + line for line in context]
            hunk += [b"-" + line for line in old] + [b"+" + line for line in new]
            unchanged = 0
            context.clear()
            olds += len(old)
            news += len(new)
            continue
        for line in old:
            olds += 1
            news += 1
            context.append(line)
            if hunk:
                hunk.append(b" " + line)
                unchanged += 1
                if unchanged > 2 * _CONTEXT:
                    yield _hunk(hunk[: _CONTEXT - unchanged], start)
                    hunk = []
    if hunk:
        yield _hunk(hunk[: len(hunk) - max(0, unchanged - _CONTEXT)], start)


def _changes(edited: Iterable[Segment]) -> Iterator[tuple[list[bytes], list[bytes]]]:
    """Yield pairs of old and new runs of lines; unchanged runs are equal."""
    for segment in edited:
        old, new = _lines(segment.old), _lines(segment.new)
        if old == new or len(old) + len(new) > _COMPARED:
            yield old, new
            continue
        for _, start, end, new_start, new_end in SequenceMatcher(None, old, new).get_opcodes():
            yield old[start:end], new[new_start:new_end]


def _lines(text: bytes) -> list[bytes]:
    return BytesIO(text).readlines()  # splitlines would also split at a carriage return


def _hunk(lines: list[bytes], start: tuple[int, int]) -> bytes:
    places = []
    for sign, first, other in zip(b"-+", start, b"+-", strict=True):
        size = sum(line[0] != other for line in lines)
        places.append(b"%c%d,%d" % (sign, first + bool(size), size))
    body = b"".join(line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n" for line in lines)
    return b"@@ %s @@\n%s" % (b" ".join(places), body)
