"""The sums over a run: what every report ends with and what the exit code follows from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields

from hexrec.validation import Report


@dataclass
class Summary:
    """Counts over records.

    Attributes:
        records: all records, the broken ones and what could not be read included; `valid` + `invalid`.
        files: files, folders that could not be read included.
        plies: turns executed.
        unreadable: how many of the invalid ones were not judged: files and folders that could not be read at all, and
            what hexrec failed on.
    """

    records: int = 0
    valid: int = 0
    invalid: int = 0
    files: int = 0
    plies: int = 0
    unreadable: int = 0

    def count(self, reports: Iterable[Report]) -> Iterator[Report]:
        """Pass reports through, adding them up."""
        for report in reports:
            self.add(report.index, report.plies, valid=report.valid, unreadable=report.unreadable)
            yield report

    def add(self, index: int | None, plies: int, *, valid: bool, unreadable: bool) -> None:
        """Add up one record. One with index 0 begins a file."""
        self.records += 1
        self.files += index == 0
        self.plies += plies
        self.unreadable += unreadable
        if valid:
            self.valid += 1
        else:
            self.invalid += 1

    def merge(self, other: Summary) -> None:
        """Add the sums of another part of the run."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))

    @property
    def exit_code(self) -> int:
        """2 if something could not be read at all, or hexrec failed on it, else 1 if a record is invalid, else 0."""
        return 2 if self.unreadable else 1 if self.invalid else 0
