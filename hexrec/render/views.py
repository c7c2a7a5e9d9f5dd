"""Views: positions of a game with turn, effects and marks, for pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from hexrec.record.record import Record
from hexrec.record.replay import replay
from hexrec.render.markup import Markup, markup_of
from hexrec.render.text import describe
from hexrec.rules.board import Board, CellNames, System, cell_expression, trim
from hexrec.rules.position import Position
from hexrec.rules.terms import Annotation
from hexrec.util.escaping import shorten, visible


class IllegalTurnShown(NamedTuple):
    """An illegal turn of a record.

    Attributes:
        text: the turn.
        cells: the cells that it goes through.
    """

    text: str
    cells: tuple[int, ...]


@dataclass(frozen=True)
class View:
    """A position of a game.

    Attributes:
        position: the position.
        turn: the turn before the position; None before the first turn, or if only the position is known.
        effects: the effects of that turn.
        markup: the marks of the record on the position.
        illegal: the illegal turn of the record in the position, or None.
    """

    position: Position
    turn: str | None = None
    effects: tuple[Annotation, ...] = ()
    markup: tuple[Markup, ...] = ()
    illegal: IllegalTurnShown | None = None

    @property
    def annotations(self) -> list[Annotation]:
        """The highlights of the position and the effects of the turn."""
        return [*self.position.highlights(), *self.effects]

    @property
    def caption(self) -> str:
        """The caption of the view, in one line."""
        caption = describe(self.position, self.turn)
        return caption if self.illegal is None else f"{caption}; {visible(self.illegal.text)} is illegal here"


def views(record: Record, plies: int | None = None, system: System | None = None) -> Iterator[View]:
    """Yield the views of a record before the first turn and after each of `plies`, up to the first illegal turn.

    Cell names are in `system`, by default that of the record. Raises `hexrec.rules.terms.RuleError`.
    """
    return _views(record, plies, system, only_last=False)


def view_of(record: Record, ply: int | None = None, system: System | None = None) -> View:
    """Return the view of a record after `ply` turns, by default after the last legal turn."""
    return next(_views(record, ply, system, only_last=True))


def _views(record: Record, plies: int | None, system: System | None, *, only_last: bool) -> Iterator[View]:
    turns = record.turns[: replay(record, plies).plies]
    last = len(turns)
    position = record.start()
    names = position.board.names(system or record.coordinates)
    if only_last:
        position.play_all(turns[:-1])
        turns = turns[-1:]

    def view(turn: str | None = None, effects: tuple[Annotation, ...] = ()) -> View:
        shown = position.copy()
        shown.names = names
        text = turn and _format_turn(turn, position.names, names)
        illegal = _illegal(record, position, names) if position.plies == last else None
        return View(shown, text, effects, _markup(record, position), illegal)

    if not (only_last and turns):
        yield view()
    for turn in turns:
        effects = position.turn_effects(turn)
        position.play(turn)
        yield view(turn, effects)


def _markup(record: Record, position: Position) -> tuple[Markup, ...]:
    """Return the marks of a record on the current position of its replay."""
    move = record.moves[position.plies - 1] if position.plies else record
    marks = () if isinstance(move, str) else move.get("marks", ())
    return markup_of(marks, position.names)


def _illegal(record: Record, position: Position, names: CellNames) -> IllegalTurnShown | None:
    """Return the next turn of a record if it is illegal in the position, else None."""
    turns = record.turns[position.plies : position.plies + 1]
    if not turns or position.is_legal(turns[0]):
        return None
    cells = cells_through(turns[0], position.names, position.board)
    return IllegalTurnShown(_format_turn(turns[0], position.names, names), tuple(cells))


def cells_through(text: str, names: CellNames, board: Board) -> list[int]:
    """Return the cells that a string names, and those between two cells joined by a hyphen, in order."""
    text = trim(text)
    path: list[int] = []
    last, end = None, 0
    for name in cell_expression(names.system).finditer(text):
        cell = names.cells.get(name[0])
        if cell is None:
            continue
        if last is not None and text[end : name.start()] == "-":
            path += next((ray[: ray.index(cell)] for ray in board.rays[last] if cell in ray), ())
        path.append(cell)
        last, end = cell, name.end()
    return path


def _format_turn(turn: str, names: CellNames, others: CellNames) -> str:
    return shorten((turn if names is others else names.translate(turn, others)).strip().lower())
