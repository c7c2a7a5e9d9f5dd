"""Whoever does the chunks, and whatever becomes of the processes: the same rows, and the record at fault is named."""

from __future__ import annotations

import gzip
import os
import pickle
import re
import signal
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hexrec.io.discovery import Discovery
from hexrec.output.rows import COLUMNS, decode_rows
from hexrec.parallel import TaskFailed, WorkerDied, WorkersUnavailable, workers
from hexrec.parallel.chunks import Chunk, split
from hexrec.parallel.run import run
from hexrec.parallel.tasks import ScoreTask, ValidateTask
from hexrec.parallel.workers import Pool
from tests.parallel.conftest import SMALL, copy_of, record, scored
from tests.parallel.deadly import Deadly

posix = pytest.mark.skipif(os.name != "posix", reason="signals of another system")
LARGE = SMALL._replace(size=1_000_000, files=100, whole=1_000_000)
TASK = ScoreTask()
KINDS = ["yaml", "jsonl", "jsonl.gz", "files"]
ENDED_TWICE = "the process working on this record ended twice; the last time, it was ended by SIGKILL"


def archive_of(folder: Path, kind: str, count: int) -> list[Path]:
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


def check_rows(
    expected: dict[str, list[Any]], made: dict[str, list[Any]], fatal: Collection[str], message: str
) -> None:
    """Check that the rows of the records at fault say so, and that all others are as expected."""
    assert [made["file"], made["index"]] == [expected["file"], expected["index"]]
    for number, own in enumerate(expected["id"]):
        if own in fatal:
            assert made["code"][number] == "batch/crashed"
            assert re.fullmatch(message, made["message"][number])
        else:
            assert [made[name][number] for name in made] == [expected[name][number] for name in made]


class Attempts:
    """Stands for a pool, and does its tasks here.

    Attributes:
        dies: whether an attempt ends as if its process had been killed, given its number, whether it tries a slice
            record by record, and whether it failed.
        count: how many attempts there were.
    """

    def __init__(self) -> None:
        self.dies: Callable[[int, bool, bool], object] = lambda *_: False
        self.count = 0

    @contextmanager
    def in_thread(self, prepare: Any, _: float) -> Iterator[Any]:
        handler = prepare()

        def submit(task: tuple[Chunk, bool]) -> Future[Any]:
            done: Future[Any] = Future()
            for again in (True, False):
                failure, parts = self._attempt(handler, task)
                if not (again and isinstance(failure, WorkerDied)):
                    break
            if failure:
                done.set_exception(failure)
            else:
                done.set_result(parts)
            return done

        yield submit

    def _attempt(self, handler: Any, task: tuple[Chunk, bool]) -> tuple[Exception | None, list[Any]]:
        self.count += 1
        parts: list[Any] = []
        failure: Exception | None = None
        try:
            parts.extend(handler(pickle.loads(pickle.dumps(task))))
        except Exception as error:
            failure = TaskFailed(f"{type(error).__name__}: {error}", parts)
        if self.dies(self.count, task[1], failure is not None):
            failure = WorkerDied("it was ended by SIGKILL", parts)
        return failure, parts


@pytest.fixture
def attempts(monkeypatch: pytest.MonkeyPatch) -> Attempts:
    made = Attempts()
    monkeypatch.setattr(workers, "Pool", lambda _, prepare: prepare)
    monkeypatch.setattr(workers, "in_thread", made.in_thread)
    return made


@pytest.mark.parametrize("dies", [False, True])
@pytest.mark.parametrize("limits", [LARGE, SMALL])
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_at_fault_is_found_and_nothing_else(
    tmp_path: Path, attempts: Attempts, kind: str, limits: Any, dies: bool
) -> None:
    """None, one, two in a row, others, half, all: if they end processes, each ends two, and so does the chunk."""
    paths = archive_of(tmp_path, kind, 20)
    expected = scored(paths, limits=limits)
    attempts.dies = lambda _number, _singly, failed: dies and failed
    half = Random(1).sample(range(20), 10)
    for chosen in ((), (0,), (1, 2), (0, 2, 3, 19), half, range(20)):
        fatal = tuple(f"game {number}" for number in chosen)
        attempts.count = 0
        made = scored(paths, 1, Deadly(fatal, error=True), limits)
        message = ENDED_TWICE if dies else r"the program failed on this record: ZeroDivisionError: in game \d+"
        check_rows(expected, made, fatal, message)
    if limits is LARGE and kind != "files":
        assert attempts.count <= 2 + 2 * 20 + 1


@pytest.mark.parametrize("kind", KINDS)
def test_reports_of_records_are_those_of_the_whole(tmp_path: Path, attempts: Attempts, kind: str) -> None:
    """They count records and lines of their file, and so do those of the chunks that follow."""
    paths = archive_of(tmp_path, kind, 30)

    def reports(jobs: int) -> list[Any]:
        found = run(split(Discovery(map(str, paths)), SMALL), ValidateTask(), jobs)
        return [each for batch in found for each in batch.gathered]

    attempts.dies = lambda _number, singly, _failed: not singly
    assert reports(1) == reports(0)
    assert attempts.count > 2


@pytest.mark.parametrize("kind", [*KINDS, "jsonl.gz, cut off", "yaml.gz, cut off", "jsonl, blank lines first", "none"])
def test_a_death_from_outside_at_any_moment(tmp_path: Path, attempts: Attempts, kind: str) -> None:
    """What is killed while a chunk is searched that failed has no fault."""
    kind, _, state = kind.partition(", ")
    paths = archive_of(tmp_path, kind, 4) if kind != "none" else [tmp_path / "none.yaml"]
    if state == "blank lines first":
        paths[0].write_bytes(b"\n\n\n" + paths[0].read_bytes())
    if state == "cut off":
        paths[0].write_bytes(paths[0].read_bytes()[:-9])
    expected = scored(paths, limits=LARGE)
    for moment in range(3, 12):
        attempts.count = 0
        attempts.dies = lambda number, *_, moment=moment: number in (1, 2, moment)
        assert scored(paths, 1, limits=LARGE) == expected


class Watched:
    """The chunks of some paths, and how many of them have been taken."""

    def __init__(self, *paths: Path, limits: Any = SMALL) -> None:
        self.chunks = split(Discovery(map(str, paths)), limits)
        self.taken = 0

    def __iter__(self) -> Iterator[Chunk]:
        for chunk in self.chunks:
            self.taken += 1
            yield chunk


def stream(folder: Path) -> Path:
    """Write a file that is too large to be held, if no more than 100 bytes are."""
    path = folder / "long.yaml"
    path.write_text("".join(f"---\n{record(number)}" for number in range(9)))
    return path


@pytest.mark.parametrize("jobs", [0, 1, 3])
def test_rows_come_in_order_and_streams_stay_in_their_place(tmp_path: Path, archive: Path, jobs: int) -> None:
    path, limits = stream(tmp_path), SMALL._replace(whole=100)
    copy = copy_of(archive)
    one, other, again = scored([archive]), scored([path]), scored([copy])
    assert scored([archive, path, copy], jobs, limits=limits) == {
        name: one[name] + other[name] + again[name] for name in one
    }


def noted_pools(monkeypatch: pytest.MonkeyPatch) -> list[Pool]:
    """Return a list that gets the pools which are made."""
    pools: list[Pool] = []

    def make(*given: Any) -> Pool:
        pools.append(Pool(*given))
        return pools[-1]

    monkeypatch.setattr(workers, "Pool", make)
    return pools


@pytest.mark.parametrize(("jobs", "held", "taken"), [(0, 1 << 20, 1), (2, 1 << 20, 5), (2, 1, 2)])
def test_no_more_chunks_are_begun_than_it_takes(
    archive: Path, monkeypatch: pytest.MonkeyPatch, jobs: int, held: int, taken: int
) -> None:
    """Two for each process, and the one whose result is asked for; fewer large ones. Given up, its processes end."""
    pools = noted_pools(monkeypatch)
    monkeypatch.setattr("hexrec.parallel.run._HELD", held)
    watched = Watched(archive)
    found = run(watched, TASK, jobs)
    next(found)
    assert watched.taken == taken
    pids = [worker.process.pid for each in pools for worker in each.workers]
    found.close()
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.parametrize(
    ("one_chunk_here", "count", "begun"), [(False, 1, True), (True, 1, False), (True, 2, True), (True, 0, False)]
)
def test_a_small_input_is_done_here(
    archive: Path, attempts: Attempts, one_chunk_here: bool, count: int, begun: bool
) -> None:
    chunks = list(Watched(archive))[:count]
    assert len(list(run(chunks, TASK, 1, one_chunk_here=one_chunk_here))) == count
    assert bool(attempts.count) is begun


def test_a_stream_is_read_before_the_next_chunk_is_asked_for(tmp_path: Path) -> None:
    path = stream(tmp_path)
    watched = Watched(path, path, limits=SMALL._replace(whole=100))
    found = run(watched, TASK, 1, one_chunk_here=True)
    next(found)
    assert watched.taken == 1
    found.close()


def test_processes_that_cannot_be_started_end_the_run(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    with pytest.raises(WorkersUnavailable, match="no process can be started: no such file or directory"):
        scored([archive], 2)


@posix
def test_records_that_end_processes(tmp_path: Path) -> None:
    """In the first file of a chunk and in others, alone and in a row; one that does so only once has no fault."""
    for name, numbers in (("a", range(3)), ("b", range(3, 6))):
        (tmp_path / f"{name}.jsonl").write_text("".join(map(record, numbers)))
    limits = SMALL._replace(files=2, size=10_000)
    expected = scored([tmp_path], limits=limits)
    fatal = ("game 0", "game 2", "game 3")
    made = scored([tmp_path], 1, Deadly(fatal), limits)
    check_rows(expected, made, fatal, ENDED_TWICE)
    spared = tmp_path / "spared"
    spared.mkdir()
    assert scored([tmp_path], 2, Deadly(("game 1",), spared, 1), limits) == expected
    assert len(list(spared.iterdir())) == 1


@posix
@pytest.mark.parametrize(("suffix", "hides"), [(".yaml", True), (".jsonl", False)])
def test_records_that_cannot_be_read_without_dying(tmp_path: Path, suffix: str, hides: bool) -> None:
    """In a format that has to be read from the beginning, nothing is known of what follows."""
    lead = "---\n" if suffix == ".yaml" else ""
    for name, numbers in (("a", range(4)), ("b", range(4, 6))):
        (tmp_path / f"{name}{suffix}").write_text("".join(lead + record(number) for number in numbers))
    fatal = ("game 2",)
    made = scored([tmp_path], 1, Deadly(fatal, reading=True))
    if not hides:
        check_rows(scored([tmp_path]), made, fatal, ENDED_TWICE)
        return
    assert made["index"] == [0, 1, 2, 0, 1]
    assert [code == "batch/crashed" for code in made["code"]] == [False, False, True, False, False]
    assert made["message"][2] == f"{ENDED_TWICE}; the rest of the file cannot be read, and was not checked"


@pytest.mark.slow
@posix
@pytest.mark.parametrize(("suffix", "lives"), [(".yaml", 1), (".jsonl", None)])
def test_a_record_at_which_a_process_hangs_is_found(tmp_path: Path, suffix: str, lives: int | None) -> None:
    """The process is stopped there, which is as good as a deadlock; once, as from outside, or each time."""
    lead = "---\n" if suffix == ".yaml" else ""
    path = tmp_path / f"a{suffix}"
    path.write_text("".join(lead + record(number) for number in range(4)))
    fatal = ("game 2",)
    made = scored([path], 2, Deadly(fatal, tmp_path, lives, hang=True), LARGE, 3.0)
    message = "the work on this record took longer than 3 s and was ended"
    check_rows(scored([path]), made, fatal if lives is None else (), message)


@posix
def test_processes_killed_from_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All processes are killed now and then, whatever they are doing: the rows are those of an undisturbed run."""
    pools = noted_pools(monkeypatch)
    path, other = tmp_path / "long.jsonl", tmp_path / "some.yaml"
    path.write_text("".join(record(number) for number in range(200)))
    other.write_text("".join(f"---\n{record(number)}" for number in range(20)))
    limits = SMALL._replace(size=4_000)
    made: list[Any] = []
    for number, batch in enumerate(run(Watched(path, other, limits=limits), TASK, 2)):
        made += [row[COLUMNS.index("id")] for row in decode_rows(batch.gathered.part)]
        for worker in list(pools[0].workers) if number in (0, 1, 2, 5, 9) else ():
            with suppress(ProcessLookupError):
                os.kill(worker.process.pid, signal.SIGKILL if number % 2 else signal.SIGTERM)
    assert made == scored([path, other], limits=limits)["id"]
