"""What the tests of CI and editors share: the project as others install it, and the examples of docs/ci.md.

The tests install the project into environments of their own. So that they can do without the network, these see the
packages of the environment that the tests run in; `nox -s registries` has them installed for real.
"""

from __future__ import annotations

import os
import re
import shutil
import sysconfig
from importlib import import_module
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from tests.cli.conftest import hexrec

__all__ = [
    "INVALID",
    "LOCKED",
    "ROOT",
    "VALID",
    "assert_schema",
    "environment",
    "example",
    "from_yaml",
    "hexrec",
    "project",
]

ROOT = Path(__file__).parents[2]
INVALID = ROOT / "fixtures/suite" / "frasvel" / "invalid" / "move.touches-higher.yaml"
VALID = ROOT / "fixtures/suite" / "frasvel" / "reference" / "games.jsonl"
#: The versions that the image and the action install, in `.ci`.
LOCKED = ("build.txt", "package.txt")
OFFLINE = {
    "PIP_NO_INDEX": "1",
    "PIP_NO_DEPS": "1",
    # This option of pip takes its opposite from the environment.
    "PIP_NO_BUILD_ISOLATION": "0",
    "PYTHONPATH": os.pathsep.join(dict.fromkeys(sysconfig.get_path(kind) for kind in ("purelib", "platlib"))),
    "VIRTUALENV_NO_PERIODIC_UPDATE": "1",
}


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    """The environment for programs that install the project."""
    # Whoever runs the tests in a hook has variables set that lead Git to another repository and pre-commit astray.
    usual = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PRE_COMMIT", "SKIP"))}
    offline = {} if os.environ.get("HEXREC_REGISTRIES") else OFFLINE
    # The rules are compiled, and checked, elsewhere.
    return usual | offline | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "HEXREC_PURE": "1"}


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the project needs to be installed."""
    copy = tmp_path_factory.mktemp("project")
    for folder in ("hexrec", "fixtures/suite"):
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".pre-commit-hooks.yaml", "action.yml"):
        shutil.copy(ROOT / name, copy)
    (copy / ".ci").mkdir()
    for name in LOCKED if (ROOT / ".ci").is_dir() else ():  # the sdist has no .ci
        shutil.copy(ROOT / ".ci" / name, copy / ".ci")
    return copy


def example(file: str) -> str:
    """Return the example in docs/ci.md that begins with the name of a file in a comment."""
    page = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    (found,) = re.findall(rf"^```yml\n(# {re.escape(file)}\n.*?)^```$", page, flags=re.MULTILINE | re.DOTALL)
    return str(found)


def from_yaml(text: str) -> dict[str, object]:
    """Return what a YAML file holds; under `on`, which YAML 1.1 takes for true, nothing is asked."""
    return dict(yaml.safe_load(text))


def assert_schema(builtin: str, file: Path) -> None:
    """Check a file against a schema that check-jsonschema has."""
    program = import_module("check_jsonschema").main  # it has no types
    ran = CliRunner().invoke(program, ["--builtin-schema", f"vendor.{builtin}", str(file)])
    assert ran.exit_code == 0, ran.output
