"""The hooks, run by pre-commit itself in a repository of records."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from hexrec import dumps, load
from hexrec.io.discovery import format_of
from tests.ci.conftest import INVALID, ROOT, VALID, example
from tests.completeness import COMPLETE
from tests.properties import FACTOR

#: All are slow, and so one process runs them: pre-commit installs the project for each that does.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("git") is None, reason="pre-commit needs git"),
]

Hooks = Callable[..., "subprocess.CompletedProcess[str]"]
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}
VERSION = "v1.0.0"


def git(folder: Path, environment: dict[str, str], *arguments: str) -> None:
    identity = ("-c", "user.name=hexrec", "-c", "user.email=hexrec@example.org", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *identity, *arguments], cwd=folder, env=environment, check=True, capture_output=True)


@pytest.fixture
def records(tmp_path: Path, environment: dict[str, str]) -> Path:
    """A repository of records."""
    folder = tmp_path / "records"
    folder.mkdir()
    git(folder, environment, "init")
    return folder


@pytest.fixture(scope="session")
def released(project: Path, environment: dict[str, str]) -> Path:
    """The project as a repository with the version that the hooks are taken from."""
    git(project, environment, "init")
    git(project, environment, "add", "--all")
    git(project, environment, "commit", "--message", "The project")
    git(project, environment, "tag", VERSION)
    return project


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which pre-commit installs the project, once for all tests here."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def hooks(released: Path, records: Path, home: Path, environment: dict[str, str]) -> Hooks:
    """Run the hooks as docs/ci.md says they are set up, or those of another configuration."""

    def run(*arguments: str, configuration: str = example(".pre-commit-config.yaml")) -> object:
        address, count = re.subn(r"https://\S*/hexrec$", released.as_posix(), configuration, flags=re.MULTILINE)
        assert count == 1
        (records / ".pre-commit-config.yaml").write_text(address, encoding="utf-8")
        git(records, environment, "add", "--all")
        program = [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color", "never", *arguments]
        own = environment | {"PRE_COMMIT_HOME": str(home)}
        return subprocess.run(
            program, cwd=records, env=own, capture_output=True, text=True, encoding="utf-8", check=False
        )

    return run  # type: ignore[return-value]


def test_validate(hooks: Hooks, records: Path) -> None:
    """Records pass or fail, and files that do not claim to be records are left alone."""
    shutil.copy(VALID, records / "good.frasvel.jsonl")
    (records / "package.json").write_text("{}")
    passed = hooks("hexrec-validate")
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert re.search(r"^hexrec validate\.+Passed$", passed.stdout, flags=re.MULTILINE)

    shutil.copy(INVALID, records / "bad.hexrec.yaml")
    (records / "open.hexrec.yaml").write_text("{hexrec: '1', game: sunspot, size: 5, moves: []}")
    failed = hooks("hexrec-validate")
    assert failed.returncode == 1
    assert re.search("^open.*result/missing", failed.stdout, flags=re.MULTILINE), "the example demands a result"
    assert "bad.hexrec.yaml:11:31: error move/touches-higher: record 0, ply 5, turn d3-c3/a1: " in failed.stdout
    assert not re.search("good|package", failed.stdout)


def test_files_can_be_chosen(hooks: Hooks, records: Path) -> None:
    configuration = example(".pre-commit-config.yaml, for files with other names")
    for folder in ("games", "games/drafts", "elsewhere"):
        (records / folder).mkdir()
        shutil.copy(INVALID, records / folder / "bad.yaml")
    failed = hooks("hexrec-validate", configuration=configuration)
    assert failed.returncode == 1
    assert re.findall(r"^(\S+):11:31: error", failed.stdout, flags=re.MULTILINE) == ["games/bad.yaml"]


def test_the_hook_from_a_wheel() -> None:
    """It differs from the hook of the repository in how hexrec is installed."""
    (repository,) = yaml.safe_load(example(".pre-commit-config.yaml, from a wheel"))["repos"]
    (hook,) = repository["hooks"]
    own = HOOKS["hexrec-validate"]
    assert [hook[name] for name in ("entry", "files")] == [own[name] for name in ("entry", "files")]
    assert hook["additional_dependencies"] == [f"hexrec-games=={VERSION.removeprefix('v')}"]


@pytest.mark.skipif(FACTOR == 1, reason="the session properties runs it: it takes long")
def test_fmt(hooks: Hooks, records: Path) -> None:
    """A file that is not in canonical form is changed, which pre-commit takes for a failure."""
    path = records / "game.hexrec.json"
    path.write_text('{"game": "sunspot", "hexrec": "1", "size": 5, "moves": [" E5 "]}', encoding="utf-8")
    canonical = dumps(load(path), "json")
    failed = hooks("hexrec-fmt")
    assert failed.returncode == 1
    assert "files were modified by this hook" in failed.stdout
    assert path.read_text(encoding="utf-8") == canonical


@pytest.mark.parametrize("hook", HOOKS)
def test_files_by_name(hook: str) -> None:
    """The hooks look at files of every format when their names say that they are records, and at no others."""
    pattern = re.compile(HOOKS[hook]["files"])
    found = {path.suffix.lower() for path in (ROOT / "fixtures").rglob("*.*")}
    suffixes = {suffix for suffix in found if format_of(f"game{suffix}")}
    assert {".json", ".jsonl", ".yaml"} <= suffixes
    for kind in ("hexrec", *COMPLETE):
        assert [suffix for suffix in suffixes if not pattern.search(f"some/game.{kind}{suffix}")] == []
        assert not pattern.search(f"some/game.{kind}.md")
        assert not pattern.search(f"some/{kind}.json")
        assert not pattern.search(f"schemas/{kind}.schema.json")
    assert {suffix for suffix in suffixes if pattern.search(f"some/game{suffix}")} <= {".hgn"}
