"""Columns of tables: the meaning of a heading, and what the cells below it show."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from hexrec.rules.terms import COLORS
from hexrec.tools.importing.facts import find_dates, find_facts, game_names
from hexrec.tools.importing.layouts import SourceLine, TableCell
from hexrec.tools.importing.lexer import TURN_KINDS, has_tokens, lex
from hexrec.tools.importing.openings import opening_stones
from hexrec.tools.importing.results import find_termination
from hexrec.tools.importing.spelling import color_of, plain
from hexrec.tools.importing.words import KEYS, LOST, WON

#: The kinds of columns that state facts about a game.
FACTS = (
    *("game", "index", "size", "black", "white", "players", "opening", "opening black", "opening white", "pie"),
    *("result", "winner", "termination", "score", "date", "event", "site", "round", "variant", "coordinates"),
)
#: Signs between the cells of one turn.
_JOINING = ("-", "/", ">", "+", "*", "&")
#: Words of headings and of questions on forms, apart from the fact.
_ASKING = frozenset(
    re.findall(
        r"\w+",
        "who which was were is the of a an did does do you your played playing plays player players name names as"
        " with on del de des du der van di la el le het please enter list used for in spieler joueur jugador speler"
        " giocatore first what",
    )
)
#: Words for an opening stone.
STONE = re.compile(
    r"(?:anfangs|start|eröffnungs|begin|opening)?"
    r"(?:stones?|stacks?|eggs?|steine?|stapel|pierres?|piedras?|pietr[ae]|torre|torri|tours?|t[uü]rme?|huevos?|steen|stenen)"
)
#: A date or a time of a row, which no heading has.
_STAMP = re.compile(r"\d{4}-\d\d-\d\d|\d\d?:\d\d")
#: The last words of headings of identifiers.
_IDENTIFIERS = ("id", "uuid", "guid", "key", "ref", "fk", "hash", "code")
#: Initials of colors in other languages than English, and numbers of players: the first has the first turn.
_SIDES = [
    {black: 0, white: 1} for black, white in ("sw", "nb", "zw", "12", "01", ("p1", "p2"), ("player 1", "player 2"))
]
#: The kind of a column that answers whether a game ended as its heading says.
FLAG = "flag"
#: The maximum number of characters of a heading, such as a question on a form.
_LONGEST = 200
#: The maximum number of words of a name above a column.
_LONG_NAME = 4
#: Headings of columns of turns by place: ``1``, ``move 1``, ``m1``, ``ply 12``.
COUNTED = re.compile(r"(?:[^\W\d_]{0,6}[ ._-]?)?#?\d{1,3}[.:]?$")
#: Kinds of columns that every cell shows by itself.
_CONTENTS: dict[str, Callable[[str], bool]] = {
    "game": lambda text: plain(text) in game_names(),
    "date": lambda text: bool([*find_dates(plain(text))]),
    "result": lambda text: bool(find_facts(text, "claim")),
    "termination": lambda text: find_termination(plain(text)) is not None,
    "opening": lambda text: {*opening_stones(plain(text))} == {0, 1},
    "color": lambda text: color_of(text) is not None,
}


@dataclass
class TableColumn:
    """A column of a table.

    Attributes:
        heading, label: its heading, and the same in lower case.
        kind: the meaning: a kind of `KEYS`, or empty.
        color: the color whose turns it has.
        texts: its cells that are not empty.
    """

    label: str
    kind: str
    heading: str = ""
    color: int | None = None
    texts: list[str] = field(default_factory=list)

    @property
    def has_colors(self) -> bool:
        """Whether all cells name colors."""
        return bool(self.texts) and all(color_of(text) is not None for text in self.texts)

    @property
    def sides(self) -> dict[str, int]:
        """The colors that its cells name by initials or numbers, as S and W, N and B, 1 and 2."""
        names = {*map(plain, self.texts)}
        return next((sides for sides in _SIDES if self.kind == "color" and names == sides.keys()), {})

    @property
    def lettered(self) -> set[bool]:
        """Whether the cells in its turns have letters, or are pairs of numbers."""
        tokens = (token for text in self.texts for token in lex(plain(text))) if self.kind in ("turn", "moves") else ()
        return {token.value.lettered for token in tokens if token.kind == "cell"}

    @property
    def counts(self) -> bool:
        """Whether its cells are the first numbers in their order, with a number for each but the opening stones."""
        numbers = [int(text) for text in self.texts if text.isdigit()]
        start = numbers.count(0)
        counted = [*range(1, len(numbers) - start + 1)]
        return len(numbers) == len(self.texts) > 2 and start <= 2 and numbers == [0] * start + counted

    def settle(self) -> None:
        """Decide by the contents between meanings of a heading, and what an unknown heading means."""
        turns = [turn_count(text) for text in self.texts]
        has_turns = sum(count > 0 for count in turns) * 2 > len(turns)
        if self.kind in ("", "color", "round") and not any(
            has_tokens(plain(text), "cell", "pass") for text in self.texts
        ):
            has_turns = False  # such as ends by resignation
        most = 1 if self.kind == "moves" else 2
        many = sum(count > most for count in turns) * 2 > len(turns)
        numbers = bool(self.texts) and sum(text.strip("#. ").isdigit() for text in self.texts) * 2 > len(self.texts)
        if self.kind == "opening" and self.has_colors:
            self.kind = "color"  # headed "stone"
        elif self.kind == "number" and len(self.texts) > 2 and len({*self.texts}) == 1:
            self.kind = "round"
        elif self.kind == "size" and numbers and self.counts:
            self.kind = "number"  # headed "n"
        elif self.kind in ("black", "white") and has_turns:
            self.color = int(self.kind == "white")
            self.kind = "moves" if many else "turn"
        elif self.kind in ("opening", "opening black", "opening white"):
            pass
        elif many and self.kind not in ("comment", "players"):
            self.kind = "moves"
        elif has_turns and self.kind in ("", "turn", "number", "moves", "color", "text", "round"):
            self.kind = "turn"
        elif self.kind == "turn" and numbers:
            self.kind = "number"
        elif self.kind == "turn" and self.texts and not any(turns):
            self.kind = "color" if self.has_colors else ""
        elif self.kind == "color" and numbers and not self.sides:
            self.kind = "size"  # headed "side"
        elif (self.kind == "game" and not any(name in plain(text) for text in self.texts for name in game_names())) or (
            self.kind == "number" and not numbers and self.texts
        ):
            self.kind = "index"
        if self.kind == "turn" and (players := find_facts(self.heading, *COLORS)):
            self.color = COLORS.index(players[0].kind)
        if self.kind in ("", "index", "variant", "color", "text", "site") and self.texts:
            self.kind = next((kind for kind, fits in _CONTENTS.items() if all(map(fits, self.texts))), self.kind)


def turn_count(text: str) -> int:
    """Return the number of turns in a text of nothing but turns, else 0: signs such as hyphens join cells to one."""
    tokens = lex(plain(text))
    if any(token.kind == "word" for token in tokens):
        return 0
    count, joined = 0, False
    for token in tokens:
        if token.kind in TURN_KINDS:
            count += not joined or token.kind != "cell"
            joined = False
        else:
            joined = joined or token.kind == "join" or (token.kind == "sign" and token.value in _JOINING)
    return count


def label_of(part: TableCell) -> str:
    """Return a heading in lower case, without signs around it, its number as a word: ``player1`` is ``player 1``."""
    return re.sub(r"(?<=[^\W\d_]{4})(?=\d$)", " ", plain(part.text).replace("_", " ").strip(" :*\"'?"))


def heading_kind(part: TableCell) -> str | None:
    """Return the kind of facts by a heading, such as ``Board (cells per side)`` or ``Who played Black?``."""
    return kind_of_label(label_of(part))


@lru_cache(maxsize=1000)
def kind_of_label(label: str) -> str | None:
    """Return the kind of facts by the label of a heading, or None."""
    if len(label) > _LONGEST:
        return None
    if label not in KEYS and has_tokens(label, "cell"):
        return None
    note = re.search(r"\(([^()]*)\)$", label)
    bare = re.sub(r"\s*\(.*?\)", "", label)
    is_name = len(bare.split()) <= _LONG_NAME and not has_tokens(bare, "cell")
    if note and is_name and (color := color_of(note[1])) is not None:
        if any(map(STONE.fullmatch, bare.split())):
            return f"opening {COLORS[color]}"
        return COLORS[color] if KEYS.get(bare, "color") in (*COLORS, "color") else f"opening {COLORS[color]}"
    words = [word.removesuffix("'s") for word in bare.split() if word not in _ASKING]
    if len(words) > _LONG_NAME and (WON.search(label) or LOST.search(label)):
        return None  # a sentence about the result
    others = [word for word in words if color_of(word) is None]
    colors = {color_of(word) for word in words} - {None}
    if words and words[-1] in _IDENTIFIERS and {KEYS.get(word) for word in words[:-1]} <= {"game", "event", "index"}:
        return "index"  # as in "game_uuid"
    if any(map(STONE.fullmatch, others)) and not colors and label not in KEYS:
        colors = {index for index, word in enumerate(("first", "second")) if word in bare.split()}
    kind = KEYS.get(label) or KEYS.get(bare) or KEYS.get(" ".join(words)) or KEYS.get(" ".join(others))
    if kind is None and (each := {known for word in others if (known := KEYS.get(word, word)) != "color"}):
        kind = each.pop() if len(each) == 1 and each < {*KEYS.values()} else None  # as in "lado del tablero"
    if not colors and any(map(STONE.fullmatch, others)):
        return kind or "opening"
    if len(colors) != 1:
        return kind or (FLAG if find_termination(label) and len(words) < 3 else None)
    side = COLORS[colors.pop() or 0]
    if kind == "opening" or any(map(STONE.fullmatch, others)):
        return f"opening {side}"
    return side if not others else kind if kind not in (None, "turn") and KEYS.get(label) else None


def is_header(line: str, delimiter: str) -> bool:
    """Return whether a line of text has the headings of a table."""
    return is_heading_row(
        SourceLine(1, line, tuple(TableCell(part.strip(' "'), 1, 1) for part in line.split(delimiter)))
    )


def is_heading_row(row: SourceLine) -> bool:
    """Return whether a row has headings: two known ones, or numbers in a row next to a known one."""
    filled = row.filled
    counted = [part for part in filled if COUNTED.match(label_of(part))]
    numbers = [int(re.findall(r"\d+", part.text)[0]) for part in counted]
    places = [filled.index(part) for part in counted]
    in_a_row = all(after - before in (0, 1) for run in (numbers, places) for before, after in pairwise(run))
    if len(numbers) > 2 and in_a_row:
        filled = [part for part in filled if part not in counted]
        if any(turn_count(part.text) for part in filled):
            return False
        return any(map(heading_kind, filled))
    if (
        len(filled) == 2
        and heading_kind(filled[0]) in ("result", "winner", "pie")
        and (color_of(re.split(r"\s*\(", filled[1].text)[0]) is not None or heading_kind(filled[1]) == FLAG)
    ):
        return False  # as in "Winner | Black (on time)" and "Result | resigned"
    known = [kind for part in filled if (kind := heading_kind(part))]
    if is_pairs(filled) or any(_STAMP.match(part.text) for part in filled):
        return False
    return (
        len({*known}) >= 2  # not as in "Result | won | lost"
        and 2 * len(known) >= len(filled)
        and not any(turn_count(part.text) for part in filled if not heading_kind(part))
    )


def is_pairs(filled: Sequence[TableCell]) -> bool:
    """Return whether cells are keys, each with its value, as in "Black | Ada | Winner | White"."""
    pairs = zip(filled[::2], filled[1::2], strict=False)
    return (
        len(filled) > 3
        and len(filled) % 2 == 0
        and all(
            heading_kind(key) and (heading_kind(key) in ("result", "winner") or not heading_kind(part))
            for key, part in pairs
        )
    )
