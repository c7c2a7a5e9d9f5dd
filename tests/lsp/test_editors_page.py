"""The settings in `docs/editors.md` start the server, for the files that it reads, and exist in the extension."""

from __future__ import annotations

import json
import re
import tomllib

import pytest

from hexrec import formats
from tests.fixtures import FIXTURES

ROOT = FIXTURES.parent.parent
PAGE = (ROOT / "docs/editors.md").read_text(encoding="utf-8")


def block(language: str, within: str) -> str:
    """Return the only block of code in a language below a heading."""
    section = PAGE.partition(f"### {within}\n")[2].partition("\n## ")[0].partition("\n### ")[0]
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
    return str(found)


def test_visual_studio_code() -> None:
    manifest = ROOT / "editors/vscode/package.json"
    if not manifest.is_file():
        pytest.skip("the sdist has no extension")
    contributed = json.loads(manifest.read_text(encoding="utf-8"))["contributes"]
    settings = json.loads(block("json", "Visual Studio Code"))
    own = {name for name in settings if name.startswith("hexrec.")}
    assert own == {*contributed["configuration"]["properties"]}
    languages = {name.strip("[]") for name in settings if name.startswith("[")}
    assert languages <= {language["id"] for language in contributed["languages"]}
    assert {command["title"] for command in contributed["commands"]} >= {"Show Board"}


def test_helix() -> None:
    settings = tomllib.loads(block("toml", "Helix"))
    assert settings["language-server"]["hexrec"] == {"command": "hexrec", "args": ["lsp"]}
    assert all("hexrec" in language["language-servers"] for language in settings["language"])
    assert {language["name"] for language in settings["language"]} >= {"yaml", "json", "sgf", "hgn"}


def test_neovim_and_emacs() -> None:
    """The blocks are tried by hand in both editors; here, only their commands and names of files."""
    neovim, emacs = block("lua", "Neovim"), block("elisp", "Emacs")
    assert 'cmd = { "hexrec", "lsp" }' in neovim
    (types,) = re.findall(r"filetypes = \{(.*?)\}", neovim)
    assert set(re.findall(r'"(\w+)"', types)) == {*formats.BUILT_IN} - {"abstractplay"}
    assert '("hexrec" "lsp")' in emacs
    (pattern,) = re.findall(r"'\(\"(.*?)\" \.", emacs)
    name = re.compile(
        pattern.replace("\\\\(", "(")
        .replace("\\\\)", ")")
        .replace("\\\\|", "|")
        .replace("\\\\.", r"\.")
        .replace("\\\\'", r"\Z")
    )
    for file in ("a.sgf", "a.hgn", "a.jsonl", "a.hexrec.json", "a.hexrec.yaml", "a.hexrec.yml"):
        assert name.search(file), file
    assert not name.search("package.json")
