"""Fields of a record in a format: tables of those that are one string each, and the JSON for those without a place.

A new field of records is one line in the table of each format that has a place for it. What a format has no
place for goes as JSON into one private place, and is merged back on reading.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

#: The names of fields that lead to a value in a record.
Path = tuple[str, ...]


class TextField(NamedTuple):
    """A field of a record that is one text in a format.

    Attributes:
        path: where the field is in a record, or in a move.
        encode: returns the text for a value; None for one that cannot be written so, such as one that is not there.
        decode: returns the value that a text means; None for a text that means none.
    """

    path: Path
    encode: Callable[[Any], str | None]
    decode: Callable[[str], Any]


def get(data: Any, path: Path) -> Any:
    """Return the value at a path of some data; None if there is none."""
    for step in path:
        data = data.get(step) if isinstance(data, Mapping) else None
    return data


def put(data: dict[str, Any], path: Path, value: Any) -> None:
    """Set a value at a path of some data."""
    for step in path[:-1]:
        data = data.setdefault(step, {})
    data[path[-1]] = value


def merge(natural: dict[str, Any], leftovers: dict[str, Any]) -> dict[str, Any]:
    """Return the union of two objects: objects in both are merged in turn, of other values the leftover wins."""
    merged = dict(natural)
    for name, value in leftovers.items():
        own = merged.get(name)
        merged[name] = merge(own, value) if isinstance(own, dict) and isinstance(value, dict) else value
    return merged


def difference(whole: dict[str, Any], natural: dict[str, Any]) -> dict[str, Any]:
    """Return the least `leftovers` with which `merge` makes `whole` of `natural`.

    Fields that `natural` alone has stay: no leftovers take them away.
    """
    leftovers = {}
    for name, value in whole.items():
        if name not in natural:
            leftovers[name] = value
        elif isinstance(value, dict) and isinstance(natural[name], dict):
            if rest := difference(value, natural[name]):
                leftovers[name] = rest
        elif repr(value) != repr(natural[name]):  # 1, 1.0 and True are equal, but not the same
            leftovers[name] = value
    return leftovers


def depth(value: Any) -> int:
    """Return how many levels of lists and objects a value has."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if parts is None else 1 + max(map(depth, parts), default=0)
