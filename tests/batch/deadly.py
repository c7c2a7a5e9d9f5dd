"""Work that goes wrong at chosen records. Processes that are started for it import this module: it imports little."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from hexrec.batch.work import Scoring
from hexrec.diagnostics import Diagnostic
from hexrec.formats.sources import Source
from hexrec.validation import Report


@dataclass(frozen=True)
class Deadly(Scoring):
    """Work that ends its process, or raises an error, at records with certain identities.

    Attributes:
        fatal: the identities.
        spared: a folder with a file for every death so far; after `lives` of them a record is harmless.
        lives: how often each record ends a process; none for always.
        error: whether an error is raised instead.
    """

    fatal: tuple[str, ...] = ()
    spared: Path | None = None
    lives: int | None = None
    error: bool = False

    def judge(self, source: Source | Diagnostic) -> Iterator[Report]:
        for report in super().judge(source):
            if report.id in self.fatal and not self._is_spared(report.id):
                if self.error:
                    raise ZeroDivisionError(f"in {report.id}")
                os.kill(os.getpid(), signal.SIGKILL)
            yield report

    def _is_spared(self, record: str | None) -> bool:
        if self.spared is None or self.lives is None:
            return False
        deaths = len(list(self.spared.glob(f"{record}-*")))
        if deaths < self.lives:
            (self.spared / f"{record}-{deaths}").touch()
        return deaths >= self.lives
