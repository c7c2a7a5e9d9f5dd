"""Selection of turns: items from the tokens of a draft.

An item is a cell, a pass, a resignation or a swap, with the number and the color before it, and the sign between it and
the item before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from hexrec.tools.importing.draft_lines import DraftLine, has_turns, is_label, is_list
from hexrec.tools.importing.drafts import Draft
from hexrec.tools.importing.lexer import TURN_KINDS, Cell, Token
from hexrec.tools.importing.spelling import plain

#: The gap to the item before, if no sign of the text can join the two.
APART = "apart"
#: Signs between the cells of a turn, the strongest first. The sign of several is the strongest.
_JOINING = ("x", ">", "-", "/", "+", "(", "=", ":", "..", ",", ";", ".")
#: Signs that can join the last cell of a line to the first one of the next line.
_WITHIN = ("x", ">", "-", "/", "+")
_SAME = {"*": "x", "&": "+", "[": "("}
#: A place: the line and the column.
Place = tuple[int, int]
#: Comments by the place of the item before them.
Comments = dict[Place, list[str]]
#: The ways to select turns from the cells of a text, the strictest first.
MODES = ("strict", "numbered", "all")
#: Words of the second player who takes the first turn of the other: they exchange their colors.
_SWAPS = re.compile(r"\b(?:swap(?:s|ped)?|tausche?|tauscht)\b")
#: The number of the first messages with turns, among which the swap is.
_EARLY = 4


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
    def place(self) -> Place:
        """The line and the column."""
        return self.entry.line, self.entry.column + self.start


class Selection(NamedTuple):
    """The turns of a draft.

    Attributes:
        mode: one of the `MODES`.
        items: the items of turns.
        comments: the comments.
        speakers: the colors of the authors of messages.
        skipped: the cells and passes that are neither items nor in comments with signs of their own, with their lines.
    """

    mode: str
    speakers: Mapping[str, int]
    items: list[TurnPart]
    comments: Comments
    skipped: list[tuple[DraftLine, Token]]

    def left_out(self, is_known: Callable[[Cell], bool] = lambda _: False) -> tuple[int, bool]:
        """Return the number of skipped cells but for known ones, and whether a line without words has one."""
        skipped = [(entry, token) for entry, token in self.skipped if token.kind != "cell" or not is_known(token.value)]
        return len(skipped), any(all(token.kind != "word" for token in entry.tokens) for entry, _ in skipped)


def select(draft: Draft, mode: str, speakers: Mapping[str, int]) -> Selection:
    """Return the items of a draft, by one of the `MODES`; `speakers` are the colors of the authors of messages.

    - ``strict``: a word without a meaning begins a comment, up to the next number or the end of the line.
    - ``numbered``: the same, in lines that begin with a number.
    - ``all``: all cells are turns, except those in comments with signs of their own.
    """
    actors = draft.actors
    selection = Selection(mode, speakers, [], {}, [])
    ended = 0  # the comments of the last turn in its own line
    spoken = [entry for entry in draft.entries if entry.speaker and (has_turns(entry) or _swaps(entry))]
    swapped = next(filter(_swaps, spoken[:_EARLY]), None)
    number = color = None  # at the end of a line, before a turn on the next one
    sign = ""  # at the end of a line, within a turn
    for entry in draft.entries:
        if entry is swapped:
            swapped = None
        colors = speakers if swapped is None else {name: 1 - own for name, own in speakers.items()}
        listed = is_list(entry, alone=not draft.answers)
        first = next((token for token in entry.tokens if token.kind != "space"), None)
        if not sign and first is not None and (first.kind == "join" or first.value in ("+", "/")) and selection.items:
            sign = first.value  # as in "then c7" at the beginning of a line
        part = _EntrySelection(entry, actors, mode, selection, number, color, colors, listed, sign)
        part.run()
        items, comments = selection.items, selection.comments
        number = part.number if entry.tokens and entry.tokens[-1].kind == "number" else None
        sign = part.signs[-1] if part.signs and entry.tokens[-1].value in _WITHIN else ""
        color = part.color if mode == "all" and entry.speaker is None else None
        if items and items[-1].entry is entry:
            ended = len(comments.get(items[-1].place, ()))
        taken = {item.start for item in items[part.before :]} | part.explained
        selection.skipped.extend(
            (entry, token) for token in entry.tokens if token.kind in ("cell", "pass") and token.start not in taken
        )
    if selection.items and selection.items[-1].place in selection.comments:  # a line after the last turn is of the game
        del selection.comments[selection.items[-1].place][ended:]
    return selection


class _EntrySelection:
    """The items of one entry, added to those of a draft."""

    def __init__(
        self,
        entry: DraftLine,
        actors: Mapping[str, int],
        mode: str,
        selection: Selection,
        number: int | None,
        color: int | None,
        speakers: Mapping[str, int],
        listed: bool,
        sign: str,
    ) -> None:
        self.entry, self.actors, self.mode = entry, actors, mode
        self.items, self.comments = selection.items, selection.comments
        self.speaker = None if listed else speakers.get(entry.speaker or "")
        self.number, self.color = number, color
        self.before = len(self.items)
        self.explained: set[int] = set()  # the starts of tokens in comments with signs of their own
        self.apart, self.spaced, self.both = not sign, bool(sign), False
        self.signs = [sign] if sign else []

    def run(self) -> None:
        """Add the items of the entry."""
        stopped: int | None = None  # where a comment begins
        signed = False  # whether a sign begins it
        strict = self.mode in ("strict", "numbered")
        tokens = list(self._fold(self._tokens()))
        for index, token in enumerate(tokens):
            if stopped is not None:
                if token.kind != "number" or not self._continues(token, tokens[index + 1 : index + 3]):
                    if signed:
                        self.explained.add(token.start)
                    continue
                self._comment(self.entry.text[stopped : token.start])
                stopped, signed = None, False
            if token.kind == "word" and token.value not in self.actors:
                if strict and not (len(self.items) == self.before and is_label(tokens, index)):
                    while index and (
                        tokens[index - 1].kind in ("filler", "join", "space") or tokens[index - 1].value == "'"
                    ):
                        index -= 1
                    stopped = tokens[index].start
                    continue
                self.apart = True
            elif token.kind == "sign" and token.value in (";", "/") and strict and self._is_comment(tokens, index):
                stopped, signed = token.end, True
            else:
                self._take(token)
        if stopped is not None:
            self._comment(self.entry.text[stopped:])

    def _tokens(self) -> list[Token]:
        """Return the tokens among which turns are selected."""
        tokens = self.entry.tokens
        if self.mode == "numbered":
            first = next((token for token in tokens if token.kind not in ("space", "sign", "open")), None)
            return tokens if first is not None and first.kind == "number" else []
        return tokens

    def _continues(self, token: Token, after: list[Token]) -> bool:
        """Return whether a number in a comment goes on with the list of turns."""
        known = next((item.number for item in reversed(self.items) if item.number is not None), None)
        near = [following.kind for following in after if following.kind != "space"]
        following = (0, 1) if known is None else (known, known + 1)
        return token.value in following and near[:1] in (["cell"], ["pass"], ["color"], [])

    def _comment(self, text: str) -> None:
        text = " ".join(text.strip(" \t;/|*_#-–—,:.(){}[]\"'").split())
        if self.items and re.search(r"[^\W\d_]{2}", text):
            self.comments.setdefault(self.items[-1].place, []).append(text)

    def _take(self, token: Token) -> None:
        kind, value = token.kind, token.value
        if kind in TURN_KINDS:
            self._add(token)
        elif kind == "number":
            self.number, self.apart = value, True
        elif kind == "color":
            self.color, self.apart = value, True
        elif kind in ("word", "filler") and value in self.actors:
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
        elif kind == "sign" and value in ".!?" and self.mode == "all" and self.color is not None:
            self.color = None  # of another sentence
            self.signs.append(value)
        elif kind in ("join", "sign", "open"):
            self.signs.append(_SAME.get(value, value))
        elif kind == "filler":
            self.spaced = True

    def _add(self, token: Token) -> None:
        gap = APART if self.apart or token.kind != "cell" else self._gap()
        cell = token.value if token.kind == "cell" else None
        color = self.speaker if self.color is None else self.color
        item = TurnPart(token.kind, cell, gap, self.number, color, self.entry, token.start, token.end, token.reverse)
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

    def _fold(self, tokens: list[Token]) -> Iterator[Token]:
        """Yield tokens with parentheses folded: comments, colors after cells, or the tokens in them."""
        index = 0
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
            if (
                kinds == {"pass"}
                and index > 1
                and "dash" in {known.kind for known in tokens[max(0, index - 3) : index - 1]}
            ):
                index = closing + 1  # as in "-- (passt)"
                continue
            has_words = any(part.kind == "word" and part.value not in self.actors for part in inner)
            if kinds == {"color"} or (len(inner) == 1 and inner[0].kind == "word" and not has_words):
                color = inner[0].value if kinds == {"color"} else self.actors[inner[0].value]
                yield Token("suffix", color, token.start, tokens[closing].end)
            elif has_words or (kinds and ("number" in kinds or sum(part.kind == "cell" for part in inner) > 3)):
                if has_words or "number" in kinds:  # a comment, or a variation
                    self.explained.update(part.start for part in inner)
                text = self.entry.text[token.end : tokens[closing].start]
                yield Token("comment", text, token.start, tokens[closing].end)
            else:
                yield Token("sign", "(", token.start, token.end)
                yield from tokens[index:closing]
            index = closing + 1

    def _is_comment(self, tokens: list[Token], index: int) -> bool:
        """Return whether a comment begins at a semicolon or a pair of slashes: a word without a meaning follows."""
        if tokens[index].value == "/" and not any(token.value == "/" for token in tokens[index + 1 : index + 2]):
            return False
        return any(token.kind == "word" and token.value not in self.actors for token in tokens[index : index + 50])


def _swaps(entry: DraftLine) -> bool:
    return bool(_SWAPS.search(plain(entry.text)))
