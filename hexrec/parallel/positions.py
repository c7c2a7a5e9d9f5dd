"""Task of `hexrec positions`: convert reports to the folded positions of valid records."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from hexrec.parallel.chunks import Chunk
from hexrec.parallel.tasks import ChunkTask
from hexrec.tools.positions import GamePositions, positions
from hexrec.validation.report import Report, add_internal_error
from hexrec.validation.verdict import with_hash


@dataclass(frozen=True)
class PositionsTask(ChunkTask):
    """Convert reports to positions.

    Attributes:
        hashes: whether to compute game hashes.
    """

    hashes: bool = False

    def gather(self, reports: Iterable[Report], _: Chunk) -> list[GamePositions]:
        """Return the positions of reports, without records and documents."""
        return [self._positions(report) for report in reports]

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
            return GamePositions(replace(add_internal_error(report, error), record=None, document=None), game_hash)
        light = replace(report, diagnostics=(), record=None, document=None)
        return GamePositions(light, game_hash, record.ruleset, record.variant, record.size, tuple(keys), tuple(turns))
