"""The canonical form of a record: default fields left out, turns in canonical spelling, one way to write each thing."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from hexrec.games import RuleError
from hexrec.games.turn_text import BLANKS
from hexrec.record.model import Move, Record, ordered, turn_of


def canonical_form(record: Record) -> dict[str, Any]:
    """Return the record's canonical form as plain data, fields in the order of the format.

    Left out are fields with their default values and empty parts. A turn with nothing to add is a plain text.
    Extension fields follow the others, sorted by name, their values verbatim. Turns are in the canonical spelling
    that the engine gives them; from the first turn that cannot be played on, and beside the game (in variations, lines
    of programs and what was taken back), they are only trimmed and in lower case.
    """
    data = _without_empty(record.model_dump(exclude_defaults=True, exclude={"moves"}))
    for colour, cell in data.get("opening", {}).items():
        if colour in record.GAME.opening:
            data["opening"][colour] = _trim(cell)
    _trim_marks(data)
    return ordered({**data, "moves": _moves(record.moves, canonical_turns(record))})


def canonical_turns(record: Record) -> list[str]:
    """Return the turns played, in canonical spelling as far as the game can be replayed, and trimmed after that."""
    turns = [_trim(turn) for turn in record.turns]
    if record.GAME.synonyms:
        spelled: list[str] = []
        with suppress(RuleError):
            record.start().play_all(record.turns, spelled)
        turns[: len(spelled)] = spelled
    return turns


def _moves(moves: list[str | Move], turns: list[str]) -> list[Any]:
    written: list[Any] = []
    for move, turn in zip(moves, turns, strict=True):
        rest: dict[str, Any] = {}
        if isinstance(move, Move):
            rest = _without_empty(move.model_dump(exclude_defaults=True, exclude={"turn", "variations"}))
            _trim_marks(rest)
            if "taken_back" in rest:
                rest["taken_back"] = [_trim(text) for text in rest["taken_back"]]
            if "line" in rest.get("eval", {}):
                rest["eval"]["line"] = [_trim(text) for text in rest["eval"]["line"]]
            lines = [_moves(line, [_trim(turn_of(each)) for each in line]) for line in move.variations]
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
