"""How far above the records settings are searched, and whose settings apply."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

import hexrec as library
from tests.cli.conftest import SHORT_GAME, Run

ILLEGAL = {**SHORT_GAME, "moves": ["a1", "c3"]}
needs_root = pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() != 0, reason="only root gives files away")


def write(path: Path, text: str = 'ignore = ["move"]') -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A directory with an invalid record, three levels below the temporary one."""
    return write(tmp_path / "above/project/games/a.json", json.dumps(ILLEGAL)).parent


@pytest.mark.parametrize("marker", ["directory", "file"])
def test_the_search_ends_at_the_root_of_the_repository(hexrec: Run, games: Path, marker: str) -> None:
    """In a worktree and a submodule, `.git` is a file."""
    write(games.parent.parent / "hexrec.toml")
    assert hexrec("validate", games).code == 0
    if marker == "directory":
        subprocess.run(["git", "init", "--quiet", games.parent], check=True)
    else:
        write(games.parent / ".git", "gitdir: elsewhere")
    assert hexrec("validate", games).code == 1
    assert hexrec("score", games).code == 1
    assert not next(library.check(games, config=True)).accepted
    write(games.parent / "pyproject.toml", '[tool.hexrec]\nignore = ["move"]')
    assert hexrec("validate", games).code == 0
    assert next(library.check(games, config=True)).accepted


def test_the_search_ends_at_the_repository_around_stdin_and_archives(
    hexrec: Run, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(games.parent.parent / "hexrec.toml")
    data = (games / "a.json").read_bytes()
    subprocess.run(["tar", "-C", games, "-cf", games / "a.tar", "a.json"], check=True)
    monkeypatch.chdir(games)
    for code in (0, 1):
        assert hexrec("validate", "-", stdin=data).code == code
        assert hexrec("validate", games / "a.tar").code == code
        (games.parent / ".git").mkdir(exist_ok=True)


def test_without_a_repository_the_search_ends_at_the_home_directory(
    hexrec: Run, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(games.parent))
    settings = write(games.parent.parent / "hexrec.toml")
    assert hexrec("validate", games).code == 1
    settings.rename(games.parent / "hexrec.toml")
    assert hexrec("validate", games).code == 0
    settings = (games.parent / "hexrec.toml").rename(settings)
    (games.parent.parent / ".git").mkdir()
    assert hexrec("validate", games).code == 0


def test_settings_may_lie_above_a_home_directory_elsewhere(
    hexrec: Run, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(games.parent.parent / "home"))
    write(games.parent.parent / "hexrec.toml")
    assert hexrec("validate", games).code == 0


def test_without_a_repository_the_search_ends_at_the_mount(
    hexrec: Run, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test cannot mount: the directory of the project stands for a mount point."""
    mounts, is_mount = {str(games.parent)}, os.path.ismount
    monkeypatch.setattr("os.path.ismount", lambda path: str(path) in mounts or is_mount(path))
    write(games.parent.parent / "hexrec.toml")
    assert hexrec("validate", games).code == 1
    (games.parent.parent / ".git").mkdir()
    assert hexrec("validate", games).code == 1
    write(games.parent / "hexrec.toml")
    assert hexrec("validate", games).code == 0


@needs_root
@pytest.mark.parametrize("command", ["validate", "score"])
def test_settings_of_another_user_are_refused(hexrec: Run, games: Path, command: str) -> None:
    settings = write(games.parent / "hexrec.toml")
    os.chown(settings, 65534, -1)
    ran = hexrec(command, games)
    assert (ran.code, ran.out) == (2, "")
    for part in (f"{settings}: ", "nobody", "--config", "--no-config"):
        assert part in ran.err
    assert hexrec(command, games, "--no-config").code == 1
    assert hexrec(command, games, "--config", settings).code == 0
    with pytest.raises(library.Error, match="another user"):
        [*library.check(games, config=True)]
    os.chown(games, 65534, -1)
    assert hexrec(command, games).code == 0
    (games / "b").mkdir()
    write(games / "b/a.json", json.dumps(ILLEGAL))
    assert hexrec(command, games / "b").code == 2


@needs_root
@pytest.mark.parametrize("text", ["ignore =", "finished = 1", None])
def test_the_owner_of_settings_comes_first(hexrec: Run, games: Path, text: str | None) -> None:
    """Whoever cannot change a file is not asked to."""
    path = games.parent / "hexrec.toml"
    if text is None:
        os.mkfifo(path)
    else:
        write(path, text)
    os.chown(path, 65534, -1)
    ran = hexrec("validate", games)
    assert (ran.code, ran.out, "another user (nobody)" in ran.err) == (2, "", True), ran.err


@needs_root
def test_settings_of_another_user_for_stdin(hexrec: Run, games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.chown(write(games.parent / "hexrec.toml"), 65534, -1)
    data = (games / "a.json").read_bytes()
    monkeypatch.chdir(games)
    assert hexrec("validate", "-", stdin=data).code == 2
    os.chown(games, 65534, -1)
    assert hexrec("validate", "-", stdin=data).code == 0


def test_settings_that_a_user_names(hexrec: Run, games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They apply to all files, in place of any others; their paths are relative to their directory."""
    write(games / "hexrec.toml", "ignore = []")
    write(games.parent / "ci.toml", '[per-path-ignores]\n"games/*.json" = ["move"]')
    monkeypatch.chdir(games.parent)
    assert hexrec("validate", "games").code == 1
    for command in ("validate", "score"):
        ran = hexrec(command, "games", "--config", "ci.toml")
        assert (ran.code, "1 invalid record accepted by ci.toml" in ran.out + ran.err) == (0, True)
    (report,) = library.check("games", config="ci.toml")
    assert (report.valid, report.accepted) == (False, True)
    write(games.parent / "ci.toml", "baseline = 'known.json'\nfinished = true")
    assert hexrec("validate", "games", "--no-config", "--finished", "--write-baseline", "known.json").code == 0
    assert hexrec("validate", "games", "--config", "ci.toml").code == 0
    (report,) = library.check("games", config="ci.toml")
    assert (report.accepted, report.errors[0].by) == (True, "known.json")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--config", "none.toml"], "none.toml: cannot be read: no such file"),
        (["--config", "ci.toml", "--no-config"], "give one of"),
    ],
)
def test_settings_that_cannot_be_used(hexrec: Run, games: Path, options: list[Any], message: str) -> None:
    ran = hexrec("validate", games, *options)
    assert (ran.code, ran.out, message in ran.err) == (2, "", True), ran.err
