"""An archive of games between programs of four strengths: `python benchmarks/corpus.py FOLDER` makes it.

The same version of hexrec makes the same archive on every machine, with any number of processes: its checksum is
printed above the tables, which `docs/statistics.md` shows. It takes two minutes of processor time.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import defaultdict
from collections.abc import Sequence
from hashlib import sha256
from math import log10, sqrt
from pathlib import Path
from statistics import mean, median
from typing import Any

from run import print_table

import hexrec
from hexrec.rules import games
from hexrec.util.version import __version__

#: The version of the archive, which seeds its games.
VERSION = 2026
#: The random games for each turn of the four programs.
STRENGTHS = "0,4,16,64"
#: The small sizes.
SMALL = {"sundraval": 5, "sunspot": 4, "frasvel": 4, "valaturna": 5, "nadraz": 5}
#: The mean rating of the four.
RATING = 1500
#: The standard deviations of a 95 % confidence interval.
NORMAL = 1.96


def main() -> None:
    """Make the archive, and print the tables and the checksum."""
    parser = argparse.ArgumentParser(description="Make an archive of games between programs.")
    parser.add_argument("folder", type=Path, help="the folder of the archive, a file for each game and size")
    parser.add_argument("--small", type=int, default=100, metavar="N", help="games on each small board")
    parser.add_argument("--recommended", type=int, default=16, metavar="N", help="games on each recommended board")
    parser.add_argument("-j", "--jobs", type=int, metavar="N", help="number of processes [default: all cores]")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    digest = sha256()
    statistics, strengths, openings = list[list[str]](), list[list[str]](), list[list[str]]()
    for name in games.BUILT_IN:
        recommended = games.get(name).usual_size()
        for size, count in (SMALL[name], options.small), (recommended, options.recommended):
            file = options.folder / f"{name}-{size}.jsonl"
            records = play(name, size, count, options.jobs)
            ratings = rate(records)
            for record in records:
                for player in record["players"].values():
                    player["rating"] = ratings[player["name"]]
            text = hexrec.dumps([hexrec.loads(json.dumps(record)) for record in records], "jsonl")
            file.write_text(text, encoding="utf-8")
            digest.update(file.read_bytes())
            board = [name, str(size)]
            statistics.append([*board, *describe(file, records)])
            strengths.append([*board, *(str(rating) for rating in ratings.values())])
            kinds = sorted({kind_of_opening(record) for record in records})
            parts = [(kind, [record for record in records if kind_of_opening(record) == kind]) for kind in kinds]
            openings += [[*board, kind, str(len(part)), *advantage(part)] for kind, part in parts]
    counts = f"{options.small} games on each small board, {options.recommended} on each recommended one"
    print(f"hexrec {__version__}, seed {VERSION}, --playouts {STRENGTHS}, {counts}")
    print(f"SHA-256 of the files, in the order of the tables: {digest.hexdigest()}\n")
    shares = ["Black's points %", "from", "to"]
    print_table(
        "Games between programs, with 95 % confidence intervals",
        ["game", "size", "games", *shares, "draws %", "plies", "longest", "legal turns"],
        statistics,
    )
    print_table("The same by the opening", ["game", "size", "opening", "games", *shares], openings)
    heading = ["game", "size", "weakest", "second", "third", "strongest"]
    print_table("Ratings of the four programs", heading, strengths)


def play(game: str, size: int, count: int, jobs: int | None) -> list[dict[str, Any]]:
    """Return the data of new games."""
    command = ["hexrec", "random", game, "--size", str(size), "--playouts", STRENGTHS, "--count", str(count)]
    command += ["--seed", str(VERSION), *(["--jobs", str(jobs)] if jobs else [])]
    ran = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def rate(records: Sequence[dict[str, Any]]) -> dict[str, int]:
    """Return the Elo rating of each program, weakest first by its number, by the model of Bradley and Terry.

    Every program gets one drawn game against a player of mean strength, so that nobody's rating is infinite.
    """
    points: dict[str, float] = defaultdict(float)
    pairs: dict[str, list[str]] = defaultdict(list)
    for record in records:
        names = {color: player["name"] for color, player in record["players"].items()}
        winner = record["result"]["winner"]
        for color, other in (("black", "white"), ("white", "black")):
            points[names[color]] += 0.5 if winner == "draw" else winner == color
            pairs[names[color]].append(names[other])
    strength = dict.fromkeys(sorted(pairs, key=lambda name: (name != "random", len(name), name)), 1.0)
    for _ in range(1000):
        strength = {
            name: (points[name] + 0.5)
            / sum(1 / (own + value) for value in [1.0, *(strength[other] for other in pairs[name])])
            for name, own in strength.items()
        }
    ratings = {name: 400 * log10(value) for name, value in strength.items()}
    return {name: round(RATING + rating - mean(ratings.values())) for name, rating in ratings.items()}


def describe(file: Path, records: Sequence[dict[str, Any]]) -> list[str]:
    """Return the number of games, Black's share of the points, that of draws, the lengths, the mean of legal turns."""
    draws = sum(record["result"]["winner"] == "draw" for record in records)
    lengths = [len(record["moves"]) for record in records]
    legal = mean(hexrec.turns(file)["legal"].to_pylist())
    share = f"{100 * draws / len(records):.0f}"
    return [str(len(records)), *advantage(records), share, f"{median(lengths):.0f}", str(max(lengths)), f"{legal:.0f}"]


def advantage(records: Sequence[dict[str, Any]]) -> list[str]:
    """Return Black's share of the points in per cent, and the ends of its 95 % confidence interval (Wilson's)."""
    count = len(records)
    values = {"black": 1.0, "draw": 0.5, "white": 0.0}
    share = sum(values[record["result"]["winner"]] for record in records) / count
    middle = share + NORMAL**2 / (2 * count)
    reach = NORMAL * sqrt(share * (1 - share) / count + (NORMAL / (2 * count)) ** 2)
    ends = ((middle + sign * reach) / (1 + NORMAL**2 / count) for sign in (-1, 1))
    return [f"{100 * value:.0f}" for value in (share, *ends)]


def kind_of_opening(record: dict[str, Any]) -> str:
    """Return where the opening stones are; without any, Black's first turn, to which the pie rule applies."""
    board = games.get(record["game"]).board(record["size"])
    middle: list[float] = [mean(values) for values in zip(*map(board.axial, board.cells), strict=True)]

    def distance(turn: str) -> float:
        cell = board.names().cells_in(turn)[0]
        q, r = (value - center for value, center in zip(board.axial(cell), middle, strict=True))
        return max(abs(q), abs(r), abs(q + r))

    stones = record.get("opening") or {"black": record["moves"][0]}
    black = distance(stones["black"])
    if "white" not in stones:
        return "center" if black <= (record["size"] - 1) / 2 else "edge"
    white = distance(stones["white"])
    return "Black nearer the center" if black < white else "White nearer the center" if white < black else "as near"


if __name__ == "__main__":
    main()
