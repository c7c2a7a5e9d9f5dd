"""`nox -s new-game` adds a game to a copy of the tree, from its module alone. Then the tests over all games pass."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.completeness import ROOT

#: Folders that are not part of the tree, or that take programs which are tested elsewhere.
_LEFT_OUT = (".*", "__pycache__", "node_modules", "site")
#: Tests that go over all games, but for those in a browser and by other programs.
_OVER_ALL_GAMES = re.compile(r"games\.(?:names\(\)|BUILT_IN)|\bCOMPLETE\b|\bBUILT_IN\b")
_ELSEWHERE = {"ci", "web", "fuzz"}
#: Tests that look at all games at once.
_AT_ONCE = (
    "complete_games",
    "kit",
    "every_code",
    "every_game",
    "every_section",
    "every_way",
    "committed",
    "lists",
    "one_layer",
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the tree."""
    copy = tmp_path / "tree"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*_LEFT_OUT))
    for name in (".pre-commit-hooks.yaml", ".github"):
        original = ROOT / name
        (shutil.copytree if original.is_dir() else shutil.copy)(original, copy / name)
    return copy


def run(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(tree)}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=tree, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


@pytest.mark.slow
def test_a_sixth_game(tree: Path) -> None:
    module = tree / "hexrec/rules/games/catchup.py"
    begun = run(tree, "-m", "tests.new_game", "catchup")
    assert begun.returncode == 1
    assert "hexrec/rules/games/catchup.py:1: " in begun.stdout
    assert begun.stdout.endswith("Write the rules of catchup in these places, then run the command again.\n")

    shutil.copy(ROOT / "tests/examples/catchup.py", module)
    done = run(tree, "-m", "tests.new_game", "catchup")
    assert done.returncode == 0, done.stdout
    assert "catchup is complete." in done.stdout

    paths = [path for path in sorted((tree / "tests").rglob("test_*.py")) if path.parent.name not in _ELSEWHERE]
    modules = [str(path) for path in paths if _OVER_ALL_GAMES.search(path.read_text(encoding="utf-8"))]
    wanted = " or ".join(("catchup", *_AT_ONCE))
    tested = run(tree, "-m", "pytest", "-q", "-n0", "-p", "no:randomly", "-m", "not slow", "-k", wanted, *modules)
    assert tested.returncode == 0, tested.stdout
    assert re.search(r"\b[1-9][0-9]{2} passed", tested.stdout)


@pytest.mark.slow
def test_a_game_that_is_there_is_left_as_it_is(tree: Path) -> None:
    before = {path: path.read_bytes() for path in tree.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    ran = run(tree, "-m", "tests.new_game", "sunspot")
    assert ran.returncode == 0, ran.stdout
    assert "wrote" not in ran.stdout
    assert "changed" not in ran.stdout
    assert [path for path, content in before.items() if path.read_bytes() != content] == []


@pytest.mark.parametrize("arguments", [[], ["Hex Big"], ["../hex"], ["hex", "go"]])
def test_a_name_that_no_module_can_have(arguments: list[str]) -> None:
    ran = run(ROOT, "-m", "tests.new_game", *arguments)
    assert (ran.returncode, ran.stdout) == (2, "usage: nox -s new-game -- NAME, of lower-case letters\n")
