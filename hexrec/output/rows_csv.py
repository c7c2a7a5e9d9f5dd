"""Rows as CSV: a header, lists of numbers with blanks between them, unknown values empty.

A text that spreadsheet programs would take for a formula has an apostrophe in front.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TextIO

from hexrec.output.rows import COLUMNS, Columns, RowWriter

#: The columns of numbers that are written as recorded, with all of their digits.
_AS_RECORDED = ("black_rating", "white_rating")
_SPECIAL = re.compile('[",\r\n]')
#: How formulas begin, in all widths of the signs; ``-`` alone (standard input) and negative numbers are none. A text
#: with apostrophes before a sign has one more, so that a reader knows which to take away.
_FORMULA = re.compile("(?!-(?:[0-9]+(?:[.][0-9]+)?)?\\Z)'*[=+\\-@\t\r\n\uff0b\uff0d\uff1d\uff20]")


@dataclass(frozen=True)
class CsvWriter(RowWriter):
    """Writes CSV (RFC 4180, with line feeds alone); without `escape_formulas`, all texts as they are."""

    escape_formulas: bool = True

    def write(self, batches: Iterable[Columns], out: TextIO) -> None:
        out.write(",".join(COLUMNS) + "\n")
        quoted = _unless_formula if self.escape_formulas else _quoted
        for batch in batches:
            values = {**batch, **{name: map(_as_recorded, batch[name]) for name in _AS_RECORDED}}
            rows = zip(*(values[name] for name in COLUMNS), strict=True)
            out.writelines(",".join(map(quoted, row)) + "\n" for row in rows)


def cell(value: Any) -> str:
    """Return a value as the text of a cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _as_recorded(value: float | None) -> str:
    return "" if value is None else str(value)


def _unless_formula(value: Any) -> str:
    if value is None or (isinstance(value, str) and value.isalnum()):  # most values
        return value or ""
    return _quoted(f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value)


def _quoted(value: Any) -> str:
    if not isinstance(value, str):
        return cell(value)
    # Until Python 3.13, the standard library leaves a carriage return bare, which ends the row for most readers.
    return '"' + value.replace('"', '""') + '"' if _SPECIAL.search(value) else value
