"""Games that are in a run more than once: as they are, or rotated and mirrored."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from hexrec.diagnostics import Diagnostic, shorten
from hexrec.validation.report import LintKey, Report, in_order

#: A board has as many symmetries as this, or fewer.
_SYMMETRIES = 12


class EarlierGame(NamedTuple):
    """An earlier game that is the same: its number, and whether it is so only when rotated or mirrored."""

    number: int
    mirrored: bool


def same_as(name: str, *, mirrored: bool) -> str:
    """Say that a game is the same as the one of that name."""
    return f"the same game, rotated or mirrored, as {name}" if mirrored else f"the same game as {name}"


class GameIndex:
    """Games by number, in the order in which they came.

    Attributes:
        numbers: the numbers, by the digest and the image that identify a game.
    """

    def __init__(self) -> None:
        self.numbers: dict[bytes, int] = {}
        self._files: list[str | None] = []
        self._places = array("Q")

    def add(self, digest: bytes, image: int, file: str | None, index: int | None) -> int:
        """Keep a game that is not yet there; return its number."""
        number = len(self._places)
        self.numbers[digest + bytes([image])] = number
        if not self._files or self._files[-1] != file:
            self._files.append(file)
        self._places.append((len(self._files) - 1) << 32 | (index or 0))
        return number

    def find(self, digest: bytes, image: int) -> EarlierGame | None:
        """Return the game that is the same, if there is one: as it is, else the first one rotated or mirrored."""
        numbers = {image: number for number, image in self.images(digest)}
        if image in numbers:
            return EarlierGame(numbers[image], False)
        return EarlierGame(min(numbers.values()), True) if numbers else None

    def images(self, digest: bytes) -> Iterator[tuple[int, int]]:
        """Yield the number and the image of each game that is the same in some way."""
        for image in range(_SYMMETRIES):
            number = self.numbers.get(digest + bytes([image]))
            if number is not None:
                yield number, image

    def place(self, number: int) -> tuple[str | None, int]:
        """Return the file that a game is in, and its index there."""
        file, index = divmod(self._places[number], 1 << 32)
        return self._files[file], index


class Duplicates:
    """Finds the games of a run that have come before, from reports alone."""

    def __init__(self) -> None:
        self._games = GameIndex()
        self._ids: list[str | None] = []

    def find(self, reports: Iterable[Report]) -> Iterator[Report]:
        """Pass reports through, those of games that have come before with one diagnostic more."""
        for report in reports:
            duplicate = self._compare(report, report.lint_key) if report.lint_key else None
            yield replace(report, diagnostics=in_order([*report.diagnostics, duplicate])) if duplicate else report

    def _compare(self, report: Report, key: LintKey) -> Diagnostic | None:
        """Return the diagnostic for a game that has come before, and keep any other."""
        match = self._games.find(key.digest, key.image)
        if match is None or match.mirrored:
            self._games.add(key.digest, key.image, report.file, report.index)
            self._ids.append(report.id)
        if match is None:
            return None
        file, index = self._games.place(match.number)
        own = self._ids[match.number]
        message = same_as(f"record {index}{f' ({shorten(own)})' if own else ''} of {file}", mirrored=match.mirrored)
        return key.place.at(message=message, code="lint/duplicate-mirrored" if match.mirrored else "lint/duplicate")
