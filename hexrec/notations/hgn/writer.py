"""Writes records as HGN: tags, then lines of turns with comments and variations."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from hexrec.games.position_text import first_mover
from hexrec.notations.base import OnLoss, refuse
from hexrec.notations.field_table import get, put
from hexrec.notations.hgn import grammar, tags
from hexrec.notations.leftovers import difference
from hexrec.record.model import turn_of


def write(records: Iterable[dict[str, Any]], _: OnLoss = refuse, /) -> Iterator[str]:
    """Yield one game a record, with a blank line between two."""
    for index, record in enumerate(records):
        lines = "\n".join([*_tag_lines(record), "", *grammar.wrap(_words(record)), ""])
        yield f"\n{lines}" if index else lines


def _tag_lines(record: dict[str, Any]) -> Iterator[str]:
    written, leftovers = tags.write(record)
    for name, value in written:
        yield f"[{name} {grammar.quote(value)}]"
    if leftovers:
        yield f"[{tags.EXTRA} {grammar.quote(json.dumps(leftovers, ensure_ascii=False))}]"


def _words(record: dict[str, Any]) -> Iterator[str]:
    if "comment" in record:
        yield from _braces(grammar.comment_words(record["comment"]))
    yield from _line(record["moves"], first_mover(record.get("setup")))
    yield tags.token(record)


def _braces(words: list[str], opening: str = "{", closing: str = "}") -> list[str]:
    words = [f"{opening}{words[0]}", *words[1:]]
    words[-1] += closing
    return words


def _line(moves: list[Any], ply: int) -> Iterator[str]:
    """Yield the words of the turns of a game or of a variation, of which the first has the given number."""
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
            remarks = _remarks(move)
            yield from remarks
            for line in move.get("variations", ()):
                yield from _braces(list(_line(line, number)) or [""], "(", ")")
            follows = not remarks and "variations" not in move


def _remarks(move: dict[str, Any]) -> list[str]:
    """Return the words of the comments on a turn: what it says, and the commands."""
    words: list[str] = []
    said_so: dict[str, Any] = {}
    for name, field in tags.COMMANDS.items():
        text = field.encode(get(move, field.path))
        if text is not None:
            words += _command(name, text)
            put(said_so, field.path, field.decode(text))
    rest = difference({name: value for name, value in move.items() if name not in tags.SPOKEN}, said_so)
    foreign = rest.get(tags.FOREIGN)
    if isinstance(foreign, dict) and tags.are_foreign(foreign, tags.KNOWN_COMMANDS):
        for name, value in rest.pop(tags.FOREIGN).items():
            words += _command(name, value)
    if rest:
        words += _command(tags.COMMAND_EXTRA, json.dumps(rest, ensure_ascii=False))
    said = grammar.comment_words(move["comment"]) if "comment" in move else []
    if said == [""]:
        return [*_braces(said), *(_braces(words) if words else [])]
    return _braces(words + said) if words or said else []


def _command(name: str, value: str) -> list[str]:
    return _braces([name, *(grammar.comment_words(value, "[]}") if value else [])], "[%", "]")
