"""Rows as JSON objects, in one array or as JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TextIO

from hexrec.output.rows import COLUMNS, Columns, RowWriter


class JsonWriter(RowWriter):
    """Writes an array of JSON objects, one per line."""

    def write(self, batches: Iterable[Columns], out: TextIO) -> None:
        lead = "["
        for text in _objects(batches):
            out.write(f"{lead}\n  {text}")
            lead = ","
        out.write("[]\n" if lead == "[" else "\n]\n")


class JsonLinesWriter(RowWriter):
    """Writes JSON objects, one per line."""

    def write(self, batches: Iterable[Columns], out: TextIO) -> None:
        out.writelines(f"{text}\n" for text in _objects(batches))


def _objects(batches: Iterable[Columns]) -> Iterator[str]:
    for batch in batches:
        for row in zip(*(batch[name] for name in COLUMNS), strict=True):
            yield json.dumps(dict(zip(COLUMNS, row, strict=True)), ensure_ascii=False)
