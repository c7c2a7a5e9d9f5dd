"""The canonical form of a record: default fields left out, turns in canonical spelling, one way to write each thing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from typing import Any

from hexrec.games import IllegalTurn, Position, RuleError
from hexrec.games.turn_text import BLANKS
from hexrec.record.game_shapes import record_shape
from hexrec.record.record import Record, has_side_lines, ordered_move, ordered_record, turn_of
from hexrec.record.schema import Move
from hexrec.record.shapes import Shape, is_extension, shape_of


def canonical_form(record: Record) -> dict[str, Any]:
    """Return the record's canonical form as plain data, fields in the order of the format.

    Left out are fields with their default values and empty parts. A turn with nothing to add is a string.
    Extension fields follow the others, sorted by name, their values verbatim. Turns are in the canonical spelling
    that the engine gives them, in variations, lines of programs and turns taken back too; from the first of a line that
    cannot be played on, they are only trimmed and in lower case.
    """
    data = _without_defaults(record.data, record_shape(record.rules), skip=("moves",))
    for color in data.get("opening", {}):
        if color in record.rules.opening:
            data["opening"][color] = trim(data["opening"][color])
    _trim_marks(data)
    start = _start(record)
    return ordered_record({**data, "moves": _moves(record.moves, spell(record.turns, start), start)})


def canonical_turns(record: Record) -> list[str]:
    """Return the turns played, in canonical spelling as far as the game can be replayed, and trimmed after that."""
    if record.canonical_turns is not None:
        return record.canonical_turns
    return spell(record.turns, _start(record))


def _start(record: Record) -> Position[Any] | None:
    """Return the position in which a record starts, if there is one and the spelling of turns depends on positions."""
    if record.rules.synonyms:
        with suppress(RuleError):
            return record.start()
    return None


def spell(turns: Iterable[str], start: Position[Any] | None) -> list[str]:
    """Return a line of turns from a position, in canonical spelling as far as it can be played."""
    trimmed = [trim(turn) for turn in turns]
    if start is not None:
        spelled: list[str] = []
        with suppress(IllegalTurn):
            start.copy().play_all(trimmed, spelled)
        trimmed[: len(spelled)] = spelled
    return trimmed


def _moves(moves: Sequence[str | Move], turns: list[str], start: Position[Any] | None) -> list[Any]:
    """Return a line of moves with their canonical turns and their canonical variations, as plain data."""
    written: list[Any] = []
    here, played = start and start.copy(), 0
    for index, (move, turn) in enumerate(zip(moves, turns, strict=True)):
        rest: dict[str, Any] = {}
        if isinstance(move, dict):
            rest = _without_defaults(move, shape_of(Move), skip=("turn", "variations"))
            _trim_marks(rest)
            if here is not None and has_side_lines(move):
                try:
                    here.play_all(turns[played:index])
                    played = index
                except IllegalTurn:
                    here = None
            if "taken_back" in rest:
                rest["taken_back"] = [spell([text], here)[0] for text in rest["taken_back"]]
            if "line" in rest.get("eval", {}):
                rest["eval"]["line"] = spell(rest["eval"]["line"], here)
            variations = move.get("variations", [])
            lines = [_moves(line, spell(map(turn_of, line), here), here) for line in variations]
            if lines:
                rest["variations"] = lines
        written.append(ordered_move({"turn": turn, **rest}) if rest else turn)
    return written


def _trim_marks(part: dict[str, Any]) -> None:
    for mark in part.get("marks", ()):
        mark["cells"] = [trim(cell) for cell in mark["cells"]]


def trim(text: str) -> str:
    """Return a turn or the name of a cell in lower case, without blanks around it."""
    text = text.strip(BLANKS)
    return text.lower() if text.isascii() else text  # some letters of other alphabets become a to z in lower case


def _without_defaults(part: Mapping[str, Any], shape: Shape, skip: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a copy of an object without default values and empty parts. An empty result says that the game is over."""
    kept = {}
    for name, value in part.items():
        if name in skip:
            continue
        if not is_extension(name):
            if value == shape.fields[name].about.default:
                continue
            inner = shape.parts.get(name)
            if inner is not None and isinstance(value, dict):
                value = _without_defaults(value, inner)
                if not value and name != "result":
                    continue
            elif inner is not None:
                value = [_without_defaults(each, inner) for each in value]
        kept[name] = deepcopy(value)
    return kept
