"""What SGF's properties mean to a record, both ways: the root's and a move's raw values ⇄ plain data.

Reading is the measure of writing: what the properties of a record would not give back goes as JSON into `HJ`, and is
merged into the rest on reading. `docs/notations/sgf.md` has the tables in words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from hexrec import games
from hexrec._version import __version__
from hexrec.diagnostics import shorten
from hexrec.notations.json import parse as parse_json
from hexrec.notations.leftovers import difference, merge
from hexrec.notations.sgf.grammar import IDENTIFIER, escape, holds, is_raw, simple_value, text_value
from hexrec.record.model import FORMAT_VERSION, ordered

Raw = Mapping[str, list[str]]
#: The properties of the root that hold one value of a record, with its path.
ROOT_PATHS: Mapping[str, tuple[str, ...]] = {
    "SZ": ("size",),
    "HX": ("game",),
    "HV": ("ruleset",),
    "HT": ("variant",),
    "HC": ("coordinates",),
    "PB": ("players", "black", "name"),
    "BR": ("players", "black", "rating"),
    "PW": ("players", "white", "name"),
    "WR": ("players", "white", "rating"),
    "EV": ("event",),
    "PC": ("site",),
    "RO": ("round",),
    "AN": ("annotator",),
    "SO": ("source",),
    "GC": ("comment",),
    "DT": ("date",),
    "GN": ("x-id",),
    "HP": ("pie", "chosen"),
    "AB": ("opening", "black"),
    "AW": ("opening", "white"),
    "RE": ("result",),
    "HR": ("result",),
}
_TEXTS = tuple(name for name in ROOT_PATHS if name not in {"SZ", "HX", "HV", "BR", "WR", "GC", "DT", "RE", "HR"})
#: Said of every file anew, and so not kept.
_OF_THE_FILE = {"FF", "CA", "GM", "PL", "HJ"}
#: The annotations of a move that mean the same as a single numeric glyph.
_GLYPHS = {("TE", "1"): 1, ("BM", "1"): 2, ("TE", "2"): 3, ("BM", "2"): 4, ("IT", ""): 5, ("DO", ""): 6}
#: Stands for the text of a turn that SGF cannot hold, which then is in `HJ`.
_NO_TURN = "?"
_CLOCKS = {"B": "BL", "W": "WL"}
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SIZE = re.compile("[0-9]{1,9}")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(\.[0-9]{1,15})?")
_WINNERS = {"B": "black", "W": "white"}
_TERMINATIONS = {"R": "resignation", "T": "time", "F": "forfeit"}
_RESULT = re.compile(r"([BW])\+(?:(R|T|F)(?:ESIGN|IME|ORFEIT)?|[0-9]+(?:\.[0-9]+)?|)")


class PropertyError(ValueError):
    """A property that a record cannot have; `index` says which of its values."""

    def __init__(self, code: str, message: str, name: str, index: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.name = name
        self.index = index


def read_root(raw: Raw) -> dict[str, Any]:
    """Return the data of a record without its moves. Raises PropertyError."""
    data: dict[str, Any] = {"hexrec": FORMAT_VERSION, "game": _game(raw)}
    used = set(_OF_THE_FILE)
    if "HV" in raw:
        used.add("HV")
        ruleset = simple_value(raw["HV"][0])
        if not games.is_known(data["game"]) or ruleset != games.get(data["game"]).rulesets[0]:
            data["ruleset"] = ruleset
    if "SZ" in raw:
        size = simple_value(raw["SZ"][0]).strip()
        data["size"] = int(size) if _SIZE.fullmatch(size) else size
    for name in _TEXTS:
        if name in raw:
            _put(data, ROOT_PATHS[name], simple_value(raw[name][0]))
            used.add(name)
    for name in ("BR", "WR"):
        rating = _read_number(raw, name)
        if rating is not None:
            _put(data, ROOT_PATHS[name], rating)
            used.add(name)
    if "DT" in raw and _DATE.fullmatch(raw["DT"][0]):
        data["date"] = raw["DT"][0]
        used.add("DT")
    remark = next((name for name in ("GC", "C") if name in raw), None)
    if remark:
        data["comment"] = text_value(raw[remark][0])
        used.add(remark)
    used |= _read_result(raw, data)
    if "AP" in raw and simple_value(raw["AP"][0]).startswith("hexrec:"):
        used.add("AP")
    _check_setup(raw)
    _keep_rest(raw, used | {"SZ", "HX"}, data)
    if data.get("x-sgf", {}).get("RU") == [escape(rules_text(data))]:
        del data["x-sgf"]["RU"]
        if not data["x-sgf"]:
            del data["x-sgf"]
    return ordered(merge(data, _read_json(raw, "HJ", dict)))


def _game(raw: Raw) -> str:
    if "HX" in raw:
        return simple_value(raw["HX"][0]).strip()
    numbers = {games.get(name).sgf_number or 0: name for name in games.BUILT_IN}
    known = f"hexrec's games have HX or the numbers {min(numbers)} to {max(numbers)}"
    if "GM" not in raw:
        raise PropertyError("syntax/sgf-game", f"neither HX nor GM names the game: {known}", "")
    number = raw["GM"][0].strip()
    if not _SIZE.fullmatch(number):
        near = get_close_matches(number.lower(), games.names(), 1)
        what = f"write HX[{near[0]}] for {games.get(near[0]).title}" if near else known
        message = f"GM[{shorten(number, 20)}] should be a number, and the name of the game is in HX: {what}"
        raise PropertyError("syntax/sgf-game", message, "GM")
    if int(number) not in numbers:
        raise PropertyError("syntax/sgf-game", f"GM[{shorten(number, 20)}] is another game: {known}", "GM")
    return numbers[int(number)]


def _check_setup(raw: Raw) -> None:
    for name in ("AB", "AW"):
        if len(raw.get(name, ())) > 1:
            message = f"{name} sets {len(raw[name])} stones: no game starts with more than one stone of a colour"
            raise PropertyError("syntax/sgf-setup", message, name, 1)
    if "PL" in raw and raw["PL"][0].strip().lower() not in ("b", "black", "1"):
        raise PropertyError("syntax/sgf-setup", "PL should be B: Black has the first turn", "PL")


def _read_result(raw: Raw, data: dict[str, Any]) -> set[str]:
    """Put the result into the data; return the properties that it says all of."""
    if "HR" in raw:
        data["result"] = _read_json(raw, "HR", object)
    elif "RE" in raw:
        known = result_meaning(simple_value(raw["RE"][0]))
        if known is not None:
            data["result"] = known
    used = {"HR"}
    if "RE" in raw and simple_value(raw["RE"][0]) == result_text(data.get("result")):
        used.add("RE")
    return used


def result_meaning(text: str) -> dict[str, Any] | None:
    """Return the result that the text of `RE` means; None if it is unknown or means none."""
    text = text.strip().upper()
    if text in ("0", "DRAW"):
        return {"winner": "draw"}
    if text == "VOID":
        return {"termination": "abandoned"}
    found = _RESULT.fullmatch(text)
    if not found:
        return None
    meant = {"winner": _WINNERS[found[1]]}
    return meant | {"termination": _TERMINATIONS[found[2]]} if found[2] else meant


def result_text(result: Any) -> str | None:
    """Return the text of `RE` that is nearest to a result; None if there is no result."""
    if not isinstance(result, dict):
        return None if result is None else "?"
    winner, termination = result.get("winner"), result.get("termination", "rules")
    if winner == "draw":
        return "0"
    if winner not in ("black", "white"):
        return "Void" if termination == "abandoned" else "?"
    letter = "B" if winner == "black" else "W"
    short = next((key for key, value in _TERMINATIONS.items() if value == termination), "")
    return f"{letter}+{short}" if short else f"{letter}+{_difference(result.get('score'))}"


def _difference(score: Any) -> str:
    """Return by how much the winner's number is larger, as SGF writes it; an empty text where scores are lists."""
    try:
        text = f"{abs(score['black'] - score['white']):g}"
    except (TypeError, KeyError, OverflowError):
        return ""
    return text if _NUMBER.fullmatch(text) and text != "0" else ""


def rules_text(data: Mapping[str, Any]) -> str:
    """Return the text of `RU`: the game, its revision and its variant, for people."""
    if not games.is_known(data.get("game")):
        return ""
    game = games.get(data["game"])
    parts = (game.title, data.get("ruleset", game.rulesets[0]), data.get("variant"))
    return " ".join(part for part in parts if isinstance(part, str))


def write_root(data: dict[str, Any]) -> dict[str, list[str]]:
    """Return the properties of a record's root, given its data without the moves."""
    game = games.get(data["game"])
    raw = {"FF": ["4"], "CA": ["UTF-8"]}
    if game.sgf_number is not None:
        raw["GM"] = [str(game.sgf_number)]
    raw["AP"] = [f"hexrec:{__version__}"]
    raw["SZ"] = [str(data["size"])]
    raw["HX"] = [game.name]
    raw["HV"] = [escape(data.get("ruleset", game.rulesets[0]))]
    for name in ("HT", "HC"):
        _write_text(raw, name, data)
    raw["RU"] = [escape(rules_text(data))]
    for name in ("PB", "BR", "PW", "WR", "EV", "RO", "PC"):
        if name in ("BR", "WR"):
            _write_number(raw, name, _get(data, ROOT_PATHS[name]))
        else:
            _write_text(raw, name, data)
    date = data.get("date")
    if isinstance(date, str):
        raw["DT"] = [date[:10]]
    for name in ("GN", "AN", "SO"):
        _write_text(raw, name, data)
    if holds(data.get("comment"), lines=True):
        raw["GC"] = [escape(data["comment"])]
    _write_text(raw, "HP", data)
    if "opening" in data:
        raw["PL"] = ["B"]
        for name in ("AB", "AW"):
            _write_text(raw, name, data)
    result = data.get("result")
    text = result_text(result)
    if text is not None:
        raw["RE"] = [text]
        if json.dumps(result_meaning(text)) != json.dumps(result):
            raw["HR"] = [_json(result)]
    return _with_extra(raw, data, read_root)


def read_move(raw: Raw, colour: str) -> dict[str, Any]:
    """Return the data of a move of a colour, ``B`` or ``W``. Raises PropertyError."""
    data: dict[str, Any] = {"turn": simple_value(raw[colour][0])}
    used = {colour, "HJ"}
    if "C" in raw:
        data["comment"] = text_value(raw["C"][0])
        used.add("C")
    clock = _read_number(raw, _CLOCKS[colour])
    if clock is not None and clock >= 0:
        data["clock"] = clock
        used.add(_CLOCKS[colour])
    for name in ("TE", "BM", "IT", "DO"):
        glyph = _GLYPHS.get((name, raw[name][0])) if name in raw else None
        if glyph is not None and "nag" not in data:
            data["nag"] = [glyph]
            used.add(name)
    _keep_rest(raw, used, data)
    return ordered(merge(data, _read_json(raw, "HJ", dict))) if len(data) > 1 or "HJ" in raw else data


def move_paths(colour: str) -> Mapping[str, tuple[str, ...]]:
    """Return the properties of a move that hold one value, with its path."""
    return {colour: ("turn",), "C": ("comment",), _CLOCKS[colour]: ("clock",)} | {name: ("nag",) for name, _ in _GLYPHS}


def write_move(data: dict[str, Any], colour: str) -> dict[str, list[str]]:
    """Return the properties of a move without variations."""
    # A move without a text is a pass to every reader of SGF: what has no text that SGF holds is written as no turn is.
    raw = {colour: [escape(data["turn"]) if data["turn"].strip() and holds(data["turn"]) else _NO_TURN]}
    _write_number(raw, _CLOCKS[colour], data.get("clock"))
    for (name, value), glyph in _GLYPHS.items():
        if data.get("nag") == [glyph]:
            raw[name] = [value]
    if holds(data.get("comment"), lines=True):
        raw["C"] = [escape(data["comment"])]
    return _with_extra(raw, data, lambda found: read_move(found, colour))


def _with_extra(raw: dict[str, list[str]], data: dict[str, Any], read: Any) -> dict[str, list[str]]:
    """Return the properties with those that the record keeps from elsewhere, and `HJ` for what is still missing."""
    found = read(raw)
    kept = data.get("x-sgf")
    if not isinstance(kept, dict) or not all(_is_property(name, values) for name, values in kept.items()):
        kept = {}
    if kept and raw.keys() & kept.keys() <= {"RE", "RU", "AP"}:
        # Those that are in both go to their place among the kept ones.
        trial = {name: values for name, values in raw.items() if name not in kept} | kept
        found_too = read(trial)
        if json.dumps(found_too.get("x-sgf")) == json.dumps(kept):
            raw, found = trial, found_too
    missing = difference(data, found)
    return raw | {"HJ": [_json(missing)]} if missing else raw


def _is_property(name: str, values: Any) -> bool:
    if IDENTIFIER.fullmatch(name) is None or not isinstance(values, list) or not values:
        return False
    return name not in ("B", "W", "FF", "CA", "GM", "PL", "HJ") and all(is_raw(value) for value in values)


def _keep_rest(raw: Raw, used: set[str], data: dict[str, Any]) -> None:
    rest = {name: list(values) for name, values in raw.items() if name not in used}
    if rest:
        data["x-sgf"] = rest


def _read_json(raw: Raw, name: str, kind: type) -> Any:
    if name not in raw:
        return {}
    document = parse_json(text_value(raw[name][0]))
    if document.error is not None:
        raise PropertyError("syntax/sgf", f"{name} should hold JSON: {document.error.message}", name)
    if not isinstance(document.data, kind):
        raise PropertyError("syntax/sgf", f"{name} should hold an object of JSON", name)
    return document.data


def _json(value: Any) -> str:
    return escape(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _read_number(raw: Raw, name: str) -> int | float | None:
    found = _NUMBER.fullmatch(raw[name][0]) if name in raw else None
    if found is None:
        return None
    return float(found[0]) if found[1] else int(found[0])


def _write_number(raw: dict[str, list[str]], name: str, value: Any) -> None:
    if type(value) in (int, float) and abs(value) < 10**15 and _NUMBER.fullmatch(repr(value)):
        raw[name] = [repr(value)]


def _write_text(raw: dict[str, list[str]], name: str, data: dict[str, Any]) -> None:
    text = _get(data, ROOT_PATHS[name])
    if holds(text):
        raw[name] = [escape(text)]


def _get(data: Any, path: tuple[str, ...]) -> Any:
    for step in path:
        data = data.get(step) if isinstance(data, dict) else None
    return data


def _put(data: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    for step in path[:-1]:
        data = data.setdefault(step, {})
    data[path[-1]] = value
