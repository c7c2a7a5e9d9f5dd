"""Score rows, one per record, and their formats: CSV, JSON, and tables for a terminal.

A new format is one function, one line in `_FORMATS` and, if it is binary, its name in `_BINARY`. The function streams
rows and buffers a bounded number of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby, islice
from typing import Any, NamedTuple, TextIO, get_args

from hexrec.errors import extra
from hexrec.output import OutputFormats, to_text
from hexrec.record.schema import Player, Termination, Winner
from hexrec.rules.terms import COLORS
from hexrec.util.escaping import visible, without_escaping
from hexrec.validation.report import Report
from hexrec.validation.verdict import with_hash

_FORMATS = OutputFormats[Callable[..., None]](
    "format",
    {
        "table": ("rows:write_tables", (".txt",)),
        "csv": ("rows:write_csv", (".csv",)),
        "json": ("rows:write_json", (".json",)),
        "jsonl": ("rows:write_json_lines", (".jsonl", ".ndjson")),
        "parquet": ("rows_arrow:write_parquet", (".parquet",)),
        "arrow": ("rows_arrow:write_arrow", (".arrow", ".feather")),
    },
)
_BINARY = ("parquet", "arrow")
names, by_file_name = _FORMATS.names, _FORMATS.by_file_name


class RowWriter(NamedTuple):
    """A format for rows.

    Attributes:
        write: writes rows to a stream. Propagates the errors of the rows and the stream.
        binary: whether the stream is binary.
    """

    write: Callable[[Iterable[Row], Any], None]
    binary: bool = False


def get(name: str) -> RowWriter:
    """Return a writer by name. Raises UnknownNameError, MissingExtraError."""
    with extra("arrow", f"to write {name}, install", "pyarrow"):
        return RowWriter(_FORMATS.get(name), name in _BINARY)


#: The columns with fields of a record, as recorded.
_FIELDS = ("event", "site", "round", "date", "rated")
#: The columns with fields of a player, for each color.
_PLAYER_FIELDS = ("name", "id", "rating", "bot")
#: The columns of a row, in order; see docs/scores.md.
# fmt: off
COLUMNS = (
    "file", "index", "id", "game", "ruleset", "variant", "size", "plies", "winner", "termination", "black", "white",
    "claimed_winner", "agrees", "code", "ply", "message", "accepted_by", "hash",
    *_FIELDS,
    *(f"{color}_{field}" for color in COLORS for field in _PLAYER_FIELDS),
)
# fmt: on

#: The types of values in columns. All others are strings.
_TYPES: Mapping[str, Any] = {
    **dict.fromkeys(("index", "size", "plies", "ply"), int),
    **dict.fromkeys(("agrees", "rated", "black_bot", "white_bot"), bool),
    **dict.fromkeys(("black_rating", "white_rating"), int | float),
    **dict.fromkeys(("black", "white"), int | float | list),
}
#: The columns with one of a few strings, which are the values.
WORDS: Mapping[str, tuple[str, ...]] = {
    "winner": get_args(Winner),
    "termination": get_args(Termination),
    "claimed_winner": get_args(Winner),
}

_NOBODY: Player = {}

#: The values of a row, in the order of the columns; unknown values are None.
Row = list[Any]

#: The number of rows in a table, whose column widths depend on all its rows.
_ROWS = 1_000


def is_row(data: Any) -> bool:
    """Return whether data has the form of a row."""
    if not isinstance(data, list) or len(data) != len(COLUMNS):
        return False
    row = dict(zip(COLUMNS, data, strict=True))
    return (
        row["plies"] is not None
        and all(value is None or isinstance(value, _TYPES.get(name, str)) for name, value in row.items())
        and all(row[name] is None or row[name] in words for name, words in WORDS.items())
        and all(isinstance(value, int | float) for color in COLORS for value in _as_list(row[color]))
    )


def _as_list(score: Any) -> list[Any]:
    return score if isinstance(score, list) else [] if score is None else [score]


def in_columns(rows: Iterable[Row], size: int) -> Iterator[dict[str, tuple[Any, ...]]]:
    """Yield the columns of each `size` rows by name; only the last ones may be shorter."""
    remaining = iter(rows)
    while part := list(islice(remaining, size)):
        yield dict(zip(COLUMNS, zip(*part, strict=True), strict=True))


def make_row(report: Report, grade: Callable[[Report], Report] | None = None) -> Row:
    """Return the row of a report. `grade` marks the ignored errors of a report; the first other error comes first."""
    report, game_hash = with_hash(report)
    record = report.record
    recorded: Mapping[str, Any] = record.data if record else {}
    players = record.players if record else {}
    result = report.result
    score = (result.score if result else None) or {}
    claim = record.result if record else None
    graded = grade(report) if grade else report
    first = min(graded.errors, key=lambda error: error.ignored, default=None)
    return [
        report.file,
        report.index,
        report.id,
        report.game,
        record.ruleset if record else None,
        record.variant if record else None,
        record.size if record else None,
        report.plies,
        result.winner if result else None,
        result.termination if result else None,
        score.get("black"),
        score.get("white"),
        claim.get("winner") if claim else None,
        _agrees(report) if claim else None,
        first.code if first else None,
        first.ply if first else None,
        first.message if first else None,
        (" and ".join(graded.accepted_by) or None) if first else None,
        game_hash,
        *map(recorded.get, _FIELDS),
        *map(players.get("black", _NOBODY).get, _PLAYER_FIELDS),
        *map(players.get("white", _NOBODY).get, _PLAYER_FIELDS),
    ]


def _agrees(report: Report) -> bool | None:
    """Return whether a claimed result is right; None if the game could not be replayed to its end."""
    errors = report.errors
    if not errors:
        return True
    return False if any(error.code.startswith("result/") for error in errors) else None


#: The places of the columns of numbers that CSV has with all digits.
_AS_RECORDED = [COLUMNS.index(name) for name in ("black_rating", "white_rating")]
#: The beginning of a formula, with signs of any width, but not ``-`` alone (stdin) or a negative number. It includes
#: apostrophes before a sign: such a string gets one more, so that readers can undo the escape.
_FORMULA = re.compile("(?!-(?:[0-9]+(?:[.][0-9]+)?)?\\Z)'*[=+\\-@\t\r\n\uff0b\uff0d\uff1d\uff20]")
_SPECIAL = re.compile('[",\r\n]')
#: A string with neither, as most are.
_PLAIN = re.compile("(?!['=+\\-@\t\uff0b\uff0d\uff1d\uff20])[^\",\r\n]*")


def write_csv(rows: Iterable[Row], out: TextIO, *, escape_formulas: bool = True) -> None:
    """Write CSV (RFC 4180, but with line feeds): a header, lists as numbers separated by spaces, empty unknown values.

    With `escape_formulas`, an apostrophe precedes a string that spreadsheet programs would read as a formula.
    """

    def write_cell(value: Any) -> str:
        if not isinstance(value, str):
            return cell(value)
        if value.isalnum() or _PLAIN.fullmatch(value):
            return value
        text = f"'{value}" if escape_formulas and _FORMULA.match(value) else value
        # Until Python 3.13, the csv module does not quote a carriage return, which ends the row for most readers.
        return '"' + text.replace('"', '""') + '"' if _SPECIAL.search(text) else text

    out.write(",".join(COLUMNS) + "\n")
    for row in rows:
        values = list(row)
        for place in _AS_RECORDED:
            if values[place] is not None:
                values[place] = str(values[place])
        out.write(",".join(["" if value is None else write_cell(value) for value in values]) + "\n")


def cell(value: Any) -> str:
    """Return a value as the string in a cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def write_json(rows: Iterable[Row], out: TextIO) -> None:
    """Write an array of JSON objects, one per line."""
    lead = "["
    for row in rows:
        out.write(f"{lead}\n  {_object(row)}")
        lead = ","
    out.write("[]\n" if lead == "[" else "\n]\n")


def write_json_lines(rows: Iterable[Row], out: TextIO) -> None:
    """Write JSON objects, one per line."""
    out.writelines(f"{_object(row)}\n" for row in rows)


def _object(row: Row) -> str:
    return to_text(dict(zip(COLUMNS, row, strict=True)))


#: The columns of a table; columns without a value are left out.
_SHOWN = ("file", "index", "game", "size", "plies", "winner", "termination", "black", "white", "agrees", "code")
#: The maximum width of a table that is not on a terminal.
_UNLIMITED = 100_000


def write_tables(rows: Iterable[Row], out: TextIO) -> None:
    """Write tables, each with a heading."""
    for columns in in_columns(rows, _ROWS):
        shown = {name: [_shorten(value) for value in columns[name]] for name in _SHOWN}
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
