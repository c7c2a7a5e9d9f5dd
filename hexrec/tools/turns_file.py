"""The tables of games and turns as a data set: Parquet files in directories by game and size.

Memory does not grow with the number of games: rows are written in files of a bounded size, each sorted by itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from hexrec.io.outputs import atomic_write_bytes
from hexrec.tools.turns import GAMES, ORDER, PARTITION, TURNS, Column, GameRows
from hexrec.util.version import __version__

#: The maximum number of turns in memory, and of rows in a row group.
_HELD, _GROUP = 1 << 19, 1 << 17
_TYPES = {
    "string": pa.string(),
    "word": pa.dictionary(pa.int32(), pa.string()),
    "integer": pa.int32(),
    "number": pa.float64(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "digest": pa.binary(16),
    "integers": pa.list_(pa.int32()),
    "numbers": pa.list_(pa.float64()),
}


def schema_of(columns: Sequence[Column]) -> Any:
    """Return the Arrow schema of a table, with its descriptions and the version of hexrec."""
    fields = [pa.field(name, _TYPES[kind], metadata={"description": meaning}) for name, kind, meaning, _ in columns]
    return pa.schema(fields, {"hexrec": __version__})


#: By name of a table, its columns, schema, and the columns by which its rows are sorted.
TABLES = {
    "games": (GAMES, schema_of(GAMES), ORDER),
    "turns": (TURNS, schema_of(TURNS), (*ORDER, "ply")),
}


class DataSet:
    """Writes the tables into a directory. A prefix of the names of files keeps the parts of several runs apart."""

    def __init__(self, directory: Path, prefix: str) -> None:
        self._directory = directory
        self._prefix = prefix
        self._files = 0
        self._held: dict[tuple[str, int], list[GameRows]] = defaultdict(list)
        self._turns = 0

    def write(self, games: Iterable[GameRows]) -> None:
        """Write the rows of games. Raises OSError."""
        for game in games:
            if game.partition is None:
                continue
            self._held[game.partition].append(game)
            self._turns += game.report.plies + 1
            if self._turns >= _HELD:
                self._write_held()
        self._write_held()

    def _write_held(self) -> None:
        for partition, games in self._held.items():
            for name, table in tables_of(games).items():
                self._write_file(name, partition, table)
        self._held.clear()
        self._turns = 0
        self._files += 1

    def _write_file(self, name: str, partition: tuple[str, int], table: Any) -> None:
        game, size = partition
        file = self._directory / name / f"game={game}" / f"size={size}" / f"{self._prefix}{self._files:05}.parquet"
        file.parent.mkdir(parents=True, exist_ok=True)
        order = parquet.SortingColumn.from_ordering(table.schema, [(column, "ascending") for column in TABLES[name][2]])
        with atomic_write_bytes(file) as out:
            parquet.write_table(table, out, compression="zstd", row_group_size=_GROUP, sorting_columns=order)


def tables_of(games: Sequence[GameRows]) -> dict[str, Any]:
    """Return the Arrow tables of games, by name, sorted."""
    games = sorted(games, key=lambda game: game.game[: len(ORDER)])
    rows = [game.game for game in games]
    parts = [game.turns for game in games]
    columns: dict[str, Sequence[Sequence[Any]]] = {
        "games": [*zip(*rows, strict=True)],
        "turns": [[value for part in parts for value in part[place]] for place in range(len(TURNS))],
    }
    return {name: _table(name, values) for name, values in columns.items()}


def _table(name: str, columns: Sequence[Sequence[Any]]) -> Any:
    described, schema, _ = TABLES[name]
    return pa.table([_array(column, values) for column, values in zip(described, columns, strict=True)], schema=schema)


def _array(column: Column, values: Sequence[Any]) -> Any:
    if column.kind == "word":
        return pa.array(values, pa.string()).dictionary_encode()
    if column.kind == "number":  # the string makes an integer out of range infinite
        values = [None if value is None else float(str(value)) for value in values]
    if column.kind == "date":
        values = [None if value is None else date.fromisoformat(value) for value in values]
    return pa.array(values, _TYPES[column.kind])


def with_partition(games: Iterable[GameRows], name: str) -> Iterator[Any]:
    """Yield a table with the columns of the partition first, part by part."""
    by_partition: dict[tuple[str, int], list[GameRows]] = defaultdict(list)
    for game in games:
        if game.partition is not None:
            by_partition[game.partition].append(game)
    for partition, parts in sorted(by_partition.items()):
        table = tables_of(parts)[name]
        for place, (column, value) in enumerate(zip(PARTITION, partition, strict=True)):
            table = table.add_column(place, column.name, _array(column, [value] * len(table)))
        yield table
