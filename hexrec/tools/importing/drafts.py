"""Drafts of games: the neutral list that all readers make of their layouts, and its turns as items.

A draft has facts and lines with tokens. `select` makes items of the tokens: a cell, a pass, a resignation, with the
number and the color before it, and the sign between it and the item before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hexrec.tools.importing.lexer import Cell, Token
from hexrec.tools.importing.results import Fact
from hexrec.tools.importing.words import plain

#: The gap to the item before, if no sign of the text can join the two.
APART = "apart"
#: The kinds of tokens that stand for a turn, or a part of one.
TURN_KINDS = ("cell", "pass", "dash", "resign", "swap")
#: Signs between the cells of a turn, the strongest first. The sign of several is the strongest.
_JOINING = ("x", ">", "-", "/", "+", "(", "=", ":", "..", ",", ";", ".")
_SAME = {"*": "x", "&": "+", "[": "("}


class DraftLine(NamedTuple):
    """The tokens of a line, or of a cell of a table.

    Attributes:
        line: the 1-based line, or row.
        tokens: the tokens.
        text: the line.
        column: the 1-based column of the first character of `text`.
    """

    line: int
    tokens: list[Token]
    text: str
    column: int = 1


#: Comments by the place, line and column, of the item before them.
Comments = dict[tuple[int, int], list[str]]


class TurnPart(NamedTuple):
    """A cell, a pass, a dash, a resignation or a swap in the list of turns.

    Attributes:
        kind: the kind of the token.
        cell: the cell.
        gap: the sign between it and the item before, or APART.
        number: the number before it.
        color: the color before or after it, or of the player who is named there.
        entry: the entry that it is part of.
        start, end: its place in the text of the entry.
        reverse: whether the number of the cell comes before its letter.
    """

    kind: str
    cell: Cell | None
    gap: str
    number: int | None
    color: int | None
    entry: DraftLine
    start: int
    end: int
    reverse: bool = False

    @property
    def place(self) -> tuple[int, int]:
        """The line and the column."""
        return self.entry.line, self.entry.column + self.start


@dataclass
class Draft:
    """A game as a reader found it.

    Attributes:
        facts: the facts in the order of the text, each with its line.
        entries: the lines with turns, and those between them.
        first, last: the lines of the game.
        sheet: the name of the sheet of a workbook.
        inherited: facts of the file, of its name, or of games before, used where the draft has none of their kind.
        comments: the comments by line and column.
        by_color: whether each entry lists the turns of one color.
        is_table: whether the entries come from a table.
    """

    facts: list[tuple[Fact, int]] = field(default_factory=list)
    entries: list[DraftLine] = field(default_factory=list)
    first: int = 0
    last: int = 0
    sheet: str | None = None
    inherited: list[Fact] = field(default_factory=list)
    is_table: bool = False
    ended: bool = False
    numbers: list[int] = field(default_factory=list)
    headed: bool = False
    _values: dict[str, list[Any]] = field(default_factory=dict)  # once the draft is complete

    @property
    def has_turns(self) -> bool:
        """Whether an entry has a turn."""
        return any(token.kind in ("cell", "pass") for entry in self.entries for token in entry.tokens)

    def see(self, line: int) -> None:
        """Extend the draft to a line."""
        self.first = self.first or line
        self.last = max(self.last, line)

    def values(self, kind: str) -> list[Any]:
        """Return the different values of a kind of fact, those with a key first; else inherited ones."""
        if kind not in self._values:
            own = [fact for fact, _ in self.facts if fact.kind == kind]
            own = [fact for fact in own if fact.key] or own
            values: list[Any] = []
            for fact in own or [fact for fact in self.inherited if fact.kind == kind]:
                if fact.value not in values:
                    values.append(fact.value)
            self._values[kind] = values
        return self._values[kind]

    def value(self, kind: str) -> Any:
        """Return the first value of a kind of fact, or None."""
        return next(iter(self.values(kind)), None)

    def player(self, color: int) -> str | None:
        """Return the name of a player. The first of two numbered players has the first turn, so Black."""
        name: str | None = self.value(("black", "white")[color])
        if name is None and self.value("first") and self.value("second"):
            name = self.value(("first", "second")[color])
        pair, other = self.value("pair") or (), self.value(("white", "black")[color])
        if name is None and other in pair:
            name = pair[1 - pair.index(other)]
        return name

    @property
    def actors(self) -> dict[str, int]:
        """The words that name a player, with the color."""
        words: dict[str, int] = {}
        shared: set[str] = set()
        pair = self.value("pair") or ()
        named = [(self.player(0), 0), (self.player(1), 1)]
        for name, color in named if any(name for name, _ in named) else [*zip(pair, (0, 1), strict=False)]:
            for word in plain(name or "").replace("/", " ").split():
                if words.get(word, color) != color:
                    shared.add(word)
                words[word] = color
        if "i" in words:
            me = words["i"]
            words |= dict.fromkeys(("my", "me"), me) | dict.fromkeys(
                ("he", "she", "they", "his", "her", "opponent"), 1 - me
            )
        return {word: color for word, color in words.items() if word not in shared}


def select(draft: Draft, *, strict: bool) -> tuple[list[TurnPart], Comments]:
    """Return the items of a draft, and the comments.

    If `strict`, a word without a meaning begins a comment, up to the next number or the end of the line. Otherwise, all
    cells in the text are turns, except those in comments with signs of their own.
    """
    actors = draft.actors
    items: list[TurnPart] = []
    comments: Comments = {}
    ended = 0  # the comments of the last turn in its own line
    number: int | None = None  # at the end of a line, before a turn on the next one
    for entry in draft.entries:
        selection = _Selection(entry, actors, strict, items, comments, number)
        selection.run()
        number = selection.number if entry.tokens and entry.tokens[-1].kind == "number" else None
        if items and items[-1].entry is entry:
            ended = len(comments.get(items[-1].place, ()))
    if items and items[-1].place in comments:  # a line after that of the last turn is about the game
        del comments[items[-1].place][ended:]
    return items, comments


class _Selection:
    """The items of one entry, added to those of a draft."""

    def __init__(
        self,
        entry: DraftLine,
        actors: Mapping[str, int],
        strict: bool,
        items: list[TurnPart],
        comments: Comments,
        number: int | None,
    ) -> None:
        self.entry, self.actors, self.strict, self.items, self.comments = entry, actors, strict, items, comments
        self.number = number
        self.color: int | None = None
        self.apart, self.spaced, self.both = True, False, False
        self.signs: list[str] = []

    def run(self) -> None:
        """Add the items of the entry."""
        stopped: int | None = None  # where a comment begins
        before = len(self.items)
        tokens = list(_fold(self.entry, self.actors))
        for index, token in enumerate(tokens):
            if stopped is not None:
                if token.kind != "number" or not self._continues(token, tokens[index + 1 : index + 3]):
                    continue
                self._comment(self.entry.text[stopped : token.start])
                stopped = None
            if token.kind == "word" and token.value not in self.actors:
                if self.strict and not (len(self.items) == before and _is_label(tokens, index)):
                    stopped = token.start
                    continue
                self.apart = True
            elif (
                token.kind == "sign"
                and token.value in (";", "/")
                and self.strict
                and _is_comment(tokens, index, self.actors)
            ):
                stopped = token.end
            else:
                self._take(token)
        if stopped is not None:
            self._comment(self.entry.text[stopped:])

    def _continues(self, token: Token, after: list[Token]) -> bool:
        """Return whether a number in a comment goes on with the list of turns."""
        known = next((item.number for item in reversed(self.items) if item.number is not None), None)
        near = [following.kind for following in after if following.kind != "space"]
        return (
            known is not None and token.value in (known, known + 1) and near[:1] in (["cell"], ["pass"], ["color"], [])
        )

    def _comment(self, text: str) -> None:
        text = " ".join(text.strip(' \t;/|*_#-–—,:.(){}[]"').split())
        if self.items and sum(char.isalpha() for char in text) > 1:
            self.comments.setdefault(self.items[-1].place, []).append(text)

    def _take(self, token: Token) -> None:
        kind, value = token.kind, token.value
        if kind in TURN_KINDS:
            self._add(token)
        elif kind == "number":
            self.number, self.apart = value, True
        elif kind == "color":
            self.color, self.apart = value, True
        elif kind == "word":
            self.color, self.apart = self.actors[value], True
        elif kind == "suffix":
            if self.items and self.items[-1].entry is self.entry:
                self.items[-1] = self.items[-1]._replace(color=value)
            self.apart = True
        elif kind == "comment":
            self._comment(value)
        elif kind == "both":
            self.both = True
        elif kind == "space":
            self.spaced = True
        elif kind == "sign" and value == "|":
            self.apart = True
        elif kind in ("join", "sign", "open"):
            self.signs.append(_SAME.get(value, value))
        elif kind == "filler":
            self.spaced = True

    def _add(self, token: Token) -> None:
        gap = APART if self.apart or token.kind != "cell" else self._gap()
        cell = token.value if token.kind == "cell" else None
        item = TurnPart(
            token.kind, cell, gap, self.number, self.color, self.entry, token.start, token.end, token.reverse
        )
        self.items.append(item)
        if self.both and token.kind == "pass":
            self.items.append(item._replace(number=None, color=None))
        self.number = self.color = None
        self.both, self.spaced, self.apart, self.signs = False, False, token.kind != "cell", []

    def _gap(self) -> str:
        """Return the sign between two cells: the strongest, with spaces around a hyphen that has some."""
        sign = next((sign for sign in _JOINING if sign in self.signs), None)
        if sign is None:
            return " " if self.spaced else ""
        return " - " if sign == "-" and self.spaced else sign


def _fold(entry: DraftLine, actors: Mapping[str, int]) -> Iterator[Token]:
    """Yield the tokens of an entry with parentheses folded: comments, colors after cells, or the tokens in them."""
    tokens, index = entry.tokens, 0
    while index < len(tokens):
        token = tokens[index]
        index += 1
        if token.kind != "open":
            yield token
            continue
        closing = next(
            (at for at in range(index, min(index + 200, len(tokens))) if tokens[at].kind in ("close", "open")), None
        )
        if closing is None or tokens[closing].kind == "open":
            yield Token("sign", "(", token.start, token.end)
            continue
        inner = [part for part in tokens[index:closing] if part.kind not in ("space", "sign", "filler")]
        kinds = {part.kind for part in inner}
        if kinds == {"color"} or (len(inner) == 1 and inner[0].kind == "word" and inner[0].value in actors):
            color = inner[0].value if kinds == {"color"} else actors[inner[0].value]
            yield Token("suffix", color, token.start, tokens[closing].end)
        elif any(part.kind == "word" and part.value not in actors for part in inner) or (
            kinds and ("number" in kinds or sum(part.kind == "cell" for part in inner) > 3)
        ):
            yield Token("comment", entry.text[token.end : tokens[closing].start], token.start, tokens[closing].end)
        else:
            yield Token("sign", "(", token.start, token.end)
            yield from tokens[index:closing]
        index = closing + 1


def _is_label(tokens: list[Token], index: int) -> bool:
    """Return whether a word at the start of a line belongs to a label that a colon ends."""
    for token in tokens[index : index + 8]:
        if token.kind == "sign" and token.value in (":", "|"):
            return True
        if token.kind in TURN_KINDS:
            return False
    return False


def _is_comment(tokens: list[Token], index: int, actors: Mapping[str, int]) -> bool:
    """Return whether a comment begins at a semicolon or a pair of slashes: a word without a meaning follows."""
    if tokens[index].value == "/" and not any(token.value == "/" for token in tokens[index + 1 : index + 2]):
        return False
    return any(token.kind == "word" and token.value not in actors for token in tokens[index : index + 50])


def interleave(items: Iterable[TurnPart]) -> list[TurnPart] | None:
    """Return items that are listed by color in the order of the game; None for other lists."""
    lists: dict[int, list[TurnPart]] = {0: [], 1: []}
    color, changes = None, 0
    for item in items:
        if item.color is not None and item.color != color:
            color, changes = item.color, changes + 1
        if color is None:
            return None
        lists[color].append(item)
    if changes != 2 or min(len(lists[0]), len(lists[1])) < 2:
        return None
    return None if not lists[0] else [*_alternate(lists[0], lists[1])]


def _alternate(first: list[TurnPart], second: list[TurnPart]) -> Iterator[TurnPart]:
    """Yield the turns of two colors in turn, each with all of its cells."""
    turns = [[*_turns(first)], [*_turns(second)]]
    for index in range(max(map(len, turns))):
        for color in (0, 1):
            if index < len(turns[color]):
                yield from turns[color][index]


def _turns(items: list[TurnPart]) -> Iterator[list[TurnPart]]:
    """Yield items grouped by turns: hyphens and other joining signs go on with a turn."""
    turn: list[TurnPart] = []
    for item in items:
        if turn and item.gap in (APART, " ", ",", ";", "."):
            yield turn
            turn = []
        turn.append(item._replace(gap=APART if not turn else item.gap, color=None))
    if turn:
        yield turn
