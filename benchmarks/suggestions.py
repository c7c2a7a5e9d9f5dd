"""Measure how often suggestions have the true turn: `python benchmarks/suggestions.py`. Prints the table of the docs.

Each reference game gets one random typo in one turn, several times, from a fixed seed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, NamedTuple

from hexrec.formats.base import Document
from hexrec.rules import games
from hexrec.tools.repairs import find_repairs
from hexrec.tools.suggestions import MAX_REPLAYS
from hexrec.validation.verdict import check_document

FIXTURES = Path(__file__).parent.parent / "fixtures"
_CHARACTERS = "abcdefghijk123456789-/x"


class Trial(NamedTuple):
    """The outcome of one typo.

    Attributes:
        noticed: whether the record is invalid with it.
        suggested: whether the true turn is among the suggestions.
        alone: whether it is the only complete one.
        misled: whether another is the only complete one.
        milliseconds: how long the search took.
    """

    noticed: bool
    suggested: bool = False
    alone: bool = False
    misled: bool = False
    milliseconds: float = 0.0


def main() -> None:
    """Measure, and print a row for each game and size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--typos", type=int, default=100, help="typos in the games of each size [default: 100]")
    count = parser.parse_args().typos
    print("| game | size | noticed | true turn suggested | alone | another alone | mean time | longest |")
    print("|---|---|---|---|---|---|---|---|")
    for name in games.BUILT_IN:
        for size, records in sorted(_by_size(name).items()):
            rng = Random(f"{name} {size}")
            trials = [_try(records[number % len(records)], rng) for number in range(count)]
            noticed = [trial for trial in trials if trial.noticed]
            shares = (f"{_share([bool(trial[field]) for trial in noticed])} %" for field in (1, 2, 3))
            times = [trial.milliseconds for trial in noticed]
            print(
                f"| {games.get(name).title} | {size} | {len(noticed)} of {count} | {' | '.join(shares)} "
                f"| {sum(times) / len(times):.0f} ms | {max(times):.0f} ms |"
            )


def _by_size(name: str) -> dict[int, list[dict[str, Any]]]:
    records: dict[int, list[dict[str, Any]]] = {}
    for line in (FIXTURES / name / "reference" / "games.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        records.setdefault(record["size"], []).append(record)
    return records


def _share(found: Sequence[bool]) -> int:
    return round(100 * sum(found) / len(found))


def _try(record: dict[str, Any], rng: Random) -> Trial:
    moves = record["moves"]
    index = rng.randrange(len(moves))
    wrong = [*moves[:index], typo(moves[index], rng), *moves[index + 1 :]]
    report = check_document(Document({**record, "moves": wrong}))
    if report.valid:
        return Trial(noticed=False)
    start = process_time()
    found = [repair for _, repairs in find_repairs(report, MAX_REPLAYS) for repair in repairs]
    spent = process_time() - start
    true = [repair.data["moves"] == moves for repair in found]
    complete = [right for repair, right in zip(found, true, strict=True) if repair.complete]
    return Trial(True, any(true), complete == [True], complete == [False], spent * 1000)


def typo(turn: str, rng: Random) -> str:
    """Return a turn with one character replaced, inserted or removed, or two exchanged."""
    while True:
        kind, at = rng.randrange(4), rng.randrange(len(turn))
        before, here, after = turn[:at], turn[at], turn[at + 1 :]
        other = rng.choice(_CHARACTERS)
        made = (
            before + other + after,
            before + other + here + after,
            before + after,
            before + after[:1] + here + after[1:],
        )
        if made[kind] not in ("", turn):
            return made[kind]


if __name__ == "__main__":
    main()
