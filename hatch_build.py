"""Compiles the rules when the package is built, if there is a C compiler; without one they are interpreted.

Also puts the conformance kit and the rules in JavaScript into the wheel, minifies the page if the packages of its
checks are installed (`.ci/locked npm .ci/page`), and makes the links of the README absolute in the metadata.

The extension modules of `hexrec/rules/grid.py`, and of `rules.py` of each game, lie next to their sources.
`HEXREC_PURE=1` in the environment leaves the rules uncompiled. With `HEXREC_REQUIRE_COMPILED=1`, a build that cannot
compile them fails. `python hatch_build.py` compiles them in a checkout.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

#: The compiler and what it needs, pinned: the arrays of `librt` are a young part of both.
REQUIREMENTS = ["mypy==2.4.1", "librt==0.16.0", "setuptools>=75"]
PACKAGE = "hexrec/rules"
#: The sources that are compiled, and those that they import.
SOURCES, STUBS = ("grid.py", "games/*/rules.py"), ("cells.py", "cells.pyi", "copies.py")
#: The files of `hexrec.rules.compiled`.
STAMP, REASON = "compiled.txt", "interpreted.txt"
#: Where the suite is in the source tree, which an editable installation reads, and in the wheel.
KIT = ("fixtures/suite", "hexrec/conformance/suite")
#: The rules in JavaScript in the wheel; a source tree translates them when they are asked for.
SCRIPT = "hexrec/javascript/hexrec.js"
#: The minified page in the wheel; without it, the page is linked when it is first served.
BUILT = "hexrec/web/built"
#: The program that minifies, on Unix and on Windows.
_MINIFIERS = ("@esbuild/*/bin/esbuild", "@esbuild/*/esbuild.exe")
#: A link to a file of the repository, and its anchor.
_LINK = re.compile(r"(?<=\]\()(?!\w+:|#|/)([^)\s#]+)(#[^)\s]*)?(?=\))")
_SETUP = """
import sys
from mypyc.build import mypycify
from setuptools import setup

# Debug information would have the names of temporary folders in it, and differ from build to build.
modules = mypycify(["--config-file=", *sys.argv[1:]], group_name="hexrec.rules.compiled", debug_level="0")
setup(name="rules", packages=[], ext_modules=modules, script_args=["--quiet", "build_ext", "--inplace"])
"""


class CustomBuildHook(BuildHookInterface[Any]):
    """Adds the compiled rules and the kit to a wheel. Its metadata does not depend on whether the rules are compiled.

    An editable installation has the extension modules and the kit in the source tree.
    """

    def dependencies(self) -> list[str]:
        """Return the requirements of compiling, if the rules can be compiled and the source tree has not done so."""
        return [] if find_obstacle() or read_current(Path(self.root)) else REQUIREMENTS

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Take the extension modules of the source tree or compile them. Without them, the package is pure Python.

        Exits with an error if there are none and HEXREC_REQUIRE_COMPILED is set.
        """
        if self.target_name != "wheel":
            return
        root = Path(self.root)
        current = {} if find_obstacle() else read_current(root)
        made, reason = (current, "") if current else compile_rules(root)
        if reason:
            report(reason)
        if version == "editable":
            # Without new ones, those of the tree stay: other environments may use them, and none that are out of date.
            if made and not (current and (root / PACKAGE / STAMP).exists()):
                replace(root, made)
            return
        build_data["force_include"][str(root / KIT[0])] = KIT[1]
        self._folder = tempfile.TemporaryDirectory()
        script = Path(self._folder.name, "hexrec.js")
        command = [sys.executable, "-m", "hexrec.javascript", "module", str(script)]
        subprocess.run(command, cwd=root, env=os.environ | {"HEXREC_PURE": "1"}, check=True)
        build_data["force_include"][str(script)] = SCRIPT
        for path in minify_page(root, Path(self._folder.name)):
            build_data["force_include"][str(path)] = f"{BUILT}/{path.name}"
        if reason:
            made = {REASON: f"{reason}\n".encode()}
        for number, (name, data) in enumerate(made.items()):
            path = Path(self._folder.name, str(number))
            path.write_bytes(data)
            build_data["force_include"][str(path)] = f"{PACKAGE}/{name}"
        if not reason:
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


def minify_page(root: Path, folder: Path) -> list[Path]:
    """Write the minified page and `<hexrec-board>` into a directory; return their paths, none without a minifier."""
    packages = root / ".ci/page/node_modules"
    found = [path for pattern in _MINIFIERS for path in packages.glob(pattern)]
    if not found:
        return []
    modules, built = folder / "modules", folder / "built"
    command = [sys.executable, "-m", "hexrec.web", "modules", str(modules)]
    environment = os.environ | {"HEXREC_PURE": "1"}
    names = subprocess.run(command, cwd=root, env=environment, check=True, capture_output=True, encoding="utf-8").stdout
    options = ("--bundle", "--minify", "--format=esm", "--target=es2023", "--log-level=error")
    for name, source, extra in (
        ("page.js", "page.js", ("--sourcemap", "--sources-content=true")),
        ("opponent-worker.js", "player.js", ()),
        ("page.css", "page.css", ()),
        ("hexrec-board.js", "component.js", (f"--mangle-props=^(?:{names.strip()})$",)),
    ):
        subprocess.run([str(found[0]), source, *options, *extra, f"--outfile={built / name}"], cwd=modules, check=True)
    source_map = built / "page.js.map"
    source_map.write_text(source_map.read_text(encoding="utf-8").replace("../modules/", ""), encoding="utf-8")
    return sorted(built.iterdir())


def find_sources(root: Path, patterns: tuple[str, ...] = SOURCES) -> list[str]:
    """Return the paths of the sources below the package."""
    package = root / PACKAGE
    return sorted(path.relative_to(package).as_posix() for pattern in patterns for path in package.glob(pattern))


def find_modules(folder: Path, suffix: str = "") -> list[str]:
    """Return the paths of the extension modules below a package, of any Python or with the suffix of one."""
    found = (path for path in folder.rglob("*") if path.suffix in (".so", ".pyd") and path.name.endswith(suffix))
    return sorted(path.relative_to(folder).as_posix() for path in found)


def read_current(root: Path) -> dict[str, bytes]:
    """Return the extension modules of a source tree if they are for this Python, and of its present sources.

    Those that were copied there have no stamp; they are current if they are newer than the sources.
    """
    package = root / PACKAGE
    sources = find_sources(root, SOURCES + STUBS)
    modules = find_modules(package, sysconfig.get_config_var("EXT_SUFFIX"))
    # Beside a module for each source, there is one that they share.
    if len(modules) <= len(find_sources(root)):
        return {}
    oldest = min((package / name).stat().st_mtime for name in modules)
    if (package / STAMP).exists():
        lines = [line.split(" ", 4) for line in (package / STAMP).read_text(encoding="utf-8").splitlines()]
        stamped = {(known, name) for tag, known, _, _, name in lines if tag == sys.implementation.cache_tag}
        is_current = stamped == {(digest(package / name), name) for name in sources}
    else:
        is_current = all((package / name).stat().st_mtime < oldest for name in sources)
    if not is_current or oldest < (root / "hatch_build.py").stat().st_mtime:
        return {}
    return {name: (package / name).read_bytes() for name in modules}


def replace(root: Path, made: dict[str, bytes]) -> None:
    """Put extension modules into a source tree, in the place of those that are there, and note their sources."""
    package, tag = root / PACKAGE, sys.implementation.cache_tag
    for name in find_modules(package, sysconfig.get_config_var("EXT_SUFFIX")):
        (package / name).unlink()
    for name, data in made.items():
        # Never overwritten: a running process may have the old one mapped.
        (package / f"{name}.new").write_bytes(data)
        (package / f"{name}.new").replace(package / name)
    stamp = package / STAMP
    others = stamp.read_text(encoding="utf-8").splitlines() if stamp.exists() else []
    lines = [line for line in others if not line.startswith(f"{tag} ")]  # those for other Pythons
    for name in find_sources(root, SOURCES + STUBS):
        found = (package / name).stat()
        lines.append(f"{tag} {digest(package / name)} {found.st_size} {found.st_mtime_ns} {name}")
    stamp.write_text("\n".join(lines) + "\n", encoding="utf-8")


def digest(path: Path) -> str:
    """Return the digest of a file."""
    return sha256(path.read_bytes()).hexdigest()


def compile_rules(root: Path) -> tuple[dict[str, bytes], str]:
    """Return the extension modules by path below the package; or nothing, and the reason."""
    if obstacle := find_obstacle():
        return {}, obstacle
    names = find_sources(root)
    with tempfile.TemporaryDirectory() as folder:
        for name in find_sources(root, SOURCES + STUBS):
            copy = Path(folder, PACKAGE, name)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(root / PACKAGE / name, copy)
            for parent in copy.parents:
                if parent.is_relative_to(Path(folder, "hexrec")):
                    (parent / "__init__.py").touch()
        paths = [f"{PACKAGE}/{name}" for name in names]
        done = subprocess.run(
            [sys.executable, "-c", _SETUP, *paths], cwd=folder, capture_output=True, encoding="utf-8", check=False
        )
        package = Path(folder, PACKAGE)
        made = {name: (package / name).read_bytes() for name in find_modules(package)}
        if done.returncode or len(made) <= len(names):
            sys.stderr.write(done.stdout + done.stderr)
            return {}, "compiling them failed when this package was built: its output has the error (pip install -v)"
        return made, ""


def find_obstacle() -> str:
    """Return the reason why the rules are not compiled here, or an empty string if they can be."""
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
    """Print the reason why the rules are not compiled to stderr, unless it is a choice. Exits if they must be.

    Installers show this output only if an installation fails, or with an option such as `pip install -v`.
    """
    message = f"hexrec: the rules are not compiled: {reason}"
    if is_set("HEXREC_REQUIRE_COMPILED"):
        sys.exit(f"{message} (HEXREC_REQUIRE_COMPILED is set)")
    if not is_set("HEXREC_PURE"):
        print(f"{message}. Interpreted, they take several times as long.", file=sys.stderr)


def is_set(variable: str) -> bool:
    """Return whether an environment variable is set to a value other than 0."""
    return os.environ.get(variable, "") not in ("", "0")


if __name__ == "__main__":
    here = Path(__file__).parent
    modules, why = compile_rules(here)
    if why:
        sys.exit(f"hexrec: the rules are not compiled: {why}")
    replace(here, modules)
