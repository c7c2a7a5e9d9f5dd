"""Lines of drafts: their tokens, and the turns in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from hexrec.tools.importing.lexer import TURN_KINDS, Token


class DraftLine(NamedTuple):
    """The tokens of a line, or of a cell of a table.

    Attributes:
        line: the 1-based line, or row.
        tokens: the tokens.
        text: the line.
        column: the 1-based column of the first character of `text`.
        speaker: the author of the message that the line is part of.
    """

    line: int
    tokens: list[Token]
    text: str
    column: int = 1
    speaker: str | None = None


def has_turns(entry: DraftLine) -> bool:
    """Return whether a line has a turn."""
    return any(token.kind in ("cell", "pass") for token in entry.tokens)


def turns_of(tokens: Iterable[Token]) -> list[tuple[Any, ...]]:
    """Return the turns of a line, each with its cells: spaces, and all signs but those within turns, part them."""
    turns: list[tuple[Any, ...]] = []
    goes_on = False
    for token in tokens:
        if token.kind in ("cell", "pass"):
            turn = (token.value if token.kind == "cell" else None,)
            turns[-1:] = [turns[-1] + turn] if goes_on and turns else [*turns[-1:], turn]
            goes_on = False
        elif token.kind != "space":
            goes_on = token.kind == "join" or (token.kind == "sign" and token.value in ("-", "/", ">", "+", "*"))
    return turns


def all_turns(entries: Iterable[DraftLine]) -> list[tuple[Any, ...]]:
    """Return the turns of lines."""
    return [turn for entry in entries for turn in turns_of(entry.tokens)]


def without_first(entries: Iterable[DraftLine], count: int) -> Iterator[DraftLine]:
    """Yield lines without a number of turns at their beginning."""
    for entry in entries:
        tokens, own = entry.tokens, len(turns_of(entry.tokens))
        while tokens and count and own - len(turns_of(tokens)) < min(count, own):
            tokens = tokens[1:]
        yield entry._replace(tokens=tokens)
        count -= min(count, own)


def first_number(entry: DraftLine) -> int | None:
    """Return the number before the first turn of a line, or None."""
    first = next((token for token in entry.tokens if token.kind in ("number", *TURN_KINDS)), None)
    return first.value if first is not None and first.kind == "number" else None


def is_list(entry: DraftLine, *, alone: bool) -> bool:
    """Return whether a line is of a list of turns: with a number, and with several turns unless one `alone` is."""
    numbered = any(token.kind == "number" for token in entry.tokens)
    return numbered and (alone or len(turns_of(entry.tokens)) > 1)


def is_label(tokens: list[Token], index: int) -> bool:
    """Return whether a word at the start of a line belongs to a label that a colon ends."""
    for token in tokens[index : index + 8]:
        if token.kind == "sign" and token.value in (":", "|"):
            return True
        if token.kind in TURN_KINDS:
            return False
    return False


def is_talk(entry: DraftLine) -> bool:
    """Return whether a line has words that are no label of a turn."""
    tokens = [token for token in entry.tokens if token.kind != "space"]
    return any(token.kind == "word" and not is_label(tokens, index) for index, token in enumerate(tokens))


def as_talk(entry: DraftLine) -> DraftLine:
    """Return a line whose cells are words."""
    kinds = ("number", *TURN_KINDS)
    return entry._replace(tokens=[t._replace(kind="word") if t.kind in kinds else t for t in entry.tokens])
