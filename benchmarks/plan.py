"""Plan a run on many machines: `python benchmarks/plan.py` measures its parts, computes, simulates and rehearses it.

The parts are the commands on a shard and the merges, each on two archives: the difference is the time of the records.
The simulated run draws the times of shards from the measured ones, and loses machines. The rehearsal runs shards of a
few records as processes, kills some, merges the parts, and compares them with the output of one run.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from importlib import import_module
from itertools import islice
from pathlib import Path
from random import Random
from statistics import mean, quantiles
from tempfile import TemporaryDirectory
from typing import NamedTuple

from huge import say
from material import NO_LIMIT
from processes import run as run_program
from pyarrow import parquet
from run import print_table

from hexrec.__main__ import main as hexrec
from hexrec.io.outputs import sizes_in
from hexrec.record.random import random_record
from hexrec.rules import games

#: The commands, each with the name of its output, and whether merged parts are needed for an answer.
STEPS = {
    "validate": ("report.txt", False),
    "score": ("rows.parquet", False),
    "turns": ("tables", False),
    "stats": ("counts.json", True),
    "dedupe": ("once.jsonl", True),
}
#: The commands that are rehearsed, and modules that they need, which are imported once for all processes.
REHEARSED = ("stats", "dedupe")
_PRELOADED = (*(f"cli.{step}" for step in REHEARSED), "cli.merge", "tools.convert")
#: The number of shards of a measured archive, and how many times the records of the first one the second has.
SHARDS, TIMES = 4, 4
#: The simulated runs of a kind.
SIMULATED = 200
#: The probability that a shard of the rehearsal is killed, and the bounds of its life in seconds.
KILLED, LIVES = 0.1, (0.01, 0.15)


class Part(NamedTuple):
    """A measured part of the plan: processor time in seconds and bytes of output, for a record; memory in MB.

    Attributes:
        spread: the times of shards, relative to their mean.
    """

    seconds: float
    written: float
    memory: float
    spread: Sequence[float] = (1.0,)


class Assumptions(NamedTuple):
    """The cluster of a plan: prices in dollars, a failure ends a machine, which is replaced after some hours."""

    records: int
    shards: int
    machines: int
    cores: int
    price: float
    failures: float
    replaced: float
    slow: float
    slower: float


def main() -> None:
    """Measure, compute, simulate, rehearse, and print the tables."""
    parser = argparse.ArgumentParser(description="Plan a run on many machines.")
    parser.add_argument("--measured", type=int, default=80_000, metavar="N", help="the records of the larger archive")
    parser.add_argument("--rehearsed", type=int, default=5_000, metavar="N", help="the records of the rehearsal")
    parser.add_argument("--records", type=int, default=1_000_000_000, metavar="N")
    parser.add_argument("--shards", type=int, default=1_000, metavar="N", help="of the plan and of the rehearsal")
    parser.add_argument("--machines", type=int, default=100, metavar="N")
    parser.add_argument("--cores", type=int, default=2, metavar="N", help="of a machine")
    parser.add_argument("--price", type=float, default=0.05, metavar="DOLLARS", help="of an hour of a core")
    parser.add_argument("--failures", type=float, default=0.05, metavar="RATE", help="of a machine in an hour")
    parser.add_argument("--replaced", type=float, default=0.1, metavar="HOURS", help="until a machine is replaced")
    parser.add_argument("--slow", type=float, default=0.02, metavar="SHARE", help="of the shards")
    parser.add_argument("--slower", type=float, default=4.0, metavar="TIMES", help="the time of a slow shard")
    options = vars(parser.parse_args())
    measured, rehearsed = options.pop("measured"), options.pop("rehearsed")
    plan = Assumptions(**options)
    with TemporaryDirectory() as name:
        folder = Path(name)
        size = write_archive(folder / "rehearsed.jsonl", rehearsed) / rehearsed
        rows = [*rehearse(folder, plan.shards)]
        parts, merges = measure(folder, measured)
    print(f"{plan.records:,} records of {size:.0f} bytes in {plan.shards:,} files, one a shard", end="; ")
    print(f"{plan.machines} machines with {plan.cores} cores, ${plan.price:g} for an hour of a core")
    print(f"a machine fails {plan.failures:g} times an hour and is replaced in {plan.replaced:g} hours", end="; ")
    print(f"{plan.slow:.0%} of the shards take {plan.slower:g} times as long", end="\n\n")
    print_parts(parts, merges)
    print_plan(parts, merges, plan, size)
    print_simulated(parts, plan)
    heading = ["command", "", "shards", "killed", "named by merge", "as one run"]
    print_table(f"Rehearsed with {rehearsed:,} records", heading, rows)


def write_archive(file: Path, records: int) -> int:
    """Write random games of all games on their two smallest boards; return the size of the file in bytes."""
    say(f"an archive of {records:,} records")
    every = [(games.get(name), size) for name in games.names() for size in games.get(name).sizes[:2]]
    with file.open("w", encoding="utf-8") as out:
        for number in range(records):
            game, size = every[number % len(every)]
            out.write(json.dumps(random_record(game, size, None, f"plan/{number}", NO_LIMIT)) + "\n")
    return file.stat().st_size


def measure(folder: Path, records: int) -> tuple[dict[str, Part], dict[str, Part]]:
    """Return by command its part of the plan, and that of its merge."""
    write_archive(folder / "many.jsonl", records)
    with (folder / "many.jsonl").open(encoding="utf-8") as lines:
        (folder / "few.jsonl").write_text("".join(islice(lines, records // TIMES)), encoding="utf-8")
    added = records - records // TIMES
    parts, merges = {}, {}
    for step, (output, is_merged) in STEPS.items():
        say(f"measuring {step}")
        shards, merged = {}, {}
        for name in ("few", "many"):
            directory = folder / f"{step}-{name}"
            directory.mkdir()
            arguments: list[str | Path] = [step, "-q", "-j1", folder / f"{name}.jsonl"]
            shards[name] = [
                run_program(*arguments, "--shard", f"{number}/{SHARDS}", "-o", directory / f"{number}-{output}")
                for number in range(1, SHARDS + 1)
            ]
            if is_merged:
                merged[name] = run_program("merge", "-q", directory, "-o", folder / f"{name}-{output}")
        few, many = ([usage.total for usage in shards[name]] for name in ("few", "many"))
        own = [more - less for more, less in zip(many, few, strict=True)]
        written = sum(sizes_in(folder / f"{step}-many").values()) / records
        memory = max(usage.memory for usage in shards["many"])
        parts[step] = Part(sum(own) / added, written, memory, [seconds / mean(own) for seconds in own])
        if is_merged:
            seconds = max(0.0, (merged["many"].total - merged["few"].total) / added)
            written = (folder / f"many-{output}").stat().st_size / records
            merges[step] = Part(seconds, written, merged["many"].memory)
    return parts, merges


def print_parts(parts: dict[str, Part], merges: dict[str, Part]) -> None:
    """Print what was measured."""
    named = [*parts.items(), *((f"merge of {step}", part) for step, part in merges.items())]
    rows = [
        [name, "", f"{part.seconds * 1e6:,.1f}", f"{part.written:.0f}", f"{part.memory:.0f}"] for name, part in named
    ]
    print_table("Parts, measured", ["command", "", "µs a record", "bytes a record", "MB"], rows)


def print_plan(parts: dict[str, Part], merges: dict[str, Part], plan: Assumptions, size: float) -> None:
    """Print time, cost and traffic of the plan if nothing fails."""
    rows = []
    for step, part in parts.items():
        hours = plan.records * part.seconds / 3600
        traffic = plan.records * (size + part.written)
        rows.append(_planned(step, hours, plan.machines * plan.cores, traffic, part.memory, plan))
    for step, part in merges.items():
        # The counts of a shard do not grow with its records.
        records = plan.records if step != "stats" else 0
        traffic = records * (parts[step].written + part.written)
        rows.append(_planned(f"merge of {step}", records * part.seconds / 3600, 1, traffic, part.memory, plan))
    heading = ["command", "", "cores", "hours", "dollars", "GB moved", "MB/s a machine", "MB a core"]
    print_table("Planned", heading, rows)


def _planned(name: str, hours: float, cores: int, traffic: float, memory: float, plan: Assumptions) -> list[str]:
    wall = hours / cores
    machines = max(1, cores // plan.cores)
    rate = traffic / machines / wall / 3600 / 1e6 if wall else 0
    numbers = [f"{wall:.2f}", f"{hours * plan.price:.2f}", f"{traffic / 1e9:,.0f}", f"{rate:.1f}", f"{memory:.0f}"]
    return [name, "", str(cores), *numbers]


def print_simulated(parts: dict[str, Part], plan: Assumptions) -> None:
    """Print the time of all commands on all shards, when machines fail and shards are slow."""
    seconds = sum(part.seconds for part in parts.values()) * plan.records / plan.shards
    spread = [relative for part in parts.values() for relative in part.spread]
    rows = []
    for name, failures, slow in (
        ("nothing", 0.0, 0.0),
        ("machines fail", plan.failures, 0.0),
        ("slow shards", 0.0, plan.slow),
        ("both", plan.failures, plan.slow),
    ):
        kind = plan._replace(failures=failures, slow=slow)
        runs = [simulate(seconds / 3600, spread, kind, Random(f"{name}/{number}")) for number in range(SIMULATED)]
        hours = quantiles([run[0] for run in runs], n=20)
        row = [f"{hours[9]:.2f}", f"{hours[18]:.2f}", f"{mean(run[1] for run in runs):.1f}"]
        rows.append([name, "", *row, f"{mean(run[2] for run in runs) * plan.price:.2f}"])
    heading = ["what goes wrong", "", "hours", "hours 95%", "shards again", "dollars"]
    print_table(f"Simulated: {plan.shards:,} shards with all commands", heading, rows)


def simulate(hours: float, spread: Sequence[float], plan: Assumptions, rng: Random) -> tuple[float, int, float]:
    """Return the hours until all shards are done, how many were begun again, and the hours of cores paid for.

    `hours` is the mean time of a shard. A machine that fails loses the shards of its cores.
    """
    waiting = [
        hours * rng.choice(spread) * (plan.slower if rng.random() < plan.slow else 1.0) for _ in range(plan.shards)
    ]
    end = [_next_failure(0.0, plan, rng) for _ in range(plan.machines)]
    #: The time of an event, the core that is free then, and a shard that is then known to be lost.
    events: list[tuple[float, int, float]] = []
    for core in range(plan.machines * plan.cores):
        heappush(events, (0.0, core, 0.0))
    done, again, last = 0, 0, 0.0
    idle: list[tuple[float, int]] = []
    while done < plan.shards:
        now, core, lost = heappop(events)
        if lost > 0:  # a shard of a machine that failed
            waiting.append(lost)
            again += 1
            if idle:
                heappush(events, (now, heappop(idle)[1], 0.0))
            continue
        if lost < 0:  # a shard is done
            done, last = done + 1, now
        if not waiting:
            heappush(idle, (now, core))
            continue
        machine, seconds = core // plan.cores, waiting.pop()
        while end[machine] <= now:  # and is replaced
            now = max(now, end[machine] + plan.replaced)
            end[machine] = _next_failure(end[machine] + plan.replaced, plan, rng)
        failed = end[machine]
        if now + seconds <= failed:
            heappush(events, (now + seconds, core, -1.0))
        else:
            heappush(events, (failed, core, seconds))
            heappush(events, (failed + plan.replaced, core, 0.0))
    return last, again, last * plan.machines * plan.cores


def _next_failure(now: float, plan: Assumptions, rng: Random) -> float:
    return now + rng.expovariate(plan.failures) if plan.failures else float("inf")


def rehearse(folder: Path, count: int) -> Iterator[list[str]]:
    """Run every command on shards of a small archive, kill some, merge, and compare. Yield the rows of a table."""
    archive = folder / "rehearsed.jsonl"
    rng = Random("rehearsal")
    for module in _PRELOADED:
        import_module(f"hexrec.{module}")
    for step in REHEARSED:
        output, _ = STEPS[step]
        say(f"rehearsing {step}")
        parts, whole, merged = (folder / f"{kind}-{step}" for kind in ("parts", "whole", "merged"))
        parts.mkdir()
        shards: dict[int, list[str | Path]] = {
            number: [step, "-q", "-j1", archive, "--shard", f"{number}/{count}", "-o", parts / f"{number}-{output}"]
            for number in range(1, count + 1)
        }
        lives = (rng.uniform(*LIVES) if rng.random() < KILLED else None for _ in shards)
        ended = {number: start(shards[number], life) for number, life in zip(shards, lives, strict=True)}
        killed = [number for number, code in ended.items() if code == -signal.SIGALRM]
        join: list[str | Path] = ["merge", "-q", parts, "-o", merged / output]
        merged.mkdir()
        is_refused = start(join) == 2
        whole.mkdir()
        force = ["--force"] if step == "turns" else []
        again = [start([*shards[number], *force]) for number in killed]
        codes = [*again, start(join), start([step, "-q", "-j1", archive, "-o", whole / output])]
        if any(codes) or {*ended.values()} - {0, -signal.SIGALRM}:
            sys.exit(f"not rehearsed: a run of {step} failed")
        is_equal = contents(merged / output) == contents(whole / output)
        answers = ("yes" if known else "no" for known in (is_refused, is_equal))
        yield [step, "", f"{count:,}", str(len(killed)), *answers]


def start(arguments: Sequence[str | Path], life: float | None = None) -> int:
    """Run a command in a copy of this process, which is killed after `life` seconds.

    Return its exit code, or the negative number of the signal that ended it.
    """
    child = os.fork()
    if child == 0:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        if life is not None:
            signal.setitimer(signal.ITIMER_REAL, life)
        sys.argv = ["hexrec", *map(str, arguments)]
        try:
            hexrec()
        except SystemExit as ended:
            os._exit(ended.code if isinstance(ended.code, int) else 1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def contents(output: Path) -> object:
    """Return the bytes of a file, the rows of a Parquet file in it, or those of all files in a directory."""
    if output.is_dir():
        return {name: contents(output / name) for name in sizes_in(output)}
    if output.suffix == ".parquet":
        return parquet.read_table(output, partitioning=None).to_pylist()
    return output.read_bytes()


if __name__ == "__main__":
    main()
