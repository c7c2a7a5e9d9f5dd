"""Positions of games, folded by the symmetries of the board: all images of a position have the same key.

The representative of the images is the one with the smallest cells in reading order: an empty cell is smaller than a
stack, a lower stack smaller than a higher one, Black's smaller than White's. The key is a digest of its position string
without the number of passes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import Any, NamedTuple

from hexrec.record.identity import identify
from hexrec.record.record import Record
from hexrec.rules.board import CELL_PATTERNS, Board
from hexrec.rules.position_text import board_rows, row_text
from hexrec.rules.terms import Stack
from hexrec.validation.report import Report

_CELL = re.compile(CELL_PATTERNS["row"])
_COLORS = {"black": "b", "white": "w"}
#: The number of hexadecimal digits of a key.
_KEY_DIGITS = 16


class GamePositions(NamedTuple):
    """The positions of one record.

    Attributes:
        report: the report on the record, without the record.
        hash: the game hash, if requested.
        ruleset, variant, size: the values of the record; None for an invalid record.
        keys, turns: the key and the next turn of each position; empty for an invalid record.
    """

    report: Report
    hash: str | None = None
    ruleset: str | None = None
    variant: str | None = None
    size: int | None = None
    keys: tuple[str, ...] = ()
    turns: tuple[str | None, ...] = ()


class Folded(NamedTuple):
    """A folded position.

    Attributes:
        text: the position string of the representative, without the number of passes.
        symmetries: the numbers of the board's symmetries that map the position to the representative.
    """

    text: str
    symmetries: list[int]

    @property
    def key(self) -> str:
        """The key, which is the same for all images of the position."""
        return blake2b(self.text.encode(), digest_size=16).hexdigest()[:_KEY_DIGITS]


class Folding:
    """Folds the positions on a board."""

    def __init__(self, board: Board) -> None:
        rows = board_rows(board)
        read = [cell for row in rows for cell in row]
        self._rows = [slice(*ends) for ends in pairwise([0, *accumulate(map(len, rows))])]
        names = board.names("row").names
        self._images: list[Callable[[Sequence[int]], tuple[int, ...]]] = []
        self._names: list[dict[str, str]] = []
        for symmetry in board.symmetries:
            origin = {image: cell for cell, image in symmetry.items()}
            self._images.append(itemgetter(*(origin[cell] for cell in read)))
            self._names.append({names[cell]: names[image] for cell, image in symmetry.items()})

    def fold(self, contents: Sequence[int], end: str) -> Folded:
        """Return a folded position, given the contents of its cells and the end of its position string."""
        images = [image(contents) for image in self._images]
        least = min(images)
        text = "/".join([_row_text(least[row]) for row in self._rows])
        return Folded(f"{text} {end}", [number for number, image in enumerate(images) if image == least])

    def rename(self, turn: str, symmetry: int) -> str:
        """Return the image of a turn in row coordinates."""
        names = self._names[symmetry]
        return _CELL.sub(lambda cell: names.get(cell[0], cell[0]), turn)

    def restore(self, turn: str, symmetry: int) -> str:
        """Return the turn whose image under a symmetry is given; the inverse of `rename`."""
        names = {image: name for name, image in self._names[symmetry].items()}
        return _CELL.sub(lambda cell: names.get(cell[0], cell[0]), turn)


@lru_cache(maxsize=32)
def folding(board: Board) -> Folding:
    """Return the folding for a board."""
    return Folding(board)


@lru_cache(maxsize=1 << 16)
def _row_text(contents: tuple[int, ...]) -> str:
    return row_text(Stack((value - 1) % 2, (value + 1) // 2) if value else None for value in contents)


def positions(record: Record) -> tuple[list[str], list[str | None]]:
    """Return the key and the folded next turn of each position of a record with legal turns.

    The next turn of the last position is None.
    """
    rules = record.rules
    fold = folding(rules.board(record.size))
    turns: list[str | None] = [*identify(record).moves, None]
    position = record.start()
    last = position.text().split(" ")[-1] if rules.has_last else ""
    keys: list[str] = []
    following: list[str | None] = []
    for turn, played in zip(turns, [*record.turns, None], strict=True):
        color = _COLORS[position.turn]
        folded = fold.fold(position.contents(), f"{color} {last}" if last else color)
        keys.append(folded.key)
        following.append(None if turn is None else _fold_turn(record, fold, folded, turn))
        if played is not None:
            position.play(played)
            last = color if last and turn != "pass" else last
    return keys, following


def _fold_turn(record: Record, fold: Folding, folded: Folded, turn: str) -> str:
    """Return the smallest image of a turn; a symmetric position has several."""
    images = [fold.rename(turn, symmetry) for symmetry in folded.symmetries]
    if record.rules.synonyms and len(_CELL.findall(turn)) > 1:
        images = [canonical(record, folded.text, image) for image in images]
    return min(images)


def canonical(record: Record, text: str, turn: str) -> str:
    """Return a turn in canonical notation, in a position given by its string without the number of passes."""
    rows, color, *end = text.split(" ")
    setup: Any = " ".join([rows, color, "0", *end])
    start = record.rules.start(record.size, None, record.variant, position=setup, ruleset=record.ruleset)
    return start.canonical(turn)
