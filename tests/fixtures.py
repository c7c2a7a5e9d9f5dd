"""The suite under `fixtures/suite`, the other example files, and what is expected of each.

What an invalid file shows stands in its name, `<stage>.<code>[~what-it-shows].<suffix>`, with a full stop for the slash
of the code: `move.occupied~own-stone.yaml`. The place of the first diagnostic is in the manifest of the suite; that of
a lint warning is in `fixtures/lint/places.json`.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from hexrec.rules import games

FIXTURES = Path(__file__).parent.parent / "fixtures/suite"
LINT = FIXTURES.parent / "lint"
MANIFEST = FIXTURES / "manifest.jsonl"
_NAME = re.compile(r"(?P<stage>[a-z]+)\.(?P<code>[a-z-]+)(?:~[a-z0-9-]+)?\.\w+")


class Expected(NamedTuple):
    """The first diagnostic that a file should give."""

    code: str
    line: int | None
    column: int | None


def without_games(text: str) -> str:
    """Return a message with GAMES for the names of all games, and NUMBERS for the range of their numbers in SGF.

    Messages that are kept for a comparison stay as they are when a game is added.
    """
    text = text.replace(", ".join(games.names()), "GAMES")
    return re.sub(r"the numbers \d+ to \d+", "NUMBERS", text)


@cache
def files(kind: str) -> list[Path]:
    paths = LINT.glob("*/*") if kind == "lint" else FIXTURES.glob(f"*/**/{kind}/*")
    return sorted(path for path in paths if path.is_file())


def expected(path: Path) -> Expected:
    name = _NAME.fullmatch(path.name)
    assert name is not None, f"the name of {path} should be <stage>.<code>~<what-it-shows>.<suffix>"
    place = places().get(path.relative_to(FIXTURES.parent).as_posix())
    return Expected(f"{name['stage']}/{name['code']}", *(place or (None, None)))


@cache
def places() -> dict[str, tuple[int | None, int | None]]:
    """Return line and column of the first diagnostic of the files that have one."""
    lint: dict[str, str] = json.loads((LINT / "places.json").read_text(encoding="utf-8"))
    found: dict[str, tuple[int | None, int | None]] = {}
    for name, text in lint.items():
        line, column = map(int, text.split(":"))
        found[f"lint/{name}"] = line, column
    for case in map(json.loads, MANIFEST.read_text(encoding="utf-8").splitlines()):
        if case["class"] == "validator" and case["file"] is not None:
            records = case["expect"]["records"]
            given = [
                place for record in records for key in ("places", "warning_places") for place in record.get(key, ())
            ]
            if given:
                first, column, _ = min(given, key=lambda place: (place[0] or 0, place[1] or 0))
                found[f"suite/{case['file']}"] = first, column
    return found
