"""The extension for Visual Studio Code: its manifest, its colors, and a session with a stand-in for the editor."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from hexrec import formats
from hexrec.util.version import __version__
from tests.fixtures import FIXTURES
from tests.processes import PATIENCE, PROGRAM
from tests.web.conftest import run_browser

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route


@pytest.fixture
def browser() -> Iterator[Browser]:
    """The program, which ends with the test: an imported fixture of a package would run to the end of the session."""
    yield from run_browser()


ROOT = FIXTURES.parent.parent
HERE = Path(__file__).parent
MODULES = Path(os.environ.get("NODE_MODULES") or ROOT / ".ci/npm/node_modules")
BUILDS = (MODULES / "vscode-languageclient").is_dir() and (ROOT / ".ci/page/node_modules/esbuild").is_dir()
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not BUILDS, reason="needs the packages that .ci/others installs"),
]


@pytest.fixture(scope="module")
def extension(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that is packed; HEXREC_EXTENSION is one that was unpacked."""
    if unpacked := os.environ.get("HEXREC_EXTENSION"):
        return Path(unpacked)
    folder = tmp_path_factory.mktemp("extension") / "hexrec"
    subprocess.run([ROOT / ".ci/extension", folder], check=True)
    return folder


def node(script: str, *arguments: str | Path) -> str:
    ran = subprocess.run(
        ["node", HERE / script, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=PATIENCE,
        env={**os.environ, "NODE_PATH": str(MODULES)},
    )
    assert ran.returncode == 0, ran.stderr[-2_000:]
    return ran.stdout


def test_the_manifest_names_what_is_there(extension: Path) -> None:
    manifest = json.loads((extension / "package.json").read_text(encoding="utf-8"))
    contributed = manifest["contributes"]
    named = [manifest["main"], manifest["icon"], *(grammar["path"] for grammar in contributed["grammars"])]
    named += [language["configuration"] for language in contributed["languages"] if "configuration" in language]
    assert manifest["version"] == __version__
    for name in (*named, "dist/board.js", "dist/licenses.txt"):
        assert (extension / name).stat().st_size, name
    # vsce gives them other names.
    assert {"readme", "license"} <= {path.stem.lower() for path in extension.iterdir()}
    assert (extension / "icon.png").read_bytes()[:24].endswith(2 * (260).to_bytes(4))
    commands = {command["command"] for command in contributed["commands"]}
    assert {item["command"] for menu in contributed["menus"].values() for item in menu} <= commands
    defaults = contributed["configurationDefaults"]
    assert {f"[{language['id']}]" for language in contributed["languages"]} == {*defaults}
    identity = f"{manifest['publisher']}.{manifest['name']}"
    assert {each["editor.defaultFormatter"] for each in defaults.values()} == {identity}


def test_the_colors_of_hgn(extension: Path) -> None:
    """All turns of valid files have a color of their own, and nothing else does."""
    files = sorted((FIXTURES / "formats/hgn/valid").glob("*.hgn"))
    assert len(files) > 10
    printed = node("tokens.cjs", extension / "syntaxes/hgn.tmLanguage.json", *files)
    for file, line in zip(files, printed.splitlines(), strict=True):
        colored = [
            text for text, scopes in json.loads(line) if scopes and scopes[-1].endswith((".turn.hgn", ".pass.hgn"))
        ]
        assert sorted(colored) == sorted(written_turns(file)), file.name


def written_turns(file: Path) -> list[str]:
    """Return the turns of a file as they are written, without quotation marks and suffixes."""
    turns = []
    with file.open("rb") as stream:
        for document in formats.read("hgn", stream):
            assert document.text is not None
            for pointer, span in document.places(None).values.items():
                if pointer.endswith("/turn") and not (text := document.text.read(span)).startswith('"'):
                    turns.append(text.rstrip("!?"))
    return turns


#: The record of the file in the session.
RECORD = {"hexrec": "1", "game": "sunspot", "size": 5, "moves": ["e5", "d4", "e5"]}


@pytest.fixture(scope="module")
def answer(extension: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a session with one file leads to."""
    file = tmp_path_factory.mktemp("session") / "a.jsonl"
    file.write_text(json.dumps(RECORD), encoding="utf-8")
    answer: dict[str, Any] = json.loads(node("session.cjs", extension, file, json.dumps(PROGRAM)))
    return answer


def test_a_session(answer: dict[str, Any]) -> None:
    assert answer["said"] == []
    assert answer["commands"] == ["hexrec.restart", "hexrec.showBoard"]
    ((line, column, message),) = answer["diagnostics"]
    assert (line, column) == (0, json.dumps(RECORD).rindex('"e5"'))
    assert message.startswith("e5 is occupied")
    assert answer["watched"] == ["**/hexrec.toml", "**/pyproject.toml"]
    # The board is drawn when its page is loaded, and follows the cursor until it is closed.
    assert answer["posted"] == [{"record": RECORD, "ply": ply} for ply in (None, 2)]
    assert answer["following"] == 0


def test_the_board(extension: Path, answer: dict[str, Any], browser: Browser) -> None:
    """Its page asks for a record, shows it, and keeps turns that were tried until the record changes."""
    context = browser.new_context()
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    files = {"/": ("text/html", answer["html"]), "/board.js": ("text/javascript", (extension / "dist/board.js"))}

    def fulfill(route: Route) -> None:
        kind, body = files[urlsplit(route.request.url).path]
        route.fulfill(content_type=kind, body=body if isinstance(body, str) else body.read_text(encoding="utf-8"))

    page.route("http://board.test/**", fulfill)
    page.add_init_script("window.asked = []; window.acquireVsCodeApi = () => ({ postMessage: (it) => asked.push(it) })")
    page.goto("http://board.test/")
    page.wait_for_function("asked.length === 1")
    ply = "() => document.querySelector('hexrec-board').ply"
    for message, shown in ((answer["posted"][0], 2), ({"record": RECORD, "ply": 1}, 1)):
        page.evaluate("(message) => postMessage(message)", message)
        page.wait_for_function(f"({ply})() === {shown}")
    page.locator("hexrec-board [data-cell='0']").click()
    page.evaluate("(message) => postMessage(message)", {"record": RECORD, "ply": None})
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert page.evaluate("() => document.querySelector('hexrec-board').turns") == ["e5", "a1"]
    assert page.locator("#hint").count() == 0
    assert page.locator("hexrec-board").get_attribute("theme") == "dark"
    assert errors == []
    context.close()


def test_a_command_that_is_not_there(extension: Path, tmp_path: Path) -> None:
    """One message names the command, the reason and the remedy."""
    file = tmp_path / "a.jsonl"
    file.touch()
    (said,) = json.loads(node("session.cjs", extension, file, '["/nowhere/hexrec"]'))["said"]
    assert said.startswith("hexrec could not be started (/nowhere/hexrec: ")
    assert "pip install 'hexrec-games[lsp]'" in said
