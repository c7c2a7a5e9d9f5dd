"""The part of a file that holds a record, so that the record can be read, and changed, without the others."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import NamedTuple

from hexrec.notations.base import BYTE_ORDER_MARK, Document, LocatedText, Notation


class Extent(NamedTuple):
    """A part of a file.

    Attributes:
        offset: how many bytes are before it.
        size: how many bytes it has.
        line: how many line ends are before it.
        record: which of the records that are read from it alone, in the same notation, is meant.
    """

    offset: int
    size: int
    line: int = 0
    record: int = 0


def placed(notation: Notation, body: bytes) -> Iterator[tuple[Extent, Document]]:
    """Yield the documents of a file, each with the part of it that holds it.

    That is the whole file where no smaller part is known to be read in the same way.
    """
    if notation.pieces is None:
        texts = _Texts(body)
        for index, document in enumerate(notation.read(BytesIO(body))):
            yield texts.find(document.text) or Extent(0, len(body), record=index), document
        return
    offset = line = 0
    for piece in notation.pieces(BytesIO(body)):
        for number, document in enumerate(piece.documents):
            yield Extent(offset, len(piece.raw), line, number), document
        offset += len(piece.raw)
        line += piece.raw.count(b"\n")


class _Texts:
    """Finds the texts of a file in its bytes, one after the other: going back to the beginning of a line for each
    would take the square of its length.
    """

    def __init__(self, body: bytes) -> None:
        self._body = body
        #: The place up to which texts have been looked for.
        self._line = self._column = 1
        self._offset = len(BYTE_ORDER_MARK) if body.startswith(BYTE_ORDER_MARK) else 0

    def find(self, text: LocatedText | None) -> Extent | None:
        """Return where a text stands that follows those found before; None if it is not there in UTF-8, or is empty."""
        if text is None or not text.text or (text.first_line, text.first_column) < (self._line, self._column):
            return None
        line, column, offset = self._line, self._column, self._offset
        while line < text.first_line:
            offset = self._body.find(b"\n", offset) + 1
            line, column = line + 1, 1
        characters = text.first_column - column
        # A character has at most four bytes.
        passed = self._body[offset : offset + 4 * characters].decode(errors="replace")[:characters]
        offset += len(passed.encode())
        raw = text.text.encode(errors="replace")
        if not self._body.startswith(raw, offset):
            return None
        self._line, self._column, self._offset = text.first_line, text.first_column, offset
        return Extent(offset, len(raw), text.first_line - 1)
