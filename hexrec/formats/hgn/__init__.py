"""HGN, a text format similar to PGN: tags, then numbered turns with comments and variations; many games per file.

`docs/formats/hgn.md` describes the syntax, and the deviations that the reader accepts. The format is lossless: fields
without a tag or command are JSON in the tag `Extra`, or in a command `[%extra …]` at their turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from hexrec.formats import base
from hexrec.formats.hgn import tags
from hexrec.formats.hgn.reader import documents
from hexrec.formats.hgn.writer import write

_TAG_START = rb"\[[A-Za-z][A-Za-z0-9_]*[ \t]+\""
_TAG = _TAG_START + rb'[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+"[ \t]*\]'
_TAG_LINE = re.compile(_TAG_START)
_FIRST_TAG_LINE = re.compile(rb'\[[Gg][Aa][Mm][Ee][ \t]+"')
#: Lines without moves: only a comment, or a malformed tag, follows the tags in them.
_NO_MOVES = re.compile(rb"(?>(?:[ \t\r]*+" + _TAG + rb")*)[ \t\r\n]*+(?:$|[;%\[])")
#: The start of a file in HGN: its first line that is no comment begins with a tag.
_BEGINNING = re.compile(rb"(?:[;%][^\n]*\n\s*)*" + _TAG_START)


def pieces(stream: BinaryIO) -> Iterator[base.Piece]:
    """Cut a stream into games: each begins with a tag line after moves, or with a second tag `Game`."""
    named = moved = False

    def begins_game(line: bytes, at_start: bool) -> bool:
        nonlocal named, moved
        begins = False
        if at_start and _TAG_LINE.match(line):
            names = _FIRST_TAG_LINE.match(line) is not None
            begins = moved or (named and names)
            named, moved = names or (named and not begins), _NO_MOVES.match(line) is None
        elif not moved and not _NO_MOVES.match(line):
            moved = True
        return begins

    return base.cut_records(stream, begins_game, documents)


FORMAT = base.Format(
    "hgn",
    "HGN",
    base.reading(pieces),
    write,
    lambda head: _BEGINNING.match(head) is not None,
    keeps=(tags.FOREIGN,),
    pieces=pieces,
)
