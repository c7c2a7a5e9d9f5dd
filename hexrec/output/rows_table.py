"""Rows as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any, TextIO

from hexrec.output.rows import Columns, RowWriter, regroup
from hexrec.output.rows_text import cell
from hexrec.util.escaping import visible, without_escaping

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
            shown = {name: [_brief(value) for value in batch[name]] for name in _SHOWN}
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


def _brief(value: Any) -> str:
    """Return the string in a cell, with runs of equal numbers shortened: ``3 2 1×9``."""
    if not isinstance(value, list):
        return cell(value)
    runs = [(number, len(list(run))) for number, run in groupby(value)]
    return " ".join(f"{number}×{count}" if count > 2 else " ".join([str(number)] * count) for number, count in runs)
