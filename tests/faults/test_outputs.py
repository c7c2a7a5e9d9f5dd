"""Output that cannot be written to its end: the disk is full after any number of bytes, or the folder goes away."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from tests.cli.conftest import Run
from tests.faults.system_calls import leftovers

GAMES = (Path(__file__).parent.parent.parent / "fixtures/suite" / "nadraz" / "reference" / "games.jsonl").read_bytes()
COMMANDS = [
    ("score", "-j1", "-o", "out.csv"),
    ("score", "-j1", "-o", "out.arrow"),
    ("convert", "--force", "-o", "out.sgf"),
    ("convert", "--force", "-o", "out.yaml.gz"),
    ("dedupe", "--force", "-o", "out.jsonl"),
    ("validate", "-j1", "-o", "json=out.json"),
    ("validate", "--lint", "--write-baseline", "out.json"),
    ("stats", "--format", "json", "-o", "out.json"),
]
each_command = pytest.mark.parametrize("command", COMMANDS, ids=" ".join)


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Let no file of this process become larger than a number of bytes."""
    resource = pytest.importorskip("resource", reason="files have no such limit here")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@each_command
def test_a_disk_that_is_full(
    hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.jsonl").write_bytes(GAMES)
    output = Path(command[-1].removeprefix("json="))
    usual = hexrec(command[0], "in.jsonl", *command[1:])
    whole = output.read_bytes()
    for size in (0, 1, len(whole) // 2, len(whole) - 1):
        output.write_bytes(b"")
        with room_for(size):
            ran = hexrec(command[0], "in.jsonl", *command[1:])
        assert ran.code == 2, ran
        assert "out." in ran.err
        assert "cannot be written: file too large" in ran.err, ran
        assert output.read_bytes() == b""
        assert leftovers(tmp_path) == []
    again = hexrec(command[0], "in.jsonl", *command[1:])
    assert (again.code, output.read_bytes()) == (usual.code, whole)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
@each_command
def test_a_folder_that_goes_away(
    hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("out").mkdir()
    os.mkfifo("in.jsonl")

    def take_away_and_feed() -> None:
        with open("in.jsonl", "wb") as pipe:  # once the command reads
            shutil.rmtree("out")
            pipe.write(GAMES)

    feeding = Thread(target=take_away_and_feed)
    feeding.start()
    target = command[-1].replace("out.", "out/out.", 1)
    ran = hexrec(command[0], "in.jsonl", *command[1:-1], target)
    feeding.join()
    assert ran.code == 2, ran
    assert "out/out." in ran.err
    assert "cannot be written: there is no directory" in ran.err, ran
    assert not Path("out").exists()
