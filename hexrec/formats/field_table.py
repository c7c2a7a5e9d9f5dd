"""Fields of a record in a format: tables of fields that are one string each, and leftovers written as JSON.

A new field of records is one line in the table of each format that can represent it. A format writes all other fields
as JSON in one private field, the leftovers, and merges them on reading.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

#: The path of a value in a record, as names of fields.
Path = tuple[str, ...]


class TextField(NamedTuple):
    """A field of a record that is one string in a format.

    Attributes:
        path: its path in a record, or in a move.
        encode: returns the string for a value, or None if the value is missing or has no string.
        decode: returns the value of a string, or None if the string has no value.
    """

    path: Path
    encode: Callable[[Any], str | None]
    decode: Callable[[str], Any]


def get(data: Any, path: Path) -> Any:
    """Return the value at a path, or None if it is missing."""
    for step in path:
        data = data.get(step) if isinstance(data, Mapping) else None
    return data


def set_path(data: dict[str, Any], path: Path, value: Any) -> None:
    """Set the value at a path; create the objects on it."""
    for step in path[:-1]:
        data = data.setdefault(step, {})
    data[path[-1]] = value


def merge(natural: dict[str, Any], leftovers: dict[str, Any]) -> dict[str, Any]:
    """Return the union of two objects: merge objects recursively, and prefer leftovers among other values."""
    merged = dict(natural)
    for name, value in leftovers.items():
        part = merged.get(name)
        merged[name] = merge(part, value) if isinstance(part, dict) and isinstance(value, dict) else value
    return merged


def difference(whole: dict[str, Any], natural: dict[str, Any]) -> dict[str, Any]:
    """Return the minimal `leftovers` for which `merge(natural, leftovers)` is `whole`.

    Leftovers cannot remove fields that only `natural` has.
    """
    leftovers = {}
    for name, value in whole.items():
        if name not in natural:
            leftovers[name] = value
        elif isinstance(value, dict) and isinstance(natural[name], dict):
            if field_leftovers := difference(value, natural[name]):
                leftovers[name] = field_leftovers
        elif repr(value) != repr(natural[name]):  # 1, 1.0 and True are equal, but not the same
            leftovers[name] = value
    return leftovers


def depth(value: Any) -> int:
    """Return the number of levels of arrays and objects in a value."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if parts is None else 1 + max(map(depth, parts), default=0)
