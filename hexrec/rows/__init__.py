"""Scores as rows: one per record, in batches of columns, and the registry of their formats.

A new format is one subclass of `RowWriter` and one line in `_REGISTRY`. A writer is handed batches and
writes them as they come: it holds no more than some thousand rows. What it writes depends on the rows alone, not on how
they were cut into batches.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from hexrec.errors import UnknownNameError, extra
from hexrec.files.compression import inner_suffix
from hexrec.rows.rows import COLUMNS, Columns, RowWriter, batches, columns
from hexrec.rows.totals import Totals, write_totals, write_totals_json

#: The registry: the names of the writers, where their classes are, and the endings of file names that select them.
_REGISTRY: Mapping[str, tuple[str, str, tuple[str, ...]]] = {
    "table": ("table", "TableWriter", (".txt",)),
    "csv": ("csv", "CsvWriter", (".csv",)),
    "json": ("json", "JsonWriter", (".json",)),
    "jsonl": ("json", "JsonLinesWriter", (".jsonl", ".ndjson")),
    "parquet": ("arrow", "ParquetWriter", (".parquet",)),
    "arrow": ("arrow", "ArrowWriter", (".arrow", ".feather")),
}


def names() -> tuple[str, ...]:
    """Return the names of all writers."""
    return tuple(_REGISTRY)


def by_file_name(name: str) -> str | None:
    """Return the writer that a file's name selects, if it selects one. It may end in .gz or the like after that."""
    suffix = inner_suffix(name)
    return next((each for each, (*_, endings) in _REGISTRY.items() if suffix in endings), None)


def get(name: str) -> RowWriter:
    """Return a writer by its name. Raises UnknownNameError, MissingExtraError."""
    if name not in _REGISTRY:
        raise UnknownNameError(f"unknown format {name!r}; known: {', '.join(_REGISTRY)}")
    module, writer, _ = _REGISTRY[name]
    with extra("arrow", f"to write {name}, install", "pyarrow"):
        found: RowWriter = getattr(import_module(f"hexrec.rows.{module}"), writer)()
    return found


__all__ = [
    "COLUMNS",
    "Columns",
    "RowWriter",
    "Totals",
    "batches",
    "by_file_name",
    "columns",
    "get",
    "names",
    "write_totals",
    "write_totals_json",
]
