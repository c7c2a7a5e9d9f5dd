"""What a game is recognised by when it comes again: as it is, or rotated and mirrored."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from hexrec.board import Board
from hexrec.board.coordinates import CELL_PATTERNS
from hexrec.games import Stone
from hexrec.record.record import Record, turn_of

#: Cells in sets, the order of the sets being that of the turn, the order within a set meaning nothing.
CellSets = Sequence[Sequence[int]]


class Fingerprint(NamedTuple):
    """What a game is recognised by: the same for a game and all its images under the symmetries of the board.

    The fingerprint of a game begins with the fingerprint of every game that has only its first turns.

    Attributes:
        start: the game, its rules, its board and its opening stones.
        turns: the turns.
        images: which of the images the game is, by what is known of it after each turn.
    """

    start: str
    turns: list[str]
    images: list[int]

    def digests(self) -> Iterator[bytes]:
        """Yield, for each turn, what identifies the game that ends with it."""
        known = blake2b(self.start.encode(), digest_size=16)
        for turn in self.turns:
            known.update(turn.encode())
            yield known.digest()


class _Template(NamedTuple):
    """An opening stone or a turn: its text with ``@`` for each cell, and the cells. Its own ``@`` are escaped."""

    text: str
    cells: CellSets


def fingerprint(record: Record, canonical: Mapping[str, Any], plies: int) -> Fingerprint | None:
    """Return the fingerprint of a record's game, given its canonical form and how many turns could be executed.

    Two games are the same if game, ruleset, variant, size, opening stones or setup, and turns in canonical spelling
    are, whatever the coordinate system. A game without turns has nothing to recognise it by, nor has one whose
    setup is refused.
    """
    if not record.moves or (record.setup is not None and not plies):
        return None
    board = record.rules.board(record.size)
    names = board.names(record.coordinates)
    opening = [_template(names.names.get(names.find(cell) or -1, cell), record) for cell in record.opening.values()]
    if record.setup is not None:
        opening = [_setup_template(record)]
    turns = [_template(turn_of(move), record) for move in canonical["moves"]]
    # Where an engine has its own way to spell, a turn may name the first of some stones in board order, which another
    # image of the game names differently: there, turns with several cells go by the position that they lead to.
    if record.rules.synonyms:
        wanted = [index for index, turn in enumerate(turns[:plies]) if len(turn.cells) > 1]
        for index, stones in zip(wanted, _stones_after(record, wanted), strict=True):
            turns[index] = _Template(turns[index].text, stones)
    parts = opening + turns
    cells, images = _least_image(board, [part.cells for part in parts])
    written = [repr((part.text, least)) for part, least in zip(parts, cells, strict=True)]
    what = repr((record.game, record.ruleset, record.variant, record.size))
    first = len(opening)
    return Fingerprint("".join([what, *written[:first]]), written[first:], images[first:])


def _template(text: str, record: Record) -> _Template:
    """Return the parts of a canonical text. What names no cell of the board stays text."""
    numbers = record.rules.board(record.size).names(record.coordinates).cells
    if text in numbers:
        return _Template("@", [[numbers[text]]])
    cells = []

    def take(name: re.Match[str]) -> str:
        number = numbers.get(name[0])
        if number is None:
            return name[0]
        cells.append([number])
        return "@"

    escaped = text.replace("\\", "\\\\").replace("@", "\\@")
    return _Template(re.sub(CELL_PATTERNS[record.coordinates], take, escaped), cells)


def _setup_template(record: Record) -> _Template:
    """Return the parts of a setup, whose stacks of one kind are a set. Raises `hexrec.games.IllegalSetup`."""
    position = record.start()
    stacks: dict[Stone, list[int]] = {}
    for cell, stack in position.stones().items():
        stacks.setdefault(stack, []).append(cell)
    kinds = sorted(stacks)
    return _Template(repr((kinds, position.text().split(" ")[1:])), [stacks[kind] for kind in kinds])


def _stones_after(record: Record, wanted: Sequence[int]) -> Iterator[CellSets]:
    """Yield the stones of each colour after some of the turns, which are given by their indexes."""
    position = record.start()
    turns = record.turns
    for index in wanted:
        for turn in turns[position.plies : index + 1]:
            position.play(turn)
        stones = position.stones()
        yield [[cell for cell, stone in stones.items() if stone.colour == colour] for colour in (0, 1)]


def _least_image(board: Board, parts: Iterable[CellSets]) -> tuple[list[list[list[int]]], list[int]]:
    """Return the least of the images of a game's cells, and the first symmetry that gives it up to each part."""
    candidates = list(enumerate(board.symmetries))
    chosen, numbers = [], []
    for part in parts:
        images = [[sorted([symmetry[cell] for cell in cells]) for cells in part] for _, symmetry in candidates]
        least = min(images)
        chosen.append(least)
        if len(candidates) > 1:
            candidates = [each for each, image in zip(candidates, images, strict=True) if image == least]
        numbers.append(candidates[0][0])
    return chosen, numbers
