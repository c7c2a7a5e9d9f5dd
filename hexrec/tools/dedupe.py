"""Each game of a run once: duplicates are held back, and games that are like another in some other way reported."""

from __future__ import annotations

import json
import zlib
from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from gzip import GzipFile
from tempfile import TemporaryFile
from typing import BinaryIO, NamedTuple

from hexrec.io.discovery import Source
from hexrec.io.stamps import Stamps
from hexrec.record.identity import Identity, can_recur, identify
from hexrec.util.diagnostics import Diagnostic, shorten
from hexrec.validation.report import LintKey, Report, failed, in_order
from hexrec.validation.sources import check_sources
from hexrec.validation.summary import Summary

#: What makes zlib write the format that `GzipFile` reads.
_GZIP = 31


class DedupError(Exception):
    """The run cannot go on; the message says why."""


class Duplicate(NamedTuple):
    """A game that is the same as another, or a prefix of another.

    Attributes:
        file, record: where it is.
        other_file, other_record: where the other is.
        mirrored: whether it is so only when rotated or mirrored.
        prefix: whether the other continues.
        dropped: whether it is held back.
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
        """What there is to say of it."""
        name = f"record {self.other_record} of {self.other_file}"
        if self.prefix:
            return f"the beginning, rotated or mirrored, of {name}" if self.mirrored else f"the beginning of {name}"
        return same_as(name, mirrored=self.mirrored)


def unique(
    discover: Callable[[], Iterable[Source | Diagnostic]],
    on_duplicate: Callable[[Duplicate], object],
    summary: Summary,
    *,
    mirrored: bool,
    invalid: bool,
    prefixes: str,
    check: bool,
    select: Callable[[Iterable[Report]], Iterable[Report]] = iter,
) -> Iterator[Report]:
    """Yield the reports of the records to keep: of games that have not come before, and of what is no known game.

    Invalid records are passed on as they are unless they are wanted. Then they are compared with each other only: no
    valid record is held back for one that is not.

    Args:
        discover: finds the inputs; called for each pass.
        on_duplicate: is called with every game that is another, or a prefix of another.
        summary: counts the records, once.
        mirrored: whether games that are rotated or mirrored are held back too.
        invalid: whether invalid records are wanted.
        prefixes: what to do with prefixes: ``report``, ``drop``, which takes two passes, or ``ignore``.
        check: whether nothing is written, so that one pass is enough: prefixes come after all reports.
        select: passes on the reports on the records that take part.

    Raises DedupError.
    """
    stamps = Stamps()

    def sources() -> Iterator[Source | Diagnostic]:
        for source in discover():
            if isinstance(source, Source):
                stamps.check(source.archive or source.name)
            yield source

    def reports() -> Iterable[Report]:
        return select(check_sources(sources()))

    survey = None
    dropped: set[int] = set()
    with nullcontext() if prefixes == "ignore" else _file_for_turns() as file:
        if prefixes == "drop" and not check:
            survey = _Filter(lambda _: None, mirrored=mirrored, invalid=invalid, file=file)
            for _ in survey.different(reports()):
                pass
            for number, duplicate in survey.prefixes(drop=True):
                on_duplicate(duplicate)
                if duplicate.dropped:
                    dropped.add(number)
            file = None  # all prefixes are known
        kept = _Filter(on_duplicate, mirrored=mirrored, invalid=invalid, file=file)
        yield from kept.different(summary.count(reports()), dropped)
        if survey and kept.valid.numbers != survey.valid.numbers:
            raise DedupError("an input was changed while it was read: nothing is certain of what was found")
        for _, duplicate in kept.prefixes(drop=prefixes == "drop"):
            on_duplicate(duplicate)


@contextmanager
def _file_for_turns() -> Iterator[BinaryIO]:
    """Open a temporary file. Inputs that cannot be read are reported, so that any OSError is one of this file."""
    try:
        # Not a context: on a full disk closing the file fails too, which matters no longer.
        file = TemporaryFile()  # noqa: SIM115
        try:
            yield file
        finally:
            with suppress(OSError):
                file.close()
    except OSError as error:
        raise DedupError(f"a temporary file for turns cannot be written: {error.strerror or error}") from None


class _Filter:
    """One pass: the first of the games that are the same go on, the others are reported."""

    def __init__(
        self, on_duplicate: Callable[[Duplicate], object], *, mirrored: bool, invalid: bool, file: BinaryIO | None
    ) -> None:
        """Prepare a pass; the arguments are those of `unique`, and the file for turns if prefixes are to be found."""
        self._on_duplicate = on_duplicate
        self._mirrored = mirrored
        self._invalid = GameIndex() if invalid else None
        self.valid = GameIndex()
        self._prefixes = _Prefixes(self.valid, file) if file else None

    def different(self, reports: Iterable[Report], without: Container[int] = ()) -> Iterator[Report]:
        """Pass on the reports to keep; `without` holds the numbers of valid games to hold back as prefixes."""
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
                yield failed(report, error)
                continue
            match = index.find(digest, image)
            again = match is not None and (self._mirrored or not match.mirrored)
            if not again:
                number = index.add(digest, image, report.file, report.index)
                if report.valid:
                    if self._prefixes:
                        self._prefixes.add(identity, report)
                    if number in without:
                        continue
            if match is not None:
                other = index.place(match.number)
                self._on_duplicate(Duplicate(report.file, report.index or 0, *other, match.mirrored, False, again))
            if not again:
                yield report

    def prefixes(self, *, drop: bool) -> Iterator[tuple[int, Duplicate]]:
        """Yield the number of each valid game that is the prefix of another, and what to report of it.

        With `drop`, those are to be dropped whose records have no result and, unless images count, that are the
        prefix of the other as it is. To be called once, when all have come; there are none without a file.
        """
        if self._prefixes is None:
            return
        for number, match in self._prefixes.find(mirrored=self._mirrored).items():
            dropped = drop and self._prefixes.is_open(number) and (self._mirrored or not match.mirrored)
            own, other = self.valid.place(number), self.valid.place(match.number)
            yield number, Duplicate(*own, *other, match.mirrored, True, dropped)


class _Prefixes:
    """Finds, among games that are all different, those that are the prefix of another.

    Whether a game goes on where some other stops is known only once all have come. Until then its turns wait in a
    file, where each takes a few bytes: in memory, they would take more room than all else that is known.
    """

    def __init__(self, index: GameIndex, file: BinaryIO) -> None:
        """`index` knows the games; turns wait in `file`, which is empty."""
        self._index = index
        self._file = file
        self._packer = zlib.compressobj(level=1, wbits=_GZIP)
        #: For each game, whether its record has no result.
        self._open = bytearray()
        #: By the first turn, how many turns games have that the rules have not ended: only these can be prefixes.
        self._lengths: dict[bytes, set[int]] = {}

    def add(self, identity: Identity, report: Report) -> None:
        """Take in the next of the games. Raises OSError if the file cannot hold it."""
        number = len(self._open)
        if report.result is None or report.result.termination != "rules":
            self._lengths.setdefault(_first_turn(identity), set()).add(report.plies)
        self._open.append(report.result is None)
        self._file.write(self._packer.compress(json.dumps([number, *identity]).encode() + b"\n"))

    def is_open(self, number: int) -> bool:
        """Return whether a game's record is that of a game which was not finished: it has no result."""
        return bool(self._open[number])

    def find(self, *, mirrored: bool) -> Mapping[int, EarlierGame]:
        """Return the games that are prefixes, each with the longest game that goes on from it; the first of several.

        One that is rotated or mirrored counts only where there is no other, unless with `mirrored`. To be called once,
        when all games have come. Raises OSError.
        """
        self._file.write(self._packer.flush())
        self._file.seek(0)
        found: dict[int, tuple[tuple[bool, int], EarlierGame]] = {}
        with GzipFile(fileobj=self._file, mode="rb") as packed:
            for line in packed if self._lengths else ():
                number, *parts = json.loads(line)
                longer = Identity(*parts)
                known = self._lengths.get(_first_turn(longer), ())
                lengths = sorted(length for length in known if length < len(longer.moves))
                for digest, image in longer.prefix_digests(lengths):
                    for shorter, own in self._index.images(digest):
                        rank = own == image or mirrored, len(longer.moves)
                        if shorter not in found or rank > found[shorter][0]:
                            found[shorter] = rank, EarlierGame(number, own != image)
        return {shorter: game for shorter, (_, game) in sorted(found.items())}


def _first_turn(identity: Identity) -> bytes:
    """Return the symmetric hash of a game's first turn, which it has in common with its prefixes and their images."""
    return identity._replace(moves=identity.moves[:1]).symmetric_digest().digest


#: A board has as many symmetries as this, or fewer.
_SYMMETRIES = 12


class EarlierGame(NamedTuple):
    """An earlier game that is the same: its number, and whether it is so only when rotated or mirrored."""

    number: int
    mirrored: bool


def same_as(name: str, *, mirrored: bool) -> str:
    """Say that a game is the same as the one of that name."""
    return f"the same game, rotated or mirrored, as {name}" if mirrored else f"the same game as {name}"


class GameIndex:
    """Games by number, in the order in which they came.

    Attributes:
        numbers: the numbers, by the digest and the image that identify a game.
    """

    def __init__(self) -> None:
        self.numbers: dict[bytes, int] = {}
        self._files: list[str | None] = []
        self._places = array("Q")

    def add(self, digest: bytes, image: int, file: str | None, index: int | None) -> int:
        """Keep a game that is not yet there; return its number."""
        number = len(self._places)
        self.numbers[digest + bytes([image])] = number
        if not self._files or self._files[-1] != file:
            self._files.append(file)
        self._places.append((len(self._files) - 1) << 32 | (index or 0))
        return number

    def find(self, digest: bytes, image: int) -> EarlierGame | None:
        """Return the game that is the same, if there is one: as it is, else the first one rotated or mirrored."""
        numbers = {image: number for number, image in self.images(digest)}
        if image in numbers:
            return EarlierGame(numbers[image], False)
        return EarlierGame(min(numbers.values()), True) if numbers else None

    def images(self, digest: bytes) -> Iterator[tuple[int, int]]:
        """Yield the number and the image of each game that is the same in some way."""
        for image in range(_SYMMETRIES):
            number = self.numbers.get(digest + bytes([image]))
            if number is not None:
                yield number, image

    def place(self, number: int) -> tuple[str | None, int]:
        """Return the file that a game is in, and its index there."""
        file, index = divmod(self._places[number], 1 << 32)
        return self._files[file], index


class Duplicates:
    """Finds the games of a run that have come before, from reports alone."""

    def __init__(self) -> None:
        self._games = GameIndex()
        self._ids: list[str | None] = []

    def find(self, reports: Iterable[Report]) -> Iterator[Report]:
        """Pass reports through, those of games that have come before with one diagnostic more."""
        for report in reports:
            duplicate = self._compare(report, report.lint_key) if report.lint_key else None
            yield replace(report, diagnostics=in_order([*report.diagnostics, duplicate])) if duplicate else report

    def _compare(self, report: Report, key: LintKey) -> Diagnostic | None:
        """Return the diagnostic for a game that has come before, and keep any other."""
        match = self._games.find(key.digest, key.image)
        if match is None or match.mirrored:
            self._games.add(key.digest, key.image, report.file, report.index)
            self._ids.append(report.id)
        if match is None:
            return None
        file, index = self._games.place(match.number)
        own = self._ids[match.number]
        message = same_as(f"record {index}{f' ({shorten(own)})' if own else ''} of {file}", mirrored=match.mirrored)
        return key.place.at(message=message, code="lint/duplicate-mirrored" if match.mirrored else "lint/duplicate")
