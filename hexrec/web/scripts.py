"""The scripts and the style sheet of the page and of `<hexrec-board>`, linked from the files in `static`.

In a wheel, they were minified; see `hatch_build.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from hexrec import codes, javascript
from hexrec.render.svg import shapes
from hexrec.render.theme import THEMES, css

#: Imports, exports and comments in the source of a module.
_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w-]+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class) ([\w$]+))", re.MULTILINE)
#: The exports of a module that is made from Python.
_EXPORTS = re.compile(r"^export \{ ([^}]*) \};\n", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*(?:(?!\*/).)*\*/)\n", re.MULTILINE | re.DOTALL)


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
    return {each: _source(each) for each in _bundled(name)}


def _source(name: str) -> str:
    """Return the source of a module, of a file or made from Python."""
    made = _MADE.get(name)
    return made() if made else read_file(f"{name}.js")


def _component_styles() -> str:
    """Return the style sheet of `<hexrec-board>`."""
    sheet = "\n".join([read_file("board.css"), read_file("component.css"), *map(css, THEMES)])
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


def built_file(name: str) -> str | None:
    """Return a file of the page as it was minified for the wheel, or None."""
    path = files(__package__).joinpath("built", name)
    return path.read_text(encoding="utf-8") if path.is_file() else None


def source_map() -> str:
    """Return the source map of the script (ECMA-426): developer tools show the modules, and stop at their lines.

    Linking keeps the number of lines, so that each line of a module maps to the same line of its source.
    """
    scripts = _page_scripts()
    built = None if _PLUG_INS in scripts else built_file("page.js.map")
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


def script() -> str:
    """Return the script of the page. Its last line names the source map."""
    scripts = _page_scripts()
    built = None if _PLUG_INS in scripts else built_file("page.js")
    return built or "".join(scripts.values()) + "//# sourceMappingURL=page.js.map\n"


#: The file of the worker that plays against people.
OPPONENT = "opponent-worker.js"
#: The puzzles that come with the page, to whose wrong turns that worker replies.
PUZZLES = "puzzles.jsonl"


def opponent() -> str:
    """Return the script of that worker, which has the rules too."""
    scripts = _page_scripts("player")
    built = None if _PLUG_INS in scripts else built_file(OPPONENT)
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


def style_sheet() -> str:
    """Return the style sheet of the page."""
    if (built := built_file("page.css")) is not None:
        return built
    return "\n".join([*map(read_file, ("page.css", "board.css", "layout.css")), *map(css, THEMES)])


def read_file(name: str) -> str:
    """Return a file of `static`."""
    return files(__package__).joinpath("static", name).read_text(encoding="utf-8")
