"""The extension for Visual Studio Code: its manifest, its colors, and a session with a stand-in for the editor."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from hexrec import formats
from hexrec.util.version import __version__
from tests.fixtures import FIXTURES
from tests.processes import PATIENCE, PROGRAM

ROOT = FIXTURES.parent.parent
HERE = Path(__file__).parent
MODULES = Path(os.environ.get("NODE_MODULES") or ROOT / ".ci/npm/node_modules")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (MODULES / "vscode-languageclient").is_dir(), reason="needs the packages of .ci/npm"),
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


def test_a_session(extension: Path, tmp_path: Path) -> None:
    record = {"hexrec": "1", "game": "sunspot", "size": 5, "moves": ["e5", "d4", "e5"]}
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(record), encoding="utf-8")
    answer = json.loads(node("session.cjs", extension, file, json.dumps(PROGRAM)))
    assert answer["said"] == []
    assert answer["commands"] == ["hexrec.restart", "hexrec.showBoard"]
    ((line, column, message),) = answer["diagnostics"]
    assert (line, column) == (0, file.read_text(encoding="utf-8").rindex('"e5"'))
    assert message.startswith("e5 is occupied")
    assert answer["watched"] == ["**/hexrec.toml", "**/pyproject.toml"]
    # The board is drawn when its page is loaded, and follows the cursor until it is closed.
    assert answer["posted"] == [{"record": record, "ply": ply} for ply in (None, 2)]
    assert answer["following"] == 0
    assert "default-src 'none'" in answer["html"]


def test_a_command_that_is_not_there(extension: Path, tmp_path: Path) -> None:
    """One message names the command, the reason and the remedy."""
    file = tmp_path / "a.jsonl"
    file.touch()
    (said,) = json.loads(node("session.cjs", extension, file, '["/nowhere/hexrec"]'))["said"]
    assert said.startswith("hexrec could not be started (/nowhere/hexrec: ")
    assert "pip install 'hexrec-games[lsp]'" in said
