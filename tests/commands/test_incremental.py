"""`--since` and `--cache`: less work, the same verdicts."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hexrec.validation import cache
from tests.commands.conftest import Ran, Run
from tests.record.helpers import FIXTURES


@pytest.fixture
def repository(tmp_path: Path, game: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two committed games, in one of which a turn is illegal."""
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "archive"
    (folder / "old").mkdir(parents=True)
    (folder / "old" / "bad \u00e9.json").write_text(json.dumps({**game, "moves": ["c3"]}))
    (folder / "good.json").write_text(json.dumps(game))
    (folder / ".gitignore").write_text("ignored.json\n")
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    commit(folder)
    return folder


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", folder, *arguments], check=True, capture_output=True)


def commit(folder: Path) -> None:
    git(folder, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "-a", "-m", "x")


def files(ran: Ran, folder: Path) -> list[str]:
    return sorted(os.path.relpath(record["file"], folder) for record in ran.report["records"])


def test_only_what_has_changed_is_checked(hexrec: Run, repository: Path, game: dict[str, Any]) -> None:
    def since(revision: str) -> Ran:
        return hexrec("validate", repository, "--since", revision, "--format", "json")

    ran = since("HEAD")
    assert (ran.code, files(ran, repository)) == (0, [])
    assert "not changed since HEAD: 2 files" in ran.err

    (repository / "new.json").write_text(json.dumps(game))
    (repository / "ignored.json").write_text(json.dumps(game))
    (repository / "good.json").write_text(json.dumps(game) + "\n")
    assert files(since("HEAD"), repository) == ["good.json", "new.json"]

    git(repository, "add", "new.json")
    assert files(since("HEAD"), repository) == ["good.json", "new.json"]

    commit(repository)
    assert files(since("HEAD"), repository) == []
    assert files(since("HEAD~1"), repository) == ["good.json", "new.json"]

    git(repository, "mv", "old/bad \u00e9.json", "old/b.json")
    ran = since("HEAD")
    assert (ran.code, files(ran, repository)) == (1, ["old/b.json"])

    (repository / "good.json").unlink()
    assert files(since("HEAD"), repository) == ["old/b.json"]


def test_files_in_archives_change_with_them(hexrec: Run, repository: Path) -> None:
    shutil.make_archive(str(repository / "games"), "zip", repository, "good.json")
    ran = hexrec("validate", repository, "--since", "HEAD", "--format", "json")
    assert files(ran, repository) == ["games.zip/good.json"]


def test_what_git_cannot_compare_is_checked(hexrec: Run, repository: Path, game: dict[str, Any]) -> None:
    ran = hexrec("validate", "-", repository / "none.json", "--since", "HEAD", stdin=json.dumps(game).encode())
    assert ran.code == 2
    assert "syntax/unreadable" in ran.out
    assert "2 records in 2 files: 1 valid" in ran.out


@pytest.mark.parametrize("revision", ["none", "--help", "", "HEAD:good.json"])
def test_unknown_revisions(hexrec: Run, repository: Path, revision: str) -> None:
    ran = hexrec("validate", repository, f"--since={revision}")
    assert (ran.code, ran.out) == (2, "")
    assert f"git knows no revision {revision!r}" in ran.err


def test_no_repository(hexrec: Run, tmp_path: Path, game: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.json").write_text(json.dumps(game))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    ran = hexrec("validate", tmp_path, "--since", "HEAD", "-o", tmp_path / "report.json")
    assert ran.code == 2
    assert "not a git repository" in ran.err
    assert not (tmp_path / "report.json").exists()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "git, which is not installed" in hexrec("validate", tmp_path, "--since", "HEAD").err


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Broken files in every notation, with findings of every kind."""
    for name in ("record", "formats/yaml", "nadraz"):
        shutil.copytree(FIXTURES / name, tmp_path / "archive" / name)
    return tmp_path / "archive"


REPORTS = ("text", "json", "jsonl", "sarif", "junit", "github", "markdown")


@pytest.mark.parametrize("options", [(), ("--lint", "--finished")])
def test_kept_verdicts_are_the_same(hexrec: Run, archive: Path, tmp_path: Path, options: tuple[str, ...]) -> None:
    def run(*more: str) -> tuple[int, dict[str, bytes], str]:
        outputs = [argument for report in REPORTS for argument in ("-o", f"{report}={tmp_path / report}")]
        ran = hexrec("validate", archive, "--jobs", "1", "--board", *options, *outputs, *more)
        return ran.code, {report: (tmp_path / report).read_bytes() for report in REPORTS}, ran.err

    cached = ("--cache", "--cache-dir", str(tmp_path / "cache"))
    code, plain, _ = run()
    for kept in (False, True):
        again, outputs, errors = run(*cached)
        assert (again, outputs) == (code, plain)
        # Some files have the same content: even in the first run, one verdict serves them all.
        count = int(match[1]) if (match := re.search(r"verdicts kept from an earlier run: (\d+) file", errors)) else 0
        assert (count > 50) == kept
    baseline = [tmp_path / "first", tmp_path / "second"]
    hexrec("validate", archive, *options, "--write-baseline", baseline[0])
    hexrec("validate", archive, *options, *cached, "--write-baseline", baseline[1])
    assert baseline[0].read_bytes() == baseline[1].read_bytes()


@pytest.fixture
def one(tmp_path: Path, game: dict[str, Any]) -> Path:
    file = tmp_path / "games" / "a.json"
    file.parent.mkdir()
    file.write_text(json.dumps(game))
    return file


def kept(ran: Ran) -> bool:
    return "verdicts kept from an earlier run: 1 file" in ran.err


def test_what_a_verdict_depends_on(hexrec: Run, one: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*options: str) -> Ran:
        return hexrec("validate", *options, "--cache", "--cache-dir", tmp_path / "cache")

    assert not kept(run(str(one)))
    assert kept(run(str(one)))
    moved = one.rename(one.with_name("b.json"))
    assert kept(run(str(moved)))
    assert not kept(run(str(moved), "--finished"))
    assert run(str(moved), "--finished").code == 1
    assert not kept(run(str(moved), "--lint"))
    assert not kept(run(str(moved), "--from", "yaml"))
    assert not kept(run("-"))
    moved.write_text(moved.read_text().replace("a1", "c3"))
    assert run(str(moved)).code == 1
    assert kept(run(str(moved)))
    monkeypatch.setattr(cache, "__version__", "0")
    assert not kept(run(str(moved)))


def test_what_may_pass_is_not_kept(hexrec: Run, one: Path, game: dict[str, Any]) -> None:
    one.write_text(json.dumps({**game, "date": "9999-12-31"}))
    for _ in range(2):
        ran = hexrec("validate", one, "--lint", "--cache", "--cache-dir", one.parent / "cache")
        assert "lint/future-date" in ran.out
        assert not kept(ran)


def test_a_damaged_cache_is_made_anew(hexrec: Run, one: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cache"

    def run() -> Ran:
        return hexrec("validate", one, "--cache", "--cache-dir", folder)

    whole = run().out
    (entry,) = (path for path in folder.rglob("*") if path.is_file() and path.name != ".gitignore")
    content = entry.read_bytes()
    for damaged in (b"", content[:-10], content.replace(b"sundraval", b"valaturna"), content.partition(b"\n")[2]):
        entry.write_bytes(damaged)
        ran = run()
        assert (ran.out, kept(ran)) == (whole, False)
        assert entry.read_bytes() == content
        assert kept(run())


def test_a_cache_that_cannot_be_written_does_no_harm(hexrec: Run, one: Path) -> None:
    for _ in range(2):
        ran = hexrec("validate", one, "--cache", "--cache-dir", one / "no" / "folder")
        assert ran.code == 0
        assert not kept(ran)


def test_git_does_not_see_the_cache(hexrec: Run, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository)
    hexrec("validate", ".", "--cache")
    assert (repository / ".hexrec_cache").is_dir()
    status = subprocess.run(["git", "status", "--porcelain"], check=True, capture_output=True)
    assert status.stdout == b""
