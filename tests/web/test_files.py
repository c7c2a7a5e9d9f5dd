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
from hexrec.web.scripts import link
from tests.web.test_entry import begun

#: For each case reads the files below a folder, given in another order, and writes which are found.
READ = """
import { readFileSync } from "node:fs";
const found = [];
for (const { paths, limits, root } of JSON.parse(process.argv[2])) {
    const given = paths.map((path) => ({ path, blob: new Blob([readFileSync(`${root}/${path}`)]) }));
    const { files, skipped, problems } = await readFiles(given, limits);
    const texts = await Promise.all(files.map(async ({ name, blob }) => [name, await blob.text()]));
    found.push({ files: texts, skipped, problems });
}
console.log(JSON.stringify(found));
"""
Found = dict[str, Any]
LIMITS = {"members": 1000, "name": 100, "directory": 1 << 20, "decompressed": 1 << 20, "ratio": 500, "records": 1000}


def read_all(*cases: tuple[Path, tuple[str, ...], dict[str, int]]) -> list[Found]:
    """Return what is found in each of some folders, by the paths and the limits given."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    given = [{"root": str(root), "paths": paths, "limits": {**LIMITS, **limits}} for root, paths, limits in cases]
    program = [node, "--input-type=module", "-", json.dumps(given)]
    done = subprocess.run(program, input=link("files") + READ, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


def read(root: Path, *paths: str) -> Found:
    (found,) = read_all((root, paths, {}))
    return found


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
    return files, search.skipped.kept, problems


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


HARMS: dict[Callable[[bytes], bytes], str] = {
    cut: "is no zip archive",
    flipped: "checksum",
    encrypted: "encrypted",
    overlapping: "members overlap",
}


def test_an_archive_that_is_damaged(tmp_path: Path) -> None:
    for harm in HARMS:
        path = tmp_path / harm.__name__ / "games.zip"
        path.parent.mkdir()
        path.write_bytes(harm(packed(zipfile.ZIP_STORED, a_json=GAME, b_json=GAME)))
    read = read_all(*((tmp_path / harm.__name__, ("games.zip",), {}) for harm in HARMS))
    for (harm, said), found in zip(HARMS.items(), read, strict=True):
        assert said in " ".join(found["problems"])
        files, _, problems = discovered(tmp_path / harm.__name__ / "games.zip")
        assert len(found["files"]) == len(files) or problems, said


def test_an_archive_may_follow_other_bytes_and_be_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = BytesIO()
    with (
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("a.json", "w", force_zip64=True) as a,
    ):
        a.write(GAME.encode())
    (tmp_path / "program.zip").write_bytes(b"#!/bin/sh\n" * 9 + stream.getvalue())
    # As with more than 65,535 members, their number is in another place only.
    monkeypatch.setattr(zipfile, "ZIP_FILECOUNT_LIMIT", 2)
    many = packed(a_txt="", b_txt="", c_txt="", a_json=GAME)
    assert many[-14:-10] == b"\4\0\4\0"
    (tmp_path / "many.zip").write_bytes(many[:-14] + b"\xff" * 4 + many[-10:])
    one, other = read_all((tmp_path, ("program.zip",), {}), (tmp_path, ("many.zip",), {}))
    assert one == {"files": [["program.zip/a.json", GAME]], "skipped": [], "problems": []}
    assert other["files"] == [["many.zip/a.json", GAME]]


def test_limits_are_kept(tmp_path: Path) -> None:
    (tmp_path / "games.zip").write_bytes(packed(a_json=GAME, games__b_json=" " * 5000))
    (tmp_path / "games.jsonl.gz").write_bytes(gzip.compress(b"\n" * 10_000_000))
    limits: dict[str, dict[str, int]] = {
        "more than 1 members": {"members": 1},
        "the name of a member has more than 5 characters": {"name": 5},
        "the list of its members has more than 50 bytes": {"directory": 50},
        "unpacks to over 1,000 bytes more than 2 times its size": {"decompressed": 1000, "ratio": 2},
    }
    whole, bomb, *others = read_all(
        (tmp_path, ("games.zip",), {}),
        (tmp_path, ("games.jsonl.gz",), {}),
        *((tmp_path, ("games.zip",), limit) for limit in limits.values()),
    )
    assert len(whole["files"]) == 2
    assert "unpacks to over" in bomb["problems"][0]
    for said, found in zip(limits, others, strict=True):
        assert said in " ".join(found["problems"])
        assert len(found["files"]) < 2, said


#: Files that cannot be read, and what is said of each.
UNREADABLE = {
    "games.json.zst": (b"\x28\xb5\x2f\xfd....", "browsers do not decompress zstd"),
    "games.tar.gz": (gzip.compress(b""), "archives in zip only"),
    "games.json.gz": (gzip.compress(GAME.encode())[:-9], "not all there"),
    "games.zip": (b"no archive", "no zip archive"),
}


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text(GAME)
    for name, (content, _) in UNREADABLE.items():
        (tmp_path / name).write_bytes(content)
    read = read_all(*((tmp_path, (name, "other.json"), {}) for name in UNREADABLE))
    for (name, (_, said)), found in zip(UNREADABLE.items(), read, strict=True):
        assert said in found["problems"][0], name
        assert found["files"] == [["other.json", GAME]], name


def test_the_content_of_a_single_file_decides(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text(GAME)
    (tmp_path / "page.html").write_text(GAME)
    both = ("notes.txt", "page.html")
    *alone, two = read_all(*((tmp_path, names, {}) for names in (both[:1], both[1:], both)))
    assert [one["files"] for one in alone] == [[[name, GAME]] for name in both]
    assert (two["files"], two["skipped"]) == ([["notes.txt", GAME]], ["page.html"])
