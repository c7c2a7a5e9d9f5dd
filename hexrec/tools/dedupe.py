"""Deduplication: yield each game of a run once, and report duplicates, rotated or mirrored games and prefixes."""

from __future__ import annotations

import json
import zlib
from array import array
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from gzip import GzipFile
from tempfile import TemporaryFile
from typing import BinaryIO, NamedTuple

from hexrec.errors import RunError
from hexrec.io.discovery import Discovery, Source
from hexrec.io.stamps import Stamp, compare, stamp
from hexrec.record.identity import Identity, can_recur, identify
from hexrec.util.diagnostics import Diagnostic, shorten
from hexrec.validation.report import LintKey, Report, Summary, add_internal_error, in_order
from hexrec.validation.sources import check_sources


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


def unique(
    discovery: Discovery,
    on_duplicate: Callable[[Duplicate], object],
    summary: Summary,
    *,
    mirrored: bool,
    invalid: bool,
    prefixes: str,
    check: bool,
    select: Callable[[Iterable[Report]], Iterable[Report]] = iter,
) -> Iterator[Report]:
    """Yield the reports on the records to keep: new games, and records without an identifiable game.

    Invalid records are all kept unless `invalid` is set. Then they are compared only with each other, so that no valid
    record is dropped because of an invalid one.

    Args:
        discovery: the inputs; the first of two passes reads a copy, so that it counts skipped files once.
        on_duplicate: called with every duplicate and prefix.
        summary: counts the records, once.
        mirrored: whether to drop rotated and mirrored games too.
        invalid: whether to compare invalid records.
        prefixes: ``report``, ``drop`` (in two passes) or ``ignore``.
        check: whether nothing is written, so that one pass is enough.
        select: yields the reports on the selected records.

    Raises RunError.
    """
    stamps: dict[str, Stamp | None] = {}

    def sources(discovery: Discovery) -> Iterator[Source | Diagnostic]:
        for source in discovery:
            if isinstance(source, Source):
                name = source.archive or source.name
                current = stamp(name)
                compare(name, stamps.setdefault(name, current), current)
            yield source

    def reports(discovery: Discovery) -> Iterable[Report]:
        return select(check_sources(sources(discovery)))

    first_pass = None
    dropped: set[int] = set()
    with nullcontext() if prefixes == "ignore" else _file_for_turns() as file:
        if prefixes == "drop" and not check:
            first_pass = _Filter(lambda _: None, mirrored=mirrored, invalid=invalid, file=file)
            for _ in first_pass.different(reports(discovery.again())):
                pass
            for number, duplicate in first_pass.prefixes.find(mirrored=mirrored, drop=True):
                on_duplicate(duplicate)
                if duplicate.dropped:
                    dropped.add(number)
            file = None  # the first pass found all prefixes
        last_pass = _Filter(on_duplicate, mirrored=mirrored, invalid=invalid, file=file)
        yield from last_pass.different(summary.count(reports(discovery)), dropped)
        if first_pass and last_pass.valid.numbers != first_pass.valid.numbers:
            raise RunError("an input was changed while it was read: nothing is certain of what was found")
        for _, duplicate in last_pass.prefixes.find(mirrored=mirrored, drop=prefixes == "drop"):
            on_duplicate(duplicate)


@contextmanager
def _file_for_turns() -> Iterator[BinaryIO]:
    """Open a temporary file. Raises RunError for any OSError: those of inputs have become reports."""
    try:
        file = TemporaryFile()  # noqa: SIM115
        try:
            yield file
        finally:
            with suppress(OSError):  # no one needs the turns that are still to be written
                file.close()
    except OSError as error:
        raise RunError(f"a temporary file for turns cannot be written: {error.strerror or error}") from None


class _Filter:
    """One pass: keeps the first of equal games and reports the others."""

    def __init__(
        self, on_duplicate: Callable[[Duplicate], object], *, mirrored: bool, invalid: bool, file: BinaryIO | None
    ) -> None:
        """Prepare a pass. The arguments are those of `unique`; `file` is for turns, or None to ignore prefixes."""
        self._on_duplicate = on_duplicate
        self._mirrored = mirrored
        self._invalid = GameIndex() if invalid else None
        self.valid = GameIndex()
        self.prefixes = _Prefixes(self.valid, file)

    def different(self, reports: Iterable[Report], without: Container[int] = ()) -> Iterator[Report]:
        """Yield the reports to keep; `without` has the numbers of valid games to drop as prefixes."""
        for report in reports:
            record = report.record
            index = self.valid if report.valid else self._invalid
            if index is None or record is None or not can_recur(record, report.plies):
                yield report
                continue
            try:
                identity = identify(record)
                digest, image = identity.symmetric_digest()
            except Exception as error:
                yield add_internal_error(report, error)
                continue
            match = index.find(digest, image)
            again = match is not None and (self._mirrored or not match.mirrored)
            if not again:
                number = index.add(digest, image, report.file, report.index)
                if report.valid:
                    self.prefixes.add(identity, report)
                    if number in without:
                        continue
            if match is not None:
                other = index.place(match.number)
                self._on_duplicate(Duplicate(report.file, report.index or 0, *other, match.mirrored, False, again))
            if not again:
                yield report


class _Prefixes:
    """Finds the prefixes among distinct games.

    Prefixes are known only after all games. Until then, turns are kept in a file, at a few bytes each: in memory they
    would need more space than all other data.
    """

    def __init__(self, index: GameIndex, file: BinaryIO | None) -> None:
        """`index` has the games; `file` is an empty file for turns, or None to ignore prefixes."""
        self._index = index
        self._file = file
        self._packer = zlib.compressobj(level=1, wbits=31)  # in the format of gzip
        #: For each game, whether it has no result.
        self._open = bytearray()
        #: By first turn, the numbers of turns of games that the rules did not end: only such games can be prefixes.
        self._lengths: dict[bytes, set[int]] = {}

    def add(self, identity: Identity, report: Report) -> None:
        """Add the next game. Raises OSError if the file cannot be written."""
        if self._file is None:
            return
        number = len(self._open)
        if report.result is None or report.result.termination != "rules":
            self._lengths.setdefault(_first_turn(identity), set()).add(report.plies)
        self._open.append(report.result is None)
        self._file.write(self._packer.compress(json.dumps([number, *identity]).encode() + b"\n"))

    def find(self, *, mirrored: bool, drop: bool) -> Iterator[tuple[int, Duplicate]]:
        """Yield the number of each game that is a prefix of another, and the duplicate to report.

        The other is the longest game that continues it, the first of several. With `drop`, a prefix without a result is
        dropped. Without `mirrored`, a rotated or mirrored prefix is not, and a rotated or mirrored continuation is used
        only if there is no other. Call it once, after all games. Without a file, it yields nothing. Raises OSError.
        """
        if self._file is None:
            return
        self._file.write(self._packer.flush())
        self._file.seek(0)
        prefixes: dict[int, tuple[tuple[bool, int], EarlierGame]] = {}
        with GzipFile(fileobj=self._file, mode="rb") as packed:
            for line in packed if self._lengths else ():
                number, *parts = json.loads(line)
                longer = Identity(*parts)
                known = self._lengths.get(_first_turn(longer), ())
                lengths = sorted(length for length in known if length < len(longer.moves))
                for digest, image in longer.prefix_digests(lengths):
                    for shorter, shorter_image in self._index.images(digest):
                        rank = shorter_image == image or mirrored, len(longer.moves)
                        if shorter not in prefixes or rank > prefixes[shorter][0]:
                            prefixes[shorter] = rank, EarlierGame(number, shorter_image != image)
        for shorter, (_, game) in sorted(prefixes.items()):
            dropped = drop and bool(self._open[shorter]) and (mirrored or not game.mirrored)
            place, other = self._index.place(shorter), self._index.place(game.number)
            yield shorter, Duplicate(*place, *other, game.mirrored, True, dropped)


def _first_turn(identity: Identity) -> bytes:
    """Return the symmetric hash of a game's first turn, which the game shares with its prefixes and their images."""
    return identity._replace(moves=identity.moves[:1]).symmetric_digest().digest


#: The maximum number of symmetries of a board.
_SYMMETRIES = 12


class EarlierGame(NamedTuple):
    """An equal game: its number, and whether the games match only when rotated or mirrored."""

    number: int
    mirrored: bool


def same_as(name: str, *, mirrored: bool) -> str:
    """Return the statement that a game is the same as a named one."""
    return f"the same game, rotated or mirrored, as {name}" if mirrored else f"the same game as {name}"


class GameIndex:
    """Games by number, in order of arrival.

    Attributes:
        numbers: the numbers by digest and image, which identify a game.
    """

    def __init__(self) -> None:
        self.numbers: dict[bytes, int] = {}
        self._files: list[str | None] = []
        self._places = array("Q")

    def add(self, digest: bytes, image: int, file: str | None, index: int | None) -> int:
        """Add a new game; return its number."""
        number = len(self._places)
        self.numbers[digest + bytes([image])] = number
        if not self._files or self._files[-1] != file:
            self._files.append(file)
        self._places.append((len(self._files) - 1) << 32 | (index or 0))
        return number

    def find(self, digest: bytes, image: int) -> EarlierGame | None:
        """Return the equal game, else the first that is equal when rotated or mirrored, else None."""
        numbers = {image: number for number, image in self.images(digest)}
        if image in numbers:
            return EarlierGame(numbers[image], False)
        return EarlierGame(min(numbers.values()), True) if numbers else None

    def images(self, digest: bytes) -> Iterator[tuple[int, int]]:
        """Yield the number and the image of each game that is equal up to symmetry."""
        for image in range(_SYMMETRIES):
            number = self.numbers.get(digest + bytes([image]))
            if number is not None:
                yield number, image

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
