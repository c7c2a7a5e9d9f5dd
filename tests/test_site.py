"""The site's configuration names every page there is; `nox -s site` builds it and follows all links."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from hexrec.cli import COMMANDS, imported
from hexrec.cli.reference import command_page

ROOT = Path(__file__).parent.parent
#: What docs/hooks/pages.py and docs/hooks/notebooks.py make.
GENERATED = {"index.md", "commands.md", "fields.md", "library.md", "notebooks/archive.md"}


def test_every_page_is_in_the_navigation_once() -> None:
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    named = Counter(re.findall(r": (\S+\.md)$", navigation, re.MULTILINE))
    every = (path.relative_to(ROOT / "docs").as_posix() for path in ROOT.glob("docs/**/*.md"))
    pages = {path for path in every if "/." not in path}  # pytest keeps such a page beside the examples
    assert named == Counter(pages | GENERATED)


def test_the_reference_of_commands_has_every_command_and_example() -> None:
    page = command_page()
    assert re.findall(r"^## hexrec (\S+)$", page, re.MULTILINE) == list(COMMANDS)
    sections = page.split("\n## hexrec ")[1:]
    for name, section in zip(COMMANDS, sections, strict=True):
        command = imported(name)
        assert all(f"```sh\n{line}\n```" in section for line, _ in command.examples)
        for option in command.params:
            if option.param_type_name == "option":
                long = next(each for each in option.opts if each.startswith("--"))
                assert len(re.findall(rf"^\| `(?:-\w, )?{long}[ `]", section, re.MULTILINE)) == 1
