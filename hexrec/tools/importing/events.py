"""Tables with an event a row, as databases export them: rows of several games mixed, facts and turns in one column."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hexrec.rules.terms import COLORS
from hexrec.tools.importing.columns import FACTS, TableColumn, kind_of_label, label_of
from hexrec.tools.importing.facts import find_facts
from hexrec.tools.importing.layouts import SourceLine, TableCell
from hexrec.tools.importing.lexer import TURN_KINDS, has_tokens
from hexrec.tools.importing.spelling import color_of, plain
from hexrec.tools.importing.words import MEANINGS, RESULT_WORDS

#: The kinds of columns that can name the game of a row.
_NAMING = ("index", "event", "round", "site", "game", "")
#: An identifier, which is no title.
_IDENTIFIER = re.compile(r"(?=\S*\d)\S+|[^\W\d_]{1,8}[ .#]+\d+|[\da-f-]{8,}")
#: A time that sorts as text.
_TIME = re.compile(r"\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d:?\d\d)?")
#: Events that name a player.
_SEATS = re.compile(r"(?:player|user)(?: name| joined| seated)?|(?:joins|joined|seat|seated)")
#: The maximum number of different events.
_MOST_EVENTS = 30


def rows_by_game(columns: Sequence[TableColumn], body: Sequence[SourceLine]) -> list[SourceLine]:
    """Return rows with those of each game together, in the order of their numbers, else of their times.

    A column names the games if the numbers of the rows are complete for each of its values, or else by its heading.
    It becomes the only column of the kind ``index`` if it has identifiers.
    """
    texts = [
        [row.fields[place].text if place < len(row.fields) else "" for row in body] for place in range(len(columns))
    ]
    nothing = [""] * len(body)
    numbers, sides = (
        next((cells for column, cells in zip(columns, texts, strict=True) if column.kind == kind), nothing)
        for kind in ("number", "color")
    )
    keys = [*zip(map(number_of, numbers), sides, strict=True)]
    places = [
        place for place, column in enumerate(columns) if column.kind in _NAMING and 1 < len({*texts[place]}) < len(body)
    ]
    places.sort(key=lambda place: columns[place].kind != "index")
    named = next((place for place in places if _is_complete(texts[place], keys)), None)
    if named is None and (places and columns[places[0]].kind == "index"):
        named = places[0]
    for place, column in enumerate(columns):
        if column.kind == "index" and place != named and (named is not None or len({*texts[place]}) == len(body) > 1):
            column.kind = "row"
    if named is None:
        return [*body]
    if all(map(_IDENTIFIER.fullmatch, map(plain, filter(None, texts[named])))):
        columns[named].kind = "index"
    games: dict[str, list[int]] = {}
    name = ""
    for at, text in enumerate(texts[named]):
        name = text or name
        games.setdefault(name, []).append(at)
    times = next((cells for cells in texts if all(map(_TIME.fullmatch, map(plain, cells)))), None)
    ordered: list[int] = []
    for rows in games.values():
        counted = [keys[at] for at in rows if keys[at][0] is not None]
        if counted and len({*counted}) == len(counted):
            rows = _sorted(rows, keys)
        elif times is not None and not counted:
            rows = sorted(rows, key=lambda at: times[at])
        ordered += rows
    return [body[at] for at in ordered]


def number_of(text: str) -> int | None:
    """Return the first number in the cell of a table, or None."""
    digits = re.search(r"\d{1,4}", text)
    return int(digits[0]) if digits else None


def _is_complete(names: Sequence[str], keys: Sequence[tuple[int | None, str]]) -> bool:
    """Return whether the rows of each name have numbers from 0 or 1 on, none of them twice for a side."""
    games: dict[str, list[tuple[int, str]]] = {}
    for name, (number, side) in zip(names, keys, strict=True):
        if number is not None:
            games.setdefault(name, []).append((number, side))
    return len(games) > 1 and all(
        len({*rows}) == len(rows) > 1
        and {number for number, _ in rows} - {0} == {*range(1, 1 + max(number for number, _ in rows))}
        for rows in games.values()
    )


def _sorted(rows: list[int], keys: Sequence[tuple[int | None, str]]) -> list[int]:
    """Return rows in the order of their numbers, Black's first; a row without one stays after that before it."""
    groups: list[list[int]] = []
    for at in rows:
        if keys[at][0] is not None or not groups:
            groups.append([])
        groups[-1].append(at)

    def place(group: list[int]) -> tuple[int, int]:
        number, side = keys[group[0]]
        return -1 if number is None else number, color_of(side) or 0

    return [at for group in sorted(groups, key=place) for at in group]


def spell_colors(columns: Sequence[TableColumn], body: Sequence[SourceLine]) -> Sequence[SourceLine]:
    """Return rows with the names of colors in place of initials and numbers."""
    for place, column in enumerate(columns):
        if sides := column.sides:
            names = {text: COLORS[sides[plain(text)]] for text in column.texts}
            body = [
                row._replace(
                    fields=tuple(
                        part._replace(text=names.get(part.text, "")) if at == place else part
                        for at, part in enumerate(row.fields)
                    )
                )
                for row in body
            ]
            column.texts = [names[text] for text in column.texts]
    return body


def pivot(columns: list[TableColumn], body: Sequence[SourceLine]) -> tuple[list[TableColumn], Sequence[SourceLine]]:
    """Return columns and rows with a column for each kind of fact, in place of one that names the event of a row.

    Events are facts, such as ``size`` and ``opening``, and turns, such as ``move`` and ``pass``; others are comments.
    """
    values = [place for place, column in enumerate(columns) if column.kind == "turn"]
    event = next((place for place, column in enumerate(columns) if place not in values and _names_events(column)), None)
    if len(values) != 1 or event is None:
        return columns, body
    (value,) = values
    made: dict[str, int] = {}
    rows = []
    for row in body:
        blank = TableCell("", row.number, 1)
        fields = [*row.fields, *[blank] * (len(columns) - len(row.fields))]
        label, given = fields[event], fields[value]
        side = next((part for part in fields if part not in (label, given) and color_of(part.text) is not None), blank)
        kind = _kind_of_event(label.text, side.text)
        fields[event] = blank
        if kind == "turn":
            fields[value] = given if given.text else label  # as in "pass"
        else:
            if kind == "comment" and find_facts(given.text, "game"):
                kind = ""  # as in "created: Sunspot, size 5"
            elif kind == "comment" and (RESULT_WORDS.search(label_of(label)) or not given.text):
                given = label._replace(text=f"{side.text} {label_of(label)} {given.text}".strip())
            place = made.setdefault(kind, len(columns) + len(made))
            fields[value] = blank
            fields += [*[blank] * (place - len(fields)), given if given.text else side]
        rows.append(row._replace(fields=tuple(fields)))
    columns[event].kind = "row"
    return [*columns, *(TableColumn(kind, kind) for kind in made)], rows


def _names_events(column: TableColumn) -> bool:
    """Return whether a column names the events of its rows, many of which are turns."""
    kinds = [_kind_of_event(text) for text in column.texts]
    names = {*map(plain, column.texts)}
    has_cells = any(has_tokens(name, "cell") for name in names)
    return 3 * kinds.count("turn") > len(kinds) > len(names) <= _MOST_EVENTS and not has_cells


def _kind_of_event(text: str, side: str = "") -> str:
    """Return the kind of the facts that an event states, ``turn`` or ``comment``."""
    label, color = plain(text).replace("_", " ").strip(), color_of(side)
    kind = kind_of_label(label)
    meanings = {MEANINGS[word][0] if word in MEANINGS else None for word in label.split()}
    if kind in ("turn", "moves") or meanings & {"join", *TURN_KINDS} or (kind is None and meanings == {"filler"}):
        return "turn"
    if color is not None and (kind == "opening" or _SEATS.fullmatch(label)):
        return f"opening {COLORS[color]}" if kind == "opening" else COLORS[color]
    return kind if kind in FACTS else "comment"
