"""Put every fault that mutmut can make into a module of hexrec, and print those that no test notices.

`nox -s mutants -- hexrec.validation.baseline tests/cli/test_baseline.py` runs these tests, without paths those that
mirror the module. mutmut makes the faults; this program runs the tests with each of them in a copy of the repository,
until one fails or takes much longer than without the fault. mutmut's own runner sends each call of a function through a
switch between its mutants, which makes the rules too slow to test.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
#: A run with a fault may take this factor times its time without, plus seconds. Longer is noticed.
PATIENCE = 5, 10
#: The tests of the words and codes of all diagnostics, which any module can have a part in.
_DIAGNOSTICS = ("tests/test_messages.py", "tests/test_fixtures.py")
#: Not needed by tests of one package, and large.
_LEFT_OUT = ignore_patterns(".git", ".nox", ".venv", "*_cache", "__pycache__", "node_modules", "dist", "site")


class Mutant(NamedTuple):
    """A module with a fault: its whole text, and the line of the fault without it and with it."""

    line: int
    before: str
    after: str
    text: str


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield the faults that mutmut can make in a module, in the order of their lines."""
    # Only `nox -s mutants` installs mutmut.
    from libcst.metadata import MetadataWrapper, WhitespaceInclusivePositionProvider
    from mutmut.mutation.file_mutation import create_mutations

    text = path.read_text(encoding="utf-8")
    tree, mutations, *_ = create_mutations(str(path), text)
    spans = MetadataWrapper(tree, unsafe_skip_copy=True).resolve(WhitespaceInclusivePositionProvider)
    lines = text.splitlines(keepends=True)
    offsets = [0, *accumulate(map(len, lines))]
    for mutation in sorted(mutations, key=lambda mutation: spans[mutation.original_node].start.line):
        span = spans[mutation.original_node]
        start, end = (offsets[place.line - 1] + place.column for place in (span.start, span.end))
        changed = text[:start] + tree.code_for_node(mutation.mutated_node) + text[end:]
        line = span.start.line
        yield Mutant(line, lines[line - 1].strip(), changed.splitlines()[line - 1].strip(), changed)


def source_of(module: str) -> Path:
    """Return the source of a module, relative to the repository; also if the module is compiled.

    Raises ValueError if there is no such module.
    """
    path = Path(*module.split("."))
    for source in (path.with_suffix(".py"), path / "__init__.py"):
        if source.parts[0] == "hexrec" and (ROOT / source).is_file():
            return source
    raise ValueError(f"no module of hexrec has the name {module}")


def find_tests(module: str) -> list[str]:
    """Return the tests of a module: files named after it or its packages, the directory that mirrors it, diagnostics.

    Tests mirror packages, down to a depth of their own.
    """
    packages = source_of(module).with_suffix("").parts[1:]
    names = {f"test_{name}.py" for name in packages}
    named = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/**/test_*.py") if path.name in names)
    mirrors = (Path("tests", *packages[:depth]) for depth in range(len(packages) - 1, -1, -1))
    directory = next(path for path in mirrors if (ROOT / path).is_dir())
    return [*named, directory.as_posix(), *_DIAGNOSTICS]


def environment_of(module: str, copy: Path) -> dict[str, str]:
    """Return the variables with which the tests of a module run in a copy of the repository."""
    # Processes that tests start elsewhere import the module with the fault, too.
    environment = os.environ | {"PYTHONPATH": str(copy)}
    # Compiled rules would run instead of those with the fault.
    return environment | {"HEXREC_PURE": "1"} if module.startswith("hexrec.rules") else environment


def main() -> None:
    """Run the mutants of the module in the first argument, with the tests in the others."""
    if len(sys.argv) < 2:
        sys.exit("usage: nox -s mutants -- MODULE [TESTS…]")
    module, *tests = sys.argv[1:]
    try:
        source, tests = source_of(module), tests or find_tests(module)
    except ValueError as error:
        sys.exit(str(error))
    with TemporaryDirectory() as folder:
        copy = Path(folder, "hexrec")
        copytree(ROOT, copy, ignore=_LEFT_OUT)
        path, environment = copy / source, environment_of(module, copy)

        def passes(timeout: float | None) -> bool:
            command = [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "-p", "no:randomly", "-m", "not slow", *tests]
            try:
                ran = subprocess.run(command, cwd=copy, env=environment, capture_output=True, timeout=timeout)
            except subprocess.TimeoutExpired:
                return False
            return ran.returncode == 0

        start = time.monotonic()
        if not passes(None):
            sys.exit("the tests fail without any fault")
        timeout = PATIENCE[0] * (time.monotonic() - start) + PATIENCE[1]
        tried = survived = 0
        for mutant in mutants(path):
            path.write_text(mutant.text, encoding="utf-8")
            tried += 1
            if passes(timeout):
                survived += 1
                print(f"{module}:{mutant.line} survived: {mutant.before} → {mutant.after}", flush=True)
        print(f"{module}: {tried} mutants, {survived} survived")


if __name__ == "__main__":
    main()
