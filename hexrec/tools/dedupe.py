"""Deduplication: yield each game of a run once, and report duplicates, rotated or mirrored games and prefixes."""

from __future__ import annotations

import pickle
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from heapq import merge
from typing import TYPE_CHECKING, Any, NamedTuple

from hexrec.errors import RunError
from hexrec.record.identity import can_recur, identify
from hexrec.record.record import Record
from hexrec.util.diagnostics import Diagnostic, shorten
from hexrec.validation.report import LintKey, Report, in_order

if TYPE_CHECKING:  # lint converts nothing
    from hexrec.tools.convert import Converted


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


class GameKey(NamedTuple):
    """A game to compare with others.

    Attributes:
        digest: a digest that the game shares with its images, and with no other game.
        image: the index of a symmetry, which differs between images of the game.
        text: the folded game, for the search for prefixes; None if it is not searched.
        images: as in `LeastImage`.
    """

    digest: bytes
    image: int
    text: bytes | None
    images: list[int]


class Candidate(NamedTuple):
    """A record that may be kept.

    Attributes:
        report: the report on it.
        game_hash: the game hash, if it was asked for and the turns are legal.
        game: its game; None if no record can be dropped because of it.
        converted: the record as it would be written, and the diagnostics to print then.
    """

    report: Report
    game_hash: str | None
    game: GameKey | None
    converted: Converted


def compare(record: Record, plies: int, *, mirrored: bool, prefixes: bool) -> GameKey | None:
    """Return the game of a record, given the number of executed turns; None if it cannot be compared with others.

    Without `mirrored`, images of a game are different games. With `prefixes`, prefixes can be searched.
    """
    if not can_recur(record, plies):
        return None
    folded = identify(record).fold(mirrored=mirrored)
    return GameKey(folded.digest, folded.images[-1], folded.text if prefixes else None, folded.images)


def unique(
    candidates: Iterable[Candidate],
    on_duplicate: Callable[[Duplicate], object],
    *,
    mirrored: bool = False,
    prefixes: bool = False,
    hold: bool = False,
) -> Iterator[Converted]:
    """Yield the records to keep: new games, and records without a comparable game.

    Invalid records are compared only with each other, so that no valid record is dropped because of an invalid one.

    Args:
        candidates: the records, in order.
        on_duplicate: called with every duplicate, and with every prefix after all records were read.
        mirrored: whether to drop rotated and mirrored games and prefixes too.
        prefixes: whether to drop prefixes without a result, if prefixes are searched.
        hold: whether to hold all records in a temporary file until the prefixes are known. Otherwise, those to be
            dropped as prefixes are yielded.

    Raises RunError.
    """
    indexes = {True: GameIndex(), False: GameIndex()}  # by whether a record is valid
    with ExitStack() as files:
        games = _SortedGames(files)
        held = _open_temporary(files) if hold else None
        held_count = 0
        for report, _, game, converted in candidates:
            number, again, duplicate = -1, False, None
            if game is not None:
                index = indexes[report.valid]
                if match := index.find(game.digest, game.image):
                    again = mirrored or not match.mirrored
                    place = report.file, report.index or 0
                    duplicate = Duplicate(*place, *index.place(match.number), match.mirrored, False, again)
                if not again:
                    number = index.add(game.digest, game.image, report.file, report.index)
                    if report.valid and game.text is not None:
                        games.add(number, game, report)
            if held is not None:
                with _describe_errors():
                    pickle.dump((number if report.valid else -1, duplicate, None if again else converted), held)
                held_count += 1
                continue
            if duplicate:
                on_duplicate(duplicate)
            if not again:
                yield converted
        dropped: set[int] = set()
        for number, duplicate in games.prefixes(indexes[True], mirrored=mirrored, drop=prefixes):
            on_duplicate(duplicate)
            if duplicate.dropped:
                dropped.add(number)
        if held is None:
            return
        held.seek(0)
        for _ in range(held_count):
            number, duplicate, converted = pickle.load(held)
            if number in dropped:
                continue
            if duplicate:
                on_duplicate(duplicate)
            if converted:
                yield converted


@contextmanager
def _describe_errors() -> Iterator[None]:
    """Raise RunError instead of an OSError of a temporary file."""
    try:
        yield
    except OSError as error:
        raise RunError(f"a temporary file for games cannot be written: {error.strerror or error}") from None


def _open_temporary(files: ExitStack) -> Any:
    """Open a temporary file that is closed with `files`. Raises RunError."""
    from tempfile import TemporaryFile  # lint needs none

    def close() -> None:
        with suppress(OSError):  # no one needs what is still to be written
            file.close()

    with _describe_errors():
        file = TemporaryFile()  # noqa: SIM115
    files.callback(close)
    return file


#: The maximum size of games in memory, in bytes.
_MEMORY = 32 << 20


class _SortedGames:
    """Finds the prefixes among distinct games: sorted by text, a game follows its prefixes.

    When too many games are in memory, they are moved to a temporary file.
    """

    def __init__(self, files: ExitStack) -> None:
        """The temporary files are closed with `files`."""
        self._files = files
        self._parts: list[Iterable[bytes]] = []
        self._lines: list[bytes] = []
        self._size = 0

    def add(self, number: int, game: GameKey, report: Report) -> None:
        """Add the game of a valid record. Raises RunError."""
        # A game that the rules ended has no continuation. One with another result is a game of its own.
        kind = "open" if report.result is None else "over" if report.result.termination == "rules" else "own"
        about = [number, report.plies, kind, *game.images]
        line = b"%b\0%b\n" % (game.text or b"", " ".join(map(str, about)).encode())
        self._lines.append(line)
        self._size += len(line)
        if self._size > _MEMORY:
            self._lines.sort()
            part = _open_temporary(self._files)
            with _describe_errors():
                part.writelines(self._lines)
                part.seek(0)
            self._parts.append(part)
            self._lines, self._size = [], 0

    def prefixes(self, index: GameIndex, *, mirrored: bool, drop: bool) -> Iterator[tuple[int, Duplicate]]:
        """Yield the number of each game that is a prefix of another, and the duplicate to report.

        The other is the longest game that continues it, the first of several. With `drop`, a prefix without a result is
        dropped. Without `mirrored`, a rotated or mirrored prefix is not, and a rotated or mirrored continuation is used
        only if there is no other.
        """
        self._lines.sort()
        best: dict[int, tuple[tuple[bool, int, int], bool, bool]] = {}
        before: list[tuple[bytes, int, int, int, bool]] = []  # the prefixes of a game among the games before it
        for line in merge(*self._parts, self._lines):
            text, _, rest = line.partition(b"\0")
            first, second, kind, *others = rest.split()
            number, plies, images = int(first), int(second), [*map(int, others)]
            while before and not text.startswith(before[-1][0]):
                before.pop()
            for _, shorter, end, image, is_open in before:
                if end == plies:  # a rotated or mirrored game
                    continue
                turned = images[min(end, len(images)) - 1] != image
                rank = mirrored or not turned, plies, -number
                if shorter not in best or rank > best[shorter][0]:
                    best[shorter] = rank, turned, is_open
            if kind != b"over":
                before.append((text, number, plies, images[-1], kind == b"open"))
        for shorter, ((_, _, negative), turned, is_open) in sorted(best.items()):
            dropped = drop and is_open and (mirrored or not turned)
            yield shorter, Duplicate(*index.place(shorter), *index.place(-negative), turned, True, dropped)


class EarlierGame(NamedTuple):
    """An equal game: its number, and whether the games match only when rotated or mirrored."""

    number: int
    mirrored: bool


def same_as(name: str, *, mirrored: bool) -> str:
    """Return the statement that a game is the same as a named one."""
    return f"the same game, rotated or mirrored, as {name}" if mirrored else f"the same game as {name}"


class GameIndex:
    """Games by number, in order of arrival."""

    def __init__(self) -> None:
        #: By digest, the number and the image of the first game that has it.
        self._first: dict[bytes, int] = {}
        #: By digest and image, the numbers of other games with the same digest.
        self._others: dict[bytes, int] = {}
        self._files: list[str | None] = []
        self._places = array("Q")

    def add(self, digest: bytes, image: int, file: str | None, index: int | None) -> int:
        """Add a new game; return its number."""
        number = len(self._places)
        if self._first.setdefault(digest, number << 4 | image) >> 4 != number:
            self._others[digest + bytes([image])] = number
        if not self._files or self._files[-1] != file:
            self._files.append(file)
        self._places.append((len(self._files) - 1) << 32 | (index or 0))
        return number

    def find(self, digest: bytes, image: int) -> EarlierGame | None:
        """Return the equal game, else the first that is equal when rotated or mirrored, else None."""
        first = self._first.get(digest)
        if first is None:
            return None
        if first & 15 == image:
            return EarlierGame(first >> 4, False)
        other = self._others.get(digest + bytes([image]))
        return EarlierGame(first >> 4, True) if other is None else EarlierGame(other, False)

    def place(self, number: int) -> tuple[str | None, int]:
        """Return the file of a game, and its index there."""
        file, index = divmod(self._places[number], 1 << 32)
        return self._files[file], index


class Duplicates:
    """Finds repeated games of a run by the lint keys of reports."""

    def __init__(self) -> None:
        self._games = GameIndex()
        self._ids: list[str | None] = []

    def find(self, reports: Iterable[Report]) -> Iterator[Report]:
        """Yield reports, with a diagnostic added to those on repeated games."""
        for report in reports:
            duplicate = self._compare(report, report.lint_key) if report.lint_key else None
            yield replace(report, diagnostics=in_order([*report.diagnostics, duplicate])) if duplicate else report

    def _compare(self, report: Report, key: LintKey) -> Diagnostic | None:
        """Return a diagnostic for a repeated game. Add a new game to the index and return None."""
        match = self._games.find(key.digest, key.image)
        if match is None or match.mirrored:
            self._games.add(key.digest, key.image, report.file, report.index)
            self._ids.append(report.id)
        if match is None:
            return None
        file, index = self._games.place(match.number)
        id = self._ids[match.number]
        message = same_as(f"record {index}{f' ({shorten(id)})' if id else ''} of {file}", mirrored=match.mirrored)
        return key.place.at(message=message, code="lint/duplicate-mirrored" if match.mirrored else "lint/duplicate")
