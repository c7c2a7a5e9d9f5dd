"""The page from the files in `static`: served, or as one file that shows a record.

Its data has a sample and the lesson of each game.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files
from random import Random
from typing import Any, NamedTuple

from hexrec import codes, formats
from hexrec.record.canonical import canonical_form
from hexrec.record.json_schema import beginning, example
from hexrec.record.record import Record
from hexrec.record.validation import read_record
from hexrec.render import svg
from hexrec.render.theme import Labels, Style, Theme
from hexrec.render.views import view_of
from hexrec.rules import games
from hexrec.rules.board import System
from hexrec.rules.game import Game
from hexrec.util import limits
from hexrec.util.version import FORMAT_VERSION
from hexrec.validation.report import Report
from hexrec.web.replay import Data, file_data
from hexrec.web.scripts import OPPONENT, PUZZLES, built_file, link, opponent, read_file, script, source_map, style_sheet

#: The sentence about privacy on the screen to begin from.
_SERVED = "Records are sent to this server to be validated. It stores none; unsaved changes are stored in your browser."
#: The policy of a served page: it may use its own server and images, and read files whose addresses people give it.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' https:; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def static_page(
    report: Report,
    ply: int | None = None,
    *,
    coordinates: System | None = None,
    theme: Theme = "auto",
    labels: Labels = "ends",
) -> str:
    """Return a self-contained HTML file that shows a record.

    It opens after `ply` turns, by default at the end or before the first illegal turn. `coordinates`, `theme` and
    `labels` are the initial settings.
    """
    view = {"ply": ply, "coordinates": coordinates, "theme": theme, "labels": labels}
    settings = {name: value for name, value in view.items() if value is not None}
    data = {**file_data(report), "view": settings}
    program, sheet = script().rpartition("//#")[0], style_sheet()
    policy = (
        f"default-src 'none'; script-src {_hash(program)}; worker-src blob:; style-src {_hash(sheet)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    embedded = embed_games() + embed("replay", data) + embed("opponent", opponent())
    return page(
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<style>{sheet}</style>',
        f'{embedded}<script type="module">{program}</script>',
    )


def _served_page() -> str:
    data = embed_games() + embed("samples", samples())
    data += '<script type="module" src="page.js"></script>'
    return page('<link rel="stylesheet" href="page.css">', data, _SERVED)


def embed(name: str, data: Any) -> str:
    """Return an element with JSON data for the script."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    # The first </script> ends a script element, even within a JSON string.
    escaped = text.replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{escaped}</script>\n'


def page(head: str, tail: str, privacy: str = "") -> str:
    """Return the document; `privacy` tells people of their records."""
    address = codes.site_address()
    manual = f' <a href="{escape(address)}page.html">Manual</a>' if address else ""
    text = read_file("page.html").replace("{privacy}", privacy + manual)
    return text.replace("{head}", head).replace("{tail}", tail)


def embed_games() -> str:
    """Return an element with the games for the script."""
    data: dict[str, Any] = {"games": {name: _choices(games.get(name)) for name in games.names()}}
    # Formats without a suffix are written in JSON syntax.
    data["formats"] = {
        name: f"game.{name if formats.by_suffix(f'.{name}') else f'{name}.json'}" for name in formats.names()
    }
    data["limits"] = {
        "members": limits.MAX_MEMBERS,
        "name": limits.MAX_NAME,
        "directory": limits.MAX_DIRECTORY_BYTES,
        "decompressed": limits.MAX_DECOMPRESSED_BYTES,
        "ratio": limits.MAX_COMPRESSION_RATIO,
        "records": limits.MAX_COMPRESSED_RECORDS,
    }
    return embed("given", data)


def _choices(game: Game) -> dict[str, Any]:
    """Return the rulesets, variants and sizes for a new game, with their fields of the record."""
    variants: list[dict[str, str]] = [{}, *({"variant": variant} for variant in game.variants)]
    rules = [
        {"fields": {"ruleset": rules.name} | variant, "sizes": list(rules.sizes)}
        for rules in map(game.ruleset, game.rulesets)
        for variant in variants
    ]
    brief = game.brief and game.brief._asdict() | ({"credit": game.credit} if game.credit else {})
    about = ", ".join([*game.designers, str(game.year)] if game.year else game.designers)
    # The names are the same in every position.
    overlays = [*game.start(game.usual_size(), game.random_opening(Random(0))).overlays()]
    return {
        "title": game.title,
        "about": about,
        "beginning": beginning(game.name),
        "rules": rules,
        "brief": brief,
        "overlays": overlays,
        "page": f"{site}games/{game.name}.html"
        if (site := codes.site_address()) and game.name in games.BUILT_IN
        else None,
    }


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


class Asset(NamedTuple):
    """A file for a server."""

    media_type: str
    make: Callable[[], str]


#: The files for a server by path.
ASSETS: Mapping[str, Asset] = {
    "/": Asset("text/html", _served_page),
    "/page.css": Asset("text/css", style_sheet),
    "/page.js": Asset("text/javascript", script),
    "/page.js.map": Asset("application/json", source_map),
    f"/{OPPONENT}": Asset("text/javascript", opponent),
    f"/{PUZZLES}": Asset("text/plain", lambda: read_file(PUZZLES)),
    "/hexrec-board.js": Asset("text/javascript", lambda: built_file("hexrec-board.js") or link("component")),
}

# The samples and lessons.

#: The fields of a step of a lesson that the page shows.
_SHOWN = ("prompt", "turns", "refusals", "hint", "success", "overlay")
#: The width of a picture, in pixels.
_WIDTH = 320


def samples() -> dict[str, Data]:
    """Return by game a `picture` as SVG, and JSON strings of the `game` in it and of a `broken` one.

    Both records are None for games of plug-ins without an example. `puzzles` says whether there are any.
    """
    return {name: _sample(name) for name in games.names()}


def _sample(name: str) -> Data:
    data = example(name)
    record = read_record(data)
    # A position from the middle: at the end, marks of the result would hide the stones.
    drawn = svg(view_of(record, len(record.moves) * 2 // 3), Style(labels="none", caption=False, width=_WIDTH))
    return {
        "picture": drawn,
        "game": _to_text(data) if record.moves else None,
        "broken": _broken_game(record),
        "lesson": _read_lesson(name),
        "puzzles": f'"game":"{name}"' in read_file(PUZZLES),
    }


def _read_lesson(name: str) -> Data | None:
    """Return the lesson of a game, with a record for each step; None for games without a lesson."""
    path = files(__package__).joinpath("lessons", f"{name}.json")
    if not path.is_file():
        return None
    lesson = json.loads(path.read_text(encoding="utf-8"))
    return {"steps": [_complete_step(name, step) for step in lesson["steps"]], "end": lesson["end"]}


def _complete_step(name: str, step: Data) -> Data:
    """Return the fields of a step that the page shows, with its record."""
    setup = step["setup"]
    size = games.get(name).start(position=setup).board.size
    record = {"hexrec": FORMAT_VERSION, "game": name, "size": size, "setup": setup, "moves": []}
    return {"record": record} | {key: step[key] for key in _SHOWN if key in step}


def _broken_game(record: Record) -> str | None:
    """Return a game with an illegal turn near its middle, or None.

    If possible the turn is legal later; else it is on an empty cell, and in games with no such refusals on a stone.
    """
    turns = record.turns
    middle = len(turns) * 2 // 3
    for on_stones in (False, True):
        for ply in (*range(middle, 0, -1), *range(middle + 1, len(turns))):
            position = record.start()
            position.play_all(turns[:ply])
            cells = (cell for cell in position.board.cells if (cell in position.stacks()) == on_stones)
            for turn in (*turns[ply + 1 :], *map(position.names.single, cells)):
                if not position.is_legal(turn):
                    moves = [*turns[:ply], turn, *turns[ply + 1 :]]
                    return _to_text({**canonical_form(record), "moves": moves})
    return None


def _to_text(data: Data) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1)
