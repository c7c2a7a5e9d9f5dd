"""`--since` and `--cache`: less work, the same verdicts."""

from __future__ import annotations

import hmac
import json
import os
import re
import shutil
import stat
import subprocess
import tracemalloc
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any, BinaryIO

import pytest

from hexrec.files.discovery import Source
from hexrec.validation import cache
from tests.cli.conftest import Ran, Run
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


def test_a_git_that_does_not_say_why_it_fails(
    hexrec: Run, repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    ran = hexrec("validate", repository, "--since", "HEAD")
    assert (ran.code, ran.err) == (2, f"hexrec: --since: {repository}: git rev-parse failed\n")


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
    assert ran.err == (
        f"hexrec: --since: git does not know the revision {revision!r} (a shallow clone has only the last ones)\n"
    )


def test_no_repository(hexrec: Run, tmp_path: Path, game: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.json").write_text(json.dumps(game))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    ran = hexrec("validate", tmp_path, "--since", "HEAD", "-o", tmp_path / "report.json")
    assert ran.code == 2
    assert ran.err.startswith(f"hexrec: --since: {tmp_path}: fatal: not a git repository")
    assert not (tmp_path / "report.json").exists()
    monkeypatch.setenv("PATH", str(tmp_path))
    said = "hexrec: --since needs git, which is not installed\n"
    assert hexrec("validate", tmp_path, "--since", "HEAD").err == said


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Broken files in every notation, with diagnostics of every kind."""
    for name in ("record", "notations/yaml", "nadraz"):
        shutil.copytree(FIXTURES / name, tmp_path / "archive" / name)
    return tmp_path / "archive"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for this user's caches."""
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "home"))
    return tmp_path / "home" / "hexrec"


def the_entry(folder: Path, content: bytes = b"") -> Path:
    """Return the one entry of a cache that has some bytes in it."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != ".gitignore"]
    (found,) = (path for path in files if content in path.read_bytes())
    return found


REPORTS = ("text", "json", "jsonl", "sarif", "junit", "github", "markdown")


@pytest.mark.slow
def test_kept_verdicts_are_the_same(hexrec: Run, archive: Path, tmp_path: Path) -> None:
    options = ("--lint", "--finished")

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
        count = int(match[1]) if (match := re.search(r"verdicts taken from the cache: (\d+) file", errors)) else 0
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
    return "verdicts taken from the cache: 1 file" in ran.err


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
    for _ in range(2):
        assert not kept(run("-"))
    moved.write_text(moved.read_text().replace("a1", "c3"))
    assert run(str(moved)).code == 1
    assert kept(run(str(moved)))
    monkeypatch.setattr(cache, "__version__", "0")
    assert not kept(run(str(moved)))


@pytest.mark.parametrize(
    ("options", "settings"),
    [(["--finished"], "finished = true"), (["--lint"], "lint = true")],
    ids=["finished", "lint"],
)
def test_a_verdict_is_kept_for_what_was_asked(hexrec: Run, one: Path, options: list[str], settings: str) -> None:
    """By options, or by the settings of the file."""

    def from_cache(*options: str) -> bool:
        return "taken from the cache: 1 file" in hexrec("validate", one, "--cache", "--cache-dir", "x", *options).err

    assert [from_cache(), from_cache(), from_cache(*options), from_cache(*options)] == [False, True, False, True]
    (one.parent / "hexrec.toml").write_text(settings)
    assert from_cache()
    (one.parent / "hexrec.toml").write_text(f"{settings}\nignore = ['result', 'lint']")
    assert hexrec("validate", one, "--cache", "--cache-dir", "x").code == 0


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
    entry = the_entry(folder)
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
    assert "verdicts taken from the cache: 2 files" in hexrec("validate", one, same, "--cache").err
    assert sorted(path.name for path in home.iterdir()) == ["key", "verdicts"]
    if os.name == "posix":
        assert [stat.S_IMODE(path.stat().st_mode) for path in (home, home / "key")] == [0o700, 0o600]


def forge(folder: Path, one: Path, forged: Path) -> None:
    """Put what a cache holds on another file in place of what it holds on this one, as the old layout allowed it."""
    first, second = (json.loads(path.read_text()) for path in (one, forged))
    assert first != second
    entries = sorted((path for path in folder.rglob("*") if path.is_file() and path.name != ".gitignore"), key=str)
    texts = [path.read_bytes() for path in entries]
    for path, text in zip(entries, reversed(texts), strict=True):
        path.write_bytes(text)


def test_forged_verdicts_are_not_believed(hexrec: Run, one: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    bad = one.with_name("bad.json")
    bad.write_text(one.read_text().replace("a1", "c3"))

    def run(path: Path) -> Ran:
        return hexrec("validate", path, "--cache", "--cache-dir", folder)

    assert [run(path).code for path in (one, bad)] == [0, 1]
    forge(folder, one, bad)
    assert [run(path).code for path in (one, bad)] == [0, 1]
    assert all(kept(run(path)) for path in (one, bad))

    # What another user has written, who knows how: the digest of the lines is right, the key is not.
    entry = the_entry(folder, b"move/")
    lines = b'{"code":"forged"}\n'
    entry.write_bytes(lines + sha256(lines).hexdigest().encode() + b"\n")
    assert (run(bad).code, kept(run(bad))) == (1, True)


def test_a_cache_of_another_user(hexrec: Run, one: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run() -> Ran:
        return hexrec("validate", one, "--cache", "--cache-dir", tmp_path / "cache")

    run()
    assert kept(run())
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "another"))
    assert not kept(run())


@pytest.mark.parametrize("signed", ["[]\n", "{}\n", "{\n", '{"diagnostics": 5}\n'])
def test_signed_verdicts_that_cannot_be_understood_are_made_anew(
    hexrec: Run, one: Path, monkeypatch: pytest.MonkeyPatch, signed: str
) -> None:
    """The second of two records, of a program whose version was not counted up."""
    one = one.rename(one.with_suffix(".jsonl"))
    one.write_text(one.read_text() + "\n" + one.read_text().replace("a1", "c3"))
    plain = hexrec("validate", one, "--format", "json")
    made = cache._line
    with monkeypatch.context() as patch:
        patch.setattr(cache, "_line", lambda report: signed if report.index else made(report))
        hexrec("validate", one, "--cache")
    again = hexrec("validate", one, "--cache", "--format", "json")
    assert (again.code, again.out) == (plain.code, plain.out)


@pytest.mark.skipif(os.name != "posix", reason="permissions of another system")
@pytest.mark.parametrize("content", [b"x" * 32, b"short", b""])
def test_a_key_that_others_may_read_is_replaced(hexrec: Run, one: Path, home: Path, content: bytes) -> None:
    home.mkdir(parents=True)
    (home / "key").write_bytes(content)
    (home / "key").chmod(0o644 if len(content) == 32 else 0o600)
    assert hexrec("validate", one, "--cache").code == 0
    assert len((home / "key").read_bytes()) == 32
    assert (home / "key").read_bytes() != content
    assert kept(hexrec("validate", one, "--cache"))


@pytest.mark.skipif(os.name != "posix", reason="links of another system")
def test_links_in_a_cache_are_not_followed(hexrec: Run, one: Path, tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    hexrec("validate", one, "--cache", "--cache-dir", folder)
    entry = the_entry(folder)
    others = tmp_path / "other", tmp_path / "none"
    others[0].write_text("not to be touched")
    entry.unlink()
    entry.symlink_to(others[0])
    (folder / ".gitignore").unlink()
    (folder / ".gitignore").symlink_to(others[1])
    assert hexrec("validate", one, "--cache", "--cache-dir", folder).code == 0
    assert others[0].read_text() == "not to be touched"
    assert not others[1].exists()


@pytest.mark.parametrize(
    ("system", "platform", "folder"),
    [("posix", "linux", "xdg"), ("posix", "darwin", "xdg"), ("nt", "win32", "local")],
)
def test_the_folder_that_a_system_has_for_caches(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, system: str, platform: str, folder: str
) -> None:
    named = {"XDG_CACHE_HOME": str(tmp_path / "xdg"), "LOCALAPPDATA": str(tmp_path / "local")}
    monkeypatch.setattr(cache, "os", SimpleNamespace(name=system, environ=named, path=os.path))
    monkeypatch.setattr(cache, "sys", SimpleNamespace(platform=platform))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert cache.user_folder() == tmp_path / folder / "hexrec"
    named.clear()
    assert cache.user_folder() == tmp_path / ("Library/Caches" if platform == "darwin" else ".cache") / "hexrec"


def test_a_key_that_others_put_in_place_of_ours_is_not_used(
    one: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.mkdir(parents=True)
    (home / "key").write_bytes(b"short")
    monkeypatch.setattr(Path, "unlink", lambda _: None)
    assert cache.Cache(one.parent).unkept == f"{home / 'key'} is being replaced by others"


@pytest.mark.skipif(os.name != "posix", reason="owners and links of another system")
def test_a_key_that_is_not_ours_is_not_used(one: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache.Cache(one.parent).unkept is None
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: -1)
        assert cache.Cache(one.parent).unkept == f"{home / 'key'} belongs to another user"
    (home / "key").rename(home / "other")
    (home / "key").symlink_to(home / "other")
    assert cache.Cache(one.parent).unkept


def test_no_home(one: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> Path:
        raise RuntimeError("no home")

    monkeypatch.setattr(Path, "home", fail)
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name)
    assert cache.Cache(one.parent).unkept == "no home"


def test_no_place_for_a_key(hexrec: Run, one: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "file"))
    shutil.copy(one, tmp_path / "another.json")
    ran = hexrec("validate", one, tmp_path / "another.json", "--cache", "--cache-dir", tmp_path / "cache")
    assert ran.code == 0
    assert "2 records in 2 files: 2 valid" in ran.out
    assert "hexrec: verdicts are not cached: " in ran.err
    assert not (tmp_path / "cache").exists()


def test_no_verdict_is_kept_on_a_file_that_changed_before_it_was_judged(
    hexrec: Run, one: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be found under the digest of what was there before."""
    good = one.read_text()
    signed = cache.Cache._signed

    def meanwhile(self: cache.Cache, entry: Path) -> tuple[BinaryIO, bytes] | None:
        one.write_text(good.replace("a1", "c3") + "\n")
        return signed(self, entry)

    with monkeypatch.context() as patch:
        patch.setattr(cache.Cache, "_signed", meanwhile)
        assert hexrec("validate", one, "--cache").code == 1
    one.write_text(good)
    assert hexrec("validate", one, "--cache").code == 0


def test_no_verdict_is_taken_for_a_file_that_changes_while_it_is_looked_up(
    hexrec: Run, one: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read of it before is not what it holds now."""
    good, new = one.read_text(), hmac.new
    assert hexrec("validate", one, "--cache").code == 0

    class Late:
        def __init__(self, *given: Any) -> None:
            self.found = new(*given)
            self.hexdigest = self.found.hexdigest

        def update(self, data: bytes) -> None:
            if one.read_text() == good:
                one.write_text(good.replace("a1", "c3"))  # nothing more to read
                os.utime(one, (0, 0))
            self.found.update(data)

    with monkeypatch.context() as patch:
        patch.setattr(cache, "hmac", SimpleNamespace(new=Late, compare_digest=hmac.compare_digest))
        ran = hexrec("validate", one, "--cache")
    assert (ran.code, kept(ran)) == (1, False)


def test_what_is_looked_up_is_not_held(one: Path, home: Path) -> None:
    """Neither the file nor, if it is no key, what is in the place of the key."""
    home.mkdir(parents=True)
    for path in (one, home / "key"):
        with path.open("wb") as stream:
            stream.truncate(16 << 20)
    tracemalloc.start()
    try:
        made = cache.Cache(one.parent)
        assert list(made.reports([Source(str(one))], lambda _: [])) == []
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert made.unkept is None
    assert (home / "key").stat().st_size == 32
    assert most < 8 << 20


@pytest.mark.parametrize(("system", "same"), [("posix", False), ("nt", True)])
@pytest.mark.skipif(os.name != "posix", reason="permissions of another system")
def test_permissions_of_a_key_count_where_they_mean_something(
    one: Path, home: Path, monkeypatch: pytest.MonkeyPatch, system: str, same: bool
) -> None:
    """On Windows, all files seem to be open to everybody."""
    assert cache.Cache(one.parent).unkept is None
    key = (home / "key").read_bytes()
    (home / "key").chmod(0o666)
    monkeypatch.setattr(cache, "os", SimpleNamespace(**{**vars(os), "name": system}))
    assert cache.Cache(one.parent).unkept is None
    assert ((home / "key").read_bytes() == key) is same
