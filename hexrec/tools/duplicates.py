"""Repeated games of a run, found while it goes on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from hexrec.util.diagnostics import Diagnostic, in_order, shorten
from hexrec.validation.report import LintKey, Report


def same_as(name: str, *, mirrored: bool) -> str:
    """Return the statement that a game is the same as a named one."""
    return f"the same game, rotated or mirrored, as {name}" if mirrored else f"the same game as {name}"


class _EarlierGame(NamedTuple):
    """A game of a run, with the place of its record."""

    image: int
    file: str | None
    record: int
    id: str | None


class Duplicates:
    """Finds repeated games of a run by the lint keys of reports."""

    def __init__(self) -> None:
        #: By digest, the games that have it: the first one, and the first of each other image.
        self._games: dict[bytes, tuple[_EarlierGame, ...]] = {}

    def find(self, reports: Iterable[Report]) -> Iterator[Report]:
        """Yield reports, with a diagnostic added to those on repeated games."""
        for report in reports:
            duplicate = self._compare(report, report.lint_key) if report.lint_key else None
            yield replace(report, diagnostics=in_order([*report.diagnostics, duplicate])) if duplicate else report

    def _compare(self, report: Report, key: LintKey) -> Diagnostic | None:
        """Return a diagnostic for a repeated game; None for a new one."""
        known = self._games.get(key.digest, ())
        same = next((game for game in known if game.image == key.image), None)
        if same is None:
            new = _EarlierGame(key.image, report.file, report.index or 0, report.id)
            self._games[key.digest] = (*known, new)
        if not known:
            return None
        _, file, record, id = same or known[0]
        message = same_as(f"record {record}{f' ({shorten(id)})' if id else ''} of {file}", mirrored=same is None)
        return key.place.at(message=message, code="lint/duplicate" if same else "lint/duplicate-mirrored")
