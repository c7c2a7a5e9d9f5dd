"""Deduplication: yield each game of a run once, and report duplicates, rotated or mirrored games and prefixes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from heapq import merge
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from hexrec.errors import RunError
from hexrec.record.identity import can_recur, identify
from hexrec.record.record import Record
from hexrec.tools.duplicates import same_as
from hexrec.validation.cache import pack, unpack
from hexrec.validation.report import Report, add_internal_error
from hexrec.validation.verdict import with_hash

if TYPE_CHECKING:  # most runs convert nothing
    from hexrec.tools.convert import Conversion


class Duplicate(NamedTuple):
    """A game that is the same as another, or a prefix of another.

    Attributes:
        file, record: the place of the game.
        other_file, other_record: the place of the other game.
        mirrored: whether the games match only when rotated or mirrored.
        prefix: whether the game is a prefix of the other.
        dropped: whether the game is dropped.
    """

    file: str | None
    record: int
    other_file: str | None
    other_record: int
    mirrored: bool
    prefix: bool
    dropped: bool

    @property
    def statement(self) -> str:
        """The relation of the game to the other, in words."""
        name = f"record {self.other_record} of {self.other_file}"
        if self.prefix:
            return f"the beginning, rotated or mirrored, of {name}" if self.mirrored else f"the beginning of {name}"
        return same_as(name, mirrored=self.mirrored)

    def data(self) -> dict[str, Any]:
        """Return the duplicate as data for JSON."""
        return {
            "file": self.file,
            "record": self.record,
            "kind": "beginning" if self.prefix else "same",
            "mirrored": self.mirrored,
            "dropped": self.dropped,
            "of": {"file": self.other_file, "record": self.other_record},
        }


class GameKey(NamedTuple):
    """A game to compare with others.

    Attributes:
        key: the folded game or, if its prefixes are not searched, a digest of it. Images of a game have the same key.
        images: as in `LeastImage`. The last one differs between images of the game.
    """

    key: str
    images: list[int]


#: A valid record, an invalid one, and an input that could not be read.
VALID, INVALID, UNREAD = range(3)
#: The end of a game: it has no result, the rules ended it, or it has a result of its own.
_OPEN, _OVER, _OWN = range(3)


class Candidate(NamedTuple):
    """A record that may be kept.

    Attributes:
        file, record: its place.
        id, game_hash: its id; the game hash, if it was asked for and the turns are legal.
        state: VALID, INVALID or UNREAD.
        plies: the number of executed turns.
        end: how the game ended.
        game: its game; None if no record can be dropped because of it.
        text: the record as it would be written; None if it cannot be written or nothing is written.
        report: the report whose diagnostics are printed if the record is kept; None without any.
    """

    file: str | None
    record: int | None
    id: str | None
    game_hash: str | None
    state: int
    plies: int
    end: int
    game: GameKey | None
    text: str | None
    report: Report | None

    def pack(self) -> list[Any]:
        """Return the candidate as data for JSON."""
        return [*self[:-1], self.report and pack(self.report)]

    @classmethod
    def unpack(cls, data: Any) -> Candidate:
        """Return the candidate from the result of `pack`."""
        *about, game, text, report = data
        values: Any = *about, game and GameKey(*game), text, report and unpack(report, *about[:2])
        return cls(*values)


def _find_end(report: Report) -> int:
    """Return how the game of a record ended. A game that the rules ended has no continuation."""
    if report.result is None:
        return _OPEN
    return _OVER if report.result.termination == "rules" else _OWN


def _compare(record: Record, report: Report, *, mirrored: bool, prefixes: bool) -> GameKey | None:
    """Return the game of a record, given the report on it; None if it cannot be compared with others.

    Without `mirrored`, images of a game are different games. With `prefixes`, those of valid records can be searched.
    """
    if not can_recur(record, report.plies):
        return None
    folded = identify(record).fold(mirrored=mirrored)
    key = folded.text.decode() if prefixes and report.valid else folded.digest.hex()
    return GameKey(key if report.valid else f"invalid {key}", folded.images)


def make_candidate(
    conversion: Conversion | None, report: Report, *, invalid: bool, mirrored: bool, prefixes: bool, hashes: bool
) -> Candidate:
    """Return the candidate for a record, converted if it may be written.

    Args:
        conversion: the conversion of records to keep; None if nothing is written.
        report: the report on the record.
        invalid: whether to compare invalid records.
        mirrored: whether to find rotated and mirrored games.
        prefixes: whether to find prefixes.
        hashes: whether to compute game hashes.
    """
    game_hash = with_hash(report)[1] if hashes else None
    game, text = None, None
    seen = report
    if report.record is not None and (report.valid or invalid):
        try:
            game = _compare(report.record, report, mirrored=mirrored, prefixes=prefixes)
        except Exception as error:
            seen = add_internal_error(report, error)
    if conversion:
        seen, text, _data = conversion.convert(seen)
    state = UNREAD if report.unreadable else VALID if report.valid else INVALID
    about = report.file, report.index, report.id, game_hash, state, report.plies, _find_end(report)
    return Candidate(*about, game, text, seen.copy(record=None, document=None) if seen.diagnostics else None)


#: The memory of the database in KiB. Beyond it, the database moves to temporary files.
_MEMORY = 64 << 10
#: The number of records that are added to the database at a time, and of characters after which they are.
_BATCH, _BYTES = 1_000, 1 << 20
_TABLES = """
CREATE TABLE held (number INTEGER PRIMARY KEY, text, report);
CREATE TABLE game (key, number, plies, ending, images, file, record);
CREATE TABLE duplicate (number, prefix, dropped, mirrored, file, record, other_file, other_record);
"""


class SortedGames:
    """Finds duplicates among games in bounded memory: SQLite sorts them, in temporary files if they are many.

    Sorted by key, equal games follow one another, and a game follows its prefixes. Invalid records are compared only
    with each other, so that no valid record is dropped because of an invalid one.
    """

    def __init__(self, *, mirrored: bool = False, prefixes: bool = False) -> None:
        """Raises RunError.

        Args:
            mirrored: whether to drop rotated and mirrored games and prefixes too.
            prefixes: whether to drop prefixes without a result, if prefixes are searched.
        """
        self._mirrored = mirrored
        self._prefixes = prefixes
        self._number = self._size = 0
        self._held: list[tuple[Any, ...]] = []
        self._games: list[tuple[Any, ...]] = []
        try:
            import sqlite3
        except ImportError:
            raise RunError("to compare games, install Python with its module sqlite3") from None
        self._error = sqlite3.Error
        with self._describe_errors():
            # A database without a name is in memory until it grows.
            self._database = sqlite3.connect("", isolation_level=None)
            for setting in ("temp_store=FILE", "journal_mode=OFF", "synchronous=OFF", f"cache_size=-{_MEMORY}"):
                self._database.execute(f"PRAGMA {setting}")
            self._database.executescript(_TABLES)
            self._database.execute("BEGIN")

    def close(self) -> None:
        """Delete the temporary files."""
        self._database.close()

    def add(self, candidate: Candidate) -> None:
        """Add the next record. Raises RunError."""
        self._number += 1
        if candidate.text is not None or candidate.report is not None:
            report = candidate.report
            packed = report and json.dumps([pack(report), report.file, report.index])
            self._held.append((self._number, candidate.text, packed))
        if candidate.game is not None:
            key, images = candidate.game
            about = candidate.plies, candidate.end, bytes(images), candidate.file, candidate.record
            self._games.append((key, self._number, *about))
        self._size += len(candidate.text or "")
        if self._number % _BATCH == 0 or self._size > _BYTES:
            self._flush()

    def decide(self, on_duplicate: Callable[[Duplicate], object]) -> Iterator[tuple[str | None, Report | None]]:
        """Yield the text and the report of each record to keep, in order.

        `on_duplicate` is called with each duplicate in its place, and with each prefix after all records or, if
        prefixes are dropped, before them. Raises RunError.
        """
        self._flush()
        with self._describe_errors():
            self._database.executemany("INSERT INTO duplicate VALUES (?,?,?,?,?,?,?,?)", self._find())
        if self._prefixes:
            self._report_prefixes(on_duplicate)
        gone = 0  # the number of the last dropped record
        duplicates = self._rows("SELECT * FROM duplicate ORDER BY number, prefix DESC")
        held = self._rows("SELECT * FROM held ORDER BY number")
        for row in merge(duplicates, held, key=itemgetter(0)):
            number = row[0]
            if len(row) == 3:
                if number != gone:
                    _, text, report = row
                    yield text, report and unpack(*json.loads(report))
                continue
            if number == gone:
                continue
            duplicate = _duplicate(row)
            if duplicate.dropped:
                gone = number
            if not duplicate.prefix:
                on_duplicate(duplicate)
        if not self._prefixes:
            self._report_prefixes(on_duplicate)

    def _report_prefixes(self, on_duplicate: Callable[[Duplicate], object]) -> None:
        for row in self._rows("SELECT * FROM duplicate WHERE prefix ORDER BY number"):
            on_duplicate(_duplicate(row))

    def _find(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of duplicates and prefixes, by key."""
        begun: list[_Game] = []  # each is a prefix of the next one
        games = self._rows("SELECT * FROM game ORDER BY key, number")
        for key, rows in groupby(games, itemgetter(0)):
            while begun and not key.startswith(begun[-1].key):
                yield from self._end(begun)
            same: dict[int, _Game] = {}
            for row in rows:
                game = _Game(*row)
                image = game.images[-1]
                if same:
                    other = same.get(image) or next(iter(same.values()))
                    mirrored = image not in same
                    dropped = self._mirrored or not mirrored
                    yield game.number, False, dropped, mirrored, game.file, game.record, other.file, other.record
                    if dropped:
                        continue
                same[image] = game
            begun += same.values()
        while begun:
            yield from self._end(begun)

    def _end(self, begun: list[_Game]) -> Iterator[tuple[Any, ...]]:
        """Remove the last game, which no further game continues. Yield its row if it is a prefix.

        A prefix without a result may be dropped; without `mirrored`, only if it is neither rotated nor mirrored, and a
        rotated or mirrored continuation is used only if there is no other.
        """
        game = begun.pop()
        for other in (game, *game.longest.values()) if begun else ():
            begun[-1].add(other)
        if game.end == _OVER:
            return
        ranks = [
            (self._mirrored or not mirrored, other.plies, -other.number, mirrored, other)
            for other in game.longest.values()
            if other.plies > game.plies  # the others are rotated or mirrored games
            for mirrored in [other.images[min(game.plies, len(other.images)) - 1] != game.images[-1]]
        ]
        if ranks:
            *_, mirrored, other = max(ranks)
            dropped = self._prefixes and game.end == _OPEN and (self._mirrored or not mirrored)
            yield game.number, True, dropped, mirrored, game.file, game.record, other.file, other.record

    def _flush(self) -> None:
        with self._describe_errors():
            self._database.executemany("INSERT INTO held VALUES (?,?,?)", self._held)
            self._database.executemany("INSERT INTO game VALUES (?,?,?,?,?,?,?)", self._games)
        self._held.clear()
        self._games.clear()
        self._size = 0

    def _rows(self, query: str) -> Iterator[tuple[Any, ...]]:
        with self._describe_errors():
            # `yield from` would close the cursor, perhaps after the database.
            for row in self._database.execute(query):  # noqa: UP028
                yield row

    @contextmanager
    def _describe_errors(self) -> Iterator[None]:
        """Raise RunError instead of an error of the database."""
        try:
            yield
        except self._error as error:
            raise RunError(f"a temporary file for games cannot be written: {error}") from None


@dataclass(slots=True, eq=False)
class _Game:
    """A game among the sorted games: a row of the table, and its continuations.

    Attributes:
        longest: by its images, the longest of the games that continue this one, the first of several.
    """

    key: str
    number: int
    plies: int
    end: int
    images: bytes
    file: str | None
    record: int | None
    longest: dict[bytes, _Game] = field(default_factory=dict)

    def add(self, other: _Game) -> None:
        """Add a game that continues this one."""
        known = self.longest.setdefault(other.images, other)
        if (other.plies, -other.number) > (known.plies, -known.number):
            self.longest[other.images] = other


def _duplicate(row: tuple[Any, ...]) -> Duplicate:
    _, prefix, dropped, mirrored, file, record, other_file, other_record = row
    return Duplicate(file, record or 0, other_file, other_record or 0, bool(mirrored), bool(prefix), bool(dropped))
