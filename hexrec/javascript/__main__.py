"""`python -m hexrec.javascript write FOLDER` writes a package for npm; `check FILE…` checks rules.

`module FILE` writes the module for the wheel, which also exports the grid, for rules of other games. `check` prints the
first construct of each file that is not in the subset, and exits with 1 if there is any. `names` prints the names that
a minifier may shorten, `types FILE` writes the types of the module of the page.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from hexrec.errors import Error
from hexrec.javascript import assemble, declarations, private_names, read_rules
from hexrec.javascript.translator import translate
from hexrec.util.version import __version__

_STATIC = Path(__file__).parent / "static"
_PACKAGE = {
    "name": "hexrec-games",
    "version": __version__,
    "description": "The rules of Sundraval, Sunspot, Frasvel, Valaturna and Nadraz",
    "license": "MIT",
    "type": "module",
    "exports": {".": {"types": "./hexrec.d.ts", "default": "./hexrec.js"}},
    "bin": {"hexrec-engine": "bin.js"},
    "engines": {"node": ">=20"},
    "sideEffects": False,
    "keywords": ["board game", "hexagonal board", "rules", "move generation"],
}


def check(files: list[str]) -> int:
    """Check files; return the number of those that are not in the subset."""
    problems = 0
    for file in files:
        try:
            translate(read_rules(Path(file), file))
        except Error as error:
            print(error, file=sys.stderr)
            problems += 1
    return problems


def write(folder: Path) -> None:
    """Write a package into a directory: the module with its types, and the engine for `hexrec conformance`."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "hexrec.js": assemble(with_grid=False),
        "hexrec.d.ts": declarations(),
        "package.json": json.dumps(_PACKAGE, indent=2) + "\n",
    }
    for name in ("bin.js", "README.md"):
        texts[name] = (_STATIC / name).read_text(encoding="utf-8")
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["write", folder]:
            write(Path(folder))
        case ["module", file]:
            Path(file).write_text(assemble(), encoding="utf-8")
        case ["types", file]:
            Path(file).write_text(declarations(with_boards=True), encoding="utf-8")
        case ["check", first, *others]:
            sys.exit(1 if check([first, *others]) else 0)
        case ["names"]:
            print("|".join(private_names()))
        case _:
            sys.exit(__doc__)
