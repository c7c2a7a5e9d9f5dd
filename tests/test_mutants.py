"""The tool that puts faults into modules: it finds the tests of each module, and runs these with the faults."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cases import all_of
from tests.mutants import ROOT, environment_of, find_tests, source_of

#: The modules below the package itself.
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted(ROOT.glob("hexrec/**/*.py"))
    if path != ROOT / "hexrec/__init__.py"
]


@all_of("module", MODULES)
def test_each_module_has_tests(module: str) -> None:
    tests = find_tests(module)
    assert (ROOT / source_of(module)).is_file()
    assert [path for path in tests if not (ROOT / path).exists()] == []
    package = f"tests/{module.split('.')[1]}"
    # All tests, which are too many to run for each fault, are only those of modules without such a directory.
    assert any(path.startswith(package) for path in tests) or not (ROOT / package).is_dir()


def test_a_file_named_after_the_module_is_found_wherever_it_is() -> None:
    assert "tests/cli/test_baseline.py" in find_tests("hexrec.validation.baseline")


@pytest.mark.parametrize("module", ["hexrec.rules.baord", "json", "tests.mutants"])
def test_another_module_is_refused(module: str) -> None:
    with pytest.raises(ValueError, match=module):
        find_tests(module)


@pytest.mark.parametrize("module", [module for module in MODULES if module.startswith("hexrec.rules.games")])
def test_rules_are_interpreted(module: str) -> None:
    assert environment_of(module, ROOT)["HEXREC_PURE"] == "1"


def test_processes_that_tests_start_import_the_copy(tmp_path: Path) -> None:
    """A fault in a copy is met by any process, whatever its directory."""
    copy, elsewhere = tmp_path / "copy", tmp_path / "elsewhere"
    (copy / "hexrec").mkdir(parents=True)
    (copy / "hexrec/__init__.py").write_text("FAULT = 1")
    elsewhere.mkdir()
    program = [sys.executable, "-c", "import hexrec; print(hexrec.FAULT)"]
    ran = subprocess.run(program, cwd=elsewhere, env=environment_of("hexrec", copy), stdout=subprocess.PIPE, check=True)
    assert ran.stdout == b"1\n"
