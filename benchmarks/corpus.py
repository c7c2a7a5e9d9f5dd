"""An archive of games between programs of four strengths: `python benchmarks/corpus.py FOLDER` makes it.

The same version of hexrec makes the same archive on every machine, with any number of processes: the last line that is
printed is its checksum. The tables are for the page of the games. It takes an hour on two cores.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import Counter, defaultdict
from collections.abc import Sequence
from hashlib import sha256
from math import log10
from pathlib import Path
from statistics import mean, median
from typing import Any

from run import print_table

import hexrec
from hexrec.rules import games

#: The version of the archive, which seeds its games.
VERSION = 2026
#: The random games for each turn of the four programs, on the small boards and on the recommended ones.
STRENGTHS = ("0,20,80,320", "0,10,40,160")
#: The small sizes.
SMALL = {"sundraval": 5, "sunspot": 4, "frasvel": 4, "valaturna": 5, "nadraz": 5}
#: The mean rating of the four.
RATING = 1500


def main() -> None:
    """Make the archive, and print the tables and the checksum."""
    parser = argparse.ArgumentParser(description="Make an archive of games between programs.")
    parser.add_argument("folder", type=Path, help="the folder of the archive, a file for each game and size")
    parser.add_argument("--small", type=int, default=200, metavar="N", help="games on each small board")
    parser.add_argument("--recommended", type=int, default=40, metavar="N", help="games on each recommended board")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    digest, results, strengths = sha256(), [], []
    for name in games.BUILT_IN:
        recommended = games.get(name).usual_size()
        boards = (SMALL[name], options.small, STRENGTHS[0]), (recommended, options.recommended, STRENGTHS[1])
        for size, count, playouts in boards:
            file = options.folder / f"{name}-{size}.jsonl"
            records = play(name, size, count, playouts)
            ratings = rate(records)
            for record in records:
                for player in record["players"].values():
                    player["rating"] = ratings[player["name"]]
            text = hexrec.dumps([hexrec.loads(json.dumps(record)) for record in records], "jsonl")
            file.write_text(text, encoding="utf-8")
            digest.update(file.read_bytes())
            results.append([name, str(size), *describe(file, records)])
            strengths.append([name, str(size), *(f"{rating}" for rating in ratings.values())])
    heading = ["game", "size", "games", "Black wins %", "draws %", "plies", "longest", "legal turns"]
    print_table("Games between programs", heading, results)
    print_table("Ratings of the four programs, from random turns up", ["game", "size", "1", "2", "3", "4"], strengths)
    print(f"SHA-256 of the files, in this order: {digest.hexdigest()}")


def play(game: str, size: int, count: int, playouts: str) -> list[dict[str, Any]]:
    """Return the data of new games."""
    command = ["hexrec", "random", game, "--size", str(size), "--playouts", playouts, "--count", str(count)]
    ran = subprocess.run([*command, "--seed", str(VERSION)], stdout=subprocess.PIPE, text=True, check=True)
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
    """Return the number of games, the shares of Black's wins and of draws, the lengths, and the mean of legal turns."""
    winners = Counter(record["result"]["winner"] for record in records)
    lengths = [len(record["moves"]) for record in records]
    legal = mean(hexrec.turns(file)["legal"].to_pylist())
    shares = [f"{100 * winners[winner] / len(records):.0f}" for winner in ("black", "draw")]
    return [str(len(records)), *shares, f"{median(lengths):.0f}", str(max(lengths)), f"{legal:.0f}"]


if __name__ == "__main__":
    main()
