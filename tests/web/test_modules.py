"""The modules of the page that need no browser, tested in Node: `node --test tests/web/modules`."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

TESTS = sorted(Path(__file__).with_name("modules").glob("*.test.mjs"))


def test_modules() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not installed")
    done = subprocess.run([node, "--test", *map(str, TESTS)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
