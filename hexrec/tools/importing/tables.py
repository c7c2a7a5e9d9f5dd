"""Reader of tables: one game a row, one turn a row, two columns, one game a column; with the facts around the turns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest

from hexrec.rules.terms import COLORS
from hexrec.tools.importing.columns import (
    COUNTED,
    FACTS,
    STONE,
    TableColumn,
    heading_kind,
    is_heading_row,
    is_pairs,
    kind_of_label,
    label_of,
    turn_count,
)
from hexrec.tools.importing.facts import find_facts
from hexrec.tools.importing.layouts import SourceLine, TableCell
from hexrec.tools.importing.openings import opening_stones
from hexrec.tools.importing.posts import Collector
from hexrec.tools.importing.register import name_of
from hexrec.tools.importing.results import states_end
from hexrec.tools.importing.spelling import color_of, plain
from hexrec.tools.importing.table_rows import (
    add_facts,
    add_game,
    add_sides,
    add_turn_field,
    add_turns,
    by_column,
    facts_of,
    side_of,
)

#: The maximum number of columns of a list of turns.
_WIDEST = 6
#: The maximum number of turns in a cell of a row that is no game.
_PAIR = 2
#: Headings of columns with the parts of a turn, and the signs before them.
_PARTS = {
    **dict.fromkeys(("from", "move from", "moved from", "von", "de", "da", "van"), ""),
    **dict.fromkeys(("to", "move to", "moved to", "nach", "vers", "naar"), "-"),
    **dict.fromkeys(("place", "placed", "placement", "placing", "setzt", "setzen", "new", "new stack"), "/"),
    **dict.fromkeys(("flip", "flips", "flipped", "flip 1", "flip 2", "flip back", "flipped back", "then flip"), "x"),
}
#: The words of databases for nothing.
_NOTHING = ("NULL", "null", "(null)", "None", "NaN", "\\N", "#N/A")
#: A list as programs write it, and its signs.
_LIST, _LIST_SIGNS = re.compile(r"[\[({][^\[\](){}]*[\])}]"), re.compile(r"[\[\](){}\"']")


def add_table(collector: Collector, rows: Sequence[SourceLine]) -> None:
    """Add the consecutive rows of a table to a collector."""
    for index, part in enumerate(_side_by_side(rows)):
        if index and _is_list(part) and not _goes_on(collector.draft.numbers, part):
            collector.begin()
        _add_part(collector, part)


def _side_by_side(rows: Sequence[SourceLine]) -> list[list[SourceLine]]:
    """Return the parts of rows between empty columns, or at headings that repeat; none but facts and lists of turns."""
    if _has_games_in_columns(rows):
        return [_cut(rows, 0, None)]
    width = max((len(row.fields) for row in rows), default=0)
    used = [any(place < len(row.fields) and row.fields[place].text for row in rows) for place in range(width)]
    starts = [place for place in range(width) if used[place] and not (place and used[place - 1])]
    spans = [*pairwise([*starts, width])]
    shared = 0
    if len(starts) == 1 and (repeated := next(filter(None, map(_repeated, rows)), None)):
        shared, *_ = starts = repeated
        spans = [*pairwise([*starts, width])]
    parts = [_cut(rows, *span, shared) for span in spans]
    lists = [part for part in parts if _is_list(part)]
    if len(parts) < 2 or not lists or not all(part in lists or _is_facts(part) for part in parts):
        return [_cut(rows, min(starts, default=0), width)]
    if len(lists) == len(parts) and (whole := _row_by_row(parts)):
        return [whole]
    return parts if len(lists) > 1 else sorted(parts, key=lists.__contains__)


def _row_by_row(parts: Sequence[Sequence[SourceLine]]) -> list[SourceLine]:
    """Return the rows of parts as one list of turns, if their numbers go on from part to part; else none."""
    rows = [row for line in zip(*parts, strict=True) for row in line]
    first = next((at for at, row in enumerate(rows) if _is_numbered(row)), 0)
    numbers = [int(row.fields[0].text) for row in rows[first:] if _is_numbered(row)]
    is_list = len(numbers) > len(parts) and numbers == [*range(numbers[0], numbers[0] + len(numbers))]
    return [*rows[: first : len(parts)], *rows[first:]] if is_list else []


def _goes_on(numbers: Sequence[int], part: Sequence[SourceLine]) -> bool:
    """Return whether the first number of a part follows the last one of a list."""
    first = next((int(row.fields[0].text) for row in part if _is_numbered(row)), None)
    return bool(numbers) and first == numbers[-1] + 1 > 1


def _is_numbered(row: SourceLine) -> bool:
    return bool(row.fields) and row.fields[0].text.isdigit()


def _repeated(row: SourceLine) -> list[int]:
    """Return the places at which the headings of a row begin again, the first included, or none.

    A column before them, such as that of numbers, is for all.
    """
    labels = [label_of(part) for part in row.fields]
    for first in (0, 1):
        for size in range(2, min(_WIDEST, (len(labels) - first) // 2) + 1):
            group, places = labels[first : first + size], range(first, len(labels), size)
            if any(map(kind_of_label, group)) and all(labels[place : place + size] == group for place in places):
                return [*places]
    return []


def _cut(rows: Sequence[SourceLine], start: int, end: int | None, shared: int = 0) -> list[SourceLine]:
    """Return the part of rows between two columns, after the columns that parts share; without signs of programs."""
    return [
        row._replace(
            fields=tuple(
                part._replace(text=_bare(part.text)) for part in (*row.fields[:shared], *row.fields[start:end])
            )
        )
        for row in rows
    ]


def _bare(text: str) -> str:
    """Return the text of a cell without the words of databases for nothing, and without the signs of a list."""
    return _LIST_SIGNS.sub("", text) if _LIST.fullmatch(text) else "" if text in _NOTHING else text


def _is_list(rows: Sequence[SourceLine]) -> bool:
    """Return whether rows are a list of turns: a number, or none, and turns by themselves."""
    filled = (row.filled for row in rows)
    counts = [
        [turn_count(part.text) for part in parts] for parts in filled if parts and heading_kind(parts[0]) not in FACTS
    ]
    return sum(1 in count and max(count) == 1 for count in counts) > 1 and all(
        len(count) <= _WIDEST for count in counts
    )


def _is_facts(rows: Sequence[SourceLine]) -> bool:
    """Return whether rows are facts with keys, and titles."""
    filled = [row.filled for row in rows]
    return all(len(parts) < 3 and (len(parts) < 2 or heading_kind(parts[0])) for parts in filled) and any(
        len(parts) == 2 for parts in filled
    )


def _add_part(collector: Collector, rows: Sequence[SourceLine]) -> None:
    """Add the rows of a part: tables, facts in pairs of cells, and text."""
    if _has_games_in_columns(rows):
        header, *body = _turned(rows)
        _add_body(collector, header, body, games=True)
        return
    ends = [len(rows)]  # of a table that begins at a row, from the last row on
    for index in reversed(range(1, len(rows))):
        is_end = not rows[index].filled or is_heading_row(rows[index])
        ends.append(index if is_end else ends[-1])
    named = {heading_kind(row.filled[0]) for row in rows if len(row.filled) == 2} & {*COLORS}
    side = str(named.pop()) if len(named) == 1 else ""  # the color of the only player of the part
    index = 0
    while index < len(rows):
        row, end = rows[index], ends[-1 - index]
        filled = row.filled
        index += 1
        if not filled:
            continue
        if len(filled) == 3 and _has_rating(filled):
            filled[1:] = [filled[1]._replace(text=f"{filled[1].text} ({filled[2].text})")]
        if end < len(rows) and (names := _names_above(row, rows[end])):
            for color, part in names:
                add_facts(collector, color, part)
        elif index < len(rows) and {side_of(row), side_of(rows[index])} == {0, 1}:
            add_sides(collector, sorted(rows[index - 1 : index + 1], key=lambda side: side_of(side) or 0))
            index += 1
        elif len(filled) > 2 and all(part.text.isdigit() for part in filled):
            continue  # the numbers above turns
        elif index < end and _begins_table(row, rows[index : min(end, index + 12)]):
            _add_body(collector, row, rows[index:end])
            index = end
        elif len(filled) == 1:
            collector.add_text(_as_line(filled[0]))
        elif len(filled) == 2 and states_end(filled[1].text) and (heading_kind(filled[0]) or "black") in COLORS:
            collector.add_text(_as_line(filled[0]._replace(text=" ".join(part.text for part in filled))))
        elif len(filled) == 2 and color_of(filled[0].text) is not None and turn_count(filled[1].text) == 1:
            add_turn_field(collector, filled[1], color=color_of(filled[0].text))
        elif len(filled) == 2 and (kind := heading_kind(filled[0])) in FACTS:
            is_of_side = side and kind == "opening" and STONE.match(label_of(filled[0]))
            add_facts(collector, f"opening {side}" if is_of_side else str(kind), filled[1])
        elif len(filled) == 4 and label_of(filled[0]) == label_of(filled[2]) and heading_kind(filled[0]) == "opening":
            add_facts(collector, "opening", filled[1]._replace(text=f"{filled[1].text}, {filled[3].text}"))
        elif is_pairs(filled):
            for label, part in zip(filled[::2], filled[1::2], strict=True):
                if (kind := heading_kind(label)) in FACTS:
                    add_facts(collector, str(kind), part)
                else:
                    collector.add_text(_as_line(part._replace(text=f"{label.text}: {part.text}")))
        elif heading_kind(filled[0]) == "opening" and opening_stones(
            stones := plain(", ".join(part.text for part in filled[1:]))
        ):
            add_facts(collector, "opening", filled[0]._replace(text=stones))
        else:
            text = "".join(
                part.text + (": " if heading_kind(part) in FACTS and color_of(part.text) is None else " | ")
                for part in filled
            )
            collector.add_text(SourceLine(row.number, text, column=filled[0].column))


def _has_games_in_columns(rows: Sequence[SourceLine]) -> bool:
    """Return whether rows with facts, named in the first column, have several values, such as names of both players."""
    filled = [row.filled for row in rows if row.fields and row.fields[0].text]
    labels = [
        heading_kind(parts[0])
        for parts in filled
        if len(parts) > 2 and not any(map(heading_kind, parts[1:])) and not _has_rating(parts)
    ]
    return "game" in labels or {"black", "white"} <= {*labels}


def _has_rating(parts: Sequence[TableCell]) -> bool:
    """Return whether the cells of a row are a color, a player and a rating."""
    color, name, rating, *_ = parts
    return (
        heading_kind(color) in COLORS and rating.text.isdigit() and len(rating.text) > 2 and not turn_count(name.text)
    )


def _turned(rows: Sequence[SourceLine]) -> list[SourceLine]:
    """Return the columns of a table as rows."""
    columns = zip_longest(*(row.fields for row in rows), fillvalue=TableCell("", 0, 0))
    return [SourceLine(rows[0].number, "", fields) for fields in columns]


def _names_above(row: SourceLine, header: SourceLine) -> list[tuple[str, TableCell]]:
    """Return the names in a row above the headings Black and White, by color; none if it has more than them."""
    pairs = [(heading_kind(part), above) for above, part in zip(row.fields, header.fields, strict=False) if above.text]
    if pairs and heading_kind(pairs[0][1]) == "players":
        del pairs[0]
    is_named = not any(turn_count(above.text) or heading_kind(above) for _, above in pairs)
    return (
        [(str(kind), above) for kind, above in pairs] if [kind for kind, _ in pairs] == [*COLORS] and is_named else []
    )


def _as_line(part: TableCell) -> SourceLine:
    return SourceLine(part.line, part.text.replace("\n", " "), column=part.column)


def _begins_table(row: SourceLine, following: Sequence[SourceLine]) -> bool:
    """Return whether a row has headings: known ones, or others above columns of turns."""
    if is_heading_row(row):
        return True
    first, *others = row.fields
    named = [part for part in others if part.text]
    if (
        not named
        or any(turn_count(part.text) for part in row.fields)
        or any(side_of(below) is not None for below in following)
    ):
        return False
    if label_of(first) not in ("", "#") and heading_kind(first) not in ("number", "turn", "round"):
        return False
    return any(
        sum(turn_count(part.text) > 0 for part in below.fields[1:]) >= max(1, len(named) - 1)
        for below in following
        if below.fields and heading_kind(below.fields[0]) not in FACTS
    )


def _add_body(collector: Collector, header: SourceLine, body: Sequence[SourceLine], *, games: bool = False) -> None:
    """Add the rows below the headings of a table; with `games`, each is a game."""
    signs = {place: _PARTS[label] for place, part in enumerate(header.fields) if (label := label_of(part)) in _PARTS}
    moved = next((place for place, part in enumerate(header.fields) if label_of(part) in ("move", "moved")), None)
    if moved is not None and [*signs.values()] == ["/"]:  # a move, and the placement after it
        signs = {moved: "", **signs}
    if len(signs) > 1 and {"", "-", "x"} & {*signs.values()}:
        header = _join_parts(header, dict.fromkeys(signs, ""))
        header = header._replace(
            fields=tuple(
                part._replace(text="move") if place == min(signs) else part for place, part in enumerate(header.fields)
            )
        )
        body = [_join_parts(row, signs) for row in body]
    columns = [
        TableColumn(label_of(part), heading_kind(part) or "", part.text.replace("**", "")) for part in header.fields
    ]
    width = max((len(row.fields) for row in body), default=0)
    columns += [TableColumn("", "") for _ in range(width - len(columns))]
    for row in body:
        first = next(iter(row.filled), None)
        if first is not None and color_of(first.text) is None and heading_kind(first) in FACTS:
            continue  # a row with a key
        for column, part in by_column(columns, row):
            column.texts.append(part.text)
    for column in columns:
        column.settle()
    if not any(column.kind in ("turn", "moves", "result", "winner", "game") for column in columns):
        for column in columns:  # headed "stack placed at"
            if column.kind == "opening" and len(column.texts) > _PAIR and all(map(turn_count, column.texts)):
                column.kind = "turn"
    if any(True in column.lettered for column in columns):
        for column in columns:
            if column.lettered == {False}:
                column.kind = ""  # decimal numbers, such as 1,5
    turns = [column for column in columns if column.kind == "turn"]
    lists = [column for column in columns if column.kind == "moves"]
    pairs = [column for column in lists if max(map(turn_count, column.texts), default=0) <= _PAIR]
    if pairs and not any(column.kind in FACTS for column in columns):
        for column in pairs:  # one game, a pair of turns a row
            column.kind = "turn"
        add_turns(collector, columns, body)
    elif games or lists or (len(turns) > 2 and (COUNTED.match(turns[-1].label) or not turns[-1].label)):
        is_whole = len({len(row.fields) for row in (header, *body)}) == 1
        for row in body:
            add_game(collector, columns, row, is_whole=is_whole)
    elif turns and (all(map(_is_game, turns)) or (len(turns) > 2 and {column.color for column in turns} == {None})):
        header, *body = _turned((header, *body))
        _add_body(collector, header, body, games=True)
    elif turns:
        add_turns(collector, columns, body)
    elif len(body) == 1:  # facts in a row, the turns elsewhere
        collector.begin()
        for column, part in by_column(columns, body[0]):
            if column.kind in FACTS:
                add_facts(collector, column.kind, part)
    else:
        for row in body:
            parts = by_column(columns, row)
            names = {name_of(part.text) for column, part in parts if column.kind in ("index", "number", "round", "")}
            players = [next((part.text for column, part in parts if column.kind == color), "") for color in COLORS]
            if all(players):
                names.add(name_of(" ".join(players)))
            collector.register.append((names, [fact for column, part in parts for fact in facts_of(column, part)]))


def _is_game(column: TableColumn) -> bool:
    """Return whether a heading names a game, or both of its players."""
    kinds = {fact.kind for fact in find_facts(column.heading)}
    return bool(kinds & {"game", "pair"}) or kinds >= {*COLORS}


def _join_parts(row: SourceLine, signs: Mapping[int, str]) -> SourceLine:
    """Return a row with the cells of one turn in the first of its columns; `signs` come before them."""
    fields = [*row.fields]
    parts = [(place, sign) for place, sign in signs.items() if place < len(fields) and fields[place].text]
    texts = [fields[place].text for place, _ in parts]
    is_one = len({*map(plain, texts)}) == 1  # from a cell to itself
    text = texts[0] if is_one else "".join(sign + fields[place].text for place, sign in parts).lstrip("-/")
    for place, _ in parts:
        fields[place] = fields[place]._replace(text="")
    if parts:
        fields[min(signs)] = fields[parts[0][0]]._replace(text=text)
    return row._replace(fields=tuple(fields))


def align(lines: Iterable[SourceLine]) -> Iterator[SourceLine]:
    """Yield lines, with the cells of tables whose columns are aligned by spaces, a game in a row."""
    starts: list[int] = []  # of the columns of a table
    for line in lines:
        if line.fields or not line.text.strip():
            starts = []
        elif starts and not any(line.text[start - 1 : start].strip() for start in starts[1:]):
            cells = (line.text[start:end] for start, end in pairwise([*starts, None]))
            fields = tuple(
                TableCell(text.strip(), line.number, start + 1) for text, start in zip(cells, starts, strict=True)
            )
            if any(part.text.strip("-=") for part in fields):  # not the rule below the headings
                yield line._replace(fields=fields)
            continue
        else:
            found = [*re.finditer(r"\S+(?: \S+)*", line.text)]
            fields = tuple(TableCell(match[0], line.number, match.start() + 1) for match in found)
            kinds = {heading_kind(part) for part in fields}
            starts = [match.start() for match in found] if len(kinds & {*FACTS}) > 2 and "moves" in kinds else []
            line = line._replace(fields=fields if starts else ())
        yield line


def tables_of(lines: Iterable[SourceLine]) -> Iterator[list[SourceLine] | SourceLine]:
    """Yield lines of text, and lists of consecutive rows."""
    rows: list[SourceLine] = []
    for line in lines:
        if len(line.fields) > 1:
            rows.append(line)
            continue
        if rows:
            yield rows
            rows = []
        yield line
    if rows:
        yield rows
