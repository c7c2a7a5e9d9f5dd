"""Scores: one row a record, as a table, CSV, JSON or JSON Lines."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from typing import Any, TextIO

from hexrec.validation import Report

#: The columns of a row, in order.
COLUMNS = (
    "file",
    "index",
    "id",
    "game",
    "ruleset",
    "variant",
    "size",
    "plies",
    "winner",
    "termination",
    "black",
    "white",
    "claimed_winner",
    "agrees",
    "code",
    "ply",
    "message",
)
#: The columns that the table on a terminal shows.
_SHOWN = ("file", "index", "game", "size", "plies", "winner", "termination", "black", "white", "agrees", "code")


#: The width of a table that is not on a terminal: as wide as its rows.
_UNLIMITED = 100_000


def row(report: Report) -> dict[str, Any]:
    """Return the row of one record; unknown values are None.

    `winner`, `termination`, `black` and `white` (the scores) are what was computed; `claimed_winner` is the
    record's; `agrees` says whether the record's whole result holds, and is None where it makes no claim. `code`, `ply`
    and `message` are those of the first error.
    """
    record = report.record
    result = report.result
    score = (result.score if result else None) or {}
    claim = record.result if record else None
    first = report.errors[0] if report.errors else None
    contradicted = any(finding.code.startswith("result/") for finding in report.errors)
    return {
        "file": report.file,
        "index": report.index,
        "id": report.id,
        "game": report.game,
        "ruleset": record.ruleset if record else None,
        "variant": record.variant if record else None,
        "size": record.size if record else None,
        "plies": report.plies,
        "winner": result.winner if result else None,
        "termination": result.termination if result else None,
        "black": score.get("black"),
        "white": score.get("white"),
        "claimed_winner": claim.winner if claim else None,
        "agrees": None if claim is None or (first and not contradicted) else not contradicted,
        "code": first.code if first else None,
        "ply": first.ply if first else None,
        "message": first.message if first else None,
    }


def write_csv(rows: Iterable[dict[str, Any]], out: TextIO) -> None:
    """Write rows as CSV with a header; lists of numbers are separated by blanks, unknown values are empty."""
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for each in rows:
        writer.writerow([_plain(each[name]) for name in COLUMNS])


def write_jsonl(rows: Iterable[dict[str, Any]], out: TextIO) -> None:
    """Write rows as JSON objects, one a line."""
    for each in rows:
        out.write(json.dumps(each, ensure_ascii=False) + "\n")


def write_json(rows: Iterable[dict[str, Any]], out: TextIO) -> None:
    """Write rows as one JSON list."""
    lead = "["
    for each in rows:
        out.write(f"{lead}\n  {json.dumps(each, ensure_ascii=False)}")
        lead = ","
    out.write("[]\n" if lead == "[" else "\n]\n")


def write_table(rows: Iterable[dict[str, Any]], out: TextIO) -> None:
    """Write rows as a table for a terminal; columns without a value are left out."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    shown = [{name: _brief(each[name]) for name in _SHOWN} for each in rows]
    names = [name for name in _SHOWN if any(each[name] for each in shown)]
    table = Table(*names, box=None, pad_edge=False, header_style="bold")
    for each in shown:
        table.add_row(*(Text(each[name], style="red" if name == "code" else "") for name in names))
    Console(file=out, highlight=False, width=None if out.isatty() else _UNLIMITED).print(table)


def _plain(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _brief(value: Any) -> str:
    """Write a list of numbers, most of which are equal, so that it fits into a column: ``3 2 1×9``."""
    if not isinstance(value, list):
        return _plain(value)
    runs = [(number, len(list(run))) for number, run in groupby(value)]
    return " ".join(f"{number}×{count}" if count > 2 else " ".join([str(number)] * count) for number, count in runs)


#: The registry: how rows can be written.
WRITERS: dict[str, Callable[[Iterable[dict[str, Any]], TextIO], None]] = {
    "table": write_table,
    "csv": write_csv,
    "json": write_json,
    "jsonl": write_jsonl,
}


def rows(reports: Iterable[Report]) -> Iterator[dict[str, Any]]:
    """Yield the row of each report."""
    return map(row, reports)
