"""Cuts a stream of SGF into games, without holding more than one.

A game runs from one parenthesis to the one that closes it; brackets hide what is in values. One that is not closed ends
where the next game begins: within a tree wherever that is, within a value at the beginning of a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from hexrec.formats.base import Boundary, lines
from hexrec.formats.sgf.grammar import ROOT_START

_START = re.compile(rb"(?=\(\s*(?:;|[A-Z]{1,2}\s*\[|\Z))")
_ROOT = re.compile(ROOT_START.encode())
#: A node, be it in no tree: what begins after it is another game.
_NODE = re.compile(rb";\s*[A-Z]{1,2}\s*\[")
#: The beginning of a game that goes on in the next line.
_HALF_A_START = re.compile(rb"\(\s{0,200}")
_TOKEN = re.compile(rb"\[[^\\\]]*+(?:\\.[^\\\]]*+)*+(\])?|[()]", re.DOTALL)


def units(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a stream, cut where a game or a variation begins within them."""
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
    """Return what finds the games of a stream."""
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
