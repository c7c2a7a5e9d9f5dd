"""The page put together: one script and one style sheet of the files in `static`, served or within one HTML file."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, NamedTuple
from urllib.parse import quote

from hexrec.record.canonical import canonical_form
from hexrec.record.json_schema import beginning, example
from hexrec.record.record import Record
from hexrec.record.validation import read_record
from hexrec.render import svg
from hexrec.render.layout import LABEL
from hexrec.render.svg import shapes
from hexrec.render.theme import THEMES, Labels, Style, Theme, css
from hexrec.render.views import view_of
from hexrec.rules import games
from hexrec.rules.board import System
from hexrec.rules.game import Game
from hexrec.validation.report import Report
from hexrec.web.replay import replay_data

#: A module of the script in its own text: what it imports, what it exports, and comments, which browsers need not get.
_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w-]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class) ([\w$]+))", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*(?:(?!\*/).)*\*/)\n", re.MULTILINE | re.DOTALL)
#: What the page may do where it is served: use what comes from its own server, and show what it makes itself.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Asset(NamedTuple):
    """Something that a server hands out."""

    text: str
    media_type: str


def static_page(
    report: Report,
    ply: int | None = None,
    *,
    coordinates: System | None = None,
    theme: Theme = "auto",
    labels: Labels = "ends",
) -> str:
    """Return one HTML file that shows a record and works by itself, wherever it is opened.

    It opens after `ply` turns, without that at the end or where a turn is illegal; `coordinates`, `theme` and `labels`
    are what is chosen then.
    """
    view = {"ply": ply, "coordinates": coordinates, "theme": theme, "labels": labels}
    chosen = {name: value for name, value in view.items() if value is not None}
    data = {**replay_data(report, legal=True), "view": chosen}
    script = linked("page")
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(_sheet())}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    return _page(
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<style>{_sheet()}</style>',
        f'{_given(_games())}{_embedded("replay", data)}<script type="module">{script}</script>',
    )


def assets() -> Mapping[str, Asset]:
    """Return all that a server hands out, by address."""
    return _assets(_games())


def _games() -> tuple[Game, ...]:
    """Return all games. What is made for them is of no use once another game is registered."""
    return tuple(map(games.get, games.names()))


@cache
def _assets(every: tuple[Game, ...]) -> Mapping[str, Asset]:
    data = _given(every) + _samples()
    page = _page('<link rel="stylesheet" href="page.css">', data + '<script type="module" src="page.js"></script>')
    return {
        "/": Asset(page, "text/html"),
        "/page.css": Asset(_sheet(), "text/css"),
        "/page.js": Asset(linked("page"), "text/javascript"),
    }


def site_page() -> Mapping[str, str]:
    """Return the files of the page as a site without a server, by name; the engines in a worker answer it."""
    policy = (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
        "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'"
    )
    scripts = "".join(f'<script type="module" src="{name}"></script>\n' for name in ("engine.js", "page.js"))
    policy = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    page = _page(f'{policy}\n<link rel="stylesheet" href="page.css">', _given(_games()) + _samples() + scripts)
    engine = {name: _read(name) for name in ("engine.js", "engine-worker.js")}
    return {"index.html": page, "page.css": _sheet(), "page.js": linked("page"), **engine}


def _samples() -> str:
    return _embedded("samples", samples())


def _embedded(name: str, data: Any) -> str:
    """Return an element that holds data for the script."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    # Within a script element, HTML ends it at the first </script>, whatever that is a part of.
    escaped = text.replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{escaped}</script>\n'


def _page(head: str, tail: str) -> str:
    return _read("page.html").replace("{head}", head).replace("{tail}", tail)


@cache
def linked(name: str) -> str:
    """Return a module and all that it imports as one script: each is a function of its own, run once, in order.

    It does what a bundler does, for the few forms of `import` and `export` that the modules use, so that a source tree
    serves the page without Node. The modules may not import each other in a circle.
    """
    texts: dict[str, str] = {}
    _link(name, texts)
    return "".join(texts.values())


def _link(name: str, texts: dict[str, str]) -> None:
    source = _read(f"{name}.js")
    for needed in (match[2] for match in _IMPORT.finditer(source)):
        if needed not in texts:
            _link(needed, texts)
    body = _IMPORT.sub(lambda match: f"const {{{match[1]}}} = ${match[2]};\n", _COMMENT.sub("", source))
    exports = ", ".join(match[1] for match in _EXPORT.finditer(body))
    texts[name] = f"const ${name} = (() => {{\n{_EXPORT.sub('', body)}return {{ {exports} }};\n}})();\n"


@cache
def _given(every: tuple[Game, ...]) -> str:
    """Return what the script needs to know of shapes and games."""
    known = {"shapes": shapes(), "label": LABEL, "games": {game.name: _choices(game) for game in every}}
    return _embedded("given", known)


def _choices(game: Game) -> dict[str, Any]:
    """Return what can be chosen for a new game: with which fields of the record, and of which sizes."""
    variants: list[dict[str, str]] = [{}, *({"variant": variant} for variant in game.variants)]
    rules = [
        {"fields": {"ruleset": rules.name} | variant, "sizes": list(rules.sizes)}
        for rules in map(game.ruleset, game.rulesets)
        for variant in variants
    ]
    brief = game.brief and game.brief._asdict() | ({"credit": game.credit} if game.credit else {})
    about = ", ".join([*game.designers, str(game.year)] if game.year else game.designers)
    return {"title": game.title, "about": about, "beginning": beginning(game.name), "rules": rules, "brief": brief}


@cache
def _sheet() -> str:
    return "\n".join([_read("page.css"), _read("layout.css"), *map(css, THEMES)])


def _read(name: str) -> str:
    return files(__package__).joinpath("static", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


Data = dict[str, Any]
#: The width of a picture, in pixels.
_WIDTH = 320
#: What addresses of data may hold as it is, beside letters and figures.
_PLAIN = " =/;,()>{}'"


def samples() -> dict[str, Data]:
    """Return, by name of the game, the address of a `picture`, and as JSON the `game` that it shows and a `broken` one.

    There are no records of a game from elsewhere, of which hexrec has none: they are null.
    """
    return {name: _sample(name) for name in games.names()}


def _sample(name: str) -> Data:
    data = example(name)
    record = read_record(data)
    # From the middle: how the game is played shows there, and what decided it does not hide the stones.
    drawn = svg(view_of(record, len(record.moves) * 2 // 3), Style(labels="none", caption=False, width=_WIDTH))
    return {
        "picture": f"data:image/svg+xml,{quote(drawn, safe=_PLAIN)}",
        "game": _text(data) if record.moves else None,
        "broken": _broken(record),
    }


def _broken(record: Record) -> str | None:
    """Return a game with an illegal turn in its middle, if possible one that is legal later; null if there is none."""
    turns = record.turns
    middle = len(turns) * 2 // 3
    for ply in (*range(middle, 0, -1), *range(middle + 1, len(turns))):
        position = record.start()
        position.play_all(turns[:ply])
        empty = (cell for cell in position.board.cells if cell not in position.stacks())
        for turn in (*turns[ply + 1 :], *map(position.names.single, empty)):
            if not position.is_legal(turn):
                moves = [*turns[:ply], turn, *turns[ply + 1 :]]
                return _text({**canonical_form(record), "moves": moves})
    return None


def _text(data: Data) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1)
