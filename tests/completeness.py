"""What a game of hexrec's own needs besides its module and its line in the registry, said a sentence each.

Tests that rest on these things are for the games that have all of them; `tests/test_complete_games.py` says what a new
game still lacks.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hexrec.record.json_schema import schema_file
from hexrec.rules import games

ROOT = Path(__file__).parent.parent


def missing(name: str) -> Iterator[str]:
    """Yield a sentence for everything that a game lacks."""
    if games.get(name).brief is None:
        yield f"hexrec/rules/games/{name}.py should say the rules in brief, as the page shows them: `brief=`."
    folder = ROOT / "fixtures" / name
    if not (folder / "reference/games.jsonl").is_file():
        yield f"fixtures/{name}/reference/games.jsonl should hold whole games with their results, a record a line."
    if not any('"legal":' in path.read_text(encoding="utf-8") for path in folder.glob("reference/*.jsonl")):
        yield f"fixtures/{name}/reference should hold legal sets: lines with game, size, moves and the legal turns."
    for kind in ("valid", "invalid"):
        if not any(folder.glob(f"{kind}/*")):
            yield f"fixtures/{name}/{kind} should hold {kind} records, as docs/games and tests/test_fixtures.py say."
    if not (ROOT / f"tests/literal/{name}.py").is_file():
        yield f"tests/literal/{name}.py should transcribe the rules in a class {name.capitalize()} (see Literal there)."
    if not (ROOT / "schemas" / schema_file(name)).is_file():
        yield f"schemas/{schema_file(name)} should be written with `hexrec schema --write`."
    if f'"game": "{name}"' not in (ROOT / "hexrec/record/examples.jsonl").read_text(encoding="utf-8"):
        yield "hexrec/record/examples.jsonl should hold a whole game, as the example of its schema."
    if not (ROOT / f"docs/games/{name}.md").is_file():
        yield f"docs/games/{name}.md should explain the rules, with a table of facts as the pages of other games have."
    for file, what in {
        ".pre-commit-hooks.yaml": "among the names of records that the hooks look at",
        "docs/format.md": "among the values of the field `game`",
        "README.md": "in its table of games",
    }.items():
        if name not in (ROOT / file).read_text(encoding="utf-8"):
            yield f"{file} should have {name} {what}."
    for file in ("games.jsonl", "perft.jsonl"):
        if f'"game":"{name}"' not in (ROOT / "fixtures/conformance" / file).read_text(encoding="utf-8"):
            yield f"fixtures/conformance/{file} should have lines of {name}; the README there says how they are made."


COMPLETE = tuple(name for name in games.names() if not any(missing(name)))
