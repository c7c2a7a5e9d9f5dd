"""`--since` and `--cache`: less work, the same verdicts."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Ran, Run
from tests.record.helpers import FIXTURES

ROOT = Path(__file__).parent.parent.parent


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


def test_changed_files_come_first(hexrec: Run, repository: Path, game: dict[str, Any]) -> None:
    """All files are validated, each once, also those of an archive; what is skipped is told once."""
    with zipfile.ZipFile(repository / "a.zip", "w") as archive:
        archive.writestr("in.json", json.dumps(game))
    (repository / "readme").write_text("")
    git(repository, "add", "a.zip", "readme")
    commit(repository)
    (repository / "good.json").write_text(json.dumps({**game, "moves": ["c3"]}))
    (repository / "new.json").write_text(json.dumps(game))
    for more in ([], ["--shard", "1/1"]):
        ran = hexrec("validate", repository, "--changed-first", "HEAD", "--format", "json", *more)
        order = [os.path.relpath(record["file"], repository) for record in ran.report["records"]]
        assert order == ["good.json", "new.json", "a.zip/in.json", os.path.join("old", "bad \u00e9.json")]
        assert ran.err.count("skipped") == 1
    ran = hexrec("validate", repository, "--changed-first", "HEAD", "--since", "HEAD")
    assert (ran.code, "give one of --since and --changed-first" in ran.err) == (2, True)
    ran = hexrec("validate", repository, "--changed-first", "nowhere")
    assert (ran.code, "--changed-first: git does not know the revision" in ran.err) == (2, True)


def test_a_file_may_be_named_like_the_revision(hexrec: Run, repository: Path, game: dict[str, Any]) -> None:
    name = subprocess.run(["git", "-C", repository, "rev-parse", "HEAD"], check=True, capture_output=True, text=True)
    (repository / name.stdout.strip()).write_text(json.dumps(game))
    ran = hexrec("validate", repository / "good.json", "--since", "HEAD", "--format", "json")
    assert (ran.code, files(ran, repository)) == (0, [])


def test_a_file_may_have_the_old_name_of_another(hexrec: Run, repository: Path, game: dict[str, Any]) -> None:
    """Git does not name it, as it ignores it; the file of that name has changed all the same."""
    git(repository, "mv", "good.json", "moved.json")
    (repository / ".git/info/exclude").write_text("good.json\n")
    (repository / "good.json").write_text(json.dumps({**game, "moves": ["c3"]}))
    ran = hexrec("validate", repository, "--since", "HEAD", "--format", "json")
    assert (ran.code, files(ran, repository)) == (1, ["good.json", "moved.json"])


def test_a_git_in_the_current_directory(hexrec: Run, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not run, though PATH may have an empty part or a dot."""
    (repository / "git").write_text("#!/bin/sh\nexit 1\n")
    (repository / "git").chmod(0o755)
    monkeypatch.chdir(repository)
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", os.environ["PATH"]]))
    assert hexrec("validate", ".", "--since", "HEAD").code == 0


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
    assert "1 record in 1 file: 1 valid, 0 invalid" in ran.out


@pytest.mark.parametrize("revision", ["none", "--help", "", "HEAD:good.json"])
def test_unknown_revisions(hexrec: Run, repository: Path, revision: str) -> None:
    ran = hexrec("validate", repository, f"--since={revision}")
    assert (ran.code, ran.out) == (2, "")
    problem = f"git does not know the revision {revision!r} (a shallow clone has only the last ones)"
    assert ran.err.startswith(f"hexrec: --since: {problem}: get it with `git -C {repository} fetch --depth=1 origin ")


def test_no_repository(hexrec: Run, tmp_path: Path, game: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.json").write_text(json.dumps(game))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    ran = hexrec("validate", tmp_path, "--since", "HEAD", "-o", tmp_path / "report.json")
    assert ran.code == 2
    assert ran.err.startswith(f"hexrec: --since needs a git repository, and {tmp_path} is in none")
    assert not (tmp_path / "report.json").exists()
    monkeypatch.setenv("PATH", str(tmp_path))
    said = "hexrec: --since needs git, which is not installed\n"
    assert hexrec("validate", tmp_path, "--since", "HEAD").err == said


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Broken files with diagnostics of many kinds."""
    shutil.copytree(FIXTURES / "record/invalid", tmp_path / "archive/record")
    shutil.copytree(FIXTURES.parent / "lint/nadraz", tmp_path / "archive/nadraz")
    return tmp_path / "archive"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for this user's caches."""
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    return tmp_path / "home" / "hexrec"


REPORTS = ("text", "json", "jsonl", "sarif", "junit", "github", "markdown")


@pytest.mark.slow
def test_kept_verdicts_are_the_same(hexrec: Run, archive: Path, tmp_path: Path) -> None:
    options = ("--lint", "--finished", "--replays", "100")

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
        count = int(match[1]) if (match := re.search(r"reports taken from the cache: (\d+) file", errors)) else 0
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
    return "reports taken from the cache: 1 file" in ran.err


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
    monkeypatch.chdir(one.parent)
    Path("-").write_text(moved.read_text())
    assert not kept(run("-"))
    moved.write_text(moved.read_text().replace("a1", "c3"))
    assert run(str(moved)).code == 1
    assert kept(run(str(moved)))
    monkeypatch.setattr("hexrec.util.plugins.__version__", "0")
    assert not kept(run(str(moved)))


@pytest.mark.parametrize(
    ("options", "settings"),
    [(["--finished"], "finished = true"), (["--lint"], "lint = true")],
    ids=["finished", "lint"],
)
def test_a_verdict_is_kept_for_what_was_asked(hexrec: Run, one: Path, options: list[str], settings: str) -> None:
    """By options, or by the settings of the file."""

    def from_cache(*options: str) -> bool:
        return (
            "taken from the cache: 1 file"
            in hexrec("validate", one, "--cache", "--cache-dir", one.parent / "x", *options).err
        )

    assert [from_cache(), from_cache(), from_cache(*options), from_cache(*options)] == [False, True, False, True]
    (one.parent / "hexrec.toml").write_text(settings)
    assert from_cache()
    (one.parent / "hexrec.toml").write_text(f"{settings}\nignore = ['result', 'lint']")
    assert hexrec("validate", one, "--cache", "--cache-dir", one.parent / "x").code == 0


def test_what_may_pass_is_not_kept(hexrec: Run, one: Path, game: dict[str, Any]) -> None:
    one.write_text(json.dumps({**game, "date": "9999-12-31"}))
    for _ in range(2):
        ran = hexrec("validate", one, "--lint", "--cache", "--cache-dir", one.parent / "cache")
        assert "lint/future-date" in ran.out
        assert not kept(ran)


def test_a_damaged_cache_is_made_anew(hexrec: Run, one: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "cache"

    def run() -> Ran:
        return hexrec("validate", one, "--cache", "--cache-dir", folder)

    whole = run().out
    assert os.name != "posix" or stat.S_IMODE(folder.stat().st_mode) == 0o700
    (database,) = folder.glob("*.sqlite")
    assert os.name != "posix" or stat.S_IMODE(database.stat().st_mode) == 0o600
    content = database.read_bytes()
    half = len(content) // 2
    for damaged in (b"", content[:-10], content[:half], content[:100] + bytes(len(content) - 100)):
        database.write_bytes(damaged)
        ran = run()
        assert (ran.code, ran.out, kept(ran)) == (0, whole, False)
        assert kept(run())


@pytest.mark.parametrize(
    ("change", "values"),
    [
        ("entry = ?", ["1"]),
        ("entry = ?", [None]),
        ("entry = ?", [b""]),
        ("entry = CAST(entry || ? AS BLOB)", [b"1"]),
        ("entry = substr(entry, 1, length(entry) - ?)", [2]),
        ("key = CAST(key || ? AS BLOB)", [b"1"]),
    ],
    ids=str,
)
def test_a_damaged_entry_is_made_anew(hexrec: Run, one: Path, tmp_path: Path, change: str, values: list[Any]) -> None:
    def run() -> Ran:
        return hexrec("validate", one, "--cache", "--cache-dir", tmp_path / "cache", "--format", "json")

    whole = run().out
    with closing(sqlite3.connect(tmp_path / "cache/reports.sqlite")) as database, database:
        assert database.execute(f"UPDATE entries SET {change}", values).rowcount == 1
    ran = run()
    assert (ran.code, ran.out, kept(ran)) == (0, whole, False)
    assert kept(run())


def test_a_file_of_another_program_is_no_cache(hexrec: Run, one: Path, tmp_path: Path) -> None:
    """It stays as it is, as does a link."""
    path = tmp_path / "cache/reports.sqlite"
    path.parent.mkdir()

    def is_refused() -> bool:
        before = path.read_bytes()
        ran = [hexrec("validate", one, "--cache", "--cache-dir", path.parent) for _ in range(2)]
        return all((each.code, kept(each)) == (0, False) for each in ran) and path.read_bytes() == before

    path.write_text("a letter")
    assert is_refused()
    for number in (0, int.from_bytes(b"hexr", "big")):
        path.unlink()
        with closing(sqlite3.connect(path)) as database, database:
            database.execute(f"PRAGMA application_id = {number}")
            database.execute("CREATE TABLE entries (key, entry)")
        assert is_refused()
    path.unlink()
    hexrec("validate", one, "--cache", "--cache-dir", tmp_path / "other")
    os.symlink(tmp_path / "other/reports.sqlite", path)
    assert is_refused()


def test_several_processes_share_a_cache(tmp_path: Path, game: dict[str, Any]) -> None:
    """They create it at once, and read and write it while the others do."""
    for number in range(300):
        (tmp_path / f"{number}.json").write_text(json.dumps({**game, "id": str(number)}))
    program = [sys.executable, "-m", "hexrec", "validate", "-j1", "--cache", "--cache-dir", "cache", "."]
    running = [
        subprocess.Popen(program, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for process in running:
        out, _ = process.communicate()
        assert (process.returncode, out) == (
            0,
            "300 records in 300 files: 300 valid, 0 invalid; 1,200 plies replayed\n",
        )
    ran = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "reports taken from the cache: 300 files" in ran.stderr


def test_entries_of_any_size(hexrec: Run, tmp_path: Path, game: dict[str, Any]) -> None:
    """Files without records, files of many, and files named twice, which are read once."""
    (tmp_path / "empty.jsonl").write_text("\n")
    broken = json.dumps({**game, "moves": ["c3"]})
    (tmp_path / "many.jsonl").write_text(f"{json.dumps(game)}\n" * 500 + f"{broken}\n")
    (tmp_path / "one.json").write_text(broken)
    files = [tmp_path / name for name in ("one.json", "empty.jsonl", "many.jsonl", "one.json", "one.json", "none.json")]
    options = ("--format", "json")
    plain = hexrec("validate", *files, *options)
    for number in (0, 3):
        ran = hexrec("validate", *files, *options, "--cache", "--cache-dir", tmp_path / "cache")
        assert (ran.code, ran.out) == (plain.code, plain.out)
        assert f"the cache: {number} files" in ran.err or not number


def test_a_cache_that_cannot_be_written_does_no_harm(hexrec: Run, one: Path) -> None:
    for _ in range(2):
        ran = hexrec("validate", one, "--cache", "--cache-dir", one / "no" / "folder")
        assert ran.code == 0
        assert not kept(ran)


@pytest.mark.usefixtures("home")
def test_git_does_not_see_a_cache_in_a_checkout(hexrec: Run, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository)
    hexrec("validate", ".", "--cache")
    assert sorted(path.name for path in repository.iterdir()) == [".git", ".gitignore", "good.json", "old"]
    hexrec("validate", ".", "--cache", "--cache-dir", ".kept")
    assert (repository / ".kept").is_dir()
    status = subprocess.run(["git", "status", "--porcelain"], check=True, capture_output=True)
    assert status.stdout == b""


def test_the_folder_of_this_user(hexrec: Run, one: Path, home: Path) -> None:
    assert not kept(hexrec("validate", one, "--cache"))
    assert kept(hexrec("validate", one, "--cache"))
    same = shutil.copy(one, one.with_name("same.json"))
    assert "reports taken from the cache: 2 files" in hexrec("validate", one, same, "--cache").err
    assert [path.name for path in home.iterdir()] == ["reports"]


@pytest.fixture
def plug_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which a package with the game Col is installed, for processes that start."""
    folder = tmp_path / "installed"
    folder.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(folder))
    install(folder, "1.0", "")
    return folder


def install(folder: Path, version: str, change: str) -> None:
    """Install a version of the package; a change is added to its module."""
    for old in folder.iterdir():
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    information = folder / f"col-{version}.dist-info"
    information.mkdir()
    (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: col\nVersion: {version}\n")
    (information / "entry_points.txt").write_text("[hexrec.games]\ncol = hexrec_col:COL\n")
    shutil.copytree(ROOT / "docs/examples/col/hexrec_col", folder / "hexrec_col")
    with (folder / "hexrec_col/__init__.py").open("a", encoding="utf-8") as module:
        module.write(change)


def test_reports_of_another_plug_in(plug_in: Path, tmp_path: Path) -> None:
    path = tmp_path / "col.json"
    path.write_text(json.dumps({"hexrec": "1", "game": "col", "size": 3, "moves": ["a1"]}))

    def run() -> tuple[int, bool]:
        program = [sys.executable, "-m", "hexrec", "validate", "--cache", str(path)]
        ran = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=False)
        return ran.returncode, "reports taken from the cache: 1 file" in ran.stderr

    assert [run(), run()] == [(0, False), (0, True)]
    install(plug_in, "1.1", "\nCOL = __import__('dataclasses').replace(COL, sizes=range(4, 9))\n")
    assert run() == (1, False)
    shutil.rmtree(plug_in)
    assert [run(), run()] == [(1, False), (1, False)]  # the game is unknown, which may pass
