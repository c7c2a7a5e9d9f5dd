"""Validate an archive with another version of hexrec and with this one; print the records with different reports.

`python -m tests.corpus --base PYTHON PATH…`: PYTHON has the other version installed. The table is Markdown.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

#: The maximum number of rows.
_MOST = 200


class Summary(NamedTuple):
    """The parts of a report that are compared: validity, the winner, and the codes and plies of the diagnostics."""

    valid: bool
    winner: str | None
    diagnostics: tuple[str, ...]

    def __str__(self) -> str:
        winner = f"winner {self.winner}" if self.winner else "no winner"
        return ", ".join(("valid" if self.valid else "invalid", winner, *self.diagnostics))


def main() -> None:
    """Print the table; the exit code is 0, whatever changed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", required=True, help="the Python with the other version")
    parser.add_argument("paths", nargs="+")
    options = parser.parse_args()
    before, after = (summarize(validate(python, options.paths)) for python in (options.base, sys.executable))
    print(*table(before, after), sep="\n")


def validate(python: str, paths: list[str]) -> Iterator[str]:
    """Yield the lines that a version prints."""
    settings = ("--format", "jsonl", "--no-config", "--quiet", "--suggest", "0")
    program = [python, "-P", "-m", "hexrec", "validate", *settings, *paths]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield from process.stdout
    if process.returncode not in (0, 1, 2):
        sys.exit(f"{python} ended with {process.returncode}")


def summarize(lines: Iterable[str]) -> dict[str, Summary]:
    """Return the summaries of reports by the places of the records."""
    found = {}
    for line in lines:
        report: dict[str, Any] = json.loads(line)
        codes = map(_named, report["diagnostics"])
        winner = report["result"] and report["result"]["winner"]
        found[f"{report['file']}:{report['index']}"] = Summary(report["valid"], winner, tuple(codes))
    return found


def _named(diagnostic: dict[str, Any]) -> str:
    ply = f" at ply {diagnostic['ply']}" if "ply" in diagnostic else ""
    return f"{diagnostic['code']}{ply}"


def table(before: dict[str, Summary], after: dict[str, Summary]) -> Iterator[str]:
    """Yield the number of differences and the lines of their table."""
    places = dict.fromkeys([*before, *after])
    changed = [place for place in places if before.get(place) != after.get(place)]
    yield f"{len(changed):,} of {len(places):,} records have a different report"
    if changed:
        yield from ("", "| record | before | after |", "|---|---|---|")
    for place in islice(changed, _MOST):
        yield f"| {place} | {before.get(place, 'not read')} | {after.get(place, 'not read')} |"
    if len(changed) > _MOST:
        yield f"\n{len(changed) - _MOST:,} more changes"


if __name__ == "__main__":
    main()
