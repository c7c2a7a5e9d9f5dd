"""Rows as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any, TextIO

from hexrec.output.rows import Columns, RowWriter, regrouped
from hexrec.output.rows_csv import cell
from hexrec.util.escaping import unguarded, visible

#: The columns that are shown, those of them without a value left out.
_SHOWN = ("file", "index", "game", "size", "plies", "winner", "termination", "black", "white", "agrees", "code")
#: How many rows become one table: its columns are as wide as they need, so all of its rows must be there first.
_ROWS = 1_000
#: The width of a table that is not on a terminal: as wide as its rows.
_UNLIMITED = 100_000


class TableWriter(RowWriter):
    """Writes tables, each with a heading."""

    def write(self, batches: Iterable[Columns], out: TextIO) -> None:
        for batch in regrouped(batches, _ROWS):
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
    """Write rows of cells below the names of the columns, of which the last `numbers` are ranged right."""
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
    Console(file=unguarded(out), width=None if out.isatty() else _UNLIMITED).print(table)


def _brief(value: Any) -> str:
    """Write a list of numbers, most of which are equal, so that it fits into a column: ``3 2 1×9``."""
    if not isinstance(value, list):
        return cell(value)
    runs = [(number, len(list(run))) for number, run in groupby(value)]
    return " ".join(f"{number}×{count}" if count > 2 else " ".join([str(number)] * count) for number, count in runs)
