"""Games that stop where others continue: copies made before the end, found in whichever order they come."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from gzip import GzipFile
from typing import BinaryIO, NamedTuple

from hexrec.dedup.duplicates import EarlierGame, GameIndex
from hexrec.record.fingerprint import Fingerprint
from hexrec.validation.report import Report

#: What a game can be: ended by its rules; given up before that, as the record says; left open by the record.
_OVER, _GIVEN_UP, _OPEN = range(3)
#: What makes zlib write the format that `GzipFile` reads.
_GZIP = 31


class _LongerGame(NamedTuple):
    """A game that goes on where another stops. The greatest is the one to name."""

    exact: bool
    plies: int
    number: int


class Prefixes:
    """Finds, among games that are all different, those that are the prefix of another.

    Whether a game goes on where some other stops is known only once all have come. Until then its turns wait in a
    file, of which most take one or two bytes each: in memory, they would take more room than all else that is known.
    """

    def __init__(self, index: GameIndex, file: BinaryIO) -> None:
        """`index` knows the games; turns wait in `file`, which is empty."""
        self._index = index
        self._file = file
        self._packer = zlib.compressobj(level=1, wbits=_GZIP)
        self._states = bytearray()

    def add(self, fingerprint: Fingerprint, report: Report) -> None:
        """Take in the next of the games. Raises OSError if the file cannot hold it."""
        over = report.result is not None and report.result.termination == "rules"
        given_up = report.record is not None and report.record.result is not None
        number = len(self._states)
        self._states.append(_OVER if over else _GIVEN_UP if given_up else _OPEN)
        self._file.write(self._packer.compress(json.dumps([number, *fingerprint]).encode() + b"\n"))

    def is_open(self, number: int) -> bool:
        """Return whether a game's record is that of a game which was not finished: it has no result."""
        return self._states[number] == _OPEN

    def find(self, *, mirrored: bool) -> Mapping[int, EarlierGame]:
        """Return the games that are prefixes, each with the longest game that goes on from it; the first of several.

        One that is rotated or mirrored counts only where there is no other, unless with `mirrored`. To be called once,
        when all games have come. Raises OSError.
        """
        self._file.write(self._packer.flush())
        if not any(self._states):  # no turn can follow the end of a game
            return {}
        self._file.seek(0)
        found: dict[int, _LongerGame] = {}
        with GzipFile(fileobj=self._file, mode="rb") as packed:
            for line in packed:
                number, *parts = json.loads(line)
                fingerprint = Fingerprint(*parts)
                for digest, image in zip(fingerprint.digests(), fingerprint.images[:-1], strict=False):
                    for shorter, own in self._index.images(digest):
                        longer = _LongerGame(own == image, len(fingerprint.turns), number)
                        if shorter not in found or _rank(longer, mirrored) > _rank(found[shorter], mirrored):
                            found[shorter] = longer
        return {shorter: EarlierGame(longer.number, not longer.exact) for shorter, longer in sorted(found.items())}


def _rank(longer: _LongerGame, mirrored: bool) -> tuple[bool, int]:
    return longer.exact or mirrored, longer.plies
