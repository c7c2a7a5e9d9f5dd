"""HGN, a text format similar to PGN: tags, then numbered turns with comments and variations; many games per file.

`docs/formats/hgn.md` describes the syntax, and the deviations that the reader accepts. The format is lossless: fields
without a tag or command are JSON in the tag `Extra`, or in a command `[%extra …]` at their turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from hexrec.formats import base
from hexrec.formats.hgn import splitter, tags
from hexrec.formats.hgn.reader import document
from hexrec.formats.hgn.writer import write


def pieces(stream: BinaryIO) -> Iterator[base.Piece]:
    """Cut a stream into games."""
    return base.cut_records(stream, splitter.boundary(), _games)


def _games(raw: bytes, line: int, _: int) -> Iterator[base.Document]:
    yield base.decode_record(document, raw.removeprefix(base.BYTE_ORDER_MARK), line)


FORMAT = base.Format(
    "hgn", "HGN", base.reading(pieces), write, splitter.recognizes, keeps=(tags.FOREIGN,), pieces=pieces
)
