"""Every task gives the same whether an archive is done as a whole, in chunks, or in the parts of chunks that failed."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

from hexrec.io.discovery import Discovery
from hexrec.parallel import tasks
from hexrec.parallel.chunks import START, Chunk, Offset, Slice, split
from hexrec.parallel.run import run
from hexrec.parallel.tasks import ChunkResult, HashTask, ScoreTask, ValidateTask, run_chunk, run_stream, shifted
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.lint import Lint
from hexrec.validation.report import Report
from hexrec.validation.selection import Rules, Selection
from hexrec.validation.sources import check_sources
from hexrec.validation.verdict import with_hash
from tests.parallel.conftest import SMALL, record, scored

LINT = Lint()
TASKS: dict[str, ValidateTask | HashTask] = {
    "validate": ValidateTask(),
    "finished": ValidateTask(finished=True),
    "lint": ValidateTask(lint=LINT),
    "hash": HashTask(),
    "symmetric": HashTask(symmetric=True),
}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A file with eight records, one of them unfinished and one repeated."""
    lines = [record(number) for number in range(6)]
    lines[3:3] = ["\n", record(6, moves=["a1"], result=None).replace(', "result": null', "")]
    lines.append(record(0))
    path = tmp_path / "small.jsonl"
    path.write_text("".join(lines))
    return path


@pytest.fixture
def several(small: Path) -> list[str]:
    """That file twice, with a tiny one between, which shares a chunk with the last part of the first."""
    tiny = small.with_name("tiny.jsonl")
    tiny.write_text("{}\n[]\n")
    return [str(small), str(tiny), str(small)]


def shown(report: Report) -> tuple[Any, ...]:
    place = report.lint_key and (report.lint_key.place, report.lint_key.digest)
    return report.file, report.index, report.diagnostics, report.plies, report.result, report.game, report.id, place


def expected(name: str, *paths: str) -> list[Any]:
    """Return what a task gives, without any of its code."""
    lint, finished = (LINT if name == "lint" else None), name == "finished"
    reports = list(check_sources(Discovery(paths), finished=finished, lint=lint))
    if name not in ("hash", "symmetric"):
        return [shown(report) for report in reports]
    found = []
    for judged in reports:
        report, own = with_hash(judged, symmetric=name == "symmetric")
        found.append((*shown(report)[:2], () if own else report.diagnostics, own))
    return found


def given(name: str, gathered: Any) -> list[Any]:
    if name not in ("hash", "symmetric"):
        return [shown(report) for report in gathered]
    return [(*shown(each.report)[:3], each.hash) for each in gathered]


@pytest.mark.parametrize("size", [100_000, 400])
@pytest.mark.parametrize("plain", [2, 5_000], ids=["most compressed", "none compressed"])
@pytest.mark.parametrize("name", TASKS)
def test_what_a_task_gives(
    several: list[str], name: str, plain: int, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "_PLAIN", plain)
    batches = run(split(Discovery(several), SMALL._replace(size=size)), TASKS[name], None)
    assert [each for batch in batches for each in given(name, batch.gathered)] == expected(name, *several)


def test_what_a_result_says(small: Path) -> None:
    """How many records there are, how many of them belong to a file begun before, and where the last file stands."""
    data = small.read_bytes()
    whole, part = Slice("a", "jsonl", data=data), Slice("b", "jsonl", data=data, first=False)
    found = run_chunk(Chunk((part, whole)), ValidateTask())
    assert (found.records, found.lead, found.tail) == (16, 8, (8, 9))
    found = run_chunk(Chunk((part,)), ValidateTask())
    assert (found.records, found.lead, found.tail) == (8, 8, (8, 9))
    found = run_chunk(Chunk((whole, Slice("c", "jsonl", data=b"{}\n{}", last=False))), ValidateTask())
    assert (found.records, found.lead, found.tail, len(found.digest)) == (10, 0, (2, 2), 32)


def reports(*slices: Slice) -> list[Report]:
    task = ValidateTask()
    return list(task.shift(run_chunk(Chunk(slices), task).gathered, 0, START))


@pytest.mark.parametrize(("format", "valid"), [(None, [False]), ("jsonl", [True, True])])
def test_a_small_file_is_read_by_its_name_or_as_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str | None, valid: list[bool]
) -> None:
    """And only once: what has been read is judged, even if the file is gone."""
    path = tmp_path / "a.json"
    path.write_text(record(0) * 2)
    ((slice,),) = (chunk.slices for chunk in split(Discovery([str(path)], format)))
    read = Slice.content

    def read_and_remove(slice: Slice) -> bytes:
        content = read(slice)
        path.unlink()
        return content

    monkeypatch.setattr(Slice, "content", read_and_remove)
    assert [report.valid for report in reports(slice)] == valid


def test_of_a_file_that_has_changed_nothing_is_told(small: Path) -> None:
    (chunk,) = split(Discovery([str(small)]))
    small.write_text("other")
    assert run_chunk(chunk, ValidateTask()) == ChunkResult(None, 0, changed=str(small))


def test_a_stream_gives_results_of_so_many_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "_RECORDS", 30)
    path = tmp_path / "a.yaml.gz"
    path.write_bytes(gzip.compress("".join(f"--- {record(number)}" for number in range(80)).encode()))
    chunks = split(Discovery([str(path)]), SMALL)
    chunk = next(chunks)
    assert chunk.stream is not None
    found = [(result.records, bool(result.digest)) for result in run_stream(chunk, ValidateTask())]
    assert found == [(30, False), (30, False), (20, False), (0, True)]


def test_scores_are_those_of_the_diagnostics_that_count(small: Path) -> None:
    every, fewer = Selection(), Selection(Rules(ignore=["result/"]))
    assert ["result" in str(code) for code in scored([small], task=ScoreTask(every))["code"]].count(True) == 1
    assert not any("result" in str(code) for code in scored([small], task=ScoreTask(fewer))["code"])


def test_what_has_its_place_after_others() -> None:
    fault = Diagnostic("syntax/json", "why", line=3, end_line=4, record=2)
    report = Report((fault, Diagnostic("syntax/json", "why")), 0, None, None, "a", 2, None, None)
    found = shifted(report, Offset(10, 100))
    assert found.index == 12
    first, second = found.diagnostics
    assert (first.record, first.line, first.end_line) == (12, 103, 104)
    assert (second.record, second.line, second.end_line) == (None, None, None)
    assert shifted(report, START) is report
    assert shifted(Report((fault,), 0, None, None, "a", None, None, None), Offset(1, 1)).diagnostics == (fault,)
    clean = Report((), 0, None, None, "a", 2, None, None)
    assert shifted(clean, Offset(0, 100)) is clean
    assert shifted(clean, Offset(1, 0)).index == 3
