"""A file that is open in an editor: its text, and the reports on its records. An edit renews only those around it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from codecs import getincrementaldecoder
from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import PurePath
from typing import Any, NamedTuple

from lsprotocol.types import Position, Range
from pygls import uris

from hexrec import formats
from hexrec.formats.base import Document
from hexrec.formats.places import Span
from hexrec.io.discovery import Source
from hexrec.tools.edit import EditError
from hexrec.tools.edit.fixes import complete_result
from hexrec.tools.edit.in_place import edit_stream
from hexrec.tools.suggestions import Suggester
from hexrec.util.diagnostics import Diagnostic, Edit
from hexrec.util.streams import prepend
from hexrec.validation.configuration import Settings
from hexrec.validation.lint import add_warnings
from hexrec.validation.report import Report
from hexrec.validation.verdict import check_document

_EMPTY, _UNFINISHED = "syntax/empty", "result/missing"
#: Formats of many other files, which are validated only if they seem to contain records.
_GENERAL = ("json", "jsonl", "yaml")
_OURS = re.compile("\n")
_THEIRS = re.compile("\r\n?|\n")
_BYTE_ORDER_MARK = "\ufeff"


@dataclass
class FilePart:
    """Part of a file, from the start of a record to the start of the next one.

    Attributes:
        raw: the bytes.
        reports: the reports on its records.
        shift: the number to add to line numbers in the reports.
        suggested: whether the reports include suggestions.
    """

    raw: bytes
    reports: list[Report]
    shift: int
    suggested: bool = False


class Place(NamedTuple):
    """Place in a record.

    Attributes:
        pointer: the JSON Pointer of a value.
        key: whether the place is the key of the value.
    """

    pointer: str
    key: bool


class EditorText:
    """Content of a file, with conversion between the places of the validator and the positions of the editor.

    The validator counts characters, and only line feeds end lines. Editors count UTF-16 code units, and carriage
    returns end lines, too.

    Attributes:
        text: the content.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._ours = [0, *(match.end() for match in _OURS.finditer(text))]
        self._theirs = [0, *(match.end() for match in _THEIRS.finditer(text))]
        # Formats count the columns of the first line after the byte-order mark.
        self._ours[0] = len(_BYTE_ORDER_MARK) if text.startswith(_BYTE_ORDER_MARK) else 0

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a place of the validator, or the nearest offset if the place is beyond the end."""
        start = self._ours[min(line, len(self._ours)) - 1]
        return min(start + column - 1, len(self.text))

    def place(self, offset: int) -> tuple[int, int]:
        """Return the place of an offset for the validator, as line and column."""
        line = max(1, bisect_right(self._ours, offset))
        return line, max(1, offset - self._ours[line - 1] + 1)

    def offset_at(self, position: Position) -> int:
        """Return the offset of a position in the editor, or the nearest offset if it is beyond the end."""
        if position.line >= len(self._theirs):
            return len(self.text)
        start = self._theirs[position.line]
        line_end = _THEIRS.search(self.text, start)
        line = self.text[start : line_end.start() if line_end else None]
        units = line.encode("utf-16-le", "surrogatepass")[: 2 * position.character]
        return start + len(units.decode("utf-16-le", "ignore"))

    def position(self, offset: int) -> Position:
        """Return the position of an offset in the editor."""
        line = bisect_right(self._theirs, offset) - 1
        before = self.text[self._theirs[line] : offset]
        return Position(line, len(before.encode("utf-16-le", "surrogatepass")) // 2)

    def range(self, start: int, end: int) -> Range:
        """Return the range of the characters from `start` up to `end` in the editor."""
        return Range(self.position(start), self.position(end))


class OpenFile:
    """A file of records that is open in an editor.

    Attributes:
        uri: the address, which has no path if the file has not been saved.
        format: the name of the format.
        text: the content.
        parts: the parts of the content, in order; none if the file seems to be of another kind.
    """

    def __init__(self, uri: str, language: str, text: str) -> None:
        """Validate a file, by the settings for its path. Raises Misconfigured."""
        self._path = uris.to_fs_path(uri) if uri.startswith("file:") else None
        name = PurePath(self._path or uri)
        by_language = language if language in formats.BUILT_IN else None
        self.uri = uri
        self.format = formats.by_suffix(name.suffix.lower()) or by_language or formats.by_content(text.encode()[:8192])
        self._surely_records = ".hexrec." in name.name or self.format not in _GENERAL
        self._settings = Settings(files=self._path is not None)
        settings = self._settings.find(self._path or "")
        self._finished, self._lint = settings.finished, add_warnings if settings.lint else None
        self.parts: list[FilePart] = []
        self.update(text)

    def update(self, text: str) -> None:
        """Validate the current content of the file."""
        self.text = EditorText(text)
        if self._surely_records or "hexrec" in text:
            body = text.encode(errors="replace")
            self.parts = self._splice(body) or self._read(body, 0)
        else:
            self.parts = []

    def diagnostics(self) -> Iterator[Diagnostic]:
        """Yield all diagnostics with their places in the file."""
        for part in self.parts:
            for report in part.reports:
                for diagnostic in report.diagnostics:
                    yield diagnostic.shift_lines(part.shift)

    def suggest(self, part: FilePart) -> None:
        """Add suggestions to the reports of a part. They take too long to be made after each edit."""
        if part.suggested:
            return
        part.suggested = True
        part.reports = [*map(Suggester().add, part.reports)]

    def completions(self) -> list[tuple[Range, str]]:
        """Return the edits that complete recorded results as `hexrec fix` does, as ranges and their new text.

        There are no edits of a file that `hexrec fix` skips.
        """
        reports = [report for part in self.parts for report in part.reports]
        if not any(map(_is_completable, reports)):
            return []
        rest = iter(reports)
        name = self._path or self.uri

        def complete(document: Document) -> dict[str, Any] | None:
            report = next(rest, None)
            if report is None or not _is_completable(report) or formats.dialect_of(document) or report.result is None:
                return None
            return complete_result(document.data, report.result)

        body = prepend(b"", BytesIO(self.text.text.encode(errors="replace")))
        decoder = getincrementaldecoder("utf-8")()
        edits = []
        offset = 0
        try:
            for segment in edit_stream(Source(name, self.format), body, BytesIO(), complete, canonical=False):
                old = decoder.decode(segment.old)
                if segment.changed:
                    edits.append(self._replace(offset, old, segment.new.decode()))
                offset += len(old)
        except (EditError, UnicodeDecodeError):
            return []
        return edits

    def _replace(self, offset: int, old: str, new: str) -> tuple[Range, str]:
        """Return the smallest edit that replaces the text `old` at an offset, which divides no "\\r\\n"."""
        start = _count_common(old, new)
        start -= old[max(0, start - 1) : start + 1] == "\r\n"
        kept = _count_common(old[start:][::-1], new[start:][::-1])
        end = len(old) - kept
        kept -= old[max(0, end - 1) : end + 1] == "\r\n"
        return self.text.range(offset + start, offset + len(old) - kept), new[start : len(new) - kept]

    def part_at(self, position: Position) -> tuple[FilePart, int] | None:
        """Return the part at a position, and the offset of its first character; None if the file is empty."""
        body = self.text.text.encode(errors="replace")
        offset = len(self.text.text[: self.text.offset_at(position)].encode(errors="replace"))
        start = 0
        for part in self.parts:
            if offset < start + len(part.raw) or part is self.parts[-1]:
                return part, len(body[:start].decode(errors="replace"))
            start += len(part.raw)
        return None

    def range_of(self, place: Diagnostic | Edit | Span) -> Range:
        """Return the range in the editor for a place in the file; without a line, its first character."""
        line, column = place.line or 1, place.column or 1
        start = self.text.offset(line, column)
        return self.text.range(start, self.text.offset(place.end_line or line, place.end_column or column))

    def _read(self, body: bytes, shift: int) -> list[FilePart]:
        """Return the parts of some bytes of the file, which begin after `shift` lines."""
        reports: dict[int, list[Report]] = {}
        for extent, document in formats.read_placed(self.format, body):
            report = check_document(document, self._path, finished=self._finished, lint=self._lint)
            reports.setdefault(extent.offset, []).append(self._settings.grade(report))
        starts = [0, *[*reports][1:]]
        ends = [*starts[1:], len(body)]
        return [
            FilePart(body[start:end], part_reports, shift)
            for start, end, part_reports in zip(starts, ends, reports.values(), strict=False)
        ]

    def _splice(self, body: bytes) -> list[FilePart]:
        """Return the parts of the changed file, after reading only the parts around the change.

        One part before the change and one after it are read, too. Return no parts if the part after the change no
        longer begins and ends in the same places; the whole file must then be read.
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
        # Read whole lines, because columns count from the start of a line.
        while head:
            head -= 1
            start -= len(old[head].raw)
            if body.endswith(b"\n", 0, start):
                break
        unchanged = tail
        while tail < len(old) and (tail == unchanged or not old[tail - 1].raw.endswith(b"\n")):
            end += len(old[tail].raw)
            tail += 1
        new = self._read(body[start:end], body.count(b"\n", 0, start))
        # Without a record is an error only of a whole file.
        is_empty = any(
            diagnostic.code == _EMPTY for part in new for report in part.reports for diagnostic in report.diagnostics
        )
        if not new or is_empty or (tail < len(old) and new[-1].raw != old[tail - 1].raw):
            return []
        moved = body.count(b"\n", 0, end) - sum(part.raw.count(b"\n") for part in old[:tail])
        return [*old[:head], *new, *(replace(part, shift=part.shift + moved) for part in old[tail:])]


def _count_common(one: str, other: str) -> int:
    """Return the number of equal characters at the start."""
    lengths = range(1, min(len(one), len(other)) + 1)
    return bisect_left(lengths, True, key=lambda length: not other.startswith(one[:length]))


def _is_completable(report: Report) -> bool:
    """Return whether the rules ended a valid game, and its recorded result lacks a part of the computed one."""
    outcome, document = report.result, report.document
    if outcome is None or outcome.termination != "rules" or document is None:
        return False
    if any(error.code != _UNFINISHED for error in report.errors):
        return False
    claim, scores = document.data.get("result", {}), outcome.as_data().get("score", {})
    return "winner" not in claim or not scores.keys() <= claim.get("score", {}).keys()


def find_place(document: Document, line: int, column: int) -> Place | None:
    """Return the innermost place of a document at a line and column, or just before them."""
    places = document.places(None)
    spans = [(span, Place(pointer, False)) for pointer, span in places.values.items()]
    spans += [(span, Place(pointer, True)) for pointer, span in places.keys.items()]
    here = (line, column)
    around = [located for located in spans if located[0][:2] <= here <= located[0][2:]]
    if not around:
        return None
    # The innermost place starts last. A turn at the start of a list has the longer pointer.
    return max(
        around, key=lambda located: (located[0][:2], tuple(-end for end in located[0][2:]), len(located[1].pointer))
    )[1]
