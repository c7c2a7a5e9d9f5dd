"""Outputs of the shards of a run, joined to the output of one run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, TextIO

from hexrec.errors import extra
from hexrec.io.compression import decompress_stream
from hexrec.output import to_text
from hexrec.output.rows import COLUMNS
from hexrec.util.version import __version__
from hexrec.validation.report import Summary

#: Opens a part.
Open = Callable[[], BinaryIO]
#: The number of rows in a table, and the memory in which DuckDB sorts before it uses temporary files.
_ROWS, _MEMORY = 1 << 16, "1GB"


@contextmanager
def as_text(open_part: Open) -> Iterator[TextIO]:
    """Open a part that may be compressed, as text."""
    with open_part() as raw, TextIOWrapper(decompress_stream(raw), "utf-8", newline="") as text:
        yield text


def join_lines(parts: Iterable[Open], out: TextIO, *, first: str = "", ends: Iterable[int] = ()) -> None:
    """Write the lines of all parts, without the line `first` at the beginning of a part.

    `ends` has for each part the number of lines at its end that are left out too.
    """
    left_out = iter(ends)
    for open_part in parts:
        held: list[str] = []
        count = next(left_out, 0)
        with as_text(open_part) as lines:
            for number, line in enumerate(lines):
                if number == 0 and line == first:
                    continue
                held.append(line)
                if len(held) > count:
                    out.write(held.pop(0))


def join_csv(parts: Iterable[Open], out: TextIO, *, header: bool) -> None:
    """Write rows of scores as CSV. The parts may have headers."""
    heading = ",".join(COLUMNS) + "\n"
    out.write(heading if header else "")
    join_lines(parts, out, first=heading)


def join_json_rows(parts: Iterable[Open], out: TextIO) -> None:
    """Write the JSON array of all rows. Each part has one row a line."""
    lead = "["
    for open_part in parts:
        with as_text(open_part) as lines:
            for line in lines:
                row = line.rstrip().removesuffix(",")
                if row not in ("[", "]", "[]"):
                    out.write(f"{lead}\n{row}")
                    lead = ","
    out.write("[]\n" if lead == "[" else "\n]\n")


def join_json_reports(parts: Iterable[Open], summary: Summary, out: TextIO) -> None:
    """Write the JSON report with the records of all parts."""
    out.write(f'{{"hexrec": {to_text(__version__)},\n "summary": {to_text(summary.data())},\n "records": [')
    lead = "\n"
    for open_part in parts:
        with as_text(open_part) as text:
            for record in json.load(text)["records"]:
                out.write(f"{lead}  {to_text(record)}")
                lead = ",\n"
    out.write("]}\n")


def read_tables(parts: Iterable[Open], order: Sequence[str] = ()) -> Iterator[Any]:
    """Yield the rows of Parquet and Arrow files as Arrow tables, sorted by the columns of `order`, if there are any.

    Equal rows have the order of the parts. Raises MissingExtraError.
    """
    with extra("arrow", "to merge these parts, install", "pyarrow"):
        import pyarrow as pa
    batches = _batches(parts)
    first = next(batches)
    if not order:
        yield pa.Table.from_batches([first])
        yield from (pa.Table.from_batches([batch]) for batch in batches)
        return
    with extra("merge", "to merge sorted parts, install", "duckdb"):
        import duckdb
    schema = first.schema
    place = "place among all rows"

    def numbered() -> Iterator[Any]:
        count = 0
        batch = first
        while batch is not None:
            yield batch.append_column(place, pa.array(range(count, count + batch.num_rows), pa.int64()))
            count += batch.num_rows
            batch = next(batches, None)

    reader = pa.RecordBatchReader.from_batches(schema.append(pa.field(place, pa.int64())), numbered())
    columns = ", ".join(f'"{name}"' for name in schema.names)
    by = ", ".join(f'"{name}"' for name in (*order, place))
    with (
        TemporaryDirectory(prefix="hexrec-") as directory,
        duckdb.connect(config={"memory_limit": _MEMORY, "temp_directory": directory}) as database,
    ):
        database.register("parts", reader)
        for batch in database.sql(f"SELECT {columns} FROM parts ORDER BY {by}").to_arrow_reader(_ROWS):
            yield pa.Table.from_batches([batch]).cast(schema)


def _batches(parts: Iterable[Open]) -> Iterator[Any]:
    """Yield the rows of Parquet and Arrow files as record batches. The first one may be empty."""
    import pyarrow as pa
    from pyarrow import ipc, parquet

    is_first = True
    for open_part in parts:
        with open_part() as stream:
            is_parquet = stream.read(4) == b"PAR1"
            stream.seek(0)
            if is_parquet:
                file = parquet.ParquetFile(stream)
                schema, batches = file.schema_arrow, file.iter_batches(_ROWS)
            else:
                arrow = ipc.open_file(stream)
                schema, batches = arrow.schema, map(arrow.get_batch, range(arrow.num_record_batches))
            if is_first:
                yield pa.RecordBatch.from_pylist([], schema)
                is_first = False
            yield from batches
