"""Rows as one JSON list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from hexrec.scores.jsonl import objects
from hexrec.scores.rows import Columns, Sink


def write(batches: Iterable[Columns], out: TextIO) -> None:
    """Write batches as a list of JSON objects, each on a line."""
    lead = "["
    for batch in batches:
        for text in objects(batch):
            out.write(f"{lead}\n  {text}")
            lead = ","
    out.write("[]\n" if lead == "[" else "\n]\n")


SINK = Sink(write)
