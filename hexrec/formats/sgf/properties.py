"""Convert properties of SGF to data and back: fields, markup, and those of moves.

The writer reads its own properties, and writes the data that they do not preserve as JSON in `HJ`. The reader merges
it into the rest. Markup properties become *marks* only if all their values do. A property with other values, such as
rectangles of points, is preserved unchanged. `docs/formats/sgf.md` describes the tables.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from itertools import chain, pairwise
from math import inf
from typing import Any

from hexrec.formats.field_table import TextField, difference, get, merge, set_path
from hexrec.formats.json import parse as parse_json
from hexrec.formats.located_text import FormatError, LocatedText
from hexrec.formats.sgf.grammar import IDENTIFIER, PropertyError, can_hold, escape, is_raw, simple_value, text_value
from hexrec.record.schema import CELL, LEADING

Raw = Mapping[str, list[str]]
#: Placeholder for a turn that SGF cannot represent, which is in `HJ`.
_NO_TURN = "?"
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(\.[0-9]{1,15})?")


def _write_text(value: Any, *, lines: bool = False) -> str | None:
    if not can_hold(value, lines=lines):
        return None
    # Programs such as SGFC strip whitespace around values and delete values of whitespace: `HJ` preserves these.
    return escape(value.strip(" \n")) or None


def _write_turn(value: str) -> str:
    # An empty move is a pass to every SGF reader, so a turn that SGF cannot represent needs a placeholder.
    return escape(value) if value.strip() and can_hold(value) else _NO_TURN


def _write_number(value: Any) -> str | None:
    written = type(value) in (int, float) and abs(value) < 10**15 and NUMBER.fullmatch(repr(value))
    return repr(value) if written else None


def _glyph(meanings: dict[str, int]) -> TextField:
    """Return the field of an annotation, each of whose values is equivalent to one numeric glyph."""
    return TextField(
        ("nag",),
        lambda glyphs: next((text for text, glyph in meanings.items() if glyphs == [glyph]), None),
        lambda raw: [meanings[raw]] if raw in meanings else None,
    )


def text_field(*path: str) -> TextField:
    """Return the field of a property of type SimpleText."""
    return TextField(path, _write_text, simple_value)


def number_field(*path: str, minimum: float = -inf, maximum: float = inf) -> TextField:
    """Return the field of a property of type Number or Real, which has other values if they are out of range."""

    def read(raw: str) -> int | float | None:
        if (match := NUMBER.fullmatch(raw)) is None:
            return None
        value = float(raw) if match[1] else int(raw)
        return value if minimum <= value <= maximum else None

    return TextField(path, _write_number, read)


COMMENT = TextField(("comment",), partial(_write_text, lines=True), text_value)
#: The properties that annotate a move. Programs that support only Go reject the moves and delete these properties.
_ANNOTATIONS = {"TE": {"1": 1, "2": 3}, "BM": {"1": 2, "2": 4}, "IT": {"": 5}, "DO": {"": 6}}
#: The properties of a move by its color, in the order of the writer.
MOVE: Mapping[str, Mapping[str, TextField]] = {
    color: {
        color: TextField(("turn",), _write_turn, simple_value),
        clock: number_field("clock", minimum=0),
        "V": number_field("eval", "value", minimum=-1, maximum=1),
        **{name: _glyph(meanings) for name, meanings in _ANNOTATIONS.items()},
        "C": COMMENT,
    }
    for color, clock in (("B", "BL"), ("W", "WL"))
}


def read_fields(table: Mapping[str, TextField | None], raw: Raw, data: dict[str, Any]) -> set[str]:
    """Add the values of properties in a table to the data, if missing there; return the names of those used."""
    used = set()
    for name, field in table.items():
        if field is not None and name in raw and get(data, field.path) is None:
            value = field.decode(raw[name][0])
            if value is not None:
                set_path(data, field.path, value)
                used.add(name)
    return used


def read_move(raw: Raw, color: str) -> dict[str, Any]:
    """Convert properties to the data of a move of a color, ``B`` or ``W``. Raises PropertyError."""
    data: dict[str, Any] = {}
    used = {"HJ"} | read_fields(MOVE[color], raw, data) | read_marks(raw, data)
    more = read_json(raw, "HJ", dict)
    if "nag" in data and _is_annotation(more.get("nag")):
        del more["nag"]  # written twice: the property wins, in case that another program has changed it
    return add_leftovers(data, raw, used, more)


def add_leftovers(data: dict[str, Any], raw: Raw, used: set[str], more: dict[str, Any]) -> dict[str, Any]:
    """Return the data with properties that have not been used and `more`, the data in `HJ`. Raises PropertyError."""
    leftovers = {name: list(values) for name, values in raw.items() if name not in used}
    if leftovers:
        data["x-sgf"] = leftovers
        if not isinstance(more.get("x-sgf", {}), dict):
            message = f"in HJ, x-sgf should be an object, so that it can take {next(iter(leftovers))}, too"
            raise PropertyError("syntax/sgf", message, "HJ")
    return merge(data, more)


def _is_annotation(glyphs: Any) -> bool:
    """Return whether numeric glyphs are a single glyph for which a move has a property."""
    return any(glyphs == [glyph] for meanings in _ANNOTATIONS.values() for glyph in meanings.values())


def write_move(data: dict[str, Any], color: str) -> dict[str, list[str]]:
    """Convert a move without variations to properties."""
    texts = {name: field.encode(get(data, field.path)) for name, field in MOVE[color].items()}
    raw = {name: [text] for name, text in texts.items() if text is not None}
    twice = {"nag": data["nag"]} if _is_annotation(data.get("nag")) else None
    return write_missing(raw, data, lambda raw: read_move(raw, color), twice)


def write_missing(
    raw: dict[str, list[str]],
    data: dict[str, Any],
    read: Callable[[Raw], dict[str, Any]],
    twice: dict[str, Any] | None = None,
) -> dict[str, list[str]]:
    """Add to properties the marks, the preserved properties of the source, and `HJ` for data still missing.

    `read` is the reader of the node. Data in `twice` is always in `HJ`.
    """

    def complete(raw: dict[str, list[str]]) -> dict[str, list[str]]:
        missing = difference(data, read(raw)) | (twice or {})
        return raw | {"HJ": [write_json(missing)]} if missing else raw

    raw |= write_marks(data.get("marks", ()))
    kept = data.get("x-sgf")
    if not isinstance(kept, dict) or not all(_is_property(name, values) for name, values in kept.items()):
        kept = {}
    if kept and raw.keys() & kept.keys() <= {"RE", "RU", "AP"}:
        # Properties in both keep their place among the preserved ones, unless these change the data of the record.
        trial = {name: values for name, values in raw.items() if name not in kept} | kept
        with suppress(PropertyError):
            whole = complete(trial)
            kept_again = read(trial).get("x-sgf")
            if json.dumps(kept_again) == json.dumps(kept) and not difference(read(whole), data):
                return whole
    return complete(raw)


def _is_property(name: str, values: Any) -> bool:
    if IDENTIFIER.fullmatch(name) is None or not isinstance(values, list) or not values:
        return False
    return name not in ("B", "W", "FF", "CA", "GM", "PL", "HJ") and all(is_raw(value) for value in values)


def read_json(raw: Raw, name: str, kind: type) -> Any:
    """Return the JSON in a property, or an empty object. Raises PropertyError, also for data of another type."""
    if name not in raw:
        return {}
    try:
        data = parse_json(LocatedText(text_value(raw[name][0])))
    except FormatError as bad:
        raise PropertyError("syntax/sgf", f"{name} should contain JSON: {bad}", name) from None
    if not isinstance(data, kind):
        raise PropertyError("syntax/sgf", f"{name} should contain a JSON object", name)
    return data


def write_json(value: Any) -> str:
    """Return the raw value for data."""
    return escape(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


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


def read_marks(raw: Raw, data: dict[str, Any]) -> set[str]:
    """Add the marks of properties to the data; return the names of the properties used."""
    marks: list[dict[str, Any]] = []
    used = set()
    for name, values in raw.items():
        if name in MARKUP and (property_marks := _marks_of(name, values)) is not None:
            marks += property_marks
            used.add(name)
    if marks:
        data["marks"] = marks
    return used


def _marks_of(name: str, values: list[str]) -> list[dict[str, Any]] | None:
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
    return [{"kind": kind, "cells": cells, **({"color": color} if color else {})} for cells in marked]


def write_marks(marks: Iterable[dict[str, Any]]) -> dict[str, list[str]]:
    """Return the properties for marks. A mark that SGF does not allow next to earlier marks is left out."""
    raw: dict[str, list[str]] = {}
    used: dict[str, set[str]] = {}
    for mark in marks:
        kind, cells = mark["kind"], mark["cells"]
        values = list(cells)
        name = _BY_KIND.get((kind, mark.get("color"))) or _BY_KIND[kind, None]
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
