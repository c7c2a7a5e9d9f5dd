"""What a picture shows: a position, and the turn that led to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from hexrec.board import CellNames, System
from hexrec.diagnostics import shorten
from hexrec.escaping import visible
from hexrec.games import Annotation, Position
from hexrec.games.turn_text import cells_through, in_names
from hexrec.record import Record, canonical_form, read_record
from hexrec.record.canonical import in_coordinates
from hexrec.record.record import turn_of
from hexrec.record.replay import replay
from hexrec.render.markup import Markup, markup_of, on_board
from hexrec.render.text import describe

#: The fields of a record that its positions depend on, but for the turns.
_BEGINNING = ("hexrec", "game", "ruleset", "variant", "size", "coordinates", "opening", "setup")


class IllegalTurnShown(NamedTuple):
    """A turn that was played against the rules.

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
        turn: the text of the turn that led to it; None before the first turn, or where only the position is known.
        effects: what that turn did.
        markup: the marks that the record has on the position.
        illegal: the turn that was played there against the rules; None if there is none.
    """

    position: Position[Any]
    turn: str | None = None
    effects: tuple[Annotation, ...] = ()
    markup: tuple[Markup, ...] = ()
    illegal: IllegalTurnShown | None = None

    @property
    def caption(self) -> str:
        """What is shown, in one line."""
        said = describe(self.position, self.turn)
        return said if self.illegal is None else f"{said}; {visible(self.illegal.text)} is illegal here"


def views(record: Record, plies: int | None = None, system: System | None = None) -> Iterator[View]:
    """Yield the view before the first turn of a record and after each of `plies`, up to the first that is illegal.

    Cells are named in the coordinate system, by default the record's own. Raises `hexrec.games.RuleError`.
    """
    return _views(record, plies, system, only_last=False)


def view_of(record: Record, ply: int | None = None, system: System | None = None) -> View:
    """Return the view of a record after `ply` turns, or after the last that is legal: the last of `views`."""
    return next(_views(record, ply, system, only_last=True))


def _views(record: Record, plies: int | None, system: System | None, *, only_last: bool) -> Iterator[View]:
    shown = record if system is None else renamed(record, system)
    turns = shown.turns[: replay(shown, plies).plies]
    last = len(turns)
    position = shown.start()
    if only_last:
        position.play_all(turns[:-1])
        turns = turns[-1:]

    def view(turn: str | None = None, effects: tuple[Annotation, ...] = ()) -> View:
        illegal = _illegal(record, position) if position.plies == last else None
        return View(position.copy(), turn and _shown(turn), effects, _markup(shown, position), illegal)

    if not (only_last and turns):
        yield view()
    for turn in turns:
        effects = position.turn_effects(turn)
        position.play(turn)
        yield view(turn, effects)


def renamed(record: Record, system: System) -> Record:
    """Return the game of a record up to its first illegal turn, with the cells named in a coordinate system.

    Besides the turns, it has those marks whose cells are on the board.
    """
    if system == record.coordinates:
        return record
    data = canonical_form(record)
    names = record.rules.board(record.size).names(record.coordinates)
    kept = {name: data[name] for name in _BEGINNING if name in data} | _marks_on_board(data, names)
    moves = [
        {"turn": turn_of(move), **_marks_on_board(move, names)} if isinstance(move, dict) else move
        for move in data["moves"][: replay(record).plies]
    ]
    return read_record(in_coordinates(kept | {"moves": moves}, system))


def _marks_on_board(part: Mapping[str, Any], names: CellNames) -> dict[str, Any]:
    """Return the marks of a part of a record's data, as far as they are on the board: other cells have one name."""
    marks = [*on_board(part.get("marks", ()), names)]
    return {"marks": marks} if marks else {}


def _markup(record: Record, position: Position[Any]) -> tuple[Markup, ...]:
    """Return the marks that a record has on the position after as many turns as were played."""
    move = record.moves[position.plies - 1] if position.plies else record
    marks = () if isinstance(move, str) else move.get("marks", ())
    return markup_of(marks, position.names)


def _illegal(record: Record, position: Position[Any]) -> IllegalTurnShown | None:
    """Return the turn of a record that follows on the position, which may name cells otherwise, if it is illegal."""
    turns = record.turns[position.plies : position.plies + 1]
    names = position.board.names(record.coordinates)
    if not turns or position.is_legal(turn := in_names(turns[0], names, position.names)):
        return None
    return IllegalTurnShown(_shown(turn), tuple(cells_through(turn, position.names, position.board)))


def _shown(turn: str) -> str:
    return shorten(turn.strip().lower())
