"""What a ply costs against the size of the board and the length of the game: `python benchmarks/sizes.py`."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from time import perf_counter, process_time
from typing import Any

from material import NO_LIMIT
from run import print_table

from hexrec.record.random import random_record
from hexrec.record.record import Record
from hexrec.record.validation import read_record
from hexrec.rules import games
from hexrec.util.version import __version__

#: Games are also cut after these shares of their turns, to see what a ply costs in a short game.
SHARES = (0.25, 0.5, 1.0)
#: The value of HEXREC_PURE by the way in which the rules run.
WAYS = {"compiled": "0", "interpreted": "1"}


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description="Measure what a ply costs on small boards and on large ones.")
    parser.add_argument("--game", action="append", choices=games.names(), help="only this game (may be repeated)")
    parser.add_argument("--games", type=int, default=4, metavar="N", help="random games for each size")
    parser.add_argument("--seconds", type=float, default=0.3, metavar="N", help="the time for each size and share")
    parser.add_argument("--raw", action="store_true", help="measure in this process only, and print JSON")
    options = parser.parse_args()
    if options.raw:
        print(json.dumps(list(measure(options))))
        return
    measured = {}
    for way, pure in WAYS.items():
        command = [sys.executable, *sys.argv, "--raw"]
        ran = subprocess.run(command, env=os.environ | {"HEXREC_PURE": pure}, stdout=subprocess.PIPE, check=True)
        measured[way] = json.loads(ran.stdout)
    rows = []
    first: dict[str, dict[str, Any]] = {}
    for each, interpreted in zip(measured["compiled"], measured["interpreted"], strict=True):
        costs = {"compiled": each["costs"], "interpreted": interpreted["costs"], "cells": each["cells"]}
        small = first.setdefault(each["game"], costs)
        more = each["cells"] / small["cells"]
        growth = [f"{costs[way][-1] / small[way][-1] / more:.2f}" for way in WAYS]
        shown = [f"{cost:.2f}" for way in WAYS for cost in costs[way]]
        rows.append([each["game"], str(each["size"]), str(each["cells"]), f"{each['plies']:.0f}", *shown, *growth])
    ways = [f"{way} {share:.0%}" for way in WAYS for share in SHARES]
    heading = ["game", "size", "cells", "plies", *ways, "growth", "growth"]
    print(f"CPython {platform.python_version()}, hexrec {__version__}", end="\n\n")
    print_table("Microseconds per ply, in games cut short; growth against that of cells", heading, rows)


def measure(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield the costs of a ply on boards of each size, for each of `SHARES`."""
    for name in options.game or games.BUILT_IN:
        game = games.get(name)
        for size in (size for size in game.sizes if size >= 4):
            seeds = [f"sizes/{number}" for number in range(options.games)]
            data = [random_record(game, size, None, seed, NO_LIMIT, "row") for seed in seeds]
            cut = [[read_record(shortened(each, share)) for each in data] for share in SHARES]
            yield {
                "game": name,
                "size": size,
                "cells": len(game.board(size).cells),
                "plies": sum(len(each["moves"]) for each in data) / options.games,
                "costs": [cost(records, options.seconds) for records in cut],
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


def cost(records: list[Record], seconds: float) -> float:
    """Return the microseconds a ply that the best round takes."""
    plies = sum(len(record.turns) for record in records)
    best = float("inf")
    end = perf_counter() + seconds
    while perf_counter() < end or best == float("inf"):
        start = process_time()
        for record in records:
            record.start().play_all(record.turns)
        best = min(best, process_time() - start)
    return best / plies * 1e6


if __name__ == "__main__":
    main()
