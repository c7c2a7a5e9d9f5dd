"""Totals of score rows by outcome, game, size, termination, length and first error."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, TextIO

from hexrec.output.rows import Columns, draw
from hexrec.rules import games
from hexrec.validation.report import NOT_VALIDATED, UNREADABLE, Summary

#: The outcomes of valid records, and of all records. Each record has exactly one; an invalid record is only invalid.
_OUTCOMES = ("black", "white", "draw", "no_winner")
_ALL_OUTCOMES = (*_OUTCOMES, "invalid")
_QUANTILES = {"shortest": 0.0, "lower_quartile": 0.25, "median": 0.5, "upper_quartile": 0.75}


class Totals:
    """The totals over rows.

    Attributes:
        summary: the totals that every command prints, and the exit code.
    """

    def __init__(self) -> None:
        self.summary = Summary()
        self._games: Counter[tuple[str | None, int | None, str]] = Counter()
        self._endings: Counter[tuple[str | None, str]] = Counter()
        self._errors: Counter[str] = Counter()
        self._lengths: defaultdict[str | None, Counter[int]] = defaultdict(Counter)

    def count(self, batches: Iterable[Columns]) -> Iterator[Columns]:
        """Yield batches and add their rows."""
        for batch in batches:
            self.add(batch)
            yield batch

    def add(self, batch: Columns) -> None:
        """Add the rows of a batch. A row with index 0 begins a file; a row on an unreadable input is not a record."""
        known = {name for name in set(batch["game"]) if games.is_known(name)}
        names = ("file", "index", "game", "size", "plies", "winner", "termination", "code")
        for file, index, game, size, plies, winner, termination, code in zip(
            *(batch[name] for name in names), strict=True
        ):
            if code == UNREADABLE:
                self.summary.unreadable += 1
                continue
            outcome = "invalid" if code else winner or "no_winner"
            # A record that cannot be read may have any string as its game.
            self._games[game if game in known else None, size, outcome] += 1
            if code:
                self._errors[code] += 1
            else:
                self._endings[termination, outcome] += 1
                if termination:
                    self._lengths[game][plies] += 1
            self.summary.add(index, plies, valid=not code, failed=code in NOT_VALIDATED, file=file)

    def data(self) -> dict[str, Any]:
        """Return the totals as plain data; the counts in each array or object add up to the count that contains it."""
        return {
            **self.summary.data(),
            "outcomes": _count_outcomes(self._games),
            "games": [self._game(game) for (game,) in _groups(self._games)],
            "terminations": [
                {"termination": ending, **_count_outcomes(self._endings, ending, outcomes=_OUTCOMES)}
                for (ending,) in _groups(self._endings)
            ],
            "errors": dict(sorted(self._errors.items(), key=lambda entry: (-entry[1], entry[0]))),
        }

    def _game(self, game: str | None) -> dict[str, Any]:
        sizes = [
            {"size": size, **_count_outcomes(self._games, game, size)}
            for _, size in _groups(self._games, game, width=2)
        ]
        lengths = _lengths(self._lengths[game]) if game in self._lengths else None
        return {"game": game, **_count_outcomes(self._games, game), "sizes": sizes, "lengths": lengths}


def _lengths(counts: Counter[int]) -> dict[str, float]:
    """Return the number of games, at least one, and the quantiles, maximum and mean of their lengths in plies.

    A quantile is the shortest length that at least this share of the games does not exceed.
    """
    games, lengths = counts.total(), sorted(counts)
    reached = list(accumulate(counts[plies] for plies in lengths))
    quantiles = {name: lengths[bisect_left(reached, part * games)] for name, part in _QUANTILES.items()}
    mean = round(sum(plies * count for plies, count in counts.items()) / games, 2)
    return {"games": games, **quantiles, "longest": lengths[-1], "mean": mean}


def _groups(counts: Counter[tuple[Any, ...]], *group: Any, width: int = 1) -> list[tuple[Any, ...]]:
    """Return the distinct prefixes, `width` long, of the keys that begin with a group, sorted with None last."""
    prefixes = {key[:width] for key in counts if key[: len(group)] == group}
    return sorted(prefixes, key=lambda key: [(part is None, part) for part in key])


def _count_outcomes(
    counts: Counter[tuple[Any, ...]], *group: Any, outcomes: Sequence[str] = _ALL_OUTCOMES
) -> dict[str, int]:
    """Return the number of records in a group, in total and by outcome."""
    by_outcome: Counter[str] = Counter()
    for key, count in counts.items():
        if key[: len(group)] == group:
            by_outcome[key[-1]] += count
    return {"records": by_outcome.total(), **{outcome: by_outcome[outcome] for outcome in outcomes}}


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
