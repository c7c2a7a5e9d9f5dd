"""What runs of `python -m tests.fuzz.plain` have done; `python -m tests.fuzz.counts` puts the table on the page.

A file of counts has a list of runs for each target. A run is chunks in a row on one corpus; a target's chunks have the
numbers from 0 on without a gap.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import NamedTuple

from hexrec.files.atomic import atomic_write

COUNTED = Path(__file__).with_name("counts.json")
PAGE = Path(__file__).with_name("README.md")
_TABLE = re.compile(r"(?<=<!-- counts -->\n\n).*?\n(?=\n<!-- /counts -->)", re.DOTALL)


class Done(NamedTuple):
    """What was done in a chunk: how many inputs, whether the last broke a promise, in how many processor seconds."""

    inputs: int
    broken: bool
    seconds: float


@dataclass
class Run:
    """Chunks of a target that follow each other, with one corpus.

    Attributes:
        corpus: the digest of what was mutated.
        first: the number of the first chunk.
        chunks: how many there are.
        inputs: how many were tried.
        broken: how many of them broke a promise.
        seconds: how long that took, in seconds of a processor.
        until: the day of the last chunk, ``2026-01-31``.
    """

    corpus: str
    first: int
    chunks: int = 0
    inputs: int = 0
    broken: int = 0
    seconds: float = 0.0
    until: str = ""


Counts = dict[str, list[Run]]


def read(path: Path) -> Counts:
    """Return what a file holds; nothing if it is not there. Raises OSError and ValueError."""
    if not path.exists():
        return {}
    return {name: [Run(**run) for run in runs] for name, runs in json.loads(path.read_text("utf-8")).items()}


def write(counts: Counts, path: Path) -> None:
    """Write a file of counts. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as out:
        out.write(json.dumps({name: [asdict(run) for run in runs] for name, runs in counts.items()}, indent=1) + "\n")


def next_chunk(counts: Counts, name: str) -> int:
    """Return the number of a target's next chunk."""
    runs = counts.get(name)
    return runs[-1].first + runs[-1].chunks if runs else 0


def inputs(counts: Counts, name: str) -> int:
    """Return how many inputs a target has had."""
    return sum(run.inputs for run in counts.get(name, ()))


def add(counts: Counts, name: str, corpus: str, done: Done) -> None:
    """Count a target's next chunk."""
    runs = counts.setdefault(name, [])
    if not runs or runs[-1].corpus != corpus:
        runs.append(Run(corpus, next_chunk(counts, name)))
    run = runs[-1]
    run.chunks += 1
    run.inputs += done.inputs
    run.broken += done.broken
    run.seconds = round(run.seconds + done.seconds, 1)
    run.until = date.today().isoformat()


def table(counts: Counts) -> str:
    """Return the counts of all targets as Markdown."""
    rows = []
    for name, runs in counts.items():
        tried, seconds = inputs(counts, name), sum(run.seconds for run in runs)
        broken = sum(run.broken for run in runs)
        share = f"{tried / 10**7:.1%}"
        rows.append(f"| `{name}` | {tried:,} | {share} | {seconds / 60:,.0f} | {tried / seconds:,.0f} | {broken} |")
    heading = "| target | inputs | of 10⁷ | minutes | rate | promises broken |\n|---|---|---|---|---|---|\n"
    return heading + "\n".join(rows) + "\n"


def page(text: str, counts: Counts) -> str:
    """Return the text of the page with these counts."""
    return _TABLE.sub(lambda _: table(counts), text)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8"), read(COUNTED)), "utf-8")
