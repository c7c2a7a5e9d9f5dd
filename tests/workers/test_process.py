"""One worker, both sides of it in this process: what is sent, what is said of how it starts and ends."""

from __future__ import annotations

import pickle
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing import Pipe
from socket import socket, socketpair
from typing import Any

import pytest

from hexrec.workers import Startup, TaskFailed, TaskTimeout, Worker, WorkerDied, WorkerStartError, process
from hexrec.workers.channel import Channel, Incoming, framed
from hexrec.workers.process import TaskNotDelivered, answer_in, task_message
from tests.workers import handlers

STARTUP = Startup(handlers.prepare, ("tests.workers.handlers",))
Ends = tuple[Channel, Channel]


@pytest.fixture
def ends() -> Iterator[Ends]:
    """Both ends of a connection."""
    found = tuple(map(Channel, socketpair()))
    yield found[0], found[1]
    for end in found:
        end.close()


@pytest.mark.parametrize("size", [1, 3, 8, 9, 1_000])
def test_messages_arrive_whole_however_they_are_cut(size: int) -> None:
    messages = [b"one", b"", b"x" * 300, bytes(8), b""]
    stream = b"".join(map(framed, messages))
    incoming, found = Incoming(), []
    for start in range(0, len(stream), size):
        message = incoming.add(stream[start : start + size])
        while message is not None:
            found.append(message)
            message = incoming.add(b"")
    assert found == messages


def test_messages_that_come_together_are_received_one_by_one(ends: Ends) -> None:
    ends[0].send(b"one")
    ends[0].send(b"two")
    time.sleep(0.01)
    assert [ends[1].receive(), ends[1].receive()] == [b"one", b"two"]


def test_nobody_waits_beyond_a_deadline(ends: Ends) -> None:
    """Neither for a message nor for room; one that has passed is not even tried. Later calls have their own."""
    for late in (-1.0, 0.0, 0.1):
        begun = time.monotonic()
        with pytest.raises(TimeoutError):
            ends[1].receive(begun + late)
        assert late <= 0 or time.monotonic() - begun >= late
    with pytest.raises(TimeoutError):
        ends[0].send(b"never sent", time.monotonic() - 1)
    ends[0].send(b"sent", time.monotonic() + 0.5)
    assert ends[1].receive(time.monotonic() + 0.5) == b"sent"
    for end in (ends[0]._sender, ends[1]._receiver):
        assert end.gettimeout() is not None
    ends[0].send(b"more")
    assert ends[1].receive() == b"more"
    for end in (ends[0]._sender, ends[1]._receiver):
        assert end.gettimeout() is None


def test_a_deadline_that_is_now_has_passed(ends: Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexrec.workers.channel.monotonic", lambda: 5.0)
    with pytest.raises(TimeoutError):
        ends[0].send(b"", 5.0)
    ends[0].send(b"in time", 5.5)
    assert ends[0]._sender.gettimeout() == 0.5


def test_a_connection_that_is_cut_ends_the_waiting(ends: Ends) -> None:
    ends[0].send(b"before")
    ends[0].shut_down()
    ends[0].shut_down()
    assert ends[1].receive() == b"before"
    with pytest.raises(EOFError):
        ends[1].receive()
    with pytest.raises(OSError):  # noqa: PT011
        ends[1].send(b"x" * 5_000_000)
    ends[1].close()
    ends[1].shut_down()


@pytest.fixture
def undisturbed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Keeps what this process does on an interrupt, and closes what the end of a process would close."""
    made: list[Channel] = []

    def channel(connection: socket) -> Channel:
        made.append(Channel(connection))
        return made[-1]

    monkeypatch.setattr(process, "Channel", channel)
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, before)
    for each in made:
        each.close()


def served(prepare: Callable[[], Any], *tasks: object) -> list[bytes]:
    """Return what a process sends that is given these tasks."""
    ours, theirs = socketpair()
    parent = Channel(ours)
    for task in tasks:
        parent.send(task_message(task))
    ours.shutdown(1)
    process._serve(theirs, prepare)
    theirs.shutdown(1)
    found = []
    try:
        while True:
            found.append(parent.receive(time.monotonic() + 60))
    except (EOFError, TimeoutError, OSError):
        parent.close()
        return found


@pytest.mark.usefixtures("undisturbed")
def test_a_process_answers_task_by_task_until_there_are_no_more() -> None:
    ready, one, two, three = served(handlers.prepare, ("echo", [1]), ("raise", "no reason"), ("echo", 2))
    assert pickle.loads(ready) is None
    assert (answer_in(one), answer_in(three)) == ([1], 2)
    with pytest.raises(TaskFailed, match=r"(?s)\ATraceback .*handlers.*ValueError: no reason"):
        answer_in(two)
    assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN


@pytest.mark.usefixtures("undisturbed")
def test_an_answer_that_cannot_travel_is_an_error() -> None:
    _, answer = served(handlers.prepare, ("unpicklable", 1))
    with pytest.raises(TaskFailed, match="pickle"):
        answer_in(answer)


@pytest.mark.usefixtures("undisturbed")
def test_a_process_that_cannot_prepare_itself_says_so() -> None:
    (said,) = served(handlers.cannot_prepare, ("echo", 1))
    assert pickle.loads(said) == "RuntimeError: no tables"


@pytest.mark.usefixtures("undisturbed")
@pytest.mark.parametrize("error", [EOFError, OSError, MemoryError])
def test_a_process_ends_without_a_word_where_nobody_listens(error: type[BaseException]) -> None:
    def prepare() -> Any:
        def fail(_: object) -> None:
            raise AssertionError

        return fail

    def broken(*_: object) -> bytes:
        raise error

    ours, theirs = socketpair()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(process, "_run", broken)
        parent = Channel(ours)
        parent.send(task_message(1))
        process._serve(theirs, prepare)
        parent.close()


def test_what_travels_is_written_in_the_newest_way() -> None:
    assert task_message({"a": 1}) == pickle.dumps({"a": 1}, pickle.HIGHEST_PROTOCOL)
    assert pickle.HIGHEST_PROTOCOL > pickle.DEFAULT_PROTOCOL
    assert process._run(lambda task: task, task_message([2])) == pickle.dumps((True, [2]), pickle.HIGHEST_PROTOCOL)


@pytest.mark.parametrize(
    ("code", "how"),
    [
        (0, "it ended with exit code 0"),
        (3, "it ended with exit code 3"),
        (-9, "it was ended by SIGKILL"),
        (-1, "it was ended by SIGHUP"),
        (-99, "it was ended by signal 99"),
    ],
)
def test_how_a_process_ended(code: int, how: str) -> None:
    assert process._exit_reason(code) == how


class Started:
    """A process that is only talked of.

    Attributes:
        failure: what starting it raises.
        exitcode: how it has ended.
        asked: what was asked of it.
        said: what it sends when it is started; it closes its end if that is empty.
    """

    def __init__(self, failure: BaseException | None = None, exitcode: int | None = 0, said: object = None) -> None:
        self.failure = failure
        self.exitcode = exitcode
        self.said = said
        self.asked: list[Any] = []
        self.pid = 12345

    def context(self) -> Started:
        return self

    def Process(self, target: Any, args: tuple[socket, Any], daemon: bool) -> Started:  # noqa: N802
        assert (target, args[1], daemon) == (process._serve, handlers.prepare, True)
        self.connection = args[0]
        return self

    def start(self) -> None:
        if self.failure is not None:
            raise self.failure
        channel = Channel(self.connection.dup())
        if self.said is not EOFError:
            channel.send(pickle.dumps(self.said))
        channel.close()

    def is_alive(self) -> bool:
        return True

    def join(self, seconds: float | None = None) -> None:
        self.asked.append(("join", seconds))

    def kill(self) -> None:
        self.asked.append("kill")

    def close(self) -> None:
        self.asked.append("close")
        if self.exitcode is None:
            raise ValueError


@pytest.mark.parametrize(
    ("failure", "message", "died"),
    [
        (OSError(12, "Cannot allocate memory"), "Cannot allocate memory", False),
        (OSError("no room"), "no room", False),
        (OSError(), "OSError()", False),
        (EOFError(), "EOFError()", True),
        (ConnectionResetError(104, "Connection reset by peer"), "Connection reset by peer", True),
    ],
)
def test_a_process_that_is_not_started(
    monkeypatch: pytest.MonkeyPatch, failure: BaseException, message: str, died: bool
) -> None:
    monkeypatch.setattr(Startup, "context", lambda _: Started(failure))
    with pytest.raises(WorkerStartError) as raised:
        Worker(STARTUP)
    assert str(raised.value) == f"no process can be started: {message}"
    assert raised.value.died is died


def test_what_else_starting_a_process_raises_is_passed_on() -> None:
    with pytest.raises(LookupError, match="odd"):
        process._start_in_time(Started(KeyError("odd")).start)


def test_a_process_that_is_not_started_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is waited for by a thread that nobody waits for in turn."""
    over = threading.Event()
    held: list[threading.Thread] = []
    started = Started()

    def start() -> None:
        held.append(threading.current_thread())
        over.wait()

    monkeypatch.setattr(started, "start", start)
    monkeypatch.setattr(Startup, "context", lambda _: started)
    monkeypatch.setattr(process, "_START", 0.2)
    with pytest.raises(WorkerStartError) as raised:
        Worker(STARTUP)
    over.set()
    assert str(raised.value) == "no process can be started: it was not ready after 60 seconds"
    assert not raised.value.died
    assert held[0].daemon


def test_a_process_that_ends_before_it_is_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    started = Started(exitcode=-11, said=EOFError)
    monkeypatch.setattr(Startup, "context", lambda _: started)
    with pytest.raises(WorkerStartError) as raised:
        Worker(STARTUP)
    assert str(raised.value) == "no process can be started: it was ended by SIGSEGV"
    assert raised.value.died
    assert started.asked == [("join", process.LEAVE), "kill", ("join", 10), "close"]


def test_a_process_that_says_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    started = Started(said="RuntimeError: no tables")
    monkeypatch.setattr(Startup, "context", lambda _: started)
    with pytest.raises(WorkerStartError) as raised:
        Worker(STARTUP)
    assert str(raised.value) == "no process can be started: RuntimeError: no tables"
    assert not raised.value.died
    assert started.asked == ["kill", ("join", 10), "close"]


def test_a_process_that_is_not_ready_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    started = Started()
    held: list[socket] = []
    monkeypatch.setattr(started, "start", lambda: held.append(started.connection.dup()))
    monkeypatch.setattr(Startup, "context", lambda _: started)
    monkeypatch.setattr(process, "_START", 0.2)
    with pytest.raises(WorkerStartError) as raised:
        Worker(STARTUP)
    held[0].close()
    assert str(raised.value) == "no process can be started: it was not ready after 60 seconds"
    assert started.asked == ["kill", ("join", 10), "close"]


@pytest.mark.parametrize(("exitcode", "how"), [(7, "it ended with exit code 7"), (None, "it was ended by SIGKILL")])
def test_a_process_is_ended_once(monkeypatch: pytest.MonkeyPatch, exitcode: int | None, how: str) -> None:
    """Also one that the system has not let go: it was killed, and counts as gone."""
    started = Started(exitcode=exitcode)
    monkeypatch.setattr(Startup, "context", lambda _: started)
    worker = Worker(STARTUP)
    assert (worker.pid, worker.alive, worker.timed_out) == (12345, True, False)
    assert worker.stop() == how
    assert worker.stop(5) == how
    assert not worker.alive
    assert started.asked == ["kill", ("join", 10), "close"]
    assert worker.connection.fileno() == -1


def test_a_process_has_time_to_end_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    started = Started()
    monkeypatch.setattr(Startup, "context", lambda _: started)
    worker = Worker(STARTUP)
    worker.stop(2.5)
    assert started.asked == [("join", 2.5), "kill", ("join", 10), "close"]


class Line:
    """The connection to a process that is only talked of.

    Attributes:
        sent: the tasks, each with its deadline.
        deadlines: of the answers.
        answers: is called for each answer.
        closed: how it was closed.
    """

    def __init__(self, *answers: Callable[[], Any], sending: Exception | None = None) -> None:
        self.answers = list(answers)
        self.sending = sending
        self.sent: list[tuple[Any, float]] = []
        self.deadlines: list[float] = []
        self.closed: list[str] = []

    def send(self, message: bytes, deadline: float) -> None:
        self.sent.append((pickle.loads(message), deadline))
        if self.sending is not None:
            raise self.sending

    def receive(self, deadline: float) -> bytes:
        self.deadlines.append(deadline)
        return pickle.dumps((True, self.answers.pop(0)()))

    def shut_down(self) -> None:
        self.closed.append("shut down")

    def close(self) -> None:
        self.closed.append("closed")


class Now:
    """A clock that stands still."""

    time = 100.0

    def __call__(self) -> float:
        return self.time


Made = Callable[..., tuple[Worker, Started]]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[Made]:
    """Makes workers at a line."""
    workers: list[Worker] = []

    def make(line: Line, exitcode: int = 7) -> tuple[Worker, Started]:
        started = Started(exitcode=exitcode)
        monkeypatch.setattr(Startup, "context", lambda _: started)
        worker = Worker(STARTUP)
        worker._channel.close()
        worker._channel = line  # type: ignore[assignment]
        workers.append(worker)
        return worker, started

    yield make
    for each in workers:
        each.stop()


def raising(error: Exception) -> Callable[[], None]:
    def answer() -> None:
        raise error

    return answer


def test_a_task_that_waits_for_another_has_its_seconds_after_it(monkeypatch: pytest.MonkeyPatch, made: Made) -> None:
    """It may be sent until then; when the one before is done early, its time begins then."""
    now, go = Now(), threading.Event()
    line = Line(lambda: go.wait(60) and "one", lambda: "two", lambda: "three")
    worker, _ = made(line)
    monkeypatch.setattr(process, "monotonic", now)
    found: list[Any] = []
    first = threading.Thread(target=lambda: found.append(worker.run("first", 5)))
    second = threading.Thread(target=lambda: found.append(worker.run("second", 3)))
    first.start()
    while not line.deadlines:
        time.sleep(0.001)
    second.start()
    while len(line.sent) < 2:
        time.sleep(0.001)
    time.sleep(0.02)
    assert line.deadlines == [105]
    now.time = 102
    go.set()
    first.join()
    second.join()
    assert found == ["one", "two"]
    now.time = 110
    assert worker.run("third", 2) == "three"
    assert line.sent == [("first", 105), ("second", 108), ("third", 112)]
    assert line.deadlines == [105, 105, 112]
    assert line.closed == []


def test_the_time_of_a_task_ends_with_the_time_of_those_before(monkeypatch: pytest.MonkeyPatch, made: Made) -> None:
    now = Now()
    line = Line(lambda: "late")
    worker, _ = made(line)
    line.send = lambda *_: setattr(now, "time", 103)  # type: ignore[method-assign]
    monkeypatch.setattr(process, "monotonic", now)
    assert worker.run("first", 5) == "late"
    assert line.deadlines == [105]


@pytest.mark.parametrize(
    ("receiving", "sending", "error", "message", "asked"),
    [
        (TimeoutError(), None, TaskTimeout, "", []),
        (None, TimeoutError(), TaskTimeout, "", []),
        (EOFError(), None, WorkerDied, "it ended with exit code 7", [("join", 1.0)]),
        (OSError(), None, WorkerDied, "it ended with exit code 7", [("join", 1.0)]),
        (None, BrokenPipeError(), TaskNotDelivered, "it ended with exit code 7", [("join", 1.0)]),
    ],
)
def test_a_process_that_does_not_answer_is_ended(
    made: Made,
    receiving: Exception | None,
    sending: Exception | None,
    error: type[Exception],
    message: str,
    asked: list[Any],
) -> None:
    """At once if it is late; one that closed its end has a moment to be gone by itself."""
    line = Line(*([raising(receiving)] if receiving else []), sending=sending)
    worker, started = made(line)
    with pytest.raises(error) as raised:
        worker.run("task", 5)
    assert (str(raised.value), worker.timed_out) == (message, error is TaskTimeout)
    assert started.asked == [*asked, "kill", ("join", 10), "close"]
    assert line.closed == ["shut down", "closed"]


def two_runs(worker: Worker) -> tuple[list[str], list[threading.Thread]]:
    """Return two threads that have a task done, and the list to which they add the names of their errors."""
    found: list[str] = []

    def run() -> None:
        try:
            worker.run("task", 300)
        except Exception as error:
            found.append(type(error).__name__)

    return found, [threading.Thread(target=run) for _ in range(2)]


def test_a_task_that_was_sent_ahead_of_an_end_was_not_begun(made: Made) -> None:
    go = threading.Event()

    def die() -> None:
        go.wait(60)
        raise EOFError

    line = Line(die)
    worker, _ = made(line)
    found, (first, second) = two_runs(worker)
    first.start()
    while not line.deadlines:
        time.sleep(0.001)
    second.start()
    while len(line.sent) < 2:
        time.sleep(0.001)
    go.set()
    first.join()
    second.join()
    assert sorted(found) == ["TaskNotDelivered", "WorkerDied"]
    assert line.closed == ["shut down", "closed"]


def test_a_line_is_closed_when_nobody_uses_it(made: Made) -> None:
    """The system would give its number to another one."""
    states: list[list[str]] = []

    def answer() -> str:
        worker.stop()
        states.append(list(line.closed))
        return "done"

    line = Line(answer)
    worker, _ = made(line)
    assert worker.run("task", 5) == "done"
    assert states == [["shut down"]]
    assert line.closed == ["shut down", "closed"]


def test_a_line_stays_open_for_others_that_use_it(made: Made) -> None:
    begun, ahead, go = threading.Event(), threading.Event(), threading.Event()

    def die() -> None:
        begun.set()
        ahead.wait(60)
        raise EOFError

    line = Line(die)
    worker, _ = made(line)
    found, (first, second) = two_runs(worker)

    def send(_message: bytes, _deadline: float) -> None:
        if begun.is_set():
            ahead.set()
            go.wait(60)

    line.send = send  # type: ignore[assignment, method-assign]
    first.start()
    begun.wait(60)
    second.start()
    first.join()
    assert (found, line.closed) == (["WorkerDied"], ["shut down"])
    go.set()
    second.join()
    assert (found[1:], line.closed) == (["TaskNotDelivered"], ["shut down", "closed"])


def test_a_process_starts_with_interrupts_blocked() -> None:
    """It inherits that, and ignores them only later."""
    blocked: list[set[Any]] = []
    process._start_in_time(lambda: blocked.append(set(signal.pthread_sigmask(signal.SIG_BLOCK, []))))
    assert signal.SIGINT in blocked[0]
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


@pytest.mark.parametrize("methods", [["spawn"], ["spawn", "forkserver"]])
@pytest.mark.parametrize("fits", [True, False])
def test_how_processes_are_made(monkeypatch: pytest.MonkeyPatch, methods: list[str], fits: bool) -> None:
    monkeypatch.setattr(process, "get_all_start_methods", lambda: methods)
    monkeypatch.setattr(process, "_has_room_for_a_socket", lambda: fits)
    expected = "forkserver" if fits and "forkserver" in methods else "spawn"
    assert STARTUP.context().get_start_method() == expected


def test_what_is_imported_before_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each module once, whichever pool has asked first."""
    preloaded: list[list[str]] = []
    monkeypatch.setattr(process, "PRELOADED", ["one"])
    monkeypatch.setattr(process, "get_all_start_methods", lambda: ["spawn", "forkserver"])
    monkeypatch.setattr(
        "multiprocessing.context.ForkServerContext.set_forkserver_preload",
        lambda _, names: preloaded.append(list(names)),
    )
    for names in (("two", "one"), ("three",), ()):
        assert Startup(handlers.prepare, names).context().get_start_method() == "forkserver"
    assert preloaded == [["one", "two"], ["one", "two", "three"], ["one", "two", "three"]]


@pytest.mark.parametrize(("length", "fits"), [(103 - 32, True), (103 - 31, False), (103, False)])
def test_how_long_the_name_of_a_folder_for_sockets_may_be(
    monkeypatch: pytest.MonkeyPatch, length: int, fits: bool
) -> None:
    assert len("/pymp-12345678/listener-12345678") == 32
    monkeypatch.setattr("tempfile.gettempdir", lambda: "/" + "x" * (length - 1))
    assert process._has_room_for_a_socket() is fits


class Parent:
    """The parent of a process: something to read when it has ended."""

    def __init__(self) -> None:
        reader, self.life = Pipe(duplex=False)
        self.reader = reader
        self.sentinel = reader.fileno()
        self.over = threading.Event()

    def join(self) -> None:
        self.over.wait()


class Ended(BaseException):
    """In place of the end of this process."""


def end(code: int) -> None:
    raise Ended(code)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a thread waits")
def test_the_system_ends_a_process_with_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl
    import os

    parent = Parent()
    monkeypatch.setattr(process, "parent_process", lambda: parent)
    monkeypatch.setattr("os._exit", end)
    asked: list[tuple[Any, ...]] = []
    usual = select.select

    def watched(*given: Any) -> Any:
        asked.append(given)
        return usual(*given)

    monkeypatch.setattr("select.select", watched)
    process._end_with_parent()
    assert asked == [([parent.sentinel], [], [], 0)]  # to wait would delay the start of every process
    flags = fcntl.fcntl(parent.sentinel, fcntl.F_GETFL)
    found = fcntl.fcntl(parent.sentinel, fcntl.F_GETSIG), fcntl.fcntl(parent.sentinel, fcntl.F_GETOWN)
    fcntl.fcntl(parent.sentinel, fcntl.F_SETFL, flags & ~os.O_ASYNC)  # or the end of the test would end it all
    parent.reader.close()
    parent.life.close()
    assert found == (signal.SIGKILL, os.getpid())
    assert flags & os.O_ASYNC
    assert flags & os.O_ACCMODE == os.O_RDONLY


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a thread waits")
def test_a_process_whose_parent_has_ended_meanwhile_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    parent = Parent()
    parent.life.close()
    monkeypatch.setattr(process, "parent_process", lambda: parent)
    with monkeypatch.context() as ending:
        ending.setattr("os._exit", end)
        with pytest.raises(Ended, match="1"):
            process._end_with_parent()
    parent.reader.close()


def test_elsewhere_a_thread_waits_for_the_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    parent = Parent()
    codes: list[int] = []
    before = set(threading.enumerate())
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(process, "parent_process", lambda: parent)
        elsewhere.setattr("sys.platform", "darwin")
        elsewhere.setattr("os._exit", codes.append)
        process._end_with_parent()
        (waiting,) = set(threading.enumerate()) - before
        assert (waiting.daemon, codes) == (True, [])
        parent.over.set()
        waiting.join(60)
    assert codes == [1]
    parent.reader.close()
    parent.life.close()
