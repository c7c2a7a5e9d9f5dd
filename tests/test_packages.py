"""The packages of `docs/examples`, which the documents show: installed by their entry points, they pass their tests."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted(path.parent for path in (ROOT / "docs/examples").glob("*/pyproject.toml"))


def installed(example: Path, folder: Path) -> dict[str, str]:
    """Return the environment in which an example is installed, as far as entry points know, by files in a folder."""
    project = tomllib.loads((example / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    metadata = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1.0.0\n")
    lines = []
    for group, entries in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (folder, example, ROOT)))}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_it_passes_its_tests(example: Path, tmp_path: Path) -> None:
    alone = ["-c", os.devnull, "--rootdir", str(example), "-p", "no:cacheprovider", "-W", "error"]
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "--quiet", *alone, str(example)],
        env={**installed(example, tmp_path), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert " passed" in ran.stdout
