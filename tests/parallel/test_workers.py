"""Processes that do tasks: whatever becomes of a process, its task ends, and the next task is done."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from hexrec.parallel import TaskFailed, TaskTimeout, WorkerDied, WorkersUnavailable, workers
from hexrec.parallel.workers import Pool, in_thread
from tests.parallel import handlers

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of another system")
#: Longer than any task takes on the busiest machine.
LONG = 300.0
LOOPS: dict[str, Callable[[], asyncio.AbstractEventLoop]] = {"asyncio": asyncio.new_event_loop}
try:
    import uvloop
except ImportError:
    pass
else:
    LOOPS["uvloop"] = uvloop.new_event_loop

Do = Callable[..., Awaitable[Any]]


def with_pool(work: Callable[[Pool, Do], Awaitable[None]], size: int = 1, loop: str = "asyncio") -> None:
    """Do something with a pool, and with a function that has a task done there."""

    async def run() -> None:
        pool = Pool(size, handlers.prepare)

        async def do(name: str, value: object = None, seconds: float = LONG) -> Any:
            (answer,) = await pool.run((name, value), seconds)
            return answer

        try:
            await work(pool, do)
        finally:
            await pool.close()

    with asyncio.Runner(loop_factory=LOOPS[loop]) as runner:
        runner.run(run())


def pids(pool: Pool) -> list[int]:
    return [worker.process.pid for worker in pool.workers]


def counts(pool: Pool) -> tuple[int, int]:
    """Return how many workers there are, and how many of them are idle."""
    return len(pool.workers), len(pool.idle)


def is_gone(pid: int) -> bool:
    """Return whether a process is gone, or will be in a moment."""
    for _ in range(1200):
        try:
            with open(f"/proc/{pid}/stat") as stat:
                if stat.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except (FileNotFoundError, ProcessLookupError):  # gone before it is opened, or before it is read
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("loop", LOOPS)
def test_a_process_does_one_task_after_the_other(loop: str) -> None:
    async def work(pool: Pool, do: Do) -> None:
        assert counts(pool) == (0, 0)
        assert await do("echo", b"x" * 5_000_000) == b"x" * 5_000_000
        assert [await do("pid"), await do("pid")] == pids(pool) * 2
        assert counts(pool) == (1, 1)

    with_pool(work, loop=loop)


#: Tasks that end or stop their processes.
ENDING: list[tuple[str, Any, float, type[Exception], str]] = [
    ("signal", signal.SIGKILL, LONG, WorkerDied, "it was ended by SIGKILL"),
    ("signal", signal.SIGSEGV, LONG, WorkerDied, "it was ended by SIGSEGV"),
    ("signal", signal.SIGRTMIN + 1, LONG, WorkerDied, f"it was ended by signal {signal.SIGRTMIN + 1}"),
    ("exit", 3, LONG, WorkerDied, "it ended with exit code 3"),
    ("half", signal.SIGKILL, LONG, WorkerDied, "it was ended by SIGKILL"),
    ("half", signal.SIGSTOP, 0.2, TaskTimeout, "took longer than 0.2 s"),
    ("sleep", LONG, 0.2, TaskTimeout, "took longer than 0.2 s"),
]


@pytest.mark.parametrize(
    ("loop", "task", "value", "seconds", "error", "message"),
    [(loop, *each) for loop in LOOPS for each in ENDING[:: 1 if loop == "asyncio" else 5]],
)
def test_a_process_that_ends_or_hangs_is_replaced(
    loop: str, task: str, value: Any, seconds: float, error: type[Exception], message: str
) -> None:
    async def work(pool: Pool, do: Do) -> None:
        before = await do("pid")
        with pytest.raises(error) as raised:
            await do(task, value, seconds)
        assert str(raised.value) == message
        assert is_gone(before)
        assert await do("pid") != before
        assert counts(pool) == (1, 1)

    with_pool(work, loop=loop)


def test_what_was_sent_before_the_end_is_kept() -> None:
    async def work(_: Pool, do: Do) -> None:
        with pytest.raises(WorkerDied) as raised:
            await do("parts", signal.SIGKILL)
        assert raised.value.parts == [1, 2]

    with_pool(work)


def test_a_process_that_is_stopped_does_not_take_the_task() -> None:
    """A task has to fit into what the system holds for it, or nobody reads on."""

    async def work(_: Pool, do: Do) -> None:
        os.kill(await do("pid"), signal.SIGSTOP)
        with pytest.raises(TaskTimeout):
            await do("echo", b"x" * 5_000_000, 0.2)
        assert await do("echo", 1) == 1

    with_pool(work)


@pytest.mark.parametrize("seen", [True, False])
def test_a_process_that_dies_idle_is_replaced(seen: bool) -> None:
    """Before its next task, or with it, if the event loop has not heard of it by then."""

    async def work(pool: Pool, do: Do) -> None:
        pid = await do("pid")
        os.kill(pid, signal.SIGKILL)
        while seen and pid in pids(pool):
            await asyncio.sleep(0.001)
        if not seen:
            assert is_gone(pid)
        assert await do("echo", b"x" * 5_000_000)
        assert pid not in pids(pool)

    with_pool(work)


@pytest.mark.parametrize(("task", "reason"), [("raise", "ValueError: no reason"), ("unpicklable", "pickle")])
def test_an_error_leaves_the_process_as_it_is(task: str, reason: str) -> None:
    async def work(_: Pool, do: Do) -> None:
        before = await do("pid")
        with pytest.raises(TaskFailed, match=reason) as raised:
            await do(task, "no reason")
        assert raised.value.traceback.startswith("Traceback")
        assert await do("pid") == before

    with_pool(work)


def test_what_a_task_prints_or_reads_is_no_message(capfd: pytest.CaptureFixture[str]) -> None:
    async def work(_: Pool, do: Do) -> None:
        assert await do("print", "something\n" * 10_000) == ""
        assert await do("echo", 1) == 1

    with_pool(work)
    assert capfd.readouterr().out == ""


def test_a_task_that_cannot_travel_harms_nobody() -> None:
    async def work(pool: Pool, do: Do) -> None:
        with pytest.raises(Exception, match="pickle"):
            await do("echo", lambda: None)
        assert await do("echo", 1) == 1
        assert counts(pool) == (1, 1)

    with_pool(work)


def test_no_answer_goes_to_the_next_task() -> None:
    """A task that has begun is finished when its caller goes away."""

    async def work(pool: Pool, do: Do) -> None:
        pid = await do("pid")
        os.kill(pid, signal.SIGSTOP)
        asked = asyncio.ensure_future(do("echo", 1))
        while pool.idle:
            await asyncio.sleep(0.001)
        asked.cancel()
        os.kill(pid, signal.SIGCONT)
        assert await do("echo", 2) == 2
        assert pids(pool) == [pid]

    with_pool(work)


def test_there_are_never_more_processes_than_there_may_be() -> None:
    async def work(pool: Pool, do: Do) -> None:
        await pool.open()
        assert counts(pool) == (2, 2)
        found = set(await asyncio.gather(*(do("pid") for _ in range(40))))
        assert found <= set(pids(pool))
        one, other = pids(pool)
        os.kill(one, signal.SIGSTOP)
        os.kill(other, signal.SIGSTOP)
        asked = [asyncio.ensure_future(do("pid")) for _ in range(3)]
        await asyncio.sleep(0.02)
        assert counts(pool) == (2, 0)
        os.kill(other, signal.SIGCONT)
        assert await asked[2] == other
        os.kill(one, signal.SIGCONT)
        assert set(await asyncio.gather(*asked)) == {one, other}
        assert counts(pool) == (2, 2)

    with_pool(work, 2)


def test_a_pool_that_is_closed_ends_everything() -> None:
    async def work(pool: Pool, do: Do) -> None:
        waiting = [asyncio.ensure_future(do("sleep", LONG)) for _ in range(4)]
        while len(pool.workers) < 2:
            await asyncio.sleep(0.001)
        found = pids(pool)
        await pool.close()
        ends = await asyncio.gather(*waiting, return_exceptions=True)
        assert {type(end) for end in ends} <= {WorkerDied, WorkersUnavailable}
        assert all(map(is_gone, found))
        with pytest.raises(WorkersUnavailable):
            await do("echo", 1)

    with_pool(work, 2)


@pytest.mark.parametrize(
    ("prepare", "message"),
    [(handlers.cannot_prepare, "RuntimeError: no tables"), (handlers.die, "it was ended by SIGKILL")],
)
def test_a_process_that_cannot_be_started(prepare: Callable[[], Any], message: str) -> None:
    check_failed_start(f"no process can be started: {message}", prepare)


def check_failed_start(message: str, prepare: Callable[[], Any] = handlers.prepare) -> None:
    """Check the message where no process can be started."""
    lost = []

    async def work() -> None:
        pool = Pool(1, prepare, lambda *reason: lost.append(reason))
        await pool.open()
        with pytest.raises(WorkersUnavailable) as raised:
            await pool.run(("echo", 1), LONG)
        assert (str(raised.value), lost) == (message, [("start", message)])
        await pool.close()

    asyncio.run(work())


def test_an_interpreter_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    check_failed_start("no process can be started: no such file or directory")


def test_a_process_that_is_not_ready_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_START", 0.0)
    check_failed_start("no process can be started: took longer than 0 s")


def test_a_process_that_cannot_be_started_while_another_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tasks wait for the one that works."""
    lost: list[str] = []

    async def work() -> None:
        pool = Pool(2, handlers.prepare, lambda cause, _: lost.append(cause))
        await pool.run(("echo", 1), LONG)
        (pid,) = pids(pool)
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
        os.kill(pid, signal.SIGSTOP)
        asked = [asyncio.ensure_future(pool.run(("pid", None), LONG)) for _ in range(3)]
        while not lost:
            await asyncio.sleep(0.001)
        os.kill(pid, signal.SIGCONT)
        assert await asyncio.gather(*asked) == [[pid]] * 3
        await pool.close()

    asyncio.run(work())


def test_threads_without_an_event_loop() -> None:
    """The pool ends with the context, and all that is asked of it then."""
    pool = Pool(2, handlers.prepare)
    with in_thread(pool, LONG) as submit:
        asked = [submit(("echo", number)) for number in range(9)]
        assert [each.result() for each in asked] == [[number] for number in range(9)]
        asked = [submit(("sleep", LONG)) for _ in range(4)]
        while pool.idle or len(pool.workers) < 2:
            time.sleep(0.001)
        found = pids(pool)
    assert all(map(is_gone, found))
    assert all(each.done() for each in asked)


def test_a_thread_with_an_event_loop_of_its_own() -> None:
    """As in a notebook: the loop is neither used nor replaced."""

    async def work() -> None:
        with in_thread(Pool(1, handlers.prepare), LONG) as submit:
            assert submit(("echo", 1)).result() == [1]
            submit(("sleep", LONG))
        assert asyncio.get_event_loop() is asyncio.get_running_loop()

    asyncio.run(work())


def test_a_pool_that_ends_early_leaves_nothing_behind(caplog: pytest.LogCaptureFixture) -> None:
    """No process is started for the task that was running. The event loop would log what it has not ended."""
    gc.collect()  # earlier tests end loops in other ways
    caplog.clear()
    pool = Pool(3, handlers.prepare)
    with in_thread(pool, LONG) as submit:
        asked = submit(("sleep", LONG))
        while pool.idle or not pool.workers:
            time.sleep(0.001)
        found = pids(pool)
    assert all(map(is_gone, found))
    assert asked.done()
    del pool, submit
    gc.collect()
    assert [entry for entry in caplog.records if entry.name == "asyncio"] == []


PARENT = """
import signal
from time import sleep
from hexrec.parallel.workers import Pool, in_thread
from tests.parallel import handlers
pool = Pool(3, handlers.prepare)
with in_thread(pool, 600) as submit:
    for name, value in (("sleep", 600), ("signal", signal.SIGSTOP), ("pid", None)):
        last = submit((name, value))
    last.result()
    while len(pool.workers) < 3:
        sleep(0.01)
    print(*(worker.process.pid for worker in pool.workers), flush=True)
    signal.pause()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a stopped process is not ended")
def test_no_process_outlives_its_parent() -> None:
    """Neither one that is idle, nor one that works, nor one that is stopped. A script needs no main module for them."""
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        found = [int(pid) for pid in parent.stdout.readline().split()]
        parent.kill()
        parent.wait()
        assert len(found) == 3
        assert all(map(is_gone, found))


def test_an_interrupt_of_the_terminal_is_for_the_parent() -> None:
    """Processes that start, or work, go on until their parent ends them."""

    async def work(_: Pool, do: Do) -> None:
        pid = await do("pid")
        assert os.getpgid(pid) != os.getpgid(0)
        os.kill(pid, signal.SIGINT)
        assert await do("pid") == pid

    with_pool(work)
