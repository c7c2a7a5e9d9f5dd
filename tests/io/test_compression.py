"""Compressed files and archives: read as what they hold, damaged ones said to be so."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import sys
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random

import pytest

from hexrec.cli import run
from hexrec.io.compression import inner_suffix
from hexrec.io.discovery import Discovery
from hexrec.io.outputs import atomic_write
from hexrec.validation.sources import check_sources
from tests.formats import helpers

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LINE = f"{helpers.LINE}\n"
PACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".zst": zstd.compress,
    ".bz2": bz2.compress,
    ".xz": partial(lzma.compress, preset=0),
}
UNPACK: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.decompress,
    ".zst": zstd.decompress,
    ".bz2": bz2.decompress,
    ".xz": lzma.decompress,
}
GAMES = {"a.jsonl": 2 * LINE, "deep/b.json": LINE, "deep/c.sgf.txt": "no", "deep/d.yaml.gz": LINE, ".e.json": "no"}
FOUND = [("a.jsonl", 0), ("a.jsonl", 1), ("deep/b.json", 0), ("deep/d.yaml.gz", 0)]


def content(name: str) -> bytes:
    raw = GAMES[name].encode()
    return gzip.compress(raw) if name.endswith(".gz") else raw


def zipped() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.mkdir("deep")
        for name in GAMES:
            archive.writestr(name, content(name))
    return made.getvalue()


def tarred() -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        link = tarfile.TarInfo("link.json")
        link.type, link.linkname = tarfile.SYMTYPE, "deep/b.json"
        archive.addfile(link)
        for name in GAMES:
            member = tarfile.TarInfo(name)
            member.size = len(content(name))
            archive.addfile(member, io.BytesIO(content(name)))
    return made.getvalue()


ARCHIVES: dict[str, Callable[[], bytes]] = {
    "games.zip": zipped,
    "games.tar": tarred,
    "games.tar.gz": lambda: gzip.compress(tarred()),
    "games.tgz": lambda: gzip.compress(tarred()),
    "games.tar.zst": lambda: zstd.compress(tarred()),
    "games.tar.bz2": lambda: bz2.compress(tarred()),
    "games.tar.xz": lambda: lzma.compress(tarred()),
}


@pytest.mark.parametrize("suffix", PACK)
@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "a.yaml", "games"])
def test_a_compressed_file_is_read_like_what_it_holds(tmp_path: Path, name: str, suffix: str) -> None:
    file = tmp_path / f"{name}{suffix}"
    file.write_bytes(PACK[suffix](LINE.encode()))
    reports = list(check_sources(Discovery([str(file)])))
    assert [(report.file, report.valid, report.game) for report in reports] == [(str(file), True, "sunspot")]


def test_standard_input_may_be_compressed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(2 * LINE.encode()))))
    with pytest.raises(SystemExit) as ended:
        run(["validate", "-"])
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith("2 records in 1 file: 2 valid")


@pytest.mark.parametrize("name", ARCHIVES)
@pytest.mark.parametrize("within", ["", "folder"])
def test_the_files_of_an_archive_are_found(tmp_path: Path, name: str, within: str) -> None:
    (tmp_path / "folder").mkdir()
    file = tmp_path / "folder" / name
    file.write_bytes(ARCHIVES[name]())
    discovery = Discovery([str(tmp_path / within if within else file)])
    reports = list(check_sources(discovery))
    assert [(report.file, report.index) for report in reports] == [(f"{file}/{inner}", i) for inner, i in FOUND]
    assert all(report.valid for report in reports)
    assert discovery.skipped.kept == [f"{file}/deep/c.sgf.txt"]


@pytest.mark.parametrize("name", ARCHIVES)
def test_a_damaged_archive_is_an_input_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    whole = ARCHIVES[name]()
    for damaged in (whole[: len(whole) // 2 - 512], whole[:10] + b"\xff" * 100 + whole[110:], b"", b"no archive"):
        file.write_bytes(damaged)
        bad = [report for report in check_sources(Discovery([str(file)])) if not report.valid]
        assert [report.unreadable for report in bad] == [True]
        assert bad[0].diagnostics[0].message.startswith("cannot be read: ")


@pytest.mark.slow
@pytest.mark.parametrize("suffix", PACK)
def test_what_stands_before_the_damage_is_judged(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"a.jsonl{suffix}"
    # Records that cannot be compressed well, so that they fill more than one block.
    lines = "".join(
        json.dumps({**json.loads(LINE), "x-n": Random(n).randbytes(4_000).hex()}) + "\n" for n in range(250)
    )
    packed = PACK[suffix](lines.encode())
    file.write_bytes(packed[: len(packed) // 2])
    reports = list(check_sources(Discovery([str(file)])))
    assert 1 < len(reports) < 250
    assert all(report.valid for report in reports[:-1])
    assert reports[-1].unreadable
    assert reports[-1].diagnostics[0].message.startswith("cannot be read: damaged")


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.jsonl.xz", "a.part.gz"])
def test_no_record_before_a_missing_end_is_lost(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_bytes(PACK[file.suffix](LINE.encode() * 40)[:-8])
    reports = list(check_sources(Discovery([str(file)])))
    assert [report.valid for report in reports] == [True] * 40 + [False]
    assert reports[-1].unreadable


def test_a_locked_archive_cannot_be_read(tmp_path: Path) -> None:
    raw = bytearray(zipped())
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = raw.find(signature)
        while at >= 0:
            raw[at + flags] |= 1
            at = raw.find(signature, at + 1)
    file = tmp_path / "games.zip"
    file.write_bytes(raw)
    reports = list(check_sources(Discovery([str(file)])))
    assert {(report.file, report.unreadable) for report in reports} == {(f"{file}/{name}", True) for name, _ in FOUND}


@pytest.mark.parametrize("suffix", PACK)
def test_what_is_written_is_compressed_as_its_name_says(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"a.jsonl{suffix}"
    for _ in range(2):
        with atomic_write(file) as out:
            out.write(LINE)
            out.write("\u00e9\n")
        packed = file.read_bytes()
        assert UNPACK[suffix](packed).decode() == f"{LINE}\u00e9\n"
    if suffix == ".gz":  # neither a name nor a time
        assert packed[3:8] == b"\x04" + bytes(4)
    with suppress(KeyError), atomic_write(file) as out:
        out.write({"half": "a record"}["whole"])
    assert [path.name for path in tmp_path.iterdir()] == [file.name]
    assert file.read_bytes() == packed


@pytest.mark.parametrize(
    ("name", "suffix"),
    [
        ("a.JSON.GZ", ".json"),
        ("a.gz", ""),
        ("a.tar.Xz", ".tar"),
        ("a.b.TXT", ".txt"),
        ("a.jsonl.zst", ".jsonl"),
        ("a", ""),
    ],
)
def test_the_ending_of_what_a_file_holds(name: str, suffix: str) -> None:
    assert inner_suffix(name) == inner_suffix(Path("folder.gz") / name) == suffix


def refusal(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    *_, last = check_sources(Discovery([str(path)]))
    return last.diagnostics[0].message.removeprefix("cannot be read: ")


@pytest.mark.parametrize(("suffix", "size"), [(".xz", 40), (".xz", 10), (".gz", 20), (".bz2", 20), (".zst", 20)])
def test_what_is_said_of_a_file_that_is_cut_off(tmp_path: Path, suffix: str, size: int) -> None:
    said = refusal(tmp_path / f"a.jsonl{suffix}", PACK[suffix](LINE.encode() * 3)[:size])
    assert said == "damaged or encrypted: it is truncated"


@pytest.mark.parametrize("padding", [0, 4, 400, 8192, 10_000])
def test_what_follows_an_xz_stream(tmp_path: Path, padding: int) -> None:
    """Zeros, and another stream of the same kind."""
    path, packed, zeros = tmp_path / "a.jsonl.xz", lzma.compress(LINE.encode()), bytes(padding)
    path.write_bytes(packed + zeros + packed + zeros)
    assert [report.valid for report in check_sources(Discovery([str(path)]))] == [True, True]
    for other in (b"X", lzma.compress(LINE.encode(), lzma.FORMAT_ALONE)):
        assert refusal(path, packed + zeros + other).startswith("damaged or encrypted")
