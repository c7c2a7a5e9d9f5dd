"""Whole reports of both installations: HEXREC_PURE=1 changes speed and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from hexrec.io.discovery import Source
from hexrec.record.record import turn_of
from tests.fixtures import FIXTURES, files
from tests.properties import FACTOR, sample

#: A record that only a part of the rules can score: it is always among those that are compared.
UNDECIDED = FIXTURES / "sundraval/valid/undecided-groups-first-cells-are-compared.yaml"
#: The maximum number of replays for the repairs of a record, and the number of processes for each installation.
REPLAYS, PARTS = ("2000", 4) if FACTOR > 1 else ("300", 1)


def overwritten(record: Any, number: int) -> dict[str, Any] | None:
    """Return a record with the turn at an index, which a number chooses, overwritten by the turn before it."""
    moves = record.get("moves") if isinstance(record, dict) else None
    if not isinstance(moves, list) or not 1 < len(moves) < 200:
        return None
    index = 1 + number % (len(moves) - 1)
    try:
        turn = turn_of(moves[index - 1])
    except (KeyError, TypeError):
        return None
    return {**record, "moves": [*moves[:index], turn, *moves[index + 1 :]]}


def run(paths: list[Path], *, pure: bool, options: list[str]) -> subprocess.CompletedProcess[bytes]:
    """Run a command over files in a process of its own."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("HEXREC_")}
    if pure:
        environment["HEXREC_PURE"] = "1"
    command = [sys.executable, "-m", "hexrec", *options, *map(str, paths)]
    return subprocess.run(command, capture_output=True, check=False, env=environment)


def both(paths: list[Path], *options: str) -> bytes:
    """Return the output of a command, which is that of both installations."""
    compiled, pure = (run(paths, pure=pure, options=[*options]) for pure in (False, True))
    assert (compiled.returncode, compiled.stdout) == (pure.returncode, pure.stdout)
    return compiled.stdout


@pytest.mark.slow
def test_reports_and_repairs_are_the_same(tmp_path: Path) -> None:
    fixtures = [path for kind in ("valid", "invalid", "lenient", "lint") for path in files(kind)]
    games = sorted(FIXTURES.glob("*/reference/games.jsonl"))
    chosen = sorted({*sample(fixtures, 40), *games, UNDECIDED})
    broken = []
    for path in chosen:
        name = path.name
        for document in Source(str(path)).documents() if path.suffix in (".yaml", ".json") else ():
            record = overwritten(document.data, 0 if path == UNDECIDED else crc32(name.encode()))
            if record is not None:
                broken.append(json.dumps(record))
    written = [tmp_path / f"{part}.jsonl" for part in range(PARTS)]
    for part, path in enumerate(written):
        path.write_text("".join(f"{line}\n" for line in broken[part::PARTS]), encoding="utf-8")
    options = ("--suggest", "1000000", "--replays", REPLAYS)
    for paths in (chosen, *([path] for path in written)):
        report = json.loads(both(paths, "validate", "--format", "json", "--lint", "--jobs", "1", *options))
        assert report["summary"]["invalid"]
        assert any("suggestions" in each for found in report["records"] for each in found["diagnostics"])
    for path in written:
        diff = both([path], "fix", "--suggestions", "--diff", *options)
        assert PARTS > 1 or diff.startswith(b"---")
