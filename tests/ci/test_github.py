"""The GitHub action: its schema, and its steps run by bash as GitHub's runner does."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from hexrec import __version__
from tests.ci.conftest import INVALID, LOCKED, ROOT, VALID, assert_schema, example, from_yaml
from tests.properties import FACTOR

ACTION: dict[str, Any] = from_yaml((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="the steps of the action are for bash")


@dataclass
class Job:
    """A job that uses the action. `used` has the inputs of the other actions that the steps called."""

    folder: Path
    environment: dict[str, str]
    project: Path
    inputs: dict[str, str]
    code: int = 0
    log: str = ""
    summary: str = ""
    used: dict[str, dict[str, str]] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)

    def set_python(self, script: str) -> None:
        """Set up a script for Python."""
        python = self.folder / "python"
        python.write_text(script)
        python.chmod(0o700)
        self.values["steps.python.outputs.python-path"] = str(python)

    def run(self) -> None:
        """Run the steps up to the first that fails. This interpreter stands for the one that would be set up."""
        (self.folder / "temp").mkdir(exist_ok=True)
        inputs = {name: described.get("default", "") for name, described in ACTION["inputs"].items()} | self.inputs
        self.values |= {f"inputs.{name}": value for name, value in inputs.items()}
        self.values |= {"runner.temp": str(self.folder / "temp"), "runner.os": "Linux", "runner.arch": "X64"}
        self.values.setdefault("steps.python.outputs.python-path", sys.executable)
        installed = "steps.install.outputs.program" in self.values
        for step in STEPS:
            if installed and step["name"] in ("Choose the version", "Restore downloads", "Install hexrec"):
                continue
            if self.code != 0 or ("if" in step and self.expression(step["if"]) != "true"):
                continue
            if "uses" in step:
                given = {name: self.expression(value) for name, value in step["with"].items()}
                self.used[step["uses"].partition("@")[0]] = given
            else:
                self.run_step(step)

    def run_step(self, step: dict[str, Any]) -> None:
        script, output, summary = (self.folder / "temp" / name for name in ("script.sh", "output", "summary"))
        script.write_text(step["run"], encoding="utf-8")
        for file in (output, summary):
            file.write_text("")
        environment = {
            **self.environment,
            **{name: self.expression(value) for name, value in step.get("env", {}).items()},
            "GITHUB_ACTION_PATH": str(self.project),
            "GITHUB_OUTPUT": str(output),
            "GITHUB_STEP_SUMMARY": str(summary),
            "RUNNER_TEMP": str(self.folder / "temp"),
        }
        assert step["shell"] == "bash"
        ran = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", script],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
        )
        self.code = ran.returncode
        self.log += ran.stdout
        self.summary += summary.read_text(encoding="utf-8")
        for line in output.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition("=")
            self.values[f"steps.{step['id']}.outputs.{name}"] = value

    def expression(self, text: object) -> str:
        """Return the value of a text with expressions: names joined by `||`, comparisons with texts joined by `&&`."""

        def value(match: re.Match[str]) -> str:
            if " || " in match[1]:
                return next(filter(None, map(self.values.get, match[1].split(" || "))), "")
            results = []
            for part in match[1].split(" && "):
                compared = re.fullmatch(r"(\S+) (==|!=) '(.*)'", part)
                if compared is None:
                    return self.values.get(part, "")
                same = self.values.get(compared[1], "") == compared[3]
                results.append(same == (compared[2] == "=="))
            return str(all(results)).lower()

        return re.sub(r"\$\{\{ (.*?) \}\}", value, str(text))


@pytest.fixture
def job(tmp_path: Path, environment: dict[str, str], project: Path) -> Job:
    """A job in a checkout with a folder of records, one of which is invalid, and hexrec installed."""
    folder = tmp_path / "checkout"
    (folder / "games").mkdir(parents=True)
    shutil.copy(VALID, folder / "games")
    shutil.copy(INVALID, folder / "bad game.yaml")
    program = Path(sys.executable).with_name("hexrec")
    return Job(folder, environment, project, {"paths": "games"}, values={"steps.install.outputs.program": str(program)})


#: Stands for Python: it prints its arguments and installs nothing.
ASKED = """#!/bin/sh
if [ "$3" = venv ]; then mkdir -p "$4/bin" && cp "$0" "$4/bin/python"; exit; fi
echo "asked: $*"
{}
"""
#: What is installed first, with the hashes of this commit.
DEPENDENCIES = "asked: -P -m pip install --require-hashes --requirement {}/.ci/{}.txt\n"


#: Python, with the pip of these tests in the environments that it makes: to install one of their own takes longest.
WITHOUT_PIP = f"""#!/bin/sh
exec {sys.executable} -P -m venv --without-pip "$4"
"""


@pytest.mark.skipif(FACTOR == 1, reason="the session properties runs it: it takes long")
@pytest.mark.slow
@needs_bash
@pytest.mark.parametrize("version", ["source", ""])
def test_installs_itself(job: Job, version: str) -> None:
    """From its source, or as a wheel of its version; not with a pip that the checkout has."""
    del job.values["steps.install.outputs.program"]
    job.inputs["version"] = version
    (job.folder / "pip.py").write_text("raise SystemExit('the pip of the checkout')")
    if not os.environ.get("HEXREC_REGISTRIES"):
        job.set_python(WITHOUT_PIP)
        for name in LOCKED:
            (job.project / ".ci" / name).write_text("")
        wheels = job.folder.parent / "wheels"
        build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", str(job.project), "-w", str(wheels)]
        if not version:
            subprocess.run(build, env=job.environment, check=True)
        # The hexrec of these tests is on the path too.
        job.environment = {**job.environment, "PIP_FIND_LINKS": str(wheels), "PIP_IGNORE_INSTALLED": "1"}
    job.inputs["paths"] = "bad game.yaml"
    job.run()
    assert job.code == 1, job.log
    assert Path(job.values["steps.install.outputs.program"]).is_relative_to(job.folder / "temp")
    assert "::error file=bad game.yaml,line=11," in job.log


@needs_bash
def test_installs_a_release(job: Job) -> None:
    """A wheel of the release, then plug-ins; downloads are kept by what is installed."""
    del job.values["steps.install.outputs.program"]
    keys = set()
    for version in ("0.0.0", ""):
        job.code, job.log = 0, ""
        job.inputs |= {"version": version, "packages": "hexrec-games-col\n\n  ./my games ", "paths": "none"}
        job.set_python(ASKED.format(""))
        job.values.pop("steps.install.outputs.program", None)
        job.run()
        assert job.log.startswith(
            DEPENDENCIES.format(job.project, "package")
            + f"asked: -P -m pip install --only-binary hexrec-games -- hexrec-games=={version or __version__}\n"
            "asked: -P -m pip install -- hexrec-games-col ./my games\n"
        )
        cache = job.used["actions/cache"]
        assert cache["path"] == job.values["runner.temp"] + "/hexrec-downloads"
        keys.add(cache["key"])
    assert len(keys) == 2
    assert all(re.fullmatch("hexrec-Linux-X64-[0-9a-f]{40}", key) for key in keys)


@needs_bash
def test_a_release_without_a_wheel(job: Job) -> None:
    del job.values["steps.install.outputs.program"]
    job.set_python(ASKED.format('[ "$5" != --only-binary ]'))
    job.run()
    assert job.code == 1
    assert job.log.endswith("this version of hexrec-games has no wheel: set version to another release, or to source\n")
    assert "steps.install.outputs.program" not in job.values


@needs_bash
def test_builds_from_the_lock_files(job: Job) -> None:
    """Only plug-ins have the versions that the registry offers."""
    del job.values["steps.install.outputs.program"]
    job.inputs |= {"version": "source", "packages": "hexrec-games-col", "paths": "none"}
    job.set_python(ASKED.format(""))
    job.run()
    assert job.log.startswith(
        DEPENDENCIES.format(job.project, "package")
        + DEPENDENCIES.format(job.project, "build")
        + f"asked: -P -m pip install --no-deps --no-build-isolation -- {job.project}\n"
        "asked: -P -m pip install -- hexrec-games-col\n"
    )


@needs_bash
def test_valid(job: Job) -> None:
    job.run()
    assert (job.code, job.expression(ACTION["outputs"]["exit-code"]["value"])) == (0, "0")
    assert "::" not in job.log
    assert "valid" in job.summary
    assert job.used["github/codeql-action/upload-sarif"]["sarif_file"] == "hexrec.sarif"
    assert json.loads((job.folder / "hexrec.sarif").read_text())["runs"][0]["results"] == []


@needs_bash
def test_invalid(job: Job) -> None:
    """The report is uploaded before the job fails; blank lines and blanks around lines of the inputs do not count."""
    job.inputs |= {"paths": "games\n\n  bad game.yaml \n", "sarif-file": "a b.sarif", "category": "a b"}
    job.run()
    assert (job.code, job.expression(ACTION["outputs"]["exit-code"]["value"])) == (1, "1")
    assert "::error file=bad game.yaml,line=11,col=31," in job.log
    assert "move/touches-higher" in job.summary
    assert job.used["github/codeql-action/upload-sarif"]["sarif_file"] == "a b.sarif"
    assert job.expression(ACTION["outputs"]["sarif-file"]["value"]) == "a b.sarif"
    (run,) = json.loads((job.folder / "a b.sarif").read_text())["runs"]
    assert [result["ruleId"] for result in run["results"]] == ["move/touches-higher"]
    assert run["automationDetails"] == {"id": "a b/"}


@needs_bash
def test_unreadable(job: Job) -> None:
    job.inputs["paths"] = "missing.json"
    job.run()
    assert job.code == 2
    assert "::error file=missing.json," in job.log
    assert "github/codeql-action/upload-sarif" in job.used


@needs_bash
@pytest.mark.parametrize(
    ("inputs", "reason"),
    [({"args": "--nonsense"}, "No such option"), ({"paths": ""}, "Missing argument"), ({"sarif-file": ""}, "no file")],
)
def test_wrong_usage(job: Job, inputs: dict[str, str], reason: str) -> None:
    """There is no report then, and none of an earlier run is taken for it."""
    (job.folder / "hexrec.sarif").write_text("{}")
    job.inputs |= inputs
    job.run()
    assert (job.code, reason in job.log) == (2, True), job.log
    assert "github/codeql-action/upload-sarif" not in job.used


@needs_bash
def test_options_are_passed_on(job: Job) -> None:
    (job.folder / "open.yaml").write_text("{hexrec: '1', game: sunspot, size: 5, moves: []}")
    job.inputs |= {"paths": "bad game.yaml\nopen.yaml", "args": "--ignore=move\n--finished", "upload": "false"}
    job.run()
    assert job.code == 1
    assert "result/missing" in job.log
    assert "::error file=bad game.yaml" not in job.log
    assert "github/codeql-action/upload-sarif" not in job.used


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgSign=false"]
    ran = subprocess.run(["git", "-C", folder, *identity, *arguments], check=True, capture_output=True, text=True)
    return ran.stdout.strip()


@pytest.fixture
def pull_request(job: Job, tmp_path: Path) -> Job:
    """A job in the shallow checkout of a pull request that adds settings by which its records pass."""
    origin = tmp_path / "origin"
    job.folder.rename(origin)
    (origin / "games" / "hexrec.toml").write_text("")
    git(origin, "init", "--quiet")
    git(origin, "config", "uploadpack.allowAnySHA1InWant", "true")  # as GitHub does
    for step in ("base", "change"):
        git(origin, "add", "--all")
        git(origin, "commit", "--quiet", "--message", step)
        if step == "base":
            job.values["github.event.pull_request.base.sha"] = git(origin, "rev-parse", "HEAD")
            (origin / "bad game.yaml").rename(origin / "games" / "bad.yaml")
            (origin / "games" / "hexrec.toml").write_text('ignore = ["move"]')
    git(tmp_path, "clone", "--quiet", "--depth", "1", origin.as_uri(), str(job.folder))
    return job


@needs_bash
@pytest.mark.parametrize("paths", ["games", "games/*.yaml", "games/bad.yaml"])
def test_a_pull_request_cannot_accept_its_own_records(pull_request: Job, paths: str) -> None:
    pull_request.inputs["paths"] = paths
    pull_request.run()
    assert pull_request.code == 1, pull_request.log
    assert "::error file=games/bad.yaml,line=11," in pull_request.log
    pull_request.values["github.event.merge_group.base_sha"] = pull_request.values.pop(
        "github.event.pull_request.base.sha"
    )
    pull_request.code, pull_request.log = 0, ""
    pull_request.run()
    assert pull_request.code == 1, pull_request.log


@needs_bash
def test_files_of_a_pull_request_come_first(pull_request: Job) -> None:
    """Whatever it changes is annotated, though others come before it; an option of the job decides otherwise."""
    (pull_request.folder / "games" / "a").mkdir()
    shutil.copy(INVALID, pull_request.folder / "games" / "a")
    git(pull_request.folder, "add", "--all")
    git(pull_request.folder, "commit", "--quiet", "--message", "old")
    pull_request.values["github.event.pull_request.base.sha"] = git(pull_request.folder, "rev-parse", "HEAD")
    (pull_request.folder / "games" / "z.yaml").write_bytes(INVALID.read_bytes())
    for args, order in (("--no-config", ["z", "a", "b"]), ("--no-config\n--changed-first=HEAD~", ["a", "z", "b"])):
        pull_request.code, pull_request.log, pull_request.inputs["args"] = 0, "", args
        pull_request.run()
        assert re.findall("::error file=games/(.)", pull_request.log) == order
    pull_request.code, pull_request.log, pull_request.inputs["args"] = 0, "", "--no-config"
    pull_request.values["github.event.pull_request.base.sha"] = "0" * 40
    pull_request.run()
    assert re.findall("::error file=games/(.)", pull_request.log) == ["a", "b", "z"]


@needs_bash
def test_settings_that_were_merged_apply(pull_request: Job) -> None:
    """On a push, and in later pull requests."""
    base = pull_request.values.pop("github.event.pull_request.base.sha")
    pull_request.run()
    assert (pull_request.code, "::notice file=games/bad.yaml" in pull_request.log) == (0, True), pull_request.log
    pull_request.values["github.event.pull_request.base.sha"] = git(pull_request.folder, "rev-parse", "HEAD")
    pull_request.run()
    assert pull_request.code == 0, pull_request.log
    pull_request.values["github.event.pull_request.base.sha"] = base
    pull_request.inputs["args"] = "--config=games/hexrec.toml"
    pull_request.run()
    assert pull_request.code == 0, pull_request.log


@needs_bash
def test_a_base_that_cannot_be_fetched(pull_request: Job) -> None:
    git(pull_request.folder, "remote", "remove", "origin")
    pull_request.run()
    assert pull_request.code == 2
    assert "--config-from: git does not know the revision" in pull_request.log


@needs_bash
def test_inputs_are_no_code(job: Job) -> None:
    for name in ("paths", "args", "packages", "version", "category", "sarif-file", "upload"):
        job.inputs[name] = f"$(touch {name}) `touch {name}`;touch {name}; *\" ' ${{{{ github.token }}}}"
    job.inputs["sarif-file"] += ".sarif"
    job.run()
    assert job.code == 2
    made = {path.name for path in job.folder.iterdir()} - {"games", "bad game.yaml", "temp"}
    assert made == {job.inputs["sarif-file"]}


def test_action() -> None:
    """Expressions stand in `env` and `with` only: in a script, they would be pasted into it."""
    assert_schema("github-actions", ROOT / "action.yml")
    assert not [step for step in STEPS if "${{" in step.get("run", "")]


def test_workflow(tmp_path: Path) -> None:
    file = tmp_path / "records.yml"
    file.write_text(example(".github/workflows/records.yml"), encoding="utf-8")
    assert_schema("github-workflows", file)
    workflow: dict[str, Any] = from_yaml(file.read_text(encoding="utf-8"))
    assert workflow["permissions"]["security-events"] == "write"
    (job,) = workflow["jobs"].values()
    (use,) = (step for step in job["steps"] if "/hexrec@" in step["uses"])
    assert use["with"].keys() <= ACTION["inputs"].keys()


@needs_bash
def test_workflow_of_repairs(tmp_path: Path) -> None:
    """Its diff applies to the files of the repository, from its root, and leaves out what has no clear repair."""
    file = tmp_path / "repairs.yml"
    file.write_text(example(".github/workflows/repairs.yml"), encoding="utf-8")
    assert_schema("github-workflows", file)
    workflow: dict[str, Any] = from_yaml(file.read_text(encoding="utf-8"))
    (job,) = workflow["jobs"].values()
    (repair,) = (step["run"] for step in job["steps"] if "hexrec fix" in step.get("run", ""))
    (tmp_path / "games").mkdir()
    good = '{"hexrec": "1", "event": "Zürich", "game": "sunspot", "size": 4, "moves": ["d4", "d5"]}'
    lines = [good, good.replace("4,", '"4",'), good.replace("d5", "z99"), good]
    archive = tmp_path / "games" / "a.jsonl"
    archive.write_text("\n".join(lines) + "\n", encoding="utf-8")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    subprocess.run(["bash", "-ec", repair], cwd=tmp_path, env=os.environ | {"PATH": path}, check=True)
    git(tmp_path, "apply", "-p0", "repairs.diff")
    assert archive.read_text(encoding="utf-8").splitlines() == [good, good, lines[2], good]


def test_every_input_is_documented() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \|", (ROOT / "docs" / "ci.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert rows == [*ACTION["inputs"], *ACTION["outputs"]]
