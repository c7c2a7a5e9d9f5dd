"""Compressed files in frames: any program reads them, and shards begin anywhere in them."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from backports import zstd

from hexrec.io import frames
from hexrec.io.outputs import atomic_write
from hexrec.parallel import chunks
from tests.cli.conftest import Run, hexrec
from tests.parallel.conftest import SMALL, record

__all__ = ["hexrec"]  # a fixture

LINES = [record(number) if number % 7 else "\n" for number in range(120)] + ["{\n", record(0).strip()]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames of a few records, and chunks of fewer."""
    monkeypatch.setattr(frames, "_ZSTD_FRAME", 900)
    monkeypatch.setattr(frames, "_LONGEST_LINE", 3_000)
    monkeypatch.setattr(frames, "_BLOCK", 900)
    monkeypatch.setattr(chunks, "CHUNK_LIMITS", SMALL)
    monkeypatch.setattr(chunks.split, "__defaults__", (SMALL,))


def written(path: Path, lines: list[str]) -> Path:
    with atomic_write(path) as out:
        out.writelines(lines)
    return path


def in_frames_without_counts(path: Path, lines: list[str]) -> Path:
    """Write a seekable file as other programs do: frames end anywhere."""
    data = "".join(lines).encode()
    parts = [data[start : start + 1_000] for start in range(0, len(data), 1_000)]
    packed = [zstd.compress(part) for part in parts]
    sizes = b"".join(
        len(frame).to_bytes(4, "little") + len(part).to_bytes(4, "little") + bytes(4)
        for frame, part in zip(packed, parts, strict=True)
    )
    foot = len(parts).to_bytes(4, "little") + b"\x80" + (0x8F92EAB1).to_bytes(4, "little")
    head = (0x184D2A5E).to_bytes(4, "little") + (len(sizes) + len(foot)).to_bytes(4, "little")
    path.write_bytes(b"".join(packed) + head + sizes + foot)
    return path


FILES: dict[str, Callable[[Path], Path]] = {
    "a.jsonl.zst": lambda path: written(path, LINES),
    "a.jsonl.gz": lambda path: written(path, LINES),
    "long.jsonl.zst": lambda path: written(path, [*LINES[:40], '{"x": "' + "y" * 9_000 + '"}\n', *LINES[40:]]),
    "foreign.jsonl.zst": lambda path: in_frames_without_counts(path, LINES),
    "empty.jsonl.zst": lambda path: written(path, []),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("count", [3, 40])
def test_shards_of_one_compressed_file(hexrec: Run, tmp_path: Path, name: str, count: int) -> None:
    """Their rows are those of one run, and no shard has all."""
    file = FILES[name](tmp_path / name)
    whole = hexrec("score", file, "-j1", "--format", "jsonl")
    parts = [
        hexrec("score", file, "-j1", "--format", "jsonl", "--shard", f"{number}/{count}").out
        for number in range(1, count + 1)
    ]
    assert "".join(parts) == whole.out
    assert name == "empty.jsonl.zst" or max(map(len, parts)) < len(whole.out)


def test_a_shard_reads_nothing_before_its_first_frame(hexrec: Run, tmp_path: Path) -> None:
    """Damage there is the concern of another shard."""
    file = written(tmp_path / "a.jsonl.zst", LINES)
    last = hexrec("score", file, "-j1", "--format", "jsonl", "--shard", "4/4")
    file.write_bytes(b"\x28\xb5\x2f\xfd" + bytes(60) + file.read_bytes()[64:])
    assert hexrec("score", file, "-j1", "--format", "jsonl", "--shard", "4/4") == last
    assert "damaged" in hexrec("score", file, "-j1", "--format", "jsonl", "--shard", "1/4").out


def test_a_wrong_table_is_noticed(hexrec: Run, tmp_path: Path) -> None:
    file = written(tmp_path / "a.jsonl.zst", LINES)
    data = file.read_bytes()
    at = data.index(b"hexrec-1") + len(b"hexrec-1")
    file.write_bytes(data[:at] + bytes([data[at] + 1]) + data[at + 1 :])
    ran = hexrec("score", file, "-j1", "--format", "jsonl", "--shard", "1/3")
    assert ran.code == 2
    assert "damaged: its table of frames is wrong" in ran.out


@pytest.mark.parametrize("suffix", ["gz", "zst"])
def test_other_programs_read_the_files(tmp_path: Path, suffix: str) -> None:
    file = written(tmp_path / f"a.jsonl.{suffix}", LINES)
    data = file.read_bytes()
    read = gzip.decompress(data) if suffix == "gz" else zstd.decompress(data)
    assert read.decode() == "".join(LINES)
    program = shutil.which("gzip" if suffix == "gz" else "zstd")
    if program:
        assert subprocess.run([program, "-dc"], input=data, capture_output=True, check=True).stdout == read


@pytest.mark.parametrize("library", ["backports.zstd", "zstandard", "pyarrow"])
def test_every_library_for_zstandard(
    hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, library: str
) -> None:
    """It reads what the others wrote, and notices what is cut off."""
    others = [written(tmp_path / "other.jsonl.zst", LINES), in_frames_without_counts(tmp_path / "f.jsonl.zst", LINES)]
    plain = written(tmp_path / "plain.jsonl", LINES)
    monkeypatch.setattr("hexrec.io.zstd.LIBRARIES", (library,))
    own = written(tmp_path / "own.jsonl.zst", LINES)
    assert zstd.decompress(own.read_bytes()) == plain.read_bytes()
    expected = [row["hash"] for row in rows(hexrec, plain)]
    for file in (*others, own):
        assert [row["hash"] for row in rows(hexrec, file)] == expected
    own.write_bytes(own.read_bytes()[:300])
    assert rows(hexrec, own)[-1]["code"] == "syntax/unreadable"


def rows(hexrec: Run, file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in hexrec("score", file, "-j1", "--format", "jsonl").out.splitlines()]


def test_zstandard_is_an_extra(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = written(tmp_path / "a.jsonl.zst", LINES)
    for library in ("compression.zstd", "backports.zstd", "zstandard", "pyarrow"):
        monkeypatch.setitem(sys.modules, library, None)
    assert "for .zst files, install hexrec-games[zstd]" in hexrec("validate", file).out
