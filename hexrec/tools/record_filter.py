"""Select records by the rows of a file, such as the output of `score`, `hash`, `dedupe` and `positions`."""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

from hexrec.errors import RunError, extra
from hexrec.io.compression import decompress_stream
from hexrec.io.remote import is_address
from hexrec.util.diagnostics import shorten
from hexrec.util.streams import STANDARD_INPUT
from hexrec.validation.report import UNREADABLE, Report
from hexrec.validation.verdict import with_hash

#: The key of a record: its file and index, its game hash, or its id.
_Key = tuple[str, int] | str
#: The columns that can select records, in order of precedence; reports on duplicates have the column ``record``.
_COLUMNS = (("file", "index"), ("file", "record"), ("hash",), ("id",))
_HASH_LINE = r"[0-9a-f]{32}  (?P<file>.+):(?P<index>[0-9]+)\s*"
#: A string in CSV that was escaped because a spreadsheet could read it as a formula.
_ESCAPED_FORMULA = "'+[-=+@\t\r\n\uff1d\uff0b\uff0d\uff20]"
#: The maximum number of rows to name in a message.
_NAMED = 5


class RowsError(RunError, ValueError):
    """A file whose rows cannot select records; the message gives the reason."""


class Rows:
    """The rows of a file that select records.

    Attributes:
        name: the file.
        columns: the columns of the keys.
    """

    def __init__(self, name: str, columns: tuple[str, ...], keys: Iterable[_Key]) -> None:
        self.name = name
        self.columns = columns
        self._matched: dict[_Key, bool] = dict.fromkeys(keys, False)

    def select(self, file: str | None, index: int | None, id: str | None, game_hash: str | None) -> bool:
        """Return whether a row selects a record, and mark the row as matched. A row without a value selects none."""
        key: _Key | None
        if self.columns == ("hash",):
            key = game_hash
        elif self.columns == ("id",):
            key = id
        else:
            key = _normalize(file or STANDARD_INPUT), index or 0
        if not key or key not in self._matched:
            return False
        self._matched[key] = True
        return True

    def describe_unmatched(self) -> str:
        """Return a message about the rows that selected no record; empty if all selected one."""
        unmatched = [key for key, matched in self._matched.items() if not matched]
        if not unmatched:
            return ""
        named = [
            f"{key[0]}:{key[1]}" if isinstance(key, tuple) else key or f"no {self.columns[0]}"
            for key in unmatched[:_NAMED]
        ]
        more = ", …" if len(unmatched) > _NAMED else ""
        count = f"{len(unmatched):,} of {len(self._matched):,} rows select"
        if len(self._matched) == 1:
            count = "its only row selects"
        return f"{self.name}: {count} no record ({', '.join(map(shorten, named))}{more})"


class RecordFilter(NamedTuple):
    """Selects the records to keep, without the records to drop.

    Attributes:
        keep: the rows of the records to keep; None to keep all.
        drop: the rows of the records to drop; None to drop none.
    """

    keep: Rows | None = None
    drop: Rows | None = None

    @property
    def is_active(self) -> bool:
        """Whether the filter can exclude records."""
        return self != (None, None)

    @property
    def needs_hash(self) -> bool:
        """Whether any rows select by game hash."""
        return any(rows is not None and rows.columns == ("hash",) for rows in self)

    def selects(self, report: Report, game_hash: str | None = None) -> bool:
        """Return whether a record is selected; `game_hash` avoids computing the hash again.

        The report on an input that could not be read is always selected.
        """
        if report.unreadable:
            return True
        if self.needs_hash:
            game_hash = game_hash or with_hash(report)[1]
        return self.selects_place(report.file, report.index, report.id, game_hash)

    def reports(self, reports: Iterable[Report]) -> Iterator[Report]:
        """Yield the reports on selected records."""
        return filter(self.selects, reports)

    def rows(self, rows: Iterable[list[Any]], columns: Sequence[str]) -> Iterable[list[Any]]:
        """Return the score rows of selected records; `columns` are the names of their values."""
        if not self.is_active:
            return rows
        pick = itemgetter(*map(columns.index, ("code", "file", "index", "id", "hash")))

        def is_selected(row: list[Any]) -> bool:
            code, *values = pick(row)
            return code == UNREADABLE or self.selects_place(*values)

        return filter(is_selected, rows)

    def selects_place(self, *values: Any) -> bool:
        """Return whether the record with a file, index, id and game hash is selected."""
        # Check both, so that each marks its matched rows.
        is_kept = self.keep is None or self.keep.select(*values)
        is_dropped = self.drop is not None and self.drop.select(*values)
        return is_kept and not is_dropped


def _normalize(file: str) -> str:
    return file if is_address(file) else os.path.normpath(file)


def read_rows(name: str) -> Rows:
    """Read the rows of a file in CSV, JSON Lines, JSON, Parquet, or the format of `hexrec hash`.

    Raises RowsError for a file without the required columns, MissingExtraError, OSError.
    """
    import csv  # most runs have no rows

    with open(name, "rb") as raw, io.TextIOWrapper(decompress_stream(raw), "utf-8-sig", newline="") as text:
        try:
            names, rows = _read_parquet(raw) if raw.peek(4).startswith(b"PAR1") else _read_text(text)
            columns = next((columns for columns in _COLUMNS if {*columns} <= {*names}), None)
            if columns is None:
                available = ", ".join(shorten(str(name)) for name in names)
                raise RowsError(f"no columns file and index, hash or id (found: {available})")
            return Rows(name, columns, (_key(row, columns, number) for number, row in enumerate(rows)))
        except (ValueError, RecursionError, csv.Error) as error:  # also of json and pyarrow
            reason = error if isinstance(error, RowsError) else "not rows in CSV, JSON Lines or Parquet"
            raise RowsError(f"{name}: {reason}") from None


#: The names of columns, and rows.
_Table = tuple[Iterable[str], Iterable[Mapping[str, Any]]]


def _read_parquet(raw: Any) -> _Table:
    with extra("arrow", "to read Parquet, install", "pyarrow"):
        from pyarrow import parquet
    file = parquet.ParquetFile(raw)
    names = file.schema_arrow.names
    known = {name for columns in _COLUMNS for name in columns}
    batches = file.iter_batches(columns=[name for name in names if name in known])
    return names, (row for batch in batches for row in batch.to_pylist())


def _read_text(text: io.TextIOWrapper) -> _Table:
    first = text.readline()
    lines = chain([first], text)
    if first.lstrip().startswith(("[", "{")):
        rows = (
            json.loads("".join(lines)) if first.lstrip().startswith("[") else map(json.loads, filter(str.strip, lines))
        )
        return _peek(map(_check_object, rows))
    if re.fullmatch(_HASH_LINE, first):
        return ("file", "index"), (_hash_line(line).groupdict() for line in lines)
    import csv

    reader = csv.DictReader(lines)
    rows = ({name: _unescape(value) for name, value in row.items()} for row in reader)
    return (reader.fieldnames or (), rows) if first.strip() else _peek(rows)


def _peek(rows: Iterator[Mapping[str, Any]]) -> _Table:
    """Return the column names of the first row, and all rows; without rows, the columns of file and index."""
    first = next(rows, None)
    return (_COLUMNS[0], ()) if first is None else (first, chain([first], rows))


def _check_object(row: Any) -> Mapping[str, Any]:
    if not isinstance(row, dict):
        raise RowsError(f"a row should be an object, not {shorten(str(row))}")
    return row


def _hash_line(line: str) -> re.Match[str]:
    match = re.fullmatch(_HASH_LINE, line)
    if match is None:
        raise RowsError(f"a line that hexrec hash does not print ({shorten(line.strip())})")
    return match


def _unescape(value: Any) -> Any:
    return value[1:] if isinstance(value, str) and re.match(_ESCAPED_FORMULA, value) else value


def _key(row: Mapping[str, Any], columns: tuple[str, ...], number: int) -> _Key:
    values = [row.get(column) for column in columns]
    if len(columns) == 1:
        return "" if values[0] is None else str(values[0])
    file, index = values
    try:
        whole = int(index)  # type: ignore[arg-type]
        if isinstance(index, float) and index != whole:
            raise ValueError
        return _normalize(str(file)), whole
    except (TypeError, ValueError, OverflowError):
        raise RowsError(f"row {number}: {columns[1]} should be a whole number ({shorten(str(index))})") from None
