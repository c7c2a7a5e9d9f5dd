"""Chunks that fail, without processes: the record at fault is found, and all others are reported."""

from __future__ import annotations

import gzip
from collections.abc import Collection
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hexrec.batch.chunks import Chunk, split
from hexrec.batch.run import run
from hexrec.batch.runners import Attempt, RunnerError, retry, run_or_retry, try_chunk
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

    def __call__(self, chunk: Chunk) -> ChunkResult | ChunkFailure:
        self.count[0] += 1
        found = try_chunk(self._task, chunk)
        killed = self._deaths and (self.count[1] < 2 or self._chance.random() < self._deaths)
        if isinstance(found, ChunkResult) and killed:
            found = ChunkFailure("from outside", worker_died=True)
            if chunk.trial:  # it comes at some record
                log = Path(chunk.trial.log)
                lines = log.read_text().splitlines(keepends=True)
                log.write_text("".join(lines[: self._chance.randrange(len(lines)) + 1]))
        self.count[1] += isinstance(found, ChunkFailure)
        return found

    def run(self, chunks: Any, _task: ChunkTask) -> Any:
        """Be a runner."""
        for chunk in chunks:
            yield chunk, run_or_retry(chunk, self)


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
TASK = ScoreTask(Selection())


def check_rows(expected: dict[str, list[Any]], made: dict[str, list[Any]], fatal: Collection[str]) -> None:
    """Check that the records at fault have a message that says so, and all other rows are as expected."""
    assert [made["file"], made["index"]] == [expected["file"], expected["index"]]
    for number, own in enumerate(expected["id"]):
        if own in fatal:
            assert made["message"][number] == f"the program failed on this record: ZeroDivisionError: in {own}"
        else:
            assert [made[name][number] for name in made] == [expected[name][number] for name in made]


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
    check_rows(expected, made, fatal)


@pytest.mark.parametrize("limits", [LARGE, SMALL])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("deaths", [0.3, 0.5])
def test_no_record_is_blamed_for_what_comes_from_outside(tmp_path: Path, kind: str, limits: Any, deaths: float) -> None:
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

    disturbed = Attempts(task, 0.5)
    assert reports(disturbed) == reports(None)
    assert disturbed.count[1]


@pytest.mark.parametrize("chosen", range(16))
@pytest.mark.parametrize("kind", KINDS)
def test_every_choice_of_four_records(tmp_path: Path, kind: str, chosen: int) -> None:
    paths = archive(tmp_path, kind, 4)
    fatal = {f"game {number}" for number in range(4) if chosen >> number & 1}
    task = Deadly(Selection(), tuple(fatal), error=True)
    expected = scored(paths, limits=LARGE)
    made = scored(paths, Attempts(task), task, LARGE)
    check_rows(expected, made, fatal)


def only_chunk(paths: list[Path]) -> Chunk:
    (chunk,) = split(Discovery(map(str, paths)), LARGE)
    return chunk


def dying(task: ChunkTask, deaths: int, count: list[int]) -> Attempt:
    """Return attempts of which the first so many end as if the process had died, or all if it is alone with a fault."""

    def attempt(chunk: Chunk) -> ChunkResult | ChunkFailure:
        count.append(1)
        found = try_chunk(task, chunk)
        if len(count) <= deaths or isinstance(found, ChunkFailure):
            return ChunkFailure(f"death {len(count)}", worker_died=True)
        return found

    return attempt


@pytest.mark.parametrize(("deaths", "attempts"), [(0, 1), (1, 2)])
def test_a_chunk_is_tried_twice(tmp_path: Path, deaths: int, attempts: int) -> None:
    count: list[int] = []
    task = ScoreTask(Selection())
    chunk = only_chunk(archive(tmp_path, "jsonl", 4))
    assert run_or_retry(chunk, dying(task, deaths, count)) == try_chunk(task, chunk)
    assert len(count) == attempts


@pytest.mark.parametrize("kind", ["jsonl", "yaml"])
def test_a_record_is_tried_five_times(tmp_path: Path, kind: str) -> None:
    """It is blamed after that; its message is that of the last death."""
    count: list[int] = []
    task = Deadly(Selection(), ("game 0",), error=True)
    path = tmp_path / f"one.{kind}"
    path.write_text(record(0))
    result = run_or_retry(only_chunk([path]), dying(task, 0, count))
    assert (result.gathered["code"], result.gathered["message"]) == (["batch/crashed"], ["death 7"])
    assert len(count) == 8


@pytest.mark.parametrize("kind", KINDS)
def test_the_result_has_the_digest_and_the_lines_of_the_chunk(tmp_path: Path, kind: str) -> None:
    """What follows a chunk goes on counting where it ends, whether it was done as a whole or not."""
    paths = archive(tmp_path, kind, 4)
    chunk = only_chunk(paths)
    task = Deadly(Selection(), ("game 3",), error=True)
    whole, found = try_chunk(ScoreTask(Selection()), chunk), retry(chunk, Attempts(task))
    assert isinstance(whole, ChunkResult)
    assert (found.digest, found.records, found.lead) == (whole.digest, whole.records, whole.lead)
    assert found.tail.records == whole.tail.records
    if kind == "jsonl":
        assert found.tail == whole.tail == (4, 8)


def test_a_file_that_changes_ends_the_trial(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(record(0))
    (tmp_path / "b.yaml").write_text(record(1))
    chunk = only_chunk([tmp_path])
    (tmp_path / "b.yaml").write_text(record(2) * 2)
    assert retry(chunk, Attempts(TASK)).changed == str(tmp_path / "b.yaml")


def test_lines_of_a_part_of_a_file(tmp_path: Path) -> None:
    """A part that begins and ends within a file keeps its place there."""
    path = tmp_path / "a.jsonl"
    path.write_text("".join(map(record, range(12))))
    task = Deadly(Selection(), ("game 1", "game 5", "game 11"), error=True)
    limits = SMALL._replace(size=path.stat().st_size // 3)
    made = scored([path], Attempts(task), task, limits)
    assert made["index"] == [*range(12)]
    assert [each for each in made["message"] if each and "ZeroDivision" in each] == [
        f"the program failed on this record: ZeroDivisionError: in game {number}" for number in (1, 5, 11)
    ]


@pytest.mark.parametrize("kind", [*KINDS, "jsonl.gz, cut off", "yaml.gz, cut off", "jsonl, blank lines first", "none"])
@pytest.mark.parametrize("moment", range(1, 12))
def test_a_death_from_outside_at_any_moment(tmp_path: Path, kind: str, moment: int) -> None:
    """What fails once more while a chunk is searched that failed has no fault; of a file, all is said once."""
    kind, _, state = kind.partition(", ")
    paths = archive(tmp_path, kind, 4) if kind != "none" else [tmp_path / "none.yaml"]
    if state == "blank lines first":
        paths[0].write_bytes(b"\n\n\n" + paths[0].read_bytes())
    if state == "cut off":
        paths[0].write_bytes(paths[0].read_bytes()[:-9])
    chunk = only_chunk(paths)
    count = 0

    def attempt(part: Chunk) -> ChunkResult | ChunkFailure:
        nonlocal count
        count += 1
        return ChunkFailure("from outside", worker_died=True) if count == moment else try_chunk(TASK, part)

    found, whole = retry(chunk, attempt), try_chunk(TASK, chunk)
    assert isinstance(whole, ChunkResult)
    assert (found.gathered, found.records) == (whole.gathered, whole.records)


def test_a_chunk_that_fails_outside_of_its_records(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(record(0))
    with pytest.raises(RunnerError, match="always"):
        run_or_retry(only_chunk([tmp_path]), lambda _: ChunkFailure("always", worker_died=True))
