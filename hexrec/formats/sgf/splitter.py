"""Splitter for SGF: cuts a stream into games, with one game in memory.

A game extends from a parenthesis to the one that closes it; parentheses in values do not count. A game that is not
closed ends where the next game begins: anywhere in a tree, but only at the start of a line in a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from hexrec.formats.base import Boundary, lines
from hexrec.formats.sgf.grammar import ROOT_START

_START = re.compile(rb"(?=\(\s*(?:;|[A-Z]{1,2}\s*\[|\Z))")
_ROOT = re.compile(ROOT_START.encode())
#: A node, even outside a tree: the next start is that of another game.
_NODE = re.compile(rb";\s*[A-Z]{1,2}\s*\[")
#: The start of a game that continues on the next line.
_HALF_A_START = re.compile(rb"\(\s{0,200}")
_TOKEN = re.compile(rb"\[[^\\\]]*+(?:\\.[^\\\]]*+)*+(\])?|[()]", re.DOTALL)


def units(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a stream, cut at the start of each game and variation."""
    held = b""
    for line in lines(stream):
        *whole, held = _START.split(held + line)
        if not _HALF_A_START.fullmatch(held):
            whole.append(held)
            held = b""
        yield from filter(None, whole)
    if held:
        yield held


def boundary() -> Boundary:
    """Return a boundary function for the games of a stream."""
    depth = 0
    found = in_value = False

    def between_games(unit: bytes, at_start: bool) -> tuple[bool, bool]:
        nonlocal depth, found, in_value
        cut_off = (at_start or not in_value) and _ROOT.match(unit) is not None
        starts = cut_off or (not in_value and not depth and _START.match(unit) is not None)
        begins = found and starts
        if starts:
            depth, in_value = 0, False
        found = found or starts or _NODE.search(unit) is not None
        for token in _TOKEN.finditer(b"[" + unit if in_value else unit) if found else ():
            in_value = token[0].startswith(b"[") and not token[1]
            depth = max(0, depth + (token[0] == b"(") - (token[0] == b")"))
        return begins, False

    return between_games
