"""Put every fault that mutmut can make into a module of hexrec, and print those that no test notices.

`nox -s mutants -- hexrec.validation.baseline tests/cli/test_baseline.py` runs these tests, without paths those in the
directory of the module's package. mutmut makes the faults; this program runs the tests with each of them in a copy of
the repository, until one fails or takes much longer than without the fault. mutmut's own runner sends each call of a
function through a switch between its mutants, which makes the engines too slow to test.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from shutil import copytree, ignore_patterns
from tempfile import TemporaryDirectory
from typing import NamedTuple

from libcst.metadata import MetadataWrapper, WhitespaceInclusivePositionProvider
from mutmut.mutation.file_mutation import create_mutations

ROOT = Path(__file__).parent.parent
#: A run with a fault may take this factor times its time without, plus seconds. Longer is noticed.
PATIENCE = 5, 10
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


def main() -> None:
    """Run the mutants of the module in the first argument, with the tests in the others."""
    if len(sys.argv) < 2:
        sys.exit("usage: nox -s mutants -- MODULE [TESTS…]")
    module, *tests = sys.argv[1:]
    package = module.split(".")[1]
    near = f"tests/{'engines' if package == 'games' else package}"
    tests = tests or [near if (ROOT / near).is_dir() else "tests"]
    # Kernels would hide the engines.
    environment = os.environ | {"HEXREC_PURE": str(int(package in ("games", "board")))}
    with TemporaryDirectory() as folder:
        copy = Path(folder, "hexrec")
        copytree(ROOT, copy, ignore=_LEFT_OUT)
        path = copy / Path(str(import_module(module).__file__)).relative_to(ROOT)

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
