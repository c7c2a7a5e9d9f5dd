"""Every task gives the same whether an archive is done as a whole, in chunks, or in the parts of chunks that failed."""

from __future__ import annotations

import gzip
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hexrec.io.discovery import Discovery
from hexrec.output.rows import COLUMNS, decode_rows
from hexrec.parallel.chunks import split
from hexrec.parallel.run import run
from hexrec.parallel.tasks import FunctionTask, ScoreTask, ValidateTask
from hexrec.tools.examined import examine_hash
from hexrec.validation.configuration import Settings
from hexrec.validation.grading import Rules
from hexrec.validation.report import Report
from hexrec.validation.sources import check_sources
from hexrec.validation.verdict import with_hash
from tests.parallel.conftest import SMALL, record

TASKS: dict[str, ValidateTask | FunctionTask] = {
    "validate": ValidateTask(),
    "finished": ValidateTask(),
    "lint": ValidateTask(),
    "hash": FunctionTask(examine_hash),
    "symmetric": FunctionTask(partial(examine_hash, symmetric=True)),
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
    lint, finished = name == "lint", name == "finished"
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
    return [(*shown(report)[:3], own) for report, own, _ in gathered]


@pytest.mark.parametrize("size", [100_000, 400])
@pytest.mark.parametrize("name", TASKS)
def test_what_a_task_gives(several: list[str], name: str, size: int) -> None:
    settings = Settings(finished=name == "finished", lint=name == "lint", files=False)
    batches = run(split(Discovery(several), SMALL._replace(size=size), settings=settings), TASKS[name])
    assert [each for batch in batches for each in given(name, batch.gathered)] == expected(name, *several)


def test_no_more_than_two_thousand_records_are_gathered_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml.gz"
    path.write_bytes(gzip.compress(b"---\n{}\n" * 2_100))
    for limits in (SMALL, SMALL._replace(whole=1 << 20)):
        batches = run(split(Discovery([str(path)]), limits), ValidateTask())
        assert [len(batch.gathered) for batch in batches] == [2_000, 100]


def test_scores_are_those_of_the_diagnostics_that_count(small: Path) -> None:
    for ignored in ((), ("result/",)):
        settings = Settings(Rules(ignore=ignored), files=False)
        (batch,) = run(split(Discovery([str(small)]), settings=settings), ScoreTask())
        (row,) = (
            row for row in decode_rows(batch.gathered.part) if str(row[COLUMNS.index("code")]).startswith("result/")
        )
        assert row[COLUMNS.index("accepted_by")] == ("options" if ignored else None)
