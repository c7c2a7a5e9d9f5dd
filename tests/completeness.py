"""Which files a built-in game needs besides its package and its line in the registry, a sentence each.

`nox -s new-game -- NAME` writes most of them, and lists the sentences. Tests that rest on these files are for the games
that have all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from hexrec.codes import game_codes
from hexrec.record.json_schema import schema_file
from hexrec.rules import games
from hexrec.rules.game import Game

ROOT = Path(__file__).parent.parent
#: The modules of a game: description, rules and words.
MODULES = ("__init__", "rules", "words")
#: The lists of all games, and the entry of a game in each.
LISTS = {
    "README.md": "](docs/games/{name}.md)",
    "docs/games/README.md": "]({name}.md)",
    "docs/format.md": "| {title} | `",
    "docs/pictures.md": "](pictures/{name}.svg)",
    "mkdocs.yml": "games/{name}.md",
    ".pre-commit-hooks.yaml": "|{name}",
    "docs/ci.md": "|{name}",
    "hexrec/record/examples.jsonl": '"game": "{name}"',
    "fixtures/explanations.jsonl": '"file": "{name}/',
    "fixtures/suite/engine/games.jsonl": '"game":"{name}"',
    "fixtures/suite/engine/perft.jsonl": '"game":"{name}"',
    "fixtures/suite/engine/turns.jsonl": '"game":"{name}"',
}
#: The files that every game has, below the root.
FILES = (
    "fixtures/suite/{name}/reference/games.jsonl",
    "fixtures/suite/{name}/reference/legal.jsonl",
    "fixtures/suite/{name}/valid/all-fields.yaml",
    "fixtures/marks/{name}.json",
    "docs/games/{name}.md",
    "docs/pictures/{name}.svg",
)
#: The files that a game may have.
OPTIONAL = ("hexrec/web/lessons/{name}.json", "tests/literal/{name}.py")


def todo(name: str) -> Iterator[str]:
    """Yield the lines in the modules of a game that are still to be written, with their places."""
    for module in MODULES:
        path = f"hexrec/rules/games/{name}/{module}.py"
        yield from marks(ROOT / path, path)


def marks(path: Path, name: str) -> Iterator[str]:
    """Yield the lines of a file that are still to be written, with the name of the file."""
    for number, line in enumerate(_read(path).splitlines(), 1):
        if "TODO" in line:
            yield f"{name}:{number}: {line.strip()}"


def missing(name: str) -> Iterator[str]:
    """Yield a sentence for everything that a game lacks."""
    game = games.get(name)
    if game.brief is None:
        yield f"hexrec/rules/games/{name}/__init__.py should have the rules in brief, as the page shows them: `brief=`."
    if game.sgf_number is None:
        yield f"hexrec/rules/games/{name}/__init__.py should have a number for SGF: `sgf_number=`."
    for path in (*(path.format(name=name) for path in FILES), f"schemas/{schema_file(name)}"):
        if not (ROOT / path).is_file():
            yield f"{path} should be there."
    yield from _missing_records(game)
    for path, entry in LISTS.items():
        if entry.format(name=name, title=game.title) not in _read(ROOT / path):
            yield f"{path} should have an entry of {name}."


def _missing_records(game: Game) -> Iterator[str]:
    folder = ROOT / "fixtures/suite" / game.name
    refused = {path.name.partition("~")[0].removesuffix(".yaml") for path in folder.glob("invalid/*")}
    for code in game_codes(game.name):
        if code.replace("/", ".") not in refused:
            yield f"fixtures/suite/{game.name}/invalid should have a record that is refused with {code}."
    for color in ("black", "white"):
        won = re.compile(rf"winner[\"']?: *[\"']?{color}")
        if not any(won.search(_read(path)) for path in folder.glob("valid/*")):
            yield f"fixtures/suite/{game.name}/valid should have a game that {color} wins."


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


#: The built-in games that have all that they need.
COMPLETE = tuple(name for name in games.BUILT_IN if not any(missing(name)))
