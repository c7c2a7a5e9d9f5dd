"""Convert the properties of the root of an SGF game: the game, its players and setup.

A *setup* is the stones and the side to move set before the first turn, unless they are an opening.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from hexrec.formats.field_table import TextField, get
from hexrec.formats.sgf.grammar import PropertyError, escape, simple_value, text_value
from hexrec.formats.sgf.properties import (
    COMMENT,
    Raw,
    add_leftovers,
    number_field,
    read_fields,
    read_json,
    read_marks,
    text_field,
    write_json,
    write_missing,
)
from hexrec.formats.sgf.result import check_result, result_meaning, result_text
from hexrec.formats.sgf.time_control import read_time, write_time
from hexrec.rules import games, position_text
from hexrec.rules.board import SYSTEMS
from hexrec.rules.game import Game
from hexrec.rules.terms import COLORS, IllegalSetup
from hexrec.util.diagnostics import close_matches, shorten
from hexrec.util.version import FORMAT_VERSION, __version__

#: Properties that are not preserved, since the writer sets them again.
_SET_AGAIN = {"FF", "CA", "GM", "HX", "PL", "HR", "HJ"}
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}|(?!0000)[0-9]{4}(?:-(?:0[1-9]|1[0-2]))?")
_SIZE = re.compile("[0-9]{1,9}")
#: The properties that set the stones of Black and White.
STONES = ("AB", "AW")
STONES_AND_SIDE = frozenset((*STONES, "PL"))
_SIDES = {"b": 0, "black": 0, "1": 0, "w": 1, "white": 1, "2": 1}


def _read_size(raw: str) -> int | str:
    size = simple_value(raw).strip()
    return int(size) if _SIZE.fullmatch(size) else size


#: The properties of the root in the order of the writer; None for properties that are not one field of a record.
ROOT: Mapping[str, TextField | None] = {
    "FF": None,
    "CA": None,
    "GM": None,
    "AP": None,
    "SZ": TextField(("size",), str, _read_size),
    "HX": TextField(("game",), str, simple_value),
    "HV": text_field("ruleset"),
    "HT": text_field("variant"),
    "HG": TextField(
        ("readings",),
        lambda readings: readings and ", ".join(readings),
        lambda raw: re.findall(r"[^\s,]+", simple_value(raw)),
    ),
    "HC": text_field("coordinates"),
    "RU": None,
    "PB": text_field("players", "black", "name"),
    "BR": number_field("players", "black", "rating"),
    "BT": text_field("players", "black", "team"),
    "PW": text_field("players", "white", "name"),
    "WR": number_field("players", "white", "rating"),
    "WT": text_field("players", "white", "team"),
    "EV": text_field("event"),
    "RO": text_field("round"),
    "PC": text_field("site"),
    "DT": TextField(("date",), lambda date: date and date[:10], lambda raw: raw if _DATE.fullmatch(raw) else None),
    "GN": text_field("id"),
    "AN": text_field("annotator"),
    "SO": text_field("source"),
    "GC": COMMENT,
    "HP": text_field("pie", "chosen"),
    "PL": None,
    "AB": text_field("opening", "black"),
    "AW": text_field("opening", "white"),
    "RE": None,
    "HR": None,
}
#: The properties of the root with one value of a record, and its path.
ROOT_PATHS = {name: field.path for name, field in ROOT.items() if field} | {"RE": ("result",), "HR": ("result",)}


def read_root(raw: Raw) -> dict[str, Any]:
    """Convert the properties of the root to the data of a record without its moves. Raises PropertyError."""
    data: dict[str, Any] = {"hexrec": FORMAT_VERSION, "game": _game(raw)}
    used = _SET_AGAIN | read_fields(ROOT, raw, data)
    if games.is_known(data["game"]) and data.get("ruleset") == games.get(data["game"]).rulesets[0]:
        del data["ruleset"]
    if "comment" not in data and "C" in raw:
        data["comment"] = text_value(raw["C"][0])
        used.add("C")
    if "HR" in raw:
        data["result"] = read_json(raw, "HR", object)
    elif "RE" in raw and (meant := result_meaning(simple_value(raw["RE"][0]))) is not None:
        data["result"] = meant
    if "RE" in raw and simple_value(raw["RE"][0]) == result_text(data.get("result")):
        used.add("RE")
    if "AP" in raw and simple_value(raw["AP"][0]).startswith("hexrec:"):
        used.add("AP")
    if (setup := _read_setup(raw, data)) is not None:
        data.pop("opening", None)
        data["setup"] = setup
        used |= STONES_AND_SIDE & raw.keys()
    if raw.get("RU") == [escape(_rules_text(data))]:
        used.add("RU")
    used |= read_marks(raw, data) | read_time(raw, data)
    more = read_json(raw, "HJ", dict)
    if "moves" in more:
        raise PropertyError("syntax/sgf", "HJ should not contain moves: they are the nodes after the first", "HJ")
    data = add_leftovers(data, raw, used, more)
    check_result(raw, data.get("result"), "HJ" if "result" in more else "HR")
    return data


#: The best known games with a number in SGF.
_OTHER_GAMES = {1: "Go", 2: "Othello", 3: "chess", 4: "Gomoku", 6: "backgammon", 8: "shogi", 11: "Hex", 35: "Zertz"}


def _game(raw: Raw) -> str:
    if "HX" in raw:
        return simple_value(raw["HX"][0]).strip()
    numbers = {games.get(name).sgf_number: name for name in games.BUILT_IN}
    known = f"hexrec's games have HX or the numbers {min(filter(None, numbers))} to {max(filter(None, numbers))}"
    if "GM" not in raw:
        message = f"neither HX nor GM names the game, so this is Go, which hexrec does not have: {known}"
        raise PropertyError("syntax/sgf-game", message, "")
    number = raw["GM"][0].strip()
    if not _SIZE.fullmatch(number):
        near = close_matches(number.lower(), games.names(), 1)
        fix = f"write HX[{near[0]}] for {games.get(near[0]).title}" if near else known
        message = f"GM[{shorten(number, 20)}] should be a number, and the name of the game is in HX: {fix}"
        raise PropertyError("syntax/sgf-game", message, "GM")
    # Packages are searched only for a number that no built-in game has.
    name = numbers.get(int(number)) or {games.get(name).sgf_number: name for name in games.names()}.get(int(number))
    if name is None:
        other = _OTHER_GAMES.get(int(number), "another game")
        message = f"this is {other} (GM[{shorten(number, 20)}]), which hexrec does not have: {known}"
        raise PropertyError("syntax/sgf-game", message, "GM")
    return name


def _rules_text(data: Mapping[str, Any]) -> str:
    """Return the value of `RU`: the title of the game, its ruleset and its variant."""
    if not games.is_known(data.get("game")):
        return ""
    game = games.get(data["game"])
    parts = (game.title, data.get("ruleset", game.rulesets[0]), data.get("variant"))
    return " ".join(part for part in parts if isinstance(part, str))


def write_root(data: dict[str, Any]) -> dict[str, list[str]]:
    """Convert the data of a record without its moves to the properties of the root."""
    game = games.get(data["game"])
    result = data.get("result")
    text = result_text(result)
    exact = text is None or json.dumps(result_meaning(text)) == json.dumps(result)
    computed = {
        "FF": "4",
        "CA": "UTF-8",
        "GM": None if game.sgf_number is None else str(game.sgf_number),
        "AP": f"hexrec:{__version__}",
        "RU": escape(_rules_text(data)),
        "PL": "B" if "opening" in data else None,
        "RE": text,
        "HR": None if exact else write_json(result),
    }
    whole = {"ruleset": game.rulesets[0], **data}
    texts = {name: field.encode(get(whole, field.path)) if field else computed[name] for name, field in ROOT.items()}
    raw = {name: [text] for name, text in texts.items() if text is not None}
    raw |= write_time(data.get("time_control", [])) | (_write_setup(data) if "setup" in data else {})
    return write_missing(raw, data, read_root)


def _read_setup(raw: Raw, data: Mapping[str, Any]) -> str | None:
    """Return the position text that properties set, or None for an opening.

    `data` is the other data of the record. Stones have height 1, there are no passes, and the game's
    own fields have their first value.
    Raises PropertyError if there is no such position.
    """
    name, size, system = data.get("game"), data.get("size"), data.get("coordinates", "row")
    if STONES_AND_SIDE.isdisjoint(raw) or not games.is_known(name) or system not in SYSTEMS:
        return None
    game = games.get(str(name))
    side = _SIDES.get(raw["PL"][0].strip().lower()) if "PL" in raw else 0
    if side is None:
        raise PropertyError("syntax/sgf-setup", "PL should be B or W, for the side to move", "PL")
    if size is None or size not in game.sizes or _is_opening(game, [len(raw.get(name, ())) for name in STONES], side):
        return None
    board = game.board(size)
    contents = [0] * board.span
    for color, name in enumerate(STONES):
        for index, value in enumerate(raw.get(name, ())):
            cell = board.names(system).find(simple_value(value))
            if cell is None or contents[cell]:
                problem = "is not a cell of the board" if cell is None else "has a stone already"
                raise PropertyError("syntax/sgf-setup", f"{shorten(value, 20)} {problem}", name, index)
            contents[cell] = 1 + color
    return position_text.write(board, contents, side, 0, [field.values[0] for field in game.position_fields])


def _write_setup(data: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the properties that set the stones and the side to move, or none if SGF cannot represent the setup."""
    game = games.get(data["game"])
    try:
        position = game.start(data["size"], ruleset=data.get("ruleset"), position=data["setup"])
    except IllegalSetup:
        return {}
    name_of = position.board.names(data.get("coordinates", "row")).single
    side = COLORS.index(position.turn)
    stones = sorted(position.stacks().items())
    cells = [[name_of(cell) for cell, stone in stones if stone.color == color] for color in range(len(STONES))]
    if any(stone.height > 1 for _, stone in stones) or _is_opening(game, [len(names) for names in cells], side):
        return {}
    return {"PL": ["BW"[side]]} | {name: names for name, names in zip(STONES, cells, strict=True) if names}


def _is_opening(game: Game, counts: list[int], side: int) -> bool:
    """Return whether numbers of stones by color, and a side to move, may be those of an opening."""
    most = [int(color in game.opening) for color in COLORS]
    return side == 0 and all(count <= limit for count, limit in zip(counts, most, strict=True))
