"""Rows as JSON Lines: an object a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TextIO

from hexrec.scores.rows import COLUMNS, Columns, Sink


def write(batches: Iterable[Columns], out: TextIO) -> None:
    """Write batches as JSON objects, one a line."""
    for batch in batches:
        out.writelines(f"{text}\n" for text in objects(batch))


def objects(batch: Columns) -> Iterator[str]:
    """Yield each row of a batch as a JSON object."""
    for row in zip(*(batch[name] for name in COLUMNS), strict=True):
        yield json.dumps(dict(zip(COLUMNS, row, strict=True)), ensure_ascii=False)


SINK = Sink(write)
