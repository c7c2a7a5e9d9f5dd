"""Assembly of the page from the files in `static`: served, inlined in one file, or as a static site.

Its data has a sample and the lesson of each game. The engines of a site run in the browser. Pyodide and pydantic-core
compiled for it are copied from the runtime directory into the site, which loads nothing from other hosts. Libraries in
pure Python are copied from the current environment.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from hashlib import blake2b, sha256
from html import escape
from importlib.metadata import distribution, version
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from hexrec import codes, formats, javascript
from hexrec.errors import RunError
from hexrec.record.canonical import canonical_form
from hexrec.record.json_schema import beginning, example
from hexrec.record.record import Record
from hexrec.record.validation import read_record
from hexrec.render import svg
from hexrec.render.svg import shapes
from hexrec.render.theme import THEMES, Labels, Style, Theme, css
from hexrec.render.views import view_of
from hexrec.rules import games
from hexrec.rules.board import System
from hexrec.rules.game import Game
from hexrec.util import limits
from hexrec.util.version import FORMAT_VERSION
from hexrec.validation.report import Report
from hexrec.web.replay import Data, file_data

#: Imports, exports and comments in the source of a module.
_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w-]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class) ([\w$]+))", re.MULTILINE)
#: The exports of a module that is made from Python.
_EXPORTS = re.compile(r"^export \{ ([^}]*) \};\n", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*(?:(?!\*/).)*\*/)\n", re.MULTILINE | re.DOTALL)
#: Sentences about privacy on the screen to begin from.
_SERVED = "Records are sent to this server to be validated. It stores none; unsaved changes are stored in your browser."
_STATIC = "Nothing leaves your browser, which validates records by itself and stores unsaved changes."
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
    script, sheet = _script().rpartition("//#")[0], style_sheet()
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; worker-src blob:; style-src {_hash(sheet)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    embedded = _embed_games() + _embed("replay", data) + _embed("opponent", _opponent())
    return _page(
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<style>{sheet}</style>',
        f'{embedded}<script type="module">{script}</script>',
    )


def _served_page() -> str:
    data = _embed_games() + _embed("samples", samples())
    script = '<script type="module" src="page.js"></script>'
    return _page('<link rel="stylesheet" href="page.css">', data + script, _SERVED)


def _embed(name: str, data: Any) -> str:
    """Return an element with JSON data for the script."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    # The first </script> ends a script element, even within a JSON string.
    escaped = text.replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{escaped}</script>\n'


def _page(head: str, tail: str, privacy: str = "") -> str:
    """Return the document; `privacy` tells people of their records."""
    address = codes.site_address()
    manual = f' <a href="{escape(address)}page.html">Manual</a>' if address else ""
    text = _read("page.html").replace("{privacy}", privacy + manual)
    return text.replace("{head}", head).replace("{tail}", tail)


@cache
def _bundled(name: str) -> Mapping[str, str]:
    """Return a module and all that it imports as scripts by name, in the order to run them. Each is one function.

    This bundler supports only the forms of `import` and `export` in use, and no circular imports. With it, a source
    tree can serve the page without Node.
    """
    source = _source(name)
    scripts: dict[str, str] = {}
    for needed in _IMPORT.finditer(source):
        scripts |= _bundled(needed[2])
    body = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), source)
    body = _IMPORT.sub(lambda match: f"const {{{match[1]}}} = ${match[2]};\n", body)
    exports = ", ".join(match[1] for pattern in (_EXPORT, _EXPORTS) for match in pattern.finditer(body))
    body = _EXPORTS.sub("\n", _EXPORT.sub("", body))
    scripts[name] = f"const ${name} = (() => {{\n{body}return {{ {exports} }};\n}})();\n"
    return scripts


def link(name: str) -> str:
    """Return a module and all that it imports as one ES module with the same exports."""
    scripts = _bundled(name)
    exports = re.findall(r"^return (\{ .* \});$", scripts[name], re.MULTILINE)[-1]
    return "".join(scripts.values()) + f"export const {exports} = ${name};\n"


def modules(name: str) -> dict[str, str]:
    """Return the sources of a module and of all that it imports, by name, for other bundlers."""
    sources = {name: _source(name)}
    for needed in _IMPORT.finditer(sources[name]):
        sources |= modules(needed[2])
    return sources


def _source(name: str) -> str:
    """Return the source of a module, of a file or made from Python."""
    made = _MADE.get(name)
    return made() if made else _read(f"{name}.js")


def _component_styles() -> str:
    """Return the style sheet of `<hexrec-board>`."""
    sheet = "\n".join([_read("board.css"), _read("component.css"), *map(css, THEMES)])
    return re.sub(r"/\*.*?\*/|(?<=[{;,}])\s+|\s+(?=[{}])", "", sheet, flags=re.DOTALL)


def _meanings() -> dict[str, str]:
    """Return the meanings of the codes that the rules alone can find, by code."""
    found = (code for code in codes.all_codes() if code.startswith(("move/", "opening/", "setup/", "result/")))
    return {code: codes.explain_code(code, None).meaning for code in (*sorted(found), *_UNREADABLE)}


def _constant(name: str, value: Any) -> str:
    return f"export const {name} = {json.dumps(value, ensure_ascii=False, separators=(',', ':'))};\n"


#: The codes for a record of which `<hexrec-board>` can make no game.
_UNREADABLE = ("schema/turn", "schema/type", "schema/unknown-game", "schema/value", "syntax/json")
#: The modules that are made from Python.
_MADE: Mapping[str, Callable[[], str]] = {
    "rules": javascript.module,
    "shapes": lambda: _constant("SHAPES", shapes()),
    "meanings": lambda: _constant("MEANINGS", _meanings()),
    "styles": lambda: _constant("STYLES", _component_styles()),
}


def _built(name: str) -> str | None:
    """Return a file of the page as it was minified for the wheel, or None."""
    path = files(__package__).joinpath("built", name)
    return path.read_text(encoding="utf-8") if path.is_file() else None


def _source_map() -> str:
    """Return the source map of the script (ECMA-426): developer tools show the modules, and stop at their lines.

    Linking keeps the number of lines, so that each line of a module maps to the same line of its source.
    """
    scripts = _page_scripts()
    built = None if _PLUG_INS in scripts else _built("page.js.map")
    if built is not None:
        return built
    sections = []
    line = 0
    for module, text in scripts.items():
        if module == _PLUG_INS:
            line += text.count("\n")
            continue
        source = _source(module)
        # Base64 VLQ for the start of a line: the same source, the next line, column 0.
        mappings = ";".join(["AAAA", *["AACA"] * (source.count("\n") - 1)])
        content = {"sources": [f"{module}.js"], "sourcesContent": [source], "names": [], "mappings": mappings}
        sections.append({"offset": {"line": line + 1, "column": 0}, "map": {"version": 3, **content}})
        line += text.count("\n")
    return json.dumps({"version": 3, "file": "page.js", "sections": sections}, ensure_ascii=False)


def _script() -> str:
    """Return the script of the page. Its last line names the source map."""
    scripts = _page_scripts()
    built = None if _PLUG_INS in scripts else _built("page.js")
    return built or "".join(scripts.values()) + "//# sourceMappingURL=page.js.map\n"


#: The file of the worker that plays against people.
_OPPONENT = "opponent-worker.js"


def _opponent() -> str:
    """Return the script of that worker, which has the rules too."""
    scripts = _page_scripts("player")
    built = None if _PLUG_INS in scripts else _built(_OPPONENT)
    # Unlike modules, scripts of workers are not strict by themselves; browsers run no modules from the text of a file.
    return built or "".join(['"use strict";\n', *scripts.values()])


def _page_scripts(name: str = "page") -> dict[str, str]:
    """Return the scripts of the page or its worker by module, with the rules of plug-ins before it begins."""
    *others, page = _bundled(name).items()
    added = javascript.add_plug_ins()
    names = re.findall(r"^return (\{ .* \});$", dict(others)["rules"], re.MULTILINE)[-1]
    plug_ins = {_PLUG_INS: f"(({names}) => {{\n{added}}})($rules);\n"} if added else {}
    return {**dict(others), **plug_ins, page[0]: page[1]}


#: The script with the rules of plug-ins.
_PLUG_INS = "plug-ins"


def _embed_games() -> str:
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
    return _embed("given", data)


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


def style_sheet() -> str:
    """Return the style sheet of the page."""
    if (built := _built("page.css")) is not None:
        return built
    return "\n".join([*map(_read, ("page.css", "board.css", "layout.css")), *map(css, THEMES)])


def _read(name: str) -> str:
    return files(__package__).joinpath("static", name).read_text(encoding="utf-8")


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
    "/page.js": Asset("text/javascript", _script),
    "/page.js.map": Asset("application/json", _source_map),
    f"/{_OPPONENT}": Asset("text/javascript", _opponent),
    "/hexrec-board.js": Asset("text/javascript", lambda: _built("hexrec-board.js") or link("component")),
}

# The samples and lessons.

#: The fields of a step of a lesson that the page shows.
_SHOWN = ("prompt", "turns", "refusals", "hint", "success", "overlay")
#: The width of a picture, in pixels.
_WIDTH = 320


def samples() -> dict[str, Data]:
    """Return by game a `picture` as SVG, and JSON strings of the `game` in it and of a `broken` one.

    Both records are None for games of plug-ins without an example.
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


# The static site.

#: The files of the npm package that Pyodide loads.
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
#: The files that are loaded only when the engines start.
_ENGINES = ("engine-worker.js", "hexrec.zip", *PYODIDE)
#: The libraries in pure Python that the engines need.
_LIBRARIES = ("pydantic", "annotated-types", "typing-extensions", "typing-inspection", "PyYAML")
#: Parts of hexrec that the page does not use.
_LEFT_OUT = re.compile(
    r"(cli|lsp|conformance|server/static)/|web/static/(page\.d\.ts|tsconfig\.json)$|.*(__pycache__/|\.(so|pyd|c)$)"
)
#: The date of all files in the archive, for reproducible bytes.
_DATE = (1980, 1, 1, 0, 0, 0)


def site(runtime: Path, url: str | None = None) -> Iterator[tuple[str, bytes]]:
    """Yield the names and the contents of the files of the site, the service worker last.

    `url` is the address of the site: previews of links need a full address for their picture. Raises RunError and
    OSError.
    """
    digest = blake2b(digest_size=8)
    names = {"files": ["./"], "engines": list[str](), "opponent": list[str]()}
    for name, content in _site_files(runtime, url):
        digest.update(content)
        kind = "engines" if name in _ENGINES else "opponent" if name == _OPPONENT else "files"
        names[kind].append(name)
        yield name, content
    kept = json.dumps({"version": f"hexrec {digest.hexdigest()}", **names})
    worker = _read("service-worker.js").replace(
        '/* site */ { version: "", files: [], engines: [], opponent: [] }', kept
    )
    yield "service-worker.js", worker.encode()


def _site_files(runtime: Path, url: str | None) -> Iterator[tuple[str, bytes]]:
    """Yield the files that the service worker keeps in the browser."""
    wheel = _find_wheel(runtime)
    for name in PYODIDE:
        if not (runtime / name).is_file():
            raise RunError(f"{name} is not in {runtime}: copy it from the npm package pyodide")
    texts = {
        "index.html": _site_page(url),
        "page.css": style_sheet(),
        "page.js": _script(),
        "page.js.map": _source_map(),
        _OPPONENT: _opponent(),
    }
    texts |= {name: _read(name) for name in ("engine.js", "engine-worker.js", "manifest.webmanifest", "icon.svg")}
    yield from ((name, text.encode()) for name, text in texts.items())
    yield "preview.png", files(__package__).joinpath("static/preview.png").read_bytes()
    for name in PYODIDE:
        yield name, (runtime / name).read_bytes()
    yield "hexrec.zip", _build_archive(wheel)


def _site_page(url: str | None) -> str:
    policy = (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
        "connect-src 'self' https:; img-src 'self' data:; manifest-src 'self'; base-uri 'none'; form-action 'none'"
    )
    head = [
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<link rel="stylesheet" href="page.css">',
        '<link rel="manifest" href="manifest.webmanifest">',
        '<meta property="og:title" content="hexrec: hexagonal board games">',
        '<meta property="og:type" content="website">',
    ]
    if url is not None:
        base = escape(url.rstrip("/"))
        head += [
            f'<meta property="og:url" content="{base}/">',
            f'<meta property="og:image" content="{base}/preview.png">',
            '<meta name="twitter:card" content="summary_large_image">',
        ]
    scripts = "".join(f'<script type="module" src="{name}"></script>\n' for name in ("engine.js", "page.js"))
    return _page("\n".join(head), _embed_games() + _embed("samples", samples()) + scripts, _STATIC)


def _find_wheel(runtime: Path) -> Path:
    wanted = version("pydantic-core")
    for path in sorted(runtime.glob(f"pydantic_core-{wanted}-*emscripten*_wasm32.whl")):
        return path
    raise RunError(f"no wheel of pydantic-core {wanted} for Emscripten in {runtime}: copy it there")


def _build_archive(wheel: Path) -> bytes:
    """Return hexrec and its libraries as a reproducible zip archive."""
    contents = {}
    package = Path(str(files("hexrec")))
    for path in package.rglob("*"):
        name = path.relative_to(package).as_posix()
        if path.is_file() and not _LEFT_OUT.match(name):
            contents[f"hexrec/{name}"] = path.read_bytes()
    for library in _LIBRARIES:
        for file in distribution(library).files or ():
            if file.suffix in (".py", "") and file.parts[0] not in ("..", "/") and "__pycache__" not in file.parts:
                contents[str(file)] = file.read_binary()
    with ZipFile(wheel) as compiled:
        contents |= {name: compiled.read(name) for name in compiled.namelist()}
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name in sorted(contents):
            archive.writestr(ZipInfo(name, _DATE), contents[name], ZIP_DEFLATED)
    return out.getvalue()
