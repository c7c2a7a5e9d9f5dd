"""Texts of turns as people and programs write them: read as turns, and compared with legal turns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from unicodedata import combining, normalize

from hexrec.rules.board import System, cell_expression, letters, trim
from hexrec.rules.game import Game

#: The characters between cells in the turns of the built-in games.
SEPARATORS = "-/x"
#: The maximum length of a text that is read as turns, and of one whose characters are replaced.
_LONGEST_TEXT, _LONGEST = 20_000, 40
#: The maximum number of cells in one turn of the built-in games.
_MOST_CELLS = 3
#: Characters of other scripts and signs that look like those of turns; NFKC has translated others.
_LOOKS = {
    ord(other): latin
    for latin, others in (
        *(("a", "аα"), ("b", "вβ"), ("c", "сς"), ("e", "еεє"), ("h", "нһ"), ("i", "іιı"), ("j", "ј"), ("k", "кκ")),
        *(("l", "ӏ"), ("m", "м"), ("o", "оο"), ("p", "рρ"), ("s", "ѕ"), ("t", "тτ"), ("v", "ν"), ("x", "хχ×✕✖✗∗*")),
        *(("y", "уγ"), ("3", "з"), ("-", "‐‑‒–—―−→➔➝"), ("/", "⁄∕\\|")),
    )
    for other in others
}
#: Characters that programs take for each other in print, and keys next to each other are not among them.
_ALIKE = ("0oqd", "1il7j", "2z", "5s", "6b8", "8b3", "9gq", "uv", "ce", "hb", "nh", "ft")
#: Characters that programs read in place of one, in print.
_PAIRS = (("cl", "d"), ("rn", "m"), ("vv", "w"), ("ii", "u"), ("lo", "b"))
# Patterns of other texts than turns are compiled on first use.
#: A text that means a pass, if it names no cell.
_PASS = r"p(?:ass|as|s|ss)?(?:e[dsn]?|es|ing|o|a|er|t)?|skip(?:s|ped)?|null|none|nil|tt|[-.0_*~]*"
#: A text that ends a game and is no turn.
_END = r"(?:black|white)?\s*(?:resign(?:s|ed|ation)?|timeout|time|draw|tie|agreed|wins?|won|end|1-0|0-1)"
#: Notes between turns: in brackets, or clock times.
_NOTE = r"\{[^}]*\}|\[[^]]*\]|\([^)]*\)|\$\d+|\b\d+:\d\d(?::\d\d)?\b"
#: The number of a turn before it.
_NUMBER = r"^\d++\s*+[.):]++\s*+"
#: The text between turns that means nothing: numbers of turns, names of colors, signs of quality, punctuation.
_BETWEEN = r"(?>\d++\s*+[.):]++|^\s*+\d++\s++|\b(?:black|white|b|w|and|then)\b[:.]?+|[\s.,;:!?+#=\"'&|_~]|-{2,}+)*+"
#: The name of a cell in letters and digits, even one that no board has.
_CELL = re.compile(r"(aa|[a-z])\s*(\d{1,2})(?!\d)")
#: A cell with a space in it, which is not the number of a turn.
_CELL_APART = r"\b(aa|[a-z])\s+(\d{1,2})\b(?!\s*[.):])"
_LETTER_ALONE = re.compile(r"(?:aa|[a-wyz])(?!\d)")
_CELL_BACKWARD = re.compile(r"(?<!\d)(\d{1,2})(aa|[a-z])")


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """Return a text in lower-case ASCII letters as far as its characters look like them, without outer whitespace."""
    text = normalize("NFKD", text.strip()).lower().translate(_LOOKS)
    return "".join(character for character in text if not combining(character))


def without_i(text: str) -> str:
    """Return a text with the letters of cells that left out i, as in Go, in the full alphabet."""
    return _CELL.sub(lambda cell: f"{chr(ord(cell[1]) - 1) if 'j' <= cell[1] <= 'z' else cell[1]}{cell[2]}", text)


def count_from_one(text: str) -> str:
    """Return a text with the numbers of cells, counted from 0, counted from 1."""
    return _CELL.sub(lambda cell: f"{cell[1]}{int(cell[2]) + 1}", text)


def letter_first(text: str) -> str:
    """Return a text with the letter of each cell before its number."""
    return _CELL_BACKWARD.sub(r"\2\1", text)


def exchanged(text: str) -> str:
    """Return a text with the number of each cell as its row, and the letter as its place in the row."""
    return _CELL.sub(lambda cell: f"{letters(int(cell[2]) - 1)}{_place(cell[1])}" if int(cell[2]) else cell[0], text)


def _place(letter: str) -> int:
    return 27 if letter == "aa" else ord(letter) - ord("a") + 1


class Notation:
    """The turn notation of a game in a coordinate system.

    Attributes:
        has_pass: whether the game has passes.
    """

    def __init__(self, rules: Game, system: System) -> None:
        self.has_pass = rules.has("pass")
        self._turn = re.compile(rules.turn_pattern(system))
        self._cell = cell_expression(system)
        self._is_lettered = system != "axial"

    def is_turn(self, text: str) -> bool:
        """Return whether a text matches the notation of turns."""
        return self._turn.fullmatch(trim(text)) is not None

    def count_within(self, text: str) -> int:
        """Return the number of turns that a text contains; 0 if it is a turn itself."""
        return 0 if self.is_turn(text) else len([*self._turn.finditer(text)])

    def read(self, text: str) -> list[tuple[str, ...]]:
        """Return the readings of a text as turns, the likeliest first; a reading without turns leaves the text out."""
        if len(text) > _LONGEST_TEXT:
            return []
        text = plain(text) if self._is_lettered else trim(text)
        if self._is_lettered and len(text.split()) > 1:
            text = re.sub(_CELL_APART, r"\1\2", text)
        if self.is_turn(text):
            return [(text,)]
        if not self._cell.search(text):
            text = re.sub(_NUMBER, "", text)
            if re.fullmatch(_END, text):
                return [()]
            is_pass = self.has_pass and re.fullmatch(_PASS, text)
            return [("pass",), ()] if is_pass else [()] if not text else self._split(text)
        text = re.sub(_NOTE, " ", text) if self._is_lettered else text
        split = self._split(text)
        joined = [*self._join(text)]
        is_loose = re.fullmatch(_BETWEEN, self._cell.sub(" ", text)) is not None
        readings = [*split, *joined] if is_loose else [*joined, *split]
        return [*dict.fromkeys(readings)]

    def _split(self, text: str) -> list[tuple[str, ...]]:
        """Return the turns in a text, if nothing else in it has a meaning."""
        found = [*self._turn.finditer(text)]
        ends = [0, *(turn.end() for turn in found)]
        starts = [*(turn.start() for turn in found), len(text)]
        between = (text[end:start] for end, start in zip(ends, starts, strict=True))
        is_split = found and all(re.fullmatch(_BETWEEN, part) for part in between)
        return [tuple(turn[0] for turn in found)] if is_split else []

    def _join(self, text: str) -> Iterator[tuple[str, ...]]:
        """Yield the single turns that have the cells of a text, with other separators."""
        cells = self._cell.findall(text)
        if not 1 < len(cells) <= _MOST_CELLS or re.search("[a-wyz0-9]", self._cell.sub(" ", text)):
            return
        for separators in product(SEPARATORS, repeat=len(cells) - 1):
            turn = cells[0] + "".join(map("".join, zip(separators, cells[1:], strict=True)))
            if self.is_turn(turn):
                yield (turn,)


class Slips:
    """The strings that one slip makes of a turn: of the hand, of the eye, or of a program that reads print."""

    def __init__(self, characters: str) -> None:
        """Take the characters of the names of cells on the board."""
        self._characters = "".join(sorted({*characters, *SEPARATORS}))

    def of(self, text: str) -> dict[str, float]:
        """Return the costs of slips by string, from 0 for a likely slip; none for a long text."""
        if len(text) > _LONGEST:
            return {}
        parts = [(text[:at], text[at : at + 1], text[at + 1 :]) for at in range(len(text) + 1)]
        written = parts[:-1]  # with a character to replace
        costs = {before + new + after: 2.5 for before, _, after in written for new in self._characters}
        costs |= {before + new + here + after: 1.5 for before, here, after in parts for new in self._characters}
        costs |= {before + after: 1.5 for before, _, after in written}
        for letter in _LETTER_ALONE.finditer(text) if "pass" not in text else ():
            costs |= {f"{text[: letter.end()]}{number}{text[letter.end() :]}": 1.5 for number in range(10, 28)}
        likely = [before + after[0] + here + after[1:] for before, here, after in written[:-1]]
        likely += [
            before + new + after for before, here, after in written for new in self._characters if _is_near(here, new)
        ]
        for pair, one in _PAIRS:
            found = re.finditer(pair, text) if pair in text else ()
            likely += [text[: place.start()] + one + text[place.end() :] for place in found]
        for cell in _CELL.finditer(text):  # 9 and 10, and the letters after z
            likely += [f"{text[: cell.start(2)]}{int(cell[2]) + step}{text[cell.end(2) :]}" for step in (-1, 1)]
        costs |= dict.fromkeys(likely, 0.0)
        costs.pop(text, None)
        return costs


@lru_cache(maxsize=64)
def notation_of(rules: Game, system: System) -> Notation:
    """Return the turn notation of a game in a coordinate system."""
    return Notation(rules, system)


@lru_cache(maxsize=4096)
def _is_near(one: str, other: str) -> bool:
    """Return whether two characters follow each other or look alike."""
    return abs(ord(one) - ord(other)) == 1 or any(one in alike and other in alike for alike in _ALIKE)
