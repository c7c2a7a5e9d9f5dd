"""Statistics of games, in memory that does not grow with the number of games."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import accumulate
from statistics import fmean
from typing import Any, NamedTuple

from hexrec.record.record import Record
from hexrec.rules import games
from hexrec.rules.board import Board
from hexrec.rules.terms import COLORS, Color, pluralize
from hexrec.tools.examined import Examined
from hexrec.util.version import __version__
from hexrec.validation.report import Report, Summary

#: The possible winners, in the order of reports. None is an unknown winner.
WINNERS = (*COLORS, "draw", None)


@dataclass(frozen=True)
class GameKind:
    """A kind of comparable games."""

    game: str
    ruleset: str
    variant: str | None
    size: int

    @property
    def board(self) -> Board:
        """The board of the games."""
        return games.get(self.game).board(self.size)

    @property
    def title(self) -> str:
        """The kind in words."""
        return ", ".join([f"{games.get(self.game).title} {self.size}", *self._unusual])

    @property
    def file_name(self) -> str:
        """The kind as a part of a file name."""
        return "-".join([self.game, *self._unusual, str(self.size)])

    @property
    def _unusual(self) -> list[str]:
        """The ruleset, unless it is the game's first, and the variant, if any."""
        ruleset = "" if self.ruleset == games.get(self.game).rulesets[0] else self.ruleset
        return [name for name in (ruleset, self.variant) if name]


class CountedGame(NamedTuple):
    """The parts of a game that are counted besides its result: cells of its opening and its first turns by color."""

    kind: GameKind
    opening: dict[Color, list[int]]
    placed: dict[Color, list[int]]


def examine(record: Record, _: Report) -> CountedGame:
    """Return the parts of a valid record to count."""
    game = CountedGame(GameKind(record.game, record.ruleset, record.variant, record.size), {}, {})
    if record.setup is not None:  # the first turns are unknown
        return game
    position = record.start()
    after = position.contents()
    cells = position.board.cells
    # Of a stack, the content is 2 h - 1 for Black and 2 h for White.
    for color, parity in zip(COLORS, (1, 0), strict=True):
        game.opening[color] = [cell for cell in cells if after[cell] and after[cell] % 2 == parity]
    for color, parity, turn in zip(COLORS, (1, 0), record.turns, strict=False):
        before = after
        position.play(turn)
        after = position.contents()
        game.placed[color] = [c for c in cells if after[c] and not before[c] and after[c] % 2 == parity]
    return game


def _by_color() -> dict[Color, Counter[int]]:
    return {color: Counter() for color in COLORS}


@dataclass
class GameCounts:
    """The counts over valid games of one kind.

    Attributes:
        games: all games; `games` - `finished` have no result.
        lengths: finished games by number of turns.
        endings: finished games by termination and winner.
        opening: opening stones by color and cell.
        placed: stones placed by each color's first turn, by color and cell.
    """

    games: int = 0
    lengths: Counter[int] = field(default_factory=Counter)
    endings: defaultdict[str, Counter[str | None]] = field(default_factory=lambda: defaultdict(Counter))
    opening: dict[Color, Counter[int]] = field(default_factory=_by_color)
    placed: dict[Color, Counter[int]] = field(default_factory=_by_color)

    @property
    def finished(self) -> int:
        """The number of games with a result."""
        return self.lengths.total()

    def add(self, report: Report, game: CountedGame) -> None:
        """Count a game."""
        self.games += 1
        if report.result is not None:
            self.lengths[report.plies] += 1
            self.endings[report.result.termination][report.result.winner] += 1
        for color in COLORS:
            self.opening[color].update(game.opening.get(color, ()))
            self.placed[color].update(game.placed.get(color, ()))

    def terminations(self) -> Iterator[tuple[str, dict[str | None, int]]]:
        """Yield the terminations, the most frequent first, each with the number of games by winner."""
        for termination, winners in sorted(self.endings.items(), key=lambda entry: (-entry[1].total(), entry[0])):
            yield termination, {winner: winners[winner] for winner in WINNERS}


class Statistics:
    """The counts over a run by kind of game, and of records that could not be counted.

    Attributes:
        summary: the totals over all records.
        errors: the number of records without counts, by the code of their first error.
    """

    def __init__(self) -> None:
        self.summary = Summary()
        self.errors: Counter[str] = Counter()
        self._tallies: dict[GameKind, GameCounts] = {}

    def count(self, records: Iterable[Examined]) -> None:
        """Count records, which `examine` examined."""
        for report, _, game in records:
            if game is not None:
                self._tallies.setdefault(game.kind, GameCounts()).add(report, game)
            self.summary.add_report(report, valid=report.valid)
            if report.errors:
                self.errors[report.errors[0].code] += 1

    def add_data(self, data: Mapping[str, Any]) -> None:
        """Add the statistics of a JSON document that are not folded, but not its totals over all records."""
        self.errors.update(data["errors"])
        for entry in data["games"]:
            kind = GameKind(*(entry[field] for field in ("game", "ruleset", "variant", "size")))
            tally = self._tallies.setdefault(kind, GameCounts())
            tally.games += entry["games"]
            lengths = entry["lengths"] or {"games_by_plies": {}}
            tally.lengths.update({int(plies): count for plies, count in lengths["games_by_plies"].items()})
            for ending in entry["endings"]:
                tally.endings[ending["termination"]][ending["winner"]] += ending["games"]
            cells = kind.board.names().cells
            for counts, named in ((tally.opening, entry["opening"]), (tally.placed, entry["first_placements"])):
                for color, by_name in named.items():
                    counts[color].update({cells[name]: count for name, count in by_name.items()})

    @property
    def tallies(self) -> Mapping[GameKind, GameCounts]:
        """The counts, sorted by game, ruleset, variant (none first) and size."""
        order = games.names()

        def rank(kind: GameKind) -> tuple[Any, ...]:
            rulesets = games.get(kind.game).rulesets
            return order.index(kind.game), rulesets.index(kind.ruleset), kind.variant or "", kind.size

        return {kind: self._tallies[kind] for kind in sorted(self._tallies, key=rank)}


def quartiles(counts: Counter[int]) -> list[float]:
    """Return the lower quartile, the median and the upper quartile of numbers, given the count of each.

    A quartile between two numbers is their mean. At least one number is required.
    """
    numbers = sorted(counts)
    sums = list(accumulate(counts[number] for number in numbers))
    values = []
    for share in (0.25, 0.5, 0.75):
        at = bisect_left(sums, share * sums[-1])
        between = sums[at] == share * sums[-1]
        values.append((numbers[at] + numbers[at + 1]) / 2 if between else numbers[at])
    return values


def bins(counts: Counter[int], most: int) -> list[tuple[int, int, int]]:
    """Return at most `most` ranges of equal width, as ``(first, last, count)``."""
    first, last = min(counts), max(counts)
    widths = (digit * 10**zeros for zeros in range(10) for digit in (1, 2, 5))
    width = next(width for width in widths if last // width - first // width < most)
    totals: Counter[int] = Counter()
    for number, count in counts.items():
        totals[number // width] += count
    return [(at * width, at * width + width - 1, totals[at]) for at in range(first // width, last // width + 1)]


@cache
def images(board: Board) -> Mapping[int, tuple[int, ...]]:
    """Return for each cell its images under the symmetries of the board, in board order."""
    return {cell: tuple(sorted({symmetry[cell] for symmetry in board.symmetries})) for cell in board.cells}


def fold_counts(cells: Counter[int], board: Board, fold: bool) -> Counter[int]:
    """Return the counts of cells; with `fold`, the counts of all images of a cell are added to the first image."""
    if not fold:
        return cells
    folded: Counter[int] = Counter()
    for cell, count in cells.items():
        folded[images(board)[cell][0]] += count
    return folded


#: The maximum number of ranges of lengths, the length of the longest bar, the maximum number of cells to list.
_RANGES = 12
_BAR = 40
_CELLS = 5


def as_text(statistics: Statistics, fold: bool) -> str:
    """Return the statistics for people; with `fold`, all images of a cell count for the first image."""
    parts = ["\n".join(_kind(kind, tally, fold)) for kind, tally in statistics.tallies.items()]
    end = [statistics.summary.line()]
    if statistics.errors:
        errors = sorted(statistics.errors.items(), key=lambda entry: (-entry[1], entry[0]))
        end.append("not counted: " + ", ".join(f"{count:,} × {code}" for code, count in errors))
    return "\n\n".join([*parts, "\n".join(end)]) + "\n"


def _kind(kind: GameKind, tally: GameCounts, fold: bool) -> Iterator[str]:
    unfinished = tally.games - tally.finished
    yield f"{kind.title}: {pluralize(tally.games, 'game')}" + (f", {unfinished:,} unfinished" if unfinished else "")
    if tally.lengths:
        yield from _lengths(tally.lengths)
        yield from _endings(tally)
    for color in COLORS:
        if color in games.get(kind.game).opening:
            yield from _cells(f"{color.capitalize()} opening stones", tally.opening[color], kind.board, fold)
    for color, cells in tally.placed.items():
        yield from _cells(f"{color.capitalize()} first placements", cells, kind.board, fold)


def _lengths(lengths: Counter[int]) -> Iterator[str]:
    low, median, high = (f"{value:g}" for value in quartiles(lengths))
    yield (
        f"  plies: {min(lengths)} to {max(lengths)}, median {median}, quartiles {low} and {high}, "
        f"mean {fmean(lengths, lengths.values()):.1f}"
    )
    ranges = bins(lengths, _RANGES)
    most = max(count for _, _, count in ranges)
    names = [str(first) if first == last else f"{first}–{last}" for first, last, _ in ranges]
    width = max(map(len, names))
    for name, (_, _, count) in zip(names, ranges, strict=True):
        bar = "█" * -(-count * _BAR // most)
        yield f"    {name:>{width}}  {count:>{len(f'{most:,}')},}  {bar}".rstrip()


def _endings(tally: GameCounts) -> Iterator[str]:
    rows: list[tuple[str, ...]] = [("ended by", "Black won", "White won", "draw", "winner unknown")]
    rows += [(name, *(f"{count:,}" for count in winners.values())) for name, winners in tally.terminations()]
    shown = [column for column in range(len(rows[0])) if column < 3 or any(row[column] != "0" for row in rows[1:])]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [f"{row[column]:>{widths[column]}}" if column else f"{row[0]:<{widths[0]}}" for column in shown]
        yield "  " + "  ".join(cells)


def _cells(title: str, counts: Counter[int], board: Board, fold: bool) -> Iterator[str]:
    total = counts.total()
    if not total:
        return
    names = board.names()
    ranked = sorted(fold_counts(counts, board, fold).items(), key=lambda entry: (-entry[1], entry[0]))
    shown = []
    for cell, count in ranked[:_CELLS]:
        others = len(images(board)[cell]) - 1 if fold else 0
        shown.append(f"{names.single(cell)}{f' and {others} like it' if others else ''} {count / total:.0%}")
    more = len(ranked) - _CELLS
    yield f"  {title}: {', '.join(shown)}" + (f", {more} more" if more > 0 else "")


def as_json(statistics: Statistics, fold: bool) -> str:
    """Return the statistics as a JSON document; with `fold`, all images of a cell count for the first image."""
    data = {
        "hexrec": __version__,
        "summary": statistics.summary.data(),
        "errors": dict(sorted(statistics.errors.items())),
        "folded": fold,
        "games": [_entry(kind, tally, fold) for kind, tally in statistics.tallies.items()],
    }
    return json.dumps(data, indent=1) + "\n"


def _entry(kind: GameKind, tally: GameCounts, fold: bool) -> dict[str, Any]:
    def cells(counts: Counter[int]) -> dict[str, int]:
        names = kind.board.names()
        shown = fold_counts(counts, kind.board, fold)
        return {names.single(cell): shown[cell] for cell in sorted(shown)}

    return {
        **asdict(kind),
        "games": tally.games,
        "finished": tally.finished,
        "lengths": _lengths_data(tally.lengths) if tally.lengths else None,
        "endings": [
            {"termination": termination, "winner": winner, "games": count}
            for termination, winners in tally.terminations()
            for winner, count in winners.items()
            if count
        ],
        "opening": {color: cells(tally.opening[color]) for color in games.get(kind.game).opening},
        "first_placements": {color: cells(counts) for color, counts in tally.placed.items()},
    }


def _lengths_data(lengths: Counter[int]) -> dict[str, Any]:
    low, median, high = quartiles(lengths)
    return {
        "min": min(lengths),
        "lower_quartile": low,
        "median": median,
        "upper_quartile": high,
        "max": max(lengths),
        "mean": round(fmean(lengths, lengths.values()), 3),
        "games_by_plies": {str(plies): lengths[plies] for plies in sorted(lengths)},
    }


#: The formats of statistics: functions of the statistics and the option `fold`.
FORMS: Mapping[str, Callable[[Statistics, bool], str]] = {"text": as_text, "json": as_json}
