"""The page of all fields of records: types and meanings from the models, examples from fixtures, names by trying.

Under what name a format holds a field is found by writing a record with it and without it, and looking at what is
different. The records are those of `fixtures/suite/<game>/valid/all-fields.yaml`, which have every field.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from hexrec import formats, records
from hexrec.record.canonical import canonical_form
from hexrec.record.json_schema import game_schema
from hexrec.rules import games

FIXTURES = Path(__file__).parent.parent.parent / "fixtures/suite"
#: The formats that have names of their own for what JSON and YAML call by the name of the field.
NAMING = ("sgf", "hgn", "abstractplay")
#: Where they keep what they have no name for.
LEFTOVERS = {"HJ", "HR", "[Extra]", "[%extra]"}
#: A property of SGF with its values; a tag or command of HGN, and what else there is in its text.
PROPERTY = re.compile(r"([A-Z]{1,2})((?:\[(?:\\.|[^\]\\])*\])+)", re.DOTALL)
TAG = re.compile(r'\[(%?\w+) ("(?:\\.|[^"\\])*"|[^\]]*)\]')
NUMBER = re.compile(r"\{ *\}|\b[0-9]+\.+")
REMARK = re.compile(r"(?P<comment>\{[^}]*\})|(?P<glyph>\$[0-9]+)|(?P<variation>[()])|(?P<turn>[^\s(){}$]+)")
REMARKS = {"comment": "{…}", "glyph": "$1", "variation": "(…)", "turn": "1. …"}
#: How long examples may be.
LONGEST = 60
#: Fields that a record or a turn is not without, and what makes another value of theirs.
OTHERWISE: dict[str, Callable[[Any], Any]] = {
    "game": lambda value: next(name for name in games.BUILT_IN if name != value),
    "size": lambda value: value + 1,
    "turn": lambda _: "pass",
}
_HEAD = """# Fields in each format

Every field of a record with its type, an example and its name in each format. In JSON and YAML, that is the name of the
field itself. [Record format](format.md) explains the fields.

In SGF, `HJ` and `HR` are hexrec's properties for what has no other, and in HGN `[Extra]` and `[%extra]` are the tag and
the command for it: nothing is lost there. In the column of Abstract Play a dash means that `hexrec convert` leaves the
field out, and says so. `hexrec`, the version of the format, stands in JSON and YAML only.

"""

Data = dict[str, Any]


class Place(NamedTuple):
    """A part of a record that has every field.

    Attributes:
        name: what the models call the part, whatever the game.
        schema: what they say of it.
        game: the game of the record.
        record: the record.
        way: the fields and the numbers of entries that lead to the part.
        part: the part itself.
    """

    name: str
    schema: Data
    game: str
    record: Data
    way: tuple[Any, ...]
    part: Data


def page() -> str:
    """Return the page, in Markdown."""
    places = [place for game in games.BUILT_IN for record in _records(game) for place in _places(game, record)]
    titles = " | ".join(formats.get(name).title for name in NAMING)
    lines = [_HEAD]
    for part in dict.fromkeys(place.name for place in places):
        own = [place for place in places if place.name == part]
        lines += [f"## {part}", "", f"| field | type | what it holds | example | {titles} |", "|---" * 7 + "|"]
        linked: set[str] = set()
        for field in dict.fromkeys(field for place in own for field in place.schema["properties"]):
            having = [place for place in own if field in place.schema["properties"]]
            for form, types, meaning, of in _described(field, having):
                example = _example([place for place in having if place.game in of], field)
                named = ["see its parts"] * len(NAMING)
                if field in ("moves", "variations") or "](#" not in types:
                    named = [_held(having, field, format) for format in NAMING]
                anchor = f'<a id="{part.lower()}-{field}"></a>' if field not in linked else ""
                linked.add(field)
                lines.append(f"| {anchor}{form} | {types} | {meaning} | {example} | {' | '.join(named)} |")
        lines.append("")
    return "\n".join(lines)


def _records(game: str) -> list[Data]:
    """Return the records of a game that have every field, without the fields that anybody may add."""
    return [_plain(canonical_form(record)) for record in records(FIXTURES / game / "valid" / "all-fields.yaml")]


def _plain(data: Any) -> Any:
    if isinstance(data, list):
        return [_plain(entry) for entry in data]
    if isinstance(data, dict):
        own = {name: _plain(value) for name, value in data.items() if not name.startswith("x-")}
        return (
            own | {"variations": [line[:1] for line in own["variations"] if isinstance(line[0], str)]}
            if "variations" in own
            else own
        )
    return data


def _places(game: str, record: Data) -> Iterator[Place]:
    """Yield the parts of a record, but for the turns in variations, which are turns once more."""

    def walk(schema: Data, data: Any, name: str, way: tuple[Any, ...]) -> Iterator[Place]:
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            schema = game_schema(game)["$defs"][name]
        for each in schema.get("anyOf", ()):
            yield from walk(each, data, name, way)
        if isinstance(data, list):
            for number, entry in enumerate(data):
                yield from walk(schema.get("items", {}), entry, name, (*way, number))
        elif isinstance(data, dict) and "properties" in schema:
            yield Place(name.removeprefix(game.capitalize()), schema, game, record, way, data)
            for field, value in data.items():
                if field != "variations":
                    yield from walk(schema["properties"][field], value, name, (*way, field))

    return walk(game_schema(game), record, "Record", ())


def _held(places: Sequence[Place], field: str, format: str) -> str:
    """Return the names under which a format holds a field: its own if it has any, else that of what is left over."""
    names = dict.fromkeys(name for place in places for name in _names(place, field, format))
    own = [name for name in names if name not in LEFTOVERS]
    return ", ".join(f"`{name}`" for name in own or names) or "–"


def _names(place: Place, field: str, format: str) -> Iterator[str]:
    """Yield what of a text differs without a field: in a part with nothing else to leave out, and in the whole part."""
    if (value := _value(place, field)) is None or (format == "abstractplay" and "setup" in place.record):
        return
    needed = {name: place.part[name] for name in place.schema.get("required", ()) if name in place.part}
    for part in (needed | {field: value}, place.part):
        without = {name: value for name, value in part.items() if name != field}
        if field in OTHERWISE:
            if part is place.part:
                continue
            without[field] = OTHERWISE[field](value)
        if not place.way:
            without.setdefault("moves", [])
        said = _said(_with(place, part), format)
        try:
            others = _said(_with(place, without), format)
        except KeyError:  # the part cannot be without the field, but the record without the part
            others = _said(_with(place, None), format)
        yield from (name for name, _ in (said - others) + (others - said))


def _value(place: Place, field: str) -> Any:
    """Return the value of a field; where a record lacks it, since it is the usual one, another that it can have."""
    described = place.schema["properties"][field]
    others = [value for value in described.get("enum", ()) if value != described.get("default")]
    return place.part.get(field, others[0] if others else None)


def _with(place: Place, part: Data | None) -> Data:
    """Return a record that has little besides a part, or the place where it was, and what stands beside that."""
    turns = [turn if isinstance(turn, str) else turn["turn"] for turn in place.record["moves"]]
    base = {name: place.record[name] for name in ("hexrec", "game", "size") if name in place.record} | {"moves": turns}
    if not place.way:
        return base | (part or {}) | ({"moves": turns} if part and part.get("moves") else {})
    first, *way = place.way
    if first == "moves":
        turns[way[0]] = _nested(place.record["moves"][way[0]], way[1:], part) or turns[way[0]]
        return base
    nested = _nested(place.record[first], way, part)
    return base | ({first: nested} if nested else {})


def _nested(data: Any, way: Sequence[Any], part: Data | None) -> Any:
    """Return data with a part, if any, in the place of one that is in it; lists have only the entry with the part."""
    if not way:
        return part
    nested = _nested(data[way[0]], way[1:], part)
    if isinstance(way[0], int):
        return [nested] if nested else []
    return {name: value for name, value in data.items() if name != way[0]} | ({way[0]: nested} if nested else {})


def _said(record: Data, format: str) -> Counter[tuple[str, str]]:
    """Return what the text of a record consists of: names, with their values."""
    return _parts_of(format, "".join(formats.get(format).write([record], lambda _: None)))


@lru_cache(maxsize=64)
def _parts_of(format: str, text: str) -> Counter[tuple[str, str]]:
    if format == "sgf":
        return Counter(PROPERTY.findall(text))
    if format == "abstractplay":
        return Counter(_leaves(json.loads(text)))
    text = " ".join(text.split())
    said = Counter((f"[{name}]", value) for name, value in TAG.findall(text))
    rest = NUMBER.sub("", TAG.sub("", text))
    return said + Counter(
        (REMARKS[str(found.lastgroup)], " ".join(found[0].strip("{} ").split())) for found in REMARK.finditer(rest)
    )


def _leaves(data: Any, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(data, dict):
        for field, value in data.items():
            yield from _leaves(value, field if name in ("", "header") else f"{name}.{field}")
    elif isinstance(data, list):
        for entry in data:
            yield from _leaves(entry, name)
    else:
        yield name, str(data)


def _described(field: str, places: Sequence[Place]) -> Iterator[tuple[str, str, str, Collection[str]]]:
    """Yield a field's name, its types, what it holds, and the games in which it is that."""
    having = {place.game: place.schema for place in places}
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for game, schema in having.items():
        needed = " (required)" if field in schema.get("required", ()) else ""
        described = schema["properties"][field]
        types = " or ".join(_types(game, described))
        rows.setdefault((f"`{field}`{needed}", _meaning(described)), {})[game] = types
    for (form, meaning), types_of in rows.items():
        owners = "" if len(types_of) == len(games.BUILT_IN) else f" *({', '.join(types_of)})*"
        yield form, " or ".join(dict.fromkeys(types_of.values())), meaning + owners, types_of


def _meaning(schema: Data) -> str:
    said = " ".join(str(schema.get("description", "")).split())
    if "default" in schema:
        said += f" By default `{json.dumps(schema['default'], ensure_ascii=False)}`."
    return said.replace("|", "\\|")


def _types(game: str, schema: Data) -> Iterator[str]:
    """Yield what a value may be, in words, with links to the parts."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        own, part = name.removeprefix(game.capitalize()), game_schema(game)["$defs"][name]
        yield from [f"[{own}](#{own.lower()})"] if "properties" in part else _types(game, part)
    elif "anyOf" in schema:
        for each in schema["anyOf"]:
            yield from _types(game, each)
    elif "enum" in schema or "const" in schema:
        yield ", ".join(f"`{value}`" for value in schema.get("enum", [schema.get("const")]))
    elif schema.get("type") == "array":
        yield f"list of {' or '.join(_types(game, schema.get('items', {}))) or 'anything'}"
    else:
        kind = str(schema.get("type", "anything"))
        yield {"string": "text", "integer": "whole number"}.get(kind, kind)


def _example(places: Sequence[Place], field: str) -> str:
    """Return the shortest value that a field has in the records, if it is short enough to be read in a table."""
    usual = [place.schema["properties"][field].get("default") for place in places]
    values = [json.dumps(value, ensure_ascii=False) for value in (*(_value(place, field) for place in places), *usual)]
    found = min((value for value in values if value not in ("null", "[]", '""')), key=len, default="")
    return f"`{found}`".replace("|", "\\|") if 0 < len(found) <= LONGEST else ""
