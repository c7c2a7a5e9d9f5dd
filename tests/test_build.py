"""The files of a release: their metadata, and builds in which the rules cannot be compiled."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
from email.parser import HeaderParser
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

import hatch_build
from hexrec.javascript import assemble
from hexrec.rules import compiled
from hexrec.util.version import __version__
from hexrec.web.assembly import ASSETS

ROOT = Path(__file__).parent.parent
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SITE = "https://example.org/hexrec/"
#: A link or a picture of a Markdown page.
LINK = re.compile(r"\]\(([^)\s]+)\)")


def build(target: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Build a file of a release from this source tree."""
    usual = {name: value for name, value in os.environ.items() if name not in (compiled.PURE, compiled.REQUIRED)}
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(folder)]
    return subprocess.run(command, cwd=ROOT, env=usual | variables, capture_output=True, text=True, check=False)


def metadata(path: Path) -> str:
    """Return the metadata of a built file."""
    if path.suffix == ".whl":
        with ZipFile(path) as wheel:
            (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
            return wheel.read(name).decode()
    with tarfile.open(path) as sdist:
        (member,) = (each for each in sdist if each.name.count("/") == 1 and each.name.endswith("/PKG-INFO"))
        stream = sdist.extractfile(member)
        assert stream
        return stream.read().decode()


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, a wheel with compiled rules if they can be compiled, and a pure wheel."""
    folder = tmp_path_factory.mktemp("release")
    for target, variables in (("sdist", {}), ("wheel", {}), ("wheel", {compiled.PURE: "1"})):
        built = build(target, folder, **variables)
        assert built.returncode == 0, built.stderr
    return folder


@pytest.mark.slow
def test_all_files_of_a_release_have_the_same_metadata(release: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """uv takes the metadata of one of them for all."""
    monkeypatch.delenv(compiled.PURE, raising=False)
    assert len({*release.iterdir()}) == (2 if hatch_build.find_obstacle() else 3)
    (text,) = {metadata(path) for path in release.iterdir()}
    required = HeaderParser().parsestr(text).get_all("Requires-Dist")
    assert required
    assert [each for each in required if each.startswith("librt") and "extra ==" not in each]


@pytest.mark.slow
def test_wheels_have_the_rules_in_javascript(release: Path) -> None:
    """They are translated when the package is built, not when the page is first served."""
    for path in release.glob("*.whl"):
        with ZipFile(path) as wheel:
            assert wheel.read(hatch_build.SCRIPT).decode() == assemble()


@pytest.mark.slow
def test_wheels_have_the_page_minified(release: Path) -> None:
    """Where the packages of its checks are installed; its source map leads to the modules."""
    if not [*(ROOT / ".ci/page").glob("node_modules/@esbuild/*/bin/esbuild")]:
        pytest.skip("esbuild is not installed")
    for path in release.glob("*.whl"):
        with ZipFile(path) as wheel:
            built = {name: wheel.read(f"{hatch_build.BUILT}/{name}") for name in ("page.js", "page.css")}
            sources = json.loads(wheel.read(f"{hatch_build.BUILT}/page.js.map"))["sources"]
            assert b"customElements" in wheel.read(f"{hatch_build.BUILT}/hexrec-board.js")
        assert built["page.js"].endswith(b"//# sourceMappingURL=page.js.map\n")
        assert len(built["page.js"]) < len(ASSETS["/page.js"].make()) * 0.7
        assert len(built["page.css"]) < len(ASSETS["/page.css"].make()) * 0.9
        assert {"clicks.js", "shapes.js"} <= {*sources}


@pytest.mark.slow
def test_uv_resolves_them_beside_each_other(release: Path, tmp_path: Path) -> None:
    """A project that depends on hexrec-games gets librt, whichever file uv has looked into."""
    index = tmp_path / "index"
    shutil.copytree(release, index)
    for requirement in PROJECT["project"]["dependencies"]:
        write_empty_wheel(index, re.split(r"[<>=!~;\[ ]", requirement)[0])
    project = {"name": "uses", "version": "1", "requires-python": ">=3.11", "dependencies": ["hexrec-games"]}
    lines = [f"{key} = {json.dumps(value)}" for key, value in project.items()]
    settings = f'[tool.uv]\nno-index = true\nfind-links = ["{index.as_posix()}"]\n'
    (tmp_path / "pyproject.toml").write_text("\n".join(["[project]", *lines, settings]))
    uv = [sys.executable, "-m", "uv", "lock", "--no-cache", "--offline", "--no-python-downloads"]
    ran = subprocess.run(uv, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    packages = tomllib.loads((tmp_path / "uv.lock").read_text(encoding="utf-8"))["package"]
    (hexrec,) = (package for package in packages if package["name"] == "hexrec-games")
    assert {"librt", "mypy-extensions"} <= {dependency["name"] for dependency in hexrec["dependencies"]}


def write_empty_wheel(folder: Path, name: str) -> None:
    """Write a wheel without modules and dependencies."""
    stem = f"{name.replace('-', '_')}-99"
    with ZipFile(folder / f"{stem}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{stem}.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 99\n")
        wheel.writestr(f"{stem}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{stem}.dist-info/RECORD", "")


@pytest.mark.slow
def test_a_build_without_a_compiler(tmp_path: Path) -> None:
    """It says so, and the package knows why its rules are interpreted; or it fails, if they are required."""
    built = build("wheel", tmp_path, CC="no-such-compiler")
    assert built.returncode == 0
    reason = "there was no C compiler when this package was built: "
    assert built.stderr.count(f"hexrec: the rules are not compiled: {reason}") == 1
    (wheel,) = tmp_path.glob("*.whl")
    installed = tmp_path / "installed"
    with ZipFile(wheel) as package:
        package.extractall(installed)
    version = subprocess.run(
        [sys.executable, "-m", "hexrec", "--version", "--verbose"],
        cwd=installed,
        env=os.environ | {"PYTHONPATH": str(installed), compiled.PURE: ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "\nrules: interpreted (there was no C compiler when this package was built: " in version.stdout

    for variables in ({"CC": "no-such-compiler"}, {compiled.PURE: "1"}):
        refused = build("wheel", tmp_path / "refused", **variables, **{compiled.REQUIRED: "1"})
        assert refused.returncode == 1
        assert "(HEXREC_REQUIRE_COMPILED is set)" in refused.stderr
    assert not [*tmp_path.glob("refused/*")]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("false") is None, reason="needs a program that fails")
def test_a_compiler_that_fails(monkeypatch: pytest.MonkeyPatch, capfd: Any) -> None:
    monkeypatch.setenv("CC", "false")
    monkeypatch.delenv(compiled.PURE, raising=False)
    made, reason = hatch_build.compile_rules(ROOT)
    assert not made
    assert reason.startswith("compiling them failed when this package was built")
    assert "'false'" in capfd.readouterr().err, "the output of the compiler"


def test_links_of_the_readme_are_absolute_in_the_metadata() -> None:
    """Package indexes show the README without the repository. Its links lead to the site, as docs/hooks makes it."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    linked = hatch_build.link_to_site(text, SITE)
    links, originals = LINK.findall(linked), LINK.findall(text)
    assert len(links) == len(originals) > 30
    assert [link for link in links if not re.match(r"https?:|#", link)] == []
    pictures = [link for link in links if link.endswith((".png", ".svg"))]
    assert len(pictures) > 3
    for link, original in zip(links, originals, strict=True):
        if link != original:
            page = link.removeprefix(SITE).partition("#")[0]
            path = page.removeprefix("repository/") if page.startswith("repository/") else f"docs/{page}"
            assert (ROOT / re.sub(r"\.html$", ".md", path)).is_file(), link
            assert link.partition("#")[2] == original.partition("#")[2]


@pytest.mark.parametrize("address", [SITE, SITE.rstrip("/"), None])
def test_the_address_of_the_site_is_one_setting(address: str | None) -> None:
    hook = hatch_build.CustomMetadataHook(str(ROOT), {})
    fields: dict[str, Any] = {"urls": {"Documentation": address} if address else {}}
    hook.update(fields)
    text = fields["readme"]["text"]
    assert ("](docs/ci.md)" in text, f"]({SITE}ci.html)" in text) == (address is None, address is not None)
    assert fields["readme"]["content-type"] == "text/markdown"


def test_the_version_and_what_the_metadata_says_of_it() -> None:
    classifiers = PROJECT["project"]["classifiers"]
    (status,) = (each for each in classifiers if each.startswith("Development Status"))
    assert status.endswith("Production/Stable") == (int(__version__.partition(".")[0]) > 0)
    pythons = {each.rpartition(" ")[2] for each in classifiers if re.search(r":: 3\.\d+$", each)}
    built = re.findall(r"cp3(\d+)-", PROJECT["tool"]["cibuildwheel"]["build"])
    assert pythons == {f"3.{minor}" for minor in built}


def test_the_extra_all_has_every_extra_for_users() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    (everything,) = extras["all"]
    named = re.fullmatch(r"hexrec-games\[(.*)\]", everything)
    assert named
    assert {*named[1].split(",")} == extras.keys() - {"all", "dev", "docs"}
    page = (ROOT / "docs/installation.md").read_text(encoding="utf-8")
    assert {*re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)} == extras.keys() - {"dev", "docs"}
