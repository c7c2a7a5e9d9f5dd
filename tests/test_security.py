"""What SECURITY.md promises is held by the tests that it names; what no record can show is looked up in the code."""

from __future__ import annotations

import ast
import re
from fnmatch import fnmatchcase
from pathlib import Path

from tests.cases import all_of
from tests.sources import PACKAGE, nodes

TESTS = Path(__file__).parent
NAMED = re.findall(r"`([\w/]+\.py)::([\w*]+)`", (TESTS.parent / "SECURITY.md").read_text(encoding="utf-8"))
#: What makes code of data, and the modules that may use it: hexrec's own processes trust each other.
RISKY: dict[str, set[str]] = {
    "eval": set(),
    "exec": set(),
    "compile": set(),
    "pickle.load": set(),
    "pickle.loads": {"parallel/child.py", "parallel/run.py", "parallel/workers.py"},
    "marshal.loads": set(),
    "yaml.load": set(),
    "yaml.unsafe_load": set(),
    "yaml.full_load": set(),
    "os.system": set(),
}


@all_of(("file", "pattern"), NAMED)
def test_every_test_that_is_named_is_there(file: str, pattern: str) -> None:
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    names = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    assert [name for name in names if name.startswith("test_") and fnmatchcase(name, pattern)]


def test_every_threat_names_a_test() -> None:
    rows = [
        line
        for line in (TESTS.parent / "SECURITY.md").read_text(encoding="utf-8").splitlines()
        if line.startswith("| ") and not line.startswith("| from ")
    ]
    assert rows
    assert [row for row in rows if "`" not in row.rsplit("|", 2)[1]] == []


def test_no_module_runs_what_it_reads() -> None:
    found: dict[str, set[str]] = {name: set() for name in RISKY}
    for path in PACKAGE.rglob("*.py"):
        for node in nodes(path):
            match node:
                case ast.Call(func=ast.Name(id=name)):
                    pass
                case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=attribute)):
                    name = f"{module}.{attribute}"
                case _:
                    continue
            if name in RISKY:
                found[name].add(path.relative_to(PACKAGE).as_posix())
    assert found == RISKY
