"""Who gets a process, and what becomes of a task that fails."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import pytest

from hexrec.parallel import workers as worker_processes
from hexrec.server import handler
from hexrec.server.handler import Service
from hexrec.server.limits import MEBIBYTE, Limits
from hexrec.server.problems import Problem
from hexrec.server.tasks import Task
from tests.processes import PATIENCE
from tests.server import doing
from tests.server.doing import Doing

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of another system")
BUSY = "no worker was free in time"


class Case:
    """A service that has begun."""

    def __init__(self, folder: Path, workers: int, wait: float) -> None:
        self.folder = folder
        self.service = Service(Limits(memory=7 * MEBIBYTE, wait=wait), workers)
        self.pool = self.service.pool

    @property
    def lost(self) -> list[str]:
        """The reasons for which it has lost processes."""
        counted = (sample for metric in self.service.metrics.replaced.collect() for sample in metric.samples)
        return [each.labels["reason"] for each in counted if "total" in each.name for _ in range(int(each.value))]

    def task(self, name: str, what: str = "answer") -> Doing:
        return Doing(self.folder / name, what)

    def ask(self, task: Doing, *, bulk: bool = False, seconds: float = PATIENCE) -> asyncio.Task[Any]:
        return asyncio.create_task(self.service.run(cast(Task, task), seconds, bulk=bulk))

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not condition():
                await asyncio.sleep(0.001)


Run = Callable[..., Case]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Do something with a service."""
    monkeypatch.setattr(handler, "prepare", doing.prepare)
    monkeypatch.setattr(worker_processes, "_PAUSE", 0.01)

    def run(work: Callable[[Case], Awaitable[None]], *, workers: int = 1, wait: float = PATIENCE) -> Case:
        async def all_of_it() -> Case:
            case = Case(tmp_path, workers, wait)
            await case.pool.open()
            try:
                await work(case)
            finally:
                await case.pool.close()
            return case

        return asyncio.run(all_of_it())

    return run


async def problem(asked: asyncio.Task[Any]) -> tuple[str, str]:
    with pytest.raises(Problem) as raised:
        await asked
    return raised.value.name, raised.value.detail


def test_processes_are_there_when_it_has_started(run: Run) -> None:
    async def work(case: Case) -> None:
        assert (len(case.pool.workers), len(case.pool.idle)) == (2, 2)
        assert (await case.ask(case.task("one"))).name == "one"

    assert run(work, workers=2).lost == []


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_large_bodies_leave_a_process_free(run: Run, workers: int) -> None:
    """Where there are several. The next large one begins when one is done."""

    async def work(case: Case) -> None:
        large = [case.task(f"large {number}", "wait") for number in range(workers + 1)]
        asked = [case.ask(task, bulk=True) for task in large]
        room = max(1, workers - 1)
        await case.until(lambda: sum(task.begun for task in large) == room)
        if workers > 1:
            for _ in range(3):
                await case.ask(case.task("small"))
        assert [task.begun for task in large] == [1] * room + [0] * (len(large) - room)
        for task in large:
            task.go()
        await asyncio.gather(*asked)

    run(work, workers=workers)


@pytest.mark.parametrize("bulk", [False, True])
def test_a_task_waits_only_so_long(run: Run, bulk: bool) -> None:
    """One that has waited is not begun later, and leaves its place to others."""

    async def work(case: Case) -> None:
        first, second = case.task("first", "wait"), case.task("second")
        asked = case.ask(first, bulk=True)
        await case.until(lambda: first.begun)
        case.service.limits = Limits(wait=0.02)
        assert await problem(case.ask(second, bulk=bulk)) == ("busy", BUSY)
        case.service.limits = Limits(wait=PATIENCE)
        first.go()
        await asked
        await case.ask(case.task("third"), bulk=True)
        assert second.begun == 0

    run(work)


def test_a_task_for_which_nobody_waits(run: Run) -> None:
    """It is not begun; once begun it is finished, so that no process has to be replaced."""

    async def work(case: Case) -> None:
        first, second = case.task("first", "wait"), case.task("second")
        asked = [case.ask(first, bulk=True), case.ask(second, bulk=True)]
        await case.until(lambda: first.begun)
        for each in asked:
            each.cancel()
        await asyncio.gather(*asked, return_exceptions=True)
        assert not case.pool.idle
        first.go()
        await case.ask(case.task("third"), bulk=True)
        assert (second.begun, len(case.pool.idle)) == (0, 1)

    assert run(work).lost == []


@pytest.mark.parametrize(
    ("what", "begun", "lost", "expected"),
    [
        ("problem", 1, [], ("bad-record", "why")),
        ("raise", 1, [], ("failed", "this is an error in hexrec: report it, with the body")),
        ("killed once", 2, ["gone"], None),
        ("killed", 2, ["gone", "gone"], ("busy", "2 processes working on this body ended")),
        ("hang", 1, ["time"], ("too-much-work", "timeout: send fewer or shorter records in a body")),
    ],
)
def test_a_task_that_fails(
    run: Run,
    caplog: pytest.LogCaptureFixture,
    what: str,
    begun: int,
    lost: list[str],
    expected: tuple[str, str] | None,
) -> None:
    """A process that is lost is replaced; a task that was killed with it is tried once more."""

    async def work(case: Case) -> None:
        task = case.task("one", what)
        asked = case.ask(task, bulk=True, seconds=0.5 if what == "hang" else PATIENCE)
        if expected is None:
            assert (await asked).name == "one"
        else:
            assert await problem(asked) == expected
        # What hangs may have been given up before it has begun; it is not tried again.
        assert task.begun == begun or (what == "hang" and not task.begun)
        await case.until(lambda: case.pool.idle)
        await case.ask(case.task("two"), bulk=True)

    assert run(work).lost == lost
    logged = [(entry.getMessage(), vars(entry)["data"]) for entry in caplog.records if entry.levelno == logging.ERROR]
    deaths = [("a worker ended", {"reason": "it was ended by SIGKILL"})] * lost.count("gone")
    assert [each for each in logged if each[0] != "a task failed"] == deaths
    assert ["no reason" in data["traceback"] for name, data in logged if name == "a task failed"] == [True] * (
        what == "raise"
    )


def test_a_process_that_dies_idle_is_not_given_a_task(run: Run) -> None:
    async def work(case: Case) -> None:
        (worker,) = case.pool.workers
        os.kill(worker.process.pid, signal.SIGKILL)
        await case.until(lambda: worker not in case.pool.workers)
        assert (await case.ask(case.task("one"))).name == "one"

    run(work)


def test_processes_that_cannot_be_started_are_tried_again(
    run: Run, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Meanwhile the service is there, and busy."""
    python = sys.executable
    monkeypatch.setattr(sys, "executable", "/nowhere/python")

    async def work(case: Case) -> None:
        assert not case.pool.workers
        assert await problem(case.ask(case.task("one"))) == ("busy", BUSY)
        monkeypatch.setattr(sys, "executable", python)
        await case.until(lambda: len(case.pool.idle) == 2)

    run(work, workers=2, wait=0.05)
    reasons = {entry.getMessage(): vars(entry)["data"] for entry in caplog.records}
    assert reasons == {"a worker cannot be started": {"reason": "no process can be started: no such file or directory"}}


def test_what_is_asked_for_when_it_ends(run: Run) -> None:
    async def work(case: Case) -> None:
        first, second = case.task("first", "wait"), case.task("second")
        asked = [case.ask(first), case.ask(second)]
        await case.until(lambda: first.begun)
        await case.pool.close()
        assert {name for name, _ in [await problem(each) for each in asked]} == {"busy"}

    run(work)
