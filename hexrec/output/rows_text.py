"""Rows as text: CSV, a JSON array, or JSON Lines.

CSV has a header, lists as numbers separated by spaces, and empty unknown values. A string that spreadsheet programs
would read as a formula is prefixed with an apostrophe.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TextIO

from hexrec.output.rows import COLUMNS, Columns, RowWriter

#: The columns of numbers that are written with all digits.
_AS_RECORDED = ("black_rating", "white_rating")
_SPECIAL = re.compile('[",\r\n]')
#: The beginning of a formula, with signs of any width, but not ``-`` alone (stdin) or a negative number. It includes
#: apostrophes before a sign: such a string gets one more, so that readers can undo the escape.
_FORMULA = re.compile("(?!-(?:[0-9]+(?:[.][0-9]+)?)?\\Z)'*[=+\\-@\t\r\n\uff0b\uff0d\uff1d\uff20]")


@dataclass(frozen=True)
class CsvWriter(RowWriter):
    """Writes CSV (RFC 4180, but with line feeds); without `escape_formulas`, strings are not escaped."""

    escape_formulas: bool = True

    def write(self, batches: Iterable[Columns], out: TextIO) -> None:
        out.write(",".join(COLUMNS) + "\n")
        quoted = _escape_formula if self.escape_formulas else _quote
        for batch in batches:
            values = {**batch, **{name: map(_write_exactly, batch[name]) for name in _AS_RECORDED}}
            rows = zip(*(values[name] for name in COLUMNS), strict=True)
            out.writelines(",".join(map(quoted, row)) + "\n" for row in rows)


def cell(value: Any) -> str:
    """Return a value as the string in a cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _write_exactly(value: float | None) -> str:
    return "" if value is None else str(value)


def _escape_formula(value: Any) -> str:
    if value is None or (isinstance(value, str) and value.isalnum()):  # most values
        return value or ""
    return _quote(f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value)


def _quote(value: Any) -> str:
    if not isinstance(value, str):
        return cell(value)
    # Until Python 3.13, the csv module does not quote a carriage return, which ends the row for most readers.
    return '"' + value.replace('"', '""') + '"' if _SPECIAL.search(value) else value


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
