"""Rows as an Arrow IPC file, which is Feather version 2."""

from __future__ import annotations

from collections.abc import Iterable
from typing import BinaryIO

import pyarrow as pa

from hexrec.scores.arrays import SCHEMA, record_batches
from hexrec.scores.rows import Columns, Sink


def write(batches: Iterable[Columns], out: BinaryIO) -> None:
    """Write batches as record batches, compressed with LZ4."""
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with pa.ipc.new_file(out, SCHEMA, options=options) as writer:
        for batch in record_batches(batches):
            writer.write_batch(batch)


SINK = Sink(write, binary=True)
