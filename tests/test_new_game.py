"""`nox -s new-game` adds a game to a copy of the tree, from its package alone. Then the tests over all games pass."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.completeness import LISTS, ROOT
from tests.new_game.__main__ import main
from tests.properties import FACTOR

#: Folders that are not part of the tree, or that take programs which are tested elsewhere.
_LEFT_OUT = (".*", "node_modules", "site")
#: The tests of what a game consists of: its package, its fixtures, its entries in lists and generated files.
_OF_A_GAME = (
    "tests/cli/test_schema_and_games.py",
    "tests/conformance/test_kit.py",
    "tests/formats/test_all_fields.py",
    "tests/output/test_code_page.py",
    "tests/record/test_schemas.py",
    "tests/render/test_marks.py",
    "tests/rules/test_conformance.py",
    "tests/rules/test_explanations.py",
    "tests/rules/test_reference.py",
    "tests/test_code_registry.py",
    "tests/test_complete_games.py",
    "tests/test_docs.py",
    "tests/test_fixtures.py",
)
#: Tests in these files that look at all games at once.
_AT_ONCE = (
    "complete_games",
    "every_game",
    "every_ruleset_and_variant",
    "every_section",
    "every_sentence",
    "every_way",
    "committed",
    "lists",
    "one_layer",
)
#: pytest without what only takes time to start, as plug-ins do.
_PYTEST = ("-m", "pytest", "-v", "-o", "addopts=", "-m", "not slow")
#: The boards in the description of the example, and those here: a larger one has too many turns of three stones.
_BOARDS = ("sizes=range(3, 8),\n    recommended=(5,),", "sizes=range(3, 5),\n    recommended=(4,),")
#: A turn in the example of a code, and one that is legal there.
_REFUSED, _ACCEPTED = '"a1,a2,a3"', '"a1,a2"'
#: Files of the tree that the command renews, by the beginnings of their paths.
_GENERATED = (
    "docs/man/",
    "fixtures/codes/",
    "fixtures/diagnostics.jsonl",
    "fixtures/suite/formats/",
    "fixtures/suite/manifest.jsonl",
    "schemas/",
    "tests/formats/golden/",
)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the tree, with an installed package that has another game."""
    copy, package = tmp_path / "tree", tmp_path / "hexrec_col-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: hexrec-col\nVersion: 1\n")
    (package / "entry_points.txt").write_text("[hexrec.games]\ncol = hexrec_col:COL\n")
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*_LEFT_OUT))
    for name in (".pre-commit-hooks.yaml", ".github"):
        original = ROOT / name
        (shutil.copytree if original.is_dir() else shutil.copy)(original, copy / name)
    return copy


def run(tree: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    paths = map(str, (tree, tree.parent, tree / "docs/examples/col"))
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=tree, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def contents(tree: Path) -> dict[str, str]:
    """Return the files of a tree that are text, by path."""
    paths = [path for path in tree.rglob("*") if path.is_file() and path.suffix not in (".pyc", ".so")]
    return {path.relative_to(tree).as_posix(): path.read_bytes().decode(errors="replace") for path in paths}


def has_only_more(new: str, old: str) -> bool:
    """Return whether a text is another one with insertions."""
    characters = iter(new)
    return all(character in characters for character in old)


@pytest.mark.skipif(FACTOR == 1, reason="the session properties runs it: it takes long")
@pytest.mark.slow
def test_a_sixth_game(tree: Path) -> None:
    package = tree / "hexrec/rules/games/catchup"
    begun = run(tree, "-m", "tests.new_game", "catchup")
    assert begun.returncode == 1
    for module in ("__init__", "rules", "words"):
        assert f"hexrec/rules/games/catchup/{module}.py:" in begun.stdout
    assert begun.stdout.endswith("Write the rules of catchup in these places, then run the command again.\n")

    for path in package.glob("*.py"):
        text = (ROOT / "tests/examples/catchup" / path.name).read_text(encoding="utf-8")
        assert (_BOARDS[0] in text) == (path.name == "__init__.py")
        path.write_text(
            text.replace(*_BOARDS).replace("tests.examples.catchup", "hexrec.rules.games.catchup"), encoding="utf-8"
        )
    before = contents(tree)
    description = package / "__init__.py"
    right = description.read_text(encoding="utf-8")
    description.write_text(right.replace(_REFUSED, _ACCEPTED), encoding="utf-8")
    wrong = run(tree, "-m", "tests.new_game", "catchup")
    assert wrong.returncode == 1
    assert wrong.stdout.startswith("examples: the example of move/too-many-stones should be reported with ")
    assert wrong.stdout.endswith("Correct these mistakes of catchup, then run the command again.\n")
    description.write_text(right, encoding="utf-8")
    assert contents(tree) == before

    done = run(tree, "-m", "tests.new_game", "catchup")
    assert done.returncode == 0, done.stdout
    assert "catchup is complete." in done.stdout

    after = contents(tree)
    assert before.keys() <= after.keys()
    changed = {path for path in before if before[path] != after[path] and not path.startswith(_GENERATED)}
    assert changed == {*LISTS, "fixtures/suite/engine/starts.jsonl"}
    assert [path for path in changed if not has_only_more(after[path], before[path])] == []

    tested = run(tree, *_PYTEST, "-k", " or ".join(("catchup", *_AT_ONCE)), *_OF_A_GAME)
    assert tested.returncode == 0, tested.stdout
    assert {*re.findall(r"^(\S+?)::.* PASSED", tested.stdout, re.MULTILINE)} == {*_OF_A_GAME}, tested.stdout


@pytest.mark.parametrize("arguments", [[], ["Hex Big"], ["../hex"], ["hex", "go"], ["--package", "Hex", "x"]])
def test_a_name_that_no_module_can_have(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert (out, err.startswith("usage: nox -s new-game -- NAME\n")) == ("", True)


@pytest.mark.skipif(FACTOR == 1, reason="the session properties runs it: it takes long")
def test_a_package(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As it is written, it is a game that passes the checks, by its own test; a second run changes nothing."""
    folder, site = tmp_path / "package", tmp_path / "site/p-1.dist-info"
    assert main(["--package", "oust_two", str(folder)]) == 0
    said = capsys.readouterr().out
    assert f"{folder}/hexrec_oust_two/rules.py:" in said
    assert said.endswith(f"Then: pip install --editable {folder}; hexrec check-game oust_two\n")

    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    ((name, target),) = project["entry-points"]["hexrec.games"].items()
    site.mkdir(parents=True)
    (site / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1\n")
    (site / "entry_points.txt").write_text(f"[hexrec.games]\n{name} = {target}\n")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (site.parent, folder, ROOT)))}
    for arguments in (["-m", "hexrec", "check-game", name, "--count", "1"], [*_PYTEST, "-p", "no:cacheprovider", "."]):
        ran = subprocess.run([sys.executable, *arguments], cwd=folder, env=env, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout
    assert subprocess.run(["ruff", "check", "-q", folder]).returncode == 0

    (folder / "hexrec_oust_two/rules.py").write_text("mine")
    assert main(["--package", "oust_two", str(folder)]) == 0
    assert "wrote" not in capsys.readouterr().out
    assert (folder / "hexrec_oust_two/rules.py").read_text() == "mine"
