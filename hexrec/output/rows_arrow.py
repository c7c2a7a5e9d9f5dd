"""Rows as Arrow record batches, in an Arrow IPC file (Feather version 2) or a Parquet file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, BinaryIO

import pyarrow as pa

from hexrec.output.rows import COLUMNS, WORDS, Row, RowWriter

#: The number of rows in a record batch (Arrow) or row group (Parquet).
_ROWS = 32_768

_TYPES: Mapping[str, Any] = {
    "index": pa.int64(),
    "size": pa.int32(),
    "plies": pa.int32(),
    "ply": pa.int32(),
    **dict.fromkeys(("agrees", "rated", "black_bot", "white_bot"), pa.bool_()),
    **dict.fromkeys(("black_rating", "white_rating"), pa.float64()),
    **{name: pa.list_(pa.float64()) for name in ("black", "white")},
    # An Arrow file has one dictionary per column.
    **{name: pa.dictionary(pa.int32(), pa.string()) for name in WORDS},
}
SCHEMA = pa.schema([(name, _TYPES.get(name, pa.string())) for name in COLUMNS])


def _encode(rows: Sequence[Row]) -> bytes:
    """Return rows as a stream of one Arrow record batch."""
    out = pa.BufferOutputStream()
    with pa.ipc.new_stream(out, SCHEMA) as writer:
        arrays = [_array(name, values) for name, values in zip(COLUMNS, zip(*rows, strict=True), strict=True)]
        writer.write_batch(pa.RecordBatch.from_arrays(arrays, schema=SCHEMA))
    encoded: bytes = out.getvalue().to_pybytes()
    return encoded


def record_batches(parts: Iterable[bytes]) -> Iterator[Any]:
    """Yield encoded rows as Arrow record batches of the same size, except the last."""
    return map(_combine, _resize(_decode(parts)))


def _decode(parts: Iterable[bytes]) -> Iterator[Any]:
    return (batch for part in parts for batch in pa.ipc.open_stream(part))


def _resize(batches: Iterable[Any]) -> Iterator[Any]:
    """Yield the rows of record batches in tables of the same size, except the last. No row is copied."""
    held: list[Any] = []
    count = 0
    for batch in batches:
        held.append(batch)
        count += batch.num_rows
        while count >= _ROWS:
            table = pa.Table.from_batches(held, SCHEMA)
            yield table.slice(0, _ROWS)
            count -= _ROWS
            held = table.slice(_ROWS).to_batches()
    if count:
        yield pa.Table.from_batches(held, SCHEMA)


def _combine(table: Any) -> Any:
    (combined,) = table.combine_chunks().to_batches()
    return combined


def _join(format: str, parts: Iterable[bytes], out: BinaryIO) -> None:
    _write(format, _decode(parts), out)


def write_tables(tables: Iterable[Any], out: BinaryIO, format: str) -> None:
    """Write the rows of tables in the format ``arrow`` or ``parquet``."""
    _write(format, (batch for table in tables for batch in table.to_batches()), out)


def _write(format: str, batches: Iterable[Any], out: BinaryIO) -> None:
    if format == "arrow":
        with pa.ipc.new_file(out, SCHEMA, options=pa.ipc.IpcWriteOptions(compression="lz4")) as file:
            for table in _resize(batches):
                file.write_batch(_combine(table))
        return
    from pyarrow import parquet

    with parquet.ParquetWriter(out, SCHEMA, compression="zstd") as file:
        for table in _resize(batches):
            file.write_table(table)


def _array(name: str, values: Sequence[Any]) -> Any:
    if name in WORDS:
        numbers = {word: number for number, word in enumerate(WORDS[name])}
        indices = [None if value is None else numbers[value] for value in values]
        return pa.DictionaryArray.from_arrays(pa.array(indices, pa.int32()), pa.array(WORDS[name]))
    if name in ("black", "white"):  # a score is one number or several
        values = [value if value is None or isinstance(value, list) else [value] for value in values]
    elif name in ("black_rating", "white_rating"):  # the string makes an integer out of range infinite
        values = [None if value is None else float(str(value)) for value in values]
    return pa.array(values, SCHEMA.field(name).type)


ARROW = RowWriter(_encode, partial(_join, "arrow"), binary=True)
PARQUET = RowWriter(_encode, partial(_join, "parquet"), binary=True)
