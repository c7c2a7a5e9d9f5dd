"""Repeated games of a run, found while it goes on."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from hexrec.util.diagnostics import Diagnostic, in_order, shorten
from hexrec.validation.report import LintKey, Report


class EarlierGame(NamedTuple):
    """An equal game: its number, and whether the games match only when rotated or mirrored."""

    number: int
    mirrored: bool


def same_as(name: str, *, mirrored: bool) -> str:
    """Return the statement that a game is the same as a named one."""
    return f"the same game, rotated or mirrored, as {name}" if mirrored else f"the same game as {name}"


class GameIndex:
    """Games by number, in order of arrival."""

    def __init__(self) -> None:
        #: By digest, the number and the image of the first game that has it.
        self._first: dict[bytes, int] = {}
        #: By digest and image, the numbers of other games with the same digest.
        self._others: dict[bytes, int] = {}
        self._files: list[str | None] = []
        self._places = array("Q")

    def add(self, digest: bytes, image: int, file: str | None, index: int | None) -> int:
        """Add a new game; return its number."""
        number = len(self._places)
        if self._first.setdefault(digest, number << 4 | image) >> 4 != number:
            self._others[digest + bytes([image])] = number
        if not self._files or self._files[-1] != file:
            self._files.append(file)
        self._places.append((len(self._files) - 1) << 32 | (index or 0))
        return number

    def find(self, digest: bytes, image: int) -> EarlierGame | None:
        """Return the equal game, else the first that is equal when rotated or mirrored, else None."""
        first = self._first.get(digest)
        if first is None:
            return None
        if first & 15 == image:
            return EarlierGame(first >> 4, False)
        other = self._others.get(digest + bytes([image]))
        return EarlierGame(first >> 4, True) if other is None else EarlierGame(other, False)

    def place(self, number: int) -> tuple[str | None, int]:
        """Return the file of a game, and its index there."""
        file, index = divmod(self._places[number], 1 << 32)
        return self._files[file], index


class Duplicates:
    """Finds repeated games of a run by the lint keys of reports."""

    def __init__(self) -> None:
        self._games = GameIndex()
        self._ids: list[str | None] = []

    def find(self, reports: Iterable[Report]) -> Iterator[Report]:
        """Yield reports, with a diagnostic added to those on repeated games."""
        for report in reports:
            duplicate = self._compare(report, report.lint_key) if report.lint_key else None
            yield replace(report, diagnostics=in_order([*report.diagnostics, duplicate])) if duplicate else report

    def _compare(self, report: Report, key: LintKey) -> Diagnostic | None:
        """Return a diagnostic for a repeated game. Add a new game to the index and return None."""
        match = self._games.find(key.digest, key.image)
        if match is None or match.mirrored:
            self._games.add(key.digest, key.image, report.file, report.index)
            self._ids.append(report.id)
        if match is None:
            return None
        file, index = self._games.place(match.number)
        id = self._ids[match.number]
        message = same_as(f"record {index}{f' ({shorten(id)})' if id else ''} of {file}", mirrored=match.mirrored)
        return key.place.at(message=message, code="lint/duplicate-mirrored" if match.mirrored else "lint/duplicate")
