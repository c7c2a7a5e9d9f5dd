"""`score` and `validate` over archives: the same bytes whoever does the work, and however often it is broken off."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import tarfile
import time
from pathlib import Path

import pytest

from hexrec.io.discovery import Source
from hexrec.io.outputs import atomic_write
from hexrec.parallel import chunks
from hexrec.util import limits
from tests import processes
from tests.cli.conftest import SHORT_GAME, Run
from tests.parallel.conftest import SMALL, record
from tests.processes import PATIENCE, feed, wait_until, with_signals
from tests.record.helpers import FIXTURES

posix = pytest.mark.skipif(os.name != "posix", reason="signals of another system")
PROGRAM = [*processes.PROGRAM, "score"]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A file of several chunks, with records of all games and with faults of many kinds."""
    games = [
        line
        for path in sorted(FIXTURES.glob("*/reference/games.jsonl"))
        for line in path.read_text().splitlines(keepends=True)[::20]
    ]
    faults = [
        json.dumps({**SHORT_GAME, **change}) + "\n"
        for change in ({"size": 99}, {"moves": ["c3"]}, {"result": {"winner": "black"}}, {"game": "chess"})
    ]
    path = tmp_path / "archive.jsonl"
    # Blank space makes chunks of it that are quickly done.
    path.write_text("".join([*games, *faults, *["{" + " " * 600_000 + "\n"] * 2]) * 3)
    assert len(list(chunks.split([Source(str(path))]))) > 4
    return path


@pytest.fixture
def tiny_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut archives, in this process, into chunks of a few records."""
    monkeypatch.setattr(chunks.split, "__defaults__", (SMALL,))


@pytest.mark.slow
def test_the_same_bytes_whoever_does_the_work(hexrec: Run, archive: Path) -> None:
    ways = [hexrec("score", archive, "--jobs", jobs) for jobs in (1, 2)]
    assert len({(ran.out, ran.err, ran.code) for ran in ways}) == 1
    compressed = archive.with_name("archive.jsonl.gz")
    compressed.write_bytes(gzip.compress(archive.read_bytes()))
    assert hexrec("score", compressed, "-j2").out.replace(".jsonl.gz", ".jsonl") == ways[0].out
    piped = hexrec("score", "-", "-j1", stdin=archive.read_bytes())
    assert piped.out.replace("-,", f"{archive},") == ways[0].out.replace("-,", f"{archive},")
    assert "invalid" in ways[0].err


@pytest.mark.slow
def test_the_same_report_whoever_validates(hexrec: Run, archive: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    ways = []
    for jobs in (1, 2):
        ran = hexrec("validate", archive, "--lint", "-o", f"json={report}", "-o", "text=-", "--jobs", jobs)
        ways.append((ran, report.read_bytes()))
    assert ways[0] == ways[1]
    assert (ways[0][0].code, "error" in ways[0][0].out) == (1, True)


@pytest.mark.usefixtures("tiny_chunks")
def test_every_record_is_one_row(hexrec: Run, tmp_path: Path) -> None:
    for number in range(7):
        (tmp_path / f"{number}.json").write_text(record(number))
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "many.jsonl").write_text("".join(map(record, range(50))))
    ran = hexrec("score", tmp_path, tmp_path / "none.json", "--format", "jsonl", "-j2")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 2
    assert len(rows) == 7 + 1 + 50 + 1
    assert [row["index"] for row in rows if row["file"].endswith("many.jsonl")] == list(range(50))
    valid = sum(row["code"] is None for row in rows)
    assert f"58 records in 9 files: {valid} valid, {58 - valid} invalid" in ran.err
    assert ran.err.endswith("; 1 input could not be read\n")


@pytest.mark.slow
@pytest.mark.parametrize("command", ["score", "validate"])
def test_progress_counts_every_record(
    hexrec: Run, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr("hexrec.cli.runs._FIRST", 0.0)
    monkeypatch.setattr("hexrec.cli.runs._PAUSE", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    shown = hexrec(command, archive, "-j1", "-o", tmp_path / "out.json", watched=True).err.split("\r\x1b[K")
    lines = [line for line in shown if " a second, " in line]
    counts = [int(line.split()[0].replace(",", "")) for line in lines]
    assert len(lines) == len(list(chunks.split([Source(str(archive))])))
    assert counts == sorted(counts)
    assert counts[-1] == hexrec("score", archive, "-j1", "--format", "jsonl").out.count("\n")
    assert lines[-1].endswith("99 %, 0:00 left")


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != "archive.jsonl")


def results(checkpoint: Path) -> int:
    """Return how many results a checkpoint holds."""
    return len([*checkpoint.iterdir()]) if checkpoint.exists() else 0


def is_gone(group: int) -> bool:
    """Return whether no process of a group is left; the one that cleans up after the others may take a while."""
    for _ in range(600):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@pytest.mark.slow
@posix
def test_an_interrupt_says_what_is_kept(hexrec: Run, archive: Path, tmp_path: Path) -> None:
    target = tmp_path / "scores.csv"
    checkpoint = tmp_path / ".scores.csv.hexrec-checkpoint"
    inputs = [str(archive), "-", "--from", "jsonl"]  # standard input keeps the run from ending by itself
    program = with_signals([*PROGRAM, *inputs, "-o", str(target), "--jobs", "2"])
    with subprocess.Popen(program, stdin=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as running:
        wait_until(lambda: results(checkpoint), running)
        feed(running, b" ")  # who reads that has counted the results
        os.killpg(running.pid, signal.SIGINT)  # as a terminal does it
        _, err = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert err.decode() == (f"hexrec: interrupted\nhexrec: finished work is kept in {checkpoint}: --resume continues\n")
    assert files(tmp_path) == [checkpoint.name]
    assert is_gone(running.pid)
    ran = hexrec("score", *inputs, "-o", target, "--resume", "-j1")
    assert (ran.code, target.read_text()) == (1, hexrec("score", *inputs, "-j1").out)
    assert files(tmp_path) == ["scores.csv"]


@pytest.mark.slow
@posix
def test_a_second_run_is_refused(hexrec: Run, tmp_path: Path) -> None:
    """It touches neither the output nor what a run that goes on has finished."""
    path, target = tmp_path / "archive.jsonl", tmp_path / "out.jsonl"
    path.write_text(record(0))
    program = [*PROGRAM, "-", "--from", "jsonl", "-o", str(target)]
    with subprocess.Popen(program, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        # More than a pipe holds: when it is written, the run has its lock and reads.
        assert running.stdin is not None
        running.stdin.write(b"\n" * (1 << 18))
        running.stdin.flush()
        checkpoint = tmp_path / ".out.jsonl.hexrec-checkpoint"
        checkpoint.write_text("of the run that goes on")
        refused = hexrec("score", path, "-o", target, "--resume", "-j1")
        assert refused.code == 2
        assert f"{target}: another run is writing this file" in refused.err
        assert checkpoint.read_text() == "of the run that goes on"
        assert "unfinished run" not in refused.err
        running.communicate(record(0).encode())
    assert running.returncode == 0
    assert files(tmp_path) == ["out.jsonl"]
    assert hexrec("score", path, "-o", target, "-j1").code == 0


@pytest.mark.usefixtures("tiny_chunks")
@posix
def test_a_full_disk(hexrec: Run, tmp_path: Path) -> None:
    import resource

    (tmp_path / "archive.jsonl").write_text("".join(map(record, range(300))))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    target = tmp_path / "scores.csv"
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, limits[1]))
        ran = hexrec("score", tmp_path / "archive.jsonl", "-o", target, "-j2")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert ran.code == 2
    assert f"{target}: cannot be written: file too large" in ran.err
    assert not target.exists()
    assert "--resume continues" in ran.err
    assert hexrec("score", tmp_path / "archive.jsonl", "-o", target, "-j1", "--resume").code == 1
    assert target.read_text() == hexrec("score", tmp_path / "archive.jsonl", "-j1").out


@pytest.mark.usefixtures("tiny_chunks")
def test_a_checkpoint_that_is_not_continued_is_replaced(hexrec: Run, tmp_path: Path) -> None:
    (tmp_path / "archive.jsonl").write_text("".join(map(record, range(20))))
    checkpoint = tmp_path / ".s.csv.hexrec-checkpoint"
    checkpoint.write_text("old")
    ran = hexrec("score", tmp_path / "archive.jsonl", "-o", tmp_path / "s.csv")
    assert "is from an unfinished run: it is replaced" in ran.err
    assert files(tmp_path) == ["s.csv"]


def test_nothing_to_continue(hexrec: Run, archive: Path, tmp_path: Path) -> None:
    ran = hexrec("score", archive, "-o", tmp_path / "s.csv", "--resume", "-j1")
    assert "the run starts from the beginning" in ran.err
    assert files(tmp_path) == ["s.csv"]


@pytest.mark.slow
def test_hostile_archives_at_the_real_limits(hexrec: Run, tmp_path: Path) -> None:
    """Headers, holes and blanks without end, each in a file of some kilobytes; what stands before them is judged."""
    game = json.dumps(SHORT_GAME).encode()
    member = tarfile.TarInfo("a.json")
    member.size = len(game)
    first = member.tobuf() + game + bytes(-len(game) % 512)
    long, holes = tarfile.TarInfo("long"), tarfile.TarInfo("holes.json")
    long.type, long.size = tarfile.GNUTYPE_LONGNAME, 1 << 40
    holes.type, holes.size = tarfile.GNUTYPE_SPARSE, 0
    with gzip.open(tmp_path / "names.tar.gz", "wb", 1) as out:
        out.write(first + long.tobuf(tarfile.GNU_FORMAT) + b"n" * (1 << 22))
    (tmp_path / "holes.tar").write_bytes(first + holes.tobuf(tarfile.GNU_FORMAT) + bytes(1024))
    with atomic_write(tmp_path / "blanks.jsonl.zst") as text:
        text.write(game.decode() + "\n")
        for _ in range(limits.MAX_DECOMPRESSED_BYTES // (1 << 20) + 100):
            text.write(" " * (1 << 20))
    ran = hexrec("score", "-j1", *sorted(tmp_path.iterdir()))
    assert ran.code == 2
    for said in (
        "the headers of a member are larger",
        "it is stored as a sparse file",
        "it unpacks to over 512 MiB more",
    ):
        assert said in ran.out
    assert "3 records in 3 files: 3 valid, 0 invalid; " in ran.err
    assert "3 inputs could not be read" in ran.err
