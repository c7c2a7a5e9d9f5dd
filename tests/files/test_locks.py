"""One run at a time writes a file; what ended runs left behind is recognised."""

from __future__ import annotations

import io
import json
import os
import re
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from errno import EIO
from pathlib import Path
from typing import Any, BinaryIO

import pytest

from hexrec.files import atomic, locks
from hexrec.files.atomic import atomic_write_bytes
from hexrec.files.locks import Locked, locked, sidecar
from hexrec.files.stamps import host

posix = pytest.mark.skipif(os.name != "posix", reason="locks of another system")
HOLD = """import sys
from pathlib import Path
from hexrec.files.{module} import {call}
with {call}(Path(sys.argv[1])):
    print(flush=True)
    sys.stdin.read()
"""


@contextmanager
def elsewhere(path: Path, module: str = "locks", call: str = "locked") -> Iterator[subprocess.Popen[bytes]]:
    """Run a context manager in another process until it is ended."""
    code = HOLD.format(module=module, call=call)
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        running.stdout.readline()
        try:
            yield running
        finally:
            running.kill()


def test_who_holds_a_lock_is_said(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    with elsewhere(path) as running:
        with pytest.raises(Locked, match=rf"process {running.pid} on {host()} since 2.* UTC"), locked(path):
            pass
        running.communicate()
        with locked(path):
            pass
    assert os.listdir(tmp_path) == []


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    with elsewhere(path) as running:
        running.kill()
        running.wait()
        assert os.listdir(tmp_path) == [".a.csv.hexrec-lock"]
        with locked(path):
            about = json.loads(sidecar(path, "lock").read_text())
            assert (about["pid"], about["host"]) == (os.getpid(), host())
    assert os.listdir(tmp_path) == []


def test_the_same_process_may_hold_it_twice(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    with locked(path):
        with locked(path):
            pass
        assert sidecar(path, "lock").exists()
    assert os.listdir(tmp_path) == []


@posix
def test_a_lock_is_removed_while_it_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or else another run could take it before, and lose it."""
    unlink, held = Path.unlink, []

    def unlink_if_held(path: Path) -> None:
        with path.open("rb") as other:
            held.append(locks.try_lock(other) is False)
        unlink(path)

    monkeypatch.setattr(Path, "unlink", unlink_if_held)
    with locked(tmp_path / "out"):
        pass
    assert held == [True]
    assert [*tmp_path.iterdir()] == []


def test_a_lock_that_cannot_be_given_back_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(io.BytesIO):
        def close(self) -> None:
            raise OSError(EIO, "Input/output error")

    monkeypatch.setattr(locks, "_acquire", lambda *_: Failing())
    for _ in range(2):
        with locked(tmp_path / "out"):
            pass


def test_a_link_to_the_output_has_the_same_lock(tmp_path: Path) -> None:
    (tmp_path / "b.csv").touch()
    (tmp_path / "a.csv").symlink_to("b.csv")
    assert sidecar(tmp_path / "a.csv", "lock") == sidecar(tmp_path / "b.csv", "lock")


def test_a_long_name(tmp_path: Path) -> None:
    path = tmp_path / ("a" * 250)
    path.touch()
    with locked(path):
        assert len(os.listdir(tmp_path)) == 2


@posix
def test_a_link_in_place_of_a_lock_is_not_followed(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("not to be touched")
    sidecar(tmp_path / "a.csv", "lock").symlink_to(other)
    with pytest.raises(OSError, match="lock"), locked(tmp_path / "a.csv"):
        pass
    assert other.read_text() == "not to be touched"


@pytest.mark.parametrize("content", ["", "{", "[]", '{"pid": "x", "host": 5}'])
def test_what_a_lock_says_may_be_anything(tmp_path: Path, content: str) -> None:
    sidecar(tmp_path / "a.csv", "lock").write_text(content)
    with locked(tmp_path / "a.csv"):
        pass


def test_without_locks_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the file says decides then; of other machines nothing is known."""
    monkeypatch.setattr(locks, "try_lock", lambda _: None)
    path = tmp_path / "a.csv"
    lock = sidecar(path, "lock")
    with elsewhere(path) as running:
        with pytest.raises(Locked, match=f"if it has ended, delete {lock}"), locked(path):
            pass
        running.kill()
        running.wait()
        assert lock.exists()
        with locked(path):
            pass
    lock.write_text(json.dumps({"pid": 1, "host": "elsewhere", "since": "yesterday"}))
    with pytest.raises(Locked, match="process 1 on elsewhere since yesterday"), locked(path):
        pass


@contextmanager
def held(lock: Path, content: str) -> Iterator[BinaryIO]:
    """Hold a lock as another process would: the system keeps them apart by the open files."""
    lock.write_text(content)
    with lock.open("r+b") as stream:
        assert locks.try_lock(stream)
        yield stream


@posix
@pytest.mark.parametrize(
    ("content", "who"),
    [
        ('{"pid": 5, "host": "pc", "since": "yesterday"}', "process 5 on pc since yesterday"),
        ('{"pid": 5}', "process 5 on None since None"),
        ("", "unknown"),
        ("[5]", "unknown"),
        ('{"pid": 5}'.ljust(1_000), "process 5 on None since None"),
        ('{"pid": 5}'.rjust(1_001), "unknown"),
    ],
)
def test_every_word_of_the_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str, who: str) -> None:
    waits: list[float] = []
    monkeypatch.setattr(locks, "sleep", waits.append)
    path = tmp_path / "a.csv"
    with held(sidecar(path, "lock"), content), pytest.raises(Locked) as refused, locked(path):
        pass
    assert str(refused.value) == (
        f"{path}: another run is writing this file ({who}): wait for it, or name another file"
    )
    assert waits == [0.02] * 5
    assert sidecar(path, "lock").read_text() == content


@posix
def test_a_path_through_a_link_leads_to_the_same_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "sleep", lambda _: None)
    (tmp_path / "deep/folder").mkdir(parents=True)
    (tmp_path / "link").symlink_to("deep/folder")
    path = tmp_path / "deep/a.csv"
    with held(sidecar(path, "lock"), "{}"), pytest.raises(Locked), locked(tmp_path / "link/../a.csv"):
        pass


@posix
def test_a_lock_that_is_held_shortly_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.csv"
    with held(sidecar(path, "lock"), "{}") as stream:
        monkeypatch.setattr(locks, "sleep", lambda _: stream.close())
        with locked(path):
            said = json.loads(sidecar(path, "lock").read_text())
    assert said.keys() == {"pid", "host", "since"}
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC", said["since"])
    assert os.listdir(tmp_path) == []


@posix
def test_what_a_lock_says_and_who_may_read_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time is that of no place; a file that others look for is readable, one for its owner is not."""
    monkeypatch.setenv("TZ", "XYZ-13")
    mask = os.umask(0)
    try:
        time.tzset()
        before = datetime.now(UTC).replace(microsecond=0)
        with locked(tmp_path / "a.csv"):
            lock = sidecar(tmp_path / "a.csv", "lock")
            since = datetime.strptime(json.loads(lock.read_text())["since"], "%Y-%m-%d %H:%M:%S %Z")
            assert stat.S_IMODE(lock.stat().st_mode) == 0o644
        assert before <= since.replace(tzinfo=UTC) <= datetime.now(UTC)
        with open(tmp_path / "own", "wb", opener=locks.open_no_follow):
            pass
        assert stat.S_IMODE((tmp_path / "own").stat().st_mode) == 0o600
    finally:
        os.umask(mask)
        monkeypatch.delenv("TZ")
        time.tzset()


@posix
def test_a_lock_that_was_removed_while_it_was_waited_for_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever held it removes it before another has it."""
    path = tmp_path / "a.csv"
    lock = sidecar(path, "lock")
    usual = locks.try_lock

    def late(stream: BinaryIO) -> bool | None:
        monkeypatch.setattr(locks, "try_lock", usual)
        lock.unlink()
        return usual(stream)

    monkeypatch.setattr(locks, "try_lock", late)
    with locked(path):
        assert json.loads(lock.read_text())["pid"] == os.getpid()
    assert os.listdir(tmp_path) == []


def test_a_file_without_a_name_is_no_longer_the_same(tmp_path: Path) -> None:
    path = tmp_path / "a"
    with path.open("wb") as stream:
        assert locks.is_same_file(stream, path)
        assert not locks.is_same_file(stream, tmp_path / "b")


#: More than any process has.
NOBODY = 1 << 30


@pytest.mark.parametrize(
    ("holder", "refused"),
    [
        ({}, None),
        ({"pid": 1}, "process 1 on None since None"),
        ({"pid": 1, "host": host(), "since": "now"}, f"process 1 on {host()} since now"),
        ({"pid": os.getpid(), "host": host()}, None),
        ({"pid": NOBODY, "host": host()}, None),
        ({"pid": 0, "host": host()}, None),
        ({"pid": -1, "host": host()}, None),
        ({"pid": "1", "host": host()}, None),
        ({"host": host()}, None),
    ],
    ids=["empty", "elsewhere", "here", "this process", "nobody", "zero", "negative", "no number", "no process"],
)
def test_who_may_live_where_the_system_has_no_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, holder: dict[str, Any], refused: str | None
) -> None:
    monkeypatch.setattr(locks, "try_lock", lambda _: None)
    path = tmp_path / "a.csv"
    lock = sidecar(path, "lock")
    lock.write_text(json.dumps(holder))
    if refused is None:
        with locked(path):
            assert json.loads(lock.read_text())["pid"] == os.getpid()
        assert os.listdir(tmp_path) == []
    else:
        said = f"{path}: another run is writing this file ({refused}): if it has ended, delete {lock}"
        with pytest.raises(Locked) as error, locked(path):
            pass
        assert (str(error.value), json.loads(lock.read_text())) == (said, holder)


def test_a_process_of_somebody_else_lives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: int) -> None:
        assert arguments == (1, 0)  # no signal: only whether one could be sent
        raise PermissionError

    monkeypatch.setattr(locks, "try_lock", lambda _: None)
    monkeypatch.setattr(os, "kill", refuse)
    sidecar(tmp_path / "a.csv", "lock").write_text(json.dumps({"pid": 1, "host": host()}))
    with pytest.raises(Locked), locked(tmp_path / "a.csv"):
        pass


@pytest.mark.parametrize(("length", "kept"), [(242, True), (243, False)])
def test_the_names_of_locks(tmp_path: Path, length: int, kept: bool) -> None:
    name = sidecar(tmp_path / ("a" * length), "lock").name
    assert sidecar(tmp_path / ("b" * length), "lock").name != name
    if kept:
        assert (name, len(name)) == (f".{'a' * length}.hexrec-lock", 255)
    else:
        assert re.fullmatch(r"\.[0-9a-f]{32}\.hexrec-lock", name)


@posix
def test_leftovers_are_removed_once_a_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atomic, "_swept_folders", set())
    left = [".hexrec-12-0123abcd.part", ".a.csv.hexrec-lock"]
    others = [".hexrec-12-0123abcd.part2", ".hexrec-lock", "a.hexrec-lock", ".hexrec-x-0123abcd.part"]
    for name in [*left, *others]:
        (tmp_path / name).touch()
    (tmp_path / ".link.hexrec-lock").symlink_to("a.hexrec-lock")
    os.mkfifo(tmp_path / ".pipe.hexrec-lock")
    with atomic_write_bytes(tmp_path / "a.csv"):
        pass
    assert sorted(os.listdir(tmp_path)) == sorted([*others, "a.csv", ".link.hexrec-lock"])
    (tmp_path / left[0]).touch()
    with atomic_write_bytes(tmp_path / "a.csv"):
        pass
    assert (tmp_path / left[0]).exists()


@posix
def test_what_an_ended_run_left_behind_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But nothing of a run that goes on, and nothing else."""
    monkeypatch.setattr(atomic, "_swept_folders", set())
    (tmp_path / ".hexrec-notes.part").write_text("mine")
    with (
        elsewhere(tmp_path / "dead.csv", "atomic", "atomic_write_bytes") as dead,
        elsewhere(tmp_path / "dead.json") as dead_too,
        elsewhere(tmp_path / "live.csv", "atomic", "atomic_write_bytes") as live,
        elsewhere(tmp_path / "live.json"),
    ):
        for each in (dead, dead_too):
            each.kill()
            each.wait()
        assert len(os.listdir(tmp_path)) == 5
        with atomic_write_bytes(tmp_path / "a.csv") as out:
            out.write(b"a")
            names = sorted(os.listdir(tmp_path))
        assert [name for name in names if f"-{dead.pid}-" in name] == []
        assert len([name for name in names if f"-{live.pid}-" in name]) == 1
        assert {".hexrec-notes.part", ".live.json.hexrec-lock"} <= set(names)
        assert len(names) == 4
        live.communicate()
        assert (tmp_path / "live.csv").exists()


@posix
@pytest.mark.parametrize("moment", ["try_lock", "is_same_file", "host"])
def test_an_interrupt_on_the_way_to_a_lock_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    usual = getattr(locks, moment)

    def interrupted(*_: object) -> object:
        monkeypatch.setattr(locks, moment, usual)
        raise KeyboardInterrupt

    monkeypatch.setattr(locks, moment, interrupted)
    with pytest.raises(KeyboardInterrupt), locked(tmp_path / "a.csv"):
        pass
    assert os.listdir(tmp_path) == []
