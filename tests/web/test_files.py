"""Folders and archives that the page reads, in Node: the same files, in the same order, as the command reads."""

from __future__ import annotations

import gzip
import json
import random
import shutil
import struct
import subprocess
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from hexrec.io.discovery import Discovery, Source
from hexrec.util.diagnostics import Diagnostic
from tests.web.test_entry import begun

SCRIPT = Path(__file__).parents[2] / "hexrec/web/static/files.js"
#: Reads the files below a folder, given in another order, and writes which are found.
READ = """
import { readFileSync } from "node:fs";
const { readFiles } = await import(process.argv[1]);
const { paths, limits, root } = JSON.parse(process.argv[2]);
const given = paths.map((path) => ({ path, blob: new Blob([readFileSync(`${root}/${path}`)]) }));
const { files, skipped, problems } = await readFiles(given, limits);
const texts = await Promise.all(files.map(async ({ name, blob }) => [name, await blob.text()]));
console.log(JSON.stringify({ files: texts, skipped, problems }));
"""
LIMITS = {"members": 1000, "name": 100, "directory": 1 << 20, "decompressed": 1 << 20, "ratio": 500, "records": 1000}


def read(root: Path, *paths: str, **limits: int) -> dict[str, Any]:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    given = json.dumps({"root": str(root), "paths": paths, "limits": {**LIMITS, **limits}})
    program = [node, "--input-type=module", "-e", READ, str(SCRIPT), given]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def discovered(path: Path) -> tuple[list[list[str]], list[str], list[str]]:
    """Return what the command finds: names and texts of files, the names of those skipped, and those with problems."""
    search = Discovery([str(path)])
    files: list[list[str]] = []
    problems = []
    for found in search:
        if isinstance(found, Diagnostic):
            problems.append(str(found.file))
            continue
        try:
            files.append([found.name, text_of(found)])
        except (OSError, EOFError):
            problems.append(found.name)
    return files, list(search.skipped), problems


def text_of(source: Source) -> str:
    with source.open() as stream:
        content = stream.read()
    return (gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content).decode()


def packed(method: int = zipfile.ZIP_DEFLATED, **members: str | bytes) -> bytes:
    """Return an archive; `__` in the names of members stands for a slash, `_` for a dot."""
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return stream.getvalue()


GAME = begun(moves=["d4"])


def test_folders_and_archives_are_read_as_by_the_command(tmp_path: Path) -> None:
    tree: dict[str, bytes] = {
        "b.sgf": b"(;FF[4])",
        "a/z.jsonl": GAME.encode(),
        "a.yaml": b"x: 1",
        "a/deep/er/game.HGN": b"[Game]",
        "a-b.json": GAME.encode(),
        ".hidden/game.json": GAME.encode(),
        "a/.game.json": GAME.encode(),
        "notes.txt": b"no record",
        "packed.yml.gz": gzip.compress(b"y: 2"),
        "games.ZIP": packed(two_json=GAME, one_yml="z: 3", sub__three_ndjson=GAME, _hidden_json=GAME, notes_txt="no"),
        "stored.zip": packed(zipfile.ZIP_STORED, sub__game_json=GAME, more_zip=packed(a_json=GAME)),
        "twice.zip": packed(games_jsonl_gz=gzip.compress(GAME.encode())),
        "bzip2.zip": packed(zipfile.ZIP_BZIP2, game_json=GAME),
        "empty.zip": packed(notes_txt="no"),
    }
    league = tmp_path / "league"
    for name, content in tree.items():
        path = league / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    paths = [f"league/{name}" for name in tree]
    random.Random(1).shuffle(paths)
    files, skipped, problems = discovered(league)
    found = read(tmp_path, *paths)
    prefix = f"{tmp_path}/"

    def plain(name: str) -> str:
        return name.removeprefix(prefix).removesuffix(".gz")

    assert found["files"] == [[plain(name), text] for name, text in files]
    assert len(files) == 11
    assert sorted(found["skipped"]) == sorted(map(plain, skipped))
    assert [each.partition(" cannot")[0] for each in found["problems"]] == [plain(name) for name in problems]


def cut(archive: bytes) -> bytes:
    return archive[:-30]


def flipped(archive: bytes) -> bytes:
    at = archive.index(b"sunspot")
    return archive[:at] + b"S" + archive[at + 1 :]


def encrypted(archive: bytes) -> bytes:
    at = archive.index(b"PK\x01\x02") + 8
    return archive[:at] + b"\x01" + archive[at + 1 :]


def overlapping(archive: bytes) -> bytes:
    """Return an archive whose second member is the first once more."""
    at = archive.rindex(b"PK\x01\x02") + 42
    return archive[:at] + struct.pack("<I", 0) + archive[at + 4 :]


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (cut, "is no zip archive"),
        (flipped, "checksum"),
        (encrypted, "encrypted"),
        (overlapping, "members overlap"),
    ],
)
def test_an_archive_that_is_damaged(tmp_path: Path, harm: Callable[[bytes], bytes], said: str) -> None:
    path = tmp_path / "games.zip"
    path.write_bytes(harm(packed(zipfile.ZIP_STORED, a_json=GAME, b_json=GAME)))
    found = read(tmp_path, "games.zip")
    assert said in " ".join(found["problems"])
    files, _, problems = discovered(path)
    assert len(found["files"]) == len(files) or problems


def test_an_archive_may_follow_other_bytes_and_be_large(tmp_path: Path) -> None:
    stream = BytesIO()
    with (
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("a.json", "w", force_zip64=True) as a,
    ):
        a.write(GAME.encode())
    (tmp_path / "program.zip").write_bytes(b"#!/bin/sh\n" * 9 + stream.getvalue())
    assert read(tmp_path, "program.zip") == {"files": [["program.zip/a.json", GAME]], "skipped": [], "problems": []}
    many = BytesIO()
    with zipfile.ZipFile(many, "w") as archive:
        for number in range(66_000):
            archive.writestr(f"{number}.txt", "")
        archive.writestr("a.json", GAME)
    (tmp_path / "many.zip").write_bytes(many.getvalue())
    found = read(tmp_path, "many.zip", members=70_000, directory=1 << 24)
    assert found["files"] == [["many.zip/a.json", GAME]]


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ({"members": 1}, "more than 1 members"),
        ({"name": 5}, "the name of a member has more than 5 characters"),
        ({"directory": 50}, "the list of its members has more than 50 bytes"),
        ({"decompressed": 1000, "ratio": 2}, "unpacks to over 1,000 bytes more than 2 times its size"),
    ],
)
def test_limits_are_kept(tmp_path: Path, limit: dict[str, int], said: str) -> None:
    (tmp_path / "games.zip").write_bytes(packed(a_json=GAME, games__b_json=" " * 5000))
    found = read(tmp_path, "games.zip", **limit)
    assert said in " ".join(found["problems"])
    assert len(found["files"]) < 2
    assert len(read(tmp_path, "games.zip")["files"]) == 2


def test_a_bomb_in_a_compressed_file_is_not_unpacked(tmp_path: Path) -> None:
    (tmp_path / "games.jsonl.gz").write_bytes(gzip.compress(b"\n" * 10_000_000))
    assert "unpacks to over" in read(tmp_path, "games.jsonl.gz")["problems"][0]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("games.json.zst", b"\x28\xb5\x2f\xfd....", "browsers do not decompress zstd"),
        ("games.tar.gz", gzip.compress(b""), "archives in zip only"),
        ("games.json.gz", gzip.compress(GAME.encode())[:-9], "not all there"),
        ("games.zip", b"no archive", "no zip archive"),
    ],
    ids=["zst", "tar", "cut", "zip"],  # compressed content names the time: processes would collect other tests
)
def test_what_cannot_be_read_is_told(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(content)
    (tmp_path / "other.json").write_text(GAME)
    found = read(tmp_path, name, "other.json")
    assert said in found["problems"][0]
    assert found["files"] == [["other.json", GAME]]


def test_the_content_of_a_single_file_decides(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text(GAME)
    assert read(tmp_path, "notes.txt")["files"] == [["notes.txt", GAME]]
    assert read(tmp_path, "notes.txt", "notes.txt")["skipped"] == ["notes.txt"] * 2
