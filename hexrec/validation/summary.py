"""The totals of a run: the line that every command ends with, and what the exit code follows from.

The line says how many records were read from how many files, then what became of them; these numbers add up to the
first one. An input that could not be read is no record, and is counted apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from hexrec.validation.report import Report


@dataclass
class Summary:
    """Counts over records.

    Attributes:
        records: all records, the broken ones included; `valid` + `invalid`.
        files: files with records.
        plies: turns executed.
        unreadable: files and folders that could not be read, or not to their end.
        failed: how many of the invalid records hexrec failed on.
        selective: whether some records are skipped, so that any may be the first of its file.
        latest_file: the file of the record counted last.
    """

    records: int = 0
    valid: int = 0
    invalid: int = 0
    files: int = 0
    plies: int = 0
    unreadable: int = 0
    failed: int = 0
    selective: bool = False
    latest_file: str | None = None

    def count(self, reports: Iterable[Report]) -> Iterator[Report]:
        """Pass reports through, adding them up."""
        for report in reports:
            self.add_report(report, valid=report.valid)
            yield report

    def add_report(self, report: Report, *, valid: bool) -> None:
        """Add up the report on one record, or on an input that could not be read."""
        if report.unreadable:
            self.unreadable += 1
        else:
            self.add(report.index, report.plies, valid=valid, failed=report.failed, file=report.file)

    def add(self, index: int | None, plies: int, *, valid: bool, failed: bool = False, file: str | None = None) -> None:
        """Add up one record. One with index 0 begins a file."""
        self.records += 1
        self.files += file != self.latest_file if self.selective else index == 0
        self.latest_file = file
        self.plies += plies
        self.failed += failed
        if valid:
            self.valid += 1
        else:
            self.invalid += 1

    def add_all(self, other: Summary) -> None:
        """Add up other counts."""
        for name in (*self.data(), "failed"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def data(self) -> dict[str, int]:
        """Return the counts as reports have them."""
        return {name: getattr(self, name) for name in ("records", "valid", "invalid", "files", "plies", "unreadable")}

    @property
    def exit_code(self) -> int:
        """2 if an input could not be read, or hexrec failed on a record, else 1 if a record is invalid, else 0."""
        return 2 if self.unreadable or self.failed else 1 if self.invalid else 0

    def line(self, names: tuple[str, str] = ("valid", "invalid")) -> str:
        """Return the line for records that were judged, the two kinds of them being called `names`."""
        parts = dict(zip(names, (self.valid, self.invalid), strict=True))
        return _line(self.files, parts, f"{counted(self.plies, 'ply', 'plies')} replayed", self.unreadable)


@dataclass
class Outcomes:
    """What became of the records of a run that writes records: each is counted once.

    Attributes:
        names: what can become of a record, in the order of the line.
        rare: those of them that the line leaves out where there is none.
        files, unreadable: how many files were read, and how many inputs could not be read, as in `Summary`.
        written: how many files were written.
        records: how many records had each of the outcomes.
    """

    names: tuple[str, ...]
    rare: tuple[str, ...] = ()
    files: int = 0
    unreadable: int = 0
    written: int = 0
    records: Counter[str] = field(default_factory=Counter)

    def line(self, *, dry: bool = False) -> str:
        """Return the line; with `dry`, nothing was to be written."""
        parts = {name: self.records[name] for name in self.names if self.records[name] or name not in self.rare}
        written = "nothing written" if dry else f"{counted(self.written, 'file')} written"
        return _line(self.files, parts, written, self.unreadable)


def _line(files: int, parts: Mapping[str, int], end: str, unreadable: int) -> str:
    said = ", ".join(f"{number:,} {name}" for name, number in parts.items())
    line = f"{counted(sum(parts.values()), 'record')} in {counted(files, 'file')}: {said}; {end}"
    return f"{line}; {counted(unreadable, 'input')} could not be read" if unreadable else line


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with what it counts."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
