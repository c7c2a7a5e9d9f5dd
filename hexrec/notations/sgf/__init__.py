"""SGF, FF[4]: a game tree a record, any number of them a file.

The first child of a node goes on with the game, the others are variations of the move that it makes.
What a record does not name is kept in extension fields: properties in `x-sgf`, nodes without a move in `x-sgf-nodes`
of the move (or record) before them, variations that begin with such a node in `x-sgf-trees`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from hexrec.notations import base
from hexrec.notations.sgf.reader import document
from hexrec.notations.sgf.splitter import Splitter
from hexrec.notations.sgf.writer import write
from hexrec.notations.window import CHUNK

_BEGINNING = re.compile(rb"\(\s*(?:;\s*)?[A-Za-z]{1,20}\s*\[")


def read(stream: BinaryIO) -> Iterator[base.Document]:
    """Yield one document a game tree. Holds one game at a time, and knows of what stands up to the next."""
    splitter = Splitter(stream)
    head = splitter.first(CHUNK)
    if base.is_utf16(head):
        try:
            base.decode(head)
        except base.EncodingError as bad:
            yield bad.document
        return
    if base.is_binary(head[:8192]):
        yield base.BINARY
        return
    documents = (base.guarded(document, game, line=game.first_line) for game in splitter.games())
    yield next(documents, base.EMPTY)
    yield from documents


def _recognises(head: bytes) -> bool:
    return _BEGINNING.match(head) is not None


NOTATION = base.Notation("sgf", "SGF", read, write, _recognises, keeps=("x-sgf", "x-sgf-nodes", "x-sgf-trees"))
