"""Measure hexrec's speed in one run on one core: `python benchmarks/run.py`. The page beside it says how to read it."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import chess
from material import InvalidMaterial, Material, random_material, reference_material
from processes import Measured, describe_spread
from speed import EXTRACT, Effort, measure_shares, measure_speed

from hexrec.rules import games
from hexrec.util.version import __version__

FIXTURES = Path(__file__).parent.parent / "fixtures/suite"


FULL = Effort(games=30, records=20_000, rounds=3)
QUICK = Effort(games=6, records=5_000, rounds=1)


def main() -> None:
    """Measure, print the tables and write the raw numbers."""
    options = _options()
    effort = QUICK if options.quick else FULL
    machine = _machine()
    commands: list[Measured] = []
    with TemporaryDirectory() as name:
        folder = Path(name)
        try:
            sets = [_measure(material, effort, commands) for material in _materials(options, effort.games, folder)]
        except InvalidMaterial as problem:
            sys.exit(f"not measured: {problem}")
    print(", ".join(f"{name} {value}" for name, value in machine.items()), describe_spread(commands), sep="; ")
    print()
    _print_speed(sets)
    _print_shares(sets)
    _print_ratios(sets)
    if options.json:
        raw = {"machine": machine, "effort": effort._asdict(), "sets": sets}
        options.json.write_text(json.dumps(raw, indent=2) + "\n", encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure hexrec's speed next to python-chess.")
    parser.add_argument("--quick", action="store_true", help="fewer games and repetitions: a look, not a result")
    parser.add_argument(
        "--game", action="append", choices=games.names(), help="only this game (may be repeated); else all"
    )
    parser.add_argument(
        "--games", type=Path, default=FIXTURES, metavar="DIR", help="where <game>/reference/games.jsonl lie"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the raw numbers, in seconds")
    return parser.parse_args()


def _machine() -> dict[str, str | int | None]:
    return {
        platform.python_implementation(): platform.python_version(),
        "hexrec": __version__,
        "python-chess": chess.__version__,
        "machine": platform.machine(),
        "CPUs": os.cpu_count(),
    }


def _materials(options: argparse.Namespace, count: int, folder: Path) -> Iterator[Material]:
    """Yield one set after the other: what is measured should not share the memory with what was."""
    for name in options.game or games.names():
        _say(f"{name}: making games")
        yield random_material(name, count, folder)
        file = options.games / name / "reference" / "games.jsonl"
        if file.exists():
            yield reference_material(name, file, folder)
        else:
            _say(f"{name}: no reference games")


def _say(message: str) -> None:
    print(message, file=sys.stderr)


def _measure(material: Material, effort: Effort, commands: list[Measured]) -> dict[str, Any]:
    """Return the figures of a set; add the runs of commands to `commands`."""
    _say(f"{material.game}: measuring the {material.kind} games")
    speed, measured = measure_speed(material, effort)
    commands += measured
    return {
        "game": material.game,
        "set": material.kind,
        "sizes": material.sizes,
        "games": len(material.records),
        "plies": material.plies,
        "chess_plies": material.chess_plies,
        "seconds": asdict(speed),
        "shares": measure_shares(material, effort),
    }


def _print_speed(sets: list[dict[str, Any]]) -> None:
    rows = []
    for each in sets:
        spent = each["seconds"]
        chess_speed = each["chess_plies"] / spent["chess"]
        speeds = [each["plies"] / spent[task] for task in ("validate", "score", "interpreted", "rules")]
        extract = f"{each['chess_plies'] / spent['extract']:,.0f}" if EXTRACT else "-"
        sizes = sorted({min(each["sizes"]), max(each["sizes"])})
        rows.append(
            [
                each["game"],
                each["set"],
                "-".join(map(str, sizes)),
                str(each["games"]),
                f"{each['plies']:,}",
                *(text for speed in speeds for text in (f"{speed:,.0f}", f"{speed / chess_speed:.1f}")),
                *(f"{chess_speed:,.0f}", extract),
            ]
        )
    measured = [text for task in ("validate", "score", "interpreted", "rules") for text in (task, "ratio")]
    heading = ["game", "set", "size", "games", "plies", *measured, "python-chess", "pgn-extract"]
    print_table("Plies per second, and the ratio to python-chess reading games as long", heading, rows)


def _print_shares(sets: list[dict[str, Any]]) -> None:
    parts = ("read", "replay", "rest")
    rows = [[each["game"], each["set"], *(f"{each['shares'][part]:.1%}" for part in parts)] for each in sets]
    print_table("Where the time of validating goes", ["game", "set", *parts], rows)


def _print_ratios(sets: list[dict[str, Any]]) -> None:
    rows = []
    for each in sets:
        spent, records, plies = each["seconds"], each["games"], each["plies"]
        least = spent["json"] + spent["rules"]
        row = [each["game"], each["set"], str(records), f"{plies / records:.0f}"]
        row += [f"{spent[task] / records * 1e6:.1f}" for task in ("json", "rules")]
        for task in ("validate", "score"):
            row += [f"{spent[task] / least:.2f}", f"{records / spent[task]:,.0f}", f"{plies / spent[task]:,.0f}"]
        rows.append(row)
    heading = ["game", "set", "games", "turns", "json µs", "rules µs"]
    heading += ["validate", "records/s", "plies/s", "score", "records/s", "plies/s"]
    print_table("Times the sum of json.loads of the lines and the rules on the games", heading, rows)


def print_table(title: str, heading: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table whose first two columns are words and all others numbers."""
    widths = [max(map(len, column)) for column in zip(heading, *rows, strict=True)]
    print(title)
    for row in (heading, ["-" * width for width in widths], *rows):
        cells = zip(row, widths, strict=True)
        print("  ".join(f"{cell:<{width}}" if n < 2 else f"{cell:>{width}}" for n, (cell, width) in enumerate(cells)))
    print()


if __name__ == "__main__":
    main()
