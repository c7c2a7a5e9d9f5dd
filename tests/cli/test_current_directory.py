"""No process of hexrec imports what lies in the current directory, which may be full of what strangers wrote."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.cli.conftest import SHORT_GAME
from tests.processes import PATIENCE

#: The command that the installation makes. `python -m hexrec` is another case: Python itself looks around first.
PROGRAM = str(Path(sys.executable).with_name("hexrec"))
HOSTILE = [
    "hexrec",
    "multiprocessing",
    "pydantic",
    "re",
    "sitecustomize",
    "threading",
    "typer",
    "usercustomize",
    "yaml",
]
#: More than one worker gets, most of it blank so that it is quickly checked; the last record is illegal.
RECORDS = "".join(
    json.dumps(record) + "\n" + " " * 500_000 + "\n"
    for record in [SHORT_GAME] * 8 + [{**SHORT_GAME, "moves": ["a1", "a1"]}]
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with modules that leave a mark when they are imported, a plug-in, and many records."""
    found = tmp_path / "inputs"
    found.mkdir()
    for name in HOSTILE:
        found.joinpath(f"{name}.py").write_text(
            f"import os\nos.makedirs({str(tmp_path / 'imported' / name)!r}, exist_ok=True)\nraise ImportError\n",
            encoding="utf-8",
        )
    metadata = found / "plugin-1.dist-info"
    metadata.mkdir()
    metadata.joinpath("METADATA").write_text("Metadata-Version: 2.1\nName: plugin\nVersion: 1\n")
    metadata.joinpath("entry_points.txt").write_text("[hexrec.games]\nplugin = plugin:GAME\n")
    found.joinpath("games.jsonl").write_text(RECORDS)
    return found


def imported(folder: Path) -> list[str]:
    """Return which of the modules in the folder have been imported."""
    marks = folder.with_name("imported")
    return sorted(os.listdir(marks)) if marks.exists() else []


def said(folder: Path, *command: str, **environment: str) -> tuple[int, str]:
    """Return the exit code and the output of a command that is run in the folder."""
    environment = {**os.environ, "PYTHONSAFEPATH": "", **environment}
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    return ran.returncode, ran.stdout


def assert_as_elsewhere(folder: Path, command: str, *options: str, **environment: str) -> None:
    """Assert that a command does in the folder what it does alone and where nothing else lies."""
    elsewhere = folder.with_name("elsewhere")
    elsewhere.mkdir()
    elsewhere.joinpath("games.jsonl").write_text(RECORDS)
    ran = said(folder, PROGRAM, command, "--jobs", "2", *options, "games.jsonl", **environment)
    assert imported(folder) == []
    assert ran == said(elsewhere, PROGRAM, command, "--jobs", "1", "games.jsonl")
    assert ran[0] == 1


def test_workers(folder: Path) -> None:
    assert_as_elsewhere(folder, "validate")


@pytest.mark.slow
def test_the_cluster_of_a_run(folder: Path, tmp_path: Path) -> None:
    parts = tmp_path / "parts"
    assert said(folder, PROGRAM, "score", "-j1", "--dask", "local", "-o", str(parts), "games.jsonl")[0] == 1
    assert imported(folder) == []
    (part,) = parts.glob("part*.csv")
    assert part.read_text() == said(folder, PROGRAM, "score", "--jobs", "1", "games.jsonl")[1]


def test_the_service(folder: Path) -> None:
    program = [PROGRAM, "serve", "--port", "0", "--workers", "1"]
    environment = {**os.environ, "PYTHONSAFEPATH": ""}
    with subprocess.Popen(program, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr
            for line in process.stderr:
                assert imported(folder) == []
                if "listens on" in line:
                    break
            url = next(word for word in line.split() if word.startswith("http://"))
            headers = {"Content-Type": "application/jsonl"}
            answer = httpx.post(f"{url}/v1/validate", content=RECORDS, headers=headers, timeout=PATIENCE)
        finally:
            process.kill()
    assert imported(folder) == []
    assert (answer.json()["summary"]["valid"], answer.json()["summary"]["invalid"]) == (8, 1)


def test_the_module_as_a_program(folder: Path) -> None:
    """What Python imports before hexrec begins, and a module of that name, cannot be told apart from the real ones."""
    folder.joinpath("hexrec.py").unlink()
    command = [sys.executable, "-m", "hexrec", "validate", "--jobs", "2", "games.jsonl"]
    assert said(folder, *command)[0] == 1
    assert imported(folder) == []


def test_python_that_ignores_the_environment(folder: Path) -> None:
    assert said(folder, sys.executable, "-E", PROGRAM, "validate", "--jobs", "2", "games.jsonl")[0] == 1
    assert imported(folder) == []
