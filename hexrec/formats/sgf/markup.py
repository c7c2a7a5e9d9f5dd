"""Convert the markup properties of SGF to the marks of a record, and marks to properties.

A property becomes marks only if all its values do. A property with other values, such as rectangles of points, is
preserved unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import Any

from hexrec.formats.sgf.grammar import can_hold, escape, simple_value
from hexrec.record.schema import CELL

_Mark = dict[str, Any]
_CELL = re.compile(str(CELL.pattern))
#: The two parts of a composed value, at the first colon that is not escaped.
_COMPOSED = re.compile(r"((?:[^:\\]|\\.)*):(.*)", re.DOTALL)


def _points(kind: str, **more: str) -> Callable[[list[str]], list[_Mark] | None]:
    def read(values: list[str]) -> list[_Mark] | None:
        return [{"kind": kind, "cells": values, **more}] if all(map(_CELL.search, values)) else None

    return read


def _labels(values: list[str]) -> list[_Mark] | None:
    parts = [_COMPOSED.fullmatch(value) for value in values]
    if not all(part and _CELL.search(part[1]) for part in parts):
        return None
    return [{"kind": "label", "cells": [part[1]], "text": simple_value(part[2])} for part in parts if part]


def _pairs(kind: str) -> Callable[[list[str]], list[_Mark] | None]:
    def read(values: list[str]) -> list[_Mark] | None:
        ends = [value.split(":") for value in values]
        if not all(len(cells) == 2 and all(map(_CELL.search, cells)) for cells in ends):
            return None
        return [{"kind": kind, "cells": cells} for cells in ends]

    return read


#: Functions that convert the values of each property to marks, or return None if a value is no mark.
_PROPERTIES: Mapping[str, Callable[[list[str]], list[_Mark] | None]] = {
    "CR": _points("circle"),
    "SQ": _points("square"),
    "TR": _points("triangle"),
    "MA": _points("cross"),
    "SL": _points("area"),
    "TB": _points("area", colour="black"),
    "TW": _points("area", colour="white"),
    "LB": _labels,
    "AR": _pairs("arrow"),
    "LN": _pairs("line"),
}
_BY_KIND = {"circle": "CR", "square": "SQ", "triangle": "TR", "cross": "MA", "label": "LB", "arrow": "AR", "line": "LN"}
_AREAS = {"black": "TB", "white": "TW"}
NAMES = frozenset(_PROPERTIES)
#: Groups of properties that must not share a point in a node. Other properties must not have a value twice.
_EXCLUSIVE = ({"CR", "SQ", "TR", "MA", "SL"}, {"TB", "TW"})


def read_marks(raw: Mapping[str, list[str]], data: dict[str, Any]) -> set[str]:
    """Add the marks of properties to the data; return the names of the properties used."""
    marks: list[_Mark] = []
    used = set()
    for name in raw if not NAMES.isdisjoint(raw) else ():
        property_marks = _PROPERTIES[name](list(raw[name])) if name in NAMES else None
        if property_marks is not None:
            marks += property_marks
            used.add(name)
    if marks:
        data["marks"] = marks
    return used


def write_marks(marks: Iterable[_Mark]) -> dict[str, list[str]]:
    """Return the properties for marks. A mark that SGF does not allow next to earlier marks is left out."""
    raw: dict[str, list[str]] = {}
    used: dict[str, set[str]] = {}
    for mark in marks:
        kind, cells = mark["kind"], mark["cells"]
        values = list(cells)
        name = _BY_KIND.get(kind) or _AREAS.get(mark.get("colour", ""), "SL")
        if kind == "label":
            text = mark.get("text", "")
            values = [f"{cell}:{escape(text).replace(':', chr(92) + ':') if can_hold(text) else '?'}" for cell in cells]
        elif kind in ("arrow", "line"):
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
