"""Each game once: duplicates are held back, and games that are like another in some other way are reported."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from hashlib import blake2b
from typing import BinaryIO, NamedTuple

from hexrec.dedup.duplicates import GameIndex, same_as
from hexrec.dedup.prefixes import Prefixes
from hexrec.record import canonical_form
from hexrec.record.fingerprint import fingerprint
from hexrec.validation.report import Report, failed


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


class DedupFilter:
    """Passes on the first of the games that are the same, and reports the others.

    Invalid records are passed on as they are unless they are wanted. Then they are compared with each other only: no
    valid record is held back for one that is not. What has no turns cannot be recognised and is passed on.
    """

    def __init__(
        self,
        on_duplicate: Callable[[Duplicate], object],
        *,
        mirrored: bool,
        invalid: bool,
        file: BinaryIO | None,
    ) -> None:
        """`on_duplicate` is called with every game that comes again.

        With `mirrored`, those that are rotated or mirrored are held back too. With `invalid`, invalid records are
        wanted. `file`, which is empty, is where turns wait if prefixes are to be found.
        """
        self._on_duplicate = on_duplicate
        self._mirrored = mirrored
        self._invalid = GameIndex() if invalid else None
        self._valid = GameIndex()
        self._prefixes = Prefixes(self._valid, file) if file else None
        self._all = blake2b()

    @property
    def checksum(self) -> bytes:
        """The checksum of all games that have come."""
        return self._all.digest()

    def different(self, reports: Iterable[Report], without: Container[int] = ()) -> Iterator[Report]:
        """Pass on the reports of games that have not come before, and of what is not known to be a game.

        `without` holds the numbers of valid games to hold back, as `prefixes` gives them. Raises OSError if the file
        for turns cannot hold them.
        """
        for report in reports:
            index = self._valid if report.valid else self._invalid
            game = None
            if index is not None and report.record is not None:
                try:
                    game = fingerprint(report.record, canonical_form(report.record), report.plies)
                except Exception as error:
                    yield failed(report, error)
                    continue
            if index is None or game is None:
                yield report
                continue
            *_, digest = game.digests()
            image = game.images[-1]
            self._all.update(digest + bytes([image, report.valid]))
            match = index.find(digest, image)
            again = match is not None and (self._mirrored or not match.mirrored)
            if not again:
                number = index.add(digest, image, report.file, report.index)
                if report.valid:
                    if self._prefixes:
                        self._prefixes.add(game, report)
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
        prefix of the other as it is. To be called once, when all have come, if there is a file. Raises OSError.
        """
        assert self._prefixes
        for number, match in self._prefixes.find(mirrored=self._mirrored).items():
            dropped = drop and self._prefixes.is_open(number) and (self._mirrored or not match.mirrored)
            own, other = self._valid.place(number), self._valid.place(match.number)
            yield number, Duplicate(*own, *other, match.mirrored, True, dropped)
