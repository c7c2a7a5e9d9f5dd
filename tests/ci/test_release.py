"""The scripts and workflows that release hexrec, and the versions that they install.

`.ci/rehearse` builds and installs a release; here are its parts that take seconds.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

import hatch_build
from hexrec.cli import describe_version
from hexrec.rules import compiled
from tests.ci.conftest import LOCKED, ROOT, from_yaml
from tests.properties import FACTOR

pytestmark = pytest.mark.skipif(not (ROOT / ".ci").is_dir(), reason="the sdist has no .ci")

WORKFLOWS = {path.name: from_yaml(path.read_text(encoding="utf-8")) for path in ROOT.glob(".github/workflows/*.yml")}
#: How the lines of workflows begin that call no script.
PROGRAMS = ("bash .ci/run", "nox ", "pytest ", "python -m pip install ", "npm publish ")
SITE = "https://example.org/games/"
RELEASED = {
    "hexrec/util/version.py": '__version__ = "1.2.3"\n',
    "CHANGELOG.md": "# Changelog\n\n## [1.2.3] - 2026-12-01\n",
    "CITATION.cff": "cff-version: 1.2.0\nversion: 1.2.3\n",
    "fixtures/suite/package.json": '{\n  "version": "1.2.3",\n}\n',
    "pyproject.toml": '[project.urls]\nDocumentation = "https://example.org/"\nSource = "https://example.org/hexrec"\n',
}


def run(script: Path, *arguments: object, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "HEXREC_SITE"} | variables
    return subprocess.run(
        [str(script), *map(str, arguments)], env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("name", WORKFLOWS)
def test_workflows_call_scripts(name: str) -> None:
    """Shell in a workflow would run for the first time when it matters."""
    workflow: Any = WORKFLOWS[name]
    for job in workflow["jobs"].values():
        for line in (step["run"] for step in job["steps"] if "run" in step):
            assert not re.search(r"\n|&&|;", line.strip()), line
            if line.startswith(".ci/"):
                assert os.access(ROOT / line.split()[0], os.X_OK), line
            else:
                assert line.startswith(PROGRAMS), line


def test_jobs_that_may_act_as_the_repository_run_no_code_of_it() -> None:
    workflow: Any = WORKFLOWS["release.yml"]
    trusted = [job for job in workflow["jobs"].values() if "id-token" in job.get("permissions", {})]
    assert len(trusted) == 3
    steps = [step for job in trusted for step in job["steps"]]
    assert not [step for step in steps if "checkout" in step.get("uses", "")]
    # npm publishes a file as it is, without the scripts that a package can have.
    published = [f"npm publish --ignore-scripts ./dist/{name}/*.tgz" for name in ("npm", "suite")]
    assert [step["run"] for step in steps if "run" in step] == published


@pytest.fixture
def released(tmp_path: Path) -> Path:
    """A copy of what `.ci/tag` looks at, ready for the release 1.2.3."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/tag", tmp_path / ".ci")
    for name, text in RELEASED.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_a_tag_that_agrees(released: Path) -> None:
    checked = run(released / ".ci/tag", "v1.2.3")
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize(
    ("name", "text", "other"),
    [
        ("hexrec/util/version.py", "1.2.3", "1.2.30"),
        ("CHANGELOG.md", "[1.2.3] - 2026-12-01", "[Unreleased]"),
        ("CITATION.cff", "version: 1.2.3", "version: 1.2.2"),
        ("fixtures/suite/package.json", "1.2.3", "1.2.2"),
        ("pyproject.toml", "Documentation", "Homepage"),
        ("pyproject.toml", "Source", "Repository"),
    ],
)
def test_a_tag_that_does_not_agree(released: Path, name: str, text: str, other: str) -> None:
    file = released / name
    assert text in file.read_text(encoding="utf-8")
    file.write_text(file.read_text(encoding="utf-8").replace(text, other), encoding="utf-8")
    checked = run(released / ".ci/tag", "v1.2.3")
    assert checked.returncode == 1
    assert checked.stderr.startswith(f"{name}: no line matches ")
    assert checked.stderr.count("\n") == 1


def test_tags_are_checked_on_the_files_that_there_are() -> None:
    """In the files of this version, only what a release adds is missing: the date and the addresses."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    missing = {line.partition(":")[0] for line in run(ROOT / ".ci/tag", "v1.0.0").stderr.splitlines()}
    assert missing <= {"CHANGELOG.md", "pyproject.toml"}
    assert ("pyproject.toml" in missing) == (not project["urls"])


@pytest.fixture
def programs(tmp_path: Path) -> str:
    """A PATH with this Python and hexrec, and with a nox that makes a folder for the site."""
    folder = tmp_path / "bin"
    folder.mkdir()
    nox = folder / "nox"
    nox.write_text(
        '#!/bin/sh\n[ "$1 $2 $3" = "--session site --" ] && mkdir "$4" && echo "$SITE_URL" >"$4/index.html"\n'
    )
    nox.chmod(0o700)
    (folder / "python3").symlink_to(sys.executable)
    return os.pathsep.join([str(folder), str(Path(sys.executable).parent), os.environ["PATH"]])


def test_the_site_has_its_address_in_schemas_and_pages(tmp_path: Path, programs: str) -> None:
    site = tmp_path / "site"
    built = run(ROOT / ".ci/site", site, PATH=programs, HEXREC_SITE=SITE, HEXREC_RUNTIME="pyodide")
    assert built.returncode == 0, built.stderr
    assert (site / "index.html").read_text().strip() == SITE
    catalog = json.loads((site / "schemas/catalog.json").read_text(encoding="utf-8"))
    assert len(catalog["schemas"]) > 5
    for entry in catalog["schemas"]:
        assert entry["url"].startswith(f"{SITE}schemas/")
        schema = json.loads((site / "schemas" / entry["url"].rpartition("/")[2]).read_text(encoding="utf-8"))
        assert schema["$id"] == entry["url"]


def test_a_site_without_an_address_is_refused(tmp_path: Path, programs: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    if project["urls"]:
        pytest.skip("the address is known")
    built = run(ROOT / ".ci/site", tmp_path / "site", PATH=programs)
    assert (built.returncode, "set Documentation in [project.urls]" in built.stderr) == (1, True)
    assert not (tmp_path / "site").exists()


def write_wheel(path: Path, metadata: str) -> None:
    with ZipFile(path, "w") as wheel:
        wheel.writestr("hexrec_games-1.dist-info/METADATA", metadata)


def test_metadata_that_differs_is_refused(tmp_path: Path) -> None:
    text = "Name: hexrec-games\nRequires-Dist: librt\n\n[a](https://example.org/) [b](#below)\n"
    script = ROOT / ".ci/metadata"
    write_wheel(tmp_path / "a.whl", text)
    assert "not 1 files" in run(script, tmp_path).stderr
    write_wheel(tmp_path / "b.whl", text)
    compared = run(script, tmp_path)
    assert (compared.returncode, compared.stdout) == (0, "2 files with the same metadata\n")

    write_wheel(tmp_path / "b.whl", text.replace("Requires-Dist: librt\n", ""))
    compared = run(script, tmp_path)
    assert compared.returncode == 1
    assert compared.stderr == "b.whl: other metadata than that of a.whl:\nRequires-Dist: librt\n"

    for name in ("a.whl", "b.whl"):
        write_wheel(tmp_path / name, f"{text}![c](docs/c.png)\n")
    compared = run(script, tmp_path)
    assert (compared.returncode, "relative links: docs/c.png" in compared.stderr) == (1, True)


def test_outputs_that_differ_are_refused(tmp_path: Path) -> None:
    files = [tmp_path / name for name in "abc"]
    for file in files:
        file.write_text("{}\n")
    assert run(ROOT / ".ci/same-output", *files).returncode == 0
    files[2].write_text("[]\n")
    assert run(ROOT / ".ci/same-output", *files).returncode == 1


@pytest.mark.skipif(FACTOR == 1, reason="the session properties runs it: it takes long")
@pytest.mark.slow
def test_the_sdist_is_built_twice(tmp_path: Path) -> None:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    built = run(ROOT / ".ci/dist", tmp_path / "dist", PATH=path)
    assert built.returncode == 0, built.stderr
    assert [each.name for each in tmp_path.glob("dist/*")] == ["hexrec_games-1.0.0.tar.gz"]


def pins(name: str) -> dict[str, str]:
    """Return the versions in a lock file. Each has hashes."""
    text = (ROOT / ".ci" / name).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    assert [line for line in lines if "--hash=sha256:" not in line] == []
    return {match[1]: match[2] for line in lines if (match := re.match(r"([\w.-]+)==([^ ;]+)", line))}


def test_lock_files_have_what_builds_and_runs_the_package() -> None:
    """`nox -s lock` renews them."""
    building, running = map(pins, LOCKED)
    for requirement in map(Requirement, hatch_build.REQUIREMENTS):
        assert requirement.specifier.contains(building[requirement.name])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for requirement in map(Requirement, project["dependencies"] + project["optional-dependencies"]["server"]):
        assert requirement.specifier.contains(running[requirement.name]), requirement.name
    assert {building[name] for name in building.keys() & running} == {
        running[name] for name in building.keys() & running
    }


def test_checks_for_compiled_rules_look_for_what_the_version_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "OBSTACLE", "")
    (line,) = (line for line in describe_version() if "compiled" in line)
    assert f"grep -x '{line}'" in (ROOT / ".ci/rehearse").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert f"'{line}' in describe_version()" in project["tool"]["cibuildwheel"]["test-command"][0]


def test_images_have_digests() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    (base,) = re.findall(r"^ARG PYTHON=(\S+)$", dockerfile, re.MULTILINE)
    assert {*re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE)} == {"$PYTHON"}
    services: Any = from_yaml((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
    images = [base, *(service["image"] for service in services.values() if "image" in service)]
    assert len(images) == 2
    assert [image for image in images if not re.fullmatch(r"\S+:[\w.-]+@sha256:[0-9a-f]{64}", image)] == []


def test_the_image_gets_the_files_that_it_is_built_from() -> None:
    """Docker takes only what .dockerignore lets through."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    let_through = {line.removeprefix("!") for line in lines if line.startswith("!")}
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert {*re.findall(r"/source/(\S+)", dockerfile)} == {f".ci/{name}" for name in LOCKED} <= let_through
    assert {"hatch_build.py", "hexrec", "pyproject.toml", "README.md", "LICENSE"} <= let_through
    assert all((ROOT / path).exists() for path in let_through)
