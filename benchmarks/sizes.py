"""What a ply costs against the size of the board and the length of the game: `python benchmarks/sizes.py`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from material import NO_LIMIT
from run import print_table

from hexrec.record.random import random_record
from hexrec.record.record import Record
from hexrec.record.replay import replay, replay_whole
from hexrec.record.validation import read_record
from hexrec.rules import games

#: For how many seconds of processor time the games of a size are replayed again and again.
BUDGET = 0.5
#: Games are also cut after these shares of their turns, to see what a ply costs in a short game.
SHARES = (0.25, 0.5, 1.0)


def main() -> None:
    """Measure, print the table and write the raw numbers."""
    parser = argparse.ArgumentParser(description="Measure what a ply costs on small boards and on large ones.")
    parser.add_argument("--game", action="append", choices=games.names(), help="only this game (may be repeated)")
    parser.add_argument("--games", type=int, default=4, metavar="N", help="random games for each size")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the raw numbers")
    options = parser.parse_args()
    found = [
        measure(name, size, options.games)
        for name in options.game or games.names()
        for size in games.get(name).sizes
        if size >= 4
    ]
    rows = []
    for each in found:
        first = next(other for other in found if other["game"] == each["game"])
        growth = [
            f"{each[way][-1] / first[way][-1] / (each['cells'] / first['cells']):.2f}" for way in ("kernel", "engine")
        ]
        costs = [f"{cost:.2f}" for way in ("kernel", "engine") for cost in each[way]]
        rows.append([each["game"], str(each["size"]), str(each["cells"]), f"{each['plies']:.0f}", *costs, *growth])
    ways = [f"{way} {share:.0%}" for way in ("kernel", "engine") for share in SHARES]
    heading = ["game", "size", "cells", "plies", *ways, "growth", "growth"]
    print_table("Microseconds per ply, in games cut short; growth against that of cells", heading, rows)
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def measure(name: str, size: int, count: int) -> dict[str, Any]:
    """Return what a ply costs on boards of a size, by kernel and by engine, for each of `SHARES`."""
    data = [random_record(games.get(name), size, None, f"sizes/{number}", NO_LIMIT, "row") for number in range(count)]
    cut = [[read_record(shortened(each, share)) for each in data] for share in SHARES]
    return {
        "game": name,
        "size": size,
        "cells": len(games.get(name).board(size).cells),
        "plies": sum(len(each["moves"]) for each in data) / count,
        "kernel": [cost(replay_whole, records) for records in cut],
        "engine": [cost(replay, records) for records in cut],
    }


def shortened(data: dict[str, Any], share: float) -> dict[str, Any]:
    """Return a record with a share of its turns, and without its result if that is not all of them."""
    if share == 1:
        return data
    return {
        **data,
        "moves": data["moves"][: int(len(data["moves"]) * share) or 1],
        "result": {"termination": "abandoned"},
    }


def cost(play: Callable[[Record], object], records: list[Record]) -> float:
    """Return the microseconds a ply that the best round takes."""
    plies = sum(len(record.moves) for record in records)
    best = float("inf")
    end = perf_counter() + BUDGET
    while perf_counter() < end or best == float("inf"):
        start = process_time()
        for record in records:
            play(record)
        best = min(best, process_time() - start)
    return best / plies * 1e6


if __name__ == "__main__":
    main()
