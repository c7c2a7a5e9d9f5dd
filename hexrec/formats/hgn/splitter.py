"""Splitter for HGN: cuts a stream into games, and recognizes the format."""

from __future__ import annotations

import re

from hexrec.formats.base import Boundary

_TAG_START = rb"\[[A-Za-z][A-Za-z0-9_]*[ \t]+\""
_TAG = _TAG_START + rb'[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+"[ \t]*\]'
_TAG_LINE = re.compile(_TAG_START)
_FIRST_TAG_LINE = re.compile(rb'\[[Gg][Aa][Mm][Ee][ \t]+"')
#: Lines without moves: only a comment, or a malformed tag, follows the tags in them.
_NO_MOVES = re.compile(rb"(?:[ \t\r]*+" + _TAG + rb")*+[ \t\r\n]*+(?:$|[;%\[])")
_RECOGNIZED = re.compile(rb"(?:[;%][^\n]*\n\s*)*" + _TAG_START)


def recognizes(head: bytes) -> bool:
    """Return whether `head` begins a file in HGN: its first line that is no comment begins with a tag."""
    return _RECOGNIZED.match(head) is not None


def boundary() -> Boundary:
    """Return a boundary function for games: each begins with a tag line after moves, or with a second tag `Game`."""
    named = moved = False

    def between_games(line: bytes, at_start: bool) -> tuple[bool, bool]:
        nonlocal named, moved
        begins = False
        if at_start and _TAG_LINE.match(line):
            names = _FIRST_TAG_LINE.match(line) is not None
            begins = moved or (named and names)
            named, moved = names or (named and not begins), _NO_MOVES.match(line) is None
        elif not moved and not _NO_MOVES.match(line):
            moved = True
        return begins, False

    return between_games
