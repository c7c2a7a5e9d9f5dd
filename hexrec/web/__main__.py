"""`python -m hexrec.web npm FOLDER` writes the package for npm; `component FILE` writes `<hexrec-board>` in one module.

`modules FOLDER` writes the modules of `<hexrec-board>` and of the page, and the style sheet of the page, for a bundler.
It prints the names that the bundler may shorten in `<hexrec-board>`. `names` prints those of the rules alone.
"""

from __future__ import annotations

import json
import re
import sys
from importlib.resources import files
from pathlib import Path

from hexrec.javascript import assemble, declarations, private_names
from hexrec.util.version import __version__
from hexrec.web.scripts import link, modules, style_sheet

_PACKAGE = {
    "name": "hexrec-games",
    "version": __version__,
    "description": "The rules of Sundraval, Sunspot, Frasvel, Valaturna and Nadraz, and a board for any site",
    "license": "MIT",
    "type": "module",
    "exports": {
        ".": {"types": "./hexrec.d.ts", "default": "./hexrec.js"},
        "./board": {"types": "./hexrec-board.d.ts", "default": "./hexrec-board.js"},
    },
    "bin": {"hexrec-engine": "bin.js"},
    "engines": {"node": ">=20"},
    "sideEffects": ["./hexrec-board.js"],
    "keywords": ["board game", "hexagonal board", "rules", "move generation", "web component"],
}


def write(folder: Path) -> None:
    """Write a package into a directory: rules, `<hexrec-board>`, types, the engine for `hexrec conformance`."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "hexrec.js": assemble(with_grid=False),
        "hexrec.d.ts": declarations(),
        "hexrec-board.js": link("component"),
        "hexrec-board.d.ts": _read("hexrec.web", "hexrec-board.d.ts"),
        "package.json": json.dumps(_PACKAGE, indent=2) + "\n",
    }
    texts |= {name: _read("hexrec.javascript", name) for name in ("bin.js", "README.md")}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def write_modules(folder: Path) -> list[str]:
    """Write modules and style sheet into a directory; return the names that may be shortened in `<hexrec-board>`.

    Those of the rules may be shortened unless other modules, or the data in them, have them too.
    """
    folder.mkdir(parents=True, exist_ok=True)
    component = modules("component")
    for name, text in {**modules("page"), **modules("player"), **component}.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    (folder / "page.css").write_text(style_sheet(), encoding="utf-8")
    others = " ".join(text for name, text in component.items() if name != "rules")
    return sorted({*private_names()} - {*re.findall(r"\w+", others)})


def _read(package: str, name: str) -> str:
    return files(package).joinpath("static", name).read_text(encoding="utf-8")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["npm", folder]:
            write(Path(folder))
        case ["component", file]:
            Path(file).write_text(link("component"), encoding="utf-8")
        case ["modules", folder]:
            print("|".join(write_modules(Path(folder))))
        case ["names"]:
            print("|".join(private_names()))
        case _:
            sys.exit(__doc__)
