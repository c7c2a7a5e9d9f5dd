"""Compiles the kernels when the package is built, if there is a C compiler; without one the package is pure Python.

Also puts the conformance kit into the wheel.

The modules of `hexrec/rules/kernels/` are copied to its `compiled/` in a temporary directory and compiled there, so
that both forms can be imported side by side. `HEXREC_PURE=1` in the environment leaves them uncompiled.
"""

from __future__ import annotations

import os
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

#: The compiler and what it needs, pinned: the arrays of `librt` are a young part of both.
REQUIREMENTS = ["mypy==2.4.1", "librt==0.16.0", "setuptools>=75"]
#: What compiled kernels import, in the versions that they can be compiled for.
COMPILED_REQUIREMENTS = ["librt>=0.16,<0.17", "mypy-extensions>=1.1"]
SOURCES = "hexrec/rules/kernels"
COMPILED = "hexrec/rules/kernels/compiled"
#: Where the conformance kit is in the source tree, which an editable installation reads, and in the wheel.
KIT = ("fixtures/conformance", "hexrec/conformance/kit")
_SETUP = """
import sys
from mypyc.build import mypycify
from setuptools import setup

# Debug information would have the names of temporary folders in it, and differ from build to build.
group = "hexrec.rules.kernels.compiled.shared"
modules = mypycify(["--config-file=", *sys.argv[1:]], group_name=group, debug_level="0")
setup(name="kernel", packages=[], ext_modules=modules, script_args=["--quiet", "build_ext", "--inplace"])
"""


class CustomBuildHook(BuildHookInterface[Any]):
    """Adds the compiled kernels, what they need, and the kit to a wheel.

    An editable installation has the kernels and the kit in the source tree.
    """

    def dependencies(self) -> list[str]:
        """Return what compiling needs, if kernels can be compiled and the source tree has no current ones."""
        return REQUIREMENTS if can_compile() and not read_current(Path(self.root)) else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Take the kernels of the source tree or compile them. Without a result, the package is pure and works, too."""
        if self.target_name != "wheel":
            return
        root = Path(self.root)
        current = read_current(root) if can_compile() else {}
        made = current or (compile_kernels(root) if can_compile() else {})
        if made:
            build_data["dependencies"] += COMPILED_REQUIREMENTS
        if version == "editable":
            # Without new ones, those of the tree stay: other environments may use them, and none that are out of date.
            if made and not current:
                replace(root, made)
            return
        build_data["force_include"][str(root / KIT[0])] = KIT[1]
        if not made:
            return
        self._folder = tempfile.TemporaryDirectory()
        for name, data in made.items():
            path = Path(self._folder.name, name)
            path.write_bytes(data)
            build_data["force_include"][str(path)] = f"{COMPILED}/{name}"
        build_data["pure_python"] = False
        build_data["infer_tag"] = True


def read_current(root: Path) -> dict[str, bytes]:
    """Return the kernels of a source tree if they are for this Python and compiled from its present modules."""
    package = root / COMPILED
    kept = runpy.run_path(str(package / "__init__.py"))
    modules = [*package.glob(f"*{sysconfig.get_config_var('EXT_SUFFIX')}")]
    # Beside a module for each source, there is one that they share.
    if len(modules) <= len(kept["sources"](str(root / SOURCES))) or not kept["are_current"]():
        return {}
    if min(path.stat().st_mtime for path in modules) < (root / "hatch_build.py").stat().st_mtime:
        return {}
    return {path.name: path.read_bytes() for path in [*modules, package / kept["DIGEST"]]}


def replace(root: Path, made: dict[str, bytes]) -> None:
    """Put compiled kernels into a source tree, in the place of those that are there."""
    for path in Path(root, COMPILED).iterdir():
        if path.suffix in (".sha256", ".so", ".pyd"):
            path.unlink()
    for name, data in made.items():
        Path(root, COMPILED, name).write_bytes(data)


def compile_kernels(root: Path) -> dict[str, bytes]:
    """Return the compiled modules and the digest of their sources, by file name; nothing if they cannot be compiled."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder, COMPILED)
        package.mkdir(parents=True)
        for path in (package, *package.parents):
            if path.is_relative_to(Path(folder, "hexrec")):
                (path / "__init__.py").touch()
        kept = runpy.run_path(str(root / COMPILED / "__init__.py"))
        modules = [Path(path) for path in kept["sources"](str(root / SOURCES))]
        for path in modules:
            text = path.read_text(encoding="utf-8").replace(
                "from hexrec.rules.kernels.", "from hexrec.rules.kernels.compiled."
            )
            (package / path.name).write_text(text, encoding="utf-8")
        names = [f"{COMPILED}/{path.name}" for path in modules]
        done = subprocess.run([sys.executable, "-c", _SETUP, *names], cwd=folder, capture_output=True, check=False)
        if done.returncode:
            return {}
        made = {path.name: path.read_bytes() for path in package.iterdir() if path.suffix in (".so", ".pyd")}
        if len(made) <= len(modules):
            return {}
        return {**made, kept["DIGEST"]: kept["digest"](str(root / SOURCES)).encode()}


def can_compile() -> bool:
    """Return whether compiling is wanted, and a C compiler and Python's headers are there."""
    if os.environ.get("HEXREC_PURE", "") not in ("", "0") or sys.implementation.name != "cpython":
        return False
    compiler = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    headers = Path(sysconfig.get_path("include"), "Python.h")
    return headers.is_file() and shutil.which(str(compiler).split()[0]) is not None


if __name__ == "__main__":
    here = Path(__file__).parent
    compiled = compile_kernels(here)
    if not compiled:
        sys.exit("the kernels cannot be compiled")
    replace(here, compiled)
