"""Lists of all games in files that other programs and readers take as they are: each has an entry for every game."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import yaml

from hexrec.record.canonical import canonical_form
from hexrec.record.validation import read_record
from hexrec.rules.game import Game
from hexrec.rules.terms import join_words
from tests.completeness import LISTS, ROOT
from tests.fixtures import FIXTURES
from tests.new_game.records import random_game


class Entry(NamedTuple):
    """An entry of a game in a list.

    Attributes:
        path: the file, below the root of the tree.
        before: a pattern of the entries before it.
        text: the entry.
        sign: the part of the text that shows that the list has an entry.
    """

    path: str
    before: str
    text: str
    sign: str

    @property
    def is_there(self) -> bool:
        """Whether the list has an entry of the game."""
        return self.sign in (ROOT / self.path).read_text(encoding="utf-8")

    def add(self) -> Path:
        """Write the entry after the last one; return the file."""
        path = ROOT / self.path
        text = path.read_text(encoding="utf-8")
        *_, last = re.finditer(self.before, text, re.MULTILINE)
        path.write_text(text[: last.end()] + self.text + text[last.end() :], encoding="utf-8")
        return path


def registration(name: str) -> Entry:
    """Return the line of the registry."""
    return Entry("hexrec/rules/games/__init__.py", r'^    "[a-z_]+",\n', f'    "{name}",\n', f'    "{name}",\n')


def entries(game: Game) -> list[Entry]:
    """Return the entries of a game in all other lists."""
    name, title, brief = game.name, game.title, game.brief
    goal = brief.goal if brief else ""
    designers = join_words(game.designers)
    if game.contributors:
        designers += f", with contributions by {join_words(game.contributors)}"
    link = f"[{title}](docs/games/{name}.md)"
    short = f"| ![The end of a game](docs/pictures/{name}.svg) | {link}: {goal[:1].lower()}{goal[1:].rstrip('.')} "
    score = "none" if game.score is None else f"a {game.score} for each color"
    turns = f"| {title} | `{game.example}`{', `pass`' if 'pass' in game.turn else ''} | {score} |\n"
    suffix = r"\(hexrec(?:\|[a-z_-]+)*", f"|{name}"
    example = canonical_form(read_record(random_game(game, game.ruleset(), None, game.sizes[0], "example")))
    row = f"| [{title}]({name}.md) | {goal} | {designers} | {game.year} |\n"
    texts = {
        "README.md": (r"^\| !\[.*\n", f"{short}| {designers} | web, {game.year} |\n"),
        "docs/games/README.md": (r"^\| \[\w.*\.md\).*\n", row),
        "docs/format.md": (r"^## Turns and scores\n\n(?:\|.*\n)+", turns),
        "mkdocs.yml": (r"^ +- games/\w+\.md\n", f"      - games/{name}.md\n"),
        ".pre-commit-hooks.yaml": suffix,
        "docs/ci.md": suffix,
        "hexrec/record/examples.jsonl": (r"^\{.*\n", json.dumps(example) + "\n"),
    }
    ending = FIXTURES / name / "valid/black-wins.yaml"
    if ending.is_file():
        plies = len(yaml.safe_load(ending.read_text(encoding="utf-8"))["moves"])
        line = json.dumps({"file": f"{name}/valid/black-wins.yaml", "record": 0, "ply": plies})
        texts["fixtures/explanations.jsonl"] = (r"^\{.*\n", f"{line}\n")
        picture = f"| ![{title}: Black wins](pictures/{name}.svg) | `fixtures/suite/{name}/valid/black-wins.yaml` |\n"
        texts["docs/pictures.md"] = (r"^\| !\[.*\n", picture)
    signs = {path: LISTS[path].format(name=name, title=title) for path in texts}
    return [Entry(path, *text, signs[path]) for path, text in texts.items()]
