"""Scores as rows: one a record, in batches of columns, and the registry of the ways to write them.

A new way is one module with a `SINK` and one line in `_REGISTRY`. A sink is handed batches as they come and writes
them as they come: it holds no more than some thousand rows. What it writes depends on the rows alone, not on how they
were cut into batches.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from hexrec.files.compression import inner_suffix
from hexrec.scores.rows import COLUMNS, Columns, Sink, batches, columns
from hexrec.scores.totals import Tally, write_sums, write_sums_json

#: The registry: a sink's name is its module's. The endings of file names that tell it.
_REGISTRY: Mapping[str, tuple[str, ...]] = {
    "table": (".txt",),
    "csv": (".csv",),
    "json": (".json",),
    "jsonl": (".jsonl", ".ndjson"),
    "parquet": (".parquet",),
    "arrow": (".arrow", ".feather"),
}


class MissingExtraError(Exception):
    """A library that hexrec does without, if need be, is not installed; the message says how to get it."""


def names() -> tuple[str, ...]:
    """Return the names of all sinks."""
    return tuple(_REGISTRY)


def by_file_name(name: str) -> str | None:
    """Return the sink that a file's name tells, if it tells one. It may end in .gz or the like after that."""
    suffix = inner_suffix(name)
    return next((sink for sink, endings in _REGISTRY.items() if suffix in endings), None)


def get(name: str) -> Sink:
    """Return a sink by its name. Raises KeyError for an unknown name, MissingExtraError."""
    if name not in _REGISTRY:
        raise KeyError(f"unknown format {name!r}; known: {', '.join(_REGISTRY)}")
    try:
        found: Sink = import_module(f"hexrec.scores.{name}").SINK
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "pyarrow":
            raise
        raise MissingExtraError(f"to write {name}, install hexrec-games[arrow]") from None
    return found


__all__ = [
    "COLUMNS",
    "Columns",
    "MissingExtraError",
    "Sink",
    "Tally",
    "batches",
    "by_file_name",
    "columns",
    "get",
    "names",
    "write_sums",
    "write_sums_json",
]
