"""Measure repairs: `python benchmarks/suggestions.py`. Prints the tables of the docs.

Each table has errors of some kinds in reference games, from a fixed seed: by game and size, one wrong character in one
turn; by kind, errors of all kinds in all games.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, NamedTuple

from errors import KINDS, make_error

from hexrec.formats.base import Document
from hexrec.record.canonical import canonicalize
from hexrec.record.validation import RecordError
from hexrec.rules import games
from hexrec.tools.repairs import find_repairs
from hexrec.tools.suggestions import MAX_FIX_REPLAYS
from hexrec.validation.verdict import check_document

FIXTURES = Path(__file__).parent.parent / "fixtures"
_TYPO = KINDS[0]


class Trial(NamedTuple):
    """The outcome of one error.

    Attributes:
        noticed: whether the record is invalid with it.
        suggested: whether the true record is among the suggestions.
        right: whether `hexrec fix --suggestions` writes it.
        wrong: whether `hexrec fix --suggestions` writes another record.
        milliseconds: how long the search took.
    """

    noticed: bool
    suggested: bool = False
    right: bool = False
    wrong: bool = False
    milliseconds: float = 0.0


def main() -> None:
    """Measure, and print a row for each game and size, then for each kind of error."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--errors", type=int, default=100, help="errors in the games of each row [default: 100]")
    parser.add_argument("--games", type=Path, help="a directory with NAME.jsonl [default: the reference games]")
    given = parser.parse_args()
    records = {name: [*_records(name, given.games)] for name in games.BUILT_IN}
    print("| game | size | noticed | true turn suggested | written | wrong | mean time | longest |")
    print("|---|---|---|---|---|---|---|---|")
    for name, known in records.items():
        for size in sorted({record["size"] for record in known}):
            of_size = [record for record in known if record["size"] == size]
            trials = [*_trials(of_size, _TYPO, Random(f"{name} {size}"), given.errors)]
            noticed = [trial for trial in trials if trial.noticed]
            times = [trial.milliseconds for trial in noticed]
            print(
                f"| {games.get(name).title} | {size} | {len(noticed)} of {len(trials)} | {_shares(noticed)} "
                f"| {sum(times) / len(times):.0f} ms | {max(times):.0f} ms |"
            )
    print("\n| error | noticed | true record suggested | written | wrong |")
    print("|---|---|---|---|---|")
    everything = []
    for kind in KINDS:
        trials = [
            *_trials([record for known in records.values() for record in known], kind, Random(kind), given.errors)
        ]
        noticed = [trial for trial in trials if trial.noticed]
        everything += noticed
        print(f"| {kind} | {len(noticed)} of {len(trials)} | {_shares(noticed)} |")
    right, wrong = sum(trial.right for trial in everything), sum(trial.wrong for trial in everything)
    print(f"\n{wrong} of {right + wrong} written repairs are wrong.")


def _records(name: str, folder: Path | None) -> Iterator[dict[str, Any]]:
    path = folder / f"{name}.jsonl" if folder else FIXTURES / name / "reference" / "games.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if all(isinstance(move, str) for move in record["moves"]):
            yield record


def _shares(trials: Sequence[Trial]) -> str:
    return " | ".join(f"{round(100 * sum(trial[field] for trial in trials) / len(trials))} %" for field in (1, 2, 3))


def _trials(records: Sequence[dict[str, Any]], kind: str, rng: Random, count: int) -> Iterator[Trial]:
    """Yield the outcomes of errors of a kind in random records, as many as there are among `6 * count`."""
    left = count
    for _ in range(6 * count):
        record = rng.choice(records)
        wrong = make_error(record, kind, rng)
        if wrong is not None:
            yield try_repair(record, wrong)
            left -= 1
            if not left:
                return


def try_repair(record: dict[str, Any], wrong: dict[str, Any]) -> Trial:
    """Return the outcome of the search for repairs of a wrong record, given the true one."""
    report = check_document(Document(wrong))
    if report.valid:
        return Trial(noticed=False)
    start = process_time()
    found = [repair for _, repairs in find_repairs(report, MAX_FIX_REPLAYS) for repair in repairs]
    spent = process_time() - start
    true = [_canonical(repair.data) == _canonical(record) for repair in found]
    written = [right for repair, right in zip(found, true, strict=True) if repair.best]
    return Trial(True, any(true), written == [True], written == [False], spent * 1000)


def _canonical(data: dict[str, Any]) -> dict[str, Any]:
    try:
        return canonicalize(data)
    except RecordError:
        return data


if __name__ == "__main__":
    main()
