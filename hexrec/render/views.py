"""What a picture shows: a position, and the turn that led to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hexrec.board import System
from hexrec.check.replay import replay
from hexrec.diagnostics import shorten
from hexrec.games import Annotation, Position
from hexrec.record import Record, canonical_form, read_record
from hexrec.record.coordinates import in_coordinates
from hexrec.record.model import turn_of
from hexrec.render.text import describe

#: The fields of a record that its positions depend on, but for the turns.
_BEGINNING = ("hexrec", "game", "ruleset", "variant", "size", "coordinates", "opening", "setup")


@dataclass(frozen=True)
class View:
    """A position of a game.

    Attributes:
        position: the position.
        turn: the text of the turn that led to it; None before the first turn, or where only the position is known.
        effects: what that turn did.
    """

    position: Position[Any]
    turn: str | None = None
    effects: tuple[Annotation, ...] = ()

    @property
    def caption(self) -> str:
        """What is shown, in one line."""
        return describe(self.position, self.turn)


def views(record: Record, plies: int | None = None) -> Iterator[View]:
    """Yield the view before the first turn of a record and after each of `plies`, up to the first that is illegal.

    Raises `hexrec.games.RuleError`.
    """
    position = record.start()
    yield View(position.copy())
    for turn in record.turns[: replay(record, plies).plies]:
        parts = position.turn_effects(turn)
        position.play(turn)
        yield View(position.copy(), _shown(turn), parts)


def view_of(record: Record, ply: int | None = None) -> View:
    """Return the view of a record after `ply` turns, or after the last that is legal.

    Raises `hexrec.games.RuleError`.
    """
    final = replay(record, ply)
    if not final.plies:
        return View(record.start())
    assert final.position is not None
    turn = record.turns[final.plies - 1]
    before = replay(record, final.plies - 1).position
    assert before is not None
    return View(final.position, _shown(turn), before.turn_effects(turn))


def renamed(record: Record, system: System) -> Record:
    """Return the game of a record up to its first illegal turn, with the cells named in a coordinate system."""
    if system == record.coordinates:
        return record
    data = canonical_form(record)
    kept = {name: data[name] for name in _BEGINNING if name in data}
    turns = [turn_of(move) for move in data["moves"][: replay(record).plies]]
    return read_record(in_coordinates(kept | {"moves": turns}, system))


def _shown(turn: str) -> str:
    return shorten(turn.strip().lower())
