"""A file that is open in an editor, with the reports on its records: after an edit, only what changed is read again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from hexrec import formats
from hexrec.formats.base import Document
from hexrec.tools.suggestions import SUGGESTION_LIMITS, Suggester
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.configuration import Settings
from hexrec.validation.lint import Lint
from hexrec.validation.report import Report
from hexrec.validation.verdict import check_document

_EMPTY = "syntax/empty"


@dataclass
class FilePart:
    """A part of a file that is read by itself, up to where the next begins.

    Attributes:
        raw: the bytes.
        reports: the reports on the records in it.
        shift: how many lines are before what it was read with, from where the reports count lines.
        suggested: whether suggestions have been looked for.
    """

    raw: bytes
    reports: list[Report]
    shift: int
    suggested: bool = False


class Place(NamedTuple):
    """A part of a record at which something stands.

    Attributes:
        pointer: JSON Pointer of the part.
        key: whether it is the key that leads to the part.
    """

    pointer: str
    key: bool


class RecordFile:
    """The records of an open file.

    Attributes:
        format: the name of the format.
        path: where it is saved; None if it is not.
        parts: its parts in order.
    """

    def __init__(self, format: str, path: str | None) -> None:
        """Raises Misconfigured if the settings for the path cannot be followed."""
        self.format = format
        self.path = path
        self.parts: list[FilePart] = []
        self._settings = Settings(files=path is not None)
        found = self._settings.find(path or "")
        self._finished, self._lint = found.finished, Lint() if found.lint else None

    def update(self, text: str) -> None:
        """Take in the present text."""
        body = text.encode(errors="replace")
        spliced = self._spliced(body)
        self.parts = self._read(body, 0) if spliced is None else spliced

    def diagnostics(self) -> Iterator[Diagnostic]:
        """Yield all diagnostics with their places in the file."""
        for part in self.parts:
            for report in part.reports:
                for each in report.diagnostics:
                    yield each.shift_lines(part.shift)

    def suggest(self, part: FilePart) -> None:
        """Add suggestions to the reports of a part. These take longer than a pause in typing."""
        if part.suggested:
            return
        part.suggested = True
        suggester = Suggester(SUGGESTION_LIMITS)
        part.reports = [*map(suggester.add, part.reports)]

    def part_at(self, offset: int) -> tuple[FilePart, int] | None:
        """Return the part at an offset in bytes, and how many bytes precede it; None if the file is empty."""
        found, end = None, 0
        for part in self.parts:
            if found is None or offset >= end:
                found = (part, end)
            end += len(part.raw)
        return found

    def _read(self, body: bytes, shift: int) -> list[FilePart]:
        """Return the parts in some bytes of the file, which begin after `shift` lines."""
        starts: list[int] = []
        reports: list[list[Report]] = []
        for extent, document in formats.read_placed(self.format, body):
            if not starts or extent.offset != starts[-1]:
                starts.append(extent.offset)
                reports.append([])
            report = check_document(document, self.path, finished=self._finished, lint=self._lint)
            reports[-1].append(self._settings.grade(report))
        if starts:
            starts[0] = 0
        ends = [*starts[1:], len(body)]
        return [
            FilePart(body[start:end], found, shift) for start, end, found in zip(starts, ends, reports, strict=False)
        ]

    def _spliced(self, body: bytes) -> list[FilePart] | None:
        """Return the parts of a changed file, of which only those around the change are read.

        One part before the change and one after it are read as well. If the one after it is found again where it
        was, the rest of the file is cut as before. Returns None if it is not.
        """
        old = self.parts
        head = start = 0
        while head < len(old) and body.startswith(old[head].raw, start):
            start += len(old[head].raw)
            head += 1
        tail, end = len(old), len(body)
        while tail > head and end - len(old[tail - 1].raw) >= start and body.endswith(old[tail - 1].raw, start, end):
            tail -= 1
            end -= len(old[tail].raw)
        if old and head == len(old) and start == len(body):
            return old
        # Both ends are where lines begin: places count the characters before them.
        head, start = self._back(head, start)
        while not body.endswith(b"\n", 0, start) and head:
            head, start = self._back(head, start)
        unchanged = tail
        while tail < len(old) and (tail == unchanged or not old[tail - 1].raw.endswith(b"\n")):
            end += len(old[tail].raw)
            tail += 1
        new = self._read(body[start:end], body.count(b"\n", 0, start))
        if is_empty(new) or (tail < len(old) and new[-1].raw != old[tail - 1].raw):
            return None
        moved = body.count(b"\n", 0, end) - sum(part.raw.count(b"\n") for part in old[:tail])
        return [*old[:head], *new, *(replace(each, shift=each.shift + moved) for each in old[tail:])]

    def _back(self, head: int, start: int) -> tuple[int, int]:
        return (head - 1, start - len(self.parts[head - 1].raw)) if head else (0, 0)


def is_empty(parts: list[FilePart]) -> bool:
    """Return whether parts hold no record, which is an error only of a whole file."""
    found = (each.code for part in parts for report in part.reports for each in report.diagnostics)
    return not parts or _EMPTY in found


def find_place(document: Document, line: int, column: int) -> Place | None:
    """Return the smallest part of a document at, or just before, a line and a column of it."""
    places = document.places(None)
    spans = [(span, Place(pointer, False)) for pointer, span in places.values.items()]
    spans += [(span, Place(pointer, True)) for pointer, span in places.keys.items()]
    here = (line, column)
    around = [each for each in spans if each[0][:2] <= here <= each[0][2:]]
    if not around:
        return None
    # The latest start is the innermost; of a turn and the list that it begins, the turn has the longer pointer.
    return max(around, key=lambda each: (each[0][:2], tuple(-end for end in each[0][2:]), len(each[1].pointer)))[1]
