"""Edits of values that the schema refuses: types, names, dates, keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from hexrec.record.game_shapes import RecordShape, any_shape, record_shape
from hexrec.record.kinds import Choice, Flag, Kind, ListOf, Number, Text, Version
from hexrec.record.schema import CELL
from hexrec.record.shapes import Shape, Turn
from hexrec.rules import games
from hexrec.rules.board import SYSTEMS, trim
from hexrec.rules.game import Game
from hexrec.rules.terms import COLORS
from hexrec.tools.repairs.texts import Slips, letter_first, notation_of, plain
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
    "b": "black", "w": "white", "tie": "draw", "drawn": "draw", "1/2-1/2": "draw", "timeout": "time",
    "resign": "resignation", "resigned": "resignation", "resigns": "resignation", "elo": "rating",
    "turns": "moves", "move": "turn", "board_size": "size", "version": "hexrec", "format": "hexrec",
    "tournament": "event", "location": "site", "place": "site",
}  # fmt: skip
_TRUE, _FALSE = ("true", "yes", "y", "on", "1"), ("false", "no", "n", "off", "0")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_TIME = r"(\d{4}-\d\d-\d\d)[ t_](\d\d:\d\d(?::\d\d)?(?:\.\d+)?)\s*(z|utc|[+-]\d\d:?\d\d)?"
_NUMERIC = r"-?\d+(?:\.\d+)?"
_RESULT = r"(?P<winner>[bw])\s*\+\s*(?P<cause>[rtf])?\w*"
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
    game = _game_of(data)
    shape: Shape = any_shape() if game is None else record_shape(game)
    for step in path:
        shape = shape.parts.get(step, shape)
    return shape


def _game_of(data: dict[str, Any]) -> Game | None:
    """Return the game of a record, whose name may have capitals, or None."""
    name = data.get("game")
    name = name.strip().lower() if isinstance(name, str) else None
    return games.get(name) if games.is_known(name) else None


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


def _similar(text: str, names: Sequence[str]) -> Iterator[tuple[float, str]]:
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
    name = path[-1] if path else ""
    kind = _kind_at(data, path)
    if path == ("game",):
        kind = Choice(tuple(games.names()))
    if isinstance(kind, Turn):
        if isinstance(value, list) or _is_pair(value):  # not for each of many other values: it reads all turns
            yield from _flatten(data, path)
    elif value is None or value == "":
        if path and not (len(path) == 1 and name in ("hexrec", "game", "size", "moves")):
            words = f"leave out {name}, which is {'null' if value is None else 'empty'}"
            yield ValueEdit(0.0, words, _set(path, ...))
    elif kind is not None:
        seen: list[Any] = []
        for convert in _CONVERSIONS:
            for cost, new, words in convert(_Wrong(kind, value, name, data)):
                if next(iter(kind.problems(new, ())), None) is None and new not in seen:
                    seen.append(new)
                    yield ValueEdit(cost, words, _set(path, new))


class _Wrong(NamedTuple):
    """A wrong value: the kind that its field has, the value, its key, and the data of the record."""

    kind: Kind
    value: Any
    name: str
    data: dict[str, Any]

    @property
    def text(self) -> str:
        """The value as a string, a whole number without a fraction; empty for an array or object."""
        value = self.value
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        return str(value) if isinstance(value, str | int | float) else ""


#: Cost, new value and words of conversions of a value, which may not be valid.
_Conversions = Iterator[tuple[float, Any, str]]


def _quote(wrong: _Wrong) -> _Conversions:
    if isinstance(wrong.value, bool | int | float) and isinstance(wrong.kind, Text | Choice | Version):
        for text in (wrong.text, wrong.text.partition(".")[0]):
            yield 0.0, text, f'write {wrong.name} as "{text}", in quotes'


def _unquote(wrong: _Wrong) -> _Conversions:
    text = wrong.text.strip()
    if isinstance(wrong.kind, Number) and re.fullmatch(_NUMERIC, text):
        yield 0.0, float(text) if "." in text else int(text), f"write {wrong.name} as {text}, without quotes"
    elif isinstance(wrong.kind, Flag):
        for flag, words in ((True, _TRUE), (False, _FALSE)):
            if text.lower() in words:
                yield 0.0, flag, f"write {str(flag).lower()} for {shorten(text)}"


def _choose(wrong: _Wrong) -> _Conversions:
    if isinstance(wrong.kind, Choice) and isinstance(wrong.value, str) and len(wrong.value) <= _LONGEST:
        for cost, choice in _similar(wrong.value, wrong.kind.values):
            yield cost, choice, f"write {choice} for {shorten(wrong.value)}"


def _respell(wrong: _Wrong) -> _Conversions:
    """Yield other spellings of dates, cells and language tags."""
    text = wrong.text
    if not isinstance(wrong.kind, Text) or not text:
        return
    if wrong.kind.code == "schema/date":
        found = [*_dates(text.strip())]
    elif wrong.kind is CELL:
        cell = plain(text).replace(" ", "")
        found = [(0.5, cell), (0.5, letter_first(cell))]
    else:
        found = [(0.5, text.strip().replace("_", "-"))] if wrong.kind.pattern else []
    yield from ((cost, new, f"write {new} for {shorten(text)}") for cost, new in found)


def _dates(text: str) -> Iterator[tuple[float, str]]:
    """Yield the dates that a text in another order can mean, with costs; the order of day and month may be unknown."""
    low = text.lower()
    if clock := re.fullmatch(_TIME, low):
        zone = (clock[3] or "").upper().replace("UTC", "Z")
        zone = f"{zone[:3]}:{zone[3:]}" if len(zone) == 5 else zone
        time = clock[2] if clock[2].count(":") > 1 else f"{clock[2]}:00"
        yield (0.0, f"{clock[1]}T{time}{zone}") if zone else (2.0, clock[1])
        return
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    if re.fullmatch(r"\d{8}", text):
        numbers = [int(text[:4]), int(text[4:6]), int(text[6:])]
    named = [index for index, name in enumerate(_MONTHS, 1) if re.search(rf"\b{name}[a-z]*\b", low)]
    years = [number for number in numbers if number > 31]
    if len(years) != 1 or len(numbers) + len(named) > 3 or (re.search("[a-z]", low) and not named):
        return
    rest = [number for number in numbers if number not in years]
    orders = [[*named, *rest]] if named or numbers[0] in years else [rest[::-1], rest]
    possible = {tuple(order) for order in orders if not order or order[0] <= len(_MONTHS)}
    for order in sorted(possible):
        yield 2.0 * (len(possible) - 1), "-".join([f"{years[0]:04}", *(f"{number:02}" for number in order)])


def _list(wrong: _Wrong) -> _Conversions:
    kind, value, name, data = wrong
    if not isinstance(kind, ListOf) or isinstance(value, list):
        return
    if not isinstance(kind.items, Turn):
        for parts in ([part.strip() for part in wrong.text.split(",")], [value]):
            yield 0.0, parts, f"write {name} as an array"
    elif isinstance(value, str) and (game := _game_of(data)) is not None:
        system = data.get("coordinates")
        notation = notation_of(game, system if system in SYSTEMS else "row")
        for turns in notation.read(value)[:1]:
            some = ", ".join(turns[:3]) + ", …" * (len(turns) > 3)
            yield 0.0, [*turns], f"write the turns as an array, {some}"


def _name_player(wrong: _Wrong) -> _Conversions:
    kind, value, name, _ = wrong
    if isinstance(kind, Shape) and "name" in kind.fields and isinstance(value, str):
        yield 0.0, {"name": value}, f"write {name} as an object with the name {shorten(value)}"
    elif name == "players" and isinstance(value, list) and len(value) == len(COLORS):
        players = {color: {"name": player} for color, player in zip(COLORS, value, strict=True)}
        yield 0.5, players, "name the players by color"


def _name_color(wrong: _Wrong) -> _Conversions:
    """Yield objects for a result or a choice of colors that is only a string: a color, a player, or as in SGF."""
    kind, value, name, data = wrong
    key = next((key for key in ("winner", "chosen") if isinstance(kind, Shape) and key in kind.fields), "")
    if not key or not isinstance(value, str) or len(value) > _LONGEST:
        return
    low = value.strip().lower()
    if key == "winner" and (short := re.fullmatch(_RESULT, low)):
        result = {"winner": _WORDS[short["winner"]], "termination": _CAUSES[short["cause"]]}
        yield 0.5, result, f"write the result as an object, winner {result['winner']}, {result['termination']}"
    players = data["players"] if isinstance(data.get("players"), dict) else {}
    known = {
        str(player.get("name") if isinstance(player, dict) else player): color for color, player in players.items()
    }
    word = known.get(value, re.sub(r"\s*\bw[io]ns?\b\s*", "", low))
    for cost, color in _similar(word, (*COLORS, "draw")):
        yield cost, {key: color}, f"write the {name} as an object, {key} {color}"


def _place_stones(wrong: _Wrong) -> _Conversions:
    kind, value, name, _ = wrong
    if name == "opening" and isinstance(kind, Shape):
        cells = value if isinstance(value, list) else re.findall(r"[A-Za-z]{1,2}\d{1,2}", wrong.text)
        if len(cells) == len(kind.fields) and all(isinstance(cell, str) for cell in cells):
            stones = dict(zip(kind.fields, map(trim, cells), strict=True))
            words = ", ".join(f"{color} {cell}" for color, cell in stones.items())
            yield 0.5, stones, f"write the opening as an object, {words}"


_CONVERSIONS: tuple[Callable[[_Wrong], _Conversions], ...] = (
    _quote,
    _unquote,
    _choose,
    _respell,
    _list,
    _name_player,
    _name_color,
    _place_stones,
)


def _flatten(data: dict[str, Any], path: _Path) -> Iterator[ValueEdit]:
    """Yield the turns of pairs, arrays or objects by color, one after the other."""
    moves = data.get("moves")
    if path[:1] != ("moves",) or len(path) != 2 or not isinstance(moves, list):
        return
    flat: list[Any] = []
    for move in moves:
        turns = move if isinstance(move, list) else [move.get(color) for color in COLORS] if _is_pair(move) else [move]
        flat += [turn for turn in turns if turns == [move] or turn not in (None, "")]
    if flat != moves and all(isinstance(turn, str | dict) for turn in flat):
        yield ValueEdit(0.5, f"write the {len(flat)} turns in one array", _set(("moves",), flat))


def _is_pair(move: Any) -> bool:
    return isinstance(move, dict) and "turn" not in move and bool(move) and {*move} <= {*COLORS}
