"""The examples of the documents and of the library's docstrings are what type checkers of its users accept."""

from __future__ import annotations

import doctest
import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hexrec import api
from tests.test_docs import ROOT, examples

NODE_MODULES = os.environ.get("NODE_MODULES")

pytestmark = pytest.mark.slow
needs_pyright = pytest.mark.skipif(not NODE_MODULES, reason="NODE_MODULES names no folder of packages from npm")


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with each example as a script."""
    folder = tmp_path_factory.mktemp("examples")
    texts = {str(example): example.text for example in examples("python")}
    texts |= {name: inspect.getdoc(call) or "" for name, call in vars(api).items() if inspect.isfunction(call)}
    for number, text in enumerate(texts.values()):
        if ">>>" in text:
            script = doctest.script_from_examples(text)
            head = "" if "import hexrec" in script else "import hexrec\n"
            (folder / f"example_{number}.py").write_text(head + script, encoding="utf-8")
    packages = [str(ROOT), *(str(path) for path in (ROOT / "docs" / "examples").iterdir())]
    (folder / "pyrightconfig.json").write_text(json.dumps({"extraPaths": packages}), encoding="utf-8")
    return folder


def test_mypy(scripts: Path) -> None:
    settings = ROOT / "pyproject.toml"
    options = ["--strict", "--config-file", str(settings)]
    command = [sys.executable, "-m", "mypy", *options, *map(str, scripts.glob("*.py"))]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


@needs_pyright
def test_pyright(scripts: Path) -> None:
    check_by_pyright(scripts)


@needs_pyright
def test_pyright_is_strict_on_the_games_and_the_format(tmp_path: Path) -> None:
    folders = ("docs/examples/col", "docs/examples/oneline", "tests/examples")
    included = [os.path.relpath(ROOT / folder, tmp_path) for folder in folders]
    settings = {"include": included, "extraPaths": [str(ROOT)], "typeCheckingMode": "strict"}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    check_by_pyright(tmp_path)


def check_by_pyright(project: Path) -> None:
    command = [f"{NODE_MODULES}/.bin/pyright", "--pythonpath", sys.executable, "--project", str(project)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
    assert "0 errors" in ran.stdout
