"""Games that stand in a run more than once: as they are, or turned and mirrored."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any, NamedTuple

from hexrec.board import Board
from hexrec.board.coordinates import CELL_PATTERNS
from hexrec.check.verdict import Report, in_order
from hexrec.diagnostics import Diagnostic, shorten
from hexrec.record import Record

#: Cells in sets, the order of the sets being that of the turn, the order within a set meaning nothing.
CellSets = Sequence[Sequence[int]]


class Key(NamedTuple):
    """What a report keeps of a game, so that it can be recognised when it comes again.

    Attributes:
        digest: the same for a game and all its images under the symmetries of the board, different for other games.
        image: which of these the game is.
        place: a finding at the place of the record, to be completed if the game is a duplicate.
    """

    digest: bytes
    image: int
    place: Diagnostic


class Trail(NamedTuple):
    """What a game is recognised by: the same for a game and all its images under the symmetries of the board.

    The trail of a game begins with the trail of every game that has only its first turns.

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


class Match(NamedTuple):
    """An earlier game that is the same: its number, and whether it is so only when turned or mirrored."""

    number: int
    mirrored: bool


class _Part(NamedTuple):
    """An opening stone or a turn: its text with ``@`` for each cell, and the cells."""

    text: str
    cells: CellSets


def key(record: Record, canonical: Mapping[str, Any], plies: int) -> Key | None:
    """Return what identifies the game of a record; None if there is nothing to recognise it by. See `trail`."""
    found = trail(record, canonical, plies)
    if found is None:
        return None
    *_, digest = found.digests()
    return Key(digest, found.images[-1], Diagnostic("lint/duplicate", "", "warning", pointer=""))


def trail(record: Record, canonical: Mapping[str, Any], plies: int) -> Trail | None:
    """Return the trail of a record's game, given its canonical form and how many turns could be executed.

    Two games are the same if game, ruleset, variant, size, opening stones and turns in canonical spelling are, whatever
    the coordinate system. A game without turns has nothing to recognise it by.
    """
    if not record.moves:
        return None
    board = record.GAME.board(record.size)
    names = board.names(record.coordinates)
    opening = [_part(names.names.get(names.find(cell) or -1, cell), record) for cell in record.stones.values()]
    turns = [_part(move if isinstance(move, str) else move["turn"], record) for move in canonical["moves"]]
    # Where an engine has its own way to spell, a turn may name the first of some stones in board order, which another
    # image of the game names differently: there, turns with several cells go by the position that they lead to.
    if record.GAME.synonyms:
        wanted = [index for index, turn in enumerate(turns[:plies]) if len(turn.cells) > 1]
        for index, stones in zip(wanted, _stones_after(record, wanted), strict=True):
            turns[index] = _Part(turns[index].text, stones)
    parts = opening + turns
    cells, images = _least_image(board, [part.cells for part in parts])
    written = [repr((part.text, least)) for part, least in zip(parts, cells, strict=True)]
    what = repr((record.game, record.ruleset, record.variant, record.size))
    first = len(opening)
    return Trail("".join([what, *written[:first]]), written[first:], images[first:])


def same_as(name: str, *, mirrored: bool) -> str:
    """Say that a game is the same as the one of that name."""
    return f"the same game, turned or mirrored, as {name}" if mirrored else f"the same game as {name}"


def _part(text: str, record: Record) -> _Part:
    """Return the parts of a canonical text. What names no cell of the board stays text."""
    numbers = record.GAME.board(record.size).names(record.coordinates).cells
    if text in numbers:
        return _Part("@", [[numbers[text]]])
    cells = []

    def take(name: re.Match[str]) -> str:
        number = numbers.get(name[0])
        if number is None:
            return name[0]
        cells.append([number])
        return "@"

    return _Part(re.sub(CELL_PATTERNS[record.coordinates], take, text), cells)


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


class Seen:
    """Games by number, in the order in which they came: where each stands, and what it is recognised by."""

    def __init__(self) -> None:
        self._first: dict[bytes, int] = {}
        self._images = bytearray()
        #: Games of which another image is in `_first`, by their images.
        self._others: dict[bytes, dict[int, int]] = {}
        self._files: list[str | None] = []
        self._places = array("Q")

    def add(self, digest: bytes, image: int, file: str | None, index: int | None) -> int:
        """Keep a game that is not yet there; return its number."""
        number = len(self._places)
        if self._first.setdefault(digest, number) != number:
            self._others.setdefault(digest, {})[image] = number
        if not self._files or self._files[-1] != file:
            self._files.append(file)
        self._places.append((len(self._files) - 1) << 32 | (index or 0))
        self._images.append(image)
        return number

    def find(self, digest: bytes, image: int) -> Match | None:
        """Return the game that is the same, if there is one: as it is, else the first that is so turned or mirrored."""
        first = self._first.get(digest)
        if first is None:
            return None
        same = first if self._images[first] == image else self._others.get(digest, {}).get(image)
        return Match(first, True) if same is None else Match(same, False)

    def images(self, digest: bytes) -> Iterator[tuple[int, int]]:
        """Yield the number and the image of each game that is the same in some way."""
        first = self._first.get(digest)
        if first is not None:
            yield first, self._images[first]
            for image, number in self._others.get(digest, {}).items():
                yield number, image

    def place(self, number: int) -> tuple[str | None, int]:
        """Return the file that a game stands in and its index."""
        file, index = divmod(self._places[number], 1 << 32)
        return self._files[file], index


class Duplicates:
    """Finds the games of a run that have come before, from reports alone."""

    def __init__(self) -> None:
        self._seen = Seen()
        self._ids: list[str | None] = []

    def find(self, reports: Iterable[Report]) -> Iterator[Report]:
        """Pass reports through, those of games that have come before with one finding more."""
        for report in reports:
            finding = self._compare(report, report.lint_key) if report.lint_key else None
            yield replace(report, diagnostics=in_order([*report.diagnostics, finding])) if finding else report

    def _compare(self, report: Report, key: Key) -> Diagnostic | None:
        """Return the finding for a game that has come before, and keep any other."""
        match = self._seen.find(key.digest, key.image)
        if match is None or match.mirrored:
            self._seen.add(key.digest, key.image, report.file, report.index)
            self._ids.append(report.id)
        if match is None:
            return None
        message = same_as(self._name(match.number), mirrored=match.mirrored)
        return key.place.at(message=message, code="lint/duplicate-mirrored" if match.mirrored else "lint/duplicate")

    def _name(self, number: int) -> str:
        file, index = self._seen.place(number)
        own = self._ids[number]
        return f"record {index}{f' ({shorten(own)})' if own else ''} of {file}"
