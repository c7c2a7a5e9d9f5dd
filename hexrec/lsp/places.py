"""Conversion between the places of the validator and the positions of editors.

The validator counts characters, and only line feeds end lines. Editors count UTF-16 code units, and carriage returns
end lines, too.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from lsprotocol.types import Position, Range

from hexrec.formats.places import Span

_OURS = re.compile("\n")
_THEIRS = re.compile("\r\n?|\n")
_BYTE_ORDER_MARK = "\ufeff"


class EditorText:
    """Content of a file in an editor.

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

    def range_of(self, span: Span) -> Range:
        """Return the range in the editor for a span of the validator."""
        return self.range(self.offset(span.line, span.column), self.offset(span.end_line, span.end_column))
