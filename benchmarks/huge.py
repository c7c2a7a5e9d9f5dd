"""A very large archive through `hexrec score`: `python benchmarks/huge.py`. The page beside it says how to read it."""

from __future__ import annotations

import argparse
import gzip
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import cycle, islice
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any, NamedTuple

from material import NO_LIMIT, images
from processes import descendants
from run import print_table

from hexrec.io.discovery import Source
from hexrec.parallel.chunks import Chunk, Slice, split
from hexrec.parallel.cluster import LOCAL, MOST_SHARDS, run_tasks
from hexrec.parallel.run import run
from hexrec.parallel.tasks import ScoreTask
from hexrec.record.random import random_record
from hexrec.rules import games

#: How many games of each game are played, on the smallest boards, to make the archive of.
PLAYED = 60
#: How many seconds lie between two looks at the processes.
INTERVAL = 0.5
#: How many chunks without records are run to find what one costs.
EMPTY = 2_000


class Look(NamedTuple):
    """What the system says of the processes of a run: memory in MB, processor time in seconds."""

    parent: float
    workers: float
    parent_cpu: float
    workers_cpu: float


def main() -> None:
    """Measure, and print the tables."""
    parser = argparse.ArgumentParser(description="Measure `hexrec score` on a very large generated archive.")
    parser.add_argument("--records", type=int, default=3_000_000, metavar="N")
    parser.add_argument("--dask", type=int, default=500_000, metavar="N", help="records for the other runs")
    options = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        runs = []
        for title, records, how in (
            ("1 worker", options.dask, ["--jobs", "1"]),
            ("2 workers", options.dask, ["--jobs", "2"]),
            ("Dask, 2 workers", options.dask, ["--jobs", "2", "--dask", "local"]),
            ("2 workers, all records", options.records, ["--jobs", "2"]),
        ):
            # A compressed file cannot be cut into shards.
            archive = folder / f"{records}.jsonl{'' if '--dask' in how else '.gz'}"
            plies = write_archive(records, archive) if not archive.exists() else count(archive)
            output = folder / ("parts" if "--dask" in how else "rows.csv")
            runs.append({"run": title, "records": records, "plies": plies, **measure(archive, how, output)})
        chunks = {name: cost_of_empty_chunks(jobs) for name, jobs in RUNNERS.items()}
        shards = dict(costs_of_shards(folder))
    print_runs(runs)
    print_table(
        "Microseconds for a chunk without records",
        ["runner", "", "µs"],
        [[n, "", f"{c:,.0f}"] for n, c in chunks.items()],
    )
    print_table("Seconds for shards", ["cost", "", "seconds"], [[n, "", f"{c:.3f}"] for n, c in shards.items()])


def write_archive(records: int, file: Path) -> int:
    """Write an archive of so many records, the images of random games again and again; return the number of plies."""
    say(f"an archive of {records:,} records")
    lines = []
    for name in games.names():
        rules = games.get(name)
        for number in range(PLAYED):
            played = random_record(rules, rules.sizes[number % 2], None, f"huge/{number}", NO_LIMIT, "row")
            # Ruling S-2 goes by the order of cells, so that the image of a game may end otherwise.
            del played["result"]
            lines += [(json.dumps(image)[:-1], len(image["moves"])) for image in images(played)]
    Random("huge").shuffle(lines)
    plies = 0
    with gzip.open(file, "wt", 1, "utf-8") if file.suffix == ".gz" else file.open("w", encoding="utf-8") as out:
        for number, (line, turns) in enumerate(islice(cycle(lines), records)):
            out.write(f'{line}, "id": "{number}"}}\n')
            plies += turns
    file.with_suffix(".plies").write_text(str(plies))
    return plies


def count(file: Path) -> int:
    """Return the number of plies in an archive that was written before."""
    return int(file.with_suffix(".plies").read_text())


def measure(archive: Path, how: list[str], output: Path) -> dict[str, Any]:
    """Score an archive, and look at the processes meanwhile."""
    say(f"scoring with {' '.join(how)}")
    output.unlink(missing_ok=True)
    program = [sys.executable, "-m", "hexrec", "score", str(archive), "-o", str(output), "--quiet", *how]
    looks = []
    start = perf_counter()
    with subprocess.Popen(program) as running:
        while running.poll() is None:
            looks.append(look(running.pid))
            time.sleep(INTERVAL)
    seconds = perf_counter() - start
    if running.returncode:
        sys.exit("not measured: a game of the archive is invalid")
    third = max(1, len(looks) // 3)
    return {
        "seconds": seconds,
        "memory at first": median(each.parent for each in looks[:third]),
        "memory at last": median(each.parent for each in looks[-third:]),
        "workers at first": median(each.workers for each in looks[:third]),
        "workers at last": median(each.workers for each in looks[-third:]),
        "parent": max(each.parent_cpu for each in looks) / seconds,
        "workers": max(each.workers_cpu for each in looks) / seconds,
    }


def look(pid: int) -> Look:
    """Look at a program, and at all processes below it."""
    below = {child for depth in (1, 2, 3) for child in descendants(pid, depth)}
    return Look(memory(pid), max(map(memory, below), default=0), cpu(pid), sum(map(cpu, below)))


def memory(pid: int) -> float:
    """Return the resident memory of a process in MB; 0 if it is gone."""
    try:
        found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0.0
    return int(found[1]) / 1024 if found else 0.0


def cpu(pid: int) -> float:
    """Return the processor time of a process in seconds; 0 if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / 100


#: How many processes work on chunks besides the program itself.
RUNNERS = {"this process": 0, "2 workers": 2}


def cost_of_empty_chunks(jobs: int) -> float:
    """Return the microseconds that a chunk takes in which there is nothing to do, the start of processes left out."""
    with closing(run(empty_chunks(EMPTY + 100), ScoreTask(), jobs)) as results:
        for _ in islice(results, 100):
            pass
        start = perf_counter()
        for _ in results:
            pass
        return (perf_counter() - start) / EMPTY * 1e6


def empty_chunks(number: int) -> Iterator[Chunk]:
    return (Chunk((Slice("empty.jsonl", "jsonl", data=b"\n"),)) for _ in range(number))


def costs_of_shards(folder: Path) -> Iterator[tuple[str, float]]:
    """Yield what shards take besides their records."""
    line = b'{"hexrec": "1"' + b" " * 200 + b"}\n"
    before = folder / "before.jsonl"
    before.write_bytes(line * (100_000_000 // len(line)) + b"{}\n")
    size = before.stat().st_size
    start = process_time()
    for _ in split([Source(str(before), "jsonl", part=range(size - 1, size))]):
        pass
    yield "a gigabyte that comes before", (process_time() - start) / size * 1e9
    empty = folder / "empty.jsonl"
    empty.write_bytes(b"")
    program = [sys.executable, "-m", "hexrec", "score", str(empty), "-q", "--shard", "1/2", "--format", "csv"]
    start = perf_counter()
    for _ in range(10):
        subprocess.run(program, check=True, stdout=subprocess.DEVNULL)
    yield "a run without records", (perf_counter() - start) / 10
    start = perf_counter()
    for _ in run_tasks(LOCAL, 2, str, {number: number for number in range(MOST_SHARDS)}):
        pass
    yield "a task without records, over Dask", (perf_counter() - start) / MOST_SHARDS


def print_runs(runs: list[dict[str, Any]]) -> None:
    """Print what the runs came to."""
    rows = [
        [
            each["run"],
            "",
            f"{each['records']:,}",
            f"{each['plies']:,}",
            f"{each['seconds']:,.0f}",
            f"{each['plies'] / each['seconds']:,.0f}",
            f"{each['records'] / each['seconds']:,.0f}",
            *(f"{each[of]:.0f}" for of in ("memory at first", "memory at last", "workers at first", "workers at last")),
            *(f"{each[of]:.2f}" for of in ("parent", "workers")),
        ]
        for each in runs
    ]
    heading = ["run", "", "records", "plies", "seconds", "plies/s", "records/s"]
    heading += ["MB first", "MB last", "worker first", "worker last", "parent CPU", "workers CPU"]
    print_table(
        "Scoring; memory of the parent and of its largest worker in the first and the last third of the run",
        heading,
        rows,
    )


def say(message: str) -> None:
    print(message, file=sys.stderr)


if __name__ == "__main__":
    main()
