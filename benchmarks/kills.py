"""Kill `hexrec score` again and again: `python benchmarks/kills.py`. What it writes must stay the same bytes."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from huge import write_archive
from processes import descendants
from run import print_table

SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV]


def main() -> None:
    """Score an archive undisturbed, with workers killed, and with the whole program killed; print the figures."""
    parser = argparse.ArgumentParser(description="Kill workers and whole runs of `hexrec score` at random.")
    parser.add_argument("--kills", type=int, default=100, metavar="N", help="how many workers, and how many runs")
    parser.add_argument("--records", type=int, default=20_000, metavar="N", help="how many games the archive has")
    parser.add_argument("--seed", default="kills", help="for the moments and the processes")
    options = parser.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        archive = folder / "archive.jsonl"
        write_archive(options.records, archive)
        chance = Random(options.seed)
        expected, alone = undisturbed(archive, folder)
        rows = [["nothing", "0", f"{alone:.1f}", "1"]]
        for what, kill in (("workers", kill_workers), ("runs", kill_runs)):
            output = folder / f"{what}.csv"
            begun = time.perf_counter()
            killed, runs = kill(archive, output, options.kills, alone, chance)
            if output.read_bytes() != expected:
                sys.exit(f"killing {what} changed the rows")
            rows.append([what, f"{killed}", f"{time.perf_counter() - begun:.1f}", f"{runs}"])
            left = sorted(path.name for path in folder.iterdir() if path.name.startswith("."))
            if left:
                sys.exit(f"killing {what} left {', '.join(left)}")
    print_table(
        f"Kills at random, {options.records:,} games",
        ["killed", "", "kills", "seconds", "runs"],
        [[row[0], "", *row[1:]] for row in rows],
    )
    print("The rows were the same bytes each time.")


def undisturbed(archive: Path, folder: Path) -> tuple[bytes, float]:
    """Return what an undisturbed run writes, and how many seconds it takes."""
    output = folder / "undisturbed.csv"
    begun = time.perf_counter()
    with start(archive, output) as running:
        running.wait()
    return output.read_bytes(), time.perf_counter() - begun


def start(archive: Path, output: Path, *more: str) -> subprocess.Popen[bytes]:
    """Start a run with two workers."""
    program = [sys.executable, "-m", "hexrec", "score", str(archive), "-o", str(output), "-j2", "--quiet", *more]
    return subprocess.Popen(program, start_new_session=True, stderr=subprocess.DEVNULL)


def kill_workers(archive: Path, output: Path, kills: int, alone: float, chance: Random) -> tuple[int, int]:
    """Kill workers at random moments of runs, until there have been so many kills; return these and the runs."""
    killed = runs = 0
    while killed < kills:
        runs += 1
        output.unlink(missing_ok=True)
        with start(archive, output) as running:
            while running.poll() is None:
                # A new worker has to get somewhere: a record that ends two processes in a row is taken for the cause.
                time.sleep(chance.random() * alone / 4)
                workers = descendants(running.pid, 1)
                if workers and killed < kills:
                    killed += _killed(chance.choice(workers), chance.choice(SIGNALS))
        if running.returncode:
            sys.exit(f"killing workers ended the run with {running.returncode}")
    return killed, runs


def kill_runs(archive: Path, output: Path, kills: int, alone: float, chance: Random) -> tuple[int, int]:
    """Kill whole programs, their workers left to themselves, and go on with --resume; return the kills and the runs.

    When a run gets to its end before there were so many, it begins anew.
    """
    killed = runs = 0
    while True:
        runs += 1
        with start(archive, output, "--resume") as running:
            processes = []
            if killed < kills:
                # A run needs some time until it has done anything at all.
                time.sleep(1 + chance.random() * alone / 3)
                processes = descendants(running.pid, 1)
                killed += running.poll() is None and _killed(running.pid, signal.SIGKILL)
            running.wait()
        for _ in range(600):
            if not any(Path(f"/proc/{pid}").exists() for pid in processes):
                break
            time.sleep(0.1)
        else:
            sys.exit("killing a run left processes behind")
        if running.returncode == 0 and killed >= kills:
            return killed, runs
        if running.returncode == 0:
            output.unlink()
        elif running.returncode > 0:
            sys.exit(f"a run ended with {running.returncode}")


def _killed(pid: int, number: signal.Signals) -> bool:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


if __name__ == "__main__":
    main()
