"""Rows as text: CSV, a JSON array, JSON Lines, or tables for a terminal.

CSV has a header, lists as numbers separated by spaces, and empty unknown values. A string that spreadsheet programs
would read as a formula is prefixed with an apostrophe.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any, TextIO

from hexrec.output.rows import COLUMNS, Columns, RowWriter, regroup
from hexrec.util.escaping import visible, without_escaping

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


#: The columns of a table; columns without a value are left out.
_SHOWN = ("file", "index", "game", "size", "plies", "winner", "termination", "black", "white", "agrees", "code")
#: The number of rows in a table. Column widths depend on all rows, so a table is buffered.
_ROWS = 1_000
#: The maximum width of a table that is not on a terminal.
_UNLIMITED = 100_000


class TableWriter(RowWriter):
    """Writes tables, each with a heading."""

    def write(self, batches: Iterable[Columns], out: TextIO) -> None:
        for batch in regroup(batches, _ROWS):
            shown = {name: [_shorten(value) for value in batch[name]] for name in _SHOWN}
            names = [name for name, cells in shown.items() if any(cells)]
            draw(names, zip(*(shown[name] for name in names), strict=True), out, {"code": "red"})


def draw(
    names: Iterable[str],
    rows: Iterable[Iterable[str]],
    out: TextIO,
    styles: Mapping[str, str] | None = None,
    *,
    numbers: int = 0,
) -> None:
    """Write a table with a heading; the last `numbers` columns are right-aligned."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    headings = list(names)
    for place, name in enumerate(headings):
        table.add_column(
            name,
            justify="right" if place >= len(headings) - numbers else "left",
            style=(styles or {}).get(name),
        )
    for row in rows:
        table.add_row(*(Text(visible(text)) for text in row))
    Console(file=without_escaping(out), width=None if out.isatty() else _UNLIMITED).print(table)


def _shorten(value: Any) -> str:
    """Return the string in a cell, with runs of equal numbers shortened: ``3 2 1×9``."""
    if not isinstance(value, list):
        return cell(value)
    runs = [(number, len(list(run))) for number, run in groupby(value)]
    return " ".join(f"{number}×{count}" if count > 2 else " ".join([str(number)] * count) for number, count in runs)
