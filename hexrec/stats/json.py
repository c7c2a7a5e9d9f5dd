"""Statistics for programs: one JSON document."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from hexrec._version import __version__
from hexrec.games import get
from hexrec.stats.counts import GameCounts, GameKind, Statistics, folded, mean, quartiles


def text(statistics: Statistics, fold: bool) -> str:
    """Return the statistics as a JSON document; with `fold`, all images of a cell count for the first of them."""
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
        shown = folded(counts, kind.board, fold)
        return {names.single(cell): shown[cell] for cell in sorted(shown)}

    return {
        "game": kind.game,
        "ruleset": kind.ruleset,
        "variant": kind.variant,
        "size": kind.size,
        "games": tally.games,
        "finished": tally.finished,
        "lengths": _lengths(tally.lengths) if tally.lengths else None,
        "endings": [
            {"termination": termination, "winner": winner, "games": count}
            for termination, winners in tally.terminations()
            for winner, count in winners.items()
            if count
        ],
        "opening": {colour: cells(tally.opening[colour]) for colour in get(kind.game).opening},
        "first_placements": {colour: cells(counts) for colour, counts in tally.placed.items()},
    }


def _lengths(lengths: Counter[int]) -> dict[str, Any]:
    low, median, high = quartiles(lengths)
    return {
        "min": min(lengths),
        "lower_quartile": low,
        "median": median,
        "upper_quartile": high,
        "max": max(lengths),
        "mean": round(mean(lengths), 3),
        "games_by_plies": {str(plies): lengths[plies] for plies in sorted(lengths)},
    }
