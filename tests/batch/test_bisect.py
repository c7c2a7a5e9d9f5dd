"""The search for records at fault, without processes: what it finds, and how often something has to be tried."""

from __future__ import annotations

import gzip
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hexrec.batch.bisect import Attempt, bisect, run_or_bisect
from hexrec.batch.chunks import Chunk, Slice, split
from hexrec.batch.run import run
from hexrec.batch.runners import try_chunk
from hexrec.batch.tasks import ChunkFailure, ChunkResult, ChunkTask, ScoreTask, ValidateTask
from hexrec.files.discovery import Discovery, Source
from hexrec.files.stamps import InputChanged
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


def trial(chunk: Chunk) -> str:
    """Return what is tried: so many files or lines, or a range of records."""
    first = chunk.slices[0]
    if first.only is not None:
        return f"records {first.only[0]} to {first.only[1]}"
    return f"{len(chunk.slices)} files" if first.data is None else f"{len(first.data.splitlines()) // 2} lines"


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (
            "yaml",
            [
                *("records 0 to 1: 1", "records 1 to 3: 1, fails", "records 1 to 2: 1, fails"),
                *("records 1 to 2: 1, fails", "records 2 to 2: 1", "records 2 to 3: 1", "records 3 to 5: 1"),
                *("records 5 to 9: 1, fails", "records 5 to 7: 0.5, fails", "records 5 to 6: 1"),
                *("records 6 to 7: 1, fails", "records 7 to 7: 1", "records 7 to 8: 1", "records 8 to 10: 1"),
            ],
        ),
        (
            "jsonl",
            [
                *("4 lines: 0.5, fails", "2 lines: 0.25, fails", "1 lines: 0.125", "0 lines: 1, fails"),
                *("0 lines: 1, fails", "0 lines: 1", "1 lines: 0.125", "2 lines: 0.25", "3 lines: 0.375, fails"),
                *("1 lines: 0.1875, fails", "0 lines: 1", "0 lines: 1", "0 lines: 1, fails", "0 lines: 1"),
                "1 lines: 0.125",
            ],
        ),
        (
            "files",
            [
                *("5 files: 0.454545, fails", "2 files: 0.181818, fails", "1 files: 1", "1 files: 0.1, fails"),
                *("records 0 to 1: 0.1, fails", "records 0 to 1: 1, fails", "records 1 to 1: 1"),
                *("records 1 to 2: 0.1", "1 files: 1", "2 files: 0.181818", "4 files: 0.363636, fails"),
                *("2 files: 0.181818, fails", "1 files: 1", "1 files: 0.1, fails", "records 0 to 1: 0.1, fails"),
                *("records 0 to 1: 1, fails", "records 1 to 1: 1", "records 1 to 2: 0.1", "1 files: 1"),
                *("2 files: 0.181818", "1 files: 1"),
            ],
        ),
    ],
)
def test_what_is_tried_and_how_much_time_it_has(tmp_path: Path, kind: str, expected: list[str]) -> None:
    """Of eight records, two fail: parts are halved, and have their share of the time, but no less than a tenth."""
    task = Deadly(Selection(), ("game 1", "game 6"), error=True)
    attempts, found = Attempts(task), []

    def attempt(chunk: Chunk, share: float) -> ChunkResult | ChunkFailure:
        result = attempts(chunk, share)
        found.append(f"{trial(chunk)}: {share:g}" + (", fails" if isinstance(result, ChunkFailure) else ""))
        return result

    bisect(only_chunk(archive(tmp_path, kind, 8)), task, attempt)
    assert found == expected


def dying(task: ChunkTask, deaths: int, count: list[int]) -> Attempt:
    """Return attempts of which the first so many end as if the process had died, or all if it is alone with a fault."""

    def attempt(chunk: Chunk, share: float) -> ChunkResult | ChunkFailure:
        count.append(1)
        assert 0 < share <= 1
        found = try_chunk(task, chunk, share)
        if len(count) <= deaths or isinstance(found, ChunkFailure):
            return ChunkFailure(f"death {len(count)}", worker_died=True)
        return found

    return attempt


@pytest.mark.parametrize(("deaths", "attempts"), [(0, 1), (1, 2)])
def test_a_chunk_is_tried_twice(tmp_path: Path, deaths: int, attempts: int) -> None:
    count: list[int] = []
    task = ScoreTask(Selection())
    chunk = only_chunk(archive(tmp_path, "jsonl", 4))
    assert run_or_bisect(chunk, task, dying(task, deaths, count)) == try_chunk(task, chunk)
    assert len(count) == attempts


@pytest.mark.parametrize(("kind", "attempts"), [("jsonl", 7), ("yaml", 10)])
def test_a_record_is_tried_five_times(tmp_path: Path, kind: str, attempts: int) -> None:
    """Whoever dies then is at fault; what is said is what was said the last time."""
    count: list[int] = []
    task = Deadly(Selection(), ("game 0",), error=True)
    path = tmp_path / f"one.{kind}"
    path.write_text(record(0))
    result = run_or_bisect(only_chunk([path]), task, dying(task, 0, count))
    assert result.gathered["message"] == [f"death {len(count) - (2 if kind == 'yaml' else 0)}"]
    assert len(count) == attempts


def test_an_error_is_not_tried_again(tmp_path: Path) -> None:
    task = Deadly(Selection(), ("game 0",), error=True)
    path = tmp_path / "one.jsonl"
    path.write_text(record(0))
    attempts = Attempts(task)
    run_or_bisect(only_chunk([path]), task, attempts)
    assert attempts.count == [2, 2]


@pytest.mark.parametrize("kind", KINDS)
def test_the_result_has_the_digest_and_the_lines_of_the_chunk(tmp_path: Path, kind: str) -> None:
    """What follows a chunk goes on counting where it ends, whether it was done as a whole or not."""
    paths = archive(tmp_path, kind, 4)
    chunk = only_chunk(paths)
    task = Deadly(Selection(), ("game 3",), error=True)
    whole, found = try_chunk(ScoreTask(Selection()), chunk), bisect(chunk, task, Attempts(task))
    assert isinstance(whole, ChunkResult)
    assert (found.digest, found.records, found.lead) == (whole.digest, whole.records, whole.lead)
    assert found.tail.records == whole.tail.records
    if kind == "jsonl":
        assert found.tail == whole.tail == (4, 8)


def test_a_file_that_changes_ends_the_search(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(record(0))
    (tmp_path / "b.yaml").write_text(record(1))
    chunk = only_chunk([tmp_path])
    (tmp_path / "b.yaml").write_text(record(2) * 2)
    with pytest.raises(InputChanged) as raised:
        bisect(chunk, TASK, Attempts(TASK))
    assert raised.value.diagnostic.file == str(tmp_path / "b.yaml")


class Unreadable(Attempts):
    """Also fails where reading a record fails."""

    def __call__(self, chunk: Chunk, share: float) -> ChunkResult | ChunkFailure:
        found = super().__call__(chunk, share)
        crashed = isinstance(found, ChunkResult) and any(
            "ZeroDivision" in str(each) for each in found.gathered["message"]
        )
        return ChunkFailure("no way to read it") if crashed else found


@pytest.mark.parametrize("at", [0, 2, 3])
@pytest.mark.parametrize("limits", [LARGE, SMALL])
def test_what_cannot_be_read_hides_what_follows(tmp_path: Path, at: int, limits: Any) -> None:
    """In a notation that has to be read from the beginning; files that follow are judged."""
    for name in "ab":
        (tmp_path / f"{name}.yaml").write_text("".join(f"---\n{record(number)}" for number in range(4)))
    task = Deadly(Selection(), (f"game {at}",), error=True, reading=True)
    limits = limits._replace(whole=10_000, files=2 if limits is LARGE else 1)
    made = scored([tmp_path], Unreadable(task), task, limits)
    assert made["index"] == [*range(at + 1)] * 2
    last = "no way to read it; what follows it in the file cannot be read, and was not judged"
    assert [made["message"][at], made["message"][-1]] == [last, last]
    expected = scored([tmp_path], limits=limits)
    assert made["code"][:at] == expected["code"][:at]


@pytest.mark.parametrize(
    ("name", "content", "lines"),
    [
        ("a.jsonl", b"{}\n{}\n", 2),
        ("binary.jsonl", b"\0{}\n{}\n", 0),
        ("a.jsonl.gz", gzip.compress(b"{}\n{}\n", mtime=0), 2),
        ("a.gz", gzip.compress(b"{}\n{}\n", mtime=0), 2),
        ("a.gz", gzip.compress(b"---\na: 1\n", mtime=0), 0),
        ("a.jsonl.gz", gzip.compress(b"{}\n{}\n" * 9999, mtime=0)[:-20], 0),
        ("a.json", b"{\n}\n", 0),
        ("none.jsonl", None, 0),
    ],
)
def test_only_what_is_in_json_lines_is_cut_into_lines(
    tmp_path: Path, name: str, content: bytes | None, lines: int
) -> None:
    """The others are read from the beginning, as is what cannot be read at all."""
    tried: list[int] = []
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    (chunk,) = split([Source(str(path), "jsonl" if name == "binary.jsonl" else None)], LARGE)

    def attempt(part: Chunk, _share: float) -> ChunkResult | ChunkFailure:
        (slice,) = part.slices
        tried.append(0 if slice.data is None else len(slice.data.splitlines()))
        assert slice.notation == ("jsonl" if slice.data is not None else chunk.slices[0].notation)
        return ChunkFailure("always")

    bisect(chunk, TASK, attempt)
    assert max(tried) == (1 if lines == 2 else lines)


@pytest.mark.parametrize("data", [b"{}\n{}\n", b"\x1f\x8b\x08\n{}\n"])
@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize("first", [True, False])
def test_lines_are_not_taken_for_compressed(tmp_path: Path, data: bytes, given: bool, first: bool) -> None:
    """Bytes that were decompressed before, and parts of a file, whatever they begin with."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"{}\n" + data)
    whole = Slice(str(path), "jsonl", first=first or not given)
    slice = replace(whole, data=data) if given else replace(whole, start=3, end=3 + len(data), last=False)
    tried: list[bytes | None] = []

    def attempt(part: Chunk, _share: float) -> ChunkResult | ChunkFailure:
        tried.append(part.slices[0].data)
        return ChunkFailure("always")

    bisect(Chunk((slice,)), TASK, attempt)
    assert set(tried) == set(data.splitlines(keepends=True))


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

    def attempt(part: Chunk, share: float) -> ChunkResult | ChunkFailure:
        nonlocal count
        count += 1
        return ChunkFailure("from outside", worker_died=True) if count == moment else try_chunk(TASK, part, share)

    found, whole = bisect(chunk, TASK, attempt), try_chunk(TASK, chunk)
    assert isinstance(whole, ChunkResult)
    assert (found.gathered, found.records) == (whole.gathered, whole.records)


def test_of_two_files_each_is_tried_as_a_whole(tmp_path: Path) -> None:
    """The first has half of the time, and is no more looked into when it fails alone only once."""
    for name in "ab":
        (tmp_path / f"{name}.json").write_text(record(0))
    found: list[str] = []

    def attempt(part: Chunk, share: float) -> ChunkResult | ChunkFailure:
        found.append(f"{trial(part)}: {share:g}")
        return ChunkFailure("once") if len(found) == 1 else try_chunk(TASK, part, share)

    bisect(only_chunk([tmp_path]), TASK, attempt)
    assert found == ["1 files: 1", "1 files: 0.5", "1 files: 1"]


def test_lines_of_one_of_several_files_have_its_time(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.jsonl").write_text("{}\n\n" * 8)
    found: list[str] = []

    def attempt(part: Chunk, share: float) -> ChunkResult | ChunkFailure:
        found.append(f"{trial(part)}: {share:g}")
        return ChunkFailure("twice") if len(found) <= 2 else try_chunk(TASK, part, share)

    bisect(only_chunk([tmp_path]), TASK, attempt)
    assert found == [
        *("1 files: 1", "1 files: 0.5", "4 lines: 0.25", "2 lines: 0.125", "1 lines: 0.1", "0 lines: 0.5"),
        *("0 lines: 1", "1 files: 1"),
    ]


def test_a_file_of_one_blank_line_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("\n")
    chunk = only_chunk([path])
    found = bisect(chunk, TASK, Attempts(TASK))
    assert found.gathered["code"] == ["syntax/empty"]
    assert found.records == 1


@pytest.mark.parametrize("among", [True, False])
def test_a_file_without_a_record_that_fails_is_named(tmp_path: Path, among: bool) -> None:
    paths = [tmp_path / name for name in (("a.yaml", "empty.yaml", "z.yaml") if among else ("empty.yaml",))]
    for path in paths:
        path.write_text("" if path.stem == "empty" else record(0))

    def attempt(part: Chunk, share: float) -> ChunkResult | ChunkFailure:
        fails = any("empty" in slice.name and slice.only is None for slice in part.slices)
        return ChunkFailure("always") if fails else try_chunk(TASK, part, share)

    found = bisect(only_chunk(paths), TASK, attempt)
    assert found.gathered["file"] == [*map(str, paths)]
    assert found.gathered["message"] == [None, "always", None] if among else ["always"]
    assert found.records == len(paths)
