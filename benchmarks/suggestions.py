"""Measure repairs by kind of error: `python benchmarks/suggestions.py`. Prints the table of the docs.

Each row has errors of one kind in reference games of all games and sizes, from a seed.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import process_time
from typing import Any, NamedTuple

from errors import FIELDS, KINDS, make_error

from hexrec.formats.base import Document
from hexrec.record.canonical import canonicalize
from hexrec.record.validation import RecordError
from hexrec.rules import games
from hexrec.tools.repairs import find_repairs
from hexrec.tools.suggestions import MAX_REPLAYS
from hexrec.validation.verdict import check_document

FIXTURES = Path(__file__).parent.parent / "fixtures/suite"


class Trial(NamedTuple):
    """The outcome of one error.

    Attributes:
        noticed: whether the record is invalid with it.
        among, first: whether the true record is among the suggestions, or is the first.
        right: whether `hexrec fix --suggestions` writes it.
        wrong: whether `hexrec fix --suggestions` writes another record.
        milliseconds: the processor time of the search.
    """

    noticed: bool
    among: bool = False
    first: bool = False
    right: bool = False
    wrong: bool = False
    milliseconds: float = 0.0


def main() -> None:
    """Measure, and print a row for each kind of error, and one for all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--errors", type=int, default=100, help="errors in each row [default: 100]")
    parser.add_argument("--games", type=Path, help="a directory with NAME.jsonl [default: the reference games]")
    parser.add_argument("--seed", default="", help="text that makes other errors")
    given = parser.parse_args()
    records = [record for name in games.BUILT_IN for record in _records(name, given.games)]
    print("| error | noticed | among | first | written | wrong | mean time |")
    print("|---|---|---|---|---|---|---|")
    everything = []
    for kind in KINDS:
        trials = [*_trials(records, kind, Random(kind + given.seed), given.errors)]
        print(_row(kind, trials))
        everything += trials
    print(_row("all", everything))
    right, wrong = (sum(getattr(trial, name) for trial in everything) for name in ("right", "wrong"))
    print(f"\n{wrong} of {right + wrong} written repairs are wrong.")


def _records(name: str, folder: Path | None) -> Iterator[dict[str, Any]]:
    path = folder / f"{name}.jsonl" if folder else FIXTURES / name / "reference" / "games.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        if all(isinstance(move, str) for move in record["moves"]):
            yield {**record, **FIELDS}


def _row(kind: str, trials: list[Trial]) -> str:
    noticed = [trial for trial in trials if trial.noticed]
    names = ("among", "first", "right", "wrong")
    shares = [f"{100 * sum(getattr(trial, name) for trial in noticed) / len(noticed):.0f} %" for name in names]
    time = sum(trial.milliseconds for trial in noticed) / len(noticed)
    return f"| {kind} | {len(noticed)} of {len(trials)} | {' | '.join(shares)} | {time:.0f} ms |"


def _trials(records: list[dict[str, Any]], kind: str, rng: Random, count: int) -> Iterator[Trial]:
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
    found = [repair for _, repairs in find_repairs(report, MAX_REPLAYS) for repair in repairs]
    spent = process_time() - start
    true = [_canonical(repair.data) == _canonical(record) for repair in found]
    written = [right for repair, right in zip(found, true, strict=True) if repair.best][:1]
    return Trial(True, any(true), true[:1] == [True], written == [True], written == [False], spent * 1000)


def _canonical(data: dict[str, Any]) -> dict[str, Any]:
    try:
        return canonicalize(data)
    except RecordError:
        return data


if __name__ == "__main__":
    main()
