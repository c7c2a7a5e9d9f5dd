"""Baselines: known diagnostics of an archive that are not reported again."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from hexrec.io.discovery import STANDARD_INPUT, Source
from hexrec.record.canonical import canonical_form
from hexrec.record.validation import BASELINE
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.escaping import printable_path
from hexrec.validation.configuration import Misconfigured, Settings, printable_source
from hexrec.validation.grading import COUNTING, ignore
from hexrec.validation.report import NOT_VALIDATED, Report


class Entry(NamedTuple):
    """The stable key of a known diagnostic. It does not change when other records are added or removed.

    Attributes:
        file: the path relative to the directory of the baseline, with slashes.
        record: the record's id, else a digest of its canonical form; empty if the record cannot be read.
        code: the code of the diagnostic.
        place: the ply, else the JSON Pointer; empty if the diagnostic has neither.
    """

    file: str
    record: str
    code: str
    place: str

    def __str__(self) -> str:
        return " ".join(part for part in (f"{self.file}:", self.record, self.code, self.place) if part)


class Baseline:
    """The known diagnostics of an archive. An entry that is listed once is ignored once.

    Attributes:
        entries: the known diagnostics, each with its count.
        files: the files that were read.
    """

    def __init__(self, file: Path, entries: Iterable[Entry] = (), suffix: str = "") -> None:
        """The suffix follows the name of the file in reports."""
        self._folder = os.path.abspath(file.parent)
        self._by = printable_source(file) + suffix
        self.entries = Counter(entries)
        self._matched: Counter[Entry] = Counter()
        self.files: set[str] = set()

    def add(self, report: Report) -> Report:
        """Return a report with the diagnostics ignored that this method adds to the baseline."""
        self.entries.update(entry for _, entry in self._entries(report) if entry)
        return self.apply(report)

    def apply(self, report: Report) -> Report:
        """Return a report with the listed errors ignored, and without the listed warnings."""
        kept: list[Diagnostic | None] = []
        for diagnostic, entry in self._entries(report):
            if entry is not None and self._matched[entry] < self.entries[entry]:
                self._matched[entry] += 1
                kept.append(ignore(diagnostic, self._by))
            else:
                kept.append(diagnostic)
        return report.copy(diagnostics=tuple(filter(None, kept))) if kept else report

    def stale(self) -> list[Entry]:
        """Return the listed diagnostics that no longer occur, of the files that were read or no longer exist."""
        left = self.entries - self._matched
        read = set(map(self._name, self.files))
        return sorted(entry for entry in left.elements() if entry.file in read or self._is_lost(entry.file))

    def text(self) -> str:
        """Return the content of the baseline file: JSON, one diagnostic per line, sorted."""
        entries = [json.dumps(entry._asdict(), ensure_ascii=False) for entry in sorted(self.entries.elements())]
        listed = "\n" + ",\n".join(f"  {entry}" for entry in entries) + "\n" if entries else ""
        return f'{{"{BASELINE}": 1, "diagnostics": [{listed}]}}\n'

    def _is_lost(self, file: str) -> bool:
        return file != STANDARD_INPUT and not os.path.exists(os.path.join(self._folder, file))

    def _entries(self, report: Report) -> Iterator[tuple[Diagnostic, Entry | None]]:
        """Yield the diagnostics of a report, each with its entry; None for those that no baseline may list."""
        if report.diagnostics:
            file, record = self._name(report.file or ""), _identity(report)
            for diagnostic in report.diagnostics:
                entry = Entry(file, record, diagnostic.code, _place(diagnostic))
                yield diagnostic, None if _is_never_known(diagnostic) else entry

    def _name(self, file: str) -> str:
        return file if file == STANDARD_INPUT else Path(os.path.relpath(file, self._folder)).as_posix()


class Baselines:
    """The baselines of a run, which its settings name, read once each; the one that is `given` as an option at once.

    Raises Misconfigured for a file that is no baseline.
    """

    def __init__(self, settings: Settings, given: Path | None) -> None:
        self._settings = settings
        self._used: dict[Path, Baseline] = {}
        if given:
            self._used[given] = self._read(given, named_by_user=True)

    def note(self, sources: Iterable[Source | Diagnostic]) -> Iterator[Source | Diagnostic]:
        """Yield sources, and note for `Baseline.stale` that they are read."""
        for source in sources:
            file = source.file or "" if isinstance(source, Diagnostic) else source.name
            if baseline := self._find(file):
                baseline.files.add(printable_path(file))
            yield source

    def apply(self, report: Report) -> Report:
        """Return a report with the errors ignored that are in the baseline of its file."""
        baseline = self._find(report.file or "")
        return baseline.apply(report) if baseline else report

    def describe_stale(self) -> Iterator[str]:
        """Yield a message for each listed diagnostic that no longer occurs."""
        for file, baseline in self._used.items():
            for entry in baseline.stale():
                yield f"{file}: no longer found: {entry}"

    def _find(self, file: str) -> Baseline | None:
        """Return the baseline for a file."""
        named = self._settings.find(file).baseline
        if named is not None and named not in self._used:
            self._used[named] = self._read(named)
        return self._used[named] if named is not None else None

    def _read(self, file: Path, *, named_by_user: bool = False) -> Baseline:
        raw, suffix = self._settings.read_baseline(file, named_by_user=named_by_user)
        return Baseline(file, (), suffix) if raw is None else parse(raw, file, suffix)


def parse(raw: bytes, file: Path, suffix: str = "") -> Baseline:
    """Return the baseline from the bytes of a file. Raises Misconfigured if they are not a baseline."""
    try:
        data = json.loads(raw)
        entries = [Entry(**diagnostic) for diagnostic in data["diagnostics"]]
        is_baseline = data[BASELINE] == 1 and all(isinstance(value, str) for entry in entries for value in entry)
    except (LookupError, RecursionError, TypeError, ValueError):
        is_baseline = False
    if not is_baseline:
        raise Misconfigured(f"{file}{suffix}: this is not a baseline written by hexrec")
    return Baseline(file, entries, suffix)


def _identity(report: Report) -> str:
    if report.id is not None:
        return report.id
    if report.record is None:
        return ""
    content = json.dumps(canonical_form(report.record), sort_keys=True)
    from hashlib import sha256  # loads OpenSSL

    return f"sha256:{sha256(content.encode()).hexdigest()[:20]}"


def _is_never_known(diagnostic: Diagnostic) -> bool:
    """Return whether no baseline may list a diagnostic.

    Rules ignore it already, the record was not checked, or errors are only counted.
    """
    is_count = diagnostic.code.endswith(COUNTING) and diagnostic.severity == "error"
    return diagnostic.suppressed or diagnostic.code in NOT_VALIDATED or is_count


def _place(diagnostic: Diagnostic) -> str:
    is_of_game = diagnostic.ply is not None and not diagnostic.code.startswith("variation/")
    return str(diagnostic.ply) if is_of_game else diagnostic.pointer or ""
