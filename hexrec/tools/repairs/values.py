"""Edits of values that the schema refuses: types, names, dates, keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from hexrec.record.kinds import Choice, Flag, Kind, ListOf, Number, Text
from hexrec.record.schema import CELL
from hexrec.record.shapes import RecordShape, Shape, Turn, any_shape, record_shape
from hexrec.rules import games
from hexrec.rules.board import trim
from hexrec.rules.terms import COLORS
from hexrec.tools.repairs.texts import Notation, Slips, letter_first, plain
from hexrec.util.diagnostics import Diagnostic, close_matches, pointer_to, shorten, steps_of, value_at
from hexrec.util.version import FORMAT_VERSION

#: The maximum length of keys and values that are compared with others.
_LONGEST = 100
#: The cost up to which an edit of a value is clear.
CLEAR = 1.0
#: The cost of a name that is only similar to a known one.
_SIMILAR = 4.0
#: Words for values and keys of the format.
_WORDS = {
    "b": "black", "first": "black", "w": "white", "second": "white", "tie": "draw", "drawn": "draw", "1/2-1/2": "draw",
    "resign": "resignation", "resigned": "resignation", "resigns": "resignation", "timeout": "time", "timed out": "time",
    "turns": "moves", "board_size": "size", "boardsize": "size", "version": "hexrec", "format": "hexrec", "move": "turn",
    "reverse nadraz": "reverse", "tournament": "event", "location": "site", "place": "site", "elo": "rating",
}  # fmt: skip
_TRUE, _FALSE = ("true", "yes", "y", "on", "1"), ("false", "no", "n", "off", "0")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NUMERIC = re.compile(r"-?\d+(?:\.\d+)?")
_RESULT = re.compile(r"(?P<winner>[bw])\s*\+\s*(?P<cause>[rtf])?\w*")
_CAUSES = {"r": "resignation", "t": "time", "f": "forfeit", None: "rules"}

_SLIPS = Slips("abcdefghijklmnopqrstuvwxyz0123456789_")

#: Returns the data of a record with a change.
_Change = Callable[[dict[str, Any]], dict[str, Any]]
_Path = tuple[str, ...]


class ValueEdit(NamedTuple):
    """A change of a value or key.

    Attributes:
        cost: 0 for an obvious one; above `CLEAR` it should not be made without a person.
        words: the change in words.
        change: makes it.
    """

    cost: float
    words: str
    change: _Change


def find_edits(data: dict[str, Any], diagnostic: Diagnostic) -> list[ValueEdit]:
    """Return the edits that repair a value, given the diagnostic of the schema, the best first."""
    path = tuple(steps_of(diagnostic.pointer or ""))
    if diagnostic.code == "schema/unknown-field":
        edits = [*_rename(data, path)]
    elif diagnostic.code == "schema/missing-field":
        edits = [*_add(data, path)]
    else:
        edits = [*_convert(data, path)]
    return sorted(edits, key=lambda edit: edit.cost)


def shape_at(data: dict[str, Any], path: list[str]) -> Shape:
    """Return the shape of the object at a path in a record."""
    name = data.get("game")
    shape: Shape = record_shape(games.get(name)) if games.is_known(name) else any_shape()
    for step in path:
        shape = shape.parts.get(step, shape)
    return shape


def _kind_at(data: dict[str, Any], path: _Path) -> Kind | None:
    """Return the kind of the value at a path."""
    kind: Kind | None = shape_at(data, [])
    for step in path:
        if isinstance(kind, ListOf):
            kind = kind.items
        elif isinstance(kind, Turn):
            kind = shape_at(data, ["moves"]).fields[step].kind if step in shape_at(data, ["moves"]).fields else None
        elif isinstance(kind, Shape) and step in kind.fields:
            kind = kind.fields[step].kind
        else:
            return None
    return kind


def _set(path: _Path, value: Any) -> _Change:
    """Return the change that sets a value, or removes it if it is `...`; a new key comes first in its object."""

    def change(data: Any, steps: _Path = path) -> Any:
        if not steps:
            return value
        step, *rest = steps
        if isinstance(data, list):
            index = int(step)
            return [*data[:index], change(data[index], tuple(rest)), *data[index + 1 :]]
        if not rest and value is ...:
            return {name: item for name, item in data.items() if name != step}
        if step not in data:
            return {step: value, **data}
        return {name: change(item, tuple(rest)) if name == step else item for name, item in data.items()}

    return change


def _rename_key(path: _Path, new: str) -> _Change:
    *around, old = path

    def change(data: dict[str, Any]) -> dict[str, Any]:
        part = value_at(data, pointer_to(around))
        return _set(tuple(around), {new if name == old else name: item for name, item in part.items()})(data)

    return change


def _rename(data: dict[str, Any], path: _Path) -> Iterator[ValueEdit]:
    """Yield renamings of an unknown key to a similar known one."""
    *around, old = path
    part = value_at(data, pointer_to(around))
    if len(old) > _LONGEST or _is_pair(part):
        return
    shape = shape_at(data, around)
    free = [name for name in shape.fields if name not in part]
    for cost, new in _similar(old, free):
        yield ValueEdit(cost, f"rename {shorten(old)} to {new}", _rename_key(path, new))
    if not around and isinstance(shape, RecordShape) and old in ("winner", "score", "termination"):
        result = part.get("result", {})
        if isinstance(result, dict) and old not in result:
            moved = {**result, old: part[old]}
            rest = {name: item for name, item in part.items() if name != old}
            yield ValueEdit(1.0, f"move {old} into the result", lambda _: {**rest, "result": moved})


def _add(data: dict[str, Any], path: _Path) -> Iterator[ValueEdit]:
    """Yield the missing field, if its value is known, or renamings of unknown keys to it."""
    part = value_at(data, pointer_to(path))
    yield from _flatten(data, path)
    if not path and "hexrec" not in part and not any(word in part for word in ("version", "format")):
        yield ValueEdit(0.0, f'add hexrec: "{FORMAT_VERSION}"', _set(("hexrec",), FORMAT_VERSION))


def _similar(text: str, names: list[str]) -> Iterator[tuple[float, str]]:
    """Yield the names that a text means or resembles, with the cost."""
    low = re.sub(r"[\s_-]+", "_", text.strip().lower())
    slips = _SLIPS.of(low)
    costs = dict.fromkeys(close_matches(low, names, 5), _SIMILAR)
    for name in names:
        if name in (low, low.replace("_", "")):
            costs[name] = 0.0
        elif name in slips or name in (_WORDS.get(text.strip().lower()), _WORDS.get(low)):
            costs[name] = 0.5
    yield from sorted((cost, name) for name, cost in costs.items())


def _convert(data: dict[str, Any], path: _Path) -> Iterator[ValueEdit]:
    """Yield conversions of a value to the kind that its field has."""
    try:
        value = value_at(data, pointer_to(path))
    except (LookupError, ValueError, TypeError):
        return
    if path == ("game",):
        if isinstance(value, str) and len(value) <= _LONGEST:
            titles = {games.get(name).title.lower(): name for name in games.names()}
            for cost, name in _similar(titles.get(value.strip().lower(), value), games.names()):
                yield ValueEdit(cost, f"write {name} for {shorten(value)}", _set(path, name))
        return
    if value is None or value == "":
        if path and not (len(path) == 1 and path[0] in ("hexrec", "game", "size", "moves")):
            words = f"leave out {path[-1]}, which is {'null' if value is None else 'empty'}"
            yield ValueEdit(0.0, words, _set(path, ...))
        return
    kind = _kind_at(data, path)
    name = path[-1] if path else ""
    if kind is None:
        return
    if isinstance(kind, Turn):
        yield from _flatten(data, path)
        return
    seen: list[Any] = []
    for cost, new, words in _conversions(kind, value, name, data):
        if not any(new == other and type(new) is type(other) for other in seen):
            seen.append(new)
            yield ValueEdit(cost, words, _set(path, new))


def _conversions(kind: Kind, value: Any, name: str, data: dict[str, Any]) -> Iterator[tuple[float, Any, str]]:
    """Yield cost, new value and words of conversions."""

    def is_valid(new: Any) -> bool:
        return next(iter(kind.problems(new, ())), None) is None

    text = _written(value)
    if isinstance(value, bool | int | float) and isinstance(kind, Text | Choice):
        if is_valid(text):
            yield 0.0, text, f"write {name} in quotes, {text}"
        if isinstance(kind, Choice) and text.partition(".")[0] in kind.values:
            yield 0.0, text.partition(".")[0], f"write {name} in quotes, {text.partition('.')[0]}"
    if isinstance(kind, Number) and isinstance(value, str) and _NUMERIC.fullmatch(value.strip()):
        number = float(value) if "." in value else int(value)
        if is_valid(number):
            yield 0.0, number, f"write {name} without quotes, {_written(number)}"
    elif isinstance(kind, Flag):
        for flag, words in ((True, _TRUE), (False, _FALSE)):
            if text.strip().lower() in words:
                yield 0.0, flag, f"write {_written(flag)} for {shorten(text)}"
    elif isinstance(kind, Choice) and isinstance(value, str) and len(value) <= _LONGEST:
        for cost, choice in _similar(value, [*kind.values]):
            yield cost, choice, f"write {choice} for {shorten(value)}"
    elif isinstance(kind, Text) and kind.code == "schema/date":
        yield from ((cost, date, f"write {date} for {shorten(text)}") for cost, date in _dates(text) if is_valid(date))
    elif kind is CELL and isinstance(value, str):
        for new in (plain(value).replace(" ", ""), letter_first(plain(value).replace(" ", ""))):
            if is_valid(new):
                yield 0.5, new, f"write {new} for {shorten(value)}"
    elif isinstance(kind, Text) and isinstance(value, str) and is_valid(value.strip().replace("_", "-")):
        new = value.strip().replace("_", "-")
        yield 0.5, new, f"write {new} for {shorten(value)}"
    elif isinstance(kind, ListOf) and not isinstance(value, list):
        yield from _to_list(kind, value, name, data)
    elif isinstance(kind, Shape) and not isinstance(value, dict):
        yield from _to_object(kind, value, name, data)


def _written(value: Any) -> str:
    """Return a scalar as in JSON, a whole number without a fraction, a string without quotes."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value) if isinstance(value, str | int | float) else ""


def _dates(text: str) -> Iterator[tuple[float, str]]:
    """Yield the dates that a text in another order can mean, with costs."""
    text = text.strip()
    clock = re.fullmatch(r"(\d{4}-\d\d-\d\d)[ t_](\d\d:\d\d(?::\d\d)?(?:\.\d+)?)\s*(z|utc|[+-]\d\d:?\d\d)?", text.lower())
    if clock:
        zone = (clock[3] or "").upper().replace("UTC", "Z")
        zone = f"{zone[:3]}:{zone[3:]}" if len(zone) == 5 else zone
        yield (0.0, f"{clock[1]}T{clock[2]}{zone}") if zone else (2.0, clock[1])
        return
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    month = next((1 + index for index, name in enumerate(_MONTHS) if re.search(rf"\b{name}[a-z]*\b", text.lower())), None)
    if re.fullmatch(r"\d{8}", text):
        numbers = [int(text[:4]), int(text[4:6]), int(text[6:])]
    years = [number for number in numbers if number > 31]
    if len(years) != 1 or len(numbers) > 3 or re.search("[a-z]", text.lower()) and month is None:
        return
    year = years[0] + (2000 if years[0] < 70 else 1900 if years[0] < 100 else 0)
    rest = [number for number in numbers if number != years[0]]
    if month is not None:
        rest = [month, *rest]
        orders = [tuple(rest)]
    elif numbers[0] == years[0]:
        orders = [tuple(rest)]
    else:
        orders = [tuple(rest[::-1]), tuple(rest)]
    found = [f"{year:04}" + "".join(f"-{number:02}" for number in order) for order in dict.fromkeys(orders)]
    possible = [date for date, order in zip(found, dict.fromkeys(orders), strict=True) if not order or order[0] <= 12]
    yield from ((0.0 if len(possible) == 1 else 2.0, date) for date in possible)


def _to_list(kind: ListOf, value: Any, name: str, data: dict[str, Any]) -> Iterator[tuple[float, list[Any], str]]:
    if isinstance(kind.items, Turn):
        game = data.get("game")
        if isinstance(value, str) and games.is_known(game):
            system = data.get("coordinates", "row")
            for turns in Notation(games.get(game), system if system in ("row", "skew", "axial") else "row").read(value):
                yield 0.0, [*turns], f"write the turns as an array, {_some(turns)}"
                return
        return
    parts = [part.strip() for part in value.split(",")] if isinstance(value, str) else [value]
    for new in (parts, [value]):
        if next(iter(kind.problems(new, ())), None) is None:
            yield 0.0, new, f"write {name} as an array"
            return


def _some(turns: tuple[str, ...]) -> str:
    return ", ".join(turns[:3]) + (", …" if len(turns) > 3 else "")


def _to_object(kind: Shape, value: Any, name: str, data: dict[str, Any]) -> Iterator[tuple[float, dict[str, Any], str]]:
    """Yield objects in place of a string or an array: the name of a player, the winner, the cells of an opening."""
    names = [*kind.fields]
    if "name" in names and isinstance(value, str):
        yield 0.0, {"name": value}, f"write {name} as an object with the name {shorten(value)}"
    elif "winner" in names and isinstance(value, str):
        players = data.get("players") if isinstance(data.get("players"), dict) else {}
        of_players = {str(player.get("name") if isinstance(player, dict) else player): color for color, player in players.items()}
        short = _RESULT.fullmatch(value.strip().lower())
        if short:
            result = {"winner": _WORDS[short["winner"]], "termination": _CAUSES[short["cause"]]}
            yield 0.5, result, f"write the result as an object, winner {result['winner']}, {result['termination']}"
            return
        word = re.sub(r"\s*\b(?:won|wins|win)\b\s*", "", of_players.get(value, value).strip().lower())
        for cost, winner in _similar(word, [*COLORS, "draw"]):
            yield cost, {"winner": winner}, f"write the result as an object, winner {winner}"
    elif "chosen" in names and isinstance(value, str):
        for cost, color in _similar(value, [*COLORS]):
            yield cost, {"chosen": color}, f"write {name} as an object, chosen {color}"
    elif name == "opening":
        parts = value if isinstance(value, list) else re.findall(r"[A-Za-z]{1,2}\d{1,2}", value) if isinstance(value, str) else []
        if len(parts) == len(names) and all(isinstance(part, str) for part in parts):
            new = dict(zip(names, map(trim, parts), strict=True))
            yield 0.5, new, "write the opening as an object, " + ", ".join(f"{color} {cell}" for color, cell in new.items())
    elif name == "players" and isinstance(value, list):
        if len(value) == 2 and all(isinstance(part, str) for part in value):
            yield 0.5, {color: {"name": part} for color, part in zip(COLORS, value, strict=True)}, "name the players by color"


def _flatten(data: dict[str, Any], path: _Path) -> Iterator[ValueEdit]:
    """Yield the turns of pairs, arrays or objects by color, one after the other."""
    moves = data.get("moves")
    if path[:1] != ("moves",) or len(path) != 2 or not isinstance(moves, list):
        return
    flat: list[Any] = []
    for move in moves:
        pair = [*move] if isinstance(move, list) else [move[color] for color in COLORS if color in move] if _is_pair(move) else [move]
        flat += [turn for turn in pair if turn not in (None, "")] if len(pair) > 1 or pair != [move] else pair
    if flat != moves and all(isinstance(turn, str | dict) for turn in flat):
        yield ValueEdit(0.5, f"write the {len(flat)} turns in one array", _set(("moves",), flat))


def _is_pair(move: Any) -> bool:
    return isinstance(move, dict) and "turn" not in move and bool(move) and {*move} <= {*COLORS}
