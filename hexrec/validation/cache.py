"""Verdicts kept between runs, by what was in the file, the version of the program and the options.

The cache is a folder with one file for the verdicts on one file of records: a line of JSON a record, and a digest of
these lines. Nothing in it depends on the name of the file of records. What cannot be read from a cache, or written to
it, is worked out anew: a cache is never the reason that a run fails.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from hexrec._version import __version__
from hexrec.diagnostics import Diagnostic
from hexrec.formats.sinks import whole_file
from hexrec.formats.sources import STANDARD_INPUT, Source
from hexrec.validation.crashes import NOT_JUDGED
from hexrec.validation.portable import pack, unpack
from hexrec.validation.verdict import Report, writable

#: Findings that the next run may not have although the file stays the same.
_PASSING = {"lint/future-date", *NOT_JUDGED}
#: Changes when the lines do.
_LAYOUT = 2


class Cache:
    """A folder of verdicts.

    Attributes:
        met: how many files were not judged anew because the verdicts on them were there.
    """

    def __init__(self, folder: Path, **options: object) -> None:
        """`options` is everything besides the content of a file that the verdicts on it depend on."""
        self.met = 0
        self._folder = folder
        self._context = json.dumps([_LAYOUT, __version__, options], sort_keys=True)

    def reports(
        self, sources: Iterable[Source | Diagnostic], judge: Callable[[list[Source | Diagnostic]], Iterable[Report]]
    ) -> Generator[Report, None, None]:
        """Yield the verdicts on sources: those that are kept, or else what `judge` says, which is then kept."""
        for source in sources:
            if isinstance(source, Diagnostic) or (entry := self._entry(source)) is None:
                yield from judge([source])
            elif _is_whole(entry):
                self.met += 1
                yield from _read(entry, writable(source.name))
            else:
                yield from self._keep(entry, judge([source]))

    def _entry(self, source: Source) -> Path | None:
        """Return where the verdicts on a source are kept; None for what can be read only once, or not at all."""
        if source.name == STANDARD_INPUT or not os.path.isfile(source.name):  # a file in an archive is none
            return None
        key = sha256(f"{self._context} {source.format}\n".encode())
        try:
            with open(source.name, "rb") as stream:
                while block := stream.read(1 << 20):
                    key.update(block)
        except OSError:
            return None
        name = key.hexdigest()
        return self._folder / name[:2] / name[2:]

    def _keep(self, entry: Path, reports: Iterable[Report]) -> Iterator[Report]:
        with closing(self._writer(entry)) as writer:
            next(writer)
            whole = True
            for report in reports:
                whole = whole and not any(finding.code in _PASSING for finding in report.diagnostics)
                if whole:
                    writer.send(_line(report))
                yield report
            if whole:
                writer.send(None)

    def _writer(self, entry: Path) -> Generator[None, str | None, None]:
        """Take lines up to a None and write them to a file, which appears then; give up where that is impossible."""
        try:
            entry.parent.mkdir(parents=True, exist_ok=True)
            ignored = self._folder / ".gitignore"
            if not ignored.exists():
                ignored.write_text("*\n", encoding="utf-8")
            with whole_file(entry, sync=False) as out:
                digest = sha256()
                while (line := (yield)) is not None:
                    out.write(line)
                    digest.update(line.encode())
                out.write(f"{digest.hexdigest()}\n")
        except OSError:
            yield from _nowhere()
        else:
            yield


def _nowhere() -> Generator[None, str | None, None]:
    while True:
        yield


def _is_whole(entry: Path) -> bool:
    """Return whether verdicts are there as they were written."""
    digest = sha256()
    last = b""
    try:
        with open(entry, "rb") as stream:
            for line in stream:
                digest.update(last)
                last = line
    except OSError:
        return False
    return last == f"{digest.hexdigest()}\n".encode()


def _line(report: Report) -> str:
    """Return a verdict as it is kept."""
    return json.dumps(pack(report), separators=(",", ":")) + "\n"


def _read(entry: Path, file: str) -> Iterator[Report]:
    with open(entry, encoding="utf-8") as stream:
        for index, line in enumerate(stream):
            if not line.startswith("{"):
                return
            yield unpack(json.loads(line), file, index)
