"""Files appear whole or not at all."""

from __future__ import annotations

import gzip
import os
import stat
from collections.abc import Callable
from contextlib import AbstractContextManager
from io import TextIOBase
from pathlib import Path
from typing import IO, Any

import pytest

from hexrec.io.outputs import atomic_write, atomic_write_bytes


def write(path: Path, text: str) -> None:
    with atomic_write(path) as stream:
        stream.write(text)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with some content."""
    path = tmp_path / "a.json"
    path.write_text("old")
    return path


def test_a_file_of_text(path: Path) -> None:
    """Until it is written whole, the old one stands."""
    with atomic_write(path) as stream:
        stream.write("\u00e9\r\n\n")
        stream.flush()
        assert path.read_text() == "old"
    assert path.read_bytes() == b"\xc3\xa9\r\n\n"
    write(path, "b")
    assert path.read_bytes() == b"b"
    assert os.listdir(path.parent) == ["a.json"]


def test_a_file_of_bytes(tmp_path: Path) -> None:
    for name in ("a.bin", "a.gz"):
        with atomic_write_bytes(tmp_path / name) as stream:
            stream.write(b"\xff\r\n\0")
            assert not (tmp_path / name).exists()
    assert (tmp_path / "a.bin").read_bytes() == gzip.decompress((tmp_path / "a.gz").read_bytes()) == b"\xff\r\n\0"
    assert sorted(os.listdir(tmp_path)) == ["a.bin", "a.gz"]


@pytest.mark.parametrize("failure", [OSError, ValueError, KeyboardInterrupt])
@pytest.mark.parametrize("opened", [atomic_write, atomic_write_bytes])
def test_a_failure_leaves_the_old_file_and_nothing_else(
    path: Path, opened: Callable[[Path], AbstractContextManager[IO[Any]]], failure: type[BaseException]
) -> None:
    with pytest.raises(failure), opened(path) as stream:
        write_and_raise(stream, failure)
    assert (path.read_text(), os.listdir(path.parent)) == ("old", ["a.json"])


def write_and_raise(stream: IO[Any], failure: type[BaseException]) -> None:
    stream.write("new" if isinstance(stream, TextIOBase) else b"new")
    stream.flush()
    raise failure


def test_text_that_is_not_unicode_leaves_the_old_file(path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        write(path, "a" * 100_000 + "\ud800")
    assert (path.read_text(), os.listdir(path.parent)) == ("old", ["a.json"])


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o444])
def test_an_existing_file_keeps_its_permissions(path: Path, mode: int) -> None:
    path.chmod(mode)
    write(path, "new")
    assert stat.S_IMODE(path.stat().st_mode) == mode


@pytest.mark.parametrize("mode", [0o600, None])
def test_permissions_from_the_start(tmp_path: Path, mode: int | None) -> None:
    """A new file has those that files have; what replaces a private file is private at once."""
    path, usual = tmp_path / "a.json", tmp_path / "usual"
    usual.touch()
    if mode is not None:
        path.touch(mode)
    with atomic_write(path):
        (part,) = tmp_path.glob(".hexrec-*")
        modes = [part.stat().st_mode]
    modes.append(path.stat().st_mode)
    assert modes == 2 * [usual.stat().st_mode if mode is None else stat.S_IFREG | mode]


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


def test_the_check_comes_last_and_may_refuse(path: Path) -> None:
    def check() -> None:
        (part,) = path.parent.glob(".hexrec-*.part")
        assert part.read_text() == "new"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), atomic_write(path, check=check) as out:
        out.write("new")
    assert (path.read_text(), os.listdir(path.parent)) == ("old", ["a.json"])
