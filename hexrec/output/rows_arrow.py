"""Rows as Arrow record batches, in an Arrow IPC file (Feather version 2) or a Parquet file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, BinaryIO

import pyarrow as pa

from hexrec.output.rows import COLUMNS, WORDS, Row, in_columns

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


def write_arrow(rows: Iterable[Row], out: BinaryIO) -> None:
    """Write record batches, compressed with LZ4."""
    _write(rows, pa.ipc.new_file(out, SCHEMA, options=pa.ipc.IpcWriteOptions(compression="lz4")))


def write_parquet(rows: Iterable[Row], out: BinaryIO) -> None:
    """Write row groups, compressed with Zstandard."""
    from pyarrow import parquet

    _write(rows, parquet.ParquetWriter(out, SCHEMA, compression="zstd"))


def _write(rows: Iterable[Row], file: Any) -> None:
    with file as writer:
        for batch in record_batches(rows):
            writer.write_batch(batch)


def record_batches(rows: Iterable[Row]) -> Iterator[Any]:
    """Yield rows as Arrow record batches of the same size, except the last."""
    for columns in in_columns(rows, _ROWS):
        yield pa.RecordBatch.from_arrays([_array(name, values) for name, values in columns.items()], schema=SCHEMA)


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
