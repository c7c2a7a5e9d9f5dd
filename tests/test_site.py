"""The navigation of the site leads to every page; `nox -s site` builds it and follows all links."""

from __future__ import annotations

import os
import re
from pathlib import Path
from types import FunctionType, ModuleType

import fields
import pytest
from commands import command_sections

import hexrec
from hexrec import render
from hexrec.cli import COMMANDS, import_command
from hexrec.formats.hgn.tags import FOREIGN, KNOWN, path_of
from hexrec.formats.sgf.root import ROOT as ROOT_PROPERTIES

ROOT = Path(__file__).parent.parent
CONFIGURATION = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
#: Pages that docs/hooks makes, or copies from outside of docs/.
GENERATED = {"index.md", "fields.md", "notebooks/archive.md"}
#: Pages in the navigation at most: readers look through all of them.
MOST = 30


def test_every_page_is_in_the_navigation_or_one_link_away() -> None:
    navigation = re.findall(r"- (?:Home: )?(\S+\.md)$", CONFIGURATION.partition("\nnav:\n")[2], re.MULTILINE)
    assert len(set(navigation)) == len(navigation) <= MOST
    linked = {"fields.md", "notebooks/archive.md"}
    for page in navigation:
        path = ROOT / ("README.md" if page == "index.md" else f"docs/{page}")
        links = re.findall(r"\]\(([^)#:\s]+)", path.read_text(encoding="utf-8"))
        linked |= {os.path.relpath(path.parent / link, ROOT / "docs") for link in links}
    every = (path.relative_to(ROOT / "docs").as_posix() for path in ROOT.glob("docs/**/*.md"))
    pages = {path for path in every if "/." not in path}  # pytest keeps such a page beside the examples
    assert (pages | GENERATED) - {*navigation} <= linked
    assert {*navigation} <= pages | GENERATED


@pytest.mark.parametrize("module", [hexrec, render])
def test_the_library_reference_has_every_public_name(module: ModuleType) -> None:
    named = {*re.findall(r"\w+", (ROOT / "docs/library-reference.md").read_text(encoding="utf-8"))}
    kinds = (type, FunctionType)
    public = [name for name in module.__all__ if isinstance(getattr(module, name), kinds)]
    assert [name for name in public if name not in named] == []


def test_the_reference_of_commands_has_every_command_and_example() -> None:
    page = command_sections()
    assert re.findall(r"^### hexrec (\S+)$", page, re.MULTILINE) == list(COMMANDS)
    sections = page.split("\n### hexrec ")[1:]
    for name, section in zip(COMMANDS, sections, strict=True):
        command = import_command(name)
        assert str(command.help) in section
        assert all(f"```sh\n{line}\n```" in section for line, _ in command.examples)
        for option in command.params:
            if option.param_type_name == "option":
                long = next(each for each in option.opts if each.startswith("--"))
                assert len(re.findall(rf"^\| `(?:-\w, )?{long}[ `]", section, re.MULTILINE)) == 1


@pytest.mark.slow
def test_the_page_of_fields_names_the_properties_of_sgf_and_the_tags_of_hgn() -> None:
    """What it finds by trying is what the tables of these formats say."""
    named = {
        "sgf": {name: field.path for name, field in ROOT_PROPERTIES.items() if field},
        "hgn": {f"[{tag}]": path_of(tag) for tag in KNOWN.values() if path_of(tag)[0] != FOREIGN},
    }
    (record, *_) = fields._records("nadraz")
    places = {".".join(map(str, place.way)): place for place in fields._places("nadraz", record)}
    tried = 0
    for format, paths in named.items():
        for name, path in paths.items():
            place = places[".".join(path[:-1])]
            if fields._value(place, path[-1]) is not None:
                assert f"`{name}`" in fields._held([place], path[-1], format), name
                tried += 1
    assert tried > 40
