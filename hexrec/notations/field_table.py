"""Fields of a record that a notation has as one text each: the tables by which it reads and writes them.

A new field of records is one line in the table of each notation that has a place for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

#: The names of fields that lead to a value in a record.
Path = tuple[str, ...]


class TextField(NamedTuple):
    """A field of a record that is one text in a notation.

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
