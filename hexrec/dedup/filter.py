"""Each game once: what comes again is held back, and what is like another in some other way is told of."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from hashlib import blake2b
from typing import BinaryIO, NamedTuple

from hexrec.check.report import Report, failed
from hexrec.dedup.duplicates import Seen, same_as
from hexrec.dedup.prefixes import Beginnings
from hexrec.record import canonical_form
from hexrec.record.fingerprint import fingerprint


class Repeat(NamedTuple):
    """A game that is another, or the beginning of another.

    Attributes:
        file, record: where it stands.
        other_file, other_record: where the other stands.
        mirrored: whether it is so only when turned or mirrored.
        beginning: whether the other goes on.
        dropped: whether it is held back.
    """

    file: str | None
    record: int
    other_file: str | None
    other_record: int
    mirrored: bool
    beginning: bool
    dropped: bool

    @property
    def statement(self) -> str:
        """What there is to say of it."""
        name = f"record {self.other_record} of {self.other_file}"
        if self.beginning:
            return f"the beginning, turned or mirrored, of {name}" if self.mirrored else f"the beginning of {name}"
        return same_as(name, mirrored=self.mirrored)


class Sieve:
    """Passes games on, the first of those that are the same, and tells of the others.

    Invalid records are passed on as they are unless they are wanted. Then they are compared with each other only: no
    valid record is held back for one that is not. What has no turns cannot be recognised and is passed on.
    """

    def __init__(
        self,
        tell: Callable[[Repeat], object],
        *,
        mirrored: bool = False,
        invalid: bool = False,
        file: BinaryIO | None = None,
    ) -> None:
        """`tell` is told of every game that comes again.

        With `mirrored`, those that are turned or mirrored are held back too. With `invalid`, invalid records are
        wanted. `file`, which is empty, is where turns wait if beginnings are to be found.
        """
        self._tell = tell
        self._mirrored = mirrored
        self._invalid = Seen() if invalid else None
        self._valid = Seen()
        self._beginnings = Beginnings(self._valid, file) if file else None
        self._all = blake2b()

    @property
    def fingerprint(self) -> bytes:
        """What tells the games that have come from any others."""
        return self._all.digest()

    def different(self, reports: Iterable[Report], without: Container[int] = ()) -> Iterator[Report]:
        """Pass on the reports of games that have not come before, and of what is not known to be a game.

        `without` holds the numbers of valid games to hold back, as `beginnings` gives them. Raises OSError if the file
        for turns cannot hold them.
        """
        for report in reports:
            seen = self._valid if report.valid else self._invalid
            game = None
            if seen is not None and report.record is not None:
                try:
                    game = fingerprint(report.record, canonical_form(report.record), report.plies)
                except Exception as error:
                    yield failed(report, error)
                    continue
            if seen is None or game is None:
                yield report
                continue
            *_, digest = game.digests()
            image = game.images[-1]
            self._all.update(digest + bytes([image, report.valid]))
            match = seen.find(digest, image)
            again = match is not None and (self._mirrored or not match.mirrored)
            if not again:
                number = seen.add(digest, image, report.file, report.index)
                if report.valid:
                    if self._beginnings:
                        self._beginnings.add(game, report)
                    if number in without:
                        continue
            if match is not None:
                other = seen.place(match.number)
                self._tell(Repeat(report.file, report.index or 0, *other, match.mirrored, False, again))
            if not again:
                yield report

    def beginnings(self, *, drop: bool) -> Iterator[tuple[int, Repeat]]:
        """Yield the number of each valid game that is the beginning of another, and what there is to tell of it.

        With `drop`, those are to be dropped whose records have no result and, unless images count, that are the
        beginning of the other as it stands. To be called once, when all have come. Raises OSError.
        """
        assert self._beginnings, "no file for turns"
        for number, match in self._beginnings.find(mirrored=self._mirrored).items():
            dropped = drop and self._beginnings.is_open(number) and (self._mirrored or not match.mirrored)
            own, other = self._valid.place(number), self._valid.place(match.number)
            yield number, Repeat(*own, *other, match.mirrored, True, dropped)
