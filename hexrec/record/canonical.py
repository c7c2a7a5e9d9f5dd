"""The canonical form of a record: default fields left out, turns in canonical spelling, one way to write each thing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from hexrec.games import IllegalTurn, Position, RuleError
from hexrec.games.turn_text import BLANKS
from hexrec.record.model import GameRecord, Move, Record, ordered, turn_of


def canonical_form(record: Record) -> dict[str, Any]:
    """Return the record's canonical form as plain data, fields in the order of the format.

    Left out are fields with their default values and empty parts. A turn with nothing to add is a plain text.
    Extension fields follow the others, sorted by name, their values verbatim. Turns are in the canonical spelling
    that the engine gives them, beside the game too (in variations, lines of programs and what was taken back); from the
    first of a line that cannot be played on, they are only trimmed and in lower case.
    """
    data = _without_empty(record.model_dump(exclude_defaults=True, exclude={"moves"}))
    for colour, cell in data.get("opening", {}).items():
        if colour in record.GAME.opening:
            data["opening"][colour] = _trim(cell)
    _trim_marks(data)
    start = _start(record)
    return ordered({**data, "moves": _moves(record.moves, _spelled(record.turns, start), start)})


def canonical_turns(record: GameRecord) -> list[str]:
    """Return the turns played, in canonical spelling as far as the game can be replayed, and trimmed after that."""
    return _spelled(record.turns, _start(record))


def _start(record: GameRecord) -> Position[Any] | None:
    """Return the position in which a record starts, if there is one and the spelling of turns depends on positions."""
    if record.GAME.synonyms:
        with suppress(RuleError):
            return record.start()
    return None


def _spelled(turns: Iterable[str], start: Position[Any] | None) -> list[str]:
    """Return a line of turns from a position, in canonical spelling as far as it can be played."""
    trimmed = [_trim(turn) for turn in turns]
    if start is not None:
        spelled: list[str] = []
        with suppress(IllegalTurn):
            start.copy().play_all(trimmed, spelled)
        trimmed[: len(spelled)] = spelled
    return trimmed


def _moves(moves: Sequence[str | Move], turns: list[str], start: Position[Any] | None) -> list[Any]:
    """Return a line of moves with their canonical turns, and what stands beside them, as plain data."""
    written: list[Any] = []
    here, played = start and start.copy(), 0
    for index, (move, turn) in enumerate(zip(moves, turns, strict=True)):
        rest: dict[str, Any] = {}
        if isinstance(move, Move):
            rest = _without_empty(move.model_dump(exclude_defaults=True, exclude={"turn", "variations"}))
            _trim_marks(rest)
            if here is not None and move.has_others:
                try:
                    here.play_all(turns[played:index])
                    played = index
                except IllegalTurn:
                    here = None
            if "taken_back" in rest:
                rest["taken_back"] = [_spelled([text], here)[0] for text in rest["taken_back"]]
            if "line" in rest.get("eval", {}):
                rest["eval"]["line"] = _spelled(rest["eval"]["line"], here)
            lines = [_moves(line, _spelled(map(turn_of, line), here), here) for line in move.variations]
            if lines:
                rest["variations"] = lines
        written.append(ordered({"turn": turn, **rest}, Move) if rest else turn)
    return written


def _trim_marks(part: dict[str, Any]) -> None:
    for mark in part.get("marks", ()):
        mark["cells"] = [_trim(cell) for cell in mark["cells"]]


def _trim(text: str) -> str:
    text = text.strip(BLANKS)
    return text.lower() if text.isascii() else text  # some letters of other alphabets become a to z in lower case


def _without_empty(data: dict[str, Any]) -> dict[str, Any]:
    """Return data without empty parts, at every level but inside extensions. An empty result says that it is over."""
    kept = {}
    for name, value in data.items():
        if isinstance(value, dict) and not name.startswith("x-"):
            value = _without_empty(value)
            if not value and name != "result":
                continue
        kept[name] = value
    return kept
