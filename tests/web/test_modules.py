"""The modules of the page that need no browser, tested in Node."""

from __future__ import annotations

import shutil
import subprocess
from importlib.resources import files
from pathlib import Path

import pytest

from hexrec.web.scripts import modules

TESTS = Path(__file__).with_name("modules")


def test_modules(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    # Some modules are made from Python.
    folder = tmp_path / "hexrec/web/static"
    shutil.copytree(str(files("hexrec.web") / "static"), folder)
    for name, source in modules("page").items():
        (folder / f"{name}.js").write_text(source, encoding="utf-8")
    copied = Path(shutil.copytree(TESTS, tmp_path / "tests/web/modules"))
    tests = sorted(copied.glob("*.test.mjs"))
    done = subprocess.run([node, "--test", *map(str, tests)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
