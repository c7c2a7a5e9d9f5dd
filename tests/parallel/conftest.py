"""Archives in which every record gives another row."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from hexrec.io.discovery import Discovery
from hexrec.output import rows
from hexrec.output.rows import decode_rows
from hexrec.parallel.chunks import ChunkLimits, split
from hexrec.parallel.run import run
from hexrec.parallel.tasks import ScoreTask
from tests.cli.conftest import SHORT_GAME, hexrec

__all__ = ["hexrec"]  # a fixture

#: A cluster's own code leaves sockets and loops to the garbage collector.
untidy = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
#: Chunks of about three records.
SMALL = ChunkLimits(size=400, files=3, whole=10_000)


def record(number: int, **changes: Any) -> str:
    """Return a line with a record of which every fourth has a fault, all of them different."""
    faults: dict[int, dict[str, Any]] = {
        1: {"moves": ["a1", "c3"]},
        2: {"result": {"winner": "black"}},
        3: {"size": 99},
    }
    return json.dumps({**SHORT_GAME, "id": f"game {number}", **faults.get(number % 8, {}), **changes}) + "\n"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A file with 40 records, blank lines, and lines that are no record."""
    lines = [record(number) for number in range(40)]
    lines[7:7] = ["\n", "{\n", "  \n"]
    lines[20:20] = ["[" * 200 + "\n", "\udcff\n"]
    path = tmp_path / "archive.jsonl"
    path.write_text("".join(lines) + record(40).strip(), errors="surrogateescape")
    return path


def copy_of(archive: Path) -> Path:
    """Return a second file with the same records: a file that is named twice is read once."""
    copy = archive.with_name("copy.jsonl")
    copy.write_bytes(archive.read_bytes())
    return copy


def scored(
    paths: Iterable[Path | str],
    jobs: int = 0,
    task: ScoreTask | None = None,
    limits: ChunkLimits = SMALL,
    seconds: float | None = None,
) -> dict[str, list[Any]]:
    """Return all rows of some files, as columns."""
    chunks = split(Discovery(map(str, paths)), limits)
    made = [
        row for batch in run(chunks, task or ScoreTask(), jobs, seconds) for row in decode_rows(batch.gathered.part)
    ]
    return {name: [row[place] for row in made] for place, name in enumerate(rows.COLUMNS)}
