"""Rows as a Parquet file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

import pyarrow.parquet as pq

from hexrec.scores.arrays import SCHEMA, record_batches
from hexrec.scores.rows import Columns, Sink


def write(batches: Iterable[Columns], out: BinaryIO) -> None:
    """Write batches as row groups, compressed with Zstandard."""
    with pq.ParquetWriter(out, SCHEMA, compression="zstd") as writer:
        for batch in record_batches(batches):
            writer.write_batch(batch)


SINK = Sink(write, binary=True)
