"""What every reporter is: it writes the verdicts of a run to a stream as they come."""

from __future__ import annotations

from abc import ABC, abstractmethod
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import TextIO, cast

from hexrec.summary import Summary
from hexrec.validation import Report


class Reporter(ABC):
    """Writes one output. The calls are `start`, `record` for each report, `finish`, and in any case `close`."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def start(self) -> None:
        """Write what comes before the first record."""

    @abstractmethod
    def record(self, report: Report) -> None:
        """Write, or hold, what is reported of one record."""

    def finish(self, summary: Summary) -> None:
        """Write what comes after the last record; `summary` has the totals over all of them."""

    def close(self) -> None:
        """Free what was held, whether the output was finished or not."""


_IN_MEMORY = 16 * 1024 * 1024


def new_spool() -> TextIO:
    """Return a text file that is held in memory until it grows large, and vanishes when it is closed."""
    return cast(TextIO, SpooledTemporaryFile(_IN_MEMORY, "w+", encoding="utf-8", newline=""))


def copy_spooled(spooled: TextIO, out: TextIO) -> None:
    """Write what was spooled to another stream."""
    spooled.seek(0)
    copyfileobj(spooled, out)
