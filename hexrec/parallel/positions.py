"""The task of `hexrec positions`: reports become the folded positions of valid records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from hexrec.io.discovery import Source
from hexrec.parallel.chunks import START, Chunk, Offset
from hexrec.parallel.tasks import pack, shifted, unpack
from hexrec.tools.positions import GamePositions, positions
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.report import Report, failed
from hexrec.validation.sources import check_sources
from hexrec.validation.verdict import with_hash


@dataclass(frozen=True)
class PositionsTask:
    """Reports become positions.

    Attributes:
        hashes: whether the game hashes are wanted.
    """

    hashes: bool = False

    def for_chunk(self, _: Chunk) -> PositionsTask:
        """Return the task: no settings change positions."""
        return self

    def judge(self, source: Source | Diagnostic) -> Iterator[Report]:
        """Return the reports on a source."""
        return check_sources([source])

    def gather(self, reports: Iterable[Report]) -> list[GamePositions | bytes]:
        """Return the positions of reports, as they travel to another process."""
        return pack(map(self._positions, reports))

    def _positions(self, report: Report) -> GamePositions:
        game_hash = with_hash(report)[1] if self.hashes else None
        record = report.record
        if record is None or not report.valid:
            return GamePositions(replace(report, record=None, document=None), game_hash)
        try:
            keys, turns = positions(record)
        except MemoryError:
            raise
        except Exception as error:
            return GamePositions(replace(failed(report, error), record=None, document=None), game_hash)
        light = replace(report, diagnostics=(), record=None, document=None)
        return GamePositions(light, game_hash, record.ruleset, record.variant, record.size, tuple(keys), tuple(turns))

    def shift(self, gathered: list[GamePositions | bytes], count: int, offset: Offset) -> Iterator[GamePositions]:
        """Yield the positions with shifted reports."""
        for number, found in enumerate(unpack(gathered)):
            yield found._replace(report=shifted(found.report, offset if number < count else START))
