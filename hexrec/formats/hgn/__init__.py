"""HGN, a text format similar to PGN: tags, then numbered turns with comments and variations; many games per file.

`docs/formats/hgn.md` describes the syntax, and the deviations that the reader accepts. The format is lossless: fields
without a tag or command are JSON in the tag `Extra`, or in a command `[%extra …]` at their turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO

from hexrec.formats import base
from hexrec.formats.hgn import grammar, tags
from hexrec.formats.hgn.reader import documents
from hexrec.record.record import turn_of
from hexrec.rules.position_text import first_to_play

_TAG_START = rb"\[[A-Za-z][A-Za-z0-9_]*[ \t]+\""
_TAG = _TAG_START + rb'[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+"[ \t]*\]'
_TAG_LINE = re.compile(_TAG_START)
_FIRST_TAG_LINE = re.compile(rb'\[[Gg][Aa][Mm][Ee][ \t]+"')
#: Lines without moves: only a comment, or a malformed tag, follows the tags in them.
_NO_MOVES = re.compile(rb"(?>(?:[ \t\r]*+" + _TAG + rb")*)[ \t\r\n]*+(?:$|[;%\[])")
#: The start of a file in HGN: its first line that is no comment begins with a tag.
_BEGINNING = re.compile(rb"(?:[;%][^\n]*\n\s*)*" + _TAG_START)


def pieces(stream: BinaryIO) -> Iterator[base.Piece]:
    """Cut a stream into games."""
    return base.cut_records(stream, _boundary(), documents)


def _boundary() -> base.Boundary:
    """Return a boundary function for games: each begins with a tag line after moves, or with a second tag `Game`."""
    named = moved = False

    def between_games(line: bytes, at_start: bool) -> bool:
        nonlocal named, moved
        begins = False
        if at_start and _TAG_LINE.match(line):
            names = _FIRST_TAG_LINE.match(line) is not None
            begins = moved or (named and names)
            named, moved = names or (named and not begins), _NO_MOVES.match(line) is None
        elif not moved and not _NO_MOVES.match(line):
            moved = True
        return begins

    return between_games


def write(records: Iterable[dict[str, Any]], _: base.OnLoss = base.refuse, /) -> Iterator[str]:
    """Yield one game per record, with a blank line before each but the first."""
    for index, record in enumerate(records):
        written, commands = tags.write(record)
        tag_lines = (f"[{name} {grammar.quote(value)}]" for name, value in written)
        words = [
            *_comments(commands, record.get("comment")),
            *_line(record["moves"], first_to_play(record.get("setup"))),
            tags.end_token(record),
        ]
        lines = "\n".join([*tag_lines, "", *grammar.wrap(words), ""])
        yield f"\n{lines}" if index else lines


def _braces(words: list[str], opening: str = "{", closing: str = "}") -> list[str]:
    words = [f"{opening}{words[0]}", *words[1:]]
    words[-1] += closing
    return words


def _line(moves: list[Any], ply: int) -> Iterator[str]:
    """Yield the words of the turns of a game or a variation; `ply` counts the turns before the first one."""
    follows = False
    for number, move in enumerate(moves, ply):
        turn = turn_of(move)
        word = turn if grammar.PLAIN_TURN.fullmatch(turn) else grammar.quote(turn)
        if number % 2 == 0:
            word = f"{number // 2 + 1}. {word}"
        elif not follows:
            word = f"{number // 2 + 1}... {word}"
        yield word
        follows = True
        if isinstance(move, dict):
            yield from (f"${glyph}" for glyph in move.get("nag", ()))
            comments = _comments(tags.write_turn(move), move.get("comment"))
            yield from comments
            for line in move.get("variations", ()):
                yield from _braces(list(_line(line, number)) or [""], "(", ")")
            follows = not comments and "variations" not in move


def _comments(commands: list[tuple[str, str]], comment: str | None) -> list[str]:
    """Return the words of braces with commands and a comment; an empty comment has its own braces."""
    command_words = [word for name, value in commands for word in _command(name, value)]
    words = [] if comment is None else grammar.comment_words(comment)
    if words == [""]:
        return [*_braces(words), *(_braces(command_words) if command_words else [])]
    return _braces(command_words + words) if command_words or words else []


def _command(name: str, value: str) -> list[str]:
    return _braces([name, *(grammar.comment_words(value, "[]}") if value else [])], "[%", "]")


FORMAT = base.Format(
    "hgn",
    "HGN",
    base.reading(pieces),
    write,
    lambda head: _BEGINNING.match(head) is not None,
    keeps=(tags.FOREIGN,),
    pieces=pieces,
)
