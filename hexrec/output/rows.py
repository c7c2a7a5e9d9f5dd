"""Score rows, one per record, in batches of columns, and the registry of their formats.

A new format is one subclass of `RowWriter` and one line in `_FORMATS`. A writer streams batches and buffers a bounded
number of rows. Its output depends on the rows alone, not on the sizes of the batches.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, ClassVar

from hexrec.errors import extra
from hexrec.output import OutputFormats
from hexrec.record.schema import Player
from hexrec.rules.terms import COLORS
from hexrec.validation.report import Report
from hexrec.validation.verdict import with_hash

_FORMATS = OutputFormats(
    "format",
    {
        "table": ("rows_text", "TableWriter", (".txt",)),
        "csv": ("rows_text", "CsvWriter", (".csv",)),
        "json": ("rows_text", "JsonWriter", (".json",)),
        "jsonl": ("rows_text", "JsonLinesWriter", (".jsonl", ".ndjson")),
        "parquet": ("rows_arrow", "ParquetWriter", (".parquet",)),
        "arrow": ("rows_arrow", "ArrowWriter", (".arrow", ".feather")),
    },
)
names, by_file_name = _FORMATS.names, _FORMATS.by_file_name


def get(name: str) -> RowWriter:
    """Return a writer by name. Raises UnknownNameError, MissingExtraError."""
    with extra("arrow", f"to write {name}, install", "pyarrow"):
        writer: RowWriter = _FORMATS.load(name)()
    return writer


#: The columns with fields of a record, as recorded.
_FIELDS = ("event", "site", "round", "date", "rated")
#: The columns with fields of a player, for each color.
_PLAYER_FIELDS = ("name", "id", "rating", "bot")
#: The columns of a row, in order; see docs/scores.md.
# fmt: off
COLUMNS = (
    "file", "index", "id", "game", "ruleset", "variant", "size", "plies", "winner", "termination", "black", "white",
    "claimed_winner", "agrees", "code", "ply", "message", "hash",
    *_FIELDS,
    *(f"{color}_{field}" for color in COLORS for field in _PLAYER_FIELDS),
)
# fmt: on

_NOBODY: Player = {}

#: A batch of rows: a list for every column, all of the same length; unknown values are None.
Columns = dict[str, list[Any]]

#: The default number of rows in a batch.
_ROWS = 1_000


class RowWriter(ABC):
    """A format for rows.

    Attributes:
        binary: whether the output stream is binary.
    """

    binary: ClassVar[bool] = False

    @abstractmethod
    def write(self, batches: Iterable[Columns], out: Any) -> None:
        """Write batches to a stream, binary or text. Propagates the errors of the batches and the stream."""


def columns(reports: Iterable[Report], grade: Callable[[Report], Report] | None = None) -> Columns:
    """Return the rows of reports as one batch.

    `grade` removes ignored diagnostics from a report and downgrades others. The column `agrees` does not depend on it.
    """
    rows = [
        _row(report, grade(report) if grade else report, game_hash) for report, game_hash in map(with_hash, reports)
    ]
    return dict(zip(COLUMNS, map(list, zip(*rows, strict=True)), strict=True)) if rows else _empty_columns()


def batches(reports: Iterable[Report], size: int = _ROWS) -> Iterator[Columns]:
    """Yield the rows of reports in batches of `size` rows."""
    remaining = iter(reports)
    while (batch := columns(islice(remaining, size)))["file"]:
        yield batch


def regroup(batches: Iterable[Columns], size: int) -> Iterator[Columns]:
    """Yield the rows in batches of `size` rows; only the last batch may be smaller."""
    held = _empty_columns()
    for batch in batches:
        for name, values in held.items():
            values.extend(batch[name])
        whole = len(held["file"]) // size * size
        for start in range(0, whole, size):
            yield {name: values[start : start + size] for name, values in held.items()}
        for values in held.values():
            del values[:whole]
    if held["file"]:
        yield held


def _empty_columns() -> Columns:
    return {name: [] for name in COLUMNS}


def _row(report: Report, graded: Report, game_hash: str | None) -> tuple[Any, ...]:
    """Return the values of a row, in the order of the columns."""
    record = report.record
    recorded: Mapping[str, Any] = record.data if record else {}
    players = record.players if record else {}
    result = report.result
    score = (result.score if result else None) or {}
    claim = record.result if record else None
    first = next(iter(graded.errors), None)
    return (
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
        game_hash,
        *map(recorded.get, _FIELDS),
        *map(players.get("black", _NOBODY).get, _PLAYER_FIELDS),
        *map(players.get("white", _NOBODY).get, _PLAYER_FIELDS),
    )


def _agrees(report: Report) -> bool | None:
    """Return whether a claimed result is right; None if the game could not be replayed to its end."""
    errors = report.errors
    if not errors:
        return True
    return False if any(error.code.startswith("result/") for error in errors) else None
