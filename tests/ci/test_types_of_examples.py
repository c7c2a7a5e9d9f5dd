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
#: Folders that pyright checks strictly.
STRICT = ("docs/examples/col", "docs/examples/oneline", "tests/examples")
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
    return folder


def test_mypy(scripts: Path) -> None:
    settings = ROOT / "pyproject.toml"
    options = ["--strict", "--config-file", str(settings)]
    command = [sys.executable, "-m", "mypy", *options, *map(str, scripts.glob("*.py"))]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


@needs_pyright
def test_pyright(scripts: Path, tmp_path: Path) -> None:
    """It is strict on the games and the format, whose modules are to be copied. A library of others takes it long."""
    strict = [relative(ROOT / folder, tmp_path) for folder in STRICT]
    packages = [str(ROOT), *(str(path) for path in (ROOT / "docs" / "examples").iterdir())]
    own = [relative(path, tmp_path) for path in scripts.iterdir() if "polars" not in path.read_text(encoding="utf-8")]
    settings = {"include": [*own, *strict], "strict": strict, "extraPaths": packages}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    command = [f"{NODE_MODULES}/.bin/pyright", "--pythonpath", sys.executable, "--project", str(tmp_path)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout
    assert "0 errors" in ran.stdout


def relative(path: Path, folder: Path) -> str:
    """Return a path as pyright takes it in the settings of a folder."""
    return os.path.relpath(path, folder)
