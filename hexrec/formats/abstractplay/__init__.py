"""Abstract Play game records: JSON objects with a header and rounds of turns, as that site writes them.

The format uses the syntax of JSON and JSON Lines. The sites export arrays and sequences of records, which are read one
by one.
Fields `x-abstractplay` preserve source data without a field in hexrec's records, so that the writer restores it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from hexrec.formats import json_values
from hexrec.formats.abstractplay.reader import translate
from hexrec.formats.abstractplay.writer import write
from hexrec.formats.base import JSON_HEAD, Format, Piece, reading

#: Start of a record whose first field identifies it.
_RECORD = re.compile(rb'\{\s*"(?:header|moves)"\s*:')
#: A field that identifies a record (its moves are rounds), or a field of a hexrec record.
_FIELD = re.compile(rb'(?P<theirs>"header"\s*:|"moves"\s*:\s*\[\s*\[)|"(?:hexrec|game)"\s*:')


def pieces(stream: BinaryIO) -> Iterator[Piece]:
    """Cut a stream into records: one record, a sequence, or an array.

    One record is in memory at a time; an error in a record does not affect the others.
    """
    for raw, documents in raw_pieces(stream):
        yield Piece(raw, tuple(document if document.error else translate(document) for document in documents))


def raw_pieces(stream: BinaryIO) -> Iterator[Piece]:
    """Yield the same pieces with documents that are not translated."""
    return json_values.value_pieces(stream, _RECORD)


def begins_record(head: bytes) -> bool:
    """Return whether an object is a record of Abstract Play, by the first field that identifies a format."""
    first = _FIELD.search(head, 0, JSON_HEAD)
    return first is not None and first["theirs"] is not None


#: Recognized within JSON, not by its beginning.
FORMAT = Format("abstractplay", "Abstract Play", reading(pieces), write, lambda _: False, pieces=pieces)
