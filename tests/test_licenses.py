"""The page of licenses names every package that CI installs; `python -m tests.licenses` looks the licenses up."""

from __future__ import annotations

import ast
import re

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests import licenses

PAGE = (licenses.ROOT / "tests" / "licenses.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", PAGE, re.MULTILINE)[1:]
NAMES = {use: {name for row in ROWS if row[0] == use for name in row[2].split(", ")} for use, _, _ in ROWS}
LISTED = set.union(*NAMES.values())


#: The sdist has no `.ci`.
PINNED = pytest.mark.skipif(not (licenses.ROOT / ".ci").is_dir(), reason="needs the files of pinned versions")


def _installed_by_tasks() -> set[str]:
    """Return what `noxfile.py` installs by name."""
    strings = set()
    for call in ast.walk(ast.parse((licenses.ROOT / "noxfile.py").read_text(encoding="utf-8"))):
        if isinstance(call, ast.Call):
            arguments = [each.value for each in call.args if isinstance(each, ast.Constant)]
            if ast.unparse(call.func) == "session.install" or {"pip", "install"} <= {*map(str, arguments)}:
                strings |= {each for each in arguments if isinstance(each, str) and re.match(r"[a-z]", each)}
    return {canonicalize_name(Requirement(each).name) for each in strings - {"python", "pip", "install"}}


@PINNED
def test_every_pinned_package_is_on_the_page() -> None:
    pinned = set.union(*(licenses.pinned(path.name) for path in licenses.ROOT.glob(".ci/*.txt")))
    locks = licenses.ROOT.glob(".ci/*/package-lock.json")
    pinned |= {package.name for lock in locks for package in licenses.in_lock(lock)}
    assert pinned - LISTED == set()


@PINNED
def test_what_the_page_names_for_hexrec_and_the_site_is_pinned() -> None:
    here = licenses.pinned("requirements.txt") | licenses.pinned("docs.txt")
    pip = NAMES["hexrec"] | NAMES["extras"] | NAMES["development"] | NAMES["the site"]
    assert pip - here == set()


def test_what_tasks_install_is_on_the_page() -> None:
    assert _installed_by_tasks() >= {"atheris", "mutmut"}
    assert _installed_by_tasks() - LISTED == set()


def test_every_license_is_permissive_or_taken_for_a_reason() -> None:
    reasons = set(re.findall(r"^\* ([^,]+), ", PAGE, re.MULTILINE))
    refused = [row for row in ROWS if not licenses.is_permissive(row[1]) and set(row[2].split(", ")) - reasons]
    assert refused == []
