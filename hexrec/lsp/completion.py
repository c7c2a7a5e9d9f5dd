"""Completion of keys, values and legal turns. The file may be malformed at the cursor."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import islice, product
from typing import Any

from lsprotocol import types

from hexrec import formats
from hexrec.formats.hgn import tags as hgn
from hexrec.formats.sgf.root import ROOT_PATHS
from hexrec.lsp.files import FilePart, OpenFile
from hexrec.lsp.text import EditorText, Place, find_place, move_down
from hexrec.record.kinds import Choice, Flag, Kind, ListOf
from hexrec.record.record import turn_of
from hexrec.record.shapes import Field, Shape
from hexrec.rules import games
from hexrec.rules.position import Position
from hexrec.rules.terms import RuleError
from hexrec.tools.repairs import playable, shape_at
from hexrec.util.diagnostics import pointer_to, steps_of, value_at
from hexrec.util.limits import MAX_DEPTH

#: The label, the description and the kind of a completion.
_Completion = tuple[str, str, types.CompletionItemKind]
_KEY, _VALUE, _TURN = types.CompletionItemKind.Property, types.CompletionItemKind.Value, types.CompletionItemKind.Event
#: The maximum number of completions, and of characters of a word before the cursor.
MOST, _LONGEST = 500, 200
#: The word at the cursor: a key, a value or a turn, which may have cells such as (0,-1).
_BEFORE = re.compile(r"(?:\([-0-9,]*\)?|[^\s\"'\[\]{},:;()])*\Z")
_AFTER, _AFTER_IN_CELL = re.compile(r"[^\s\"'\[\]{},:;()*=]*"), re.compile(r"[-0-9,]*\)?")
#: A placeholder for the word at the cursor; no field has this name.
_WORD = "x-here"
#: Placeholders in formats that can only have a turn there, in both cell notations.
_TURNS = ("a1", "(0,0)")
#: A tag or a property whose value, or whose name, ends at the cursor.
_NAMED = {
    "sgf": re.compile(r"(?P<name>[A-Z]{1,2})\[(?P<value>[^\[\]\n]*)\Z"),
    "hgn": re.compile(r'^[ \t]*\[(?P<name>[A-Za-z]\w*)?(?:[ \t]+"(?P<value>[^"\n]*))?\Z', re.MULTILINE),
}
#: Strings and comments, whose brackets do not count, and other brackets. A `field` of a record in YAML closes all, a
#: `value` in SGF is open.
_DATA = r"""\"(?:[^\"\\]|\\.)*+(?:\"|\Z)|(?P<bracket>[\[\]{}])"""
_BRACKETS = {
    "json": re.compile(_DATA, re.DOTALL),
    "jsonl": re.compile(_DATA, re.DOTALL),
    "yaml": re.compile(
        r"(?P<field>^[A-Za-z][-\w]*:)|(?<![^\s\[{,])'(?:[^']|'')*+(?:'|\Z)|(?<!\S)#[^\n]*|" + _DATA,
        re.MULTILINE | re.DOTALL,
    ),
    "sgf": re.compile(r"\[(?:[^\]\\]|\\.)*+(?:\]|(?P<value>\Z))|(?P<bracket>[()])", re.DOTALL),
    "hgn": re.compile(r"^[ \t]*\[.*|\{[^}]*+(?:\}|\Z)|;.*|(?P<bracket>[()])", re.MULTILINE),
}
_CLOSING = {"[": "]", "{": "}", "(": ")"}


def complete(file: OpenFile, position: types.Position) -> list[types.CompletionItem]:
    """Return the completions at a position in a file."""
    part, line, here = file.part_at(position)
    text, offset = part.text.text, part.text.offset_at(here)
    head = _BEFORE.search(text, max(0, offset - _LONGEST), offset)
    start = head.start() if head else offset
    is_in_cell = text.rfind("(", start, offset) > text.rfind(")", start, offset)
    tail = (_AFTER_IN_CELL if is_in_cell else _AFTER).match(text, offset)
    end = tail.end() if tail else offset
    before, word, only_turns = text[:start], text[start:end], file.format in _NAMED
    quote = before[-1:] if before[-1:] in ('"', "'") and not only_turns else ""
    outside = end + 1 if quote and text.startswith(quote, end) else end
    after = text[outside:]
    completions: Iterable[_Completion] = ()
    if (named := _list_named(file.format, text[:offset], part)) is not None:
        completions, start = named
    elif located := _find(file.format, before.removesuffix(quote), word, after, quote):
        completions = _list_completions(*located, in_data=not only_turns)
    replaced = move_down(part.text.range(start - len(quote), outside), line)
    is_quoted = file.format in ("json", "jsonl") or bool(quote)
    typed = text[start:offset].casefold()
    fitting = (completion for completion in completions if completion[0].casefold().startswith(typed))
    items = []
    for number, (label, about, kind) in enumerate(islice(fitting, MOST)):
        is_literal = kind is _VALUE and (label in ("true", "false") or label.isdigit())
        shown = label if is_literal else f'"{label}"'
        inserted = shown if is_quoted or (file.format == "yaml" and "," in label) else label
        if kind is _KEY and not after.lstrip().startswith(":"):
            inserted += ' "' if only_turns else ": "
        items.append(
            types.CompletionItem(
                label=label,
                kind=kind,
                documentation=about,
                # Clients compare it with the replaced characters, including quotation marks.
                filter_text=inserted,
                sort_text=f"{number:04}",
                text_edit=types.TextEdit(replaced, inserted),
            )
        )
    return items


def _list_named(format: str, before: str, part: FilePart) -> tuple[list[_Completion], int] | None:
    """Return the completions in a tag of HGN or a property of the root in SGF, and the offset of the completed word.

    Return None in another place.
    """
    named = _NAMED[format].search(before) if format in _NAMED else None
    if named is None:
        return None
    data = next(({"game": report.game} for report in part.reports or () if report.game), {})
    if named["value"] is None:
        tags = ((name, field_at(data, [*hgn.path_of(name)])) for name in hgn.KNOWN.values())
        offset = len(before) if named["name"] is None else named.start("name")
        return [(name, field.about.description if field else "", _KEY) for name, field in tags], offset
    offset = named.start("value")
    if format == "hgn" and named["name"] == hgn.RESULT:
        return [(result, "", _VALUE) for result in hgn.RESULTS], offset
    path = hgn.path_of(named["name"]) if format == "hgn" else ROOT_PATHS.get(named["name"])
    field = field_at(data, [*path]) if path else None
    if path is None or field is None:
        return None
    values = _list_values(path[-1], field)
    if path == ("game",) and format == "hgn":
        values = [games.get(name).title for name in values]
    return [(value, field.about.description, _VALUE) for value in values], offset


def _find(format: str, before: str, word: str, after: str, quote: str) -> tuple[dict[str, Any], Place] | None:
    """Return the data of the record at the cursor and the place of the cursor in it.

    The file is read with a placeholder for the word at the cursor, which stands between `before` and `after` and may
    follow a `quote`. Return None if it is malformed even then.
    """
    for lead, placeholder, following in _list_placeholders(format, before, word, after, quote):
        located = EditorText(before + lead + placeholder + following)
        for document in formats.read(format, BytesIO(located.text.encode(errors="replace"))):
            line, column = located.place(len(before + lead) + 1)
            if not isinstance(document.data, dict):
                continue
            place = find_place(document, line, column)
            if place is None:
                continue
            is_turn = format in _NAMED and turns_before(document.data, place.pointer) is not None
            if is_turn or (format not in _NAMED and _is_placeholder(document.data, place)):
                return document.data, place
    return None


def _list_placeholders(format: str, before: str, word: str, after: str, quote: str) -> Iterator[tuple[str, str, str]]:
    """Return placeholders that may make the file well formed, with characters to insert before and text to follow."""
    closing = _list_closing(format, before)
    if len(closing) > MAX_DEPTH:  # no record is as deep
        return iter(())
    closed = [closing[:count] for count in range(len(closing) + 1)]
    if format in _NAMED:
        words = [word, *_TURNS] if word else [*_TURNS]
        return product(("",), words, (*(end + after for end in closed), closing))
    words = [f'"{_WORD}"' if format != "yaml" or quote else _WORD]
    ends = [value + end + comma for end in closed for comma in ("", ",") for value in ("", ": 0")]
    # Without the rest of the record, its fields after the cursor are offered, too.
    return product(("", ","), words, (*(end + after for end in ends), closing, f": 0{closing}"))


def _list_closing(format: str, before: str) -> str:
    """Return the brackets that close those open at the end of a text, the inner ones first."""
    pattern, closing = _BRACKETS.get(format), list[str]()
    for token in pattern.finditer(before) if pattern else ():
        bracket = token["bracket"]
        if token.lastgroup == "field":
            closing.clear()
        elif token.lastgroup == "value":
            closing.append("]")
        elif bracket in _CLOSING:
            closing.append(_CLOSING[bracket])
        elif closing and bracket == closing[-1]:
            closing.pop()
    return "".join(reversed(closing))


def _is_placeholder(data: Any, place: Place) -> bool:
    """Return whether the placeholder was read as a key, or as a value in a place for values.

    YAML reads a word without a colon as a value even in a place for keys.
    """
    steps = steps_of(place.pointer)
    if place.key:
        return steps[-1:] == [_WORD]
    known = field_at(data, steps)
    holds_keys = known is not None and isinstance(known.kind, Shape)
    return not holds_keys and _get_value(data, place.pointer) == _WORD


def _get_value(data: Any, pointer: str) -> Any:
    try:
        return value_at(data, pointer)
    except (LookupError, TypeError, ValueError):
        return None


def _list_completions(data: dict[str, Any], place: Place, *, in_data: bool) -> Iterator[_Completion]:
    """Yield completions as label, description and kind; without `in_data`, only turns."""
    steps = steps_of(place.pointer)
    if place.key:
        if in_data:
            present = _get_value(data, pointer_to(steps[:-1]))
            for name, field in shape_at(data, steps[:-1]).fields.items():
                if name not in present:
                    yield name, field.about.description, _KEY
        return
    position = position_before({name: value for name, value in data.items() if name != _WORD}, place.pointer)
    if position is not None:
        for turn in position.legal_turns():
            yield turn, f"legal for {position.turn}", _TURN
        return
    known = field_at(data, steps)
    if in_data and known is not None:
        for value in _list_values(steps[-1], known):
            yield value, known.about.description, _VALUE


def _list_values(name: str, field: Field) -> list[str]:
    if name == "game":
        return [*games.names()]
    kind: Kind = field.kind.items if isinstance(field.kind, ListOf) else field.kind
    if isinstance(kind, Choice):
        return [*kind.values]
    if isinstance(kind, Flag):
        return ["true", "false"]
    return [str(example) for example in field.about.examples if isinstance(example, str | int)]


def field_at(data: dict[str, Any], steps: list[str]) -> Field | None:
    """Return the field at a path in a record, or the field of the list that contains the path; None without a field."""
    names = [step for step in steps if not step.isdigit()]
    return shape_at(data, names[:-1]).fields.get(names[-1]) if names else None


def turns_before(data: Any, pointer: str) -> list[str] | None:
    """Return the turns before the turn at a JSON Pointer; None if there is no turn at the pointer."""
    try:
        return _turns_before(data, steps_of(pointer))
    except (LookupError, TypeError, ValueError):  # the data does not have the shape of a record
        return None


def _turns_before(data: Any, steps: list[str]) -> list[str] | None:
    if steps[:1] != ["moves"] or len(steps) < 2:
        return None
    turns: list[str] = []
    line, steps = data["moves"], steps[1:]
    while True:
        index = int(steps[0])
        turns += [turn_of(move) for move in line[:index]]
        match steps[1:]:
            case ["variations", number, *deeper] if deeper:
                line, steps = line[index]["variations"][int(number)], deeper
            case ["eval", "line", number]:
                return [*turns, *line[index]["eval"]["line"][: int(number)]]
            case [] | ["turn"] | ["taken_back", _]:
                return turns
            case _:
                return None


def position_before(data: Any, pointer: str) -> Position | None:
    """Return the position before the turn at a JSON Pointer; None without a turn there, or after illegal turns."""
    turns = turns_before(data, pointer)
    if turns is None:
        return None
    record = playable({name: value for name, value in data.items() if name != "result"} | {"moves": turns})
    if record is None:
        return None
    try:
        position = record.start()
        position.play_all(turns)
    except RuleError:
        return None
    return position
