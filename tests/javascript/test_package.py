"""The package for npm: its engine agrees with Python, and the examples of its documents print what they show."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import noxfile
from hexrec.javascript import private_names
from hexrec.javascript.__main__ import check
from hexrec.util.version import __version__
from hexrec.web.__main__ import write
from tests.cases import all_of
from tests.cli import conftest
from tests.cli.conftest import Run
from tests.fixtures import FIXTURES
from tests.processes import PATIENCE

hexrec = conftest.hexrec

ROOT = FIXTURES.parent.parent
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node")
EXAMPLE = re.compile(r"^```js\n(?P<code>.*?)^```\n(?:\n```text\n(?P<shown>.*?)^```)?", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project in which the package is installed: the folder of the package. HEXREC_PACKAGE is the file to install."""
    project = tmp_path_factory.mktemp("project")
    folder = project / "node_modules/hexrec-games"
    if packed := os.environ.get("HEXREC_PACKAGE"):
        command = ["npm", "install", "--silent", "--no-audit", "--no-fund", packed]
        subprocess.run(command, cwd=project, check=True)
    else:
        write(folder)
    return folder


@needs_node
@pytest.mark.slow
def test_the_engine(hexrec: Run, package: Path) -> None:
    """On small boards, in all rulesets and variants; `nox -s npm` plays on all."""
    options = ("--size", "4", "--count", "2", "--seed", "9", "--timeout", PATIENCE)
    ran = hexrec("conformance", *options, "node", package / "bin.js")
    assert (ran.code, ran.out) == (0, "")
    assert " games with hexrec in JavaScript: " in ran.err


@needs_node
@all_of("document", [ROOT / "docs/javascript.md", ROOT / "hexrec/javascript/static/README.md"])
def test_examples(document: Path, package: Path) -> None:
    project = package.parent.parent
    examples = [*EXAMPLE.finditer(document.read_text(encoding="utf-8"))]
    assert examples
    for example in examples:
        (project / "example.mjs").write_text(example["code"], encoding="utf-8")
        done = subprocess.run(["node", "example.mjs"], cwd=project, capture_output=True, encoding="utf-8", check=False)
        assert not done.stderr, done.stderr
        assert example["shown"] in (None, done.stdout)


def test_the_description_of_the_package(package: Path) -> None:
    described = json.loads((package / "package.json").read_text(encoding="utf-8"))
    assert described["version"] == __version__
    exported = [path for each in described["exports"].values() for path in each.values()]
    for path in (*exported, *described["bin"].values(), "README.md"):
        assert (package / path).is_file()


@needs_node
def test_types_name_all_exports(package: Path) -> None:
    program = "import('hexrec-games').then((all) => console.log(JSON.stringify(Object.keys(all))))"
    done = subprocess.run(["node", "-e", program], cwd=package.parent.parent, capture_output=True, check=True)
    typed = re.findall(r"^export (?:class|const|function) (\w+)", (package / "hexrec.d.ts").read_text("utf-8"), re.M)
    assert sorted(typed) == sorted(json.loads(done.stdout))


def test_names_that_are_made_shorter_have_no_types(package: Path) -> None:
    names = private_names()
    assert "strangled" in names
    assert "queue" in names
    types = re.sub(r"/\*.*?\*/", "", (package / "hexrec.d.ts").read_text(encoding="utf-8"), flags=re.DOTALL)
    assert not {*names} & {*re.findall(r"(\w+)\??[:(]", types)}


@all_of("pattern", noxfile.RULES)
def test_rules_are_in_the_subset(pattern: str) -> None:
    files = sorted(map(str, ROOT.glob(pattern)))
    assert files
    assert check(files) == 0


def test_rules_that_are_not_in_the_subset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "rules.py"
    path.write_text("def largest(sizes: list[int]) -> int:\n    return max(sizes)\n", encoding="utf-8")
    assert check([str(path), str(ROOT / noxfile.RULES[0])]) == 1
    problem = "min and max are for two integers, or two floats: use a loop for more"
    assert capsys.readouterr().err == f"{path}:2: {problem}\n"
