"""Chunks that fail, without processes: the record at fault is found, and all others are reported."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Collection, Iterable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hexrec.io.discovery import Discovery
from hexrec.io.stamps import InputChanged
from hexrec.parallel.apart import RunnerError, try_apart
from hexrec.parallel.chunks import Chunk, split
from hexrec.parallel.run import run
from hexrec.parallel.runners import ChunkResults, in_order
from hexrec.parallel.tasks import ChunkFailure, ChunkResult, ChunkTask, ScoreTask, ValidateTask, try_chunk
from hexrec.validation.selection import Selection
from tests.parallel.conftest import SMALL, record, scored
from tests.parallel.deadly import Deadly

LARGE = SMALL._replace(size=1_000_000, files=100, whole=1_000_000, compressed=1_000_000)
TASK = ScoreTask(Selection())
KINDS = ["yaml", "jsonl", "jsonl.gz", "files"]


class Attempts:
    """A runner that does chunks here.

    Attributes:
        dies: whether an attempt ends as if its process had been killed, given its number and outcome.
        count: how many attempts there were.
    """

    def __init__(self, dies: Callable[[int, Any], object] = lambda *_: False) -> None:
        self.dies = dies
        self.count = 0

    def attempt(self, task: ChunkTask, chunk: Chunk) -> ChunkResult | ChunkFailure:
        self.count += 1
        outcome = try_chunk(task, chunk)
        return ChunkFailure(f"death {self.count}", worker_died=True) if self.dies(self.count, outcome) else outcome

    def run(self, chunks: Iterable[Chunk], task: ChunkTask) -> ChunkResults:
        return in_order(chunks, task, lambda chunk: partial(self.attempt, task, chunk), 1)


def failing(_number: int, outcome: object) -> bool:
    """Let every attempt die that fails."""
    return isinstance(outcome, ChunkFailure)


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
@pytest.mark.parametrize("share", [0, 0.1, 0.6, 1])
def test_what_is_at_fault_is_found_and_nothing_else(tmp_path: Path, kind: str, limits: Any, share: float) -> None:
    paths = archive(tmp_path, kind, 30)
    chance = Random(1)
    fatal = tuple(f"game {number}" for number in range(30) if chance.random() < share)
    task = Deadly(Selection(), fatal, error=True)
    made = scored(paths, Attempts(), task, limits)
    check_rows(scored(paths, limits=limits), made, fatal)


@pytest.mark.parametrize("chosen", range(16))
@pytest.mark.parametrize("kind", KINDS)
def test_every_choice_of_four_records(tmp_path: Path, kind: str, chosen: int) -> None:
    """Also where nothing but deaths shows that they fail."""
    paths = archive(tmp_path, kind, 4)
    fatal = {f"game {number}" for number in range(4) if chosen >> number & 1}
    task = Deadly(Selection(), tuple(fatal), error=True)
    expected = scored(paths, limits=LARGE)
    check_rows(expected, scored(paths, Attempts(), task, LARGE), fatal)
    made = scored(paths, Attempts(failing), task, LARGE)
    assert [number for number, code in enumerate(made["code"]) if code == "batch/crashed"] == [
        number for number, own in enumerate(expected["id"]) if own in fatal
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_reports_of_records_are_those_of_the_whole(tmp_path: Path, kind: str) -> None:
    """They count records and lines of their file, and so do those of the chunks that follow."""
    paths = archive(tmp_path, kind, 30)

    def reports(runner: Attempts | None) -> list[Any]:
        chunks = split(Discovery(map(str, paths)), SMALL)
        found = run(chunks, ValidateTask(), (lambda: runner) if runner else None)
        return [each for batch in found for each in batch.gathered]

    whole = Attempts(lambda _, outcome: outcome.digest and outcome.records > 1)
    assert reports(whole) == reports(None)
    assert whole.count > 2


@pytest.mark.parametrize("kind", [*KINDS, "jsonl.gz, cut off", "yaml.gz, cut off", "jsonl, blank lines first", "none"])
def test_a_death_from_outside_at_any_moment(tmp_path: Path, kind: str) -> None:
    """What is killed while a chunk is searched that failed has no fault."""
    kind, _, state = kind.partition(", ")
    paths = archive(tmp_path, kind, 4) if kind != "none" else [tmp_path / "none.yaml"]
    if state == "blank lines first":
        paths[0].write_bytes(b"\n\n\n" + paths[0].read_bytes())
    if state == "cut off":
        paths[0].write_bytes(paths[0].read_bytes()[:-9])
    expected = scored(paths, limits=LARGE)
    for moment in range(3, 12):
        killed = Attempts(lambda number, _, moment=moment: number in (1, 2, moment))  # type: ignore[misc]
        assert scored(paths, killed, limits=LARGE) == expected


@pytest.mark.parametrize("kind", ["jsonl", "yaml"])
def test_the_number_of_attempts_grows_with_the_records(tmp_path: Path, kind: str) -> None:
    """If all records end processes, each ends one that is fresh once: the chunk ends two, and each record two."""
    counts = {}
    for number in (10, 20):
        paths = archive(tmp_path, kind, number)
        fatal = tuple(f"game {each}" for each in range(number))
        runner = Attempts(failing)
        made = scored(paths, runner, Deadly(Selection(), fatal, error=True), LARGE)
        assert made["code"] == ["batch/crashed"] * number
        counts[number] = runner.count
    assert counts[10] <= 2 + 2 * 10 + 1
    assert counts[20] <= 2 + 2 * 20 + 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_chunk_is_finished_with_its_digest(tmp_path: Path, kind: str) -> None:
    """A checkpoint knows by that where it goes on."""
    (chunk,) = split(Discovery(map(str, archive(tmp_path, kind, 4))), LARGE)
    whole = try_chunk(TASK, chunk)
    assert isinstance(whole, ChunkResult)
    digests = [result.digest for result in try_apart(chunk, TASK, partial(try_chunk, TASK))]
    assert digests[-1] == whole.digest
    assert not any(digests[:-1])


def test_a_file_that_changes_ends_the_search(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(record(0))

    def change(number: int, _: object) -> bool:
        if number == 2:
            path.write_text(record(2) * 2)
        return number <= 2

    with pytest.raises(InputChanged):
        scored([path], Attempts(change), limits=LARGE)


def test_a_file_that_always_fails_before_its_records(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(record(0))
    with pytest.raises(RunnerError, match="always"):
        scored([tmp_path], limits=LARGE, runner=Always())


class Always:
    """A runner whose processes all end at once."""

    def run(self, chunks: Iterable[Chunk], task: ChunkTask) -> ChunkResults:
        return in_order(chunks, task, lambda _: lambda: ChunkFailure("always", worker_died=True), 1)
