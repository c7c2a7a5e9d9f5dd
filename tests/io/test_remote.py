"""Addresses and patterns as paths: what they find, what they say when there is nothing. No network is used."""

from __future__ import annotations

import gzip
import io
import json
import os
import pickle
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fsspec
import pytest

from hexrec.io.discovery import Discovery, Source
from hexrec.io.remote import file_name, is_address, open_binary
from hexrec.util.escaping import shorten
from hexrec.validation.sources import check_sources
from tests.cli.conftest import Run, hexrec
from tests.formats.helpers import LINE

__all__ = ["hexrec"]  # a fixture

RAW = f"{LINE}\n".encode()


@pytest.fixture
def memory() -> Iterator[Any]:
    """A file system in memory, with some files."""
    system = fsspec.filesystem("memory")
    system.pipe(
        {
            "/games/b.jsonl": RAW + RAW,
            "/games/a.json": RAW,
            "/games/notes.txt": b"no",
            "/games/.hidden.json": RAW,
            "/games/.git/c.json": RAW,
            "/games/2024/c.jsonl.gz": gzip.compress(RAW),
        }
    )
    yield system
    system.rm("/", recursive=True)


def found(*paths: str) -> list[str]:
    return [item.name if isinstance(item, Source) else f"{item.code}: {item.message}" for item in Discovery(paths)]


def refusal(path: str) -> str:
    (report,) = check_sources(Discovery([path]))
    (diagnostic,) = report.diagnostics
    assert (report.file, report.index, diagnostic.code) == (path, 0, "syntax/unreadable")
    return diagnostic.message.removeprefix("cannot be read: ")


@pytest.mark.parametrize(
    ("paths", "remote"),
    [
        (("s3://b/a.json", "memory://a", "zip://a::file://b.zip", "simplecache::s3://b/a"), True),
        (("a.json", "-", "C:/a.json", "C://a.json", "./s3://a", "/a://b", "a::b", "://a", "a:b"), False),
    ],
)
def test_addresses(paths: tuple[str, ...], remote: bool) -> None:
    assert [path for path in paths if is_address(path) is not remote] == []


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("a.json", "a.json"),
        ("s3://b/a.json", "s3://b/a.json"),
        ("simplecache::s3://b/a.tar", "s3://b/a.tar"),
        ("zip://a.json::s3://b/c.zip", "zip://a.json"),
        ("./a://b.zip::c://d.json", "./a://b.zip::c://d.json"),
    ],
)
def test_which_part_of_an_address_names_the_file(path: str, name: str) -> None:
    assert file_name(path) == name


def test_a_long_reason_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: str) -> None:
        raise ValueError("no " * 100)

    monkeypatch.setattr("fsspec.core.url_to_fs", fails)
    assert refusal("memory://a.json") == shorten("the server or its library reports: " + "no " * 100, 200)


@pytest.mark.usefixtures("memory")
class TestAddresses:
    def test_a_file_is_read(self) -> None:
        reports = list(check_sources(Discovery(["memory://games/b.jsonl"])))
        assert [(each.file, each.index, each.valid) for each in reports] == [
            ("memory://games/b.jsonl", 0, True),
            ("memory://games/b.jsonl", 1, True),
        ]

    @pytest.mark.parametrize(
        ("pattern", "names"),
        [
            ("memory://games/*", ["a.json", "b.jsonl", "notes.txt"]),
            ("memory://games/*.json*", ["a.json", "b.jsonl"]),
            ("memory://games/*/*", ["2024/c.jsonl.gz"]),
            ("memory://games/**", ["2024/c.jsonl.gz", "a.json", "b.jsonl", "notes.txt"]),
            ("memory://games/.h*", [".hidden.json"]),
            ("memory://g*/a.json", ["a.json"]),
        ],
    )
    def test_a_pattern_stands_for_the_files_that_match(self, pattern: str, names: list[str]) -> None:
        addresses = found(pattern)
        assert addresses == [f"memory://games/{name}" for name in names]
        assert found(*addresses) == addresses

    def test_a_compressed_file_is_unpacked(self) -> None:
        (report,) = check_sources(Discovery(["memory://games/**/*.gz"]))
        assert (report.file, report.valid) == ("memory://games/2024/c.jsonl.gz", True)

    @pytest.mark.parametrize("name", ["games.zip", "games.tar.gz"])
    def test_an_archive_is_read(self, memory: Any, name: str) -> None:
        packed = io.BytesIO()
        if name.endswith(".zip"):
            with zipfile.ZipFile(packed, "w") as zipped:
                zipped.writestr("deep/a.jsonl", RAW)
        else:
            with tarfile.open(fileobj=packed, mode="w:gz") as tarred:
                member = tarfile.TarInfo("deep/a.jsonl")
                member.size = len(RAW)
                tarred.addfile(member, io.BytesIO(RAW))
        memory.pipe(f"/{name}", packed.getvalue())
        (report,) = check_sources(Discovery([f"memory://{name}"]))
        assert (report.file, report.valid) == (f"memory://{name}/deep/a.jsonl", True)
        memory.pipe(f"/{name}", packed.getvalue()[:100])
        damaged = [*check_sources(Discovery([f"memory://{name}"]))]
        assert damaged
        assert all("damaged or encrypted" in report.diagnostics[0].message for report in damaged)

    def test_addresses_may_lead_into_one_another(self, memory: Any) -> None:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("a.json", RAW)
            archive.writestr("b.jsonl", RAW)
        memory.pipe("/games.zip", packed.getvalue())
        assert found("zip://*.json::memory://games.zip") == ["zip://a.json::memory://games.zip"]
        (source,) = Discovery(["zip://*.json::memory://games.zip"])
        assert isinstance(source, Source)
        assert source.format == "json"
        assert [document.error for document in source.documents()] == [None]

    def test_a_stream_from_afar(self, memory: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        """It can be read a part at a time and from any place, and is closed with what reads it."""
        content = bytes(range(256)) * 100
        memory.pipe("/games/large", content)
        closed: list[Any] = []
        monkeypatch.setattr(fsspec.implementations.memory.MemoryFile, "close", lambda self: closed.append(self))
        with open_binary("memory://games/large") as stream:
            assert stream.read(10) == content[:10]
            assert (stream.seek(-5, io.SEEK_END), stream.read()) == (len(content) - 5, content[-5:])
            assert (stream.seek(20_000), stream.read(3), stream.tell()) == (20_000, content[20_000:20_003], 20_003)
            assert closed == []
        assert len(closed) == 1

    def test_the_dots_of_the_folders_that_are_named_count_for_nothing(self, memory: Any) -> None:
        memory.pipe({"/.old/a.json": RAW, "/.old/.b.json": RAW})
        assert found("memory://.old/*.json") == ["memory://.old/a.json"]
        assert found("memory://.old/.*.json") == ["memory://.old/.b.json"]

    def test_a_pattern_that_stands_in_its_address_twice(self, tmp_path: Path) -> None:
        with zipfile.ZipFile(tmp_path / "a*.zip", "w") as archive:
            archive.writestr("a1", RAW)
        address = f"zip://a*::file://{tmp_path}/a*.zip"
        assert found(address) == [f"zip://a1::file://{tmp_path}/a*.zip"]

    def test_a_source_can_be_sent_to_another_process(self) -> None:
        (source,) = Discovery(["memory://games/a.json"])
        again = pickle.loads(pickle.dumps(source))
        assert isinstance(source, Source)
        assert again.name == source.name
        assert len(list(again.documents())) == 1

    def test_an_address_that_fails_does_not_stop_the_rest(self) -> None:
        failing = "syntax/unreadable: cannot be read: this kind of URL is unknown"
        assert found("hexrec-nowhere://*", "memory://games/a.json") == [failing, "memory://games/a.json"]

    def test_commands_take_addresses(self, hexrec: Run) -> None:
        ran = hexrec("validate", "memory://games/*.jsonl", "memory://games/a.json")
        assert (ran.code, ran.out[:34]) == (0, "3 records in 2 files: 3 valid, 0 i")
        ran = hexrec("score", "--format", "json", "memory://games/a.json", "memory://games/no.json")
        assert ran.code == 2
        rows = [(row["file"], row["code"]) for row in json.loads(ran.out)]
        assert rows == [("memory://games/a.json", None), ("memory://games/no.json", "syntax/unreadable")]
        assert hexrec("show", "memory://games/a.json").code == 0

    @pytest.mark.parametrize(
        ("path", "reason"),
        [
            ("memory://games/no.json", "no such file (the files of a directory are named with a pattern: …/*)"),
            ("memory://games", "no such file (the files of a directory are named with a pattern: …/*)"),
            ("memory://games/*.sgf", "no file matches the pattern"),
            ("memory://no.zip", "no such file (the files of a directory are named with a pattern: …/*)"),
            ("hexrec-nowhere://a.json", "this kind of URL is unknown"),
        ],
    )
    def test_what_cannot_be_read_says_why(self, path: str, reason: str) -> None:
        assert refusal(path) == reason

    @pytest.mark.parametrize("method", ["open", "read"])
    @pytest.mark.parametrize(
        "failure", [RuntimeError("quota\nspent"), PermissionError(13, "quota spent"), ValueError()]
    )
    def test_whatever_goes_wrong_far_away_is_a_diagnostic(
        self, method: str, failure: Exception, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(*_: Any, **__: Any) -> None:
            raise failure

        owner = type(fsspec.filesystem("memory")) if method == "open" else fsspec.implementations.memory.MemoryFile
        monkeypatch.setattr(owner, method, fail)
        reason = refusal("memory://games/a.json").removeprefix("the server or its library reports: ")
        assert reason == ("ValueError" if isinstance(failure, ValueError) else "quota spent")

    def test_without_the_library_the_extra_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for module in [name for name in sys.modules if name.partition(".")[0] == "fsspec"]:
            monkeypatch.delitem(sys.modules, module)
        monkeypatch.setitem(sys.modules, "fsspec", None)
        assert refusal("memory://games/a.json") == "for URLs, install hexrec-games[remote]"
        assert refusal("memory://games/*") == "for URLs, install hexrec-games[remote]"


def test_local_files_have_addresses_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "a.json").write_bytes(RAW)
    assert found(f"file://{tmp_path}/games/*") == [f"file://{tmp_path}/games/a.json"]
    monkeypatch.chdir(tmp_path)
    (report,) = check_sources(Discovery(["file://games/*"]))
    assert (report.file, report.valid) == (f"file://{tmp_path}/games/a.json", True)


def test_the_library_is_imported_for_addresses_only(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(RAW)
    program = "import sys; from hexrec.cli import run\ntry: run(sys.argv[1:])\nfinally: print(*sys.modules)"
    for path, imported in ((tmp_path / "*.json", False), (f"file://{tmp_path}/a.json", True)):
        arguments = [sys.executable, "-c", program, "validate", str(path)]
        ran = subprocess.run(arguments, capture_output=True, text=True, check=True)
        assert ("fsspec" in ran.stdout.split()) is imported


class TestLocalPatterns:
    @pytest.fixture(autouse=True)
    def here(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("b.json", "a.json", "[1].json", "1.json", ".h.json", "sub/c.jsonl", "sub/deep/d.json", "x.txt"):
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_bytes(RAW)
        monkeypatch.chdir(tmp_path)

    @pytest.mark.parametrize(
        ("pattern", "names"),
        [
            ("*.json", ["1.json", "[1].json", "a.json", "b.json"]),
            ("[1].json", ["[1].json"]),
            ("sub*", ["sub/c.jsonl", "sub/deep/d.json"]),
            ("**/*.json", ["1.json", "[1].json", "a.json", "b.json", "sub/deep/d.json"]),
            ("x.*", ["x.txt"]),
            ("*.sgf", ["syntax/unreadable: cannot be read: the pattern matches no file"]),
        ],
    )
    def test_a_pattern_that_no_shell_has_replaced(self, pattern: str, names: list[str]) -> None:
        assert [name.replace(os.sep, "/") for name in found(pattern)] == names

    def test_a_pattern_that_matches_nothing_is_an_input_that_cannot_be_read(self) -> None:
        assert refusal("*.sgf") == "the pattern matches no file"
