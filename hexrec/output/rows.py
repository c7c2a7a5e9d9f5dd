"""Score rows, one per record, and their formats: CSV, JSON, and tables for a terminal.

A new format is a `RowWriter` and a line in `_FORMATS`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, groupby, islice
from typing import Any, NamedTuple, TextIO, get_args

from hexrec.errors import extra
from hexrec.output import OutputFormats, to_text
from hexrec.record.identity import hash_clean
from hexrec.record.schema import Termination, Winner
from hexrec.rules.terms import COLORS
from hexrec.util.escaping import visible, without_escaping
from hexrec.validation.clean import Clean
from hexrec.validation.grading import Layer, grade
from hexrec.validation.report import Report
from hexrec.validation.verdict import with_hash

#: The values of a row, in the order of the columns; unknown values are None.
Row = list[Any]


class RowWriter(NamedTuple):
    """A format for rows.

    Attributes:
        encode: returns rows as bytes that `join` writes. It can be pickled, because the rows are encoded where their
            records were read.
        join: writes encoded rows to a stream, in order. Propagates the errors of the iterable and the stream.
        binary: whether the stream is binary.
    """

    encode: Callable[[list[Row]], bytes]
    join: Callable[[Iterable[bytes], Any], None]
    binary: bool = False

    def write(self, rows: Iterable[Row], out: Any) -> None:
        """Write rows to a stream. Propagates the errors of the rows and the stream."""
        remaining = iter(rows)
        self.join(map(self.encode, iter(lambda: list(islice(remaining, _ROWS)), [])), out)


_FORMATS = OutputFormats[RowWriter](
    "format",
    {
        "table": ("rows:TABLE", (".txt",)),
        "csv": ("rows:CSV", (".csv",)),
        "json": ("rows:JSON", (".json",)),
        "jsonl": ("rows:JSON_LINES", (".jsonl", ".ndjson")),
        "parquet": ("rows_arrow:PARQUET", (".parquet",)),
        "arrow": ("rows_arrow:ARROW", (".arrow", ".feather")),
    },
)
names, suffixes = _FORMATS.names, _FORMATS.suffixes


def get(name: str) -> RowWriter:
    """Return a writer by name. Raises UnknownNameError, MissingExtraError."""
    with extra("arrow", f"to write {name.capitalize()}, install", "pyarrow"):
        return _FORMATS.get(name)


#: The columns with fields of a record, as recorded.
_FIELDS = ("event", "site", "round", "date", "rated")
#: The columns with fields of a player, for each color.
_PLAYER_FIELDS = ("name", "id", "rating", "bot")
#: The columns of a row, in order; see docs/scores.md.
# fmt: off
COLUMNS = (
    "file", "index", "id", "game", "ruleset", "variant", "readings", "size", "plies", "winner", "termination",
    "black", "white", "claimed_winner", "agrees", "code", "ply", "message", "accepted_by", "hash",
    *_FIELDS,
    *(f"{color}_{field}" for color in COLORS for field in _PLAYER_FIELDS),
)
# fmt: on

#: The columns with one of a few strings, which are the values.
WORDS: Mapping[str, tuple[str, ...]] = {
    "winner": get_args(Winner),
    "termination": get_args(Termination),
    "claimed_winner": get_args(Winner),
}

#: A part that a record leaves out, and the values of a player left out.
_NOBODY: dict[str, Any] = {}
_UNKNOWN_PLAYER = (None,) * len(_PLAYER_FIELDS)

#: The number of rows in a table, whose column widths depend on all its rows.
_ROWS = 1_000


def encode_rows(rows: list[Row]) -> bytes:
    """Return rows as JSON."""
    return to_text(rows).encode()


def decode_rows(part: bytes) -> list[Row]:
    """Return the rows from the result of `encode_rows`."""
    rows: list[Row] = json.loads(part)
    return rows


def make_row(found: Clean | Report, layers: Sequence[Layer] = ()) -> Row:
    """Return the row of a record, with the first error that no rules in `layers` ignore, or else the first error."""
    data: Mapping[str, Any] = _NOBODY
    ruleset = agrees = game_hash = None
    where: tuple[Any, ...]
    error: tuple[Any, ...] = (None, None, None, None)
    if isinstance(found, Clean):
        where = found.file, found.number, found.id, found.rules.name
        data, plies = found.data, len(found.turns)
        ruleset = data.get("ruleset", found.rules.rulesets[0])
        agrees = True if data.get("result") else None
        # Without a backslash, JSON escapes no character of any turn.
        game_hash = hash_clean(found.data, found.rules, found.turns, plain=b"\\" not in found.raw)
    else:
        found, game_hash = with_hash(found)
        where, plies = (found.file, found.index, found.id, found.game), found.plies
        if found.record:
            data, ruleset = found.record.data, found.record.ruleset
            agrees = _agrees(found) if found.record.result else None
        graded = grade(found, layers)
        if graded.errors:
            first = min(graded.errors, key=lambda error: error.ignored)
            error = first.code, first.ply, first.message, " and ".join(graded.accepted_by) or None
    recorded, players = data.get, data.get("players", _NOBODY)
    readings = " ".join(recorded("readings", ())) or None
    row = [*where, ruleset, recorded("variant"), readings, recorded("size"), plies]
    result = found.result
    score: Mapping[Any, Any] = (result and result.score) or _NOBODY
    row += (result.winner, result.termination) if result else (None, None)
    row += (score.get("black"), score.get("white"))
    row += (recorded("result", _NOBODY).get("winner"), agrees, *error, game_hash)
    row += map(recorded, _FIELDS)
    for color in COLORS:
        row += map(players[color].get, _PLAYER_FIELDS) if color in players else _UNKNOWN_PLAYER
    return row


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
#: Signs of full width that a formula may begin with.
_WIDE = re.compile("[\uff0b\uff0d\uff1d\uff20]")


def encode_csv(rows: Iterable[Row], *, escape_formulas: bool = True) -> bytes:
    """Return rows as CSV (RFC 4180, but with line feeds): lists as numbers separated by spaces, unknown values empty.

    With `escape_formulas`, an apostrophe precedes a string that spreadsheet programs would read as a formula.
    """
    lines = []
    for values in rows:
        cells = ["" if value is None else value if isinstance(value, str) else cell(value) for value in values]
        for place in _AS_RECORDED:
            if values[place] is not None:
                cells[place] = str(values[place])
        line = ",".join(cells)
        if line.count(",") >= len(cells) or ",-" in line or line[0] == "-" or _is_marked(line):
            line = ",".join([_quote(text, value, escape_formulas) for text, value in zip(cells, values, strict=True)])
        lines.append(f"{line}\n")
    return "".join(lines).encode()


def _is_marked(line: str) -> bool:
    """Return whether a line has a character to quote, or that a formula may begin with, except a hyphen.

    A hyphen is in all dates. For the others, single searches are much faster than one for any of them.
    """
    if '"' in line or "'" in line or "=" in line or "+" in line or "@" in line:
        return True
    return "\n" in line or "\r" in line or "\t" in line or (not line.isascii() and _WIDE.search(line) is not None)


def _quote(text: str, value: Any, escape_formulas: bool) -> str:
    """Return the text of a value, escaped if it is a formula, and quoted if it must be."""
    if escape_formulas and isinstance(value, str) and _FORMULA.match(text):
        text = f"'{text}"
    # Until Python 3.13, the csv module does not quote a carriage return, which ends the row for most readers.
    return '"' + text.replace('"', '""') + '"' if _SPECIAL.search(text) else text


def _join_csv(parts: Iterable[bytes], out: TextIO) -> None:
    out.write(",".join(COLUMNS) + "\n")
    out.writelines(map(bytes.decode, parts))


def cell(value: Any) -> str:
    """Return a value as the string in a cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return str(value)[1:-1].replace(",", "")
    return f"{value:g}" if isinstance(value, float) else str(value)


def _encode_json(rows: Iterable[Row]) -> bytes:
    return ",".join(f"\n  {_object(row)}" for row in rows).encode()


def _join_json(parts: Iterable[bytes], out: TextIO) -> None:
    """Write an array of JSON objects, one per line."""
    lead = "["
    for part in parts:
        out.write(lead + part.decode())
        lead = ","
    out.write("[]\n" if lead == "[" else "\n]\n")


def _encode_json_lines(rows: Iterable[Row]) -> bytes:
    return "".join(f"{_object(row)}\n" for row in rows).encode()


def join_lines(parts: Iterable[bytes], out: TextIO) -> None:
    """Write encoded rows of JSON Lines, or of CSV without a header."""
    out.writelines(map(bytes.decode, parts))


def _object(row: Row) -> str:
    return to_text(dict(zip(COLUMNS, row, strict=True)))


#: The columns of a table; columns without a value are left out.
_SHOWN = ("file", "index", "game", "size", "plies", "winner", "termination", "black", "white", "agrees", "code")
#: The maximum width of a table that is not on a terminal.
_UNLIMITED = 100_000


def _join_tables(parts: Iterable[bytes], out: TextIO) -> None:
    """Write tables, each with a heading."""
    remaining = chain.from_iterable(map(decode_rows, parts))
    while rows := list(islice(remaining, _ROWS)):
        columns = dict(zip(COLUMNS, zip(*rows, strict=True), strict=True))
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


TABLE = RowWriter(encode_rows, _join_tables)
CSV = RowWriter(encode_csv, _join_csv)
JSON = RowWriter(_encode_json, _join_json)
JSON_LINES = RowWriter(_encode_json_lines, join_lines)
