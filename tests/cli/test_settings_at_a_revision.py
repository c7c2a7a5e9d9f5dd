"""`--config-from` reads settings and baselines as a revision has them, whatever the working tree has."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import SHORT_GAME, Run

ILLEGAL = {**SHORT_GAME, "moves": ["a1", "c3"]}
IGNORE = 'ignore = ["move"]'


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgSign=false"]
    ran = subprocess.run(["git", "-C", folder, *identity, *arguments], check=True, capture_output=True, text=True)
    return ran.stdout.strip()


def commit(folder: Path) -> str:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "change")
    return git(folder, "rev-parse", "HEAD")


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository without settings, with an invalid record in two directories; its commit is the tag `base`."""
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "project"
    write(folder / "games/a.json", json.dumps(ILLEGAL))
    write(folder / "games/old/b.json", json.dumps(ILLEGAL))
    git(folder, "init", "--quiet")
    commit(folder)
    git(folder, "tag", "base")
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("command", ["validate", "score"])
@pytest.mark.parametrize("committed", [False, True])
def test_a_change_cannot_accept_its_own_records(hexrec: Run, project: Path, command: str, committed: bool) -> None:
    write(project / "games/hexrec.toml", IGNORE)
    if committed:
        commit(project)
    assert hexrec(command, "games").code == 0
    ran = hexrec(command, "games", "--config-from", "base")
    assert (ran.code, "accepted" in ran.err) == (1, False)
    if committed:
        ran = hexrec(command, "games", "--config-from", "HEAD")
        assert (ran.code, "accepted by games/hexrec.toml at HEAD\n" in ran.out + ran.err) == (0, True)


def test_the_nearest_settings_of_the_revision_apply(hexrec: Run, project: Path) -> None:
    """Removed and changed ones too; `pyproject.toml` without a table is none, and nothing below is merged."""
    write(project / "hexrec.toml", IGNORE)
    write(project / "games/pyproject.toml", "[project]")
    write(project / "games/old/pyproject.toml", "[tool.hexrec]")
    base = commit(project)
    (project / "hexrec.toml").unlink()
    write(project / "games/old/pyproject.toml", f"[tool.hexrec]\n{IGNORE}")
    report = hexrec("validate", "games", "--config-from", base, "--format", "json").report
    assert [record["accepted"] for record in report["records"]] == [True, False]
    assert report["records"][0]["diagnostics"][0]["by"] == f"hexrec.toml at {base[:12]}"
    report = hexrec("validate", "games", "--format", "json").report
    assert [record["accepted"] for record in report["records"]] == [False, True]


def test_every_way_in(hexrec: Run, project: Path) -> None:
    """stdin belongs to the current directory; files in archives to that of the archive."""
    write(project / "hexrec.toml", IGNORE)
    base = commit(project)
    (project / "hexrec.toml").unlink()
    subprocess.run(["tar", "-cf", "games.tar", "games"], check=True)
    data = (project / "games/a.json").read_bytes()
    for path in ("-", "games.tar", "games", str(project / "games/old/b.json")):
        assert hexrec("validate", path, "--config-from", base, stdin=data).code == 0
        assert hexrec("validate", path, stdin=data).code == 1


def test_several_processes(hexrec: Run, project: Path) -> None:
    write(project / "hexrec.toml", IGNORE)
    base = commit(project)
    (project / "hexrec.toml").unlink()
    assert hexrec("score", "games", "--config-from", base, "--jobs", "2").code == 0


def test_baselines_are_those_of_the_revision(hexrec: Run, project: Path) -> None:
    """Named by settings or by an option; an option may name a file outside the repository."""
    known = project / "known.json"
    hexrec("validate", "games/old", "--write-baseline", known)
    write(project / "hexrec.toml", 'baseline = "known.json"')
    base = commit(project)
    hexrec("validate", "games", "--no-config", "--write-baseline", known)
    assert hexrec("validate", "games").code == 0
    for options in ((), ("--baseline", "known.json")):
        report = hexrec("validate", "games", *options, "--config-from", base, "--format", "json").report
        assert [record["accepted"] for record in report["records"]] == [False, True]
        assert report["records"][1]["diagnostics"][0]["by"] == f"known.json at {base[:12]}"
    outside = project.parent / "known.json"
    hexrec("validate", "games", "--no-config", "--write-baseline", outside)
    assert hexrec("validate", "games", "--config-from", base, "--baseline", outside).code == 0
    assert hexrec("validate", "games", "--config-from", "base", "--baseline", "known.json").code == 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("ignroe = []", "/hexrec.toml at HEAD: ignroe: unknown key"),
        ("ignore =", "/hexrec.toml at HEAD: not TOML"),
        ('baseline = "none.json"', "/none.json at HEAD: cannot be read: no such file"),
        ('baseline = "a\\u0000b"', "b at HEAD: cannot be read: no such file"),
        ('baseline = "-d"', "/-d at HEAD: cannot be read: no such file"),
        ('baseline = "games"', "/games at HEAD: cannot be read: no such file"),
        ('baseline = "games/a.json"', "/games/a.json at HEAD: this is not a baseline"),
        ('baseline = "../known.json"', "--config-from needs a git repository"),
        ("#" * 300_000, "/hexrec.toml at HEAD: larger than 256 KiB"),
        (None, "/hexrec.toml at HEAD: it should be a regular file"),
    ],
)
def test_settings_that_cannot_be_followed(hexrec: Run, project: Path, settings: str | None, message: str) -> None:
    if settings is None:
        (project / "hexrec.toml").symlink_to("games/a.json")
    else:
        write(project / "hexrec.toml", settings)
    commit(project)
    (project / "hexrec.toml").unlink()
    write(project.parent / "known.json", '{"hexrec-baseline": 1, "diagnostics": []}')
    ran = hexrec("validate", "games", "--config-from", "HEAD")
    assert (ran.code, ran.out, message in ran.err) == (2, "", True), ran.err


def test_a_revision_that_is_not_there(hexrec: Run, project: Path, tmp_path: Path) -> None:
    """A shallow clone has only the last ones: the message has the command that gets it."""
    write(project / "hexrec.toml", IGNORE)
    base = commit(project)
    (project / "hexrec.toml").unlink()
    commit(project)
    clone = tmp_path / "clone"
    git(project, "clone", "--quiet", "--depth", "1", project.as_uri(), str(clone))
    ran = hexrec("validate", clone / "games", "--config-from", base)
    assert (ran.code, ran.out) == (2, "")
    command = f"git -C {clone} fetch --depth=1 origin {base}"
    assert f"`{command}`" in ran.err
    git(project, "config", "uploadpack.allowAnySHA1InWant", "true")
    subprocess.run(command.split(), check=True, capture_output=True)
    assert hexrec("validate", clone / "games", "--config-from", base).code == 0


@pytest.mark.usefixtures("project")
def test_without_a_repository_or_git(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "elsewhere/a.json", json.dumps(SHORT_GAME))
    ran = hexrec("validate", path, "--config-from", "base")
    assert (ran.code, ran.out) == (2, "")
    assert (
        f"--config-from needs a git repository ({path.parent} is in none): give --config FILE or --no-config" in ran.err
    )
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = hexrec("validate", "games", "--config-from", "base")
    assert (ran.code, ran.out) == (2, "")
    assert "--config-from needs git, which is not installed" in ran.err


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() != 0, reason="only root gives files away")
def test_a_repository_of_another_user(hexrec: Run, project: Path) -> None:
    """As in the container of a job: git alone would refuse it."""
    write(project / "hexrec.toml", IGNORE)
    base = commit(project)
    for path in (project, project / ".git"):
        os.chown(path, 65534, -1)
    assert hexrec("validate", "games", "--config-from", base).code == 0


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("options", [["--no-config"], ["--config", "a.toml"]])
def test_one_source_of_settings(hexrec: Run, options: list[str]) -> None:
    ran = hexrec("validate", "games", "--config-from", "base", *options)
    assert (ran.code, "give one of --config, --config-from and --no-config" in ran.err) == (2, True)
