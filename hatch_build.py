"""Compiles the kernels when the package is built, if there is a C compiler; without one the package is pure Python.

Also puts the conformance kit into the wheel, and makes the links of the README absolute in the metadata.

The modules of `hexrec/rules/kernels/` are copied to its `compiled/` in a temporary directory and compiled there, so
that both forms can be imported side by side. `HEXREC_PURE=1` in the environment leaves them uncompiled. With
`HEXREC_REQUIRE_KERNELS=1`, a build that cannot compile them fails.
"""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

#: The compiler and what it needs, pinned: the arrays of `librt` are a young part of both.
REQUIREMENTS = ["mypy==2.4.1", "librt==0.16.0", "setuptools>=75"]
SOURCES = "hexrec/rules/kernels"
COMPILED = "hexrec/rules/kernels/compiled"
#: Where the conformance kit is in the source tree, which an editable installation reads, and in the wheel.
KIT = ("fixtures/conformance", "hexrec/conformance/kit")
#: A link to a file of the repository, and its anchor.
_LINK = re.compile(r"(?<=\]\()(?!\w+:|#|/)([^)\s#]+)(#[^)\s]*)?(?=\))")
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
    """Adds the compiled kernels and the kit to a wheel. Its metadata does not depend on whether it has kernels.

    An editable installation has the kernels and the kit in the source tree.
    """

    def dependencies(self) -> list[str]:
        """Return the requirements of compiling, if kernels can be compiled and the source tree has no current ones."""
        return [] if find_obstacle() or read_current(Path(self.root)) else REQUIREMENTS

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Take the kernels of the source tree or compile them. Without kernels, the package is pure and works, too.

        Exits with an error if there are none and HEXREC_REQUIRE_KERNELS is set.
        """
        if self.target_name != "wheel":
            return
        root = Path(self.root)
        current = {} if find_obstacle() else read_current(root)
        made, reason = (current, "") if current else compile_kernels(root)
        if reason:
            report(reason)
        if version == "editable":
            # Without new ones, those of the tree stay: other environments may use them, and none that are out of date.
            if made and not current:
                replace(root, made)
            return
        build_data["force_include"][str(root / KIT[0])] = KIT[1]
        self._folder = tempfile.TemporaryDirectory()
        for name, data in (made or {"missing.txt": f"{reason}\n".encode()}).items():
            path = Path(self._folder.name, name)
            path.write_bytes(data)
            build_data["force_include"][str(path)] = f"{COMPILED}/{name}"
        if made:
            build_data["pure_python"] = False
            build_data["infer_tag"] = True


class CustomMetadataHook(MetadataHookInterface):
    """Adds the README to the metadata, with links to the site: package indexes show it without the repository."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set `readme`. Links stay relative until `Documentation` in [project.urls] is the URL of the site."""
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        if site := metadata.get("urls", {}).get("Documentation"):
            text = link_to_site(text, f"{site.rstrip('/')}/")
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def link_to_site(text: str, site: str) -> str:
    """Return the README with absolute links to pages and files of the site; `docs/hooks/pages.py` puts them there."""

    def absolute(link: re.Match[str]) -> str:
        path, anchor = link[1], link[2] or ""
        place = path.removeprefix("docs/") if path.startswith("docs/") else f"repository/{path}"
        return urljoin(site, re.sub(r"\.md$", ".html", place)) + anchor

    return _LINK.sub(absolute, text)


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


def compile_kernels(root: Path) -> tuple[dict[str, bytes], str]:
    """Return the compiled modules and the digest of their sources, by file name; or nothing, and the reason."""
    if obstacle := find_obstacle():
        return {}, obstacle
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
        done = subprocess.run(
            [sys.executable, "-c", _SETUP, *names], cwd=folder, capture_output=True, encoding="utf-8", check=False
        )
        made = {path.name: path.read_bytes() for path in package.iterdir() if path.suffix in (".so", ".pyd")}
        if done.returncode or len(made) <= len(modules):
            sys.stderr.write(done.stdout + done.stderr)
            return {}, "compiling them failed when this package was built: its output has the error (pip install -v)"
        return {**made, kept["DIGEST"]: kept["digest"](str(root / SOURCES)).encode()}, ""


def find_obstacle() -> str:
    """Return the reason why kernels are not compiled here, or an empty string if they can be."""
    if is_set("HEXREC_PURE"):
        return "HEXREC_PURE was set when this package was built"
    if sys.implementation.name != "cpython":
        return "only CPython can load them"
    compiler = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    if shutil.which(str(compiler).split()[0]) is None:
        return "there was no C compiler when this package was built: install one, then hexrec-games again"
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        return "Python's headers were missing when this package was built: install them, then hexrec-games again"
    return ""


def report(reason: str) -> None:
    """Print the reason why there are no kernels to stderr, unless it is a choice. Exits if they are required.

    Installers show this output only if an installation fails, or with an option such as `pip install -v`.
    """
    message = f"hexrec: no compiled kernels: {reason}"
    if is_set("HEXREC_REQUIRE_KERNELS"):
        sys.exit(f"{message} (HEXREC_REQUIRE_KERNELS is set)")
    if not is_set("HEXREC_PURE"):
        print(f"{message}. Without them, hexrec takes several times as long.", file=sys.stderr)


def is_set(variable: str) -> bool:
    """Return whether an environment variable is set to a value other than 0."""
    return os.environ.get(variable, "") not in ("", "0")


if __name__ == "__main__":
    here = Path(__file__).parent
    compiled, why = compile_kernels(here)
    if why:
        sys.exit(f"hexrec: no compiled kernels: {why}")
    replace(here, compiled)
