"""Convert the properties of SGF to the data of a record, and data to properties: of the root and of moves.

The writer reads its own properties, and writes the data that they do not preserve as JSON in `HJ`. The reader merges
it into the rest. `docs/formats/sgf.md` describes the tables.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from difflib import get_close_matches
from functools import partial
from math import inf
from typing import Any

from hexrec.formats.base import FormatError, LocatedText, Margin
from hexrec.formats.field_table import TextField, difference, get, merge, set_path
from hexrec.formats.json import parse as parse_json
from hexrec.formats.sgf.combined import (
    STONES_AND_SIDE,
    read_marks,
    read_setup,
    read_time,
    write_marks,
    write_setup,
    write_time,
)
from hexrec.formats.sgf.grammar import IDENTIFIER, PropertyError, can_hold, escape, is_raw, simple_value, text_value
from hexrec.rules import games
from hexrec.util.diagnostics import shorten
from hexrec.util.version import FORMAT_VERSION, __version__

Raw = Mapping[str, list[str]]
#: Properties about the file, which the writer sets again, so that they are not preserved.
_OF_THE_FILE = {"FF", "CA", "GM", "HX", "PL", "HJ"}
#: Placeholder for a turn that SGF cannot represent, which is in `HJ`.
_NO_TURN = "?"
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}|(?!0000)[0-9]{4}(?:-(?:0[1-9]|1[0-2]))?")
_SIZE = re.compile("[0-9]{1,9}")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})(\.[0-9]{1,15})?")
_WINNERS = {"B": "black", "W": "white"}
_TERMINATIONS = {"R": "resignation", "T": "time", "F": "forfeit"}
_RESULT = re.compile(r"([BW])\+(?:(R|T|F)(?:ESIGN|IME|ORFEIT)?|([0-9]+(?:\.[0-9]+)?)|)")


def _write_text(value: Any, *, lines: bool = False) -> str | None:
    if not can_hold(value, lines=lines):
        return None
    # Programs such as SGFC strip whitespace around values and delete values of whitespace: `HJ` preserves these.
    return escape(value.strip(" \n")) or None


def _write_turn(value: str) -> str:
    # An empty move is a pass to every SGF reader, so a turn that SGF cannot represent needs a placeholder.
    return escape(value) if value.strip() and can_hold(value) else _NO_TURN


def _write_number(value: Any) -> str | None:
    written = type(value) in (int, float) and abs(value) < 10**15 and _NUMBER.fullmatch(repr(value))
    return repr(value) if written else None


def _read_size(raw: str) -> int | str:
    size = simple_value(raw).strip()
    return int(size) if _SIZE.fullmatch(size) else size


def _glyph(meanings: dict[str, int]) -> TextField:
    """Return the field of an annotation, each of whose values is equivalent to one numeric glyph."""
    return TextField(
        ("nag",),
        lambda glyphs: next((text for text, glyph in meanings.items() if glyphs == [glyph]), None),
        lambda raw: [meanings[raw]] if raw in meanings else None,
    )


def _simple_text(*path: str) -> TextField:
    return TextField(path, _write_text, simple_value)


def _number(*path: str, minimum: float = -inf, maximum: float = inf) -> TextField:
    def read(raw: str) -> int | float | None:
        if (match := _NUMBER.fullmatch(raw)) is None:
            return None
        value = float(raw) if match[1] else int(raw)
        return value if minimum <= value <= maximum else None

    return TextField(path, _write_number, read)


_COMMENT = TextField(("comment",), partial(_write_text, lines=True), text_value)
#: The properties of the root in the order of the writer; None for properties that are not one field of a record.
ROOT: Mapping[str, TextField | None] = {
    "FF": None,
    "CA": None,
    "GM": None,
    "AP": None,
    "SZ": TextField(("size",), str, _read_size),
    "HX": TextField(("game",), str, simple_value),
    "HV": _simple_text("ruleset"),
    "HT": _simple_text("variant"),
    "HC": _simple_text("coordinates"),
    "RU": None,
    "PB": _simple_text("players", "black", "name"),
    "BR": _number("players", "black", "rating"),
    "BT": _simple_text("players", "black", "team"),
    "PW": _simple_text("players", "white", "name"),
    "WR": _number("players", "white", "rating"),
    "WT": _simple_text("players", "white", "team"),
    "EV": _simple_text("event"),
    "RO": _simple_text("round"),
    "PC": _simple_text("site"),
    "DT": TextField(("date",), lambda date: date and date[:10], lambda raw: raw if _DATE.fullmatch(raw) else None),
    "GN": _simple_text("id"),
    "AN": _simple_text("annotator"),
    "SO": _simple_text("source"),
    "GC": _COMMENT,
    "HP": _simple_text("pie", "chosen"),
    "PL": None,
    "AB": _simple_text("opening", "black"),
    "AW": _simple_text("opening", "white"),
    "RE": None,
    "HR": None,
}
#: The properties that annotate a move. Programs that support only Go reject the moves and delete these properties.
_ANNOTATIONS = {"TE": {"1": 1, "2": 3}, "BM": {"1": 2, "2": 4}, "IT": {"": 5}, "DO": {"": 6}}
#: The properties of a move by its color, in the order of the writer.
MOVE: Mapping[str, Mapping[str, TextField]] = {
    color: {
        color: TextField(("turn",), _write_turn, simple_value),
        clock: _number("clock", minimum=0),
        "V": _number("eval", "value", minimum=-1, maximum=1),
        **{name: _glyph(meanings) for name, meanings in _ANNOTATIONS.items()},
        "C": _COMMENT,
    }
    for color, clock in (("B", "BL"), ("W", "WL"))
}
#: The properties of the root with one value of a record, and its path.
ROOT_PATHS = {name: field.path for name, field in ROOT.items() if field} | {"RE": ("result",), "HR": ("result",)}


def read_root(raw: Raw) -> dict[str, Any]:
    """Convert the properties of the root to the data of a record without its moves. Raises PropertyError."""
    data: dict[str, Any] = {"hexrec": FORMAT_VERSION, "game": _game(raw)}
    used = _OF_THE_FILE | _read_fields(ROOT, raw, data)
    if games.is_known(data["game"]) and data.get("ruleset") == games.get(data["game"]).rulesets[0]:
        del data["ruleset"]
    if "comment" not in data and "C" in raw:
        data["comment"] = text_value(raw["C"][0])
        used.add("C")
    used |= _read_result(raw, data)
    if "AP" in raw and simple_value(raw["AP"][0]).startswith("hexrec:"):
        used.add("AP")
    if (setup := read_setup(raw, data)) is not None:
        data.pop("opening", None)
        data["setup"] = setup
        used |= STONES_AND_SIDE & raw.keys()
    if raw.get("RU") == [escape(rules_text(data))]:
        used.add("RU")
    used |= read_marks(raw, data) | read_time(raw, data)
    more = _read_json(raw, "HJ", dict)
    if "moves" in more:
        raise PropertyError("syntax/sgf", "HJ should not contain moves: they are the nodes after the first", "HJ")
    data = _add_leftovers(data, raw, used, more)
    _check_result(raw, data.get("result"), "HJ" if "result" in more else "HR")
    return data


def _read_fields(table: Mapping[str, TextField | None], raw: Raw, data: dict[str, Any]) -> set[str]:
    """Add the values of properties in a table to the data, if missing there; return the names of those used."""
    used = set()
    for name, field in table.items():
        if field is not None and name in raw and get(data, field.path) is None:
            value = field.decode(raw[name][0])
            if value is not None:
                set_path(data, field.path, value)
                used.add(name)
    return used


def _game(raw: Raw) -> str:
    if "HX" in raw:
        return simple_value(raw["HX"][0]).strip()
    numbers = {games.get(name).sgf_number: name for name in games.BUILT_IN}
    known = f"hexrec's games have HX or the numbers {min(filter(None, numbers))} to {max(filter(None, numbers))}"
    if "GM" not in raw:
        raise PropertyError("syntax/sgf-game", f"neither HX nor GM names the game: {known}", "")
    number = raw["GM"][0].strip()
    if not _SIZE.fullmatch(number):
        near = get_close_matches(number.lower(), games.names(), 1)
        fix = f"write HX[{near[0]}] for {games.get(near[0]).title}" if near else known
        message = f"GM[{shorten(number, 20)}] should be a number, and the name of the game is in HX: {fix}"
        raise PropertyError("syntax/sgf-game", message, "GM")
    # Packages are searched only for a number that no built-in game has.
    name = numbers.get(int(number)) or {games.get(name).sgf_number: name for name in games.names()}.get(int(number))
    if name is None:
        raise PropertyError("syntax/sgf-game", f"GM[{shorten(number, 20)}] is another game: {known}", "GM")
    return name


def _read_result(raw: Raw, data: dict[str, Any]) -> set[str]:
    """Add the result to the data; return the properties that it represents completely."""
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


def _check_result(raw: Raw, result: Any, source: str) -> None:
    """Raise PropertyError if values of `RE` or `HR` contradict the result, which comes from `RE` or from `source`."""
    texts = [simple_value(value) for value in raw.get("RE", ())]
    for index, text in enumerate(texts):
        if _contradicts(text, result) or _margin(text) not in (None, _margin(texts[0])):
            other = f"RE[{shorten(texts[0], 30)}]" if index else source
            message = f"RE[{shorten(text, 30)}] contradicts {other}: keep the result that is right"
            raise PropertyError("syntax/sgf-result", message, "RE", index)
    for index, value in enumerate(raw.get("HR", ())):
        if _read_json({"HR": [value]}, "HR", object) != _read_json(raw, "HR", object):
            message = "two values of HR contradict each other: keep the result that is right"
            raise PropertyError("syntax/sgf-result", message, "HR", index)


def _contradicts(text: str, result: Any) -> bool:
    """Return whether a value of `RE` contradicts a result. An unknown value does not."""
    meant = result_meaning(text)
    if meant is None or not isinstance(result, dict | None):
        return False
    stated = result or {}
    margin, difference = _margin(text), _difference(stated.get("score"))
    if margin is not None and difference and margin != float(difference):
        return True
    return any(stated.get(name) != value for name, value in meant.items())


def result_meaning(text: str) -> dict[str, Any] | None:
    """Return the result for a value of `RE`, or None if the value is unknown or has no result."""
    text = text.strip().upper()
    if text in ("0", "DRAW"):
        return {"winner": "draw"}
    if text == "VOID":
        return {"termination": "abandoned"}
    match = _RESULT.fullmatch(text)
    if not match:
        return None
    meant = {"winner": _WINNERS[match[1]]}
    return meant | {"termination": _TERMINATIONS[match[2]]} if match[2] else meant


def read_margin(raw: Raw) -> Margin | None:
    """Return the margin of the win in `RE`, or None if it has no margin."""
    text = simple_value(raw["RE"][0]) if "RE" in raw else ""
    margin = _margin(text)
    return None if margin is None else Margin(margin, f"RE[{shorten(text.strip(), 30)}]", ("x-sgf", "RE"))


def _margin(text: str) -> float | None:
    match = _RESULT.fullmatch(text.strip().upper())
    return float(match[3]) if match and match[3] else None


def result_text(result: Any) -> str | None:
    """Return the value of `RE` that is closest to a result, or None without a result."""
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
    """Return the margin of the win as SGF writes it, or an empty string if the scores are arrays."""
    try:
        text = f"{abs(score['black'] - score['white']):g}"
    except (TypeError, KeyError, OverflowError):
        return ""
    return text if _NUMBER.fullmatch(text) and text != "0" else ""


def rules_text(data: Mapping[str, Any]) -> str:
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
        "RU": escape(rules_text(data)),
        "PL": "B" if "opening" in data else None,
        "RE": text,
        "HR": None if exact else _json(result),
    }
    whole = {"ruleset": game.rulesets[0], **data}
    texts = {name: field.encode(get(whole, field.path)) if field else computed[name] for name, field in ROOT.items()}
    more = write_time(data.get("time_control", [])) | (write_setup(data) if "setup" in data else {})
    return _with_extra(texts, data, read_root, more)


def read_move(raw: Raw, color: str) -> dict[str, Any]:
    """Convert properties to the data of a move of a color, ``B`` or ``W``. Raises PropertyError."""
    data: dict[str, Any] = {}
    used = {"HJ"} | _read_fields(MOVE[color], raw, data) | read_marks(raw, data)
    more = _read_json(raw, "HJ", dict)
    if "nag" in data and _is_annotation(more.get("nag")):
        del more["nag"]  # written twice: the property wins, in case that another program has changed it
    return _add_leftovers(data, raw, used, more)


def _add_leftovers(data: dict[str, Any], raw: Raw, used: set[str], more: dict[str, Any]) -> dict[str, Any]:
    """Return the data with properties that have not been used and `more`, the data in `HJ`. Raises PropertyError."""
    leftovers = {name: list(values) for name, values in raw.items() if name not in used}
    if leftovers:
        data["x-sgf"] = leftovers
        if not isinstance(more.get("x-sgf", {}), dict):
            message = f"in HJ, x-sgf should be an object, so that it can take {next(iter(leftovers))}, too"
            raise PropertyError("syntax/sgf", message, "HJ")
    return merge(data, more)


def _is_annotation(glyphs: Any) -> bool:
    """Return whether numeric glyphs are a single glyph for which a move has a property."""
    return any(glyphs == [glyph] for meanings in _ANNOTATIONS.values() for glyph in meanings.values())


def write_move(data: dict[str, Any], color: str) -> dict[str, list[str]]:
    """Convert a move without variations to properties."""
    texts = {name: field.encode(get(data, field.path)) for name, field in MOVE[color].items()}
    twice = {"nag": data["nag"]} if _is_annotation(data.get("nag")) else {}
    return _with_extra(texts, data, lambda raw: read_move(raw, color), twice=twice)


def _with_extra(
    texts: Mapping[str, str | None],
    data: dict[str, Any],
    read: Any,
    more: Raw | None = None,
    twice: dict[str, Any] | None = None,
) -> dict[str, list[str]]:
    """Return the properties with a value, the preserved properties of the source, and `HJ` for data still missing.

    Data in `twice` is always in `HJ`.
    """
    raw = {name: [text] for name, text in texts.items() if text is not None}
    raw |= {**(more or {}), **write_marks(data.get("marks", ()))}
    kept = data.get("x-sgf")
    if not isinstance(kept, dict) or not all(_is_property(name, values) for name, values in kept.items()):
        kept = {}
    if kept and raw.keys() & kept.keys() <= {"RE", "RU", "AP"}:
        # Properties in both keep their place among the preserved ones, unless these change the data of the record.
        trial = {name: values for name, values in raw.items() if name not in kept} | kept
        with suppress(PropertyError):
            whole = _complete(trial, data, read, twice)
            kept_again = read(trial).get("x-sgf")
            if json.dumps(kept_again) == json.dumps(kept) and not difference(read(whole), data):
                return whole
    return _complete(raw, data, read, twice)


def _complete(
    raw: dict[str, list[str]], data: dict[str, Any], read: Any, twice: dict[str, Any] | None
) -> dict[str, list[str]]:
    """Return properties with `HJ` for the data that they do not represent. Raises PropertyError."""
    missing = difference(data, read(raw)) | (twice or {})
    return raw | {"HJ": [_json(missing)]} if missing else raw


def _is_property(name: str, values: Any) -> bool:
    if IDENTIFIER.fullmatch(name) is None or not isinstance(values, list) or not values:
        return False
    return name not in ("B", "W", "FF", "CA", "GM", "PL", "HJ") and all(is_raw(value) for value in values)


def _read_json(raw: Raw, name: str, kind: type) -> Any:
    if name not in raw:
        return {}
    try:
        data = parse_json(LocatedText(text_value(raw[name][0])))
    except FormatError as bad:
        raise PropertyError("syntax/sgf", f"{name} should contain JSON: {bad}", name) from None
    if not isinstance(data, kind):
        raise PropertyError("syntax/sgf", f"{name} should contain a JSON object", name)
    return data


def _json(value: Any) -> str:
    return escape(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
