"""Drafts of games: the neutral list that all readers make of their layouts, with facts and lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hexrec.tools.importing.draft_lines import DraftLine, has_turns, is_list
from hexrec.tools.importing.lexer import TURN_KINDS
from hexrec.tools.importing.results import Fact
from hexrec.tools.importing.spelling import color_of, plain
from hexrec.tools.importing.words import PARTICLES

#: The minimum number of words without a meaning around a cell in prose.
_PROSE = 2
#: The maximum number of lines of opening stones.
_START = 2


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
        ended: whether a line after the first turns states the result.
        numbers: the numbers before turns.
        headed: whether a heading, or a row of a table, begins it.
        name: its name in a table of turns.
        mention: the line of a conversation that begins it, perhaps only in passing; or 0.
        answers: the people of a correspondence, each of whom plays turns of their own only.
        doubt: the reason why it is not clear which lines are of the game; or None.
        last_author: the author of the last message with turns.
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
    last_author: str = ""
    _values: dict[str, list[Any]] = field(default_factory=dict, init=False)  # once the draft is complete

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
        author = self.value("author") or "I"
        pairs = [tuple(author if one == "I" else one for one in pair) for pair in self.values("pair")]
        pairs += filter(self._are_names, self.values("together"))
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
        authors = (fact.value for fact, _ in self.facts if fact.kind == "author")
        known = {*self.answers, *authors, *(one for pair in pairs for one in pair)}
        longer = {
            one
            for one in known
            if is_part(name, one) and plain(one) != plain(name) and not any(is_part(o, one) for o in others)
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
            ("he", "she", "they", "his", "her", "you", "opponent"), 1 - me
        )
    shared |= PARTICLES if len(words) > 1 else set()
    return {word: color for word, color in words.items() if word not in shared}
