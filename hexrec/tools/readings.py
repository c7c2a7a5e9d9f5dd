"""Search for the readings by which the games of an archive were played."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, combinations
from typing import Any

from hexrec.record.record import Record
from hexrec.rules import games
from hexrec.rules.game import Game
from hexrec.rules.terms import pluralize
from hexrec.util.escaping import visible
from hexrec.validation.report import Report, Summary
from hexrec.validation.verdict import check_record

#: The beginnings of codes of errors that a reading can explain.
_DECIDED = ("move/", "setup/", "variation/", "result/")
#: Some readings of a game, at most one for each ruling; none means the rulings alone.
Choice = tuple[str, ...]


def choices(game: Game) -> Iterator[Choice]:
    """Yield no reading, each reading, and each pair of readings of different rulings."""
    known = game.readings
    yield ()
    yield from ((reading.name,) for reading in known)
    yield from ((one.name, other.name) for one, other in combinations(known, 2) if one.ruling != other.ruling)


def explains(choice: Choice, record: Record) -> bool:
    """Return whether a record is valid under some readings, whatever readings it names."""
    data: Any = {**record.data, "readings": [*choice]}
    return not check_record(Record(data, record.rules)).errors


@dataclass
class Agreement:
    """Agreement of the records of a game with its readings.

    Attributes:
        game: the game.
        records: the number of records by site and year.
        agree: by choice, the number of valid records by site and year.
        apart: by choice, the first record that is valid under it and not under the rulings, or the other way round.
    """

    game: Game
    records: Counter[tuple[str, str]] = field(default_factory=Counter)
    agree: dict[Choice, Counter[tuple[str, str]]] = field(init=False)
    apart: dict[Choice, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.agree = {choice: Counter() for choice in choices(self.game)}

    def count(self, record: Record, place: str) -> None:
        """Validate a record under each choice, whatever readings it names."""
        group = (record.site or "", (record.date or "")[:4])
        known = [reading.name for reading in record.rules.ruleset(record.ruleset).readings]
        self.records[group] += 1
        by_rulings = None
        for choice, counter in self.agree.items():
            is_valid = explains(tuple(name for name in choice if name in known), record)
            counter[group] += is_valid
            by_rulings = is_valid if by_rulings is None else by_rulings
            if is_valid != by_rulings:
                self.apart.setdefault(choice, place)

    def ranked(self) -> list[Choice]:
        """Return the choices, the best first: most agreeing records, fewest readings, first in the list.

        Pairs are left out if a single reading, or none, explains all records.
        """
        alone = [choice for choice in self.agree if len(choice) < 2]
        explained = any(self.agree[choice].total() == self.records.total() for choice in alone)
        known = alone if explained else [*self.agree]
        return sorted(known, key=lambda choice: (-self.agree[choice].total(), len(choice)))

    def to_data(self) -> dict[str, Any]:
        """Return the agreement as data for JSON."""
        best, *others = ranked = self.ranked()
        numbers = {choice: counter.total() for choice, counter in self.agree.items() if choice in ranked}
        return {
            "records": self.records.total(),
            "best": [*best],
            "tied": ["+".join(choice) for choice in others if numbers[choice] == numbers[best]],
            "agree": {"+".join(choice): number for choice, number in numbers.items()},
            "apart": {"+".join(choice): place for choice, place in self.apart.items() if choice in ranked},
        }

    def lines(self) -> Iterator[str]:
        """Yield the agreement as lines of text."""
        best, *others = ranked = self.ranked()
        shown = sorted(ranked, key=[*self.agree].index)
        most = self.agree[best].total()
        yield f"{self.game.title}: {pluralize(self.records.total(), 'record')}, best explained by {_name(best)}"
        rows = [["site", "year", "records", *map(_name, shown)]]
        for group, number in sorted(self.records.items()):
            counts = [str(self.agree[choice][group]) for choice in shown]
            rows.append([visible(group[0]) or "-", visible(group[1]) or "-", str(number), *counts])
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        for row in rows:
            yield "  " + "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
        for choice in others:
            if self.agree[choice].total() == most:
                yield f"  {_name(choice)} explains as many"
        for choice, place in self.apart.items():
            if choice in ranked:
                yield f"  {_name(choice)} first differs from the rulings in {visible(place)}"


def _name(choice: Choice) -> str:
    return "+".join(choice) or "rulings"


@dataclass
class Agreements:
    """Agreement of records with the readings of their games, by game.

    Attributes:
        summary: the counts of the reports.
        skipped: the number of records with errors in their fields.
        by_game: the agreement by the name of the game.
    """

    summary: Summary = field(default_factory=Summary)
    skipped: int = 0
    by_game: dict[str, Agreement] = field(default_factory=dict)

    def count(self, reports: Iterable[Report]) -> None:
        """Count the records of reports. Those with errors in other fields than turns and result are skipped."""
        for report in reports:
            self.summary.add_report(report, valid=report.valid)
            if report.unreadable:
                continue
            record = report.record
            if record is None or any(not error.code.startswith(_DECIDED) for error in report.errors):
                self.skipped += 1
            else:
                found = self.by_game.setdefault(record.game, Agreement(record.rules))
                found.count(record, f"{report.file}:{report.index}")

    def __iter__(self) -> Iterator[Agreement]:
        return (self.by_game[name] for name in games.names() if name in self.by_game)


def _to_text(found: Agreements) -> str:
    end = [f"{pluralize(found.skipped, 'record')} skipped: other fields have errors"] * bool(found.skipped)
    return "".join(f"{line}\n" for line in chain(*(agreement.lines() for agreement in found), end))


def _to_json(found: Agreements) -> str:
    data = {"games": {each.game.name: each.to_data() for each in found}}
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


FORMS: Mapping[str, Callable[[Agreements], str]] = {"text": _to_text, "json": _to_json}
