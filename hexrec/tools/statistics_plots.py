"""Plots of statistics, with matplotlib. The output is deterministic, and labels in SVG files stay text."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any, BinaryIO, Literal

from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, StrMethodFormatter

from hexrec.rules.board import Board
from hexrec.rules.games import get
from hexrec.rules.terms import pluralize
from hexrec.tools.statistics import WINNERS, GameCounts, GameKind, Statistics, bins, fold_counts, images, quartiles

#: The file formats of plots.
KINDS = ("svg", "png")
_METADATA: dict[str, dict[str, str | None]] = {
    "svg": {"Date": None, "Creator": "hexrec"},
    "png": {"Software": "hexrec"},
}
#: Settings with defaults that differ between machines or runs.
_SETTINGS: dict[Any, Any] = {
    "svg.hashsalt": "hexrec",
    "svg.fonttype": "none",
    "font.family": ["DejaVu Sans"],
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.titlesize": 11,
}
_DOTS = 150

_RANGES = 30
_BAR = "#0072b2"
_LINE = "#d55e00"
_EDGE = "#333333"
_FILL = {"black": "#222222", "white": "#ffffff", "draw": "#e69f00", None: "#bbbbbb"}
_INK = {"black": "#ffffff", "white": "#222222", "draw": "#222222", None: "#222222"}
_GRID = "#dddddd"
_STEPS = [1, 2, 5, 10]
_NEVER = "#f2f2f2"
#: Darker is more frequent; readable with color blindness.
_COLORS = "viridis_r"
#: The minimum share of the longest bar for a bar with a number.
_NARROW = 0.06
#: The maximum size of boards with counts in cells.
_WITH_COUNTS = 5


def _use_settings() -> AbstractContextManager[None]:
    """Draw with these settings only, without those of the user or of a file in the current directory."""
    return style.context(_SETTINGS, after_reset=True)


def write_plot(plot: Figure, out: BinaryIO, kind: str) -> None:
    """Write a plot in one of the formats in `KINDS`."""
    with _use_settings():
        plot.savefig(out, format=kind, dpi=_DOTS, metadata=_METADATA[kind])


def make_plots(statistics: Statistics, fold: bool) -> Iterator[tuple[str, Figure]]:
    """Yield the plots of each kind of game, each with the name of its files without a suffix.

    With `fold`, each cell shows the mean of its images.
    """
    for kind, tally in statistics.tallies.items():
        with _use_settings():
            if tally.lengths:
                yield f"{kind.file_name}-lengths", _lengths(kind, tally)
                yield f"{kind.file_name}-winners", _winners(kind, tally)
            if (placements := _placements(kind, tally, fold)) is not None:
                yield f"{kind.file_name}-first-placements", placements


def _figure(title: str, width: float, height: float) -> Figure:
    figure = Figure(figsize=(width, height), layout="constrained")
    figure.suptitle(title, fontweight="bold")
    return figure


def _scale_counts(axes: Axes, along: Literal["x", "y"]) -> None:
    """Scale an axis in whole numbers of games, with grid lines."""
    axis = axes.xaxis if along == "x" else axes.yaxis
    axis.set_major_locator(MaxNLocator(integer=True, steps=_STEPS))
    axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axis.set_label_text("games")
    axes.grid(axis=along, color=_GRID, linewidth=0.8)


def _lengths(kind: GameKind, tally: GameCounts) -> Figure:
    figure = _figure(f"{kind.title}: lengths of {pluralize(tally.finished, 'finished game')}", 7, 4)
    axes = figure.subplots()
    ranges = bins(tally.lengths, _RANGES)
    first, last, _ = ranges[0]
    axes.bar(
        [low - 0.5 for low, _, _ in ranges],
        [count for _, _, count in ranges],
        width=last - first + 1,
        align="edge",
        color=_BAR,
        edgecolor="white",
        linewidth=0.6,
    )
    low, median, high = quartiles(tally.lengths)
    axes.axvline(median, color=_LINE, linewidth=2, label=f"median {median:g}")
    for quartile in (low, high):
        axes.axvline(quartile, color=_LINE, linewidth=1.2, linestyle="--")
    axes.plot([], [], color=_LINE, linewidth=1.2, linestyle="--", label=f"quartiles {low:g} and {high:g}")
    axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 1), ncols=2, borderaxespad=0.2)
    axes.set_xlabel("length (plies)" if last == first else f"length (plies, in steps of {last - first + 1})")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, steps=_STEPS))
    _scale_counts(axes, "y")
    return figure


def _winners(kind: GameKind, tally: GameCounts) -> Figure:
    endings = list(tally.terminations())[::-1]
    figure = _figure(
        f"{kind.title}: winners of {pluralize(tally.finished, 'finished game')}", 7, 1.7 + 0.5 * len(endings)
    )
    axes = figure.subplots()
    most = max(sum(winners.values()) for _, winners in endings)
    left = [0] * len(endings)
    for winner in WINNERS:
        counts = [winners[winner] for _, winners in endings]
        if not any(counts):
            continue
        name = winner or "unknown"
        axes.barh(
            [termination for termination, _ in endings],
            counts,
            left=left,
            height=0.65,
            color=_FILL[winner],
            edgecolor=_EDGE,
            linewidth=0.8,
            label=f"{name} ({sum(counts) / tally.finished:.0%})",
        )
        for row, count in enumerate(counts):
            if count > _NARROW * most:
                axes.text(left[row] + count / 2, row, f"{count:,}", ha="center", va="center", color=_INK[winner])
            left[row] += count
    axes.set_ylabel("ended by")
    axes.set_xlim(0, 1.03 * most)
    axes.set_ylim(-0.6, len(endings) - 0.4)
    axes.tick_params(axis="y", length=0)
    axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 1), ncols=4, borderaxespad=0.2)
    _scale_counts(axes, "x")
    return figure


def _placements(kind: GameKind, tally: GameCounts, fold: bool) -> Figure | None:
    piece = get(kind.game).piece
    panels = [(f"{color}'s opening {piece}", tally.opening[color]) for color in get(kind.game).opening]
    panels += [(f"{color}'s first turn", cells) for color, cells in tally.placed.items()]
    panels = [(title, cells) for title, cells in panels if cells]
    if not panels:
        return None
    rows = 1 if len(panels) < 4 else 2
    columns = len(panels) // rows
    title = f"{kind.title}: first placements in {pluralize(tally.games, 'game')}"
    figure = _figure(f"{title}, folded" if fold else title, 5.2 * columns, 0.6 + 4.1 * rows)
    for number, (heading, cells) in enumerate(panels, 1):
        heat = _heat_map(figure.add_subplot(rows, columns, number), kind.board, heading, cells, fold)
        bar = figure.colorbar(heat, shrink=0.75, pad=0.02)
        bar.set_label(f"{piece}s{', mean of the images of a cell' if fold else ''} (gray: none)")
        bar.outline.set_visible(False)
        bar.locator = MaxNLocator(nbins=6, integer=not fold, steps=_STEPS)
        bar.update_ticks()
    return figure


def _heat_map(axes: Axes, board: Board, title: str, cells: Counter[int], fold: bool) -> PolyCollection:
    """Draw the board with cells darker for higher counts; return the collection for the color bar."""
    values = _means(cells, board) if fold else {cell: float(count) for cell, count in cells.items()}
    positions = {cell: board.position(cell) for cell in board.cells}
    centers = {cell: (across, up * math.sqrt(3) / 2) for cell, (across, up) in positions.items()}
    hexagons = {cell: _hexagon(*center) for cell, center in centers.items()}
    most = max(values.values())
    edges: Any = {"edgecolors": "white", "linewidths": 1}
    unused = [corners for cell, corners in hexagons.items() if cell not in values]
    axes.add_collection(PolyCollection(unused, facecolors=_NEVER, **edges))
    heat = PolyCollection([hexagons[cell] for cell in values], array=list(values.values()), cmap=_COLORS, **edges)
    heat.set_clim(0, most)
    axes.add_collection(heat)
    if board.size <= _WITH_COUNTS:
        for cell, value in values.items():
            ink = "white" if value > most / 2 else "black"
            text = f"{value:.1f}".removesuffix(".0") if fold else f"{value:,.0f}"
            axes.text(*centers[cell], text, ha="center", va="center", color=ink, fontsize=8)
    names = board.names()
    for cell, (x, y) in centers.items():
        for way, step, side in ((3, -0.7, "right"), (0, 0.7, "left")):
            if not board.rays[cell][way]:  # an end of a row
                axes.text(x + step, y, names.single(cell), ha=side, va="center", fontsize=7, color="#666666")
    axes.set_title(title[0].upper() + title[1:])
    axes.set_aspect("equal")
    axes.autoscale_view()
    axes.axis("off")
    return heat


def _means(cells: Counter[int], board: Board) -> dict[int, float]:
    """Return the mean count of the images of each cell."""
    return {
        image: count / len(images(board)[first])
        for first, count in fold_counts(cells, board, True).items()
        for image in images(board)[first]
    }


def _hexagon(x: float, y: float) -> list[tuple[float, float]]:
    """Return the corners of a cell, given its center; the centers of neighbors are at distance 1."""
    angles = [math.radians(90 + 60 * corner) for corner in range(6)]
    return [(x + math.cos(angle) / math.sqrt(3), y + math.sin(angle) / math.sqrt(3)) for angle in angles]
