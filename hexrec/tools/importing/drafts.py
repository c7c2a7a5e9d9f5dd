"""Drafts of games: the neutral list that all readers make of their layouts, and its turns as items.

A draft has facts and lines with tokens. `select` makes items of the tokens: a cell, a pass, a resignation, with the
number and the color before it, and the sign between it and the item before.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any, NamedTuple

from hexrec.tools.importing.lexer import TURN_KINDS, Cell, Token
from hexrec.tools.importing.results import Fact
from hexrec.tools.importing.words import PARTICLES, color_of, plain

#: The gap to the item before, if no sign of the text can join the two.
APART = "apart"
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
        speaker: the author of the message that the line is part of.
    """

    line: int
    tokens: list[Token]
    text: str
    column: int = 1
    speaker: str | None = None


#: A place: the line and the column.
Place = tuple[int, int]
#: Tables of games whose turns are elsewhere: the names that a row can have, and its facts.
Register = list[tuple[set[str], list[Fact]]]
#: The kinds of facts in which a game and its row agree, if both have them.
_IDENTIFYING = ("game", "size", "black", "white")
#: Comments by the place of the item before them.
Comments = dict[Place, list[str]]
#: The ways to select turns from the cells of a text, the strictest first.
NO_SPEAKERS: Mapping[str, int] = {}
MODES = ("strict", "numbered", "all")
#: The minimum number of words without a meaning around a cell in prose.
_PROSE = 2
#: The maximum number of lines of opening stones.
_START = 2
#: The minimum number of turns and cells that show that two lists are of the same game.
_REPEATED = 3
#: Words of the second player who takes the first turn of the other: they exchange their colors.
_SWAPS = re.compile(r"\b(?:swap(?:s|ped)?|tausche?|tauscht)\b")
#: The number of lines before a message in which its turns may be, more than a game has.
_REACH = 400
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


@dataclass
class Draft:
    """A game as a reader found it.

    Attributes:
        facts: the facts in the order of the text, each with its line.
        entries: the lines with turns, and those between them.
        has_turns: whether an entry has a turn.
        order: the places of the lines of the game in the order of time; a mail may quote an older one below itself.
        sheet: the name of the sheet of a workbook.
        inherited: facts of the file, of its name, or of games before, used where the draft has none of their kind.
        texts: the lines of text, and the cells of tables.
        hidden: the number of cells in words that state other facts.
        is_table: whether it is a whole row or column of a table.
        name: its name in a table of turns.
        mention: the line of a conversation that begins it, perhaps only in passing; or 0.
        answers: the people of a correspondence, each of whom plays turns of their own only.
        doubt: the reason why it is not clear which lines are of the game; or None.
    """

    facts: list[tuple[Fact, int]] = field(default_factory=list)
    entries: list[DraftLine] = field(default_factory=list)
    has_turns: bool = False
    order: dict[int, int] = field(default_factory=dict)
    sheet: str | None = None
    inherited: list[Fact] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    hidden: int = 0
    is_table: bool = False
    ended: bool = False
    numbers: list[int] = field(default_factory=list)
    headed: bool = False
    name: str | None = None
    mention: int = 0
    answers: Sequence[str] = ()
    doubt: str | None = None
    _author: str = ""  # of the last message with turns
    _values: dict[str, list[Any]] = field(default_factory=dict)  # once the draft is complete

    @property
    def speakers(self) -> list[str]:
        """The authors of messages with turns of their own, in order: those without numbers, which lists have."""
        return [*dict.fromkeys(self._authors())]

    @property
    def has_speakers(self) -> bool:
        """Whether a message has turns of its author."""
        return any(self._authors())

    def _authors(self) -> Iterator[str]:
        entries = (entry for entry in self.entries if entry.speaker is not None and has_turns(entry))
        return (str(entry.speaker) for entry in entries if not is_list(entry, alone=not self.answers))

    @property
    def is_prose(self) -> bool:
        """Whether no more than one cell looks like a turn, as v3 does in a line of words."""
        turns = [entry for entry in self.entries for token in entry.tokens if token.kind in TURN_KINDS]
        return len(turns) == 1 and sum(token.kind == "word" for token in turns[0].tokens) >= _PROSE

    @property
    def is_start(self) -> bool:
        """Whether the only turns are two cells, one of each color: opening stones."""
        if len(self.entries) > _START:
            return False
        tokens = [token for entry in self.entries for token in entry.tokens if token.kind in (*TURN_KINDS, "color")]
        return [token.kind for token in tokens] in (["color", "cell"] * 2, ["cell", "color"] * 2)

    @property
    def names(self) -> set[str]:
        """The names that a table of games can have for it."""
        pairs = map(" ".join, self.values("pair"))
        return {*map(name_of, filter(None, (self.name, self.sheet, *map(str, self.values("index")), *pairs)))}

    def see(self, line: int) -> None:
        """Extend the draft to a line."""
        self.order.setdefault(line, len(self.order))

    @property
    def first(self) -> int:
        """The first line."""
        return min(self.order, default=0)

    @property
    def last(self) -> int:
        """The last line."""
        return max(self.order, default=0)

    def is_begun_by(self, tokens: Sequence[Token]) -> bool:
        """Return whether tokens have the first turns of the draft."""
        first = turns_of(tokens)
        turns = chain.from_iterable(turns_of(entry.tokens) for entry in self.entries)
        return first == [*islice(turns, len(first))]

    def settle(self, start: int, author: str) -> None:
        """Settle the last message, whose entries begin at an index: each turn stays once.

        Next to a line that is nothing but turns, cells in sentences are talk. Turns may repeat those before them.
        """
        before = [index for index in range(max(0, start - _REACH), start) if has_turns(self.entries[index])]
        is_told = bool(before)  # else the opening may be in a sentence before the first turn
        for index, entry in enumerate(own := self.entries[start:]):
            is_told = is_told or (has_turns(entry) and not _is_talk(entry))
            if is_told and _is_talk(entry) and any(has_turns(other) and not _is_talk(other) for other in own):
                self.entries[start + index] = _as_talk(entry)
        told = [entry for entry in self.entries[start:] if has_turns(entry)]
        turns, numbers = _all_turns(told), [_number_of(entry) for entry in told]
        is_list = numbers == [*range(1, len(told) + 1)][: len(told) * (len(told) > 1)]
        is_list = bool(told) and None not in numbers[:1] and (is_list or any(len(turns_of(e.tokens)) > 1 for e in told))
        if self.answers and is_list:  # turns of both
            self.entries[start:] = [entry._replace(speaker=None) for entry in self.entries[start:]]
        last, self._author = self._author, author if told else self._author
        if not told or not before:
            return
        if len(told) == 1 and numbers[0] is None:  # it can only go on with the last turns
            before = before[-len(turns) :]
        for index in before:
            number = _number_of(self.entries[index])
            begins_here = number == numbers[0] or (number is None and (numbers[0] in (0, 1) or index == before[-1]))
            known = _all_turns(self.entries[index:start]) if begins_here or index == before[-1] else []
            if begins_here and turns[: len(known)] == known[: len(turns)]:
                if len(turns) > len(known):
                    if is_list:
                        del self.entries[index:start]
                    else:
                        self.entries[start:] = _without_first(self.entries[start:], len(known))
                    return
                if len(turns) > 1 or (numbers[0] is not None and len(turns) < len(known)):
                    break
        else:
            if last != author or known[-len(turns) :] != turns:
                if self.answers and is_list and numbers[0] in [_number_of(self.entries[index]) for index in before]:
                    self.doubt = f"the turns in line {told[0].line} differ from those before: correct the turns there"
                return
        self.entries[start:] = [entry for entry in self.entries[start:] if not has_turns(entry)]

    def values(self, kind: str) -> list[Any]:
        """Return the different values of a kind of fact, those with a key first; else inherited ones."""
        if kind not in self._values:
            own = [fact for fact, _ in self.facts if fact.kind == kind]
            own = [fact for fact in own if fact.key and kind != "claim"] or own
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
        names = self.values(("black", "white")[color])
        names = [name for name in names if name != "I"] or names
        name: str | None = max(names, key=len, default=None)
        if any(plain(other) not in plain(name or "") for other in names):
            return None  # two names of a color
        if name is None:
            name = self.value(("first", "second")[color])
        others = [*self.values(("white", "black")[color]), *self.values(("second", "first")[color])]
        pairs = [*self.values("pair"), *filter(self._are_names, self.values("together"))]
        first = self.value("first is")
        if name is None:
            known = [*pairs, self.answers] if len(self.answers) == 2 else pairs
            name = next((one for other in others for pair in known if (one := _other_of(pair, other))), None)
        if name is None and pairs and first is not None:
            name = pairs[0][color != first]
        if (
            name is not None
            and name.endswith(".")
            and any(re.search(rf"{re.escape(name[:-1])}(?=[\s,;:)])", text) for text in self.texts)
        ):
            name = name[:-1]  # the dot is of a sentence
        if name is None or color_of(name) is not None:
            return None
        is_key = any(fact.key and fact.value == name for fact, _ in self.facts)  # as in "Black: Ada"
        return name if is_key else self._full_name(name, others)

    def _full_name(self, name: str, others: Sequence[str]) -> str:
        """Return the only longer form of a name that the text has, as Ada Moss for Ada; else the name."""
        pairs = [*self.values("pair"), *self.values("together")]
        known = {*self.answers, *self.values("author"), *(one for pair in pairs for one in pair)}
        longer = {
            one for one in known if is_part(name, one) and one != name and not any(is_part(o, one) for o in others)
        }
        return longer.pop() if len(longer) == 1 else name

    @property
    def author(self) -> str:
        """The name of the author, or "I"."""
        own = (self.player(color) for color in (0, 1) if "I" in self.values(("black", "white")[color]))
        return next(filter(None, own), None) or self.value("author") or "I"

    def _are_names(self, pair: Sequence[str]) -> bool:
        """Return whether two words are names: in upper case, or named in a result."""
        claimed = " ".join(str(claim.winner or claim.loser) for claim in self.values("claim")).split()
        return all(not name.islower() or not name.isalpha() or name in claimed for name in pair)

    @property
    def actors(self) -> dict[str, int]:
        """The words that name a player, with the color."""
        named = {color: name for color in (0, 1) if (name := self.player(color))}
        return actors_of(named or dict(enumerate(self.value("pair") or ())), self.author)


def is_part(name: str, longer: str) -> bool:
    """Return whether the words of a name are the first or the last of a longer one."""
    words, of = (re.split(r"[\s_]+", plain(text)) for text in (name, longer))
    return words in (of[: len(words)], of[-len(words) :])


def _other_of(pair: Sequence[str], name: str) -> str | None:
    """Return the other one of a pair of players, or None if the name is of neither or may be of both."""
    others = [pair[1 - place] for place, one in enumerate(pair) if is_part(name, one)]
    return others[0] if len(others) == 1 else None


def actors_of(names: Mapping[int, str], author: str) -> dict[str, int]:
    """Return the words that name a player, with the color, given the names by color and that of the author."""
    words: dict[str, int] = {}
    shared: set[str] = set()
    for color, name in names.items():
        for word in plain(name).replace("/", " ").split():
            if words.get(word, color) != color:
                shared.add(word)
            words[word] = color
    if (me := next((color for color, name in names.items() if name == author), None)) is not None:
        words["i"] = me
        words |= dict.fromkeys(("my", "me"), me) | dict.fromkeys(
            ("he", "she", "they", "his", "her", "opponent"), 1 - me
        )
    shared |= PARTICLES if len(words) > 1 else set()
    return {word: color for word, color in words.items() if word not in shared}


def name_of(text: str) -> str:
    """Return the name of a game in a table, so that another table has the same."""
    return " ".join(word for word in re.findall(r"\w+", plain(text)) if word not in ("v", "vs"))


def look_up(drafts: Sequence[Draft], register: Register) -> None:
    """Add the facts of tables of games to the games whose turns are elsewhere, by their names."""
    rows = Counter(name for names, _ in register for name in names)
    games = Counter(name for draft in drafts for name in draft.names)
    for draft in drafts:
        known = {name for name in draft.names if rows[name] == games[name] == 1}
        stated = {(fact.kind, fact.value) for fact, _ in draft.facts if fact.kind in _IDENTIFYING}
        for names, facts in register:
            kinds = {fact.kind for fact in facts}
            differ = {
                kind for kind, _ in stated - {(fact.kind, fact.value) for fact in facts if fact.kind in _IDENTIFYING}
            }
            if names & known and not differ & kinds:
                draft.is_table = True
                draft.inherited = facts + [
                    fact
                    for fact in draft.inherited
                    if not {fact.kind, "game"} & kinds or fact.kind in ("event", "site")
                ]


def drop_repeated(drafts: Sequence[Draft]) -> list[Draft]:
    """Return drafts without those that the next one repeats, perhaps with more turns; it keeps their facts."""
    kept: list[Draft] = []
    for draft in drafts:
        turns = _turn_tokens(draft)
        while kept and turns[: len(before := _turn_tokens(kept[-1]))] == before:
            if len(before) < _REPEATED or kept[-1].is_table:
                break
            known = {fact.kind for fact, _ in draft.facts}
            draft.texts[:0] = kept[-1].texts
            draft.facts[:0] = [(fact, line) for fact, line in kept.pop().facts if fact.kind not in known]
        kept.append(draft)
    return kept


def _turn_tokens(draft: Draft) -> list[Any]:
    tokens = (token for entry in draft.entries for token in entry.tokens if token.kind in ("cell", "pass"))
    return [(token.kind, token.value if token.kind == "cell" else None) for token in tokens]


def _swaps(entry: DraftLine) -> bool:
    return bool(_SWAPS.search(plain(entry.text)))


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


def _all_turns(entries: Iterable[DraftLine]) -> list[tuple[Any, ...]]:
    return [turn for entry in entries for turn in turns_of(entry.tokens)]


def _without_first(entries: Iterable[DraftLine], count: int) -> Iterator[DraftLine]:
    """Yield lines without a number of turns at their beginning."""
    for entry in entries:
        tokens, own = entry.tokens, len(turns_of(entry.tokens))
        while tokens and count and own - len(turns_of(tokens)) < min(count, own):
            tokens = tokens[1:]
        yield entry._replace(tokens=tokens)
        count -= min(count, own)


def _number_of(entry: DraftLine) -> int | None:
    """Return the number before the first turn of a line, or None."""
    first = next((token for token in entry.tokens if token.kind in ("number", *TURN_KINDS)), None)
    return first.value if first is not None and first.kind == "number" else None


def is_list(entry: DraftLine, *, alone: bool) -> bool:
    """Return whether a line is of a list of turns: with a number, and with several turns unless one `alone` is."""
    numbered = any(token.kind == "number" for token in entry.tokens)
    return numbered and (alone or len(turns_of(entry.tokens)) > 1)


def _is_talk(entry: DraftLine) -> bool:
    """Return whether a line has words that are no label of a turn."""
    tokens = [token for token in entry.tokens if token.kind != "space"]
    return any(token.kind == "word" and not _is_label(tokens, index) for index, token in enumerate(tokens))


def _as_talk(entry: DraftLine) -> DraftLine:
    """Return a line whose cells are words."""
    kinds = ("number", *TURN_KINDS)
    return entry._replace(tokens=[t._replace(kind="word") if t.kind in kinds else t for t in entry.tokens])


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


def select(draft: Draft, mode: str, speakers: Mapping[str, int] = NO_SPEAKERS) -> Selection:
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
    for entry in draft.entries:
        if entry is swapped:
            swapped = None
        colors = speakers if swapped is None else {name: 1 - own for name, own in speakers.items()}
        listed = is_list(entry, alone=not draft.answers)
        part = _EntrySelection(entry, actors, mode, selection, number, color, colors, listed)
        part.run()
        items, comments = selection.items, selection.comments
        number = part.number if entry.tokens and entry.tokens[-1].kind == "number" else None
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
    ) -> None:
        self.entry, self.actors, self.mode = entry, actors, mode
        self.items, self.comments = selection.items, selection.comments
        self.speaker = None if listed else speakers.get(entry.speaker or "")
        self.number, self.color = number, color
        self.before = len(self.items)
        self.explained: set[int] = set()  # the starts of tokens in comments with signs of their own
        self.apart, self.spaced, self.both = True, False, False
        self.signs: list[str] = []

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
                if strict and not (len(self.items) == self.before and _is_label(tokens, index)):
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


def _is_label(tokens: list[Token], index: int) -> bool:
    """Return whether a word at the start of a line belongs to a label that a colon ends."""
    for token in tokens[index : index + 8]:
        if token.kind == "sign" and token.value in (":", "|"):
            return True
        if token.kind in TURN_KINDS:
            return False
    return False


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


def sort_by_number(items: Sequence[TurnPart]) -> list[TurnPart] | None:
    """Return items in the order of their numbers, if those are complete but in columns side by side; else None."""
    groups: list[list[TurnPart]] = []
    for item in items:
        if item.number is not None or not groups:
            groups.append([])
        groups[-1].append(item)
    numbers = [group[0].number for group in groups if group[0].number is not None]
    if len(numbers) < len(groups) or len(numbers) < 4 or numbers == sorted(numbers):
        return None
    if sorted(numbers) != [*range(min(numbers), min(numbers) + len(numbers))]:
        return None
    return [item for group in sorted(groups, key=lambda group: group[0].number or 0) for item in group]


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
