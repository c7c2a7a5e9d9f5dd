"""The rules in JavaScript: one ES module with all built-in games, assembled without other programs.

The rules are translated from `hexrec/rules/grid.py` and the `rules.py` of each game. The files in `static` have boards,
position texts, hashes, and `game.js`, the public face. The descriptions of the games come from Python.

`python -m hexrec.javascript` writes the module, and checks that rules are in the subset.
"""

from __future__ import annotations

import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

from hexrec.errors import Error
from hexrec.javascript.declarations import declare
from hexrec.javascript.runtime import CHECKS, RUNTIME
from hexrec.javascript.subset import Module, NotInSubset, read_module
from hexrec.javascript.translator import translate
from hexrec.rules import games
from hexrec.rules.game import Game
from hexrec.rules.position import Position

_RULES = Path(games.__file__).parents[1]
_STATIC = Path(__file__).parent / "static"
#: The module in an installed package.
_BUILT = Path(__file__).parent / "hexrec.js"
#: The files in `static`, each after those that it imports; `rules` and `games` are generated.
_PARTS = ("blake2b", "rules", "board", "errors", "position-text", "games", "game")
#: The attributes and methods of grids for users of the package, such as bots.
_GRID = """
at canonical cells code contents fields heights last legal_turns moves named_cells passed play plies points ranking
read restore save side span steps tables variant winner write
"""
GRID = frozenset(_GRID.split())
#: The names that the module exports, for the package alone.
_EXPORTS = ("gameHash", "games", "IllegalOpening", "IllegalSetup", "IllegalTurn", "newGame", "Position")
#: The names for the page: the boards, and the rules by game and ruleset.
_BOARDS = ("boardOf", "cellPattern", "RULES")
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./[\w-]+\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:function|const|class) )", re.MULTILINE)


def read_rules(path: Path, file: str | None = None) -> Module:
    """Return the module of a `rules.py`, which may import the grid. Raises NotInSubset, as `translate` does."""
    return read_module(path.read_text(encoding="utf-8"), file or str(path), {"hexrec.rules.grid": _grid()})


@cache
def _grid() -> Module:
    module = read_module((_RULES / "grid.py").read_text(encoding="utf-8"), "hexrec/rules/grid.py", {})
    translate(module)
    return module


@cache
def _modules() -> list[Module]:
    """Return the grid and the rules of the built-in games, whose names must differ from each other."""
    defined: dict[str, str] = {}
    paths = [f"games/{name}/rules.py" for name in games.BUILT_IN]
    modules = [_grid(), *[read_rules(_RULES / path, f"hexrec/rules/{path}") for path in paths]]
    for module in modules:
        for name in translate(module).names:
            if name in defined:
                raise Error(f"{module.file}: {name} is defined in {defined[name]}, too: choose another name")
            defined[name] = module.file
    return modules


def describe(game: Game) -> dict[str, Any]:
    """Return the description of a game as data for JavaScript."""
    return {
        "name": game.name,
        "title": game.title,
        "rulesets": [
            {"name": rules.name, "sizes": list(rules.sizes), "readings": [reading.name for reading in rules.readings]}
            for rules in map(game.ruleset, game.rulesets)
        ],
        "recommended": list(game.recommended),
        "opening": list(game.opening),
        "variants": list(game.variants),
        "turn": game.turn,
        "example": game.example,
        "score": game.score,
        "hasPass": "pass" in game.turn,
        "hasStacks": game.has_stacks,
        "surface": game.surface,
        "piece": game.piece,
        "positionFields": [list(field.values) for field in game.position_fields],
        "synonyms": game.synonyms,
    }


def module() -> str:
    """Return the ES module. The wheel has it; in a source tree it is translated."""
    return _BUILT.read_text(encoding="utf-8") if _BUILT.is_file() else assemble()


@cache
def assemble(*, checked: bool = False, with_grid: bool = True) -> str:
    """Translate the rules and return the ES module.

    A checked one, for tests, throws where an index or an operand is not in the subset. With the grid, the module
    exports it for rules of other games, and the boards for the page.
    """
    rules = RUNTIME + CHECKS * checked + "".join(translate(each, checked=checked).code for each in _modules())
    known = [games.get(name) for name in games.BUILT_IN]
    classes = ", ".join(
        f'"{game.name} {rules.name}": {rules.rules.__name__}'
        for game in known
        for rules in map(game.ruleset, game.rulesets)
    )
    descriptions = json.dumps({game.name: describe(game) for game in known}, ensure_ascii=False)
    generated = {"rules": rules, "games": f"const games = {descriptions};\nconst RULES = {{ {classes} }};\n"}
    texts = [generated.get(part) or (_STATIC / f"{part}.js").read_text(encoding="utf-8") for part in _PARTS]
    exported = ", ".join([*_EXPORTS, *((*translate(_grid()).names, *_BOARDS) if with_grid else ())])
    return "".join([_EXPORT.sub("", _IMPORT.sub("", text)) for text in texts]) + f"export {{ {exported} }};\n"


def add_plug_ins() -> str:
    """Return statements that add games of plug-ins to those of the module with the grid, whose exports they use.

    Left out are games whose rules are not in the subset, games on boards of their own, and those that enter turns in a
    way of their own: their `Position` overrides `_parts`. The description says whether a game has marks of its own,
    which are in Python only.
    """
    others = [games.get(name) for name in games.names() if name not in games.BUILT_IN]
    return "".join(f"{{\n{text}}}\n" for text in map(_add_game, others) if text)


def _add_game(game: Game) -> str | None:
    """Return the rules of a game of a plug-in, and the statements that add it; None if the page has to ask for it."""
    kinds = {rules.name: rules.rules for rules in map(game.ruleset, game.rulesets)}
    modules = {kind.__module__ for kind in kinds.values()}
    is_usual = game.board is games.get(games.BUILT_IN[0]).board and game.position._parts is Position._parts
    if len(modules) != 1 or not is_usual:
        return None
    # The source of a compiled module is in the same directory.
    file = Path(str(sys.modules[modules.pop()].__file__))
    try:
        translated = translate(read_rules(file.with_name(f"{file.name.partition('.')[0]}.py")))
    except (NotInSubset, OSError):
        return None
    marks = ("_turn_effects", "_highlights")
    has_marks = any(getattr(game.position, name) is not getattr(Position, name) for name in marks)
    description = json.dumps({**describe(game), "hasMarks": has_marks}, ensure_ascii=False)
    added = "".join(f"RULES[{json.dumps(f'{game.name} {name}')}] = {kind.__name__};\n" for name, kind in kinds.items())
    return f"{translated.code}games[{json.dumps(game.name)}] = {description};\n{added}"


def private_names() -> list[str]:
    """Return the names of attributes and methods of grids that no user of the package needs: they can be shortened."""
    named = {
        name for each in _modules() for known in each.classes.values() for name in (*known.attributes, *known.methods)
    }
    written = " ".join([path.read_text(encoding="utf-8") for path in _STATIC.glob("*.js")])
    described = json.dumps([describe(games.get(name)) for name in games.BUILT_IN])
    return sorted(named - {*GRID, "__init__", *re.findall(r"\w+", written + described + RUNTIME)})


@cache
def declarations(*, with_boards: bool = False) -> str:
    """Return the TypeScript declarations of the package, or of the module of the page, which exports the boards too."""
    names = " | ".join(f'"{name}"' for name in games.BUILT_IN)
    text = (_STATIC / "hexrec.d.ts").read_text(encoding="utf-8").replace('"GAMES"', names)
    boards = (_STATIC / "boards.d.ts").read_text(encoding="utf-8") if with_boards else ""
    return f"{text}{boards}\n{declare(_grid(), GRID)}\n"
