"""The tables of games and turns as a data set: Parquet files in directories by game and size.

Memory does not grow with the number of games: rows are written in files of a bounded size, each sorted by itself.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from math import inf
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from hexrec.errors import RunError
from hexrec.io.outputs import Target, atomic_write_bytes, sizes_in
from hexrec.tools.examined import Examined
from hexrec.tools.turns import GAMES, ORDER, PARTITION, TURNS, Column, GameRows
from hexrec.util.version import __version__

#: The maximum number of turns in memory, and of rows in a row group.
_HELD, _GROUP = 1 << 19, 1 << 17
#: The path of a file of a table.
_FILE = re.compile(r"\w+/game=[^/]+/size=\d+/part-\d+\.parquet")
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


def find_files(directory: Target) -> list[str]:
    """Return the files of the tables in a directory, as paths from there. Raises OSError."""
    found = (f"{name}/{file}" for name in TABLES for file in sizes_in(directory / name))
    return [file for file in found if _FILE.fullmatch(file)]


def clear(directory: Target, *, force: bool) -> None:
    """Remove the tables of an earlier run, which may have more files. Without `force`, raise RunError if there are any.

    Raises OSError.
    """
    for file in find_files(directory):
        if not force:
            raise RunError(f"{directory}: has tables already: --force overwrites them")
        (directory / file).unlink()


def write(games: Iterable[Examined], directory: Target) -> None:
    """Write the tables of games into a directory. Raises OSError."""
    for number, by_partition in enumerate(_divide(games, _HELD)):
        for (game, size), rows in by_partition.items():
            for name, table in tables_of(rows).items():
                write_file([table], directory, f"{name}/game={game}/size={size}", number)


def write_file(tables: Iterable[Any], directory: Target, folder: str, number: int = 0) -> None:
    """Write the sorted rows of a game and size to a file. Raises OSError.

    `folder` is the path from the directory, such as ``turns/game=nadraz/size=4``.
    """
    _, schema, order = TABLES[folder.partition("/")[0]]
    (directory / folder).mkdir(parents=True, exist_ok=True)
    sorting = parquet.SortingColumn.from_ordering(schema, [(column, "ascending") for column in order])
    with (
        atomic_write_bytes(directory / folder / f"part-{number:05}.parquet") as out,
        parquet.ParquetWriter(out, schema, compression="zstd", sorting_columns=sorting) as writer,
    ):
        for table in tables:
            writer.write_table(table, _GROUP)


def _divide(games: Iterable[Examined], most: float) -> Iterator[dict[tuple[str, int], list[GameRows]]]:
    """Yield games with rows by game and size, about `most` turns at a time."""
    by_partition, turns = defaultdict(list), 0
    for report, _, rows in games:
        if rows is None:
            continue
        by_partition[rows.partition].append(rows)
        turns += report.plies + 1
        if turns >= most:
            yield by_partition
            by_partition, turns = defaultdict(list), 0
    yield by_partition


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


def with_partition(games: Iterable[Examined], name: str) -> Iterator[Any]:
    """Yield a table with the columns of the partition first, part by part."""
    (by_partition,) = _divide(games, inf)
    for partition, parts in sorted(by_partition.items()):
        table = tables_of(parts)[name]
        for place, (column, value) in enumerate(zip(PARTITION, partition, strict=True)):
            table = table.add_column(place, column.name, _array(column, [value] * len(table)))
        yield table
