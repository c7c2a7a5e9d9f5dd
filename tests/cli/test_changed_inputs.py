"""An input that changes while it is read ends the run with 2, and no output takes its name."""

from __future__ import annotations

import gzip
import io
import json
import os
import tarfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import hexrec as library
from hexrec.cli import runs
from hexrec.io.discovery import Source
from hexrec.parallel import chunks
from hexrec.parallel.chunks import Chunk
from hexrec.validation import sources
from hexrec.validation.verdict import check_document
from tests.cli.conftest import SHORT_GAME, Ran, Run
from tests.parallel.conftest import SMALL

Change = Callable[[Path], object]


def lines(count: int = 60) -> list[str]:
    """Return valid records, each as long as any other."""
    return [json.dumps({**SHORT_GAME, "id": f"game {number:02}"}) + "\n" for number in range(count)]


def reverse(path: Path) -> None:
    """Put the lines in reverse order, in place; the time moves on, even if the clock of the file system has not."""
    about = path.stat()
    content = path.read_bytes().splitlines(keepends=True)
    with path.open("r+b") as stream:
        stream.writelines(reversed(content))
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns + 1))


def replace(path: Path) -> None:
    other = path.with_suffix(".new")
    other.write_bytes(b"".join(reversed(path.read_bytes().splitlines(keepends=True))))
    other.replace(path)


def append(path: Path) -> None:
    with path.open("ab") as stream:
        stream.write(lines(1)[0].encode())


def empty(path: Path) -> None:
    os.truncate(path, 0)


def cut_off(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


CHANGES = [empty, cut_off, reverse, append]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "in" / "games.jsonl"
    path.parent.mkdir()
    path.write_text("".join(lines()))
    return path


def after_the_first_unit(monkeypatch: pytest.MonkeyPatch, path: Path, change: Change) -> None:
    """Change a file when the first chunk has been asked for, and the second is."""

    def changing(sources: Iterable[Source | library.Diagnostic], **options: Any) -> Iterator[Chunk]:
        found = chunks.split(sources, SMALL, **options)
        yield next(found)
        change(path)
        yield from found

    monkeypatch.setattr(runs, "split", changing)


def after_the_first_record(monkeypatch: pytest.MonkeyPatch, path: Path, change: Change) -> None:
    """Change a file as soon as the first of its records has been read."""
    check = check_document
    changes = iter([change])

    def changing(*arguments: object, **options: object) -> library.Report:
        for each in changes:
            each(path)
        return check(*arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(sources, "check_document", changing)
    monkeypatch.setattr("hexrec.validation.clean.read_json", lambda _: None)  # each record gets the closer look


def refused(ran: Ran, path: Path) -> None:
    assert ran.code == 2
    assert f"{path}: error syntax/changed: was changed while it was read" in ran.err
    assert "invalid" not in ran.err


@pytest.mark.parametrize(
    ("command", "after", "change"),
    [
        *((("score", "-j1"), after_the_first_unit, each) for each in CHANGES),
        (("dedupe", "-j1", "--to", "jsonl"), after_the_first_unit, append),
        (("stats", "-j1"), after_the_first_unit, append),
        pytest.param(("score", "-j2"), after_the_first_unit, reverse, marks=pytest.mark.slow),
        pytest.param(("validate", "-j2"), after_the_first_unit, reverse, marks=pytest.mark.slow),
        (("convert", "--to", "jsonl"), after_the_first_unit, append),
    ],
)
def test_a_file(
    hexrec: Run,
    archive: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
    after: Callable[[pytest.MonkeyPatch, Path, Change], None],
    change: Change,
) -> None:
    """Cut into ranges, for this process or others, or read in one piece."""
    after(monkeypatch, archive, change)
    target = tmp_path / {"score": "out.csv", "convert": "out.jsonl", "dedupe": "out.jsonl"}.get(command[0], "out.txt")
    refused(hexrec(*command, archive, "-o", target), archive)
    assert not target.exists()


@pytest.mark.parametrize(
    ("command", "change"),
    [
        (("convert", "--to", "jsonl"), replace),
        (("score", "-j1"), replace),
        (("score", "-j1"), os.unlink),
        *((("validate", "-j1"), each) for each in CHANGES),
    ],
)
def test_the_old_file_is_read_to_its_end(
    hexrec: Run,
    archive: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
    change: Change,
) -> None:
    """Another file takes its name while it is open, or it has been read whole before the first record is validated."""
    after_the_first_record(monkeypatch, archive, change)
    target = tmp_path / {"convert": "out.jsonl"}.get(command[0], "out.json")
    assert hexrec(*command, archive, "-o", target).code == 0
    assert target.read_text().count("game ") == 60


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", ["games.jsonl.gz", "games.yaml"])
def test_what_is_read_as_a_stream(
    hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, change: Change
) -> None:
    path = tmp_path / name
    text = "".join(f"---\n{line}" for line in lines()) if name.endswith("yaml") else "".join(lines())
    path.write_bytes(gzip.compress(text.encode()) if name.endswith("gz") else text.encode())
    monkeypatch.setattr(chunks.split, "__defaults__", (SMALL._replace(whole=1_000),))
    after_the_first_record(monkeypatch, path, change)
    refused(hexrec("score", path, "-j1"), path)


@pytest.mark.parametrize("command", [("score", "-j1"), ("convert", "--to", "jsonl")])
def test_an_archive(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]) -> None:
    path = tmp_path / "games.tar"
    with tarfile.open(path, "w") as archive:
        for number, line in enumerate(lines()):
            member = tarfile.TarInfo(f"{number}.json")
            member.size = len(line)
            archive.addfile(member, io.BytesIO(line.encode()))
    monkeypatch.setattr(chunks.split, "__defaults__", (SMALL,))
    after_the_first_record(monkeypatch, path, append)
    refused(hexrec(*command, path), path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_file_that_appears_while_others_are_converted(hexrec: Run, archive: Path, tmp_path: Path) -> None:
    pipe, late = tmp_path / "first.json", archive.with_name("late.json")
    os.mkfifo(pipe)

    def write() -> None:
        with pipe.open("w") as stream:  # once it is read
            late.write_text(lines(1)[0])
            stream.write(lines(1)[0])

    writing = Thread(target=write)
    writing.start()
    missing = tmp_path / "missing.json"
    ran = hexrec("convert", missing, pipe, archive.parent, "--to", "sgf", "-o", f"{tmp_path / 'out'}/")
    writing.join()
    assert ran.code == 2
    assert f"{missing}: error syntax/unreadable" in ran.err
    assert f"{late}: was not found when the run began" in ran.err
    assert not (tmp_path / "out/late.sgf").exists()


def test_standard_input_from_a_file(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with archive.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        documents = Source("-", "jsonl").documents()
        next(documents)
        append(archive)
        with pytest.raises(BaseException, match="-") as raised:
            list(documents)
    assert raised.type.__name__ == "InputChanged"


def test_the_library(archive: Path) -> None:
    records = library.records(archive)
    next(records)
    append(archive)
    with pytest.raises(library.InputChanged, match="was changed while it was read"):
        list(records)


def test_a_finished_part_is_continued_once_the_input_is_back(
    hexrec: Run, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out.csv"
    with monkeypatch.context() as patch:
        after_the_first_unit(patch, archive, append)
        refused(hexrec("score", archive, "-j1", "-o", target), archive)
    archive.write_text("".join(lines()))
    monkeypatch.setattr(chunks.split, "__defaults__", (SMALL,))
    assert hexrec("score", archive, "-j1", "-o", target, "--resume").code == 0
    assert target.read_text() == hexrec("score", archive, "-j1").out
