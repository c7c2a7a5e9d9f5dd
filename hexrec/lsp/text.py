"""The text of an open file: places of the validator and positions of the editor, and the place in a record there."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import NamedTuple

from lsprotocol.types import Position, Range

from hexrec.formats.base import Document

BYTE_ORDER_MARK = "\ufeff"
_OURS = re.compile("\n")
_THEIRS = re.compile("\r\n?|\n")


class Place(NamedTuple):
    """Place in a record.

    Attributes:
        pointer: the JSON Pointer of a value.
        key: whether the place is the key of the value.
    """

    pointer: str
    key: bool


class EditorText:
    """Text with conversion between the places of the validator and the positions of the editor.

    The validator counts characters, and only line feeds end lines. Editors count UTF-16 code units, and carriage
    returns end lines, too.

    Attributes:
        text: the content.
    """

    def __init__(self, text: str, *, begins_file: bool = True) -> None:
        self.text = text
        # Formats count the columns of the first line after the byte-order mark.
        self._skipped = len(BYTE_ORDER_MARK) if begins_file and text.startswith(BYTE_ORDER_MARK) else 0

    @cached_property
    def _ours(self) -> list[int]:
        return [self._skipped, *(match.end() for match in _OURS.finditer(self.text))]

    @cached_property
    def _theirs(self) -> list[int]:
        return [0, *(match.end() for match in _THEIRS.finditer(self.text))]

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a place of the validator, or the nearest offset if the place is beyond the end."""
        start = self._ours[min(max(line, 1), len(self._ours)) - 1]
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


def move_down(place: Range, lines: int) -> Range:
    """Return a range some lines below."""
    start, end = place.start, place.end
    return Range(Position(start.line + lines, start.character), Position(end.line + lines, end.character))


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
