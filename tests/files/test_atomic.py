"""Files appear whole or not at all."""

from __future__ import annotations

import gzip
import os
import re
import stat
from pathlib import Path
from typing import Any

import pytest

from hexrec.files.atomic import atomic_write, atomic_write_bytes


def write(path: Path, text: str) -> None:
    with atomic_write(path) as stream:
        stream.write(text)


def test_a_file_holds_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    write(path, "\u00e9\r\n\n")
    assert path.read_bytes() == b"\xc3\xa9\r\n\n"
    write(path, "b")
    assert path.read_bytes() == b"b"
    assert os.listdir(tmp_path) == ["a.json"]


def test_a_file_of_bytes_holds_what_was_written(tmp_path: Path) -> None:
    for name in ("a.bin", "a.gz"):
        with atomic_write_bytes(tmp_path / name) as stream:
            stream.write(b"\xff\r\n\0")
            assert not (tmp_path / name).exists()
    assert (tmp_path / "a.bin").read_bytes() == gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"\xff\r\n\0"
    assert sorted(os.listdir(tmp_path)) == ["a.bin", "a.gz"]


def test_a_failure_leaves_the_old_file_of_bytes(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"old")

    def fail() -> None:
        with atomic_write_bytes(tmp_path / "a.bin") as stream:
            stream.write(b"new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert (tmp_path / "a.bin").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.bin"]


@pytest.mark.parametrize("failure", [OSError, ValueError, KeyboardInterrupt])
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path, failure: type[BaseException]) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")

    def fail() -> None:
        with atomic_write(path) as stream:
            stream.write("new")
            stream.flush()
            raise failure

    with pytest.raises(failure):
        fail()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.json"]


def test_text_that_is_not_unicode_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write(path, "a" * 100_000 + "\ud800")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.json"]


def test_before_the_end_the_old_file_stands(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    with atomic_write(path) as stream:
        stream.write("new")
        stream.flush()
        assert path.read_text() == "old"
    assert path.read_text() == "new"


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o444])
def test_an_existing_file_keeps_its_permissions(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    path.chmod(mode)
    write(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_a_new_file_has_the_permissions_that_files_have(tmp_path: Path) -> None:
    (tmp_path / "like").write_text("")
    write(tmp_path / "a.json", "new")
    assert (tmp_path / "a.json").stat().st_mode == (tmp_path / "like").stat().st_mode


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    target, link = tmp_path / "far" / "a.json", tmp_path / "link.json"
    target.write_text("old")
    link.symlink_to(target)
    write(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert sorted(os.listdir(tmp_path)) == ["far", "link.json"]


def test_a_name_may_be_as_long_as_names_are(tmp_path: Path) -> None:
    path = tmp_path / ("a" * 250 + ".json")
    write(path, "new")
    assert path.read_text() == "new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_or_device_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write(path, "new")
        assert stat.S_ISFIFO(path.stat().st_mode)
        assert os.read(reader, 10) == b"new"
    finally:
        os.close(reader)


def test_what_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "folder", tmp_path / "no" / "a.json", Path("/")):
        with pytest.raises(OSError, match="directory"):
            write(path, "new")
    assert os.listdir(tmp_path) == ["folder"]


def test_what_replaces_a_private_file_is_private_from_the_start(tmp_path: Path) -> None:
    private, usual = tmp_path / "private", tmp_path / "usual"
    private.touch(0o600)
    mask = os.umask(0o022)
    try:
        for path, mode in ((private, 0o600), (usual, 0o644)):
            with atomic_write(path) as out:
                (part,) = tmp_path.glob(".hexrec-*")
                assert stat.S_IMODE(part.stat().st_mode) == mode
                out.write("x")
            assert stat.S_IMODE(path.stat().st_mode) == mode
    finally:
        os.umask(mask)


@pytest.mark.parametrize(("options", "count"), [({}, 1), ({"sync": True}, 1), ({"sync": False}, 0)])
def test_what_is_written_is_there_after_a_failure_of_power(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], count: int
) -> None:
    """What counts is what is there when the file gets its name."""
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda file: synced.append(os.fstat(file).st_size))
    with atomic_write_bytes(tmp_path / "a.gz", **options) as out:
        out.write(b"new")
    assert synced == [(tmp_path / "a.gz").stat().st_size] * count


def test_the_check_comes_last_and_may_refuse(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    seen: list[str] = []

    def check() -> None:
        (part,) = tmp_path.glob(".hexrec-*")
        assert re.fullmatch(rf"\.hexrec-{os.getpid()}-[0-9a-f]{{8}}\.part", part.name)
        seen.append(part.read_text())
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), atomic_write(path, check=check) as out:
        out.write("new")
    assert (seen, path.read_text(), os.listdir(tmp_path)) == (["new"], "old", ["a.json"])
