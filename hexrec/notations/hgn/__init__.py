"""HGN, a text notation in the shape of PGN: tags, then numbered turns with comments and variations; many games a file.

What it looks like, and what is accepted when it is read, is in `docs/notations/hgn.md`. It loses nothing: what has no
tag and no command of its own stands as JSON in the tag `Extra`, or in a command `[%extra …]` at its turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from hexrec.notations import base
from hexrec.notations.hgn import splitter
from hexrec.notations.hgn.reader import document
from hexrec.notations.hgn.writer import write


def read(stream: BinaryIO) -> Iterator[base.Document]:
    """Yield one document a game; a bad game does not touch the others. Holds one game at a time."""
    return base.or_empty(_documents(stream))


def _documents(stream: BinaryIO) -> Iterator[base.Document]:
    for index, (first_line, raw) in enumerate(splitter.games(stream)):
        if raw is None:
            yield base.too_large(first_line)
        elif not index and base.is_binary(raw[:8192]):
            yield base.BINARY
            return
        else:
            yield base.decoded(document, raw, first_line)


NOTATION = base.Notation("hgn", "HGN", read, write, splitter.recognises)
