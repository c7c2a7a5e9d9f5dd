"""The search for records at fault, without processes: what it finds, and how often something has to be tried."""

from __future__ import annotations

import gzip
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hexrec.batch.bisect import bisect, run_or_bisect
from hexrec.batch.chunks import Chunk, split
from hexrec.batch.run import run
from hexrec.batch.runners import try_chunk
from hexrec.batch.tasks import ChunkFailure, ChunkResult, ChunkTask, ScoreTask, ValidateTask
from hexrec.files.discovery import Discovery
from hexrec.settings.selection import Selection
from tests.batch.conftest import SMALL, record, scored
from tests.batch.deadly import Deadly

LARGE = SMALL._replace(size=1_000_000, files=100, whole=1_000_000, compressed=1_000_000)


class Attempts:
    """Does chunks here; some attempts end as if the process had been killed.

    Attributes:
        count: how many attempts there were, and how many of them failed.
    """

    def __init__(self, task: ChunkTask, deaths: float = 0, seed: int = 0) -> None:
        self._task = task
        self._deaths = deaths
        self._chance = Random(seed)
        self.count = [0, 0]

    def __call__(self, chunk: Chunk, share: float) -> ChunkResult | ChunkFailure:
        assert 0 < share <= 1
        self.count[0] += 1
        found = try_chunk(self._task, chunk)
        # The longer it takes, the more probably somebody kills the process meanwhile; once somebody always does.
        if isinstance(found, ChunkResult) and (
            self._deaths and (self.count[1] == 0 or self._chance.random() < self._deaths * (2 + found.records) / 100)
        ):
            found = ChunkFailure("from outside", worker_died=True)
        self.count[1] += isinstance(found, ChunkFailure)
        return found

    def run(self, chunks: Any, task: ChunkTask) -> Any:
        """Be a runner."""
        for chunk in chunks:
            yield chunk, run_or_bisect(chunk, task, self)


def archive(folder: Path, kind: str, count: int) -> list[Path]:
    """Write records to files of some kind; return the files."""
    texts = [record(number) for number in range(count)]
    if kind == "files":
        for number, text in enumerate(texts):
            (folder / f"{number:04}.json").write_text(text)
        (folder / "empty.jsonl").write_text("\n\n")
        (folder / "empty.yaml").write_text("")
        (folder / "none.json").symlink_to("nowhere")
        return [folder]
    path = folder / f"archive.{kind}"
    text = "".join(f"---\n{text}" if kind == "yaml" else f"{text}\n" for text in texts)
    path.write_bytes(gzip.compress(text.encode()) if kind.endswith("gz") else text.encode())
    return [path]


KINDS = ["yaml", "jsonl", "jsonl.gz", "files"]


@pytest.mark.parametrize("limits", [LARGE, SMALL])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_at_fault_is_found_and_nothing_else(tmp_path: Path, kind: str, limits: Any, seed: int) -> None:
    paths = archive(tmp_path, kind, 40)
    chance = Random(seed)
    fatal = tuple(f"game {number}" for number in range(40) if chance.random() < (0, 0.1, 0.6)[seed])
    task = Deadly(Selection(), fatal, error=True)
    expected = scored(paths, limits=limits)
    made = scored(paths, Attempts(task), task, limits)
    assert [made["file"], made["index"]] == [expected["file"], expected["index"]]
    for number, own in enumerate(expected["id"]):
        if own in fatal:
            assert made["message"][number] == f"the program failed on this record: ZeroDivisionError: in {own}"
        else:
            assert [made[name][number] for name in made] == [expected[name][number] for name in made]


@pytest.mark.parametrize("limits", [LARGE, SMALL])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("deaths", [1, 3])
def test_no_record_is_blamed_for_what_comes_from_outside(tmp_path: Path, kind: str, limits: Any, deaths: int) -> None:
    paths = archive(tmp_path, kind, 40)
    attempts = Attempts(ScoreTask(Selection()), deaths)
    assert scored(paths, attempts, limits=limits) == scored(paths, limits=limits)
    assert attempts.count[1]


@pytest.mark.parametrize("kind", KINDS)
def test_reports_of_parts_are_those_of_the_whole(tmp_path: Path, kind: str) -> None:
    paths = archive(tmp_path, kind, 30)
    task = ValidateTask()

    def reports(attempts: Attempts | None) -> list[Any]:
        chunks = split(Discovery(map(str, paths)), SMALL)
        found = run(chunks, task, (lambda: attempts) if attempts else None)
        return [each for batch in found for each in batch.gathered]

    disturbed = Attempts(task, 3)
    assert reports(disturbed) == reports(None)
    assert disturbed.count[1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", [0, 1, 200, 511])
def test_a_record_is_found_by_halving(tmp_path: Path, kind: str, place: int) -> None:
    """Among 512 records it takes no more than some attempts for each time that the number of records can be halved."""
    paths = archive(tmp_path, kind, 512)
    task = Deadly(Selection(), (f"game {place}",), error=True)
    attempts = Attempts(task)
    limits = LARGE._replace(files=1_000)
    (chunk,) = split(Discovery(map(str, paths)), limits)
    found = bisect(chunk, task, attempts)
    assert found.records == 512 + (3 if kind == "files" else 0)
    assert found.gathered["code"].count("batch/crashed") == 1
    assert attempts.count[0] <= 3 * 9 + 5
    assert attempts.count[1] <= 9 + 3
