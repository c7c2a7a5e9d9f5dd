"""The part of a file that holds a record, so that the record can be read, and changed, without the others."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import NamedTuple

from hexrec.formats.base import Document, Format


class Extent(NamedTuple):
    """A part of a file.

    Attributes:
        offset: how many bytes are before it.
        size: how many bytes it has.
        line: how many line ends are before it.
        record: which of the records that are read from it alone, in the same format, is meant.
    """

    offset: int
    size: int
    line: int = 0
    record: int = 0


def placed(format: Format, body: bytes) -> Iterator[tuple[Extent, Document]]:
    """Yield the documents of a file, each with the part of it that holds it.

    That is the whole file where no smaller part is known to be read in the same way.
    """
    if format.pieces is None:
        for index, document in enumerate(format.read(BytesIO(body))):
            yield Extent(0, len(body), record=index), document
        return
    offset = line = index = 0
    for piece in format.pieces(BytesIO(body)):
        for number, document in enumerate(piece.documents):
            part = Extent(offset, len(piece.raw), line, number)
            yield part if piece.raw else Extent(0, len(body), record=index), document
            index += 1
        offset += len(piece.raw)
        line += piece.raw.count(b"\n")
