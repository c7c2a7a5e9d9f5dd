"""A pytest plugin that imports one module of hexrec from other source than that of its file, for faults in what imports
run: `python -m pytest -p tests.mutants.anew`, with the module and the source, as JSON, in the environment.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType

_SOURCE = "HEXREC_MUTANT"


class _Loader(SourceFileLoader):
    source = ""

    def get_code(self, fullname: str) -> CodeType:  # noqa: ARG002
        return compile(self.source, self.path, "exec", dont_inherit=True)


class _Finder(MetaPathFinder):
    def __init__(self, module: str, source: str) -> None:
        self.module = module
        self.source = source

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        found = PathFinder.find_spec(fullname, path, target) if fullname == self.module else None
        if found is not None and found.origin is not None:
            found.loader = _Loader(fullname, found.origin)
            found.loader.source = self.source
        return found


def passes(module: str, source: str, tests: Sequence[str], seconds: float | None = None) -> bool:
    """Return whether tests pass in a new process in which a module has some source, within so many seconds."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n0", "-p", "no:randomly", "-p", "no:cacheprovider"]
    try:
        ran = subprocess.run(
            [*command, "-m", "not slow", "-p", "tests.mutants.anew", *tests],
            env={**os.environ, _SOURCE: json.dumps([module, source])},
            capture_output=True,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return ran.returncode == 0


if _SOURCE in os.environ:
    sys.meta_path.insert(0, _Finder(*json.loads(os.environ[_SOURCE])))
