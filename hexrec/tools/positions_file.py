"""Parquet files of positions: write rows sorted by key, and count the turns that followed a position.

Memory does not grow with the number of positions: beyond a bound, rows are divided by key into temporary files, which
are sorted separately.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa
from pyarrow import parquet

from hexrec.record.identity import renamings
from hexrec.rules.game import Game
from hexrec.tools.examined import Examined
from hexrec.tools.positions import GamePositions, fold_position

_NUMBERS = {"size": pa.int32(), "ply": pa.int32(), "index": pa.int64()}
#: The columns of a row, in order.
_NAMES = ("key", "game", "ruleset", "variant", "size", "ply", "turn", "winner", "file", "index")
SCHEMA = pa.schema([(name, _NUMBERS.get(name, pa.string())) for name in _NAMES])
#: The number of rows in a table, in memory before they are divided, and in a row group.
_BATCH, _BUFFERED, _GROUP = 1 << 16, 1 << 19, 1 << 16
#: The prefixes of keys by which rows are divided, in order.
_PARTS = [f"{number:02x}" for number in range(256)]


def sort_rows(games: Iterable[Examined]) -> Iterator[Any]:
    """Yield the rows of positions in tables, sorted by key. The sort is stable."""
    tables = _tables(games)
    buffered = list(islice(tables, _BUFFERED // _BATCH))
    if (following := next(tables, None)) is None:
        yield _sort(buffered)
        return
    with TemporaryDirectory(prefix="hexrec-") as directory:
        parts = [Path(directory, part) for part in _PARTS]
        with ExitStack() as opened:
            files = [opened.enter_context(pa.OSFile(str(part), "wb")) for part in parts]
            writers = [opened.enter_context(pa.ipc.new_stream(file, SCHEMA)) for file in files]
            buffered.append(following)
            while buffered:
                _divide(_sort(buffered), writers)
                buffered = list(islice(tables, _BUFFERED // _BATCH))
        for part in parts:
            with pa.memory_map(str(part)) as source, pa.ipc.open_stream(source) as reader:
                yield _sort([reader.read_all()])


def write(games: Iterable[Examined], out: BinaryIO) -> None:
    """Write the rows of positions as Parquet."""
    write_tables(sort_rows(games), out)


def write_tables(tables: Iterable[Any], out: BinaryIO) -> None:
    """Write sorted rows as Parquet."""
    options: dict[str, Any] = {
        "compression": "zstd",
        "use_dictionary": [name for name in _NAMES if name != "key"],
        "column_encoding": {"key": "DELTA_BYTE_ARRAY"},
    }
    waiting: list[Any] = []
    with parquet.ParquetWriter(out, SCHEMA, **options) as writer:
        for table in tables:
            waiting.append(table)
            if sum(part.num_rows for part in waiting) >= _GROUP:
                writer.write_table(pa.concat_tables(waiting), row_group_size=_GROUP)
                waiting.clear()
        if waiting:
            writer.write_table(pa.concat_tables(waiting), row_group_size=_GROUP)


def games_in(file: str) -> set[str]:
    """Return the first and last name of a game in each row group of a file, from its metadata."""
    metadata = parquet.ParquetFile(file).metadata
    column = SCHEMA.get_field_index("game")
    groups = (metadata.row_group(number).column(column).statistics for number in range(metadata.num_row_groups))
    return {name for group in groups if group is not None and group.has_min_max for name in (group.min, group.max)}


def _tables(games: Iterable[Examined]) -> Iterator[Any]:
    columns: dict[str, list[Any]] = {name: [] for name in _NAMES}
    for report, _, value in games:
        if value is None:
            continue
        game: GamePositions = value
        count = len(game.keys)
        same = {
            "game": report.game,
            "ruleset": game.ruleset,
            "variant": game.variant,
            "size": game.size,
            "winner": report.result.winner if report.result else None,
            "file": report.file,
            "index": report.index,
        }
        for name, value in same.items():
            columns[name] += [value] * count
        columns["key"] += game.keys
        columns["turn"] += game.turns
        columns["ply"] += range(count)
        if len(columns["key"]) >= _BATCH:
            yield pa.table(columns, SCHEMA)
            columns = {name: [] for name in _NAMES}
    if columns["key"]:
        yield pa.table(columns, SCHEMA)


def _sort(tables: list[Any]) -> Any:
    return pa.concat_tables(tables or [SCHEMA.empty_table()]).sort_by("key")


def _divide(table: Any, writers: list[Any]) -> None:
    """Append the rows of a sorted table to the parts for their keys."""
    keys = table["key"].to_pylist()
    starts = [bisect_left(keys, part) for part in _PARTS]
    for writer, start, end in zip(writers, starts, [*starts[1:], len(keys)], strict=True):
        if end > start:
            writer.write_table(table.slice(start, end - start))


class NextTurn(NamedTuple):
    """A next turn from the position.

    Attributes:
        turn: the turn in the orientation of the given position; None if games ended there.
        games: the number of games with this turn.
        black, white, draw, no_winner: the number of these games by winner.
    """

    turn: str | None
    games: int
    black: int
    white: int
    draw: int
    no_winner: int


def explore(
    game: Game, text: str, file: str, variant: str | None, ruleset: str | None
) -> tuple[list[NextTurn], list[dict[str, Any]]]:
    """Return the next turns from a position in the games of a file, most frequent first, and the rows of the position.

    Raises IllegalSetup for an invalid position, ValueError for unknown names or another kind of file, OSError.
    """
    position = game.start(variant=variant, position=text, ruleset=ruleset)
    folded = fold_position(position)
    names = renamings(position.board)
    originals = [{image: name for name, image in names[symmetry].items()} for symmetry in folded.symmetries]
    filters = [("key", "=", folded.key), ("game", "=", game.name), ("ruleset", "=", position.ruleset)]
    table = parquet.read_table(file, columns=[*_NAMES], filters=filters)
    rows = [row for row in table.to_pylist() if row["variant"] == variant]
    counts: dict[str | None, Counter[str | None]] = {}
    for row in rows:
        counts.setdefault(row["turn"], Counter())[row["winner"]] += 1
    turns = []
    for turn, winners in counts.items():
        here = turn and min(position.canonical(position.names.rename(turn, original)) for original in originals)
        ended = (winners[winner] for winner in ("black", "white", "draw", None))
        turns.append(NextTurn(here, winners.total(), *ended))
    turns.sort(key=lambda following: (-following.games, following.turn or ""))
    return turns, rows
