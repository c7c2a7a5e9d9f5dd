"""Work that goes wrong at chosen records. Processes that are started for it import this module: it imports little."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from hexrec import formats
from hexrec.formats.base import Document
from hexrec.parallel.chunks import Chunk
from hexrec.parallel.tasks import ScoreTask
from hexrec.validation.clean import Clean
from hexrec.validation.report import Report, Summary


@dataclass(eq=False, repr=False)
class Deadly(ScoreTask):
    """Work that ends its process, or raises an error, at records with certain identities.

    Attributes:
        fatal: the identities.
        spared: a folder with a file for every death so far; after `lives` of them a record is harmless.
        lives: how often each record ends a process; none for always.
        error: whether an error is raised instead.
        hang: whether the process stops there instead, and does nothing more.
        reading: whether that happens when the record is read, before there is anything to judge.
    """

    fatal: tuple[str, ...] = ()
    spared: Path | None = None
    lives: int | None = None
    error: bool = False
    hang: bool = False
    reading: bool = False

    def batches(self, chunk: Chunk, *, singly: bool = False) -> Iterator[Any]:
        # Not by `unittest.mock`: each process would take longer to import that than to do the work.
        usual = formats.read
        setattr(formats, "read", self._read if self.reading else usual)  # noqa: B010
        try:
            yield from super().batches(chunk, singly=singly)
        finally:
            setattr(formats, "read", usual)  # noqa: B010

    def _read(self, format: str, stream: BinaryIO, _: int = 1) -> Iterator[Document]:
        for document in formats.get(format).read(stream):
            self._meet((document.data or {}).get("id"))
            yield document

    def check(self, chunk: Chunk) -> Iterator[Clean | Report | Summary]:
        for report in super().check(chunk):
            if not self.reading and not isinstance(report, Summary):
                self._meet(report.id)
            yield report

    def _meet(self, record: str | None) -> None:
        if record in self.fatal and not self._is_spared(record):
            if self.error:
                raise ZeroDivisionError(f"in {record}")
            os.kill(os.getpid(), signal.SIGSTOP if self.hang else signal.SIGKILL)

    def _is_spared(self, record: str | None) -> bool:
        if self.spared is None or self.lives is None:
            return False
        deaths = len(list(self.spared.glob(f"{record}-*")))
        if deaths < self.lives:
            (self.spared / f"{record}-{deaths}").touch()
        return deaths >= self.lives
