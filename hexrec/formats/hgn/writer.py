"""Writer of HGN."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from hexrec.formats import base
from hexrec.formats.hgn import grammar, tags
from hexrec.record.record import turn_of
from hexrec.rules.position_text import first_to_play


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
