"""Totals of score rows by outcome, game, size, termination, length and first error."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import accumulate
from operator import itemgetter
from typing import Any, TextIO

from hexrec.output.rows import COLUMNS, Row, draw
from hexrec.rules import games
from hexrec.validation.report import NOT_VALIDATED, UNREADABLE, Summary

#: The outcomes of valid records, and of all records. Each record has exactly one; an invalid record is only invalid.
_OUTCOMES = ("black", "white", "draw", "no_winner")
_ALL_OUTCOMES = (*_OUTCOMES, "invalid")
#: Returns the values of a row that the totals depend on.
_counted = itemgetter(
    *map(COLUMNS.index, ("file", "index", "game", "size", "plies", "winner", "termination", "code", "accepted_by"))
)
_QUANTILES = {"shortest": 0.0, "lower_quartile": 0.25, "median": 0.5, "upper_quartile": 0.75}


@dataclass
class Totals:
    """The totals over rows.

    Attributes:
        summary: the totals that every command prints, and the exit code.
        counts: the number of records by game, size, outcome, code or termination, and plies of valid games that have
            ended.
    """

    summary: Summary = field(default_factory=Summary)
    counts: Counter[tuple[Any, ...]] = field(default_factory=Counter)

    def count(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Yield rows and add them."""
        for row in rows:
            self.add(row)
            yield row

    def add(self, row: Row) -> None:
        """Add a row. A row with index 0 begins a file; a row on an unreadable input is not a record."""
        file, index, game, size, plies, winner, termination, code, accepted_by = _counted(row)
        if code == UNREADABLE:
            self.summary.unreadable += 1
            return
        if code:
            # A record that cannot be read may have any string as its game.
            self.counts[game if games.is_known(game) else None, size, "invalid", code, 0] += 1
        else:
            self.counts[game, size, winner or "no_winner", termination, plies if termination else 0] += 1
        self.summary.add(index, plies, valid=not code, failed=code in NOT_VALIDATED, file=file)
        if accepted_by:
            self.summary.accept([accepted_by])

    def add_all(self, other: Totals) -> None:
        """Add other totals."""
        self.summary.add_all(other.summary)
        self.counts.update(other.counts)

    def pack(self) -> bytes:
        """Return the totals as JSON on one line."""
        packed = asdict(self.summary), [[*key, number] for key, number in self.counts.items()]
        return json.dumps(packed, separators=(",", ":")).encode()

    @classmethod
    def unpack(cls, data: bytes) -> Totals:
        """Return the totals from the result of `pack`."""
        summary, counts = json.loads(data)
        return cls(Summary(**summary), Counter({tuple(key): number for *key, number in counts}))

    def data(self) -> dict[str, Any]:
        """Return the totals as plain data; the counts in each array or object add up to the count that contains it."""
        by_size: defaultdict[str | None, defaultdict[int | None, Counter[str]]]
        by_size = defaultdict(lambda: defaultdict(Counter))
        endings: defaultdict[str | None, Counter[str]] = defaultdict(Counter)
        lengths: defaultdict[str | None, Counter[int]] = defaultdict(Counter)
        errors: Counter[str] = Counter()
        for (game, size, outcome, why, plies), number in self.counts.items():
            by_size[game][size][outcome] += number
            if outcome == "invalid":
                errors[why] += number
            else:
                endings[why][outcome] += number
                if why:
                    lengths[game][plies] += number
        outcomes = (counts for sizes in by_size.values() for counts in sizes.values())
        return {
            **self.summary.data(),
            "outcomes": _data(sum(outcomes, Counter())),
            "games": [_game(game, sizes, lengths) for game, sizes in _in_order(by_size)],
            "terminations": [
                {"termination": ending, **_data(counts, _OUTCOMES)} for ending, counts in _in_order(endings)
            ],
            "errors": dict(sorted(errors.items(), key=lambda entry: (-entry[1], entry[0]))),
        }


def _game(
    game: str | None, sizes: Mapping[int | None, Counter[str]], lengths: Mapping[str | None, Counter[int]]
) -> dict[str, Any]:
    by_size = [{"size": size, **_data(counts)} for size, counts in _in_order(sizes)]
    measured = _lengths(lengths[game]) if game in lengths else None
    return {"game": game, **_data(sum(sizes.values(), Counter())), "sizes": by_size, "lengths": measured}


def _lengths(counts: Counter[int]) -> dict[str, float]:
    """Return the number of games, at least one, and the quantiles, maximum and mean of their lengths in plies.

    A quantile is the shortest length that at least this share of the games does not exceed.
    """
    games, lengths = counts.total(), sorted(counts)
    reached = list(accumulate(counts[plies] for plies in lengths))
    quantiles = {name: lengths[bisect_left(reached, part * games)] for name, part in _QUANTILES.items()}
    mean = round(sum(plies * count for plies, count in counts.items()) / games, 2)
    return {"games": games, **quantiles, "longest": lengths[-1], "mean": mean}


def _in_order(groups: Mapping[Any, Any]) -> list[tuple[Any, Any]]:
    """Return groups by name, sorted with None last."""
    return sorted(groups.items(), key=lambda group: (group[0] is None, group[0]))


def _data(counts: Counter[str], outcomes: Sequence[str] = _ALL_OUTCOMES) -> dict[str, int]:
    """Return the number of records, in total and by outcome."""
    return {"records": counts.total(), **{outcome: counts[outcome] for outcome in outcomes}}


def write_totals_json(totals: Totals, out: TextIO) -> None:
    """Write the totals as a JSON document."""
    out.write(json.dumps(totals.data(), indent=2) + "\n")


def write_totals(totals: Totals, out: TextIO) -> None:
    """Write the totals as tables for people, without empty tables."""
    data = totals.data()
    records = []
    for game in data["games"]:
        if len(game["sizes"]) > 1:
            records.append([game["game"], "all", *_counts(game)])
        records += [[game["game"], size["size"], *_counts(size)] for size in game["sizes"]]
    records.append(["all", "all", *_counts(data["outcomes"])])
    endings = [[row["termination"] or "unfinished", *_counts(row, _OUTCOMES)] for row in data["terminations"]]
    lengths = [[game["game"], *game["lengths"].values()] for game in data["games"] if game["lengths"]]
    measures = ["games", *_QUANTILES, "longest", "mean"]
    _section("Records by game and size", ["game", "size", "records", *_ALL_OUTCOMES], records, out, labels=2)
    _section("Valid records by what ended the game", ["ended by", "records", *_OUTCOMES], endings, out)
    _section("Plies of the valid games that have ended", ["game", *measures], lengths, out)
    _section("Invalid records by their first error", ["code", "records"], list(data["errors"].items()), out)


def _counts(group: Mapping[str, Any], outcomes: Sequence[str] = _ALL_OUTCOMES) -> list[int]:
    return [group[name] for name in ("records", *outcomes)]


def _section(title: str, names: Sequence[str], rows: Sequence[Sequence[Any]], out: TextIO, *, labels: int = 1) -> None:
    """Write a table below its title. The first `labels` columns are labels, the others numbers."""
    if rows:
        out.write(f"{title}\n\n")
        cells = [["unknown" if value is None else _figure(value) for value in row] for row in rows]
        draw([name.replace("_", " ") for name in names], cells, out, numbers=len(names) - labels)
        out.write("\n")


def _figure(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:,}"
