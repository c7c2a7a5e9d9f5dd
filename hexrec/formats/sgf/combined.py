"""Convert groups of SGF properties that are one field of a record together: the setup, the time control and the marks.

* A *setup* is the stones and the side to move set before the first turn, unless they are an opening.
* A *time control* is the main time `TM` and the overtime `OT`, which is free text: the reader supports the forms that
  servers write.
* Markup properties become *marks* only if all their values do. A property with other values, such as rectangles of
  points, is preserved unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import chain, pairwise
from typing import Any

from hexrec.formats.sgf.grammar import PropertyError, can_hold, escape, simple_value
from hexrec.record.schema import CELL, LEADING
from hexrec.rules import games, position_text
from hexrec.rules.board import SYSTEMS
from hexrec.rules.game import Game
from hexrec.rules.terms import COLORS, IllegalSetup
from hexrec.util.diagnostics import shorten

#: The properties that set the stones of Black and White.
STONES = ("AB", "AW")
STONES_AND_SIDE = frozenset((*STONES, "PL"))
_SIDES = {"b": 0, "black": 0, "1": 0, "w": 1, "white": 1, "2": 1}


def read_setup(raw: Mapping[str, list[str]], data: Mapping[str, Any]) -> str | None:
    """Return the position text that properties set, or None for an opening.

    `data` is the other data of the record. Stones have height 1, there are no passes, and the game's
    own fields have their first value.
    Raises PropertyError if there is no such position.
    """
    name, size, system = data.get("game"), data.get("size"), data.get("coordinates", "row")
    if STONES_AND_SIDE.isdisjoint(raw) or not games.is_known(name) or system not in SYSTEMS:
        return None
    game = games.get(str(name))
    side = _SIDES.get(raw["PL"][0].strip().lower()) if "PL" in raw else 0
    if side is None:
        raise PropertyError("syntax/sgf-setup", "PL should be B or W, for the side to move", "PL")
    if (
        not isinstance(size, int)
        or size not in game.sizes
        or _is_opening(game, [len(raw.get(name, ())) for name in STONES], side)
    ):
        return None
    board = game.board(size)
    contents = [0] * board.span
    for color, name in enumerate(STONES):
        for index, value in enumerate(raw.get(name, ())):
            cell = board.names(system).find(simple_value(value))
            if cell is None or contents[cell]:
                problem = "is not a cell of the board" if cell is None else "has a stone already"
                raise PropertyError("syntax/sgf-setup", f"{shorten(value, 20)} {problem}", name, index)
            contents[cell] = 1 + color
    return position_text.write(board, contents, side, 0, [field.values[0] for field in game.position_fields])


def write_setup(data: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the properties that set the stones of a record's setup and its side to move.

    Return no properties for stacks above height 1, an illegal setup, or a setup that would be read as an opening.
    """
    game = games.get(data["game"])
    try:
        position = game.start(data["size"], ruleset=data.get("ruleset"), position=data["setup"])
    except IllegalSetup:
        return {}
    name_of = position.board.names(data.get("coordinates", "row")).single
    side = COLORS.index(position.turn)
    stones = sorted(position.stacks().items())
    cells = [[name_of(cell) for cell, stone in stones if stone.color == color] for color in range(len(STONES))]
    if any(stone.height > 1 for _, stone in stones) or _is_opening(game, [len(names) for names in cells], side):
        return {}
    return {"PL": ["BW"[side]]} | {name: names for name, names in zip(STONES, cells, strict=True) if names}


def _is_opening(game: Game, counts: list[int], side: int) -> bool:
    """Return whether numbers of stones by color, and a side to move, may be those of an opening."""
    most = [int(color in game.opening) for color in COLORS]
    return side == 0 and all(count <= limit for count, limit in zip(counts, most, strict=True))


_SECONDS = r"[0-9]{1,9}(?:\.[0-9]{1,6})?"
_MAIN = re.compile(_SECONDS)
_WITH_MAIN = re.compile(rf"({_SECONDS})[ \t]+(?:(fischer)|(delay))", re.IGNORECASE)
_COUNT = "[1-9][0-9]{0,5}"
_AFTER_MAIN = re.compile(
    rf"({_COUNT})[ \t]*x[ \t]*({_SECONDS})[ \t]+byo-?yomi"
    rf"|({_COUNT})/({_SECONDS})[ \t]+canadian|({_SECONDS})[ \t]+simple",
    re.IGNORECASE,
)
TIME = frozenset({"TM", "OT"})


def read_time(raw: Mapping[str, list[str]], data: dict[str, Any]) -> set[str]:
    """Add the time control of `TM` and `OT` to the data; return the names of the properties used."""
    main = simple_value(raw["TM"][0]).strip() if "TM" in raw else None
    over = simple_value(raw["OT"][0]).strip() if "OT" in raw else None
    stages = _stages(main, over)
    if not stages:
        return set()
    data["time_control"] = stages
    return {*raw} & TIME


def _stages(main: str | None, over: str | None) -> list[dict[str, Any]] | None:
    if main is not None and not _MAIN.fullmatch(main):
        return None
    stages: list[dict[str, Any]] = [] if main is None else [{"seconds": _read_seconds(main)}]
    if over is None:
        return stages
    if main is not None and (match := _WITH_MAIN.fullmatch(over)):
        return [{**stages[0], "increment" if match[2] else "delay": _read_seconds(match[1])}]
    if match := _AFTER_MAIN.fullmatch(over):
        if match[1]:
            return [*stages, {"seconds": _read_seconds(match[2]), "periods": int(match[1])}]
        if match[3]:
            return [*stages, {"turns": int(match[3]), "seconds": _read_seconds(match[4])}]
        return [*stages, {"per_turn": _read_seconds(match[5])}]
    return None


def _read_seconds(text: str) -> float:
    return float(text) if "." in text else int(text)


def write_time(stages: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Return properties for a time control: all of it, or else only the main time, if it has one."""
    has_main = bool(stages) and "seconds" in stages[0] and stages[0].keys().isdisjoint({"turns", "periods"})
    main, overtime = (stages[0], stages[1:]) if has_main else ({}, stages)
    texts = (("TM", _write_seconds(main.get("seconds"))), ("OT", _overtime(main, overtime)))
    written = {name: text for name, text in texts if text}
    if _stages(written.get("TM"), written.get("OT")) is None:  # the overtime has a number that SGF cannot represent
        del written["OT"]
    return {name: [text] for name, text in written.items()}


def _overtime(main: dict[str, Any], overtime: list[dict[str, Any]]) -> str:
    for name, word in (("increment", "fischer"), ("delay", "delay")):
        if main.keys() == {"seconds", name} and not overtime:
            return f"{_write_seconds(main[name])} {word}"
    if len(overtime) != 1 or main.keys() - {"seconds"}:
        return ""
    (stage,) = overtime
    if stage.keys() == {"seconds", "periods"}:
        return f"{stage['periods']}x{_write_seconds(stage['seconds'])} byo-yomi"
    if stage.keys() == {"turns", "seconds"}:
        return f"{stage['turns']}/{_write_seconds(stage['seconds'])} canadian"
    return f"{_write_seconds(stage['per_turn'])} simple" if stage.keys() == {"per_turn"} else ""


def _write_seconds(number: float | None) -> str:
    text = "" if number is None else repr(number)
    return text if _MAIN.fullmatch(text) else ""


_Mark = dict[str, Any]
_CELL = re.compile(str(CELL.pattern))
#: The two parts of a composed value, at the first colon that is not escaped.
_COMPOSED = re.compile(r"((?:[^:\\]|\\.)*):(.*)", re.DOTALL)


#: The kind of mark of each property, and the color of an area.
_KINDS: Mapping[str, tuple[str, str | None]] = {
    "CR": ("circle", None),
    "SQ": ("square", None),
    "TR": ("triangle", None),
    "MA": ("cross", None),
    "SL": ("area", None),
    "TB": ("area", "black"),
    "TW": ("area", "white"),
    "LB": ("label", None),
    "AR": ("arrow", None),
    "LN": ("line", None),
}
_BY_KIND = {kind: name for name, kind in _KINDS.items()}
MARKUP = frozenset(_KINDS)
#: Groups of properties that must not share a point in a node. Other properties must not have a value twice.
_EXCLUSIVE = ({"CR", "SQ", "TR", "MA", "SL"}, {"TB", "TW"})


def read_marks(raw: Mapping[str, list[str]], data: dict[str, Any]) -> set[str]:
    """Add the marks of properties to the data; return the names of the properties used."""
    marks: list[_Mark] = []
    used = set()
    for name, values in raw.items():
        if name in MARKUP and (property_marks := _marks_of(name, values)) is not None:
            marks += property_marks
            used.add(name)
    if marks:
        data["marks"] = marks
    return used


def _marks_of(name: str, values: list[str]) -> list[_Mark] | None:
    """Return the marks for the values of a property, or None if a value is no mark."""
    kind, color = _KINDS[name]
    if kind == "label":
        labels = [_COMPOSED.fullmatch(value) for value in values]
        if not all(label and _CELL.search(label[1]) for label in labels):
            return None
        return [{"kind": kind, "cells": [label[1]], "text": simple_value(label[2])} for label in labels if label]
    marked = [value.split(":") for value in values] if kind in LEADING else [list(values)]
    if kind in LEADING and any(len(cells) != 2 for cells in marked):
        return None
    if not all(map(_CELL.search, chain(*marked))):
        return None
    return [{"kind": kind, "cells": cells, **({"colour": color} if color else {})} for cells in marked]


def write_marks(marks: Iterable[_Mark]) -> dict[str, list[str]]:
    """Return the properties for marks. A mark that SGF does not allow next to earlier marks is left out."""
    raw: dict[str, list[str]] = {}
    used: dict[str, set[str]] = {}
    for mark in marks:
        kind, cells = mark["kind"], mark["cells"]
        values = list(cells)
        name = _BY_KIND.get((kind, mark.get("colour"))) or _BY_KIND[kind, None]
        if kind == "label":
            text = mark.get("text", "")
            values = [f"{cell}:{escape(text).replace(':', chr(92) + ':') if can_hold(text) else '?'}" for cell in cells]
        elif kind in LEADING:
            values = [":".join(pair) for pair in pairwise(cells) if pair[0] != pair[1]]
        taken = used.setdefault(next((min(names) for names in _EXCLUSIVE if name in names), name), set())
        for value in values:
            key = _unique_key(value, kind)
            if key not in taken:
                taken.add(key)
                raw.setdefault(name, []).append(value)
    return raw


def _unique_key(value: str, kind: str) -> str:
    """Return the part of a value that must be unique in a node: the point, the arrow, or the line in any direction."""
    if kind == "label":
        return value.partition(":")[0]
    return ":".join(sorted(value.split(":"))) if kind == "line" else value
