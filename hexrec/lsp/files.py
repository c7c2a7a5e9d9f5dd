"""A file that is open in an editor: its lines in parts, with the reports on their records.

An edit makes the parts around it unread. Reading them again reads the records before and after the edit as well, and
nothing else: places are relative to their part, so those of all other records stay as they are.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from codecs import getincrementaldecoder
from collections.abc import Generator, Iterator
from functools import cached_property
from io import BytesIO
from itertools import accumulate
from pathlib import PurePath
from typing import Any

from lsprotocol.types import Position, Range
from pygls import uris

from hexrec import formats
from hexrec.formats.base import EMPTY_CODE, Document
from hexrec.formats.places import Span
from hexrec.io.discovery import Source
from hexrec.lsp.text import BYTE_ORDER_MARK, EditorText, Place, find_place
from hexrec.tools.edit.files import Change, EditError
from hexrec.tools.edit.fixes import complete_result, format_record
from hexrec.tools.edit.in_place import edit_stream
from hexrec.tools.suggestions import Suggester
from hexrec.util.diagnostics import Diagnostic, Edit
from hexrec.util.streams import prepend
from hexrec.validation.configuration import Misconfigured, Settings
from hexrec.validation.report import Report
from hexrec.validation.verdict import check_document

_UNFINISHED = "result/missing"
#: Formats of many other files, which are validated only if they seem to contain records.
_GENERAL = ("json", "jsonl", "yaml")

#: A replacement of a range by a text.
TextEdit = tuple[Range, str]


class FilePart:
    """Whole lines of a file with the records in them. All ranges are relative to its first line.

    Attributes:
        text: the lines.
        line_ends: the number of their ends, as editors count them.
        reports: the reports on its records; None if it has not been read since an edit.
        lead: the number of lines before it in the text that the places in the reports refer to.
    """

    def __init__(self, text: EditorText, reports: list[Report] | None = None, lead: int = 0) -> None:
        self.text = text
        self.line_ends = text.text.count("\n") + text.text.count("\r") - text.text.count("\r\n")
        self.reports = reports
        self.lead = lead
        self._is_suggested = False

    def range_of(self, place: Diagnostic | Edit | Span) -> Range:
        """Return the range of a place in a report; without a line, its first character."""
        line, column = (place.line or 1 + self.lead) - self.lead, place.column or 1
        start = self.text.offset(line, column)
        end = (place.end_line or line + self.lead) - self.lead
        return self.text.range(start, self.text.offset(end, place.end_column or column))

    @cached_property
    def diagnostics(self) -> list[tuple[Diagnostic, Range]]:
        """The diagnostics and their ranges."""
        return [
            (diagnostic, self.range_of(diagnostic))
            for report in self.reports or ()
            for diagnostic in report.diagnostics
        ]

    @property
    def is_malformed(self) -> bool:
        """Whether one of its records could not be parsed."""
        return any(diagnostic.code.startswith("syntax/") for diagnostic, _ in self.diagnostics)

    @cached_property
    def records(self) -> list[tuple[Report, Range]]:
        """The reports on records that have a place, and the ranges of these records."""
        return self._ranges_of("")

    @cached_property
    def games(self) -> list[tuple[Report, Range]]:
        """The reports on records that name their game, and the ranges of these names."""
        return self._ranges_of("/game")

    def _ranges_of(self, pointer: str) -> list[tuple[Report, Range]]:
        spans = [
            (report, report.document.places([pointer]).find(pointer))
            for report in self.reports or ()
            if report.document is not None
        ]
        return [(report, self.range_of(span)) for report, span in spans if span]

    def find_place(self, document: Document, position: Position) -> Place | None:
        """Return the innermost place of a document of the part at a position, or just before it."""
        line, column = self.text.place(self.text.offset_at(position))
        return find_place(document, line + self.lead, column)

    def suggest(self) -> None:
        """Add suggestions to the reports. They take too long to be made after each edit."""
        if not self._is_suggested:
            self._is_suggested = True
            self.reports = [*map(Suggester().add, self.reports or ())]
            self.__dict__.pop("diagnostics", None)


class OpenFile:
    """A file of records that is open in an editor.

    Attributes:
        uri: the address, which has no path if the file has not been saved.
        version: the number that the editor gave to the content.
        format: the name of the format.
        parts: all lines of the file, in order, at least one part.
        edited_line: the number of the first line of the last edit.
        problem: the reason for which the settings of the file are not followed, or None.
    """

    def __init__(self, uri: str, language: str, text: str, version: int = 0) -> None:
        self._path = uris.to_fs_path(uri) if uri.startswith("file:") else None
        name = PurePath(self._path or uri)
        by_language = language if language in formats.BUILT_IN else None
        self.uri = uri
        self.version = version
        self.format = (
            formats.by_suffix(name.suffix.lower())
            or by_language
            or formats.by_content(text[:8192].encode(errors="replace"))
        )
        self._surely_records = ".hexrec." in name.name or self.format not in _GENERAL
        self.parts: list[FilePart] = []
        self._reading: Generator[None] | None = None
        self.change(None, text)
        self.follow_settings()

    def follow_settings(self) -> None:
        """Read the settings for the path of the file again; without settings that can be followed, use none."""
        self.problem: Misconfigured | None = None
        self._settings = Settings(files=self._path is not None)
        try:
            settings = self._settings.find(self._path or "")
        except Misconfigured as error:
            self.problem = error
            self._settings = Settings(files=False)
            settings = self._settings.find("")
        self._finished, self._lint = settings.finished, settings.lint
        self._stop_reading()
        self.parts = [FilePart(part.text) for part in self.parts]

    def change(self, place: Range | None, text: str) -> None:
        """Replace a range of the file, or all of it. The changed part is not validated before `read`."""
        self._stop_reading()
        # An editor that deletes half a character leaves the other half.
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        first = last = 0
        self.edited_line = place.start.line if place else 0
        if place is None or not self.parts:
            last = len(self.parts) - 1
        else:
            (first, _, start), (last, _, end) = self._locate(place.start), self._locate(place.end)
            before, after = self.parts[first].text, self.parts[last].text
            text = before.text[: before.offset_at(start)] + text + after.text[after.offset_at(end) :]
        # A part ends with its line, unless the file does.
        while not text.endswith("\n") and last + 1 < len(self.parts):
            last += 1
            text += self.parts[last].text.text
        self.parts[first : last + 1] = [FilePart(EditorText(text, begins_file=not first))]

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.close()

    def _locate(self, position: Position) -> tuple[int, int, Position]:
        """Return the index of the part at a position, the number of its first line, and the position in the part."""
        lines = [*accumulate([part.line_ends for part in self.parts[:-1]], initial=0)]
        index = bisect_right(lines, position.line) - 1
        return index, lines[index], Position(position.line - lines[index], position.character)

    def part_at(self, position: Position) -> tuple[FilePart, int, Position]:
        """Return the part at a position, the number of its first line, and the position in the part."""
        index, line, here = self._locate(position)
        return self.parts[index], line, here

    @property
    def text(self) -> str:
        """The content."""
        return "".join(part.text.text for part in self.parts)

    @property
    def has_records(self) -> bool:
        """Whether the file seems to contain records."""
        return self._surely_records or any("hexrec" in part.text.text for part in self.parts)

    def placed_parts(self) -> Iterator[tuple[FilePart, int]]:
        """Yield the parts and the numbers of their first lines; none of a file that seems to be of another kind."""
        line = 0
        for part in self.parts if self.has_records else ():
            yield part, line
            line += part.line_ends

    def read(self) -> Generator[None]:
        """Validate the parts that have not been read, and yield after each record.

        The next edit ends this; records that were validated until then stay so.
        """
        self._stop_reading()
        self._reading = self._read_parts()
        return self._reading

    def _read_parts(self) -> Generator[None]:
        while self.has_records and (unread := [index for index, part in enumerate(self.parts) if part.reports is None]):
            first = last = unread[0]
            while last + 1 < len(self.parts) and self.parts[last + 1].reports is None:
                last += 1
            start, opening = max(0, first - 1), ""
            # Apart from a mark at its start, a record is read in the same way on its own, in an array after a bracket.
            while start and self.parts[start].text.text.startswith(BYTE_ORDER_MARK):
                start -= 1
            if self.format == "json":
                malformed = [index for index, part in enumerate(self.parts) if part.is_malformed]
                is_array = self.parts[0].text.text.lstrip(f"{BYTE_ORDER_MARK} \t\r\n").startswith("[")
                # A malformed element changes how the next malformed ones are divided.
                if is_array and not any(index < start for index in malformed):
                    opening = "[\n" if start else ""
                else:
                    start = 0
                last = max(unread[-1], *malformed, 0)
            reader = _PartReader(self.parts, start, last, opening)
            if not (yield from self._read_with(reader)) and start:
                # Without a record is an error only of a whole file.
                yield from self._read_with(_PartReader(self.parts, 0, last))

    def _read_with(self, reader: _PartReader) -> Generator[None, None, bool]:
        """Read parts; return False if one of them has no record and they do not begin with the file."""
        is_whole = False
        try:
            for extent, document in formats.read_placed(self.format, reader.body):
                if reader.start and document.error is not None and document.error.code == EMPTY_CODE:
                    reader.parts = []
                    return False
                if reader.ends_part(extent.offset) and reader.end_part(extent.offset):
                    is_whole = True
                    return True
                report = check_document(document, self._path, finished=self._finished, lint=self._lint)
                reader.reports.append(self._settings.grade(report))
                yield
            reader.end_part(len(reader.body))
            is_whole = True
        finally:
            self.parts[:] = reader.joined(is_whole=is_whole)
        return True

    def completions(self) -> Iterator[TextEdit | None]:
        """Yield the edits that complete recorded results as `hexrec fix` does, and None between them.

        There are no edits of a file that `hexrec fix` skips.
        """
        reports = [report for part in self.parts for report in part.reports or ()]
        if not any(map(_is_completable, reports)):
            return
        rest = iter(reports)

        def complete(document: Document) -> dict[str, Any] | None:
            report = next(rest, None)
            if report is None or not _is_completable(report) or formats.dialect_of(document) or report.result is None:
                return None
            return complete_result(document.data, report.result)

        try:
            yield from self._edit(complete, canonical=False)
        except EditError:
            return

    def formatting(self) -> Iterator[TextEdit | None]:
        """Yield the edits that write the records as `hexrec fmt` does, and None between them. Raises EditError."""
        if self.has_records:
            name = self._path or self.uri
            yield from self._edit(lambda document: format_record(document, name, 0).data, canonical=True)

    def _edit(self, change: Change, *, canonical: bool) -> Iterator[TextEdit | None]:
        """Yield the edits of a change to all records, and None between them. Raises EditError after the last one."""
        whole = EditorText(self.text)
        decoder = getincrementaldecoder("utf-8")()
        source = Source(self._path or self.uri, self.format)
        offset = 0
        body = prepend(b"", BytesIO(whole.text.encode()))
        for segment in edit_stream(source, body, BytesIO(), change, canonical=canonical):
            old = decoder.decode(segment.old)
            yield _replace(whole, offset, old, segment.new.decode()) if segment.changed else None
            offset += len(old)


class _PartReader:
    """Divides lines of a file into parts again while their records are read.

    Attributes:
        start: the index of the first part to read.
        body: the opening, and all lines from there to the end of the file.
        parts: the new parts.
        reports: the reports on the records of the next new part.
    """

    def __init__(self, old: list[FilePart], start: int, last: int, opening: str = "") -> None:
        """Read `old` parts from `start` at least up to `last`, until a part is found as it was.

        An `opening`, of whole lines, is read before them.
        """
        self._old = old
        self.start = start
        self._last = last
        self.body = (opening + "".join(part.text.text for part in old[start:])).encode()
        self.parts: list[FilePart] = []
        self.reports: list[Report] = []
        self._from, self._lead = len(opening), opening.count("\n")
        #: The first old part that does not begin before the next new one, and the number of characters between them.
        self._next, self._ahead = start, 0

    def ends_part(self, offset: int) -> bool:
        """Return whether a part ends where the next document begins: only where a line does."""
        return bool(self.reports) and offset > self._from and self.body[offset - 1 : offset] == b"\n"

    def end_part(self, offset: int) -> bool:
        """Add a new part that ends at an offset, unless it is an old part that has been read, which returns True."""
        text = self.body[self._from : offset].decode()
        if not self._ahead and self._next > self._last and self._next < len(self._old):
            old = self._old[self._next]
            if old.reports is not None and old.text.text == text:
                return True
        begins_file = not self.start and not self.parts
        self.parts.append(FilePart(EditorText(text, begins_file=begins_file), self.reports, self._lead))
        self._from, self.reports = offset, []
        self._lead += text.count("\n")
        self._ahead -= len(text)
        while self._ahead < 0:
            self._ahead += len(self._old[self._next].text.text)
            self._next += 1
        if offset == len(self.body):
            self._next = len(self._old)
        return False

    def joined(self, *, is_whole: bool) -> list[FilePart]:
        """Return the parts of the file with the new ones. Unless they are the `whole`, the next one is unread."""
        if is_whole or not self.parts:
            unread, following = [], self._next if self.parts else self.start
        elif self._ahead:
            unread, following = [self._old[self._next - 1].text.text[-self._ahead :]], self._next
        else:
            unread, following = [part.text.text for part in self._old[self._next : self._next + 1]], self._next + 1
        rest = [FilePart(EditorText(text, begins_file=False)) for text in unread]
        return [*self._old[: self.start], *self.parts, *rest, *self._old[following:]]


def _replace(whole: EditorText, offset: int, old: str, new: str) -> TextEdit:
    """Return the smallest edit that replaces the text `old` at an offset, which divides no "\\r\\n"."""
    start = _count_common(old, new)
    start -= old[max(0, start - 1) : start + 1] == "\r\n"
    kept = _count_common(old[start:][::-1], new[start:][::-1])
    end = len(old) - kept
    kept -= old[max(0, end - 1) : end + 1] == "\r\n"
    return whole.range(offset + start, offset + len(old) - kept), new[start : len(new) - kept]


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
