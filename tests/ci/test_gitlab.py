"""The job for GitLab in docs/ci.md: GitLab's schema takes it, and its reports can be read."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from junitparser import JUnitXml

from hexrec import __version__
from tests.ci.conftest import INVALID, VALID, assert_schema, example, from_yaml


def test_job(tmp_path: Path) -> None:
    file = tmp_path / ".gitlab-ci.yml"
    file.write_text(example(".gitlab-ci.yml"), encoding="utf-8")
    assert_schema("gitlab-ci", file)


@pytest.mark.skipif(shutil.which("sh") is None, reason="needs a shell")
def test_script(tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    shutil.copy(VALID, tmp_path / "games")
    shutil.copy(INVALID, tmp_path / "games")
    (job,) = from_yaml(example(".gitlab-ci.yml")).values()
    assert isinstance(job, dict)
    install, validate = job["script"]
    assert install == f"pip install --only-binary hexrec-games hexrec-games=={__version__}"
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PATH": path}
    ran = subprocess.run(["sh", "-c", validate], cwd=tmp_path, env=environment, capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (1, b"")
    assert b"move/touches-higher" in ran.stdout
    report = JUnitXml.fromfile(str(tmp_path / job["artifacts"]["reports"]["junit"]))
    assert {suite.name: suite.failures for suite in report} == {"games/games.jsonl": 0, f"games/{INVALID.name}": 1}
    assert job["artifacts"]["when"] == "always"
    (issue,) = json.loads((tmp_path / job["artifacts"]["reports"]["codequality"]).read_text())
    assert (issue["check_name"], issue["location"]["path"]) == ("move/touches-higher", f"games/{INVALID.name}")
