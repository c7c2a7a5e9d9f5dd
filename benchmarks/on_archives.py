"""Measure the commands for archives as people run them: `python benchmarks/on_archives.py` prints the tables.

Every command is a process of its own, once with one process and once with two workers. Its start is left out of times:
that of the same command on a file of a few records. The sum of `json.loads` and the rules is measured in the same run.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from functools import reduce
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time

import chess
from huge import write_archive
from processes import Usage, run
from run import print_table

from hexrec.io.discovery import Source
from hexrec.record.record import Record
from hexrec.util.version import __version__
from hexrec.validation.sources import check_sources

#: The commands by name. FILE is the archive, CUT the archive of beginnings of its games, OUT a new file.
_COMMANDS = {
    "validate": "validate -q FILE",
    "validate --lint": "validate -q --lint FILE -o OUT.txt",
    "score, CSV": "score -q FILE -o OUT.csv",
    "score, Parquet": "score -q FILE -o OUT.parquet",
    "hash": "hash -q FILE -o OUT.txt",
    "hash --symmetric": "hash -q --symmetric FILE -o OUT.txt",
    "stats": "stats -q FILE --format json",
    "dedupe": "dedupe -q CUT -o OUT.jsonl --force --report OUT.log",
    "dedupe --mirrored ignore": "dedupe -q CUT -o OUT.jsonl --force --report OUT.log --mirrored ignore",
}
#: The number of records by which the start of a command is measured.
_FEW = 40


def main() -> None:
    """Measure in turn, and print the tables."""
    parser = argparse.ArgumentParser(description="Measure the commands for archives.")
    parser.add_argument("--records", type=int, default=100_000, metavar="N", help="the size of the archive")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="run every command N times")
    options = parser.parse_args()
    print(f"{platform.python_implementation()} {platform.python_version()}, hexrec {__version__}", end=", ")
    print(f"python-chess {chess.__version__}, machine {platform.machine()}, CPUs {os.cpu_count()}", end="\n\n")
    with TemporaryDirectory() as name:
        folder = Path(name)
        plies = _write(options.records, folder)
        spent: dict[tuple[str, int], tuple[Usage, Usage]] = {}
        least = []
        for _ in range(options.rounds):
            least.append(_least(folder / "FILE"))
            for command, arguments in _COMMANDS.items():
                for jobs in (1, 2):
                    measured = _measure(arguments, jobs, folder)
                    known = spent.get((command, jobs), measured)
                    spent[command, jobs] = measured[0].least(known[0]), measured[1].least(known[1])
    _print(
        spent, options.records, plies, reduce(lambda one, other: (min(one[0], other[0]), min(one[1], other[1])), least)
    )


def _write(records: int, folder: Path) -> int:
    """Write the archives, and the beginnings of them under names with `few-`; return the number of plies."""
    plies = write_archive(records, folder / "FILE")
    rng = Random("commands")
    with (folder / "FILE").open(encoding="utf-8") as lines, (folder / "CUT").open("w", encoding="utf-8") as out:
        for line in lines:
            data = json.loads(line)
            data["moves"] = data["moves"][: rng.randint(1, len(data["moves"]))]
            out.write(json.dumps(data) + "\n")
    for name in ("FILE", "CUT"):
        with (folder / name).open(encoding="utf-8") as lines:
            (folder / f"few-{name}").write_text("".join(islice(lines, _FEW)), encoding="utf-8")
    return plies


def _measure(arguments: str, jobs: int, folder: Path) -> tuple[Usage, Usage]:
    """Return the usage of a command on the archive, and on a few records."""
    whole, few = (
        [
            str(folder / word.replace("OUT", f"out{jobs}"))
            if word.startswith("OUT")
            else str(folder / f"{before}{word}")
            if word.isupper()
            else word
            for word in arguments.split()
        ]
        for before in ("", "few-")
    )
    outputs = [Path(word) for word in whole if f"out{jobs}" in word]
    usages = []
    for words in (few, whole):
        for output in outputs:
            output.unlink(missing_ok=True)
        usages.append(run(*words, "--from", "jsonl", f"-j{jobs}"))
    return usages[1], usages[0]


def _least(file: Path) -> tuple[float, float]:
    """Return the seconds for `json.loads` of all lines, and for the rules on all records, of which some are played."""
    begun = process_time()
    with file.open("rb") as lines:
        for line in lines:
            json.loads(line)
    parsing = process_time() - begun
    reports = [*islice(check_sources([Source(str(file), "jsonl")]), 10_000)]
    records: list[Record] = [report.record for report in reports if report.record]
    begun = process_time()
    for record in records:
        record.start().play_all(record.turns)
    return parsing, process_time() - begun


def _print(
    spent: dict[tuple[str, int], tuple[Usage, Usage]], records: int, plies: int, least: tuple[float, float]
) -> None:
    parsing, rules = least[0] / records * 1e6, least[1] / min(records, 10_000) * 1e6
    print(f"{records:,} records with {plies / records:.1f} turns on average", end="\n\n")
    print_table(
        "The least work in Python, microseconds of processor time a record",
        ["work", "", "µs"],
        [["json.loads", "", f"{parsing:.1f}"], ["rules", "", f"{rules:.1f}"]],
    )
    rows = []
    for command in _COMMANDS:
        (whole, few), (shared, start) = spent[command, 1], spent[command, 2]
        counted = records - _FEW
        alone = (whole.total - few.total) / counted * 1e6
        parent, workers = (
            max(0.0, getattr(shared, part) - getattr(start, part)) / counted * 1e6 for part in ("own", "workers")
        )
        full = f"{workers / parent:.1f}" if workers > parent / 10 else "-"
        memory = [f"{number:.0f}" for number in (whole.memory, shared.memory, shared.worker_memory)]
        times = f"{alone / (parsing + rules):.2f}"
        rows.append(
            [command, "", f"{alone:.1f}", f"{1e6 / alone:,.0f}", times, f"{parent:.1f}", f"{workers:.1f}", full]
        )
        rows[-1] += [memory[0], memory[1], memory[2]]
    heading = ["command", "", "µs a record", "records/s", "to least", "parent µs", "workers µs", "full at"]
    print_table("Commands on one core, and with two workers", [*heading, "MB alone", "MB parent", "MB worker"], rows)


if __name__ == "__main__":
    main()
