"""Totals of a run: the last line that every command prints, and the basis of the exit code.

The line gives the number of records and files, then the number of records with each outcome. The outcomes add up to the
number of records. An input that could not be read is not a record, and is counted separately.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from hexrec.validation.report import Report


@dataclass
class Summary:
    """Counts over records.

    Attributes:
        records: all records, including broken ones; `valid` + `invalid`.
        files: files with records.
        plies: turns executed.
        unreadable: files and directories that could not be read completely.
        failed: the number of invalid records with an internal error.
        selective: whether records may be skipped, so that the first record of a file may have any index.
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
        """Yield reports and add them to the counts."""
        for report in reports:
            self.add_report(report, valid=report.valid)
            yield report

    def add_report(self, report: Report, *, valid: bool) -> None:
        """Add the report on one record, or on an input that could not be read."""
        if report.unreadable:
            self.unreadable += 1
        else:
            self.add(report.index, report.plies, valid=valid, failed=report.failed, file=report.file)

    def add(self, index: int | None, plies: int, *, valid: bool, failed: bool = False, file: str | None = None) -> None:
        """Add one record. Index 0 begins a file, unless `selective`."""
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
        """Add the counts of another summary."""
        for name in (*self.data(), "failed"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def data(self) -> dict[str, int]:
        """Return the counts that reports contain."""
        return {name: getattr(self, name) for name in ("records", "valid", "invalid", "files", "plies", "unreadable")}

    @property
    def exit_code(self) -> int:
        """2 if an input could not be read, or hexrec failed on a record, else 1 if a record is invalid, else 0."""
        return 2 if self.unreadable or self.failed else 1 if self.invalid else 0

    def line(self, names: tuple[str, str] = ("valid", "invalid")) -> str:
        """Return the line of totals; `names` are the words for valid and invalid records."""
        parts = dict(zip(names, (self.valid, self.invalid), strict=True))
        return line_of_totals(self.files, parts, f"{count_of(self.plies, 'ply', 'plies')} replayed", self.unreadable)


def line_of_totals(files: int, outcomes: Mapping[str, int], end: str, unreadable: int) -> str:
    """Return the line of totals, given the number of records by outcome. Each record has one outcome."""
    parts = ", ".join(f"{number:,} {name}" for name, number in outcomes.items())
    line = f"{count_of(sum(outcomes.values()), 'record')} in {count_of(files, 'file')}: {parts}; {end}"
    return f"{line}; {count_of(unreadable, 'input')} could not be read" if unreadable else line


def count_of(number: int, one: str, many: str | None = None) -> str:
    """Return a number followed by its noun in the singular or plural."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
