"""Rows as CSV: a header, lists of numbers with blanks between them, unknown values empty."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, TextIO

from hexrec.reports.rows.base import COLUMNS, Columns, Sink

_SPECIAL = re.compile('[",\r\n]')


def write(batches: Iterable[Columns], out: TextIO) -> None:
    """Write batches as CSV (RFC 4180, with line feeds alone)."""
    out.write(",".join(COLUMNS) + "\n")
    for batch in batches:
        cells = (map(_quoted, batch[name]) for name in COLUMNS)
        out.writelines(",".join(row) + "\n" for row in zip(*cells, strict=True))


def cell(value: Any) -> str:
    """Return a value as the text of a cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _quoted(value: Any) -> str:
    if not isinstance(value, str):
        return cell(value)
    # Until Python 3.13, the standard library leaves a carriage return bare, which ends the row for most readers.
    return '"' + value.replace('"', '""') + '"' if _SPECIAL.search(value) else value


SINK = Sink(write)
