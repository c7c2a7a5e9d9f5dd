"""JSON Pointers (RFC 6901): between texts and paths of keys and indexes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

#: The keys and indexes that lead from a record to a value in it.
Path = tuple[int | str, ...]


def pointer_to(path: Iterable[int | str]) -> str:
    """Return the pointer of a path."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)


def steps_of(pointer: str) -> list[str]:
    """Return the path that a pointer names, indexes as texts."""
    steps = pointer.split("/")[1:]
    return [step.replace("~1", "/").replace("~0", "~") for step in steps] if "~" in pointer else steps


def value_at(data: Any, pointer: str) -> Any:
    """Return what a pointer names in plain data. Raises LookupError if nothing is there."""
    for step in steps_of(pointer):
        data = data[int(step)] if isinstance(data, list) else data[step]
    return data
