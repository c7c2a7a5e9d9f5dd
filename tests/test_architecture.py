"""The layers hold: a module imports only from its own layer and from those below it, and no two import each other."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

from tests.cases import all_of
from tests.sources import PACKAGE, nodes

#: From the bottom up. `errors` is below all.
LAYERS = [
    {"util"},
    {"rules"},
    {"record", "javascript"},
    {"formats", "render"},
    {"io", "codes"},
    {"validation"},
    {"tools", "output", "conformance"},
    {"parallel", "web"},
    {"api", "server", "lsp", "cli"},
]
LEVEL = {"errors": -1} | {part: level for level, layer in enumerate(LAYERS) for part in layer}
#: The start of one layer by another part of it.
STARTS = [("cli/serve.py", "server"), ("cli/lsp.py", "lsp")]
#: In these directories, modules of one kind must not know each other: a game no other game, a command no other command.
#: The other modules are named.
APART = {
    "rules/games": {"__init__"},
    "cli": {"__init__", "console", "edits", "inputs", "options", "outputs", "parts", "runs", "values"},
}

#: The modules that import others by name: the registries of their own directory, and one for libraries of others.
BY_NAME = {
    "__init__.py",
    "cli/__init__.py",
    "formats/__init__.py",
    "io/compression.py",
    "io/zstd.py",
    "output/__init__.py",
    "rules/games/__init__.py",
}


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def imports(path: Path) -> set[tuple[str, ...]]:
    """Return the parts of the package that a module imports, at its top or anywhere within."""
    found = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            found |= {tuple(alias.name.split(".")) for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            module = tuple(node.module.split("."))
            found |= {(*module, alias.name) for alias in node.names}
    return {parts[1:] for parts in found if parts[0] == "hexrec" and len(parts) > 1}


def test_imports_point_downward() -> None:
    for path in PACKAGE.rglob("*.py"):
        part, name = part_of(path), path.relative_to(PACKAGE).as_posix()
        for imported in imports(path) if part in LEVEL else ():
            if imported[0] in LEVEL and (name, imported[0]) not in STARTS:
                assert imported[0] == part or LEVEL[imported[0]] < LEVEL[part], f"{name} imports {'.'.join(imported)}"


@pytest.mark.parametrize("directory", APART)
def test_modules_of_one_kind_do_not_know_each_other(directory: str) -> None:
    package = tuple(directory.split("/"))
    entries = (PACKAGE / directory).iterdir()
    paths = [path for path in entries if path.suffix == ".py" or (path / "__init__.py").exists()]
    kind = {path.stem for path in paths} - APART[directory]
    for path in paths:
        if path.stem in kind:
            files = path.glob("*.py") if path.is_dir() else [path]
            named = {parts for file in files for parts in imports(file) if parts[: len(package)] == package}
            assert not {parts[len(package)] for parts in named} & kind - {path.stem}


def test_no_circles_between_files() -> None:
    """Not even where an import is for the type checker alone, or within a function."""
    waiting = {path: imported_files(path) for path in PACKAGE.rglob("*.py")}
    while free := [path for path, needed in waiting.items() if not needed & waiting.keys()]:
        for path in free:
            del waiting[path]
    assert not sorted(str(path.relative_to(PACKAGE)) for path in waiting), "each imports another of these"


def imported_files(path: Path) -> set[Path]:
    """Return the files that a module names in its imports; not the packages that lead to them."""
    files = set()
    for parts in imports(path):
        for end in (parts, parts[:-1]):
            module = PACKAGE.joinpath(*end)
            found = [file for file in (module.with_suffix(".py"), module / "__init__.py") if file.is_file()]
            if end and found:
                files.add(found[0])
                break
    return files - {path}


def test_no_import_hides_in_a_string() -> None:
    """Modules that are imported by name would pass the tests above."""
    found = {path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py") if imports_by_name(path)}
    assert found <= BY_NAME


def imports_by_name(path: Path) -> bool:
    calls = (node.func for node in nodes(path) if isinstance(node, ast.Call))
    names = {call.attr if isinstance(call, ast.Attribute) else getattr(call, "id", "") for call in calls}
    return bool(names & {"import_module", "__import__", "resolve_name"})


def test_every_part_has_a_layer() -> None:
    assert {part_of(path) for path in PACKAGE.rglob("*.py")} <= {*LEVEL, "__init__", "__main__"}


@all_of("path", sorted((PACKAGE / "cli").glob("*.py")))
def test_commands_say_things_through_the_console_only(path: Path) -> None:
    """What others wrote is escaped there."""
    if path.stem == "console":
        return
    used = [node for node in nodes(path) if isinstance(node, ast.Attribute) and node.attr in ("stderr", "__stderr__")]
    assert len(used) <= (path.stem == "runs"), "write to standard error with echo and say of cli/console.py"


def test_the_page_names_modules_that_are_there() -> None:
    page = (PACKAGE.parent / "docs/architecture.md").read_text(encoding="utf-8")
    named = re.findall(r"`(?:hexrec/)?([a-z_]+/[a-z_/]+(?:\.py|/))`", page)
    assert named
    assert [name for name in named if not any((root / name).exists() for root in (PACKAGE, PACKAGE.parent))] == []
    tree = page[page.index("```text") : page.rindex("```")]
    assert {*re.findall(r"\b[a-z_]+\.py\b", tree)} <= {path.name for path in PACKAGE.rglob("*.py")}


def test_no_two_classes_share_a_name() -> None:
    """A name of a class means one thing, in whichever module it is read."""
    modules = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        module, *_ = nodes(path)
        assert isinstance(module, ast.Module)
        for node in module.body:
            if isinstance(node, ast.ClassDef):
                modules[node.name].append(str(path.relative_to(PACKAGE)))
    assert {name: found for name, found in modules.items() if len(found) > 1} == {}
