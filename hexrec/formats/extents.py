"""Extents of records in a file, to read or change a record without the others."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import NamedTuple

from hexrec.formats.base import Document, Format


class Extent(NamedTuple):
    """A part of a file.

    Attributes:
        offset: its offset in bytes.
        size: its size in bytes.
        line: the number of newlines before it.
        record: the index of the record among those that this part contains.
    """

    offset: int
    size: int
    line: int = 0
    record: int = 0


def locate_documents(format: Format, body: bytes) -> Iterator[tuple[Extent, Document]]:
    """Yield the documents of a file, each with its extent.

    The extent is the whole file if the format cannot read a smaller part on its own.
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
