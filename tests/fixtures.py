"""The example files under `fixtures/`, and what is expected of each.

What a file shows stands in its name, `<stage>.<code>[~what-it-shows].<suffix>`, with a full stop for the code's slash:
`move.occupied~own-stone.yaml`. Where that is reported stands in the `places.json` of the folder above, as
`"invalid/move.occupied~own-stone.yaml": "9:14"`; a file that is not there expects no place.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from hexrec.rules import games

FIXTURES = Path(__file__).parent.parent / "fixtures"
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
    return sorted(path for path in FIXTURES.glob(f"*/**/{kind}/*") if path.is_file())


def expected(path: Path) -> Expected:
    name = _NAME.fullmatch(path.name)
    assert name is not None, f"the name of {path} should be <stage>.<code>~<what-it-shows>.<suffix>"
    place = places(path.parent.parent).get(f"{path.parent.name}/{path.name}")
    line, column = map(int, place.split(":")) if place else (None, None)
    return Expected(f"{name['stage']}/{name['code']}", line, column)


@cache
def places(folder: Path) -> dict[str, str]:
    """Return where the diagnostics of the files below a folder are."""
    file = folder / "places.json"
    found: dict[str, str] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return found
