"""SGF, FF[4]: one game tree per record, any number of trees per file.

The first child of a node continues the main line; the others are variations of its move.
Extension fields preserve data without a field in records: properties in `x-sgf`, nodes without a move in `x-sgf-nodes`
of the move (or record) before them, variations that begin with such a node in `x-sgf-trees`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from hexrec.formats import base
from hexrec.formats.sgf.reader import document
from hexrec.formats.sgf.splitter import boundary, units
from hexrec.formats.sgf.writer import write

_BEGINNING = re.compile(rb"\(\s*(?:;\s*)?[A-Za-z]{1,20}\s*\[")


def pieces(stream: BinaryIO) -> Iterator[base.Piece]:
    """Cut a stream into games."""
    return base.cut_records(stream, boundary(), _games, units)


def _games(raw: bytes, line: int, column: int) -> Iterator[base.Document]:
    yield base.catch_internal_error(document, raw, line, column, line=line, column=column)


def _recognizes(head: bytes) -> bool:
    return _BEGINNING.match(head) is not None


FORMAT = base.Format(
    "sgf",
    "SGF",
    base.reading(pieces),
    write,
    _recognizes,
    keeps=("x-sgf", "x-sgf-nodes", "x-sgf-trees"),
    pieces=pieces,
)
