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
from hexrec.formats.sgf.grammar import ROOT_START
from hexrec.formats.sgf.reader import documents
from hexrec.formats.sgf.writer import write

_START = re.compile(rb"(?=\(\s*(?:;|[A-Z]{1,2}\s*\[|\Z))")
_ROOT = re.compile(ROOT_START.encode())
#: A node, even outside a tree: the next start is that of another game.
_NODE = re.compile(rb";\s*[A-Z]{1,2}\s*\[")
#: The start of a game that continues on the next line.
_HALF_A_START = re.compile(rb"\(\s{0,200}")
_TOKEN = re.compile(rb"\[[^\\\]]*+(?:\\.[^\\\]]*+)*+(\])?|[()]", re.DOTALL)
_BEGINNING = re.compile(rb"\(\s*(?:;\s*)?[A-Za-z]{1,20}\s*\[")


def pieces(stream: BinaryIO) -> Iterator[base.Piece]:
    """Cut a stream into games, with one game in memory.

    A game extends from a parenthesis to the one that closes it; parentheses in values do not count. A game that is not
    closed ends where the next game begins: anywhere in a tree, but only at the start of a line in a value.
    """
    depth = 0
    has_game = in_value = False

    def begins_game(unit: bytes, at_start: bool) -> bool:
        nonlocal depth, has_game, in_value
        cut_off = (at_start or not in_value) and _ROOT.match(unit) is not None
        starts = cut_off or (not in_value and not depth and _START.match(unit) is not None)
        begins = has_game and starts
        if starts:
            depth, in_value = 0, False
        has_game = has_game or starts or _NODE.search(unit) is not None
        for token in _TOKEN.finditer(b"[" + unit if in_value else unit) if has_game else ():
            in_value = token[0].startswith(b"[") and not token[1]
            depth = max(0, depth + (token[0] == b"(") - (token[0] == b")"))
        return begins

    return base.cut_records(stream, begins_game, documents, _cut_at_starts)


def _cut_at_starts(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a stream, cut at the start of each game and variation."""
    held = b""
    for line in base.lines(stream):
        *whole, held = _START.split(held + line)
        if not _HALF_A_START.fullmatch(held):
            whole.append(held)
            held = b""
        yield from filter(None, whole)
    if held:
        yield held


FORMAT = base.Format(
    "sgf",
    "SGF",
    base.reading(pieces),
    write,
    lambda head: _BEGINNING.match(head) is not None,
    keeps=("x-sgf", "x-sgf-nodes", "x-sgf-trees"),
    pieces=pieces,
)
