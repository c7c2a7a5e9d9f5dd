"""Measure the commands for archives as people run them: `python benchmarks/on_archives.py` prints the tables.

Every command is a process of its own, once with one process and once with two workers, on an archive and on the first
part of it: the difference is the time of the records, without the start of the processes. The sum of `json.loads` and
the rules is measured in the same run.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time

import chess
from huge import write_archive
from processes import Measured, describe_spread
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
    "dedupe": "dedupe -q CUT -o OUT.jsonl --force --report OUT-report.jsonl",
    "dedupe --mirrored ignore": "dedupe -q CUT -o OUT.jsonl --force --report OUT-report.jsonl --mirrored ignore",
}
#: The archive has so many times the records of its first part.
_TIMES = 4
#: The number of records that are parsed and played to find the least work.
_PLAYED = 10_000


def main() -> None:
    """Measure in turn, and print the tables."""
    parser = argparse.ArgumentParser(description="Measure the commands for archives.")
    parser.add_argument("--records", type=int, default=100_000, metavar="N", help="the size of the archive")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="run every command N times")
    options = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        plies = _write(options.records, folder)
        measured = {
            (command, jobs): _prepare(arguments, jobs, folder, options.records)
            for command, arguments in _COMMANDS.items()
            for jobs in (1, 2)
        }
        times = []
        for _ in range(options.rounds):
            times.append(_least(folder / "FILE"))
            for command in measured.values():
                command.measure()
    print(f"{platform.python_implementation()} {platform.python_version()}, hexrec {__version__}", end=", ")
    print(f"python-chess {chess.__version__}, machine {platform.machine()}, CPUs {os.cpu_count()}", end="; ")
    print(describe_spread(measured.values()), end="\n\n")
    print(f"{options.records:,} records with {plies / options.records:.1f} turns on average", end="\n\n")
    parsing, rules = (min(seconds) * 1e6 for seconds in zip(*times, strict=True))
    print_table(
        "The least work in Python, microseconds of processor time a record",
        ["work", "", "µs"],
        [["json.loads", "", f"{parsing:.1f}"], ["rules", "", f"{rules:.1f}"]],
    )
    _print(measured, parsing + rules)


def _write(records: int, folder: Path) -> int:
    """Write the archives, and their first parts under names with `part-`; return the number of plies."""
    plies = write_archive(records, folder / "FILE")
    rng = Random("commands")
    with (folder / "FILE").open(encoding="utf-8") as lines, (folder / "CUT").open("w", encoding="utf-8") as out:
        for line in lines:
            data = json.loads(line)
            data["moves"] = data["moves"][: rng.randint(1, len(data["moves"]))]
            out.write(json.dumps(data) + "\n")
    for name in ("FILE", "CUT"):
        with (folder / name).open(encoding="utf-8") as lines:
            (folder / f"part-{name}").write_text("".join(islice(lines, records // _TIMES)), encoding="utf-8")
    return plies


def _prepare(arguments: str, jobs: int, folder: Path, records: int) -> Measured:
    words = [*arguments.split(), "--from", "jsonl", f"-j{jobs}"]
    few, many = (
        [
            str(folder / (word if word.startswith("OUT") else part + word)) if word[0].isupper() else word
            for word in words
        ]
        for part in ("part-", "")
    )
    return Measured(few, many, records - records // _TIMES)


def _least(file: Path) -> tuple[float, float]:
    """Return the seconds for `json.loads` of a record, and for the rules on it."""
    with file.open("rb") as stream:
        lines = [*islice(stream, _PLAYED)]
    begun = process_time()
    for line in lines:
        json.loads(line)
    parsing = process_time() - begun
    reports = islice(check_sources([Source(str(file), "jsonl")]), len(lines))
    records: list[Record] = [report.record for report in reports if report.record]
    begun = process_time()
    for record in records:
        record.start().play_all(record.turns)
    return parsing / len(lines), (process_time() - begun) / len(records)


def _print(measured: dict[tuple[str, int], Measured], least: float) -> None:
    rows = []
    for command in _COMMANDS:
        alone, shared = measured[command, 1].record, measured[command, 2].record
        once, parent, workers = (seconds * 1e6 for seconds in (measured[command, 1].seconds, *shared[:2]))
        full = f"{workers / parent:.1f}" if workers > parent > 0 else "-"
        row = [command, "", f"{once:.1f}", f"{1e6 / once:,.0f}", f"{once / least:.2f}"]
        row += [f"{parent:.1f}", f"{workers:.1f}", full]
        rows.append(row + [f"{number:.0f}" for number in (alone.memory, shared.memory, shared.worker_memory)])
    heading = ["command", "", "µs a record", "records/s", "to least", "parent µs", "workers µs", "full at"]
    print_table("Commands on one core, and with two workers", [*heading, "MB alone", "MB parent", "MB worker"], rows)


if __name__ == "__main__":
    main()
