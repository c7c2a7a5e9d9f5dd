"""Statistics for people: a paragraph for each kind of game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hexrec.board import Board
from hexrec.games import COLOURS, get
from hexrec.stats.counts import GameCounts, GameKind, Statistics, bins, folded, images, mean, quartiles
from hexrec.summary import counted

#: How many ranges of lengths there are at most, how long the longest bar is, how many cells are named.
_RANGES = 12
_BAR = 40
_CELLS = 5


def text(statistics: Statistics, fold: bool) -> str:
    """Return the statistics as text; with `fold`, all images of a cell count for the first of them."""
    parts = ["\n".join(_kind(kind, tally, fold)) for kind, tally in statistics.tallies.items()]
    end = [statistics.summary.line()]
    if statistics.errors:
        errors = sorted(statistics.errors.items(), key=lambda entry: (-entry[1], entry[0]))
        end.append("not counted: " + ", ".join(f"{count:,} × {code}" for code, count in errors))
    return "\n\n".join([*parts, "\n".join(end)]) + "\n"


def _kind(kind: GameKind, tally: GameCounts, fold: bool) -> Iterator[str]:
    unfinished = tally.games - tally.finished
    yield f"{kind.title}: {counted(tally.games, 'game')}" + (f", {unfinished:,} unfinished" if unfinished else "")
    if tally.lengths:
        yield from _lengths(tally.lengths)
        yield from _endings(tally)
    for colour in COLOURS:
        if colour in get(kind.game).opening:
            yield from _cells(f"{colour} opening stones", tally.opening[colour], kind.board, fold)
    for colour, cells in tally.placed.items():
        yield from _cells(f"{colour} first placements", cells, kind.board, fold)


def _lengths(lengths: Counter[int]) -> Iterator[str]:
    low, median, high = (f"{value:g}" for value in quartiles(lengths))
    yield (
        f"  plies: {min(lengths)} to {max(lengths)}, median {median}, quartiles {low} and {high}, "
        f"mean {mean(lengths):.1f}"
    )
    ranges = bins(lengths, _RANGES)
    most = max(count for _, _, count in ranges)
    names = [str(first) if first == last else f"{first}–{last}" for first, last, _ in ranges]
    width = max(map(len, names))
    for name, (_, _, count) in zip(names, ranges, strict=True):
        bar = "█" * -(-count * _BAR // most)
        yield f"    {name:>{width}}  {count:>{len(f'{most:,}')},}  {bar}".rstrip()


def _endings(tally: GameCounts) -> Iterator[str]:
    rows: list[tuple[str, ...]] = [("ended by", "black won", "white won", "draw", "winner unknown")]
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
    ranked = sorted(folded(counts, board, fold).items(), key=lambda entry: (-entry[1], entry[0]))
    shown = []
    for cell, count in ranked[:_CELLS]:
        others = len(images(board)[cell]) - 1 if fold else 0
        shown.append(f"{names.single(cell)}{f' and {others} like it' if others else ''} {count / total:.0%}")
    more = len(ranked) - _CELLS
    yield f"  {title}: {', '.join(shown)}" + (f", {more} more" if more > 0 else "")
