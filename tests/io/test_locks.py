"""One run at a time keeps a checkpoint."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import pytest

from hexrec.errors import RunError
from hexrec.io import outputs
from hexrec.io.outputs import hold_lock, sidecar

posix = pytest.mark.skipif(os.name != "posix", reason="locks of another system")
HOLD = """import sys
from pathlib import Path
from hexrec.io.outputs import hold_lock
with hold_lock(Path(sys.argv[1])):
    print(flush=True)
    sys.stdin.read()
"""


@contextmanager
def elsewhere(path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Hold a lock in another process until it is ended."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        running.stdout.readline()
        try:
            yield running
        finally:
            running.kill()


@posix
def test_a_lock_that_another_process_holds(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    with elsewhere(path) as running:
        with pytest.raises(RunError) as refused, hold_lock(path):
            pass
        assert str(refused.value) == f"{path}: another run is writing this file: wait for it, or name another file"
        running.communicate()
        with hold_lock(path):
            pass
    assert os.listdir(tmp_path) == []


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    with elsewhere(path) as running:
        running.kill()
        running.wait()
        assert os.listdir(tmp_path) == [".a.csv.hexrec-lock"]
        with hold_lock(path):
            pass
    assert os.listdir(tmp_path) == []


def test_a_link_to_the_output_has_the_same_lock(tmp_path: Path) -> None:
    (tmp_path / "b.csv").touch()
    (tmp_path / "a.csv").symlink_to("b.csv")
    assert sidecar(tmp_path / "a.csv", "lock") == sidecar(tmp_path / "b.csv", "lock")


def test_a_long_name(tmp_path: Path) -> None:
    path = tmp_path / ("a" * 250)
    path.touch()
    with hold_lock(path):
        assert len(os.listdir(tmp_path)) == 2


@posix
def test_a_link_in_place_of_a_lock_is_not_followed(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("not to be touched")
    sidecar(tmp_path / "a.csv", "lock").symlink_to(other)
    with pytest.raises(OSError, match="lock"), hold_lock(tmp_path / "a.csv"):
        pass
    assert other.read_text() == "not to be touched"


@contextmanager
def held(lock: Path) -> Iterator[BinaryIO]:
    """Hold a lock as another process would: the system keeps them apart by the open files."""
    with lock.open("wb") as stream:
        assert outputs.try_lock(stream)
        yield stream


@posix
def test_a_path_through_a_link_leads_to_the_same_lock(tmp_path: Path) -> None:
    (tmp_path / "deep/folder").mkdir(parents=True)
    (tmp_path / "link").symlink_to("deep/folder")
    path = tmp_path / "deep/a.csv"
    with held(sidecar(path, "lock")), pytest.raises(RunError), hold_lock(tmp_path / "link/../a.csv"):
        pass
