"""Reader of tables: one game a row, one turn a row, two columns, one game a column; with the facts around the turns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise, zip_longest

from hexrec.rules.terms import COLORS
from hexrec.tools.importing.drafts import DraftLine, name_of
from hexrec.tools.importing.facts import find_facts, game_names, keyed_facts, opening_stones
from hexrec.tools.importing.layouts import SourceLine, TableCell
from hexrec.tools.importing.lexer import TURN_KINDS, Token, lex
from hexrec.tools.importing.posts import Collector
from hexrec.tools.importing.results import Fact, find_termination
from hexrec.tools.importing.words import KEYS, color_of, plain

#: The kinds of columns that state facts about a game.
_FACTS = (
    *("game", "index", "size", "black", "white", "players", "opening", "opening black", "opening white", "pie"),
    *("result", "winner", "termination", "score", "date", "event", "site", "round", "variant", "coordinates"),
)
#: Signs between the cells of one turn.
_JOINING = ("-", "/", ">", "+", "*", "&")
#: Words of headings and of questions on forms, apart from the fact, and those for an opening stone.
_ASKING = frozenset(
    re.findall(
        r"\w+",
        "who which was were is the of a an did does do you your played playing plays player players name names as"
        " with on del de des du der van di la el le het please enter list used for in spieler joueur jugador speler"
        " giocatore first what",
    )
)
_STONE = re.compile(r"\w*(?:stones?|stacks?|eggs?|steine?|pierres?|piedras?|pietr[ae]|ste?en(?:en)?)\b")
#: The kind of a column that answers whether a game ended as its heading says, and the answers.
_FLAG = "flag"
_YES = ("yes", "y", "1", "true", "x", "ja", "oui", "sí", "si", "✓", "✔")
#: The facts in cells without a heading for them.
_NAMING = ("game", "size", "variant", "black", "white", "pair")
#: The maximum number of columns of a list of turns.
_WIDEST = 6
#: The maximum number of words of a name above a column.
_LONG_NAME = 4
#: The maximum number of turns in a cell of a row that is no game.
_PAIR = 2
#: Headings of columns with the parts of a turn, and the signs before them.
_PARTS = {
    **dict.fromkeys(("from", "von", "de", "da", "van"), ""),
    **dict.fromkeys(("to", "nach", "vers", "naar"), "-"),
    **dict.fromkeys(("place", "placed", "placement", "placing", "setzt", "setzen", "new", "new stack"), "/"),
    **dict.fromkeys(("flip", "flips", "flipped", "flip 1", "flip 2", "flip back", "flipped back", "then flip"), "x"),
}
#: The words of databases for nothing.
_NOTHING = ("NULL", "null", "(null)", "None", "NaN", "\\N", "#N/A")
#: A list as programs write it, and its signs.
_LIST, _LIST_SIGNS = re.compile(r"[\[({][^\[\](){}]*[\])}]"), re.compile(r"[\[\](){}\"']")
#: Headings of columns of turns by place: ``1``, ``move 1``, ``m1``, ``ply 12``.
_COUNTED = re.compile(r"(?:[^\W\d_]{0,6}[ ._-]?)?#?\d{1,3}[.:]?$")

#: Kinds of columns that every cell shows by itself.
_CONTENTS: dict[str, Callable[[str], bool]] = {
    "game": lambda text: plain(text) in game_names(),
    "date": lambda text: any(fact.kind == "date" for fact in find_facts(text)),
    "result": lambda text: any(fact.kind == "claim" for fact in find_facts(text)),
    "termination": lambda text: find_termination(plain(text)) is not None,
    "opening": lambda text: {*opening_stones(plain(text))} == {0, 1},
}


def is_header(line: str, delimiter: str) -> bool:
    """Return whether a line of text has the headings of a table."""
    return _is_header(SourceLine(1, line, tuple(TableCell(part.strip(' "'), 1, 1) for part in line.split(delimiter))))


@dataclass
class _Column:
    """A column of a table.

    Attributes:
        label: its heading in lower case.
        kind: the meaning: a kind of `KEYS`, or empty.
        color: the color whose turns it has.
        texts: its cells that are not empty.
    """

    label: str
    kind: str
    heading: str = ""
    color: int | None = None
    texts: list[str] = field(default_factory=list)

    @property
    def has_colors(self) -> bool:
        """Whether all cells name colors."""
        return bool(self.texts) and all(color_of(text) is not None for text in self.texts)

    @property
    def lettered(self) -> set[bool]:
        """Whether the cells in its turns have letters, or are pairs of numbers."""
        tokens = (token for text in self.texts for token in lex(plain(text))) if self.kind in ("turn", "moves") else ()
        return {token.value.lettered for token in tokens if token.kind == "cell"}

    def settle(self) -> None:
        """Decide by the contents between meanings of a heading, and what an unknown heading means."""
        turns = [turn_count(text) for text in self.texts]
        has_turns = sum(count > 0 for count in turns) * 2 > len(turns)
        if self.kind in ("", "color", "round") and not any(
            token.kind in ("cell", "pass") for text in self.texts for token in lex(plain(text))
        ):
            has_turns = False  # such as ends by resignation
        most = 1 if self.kind == "moves" else 2
        many = sum(count > most for count in turns) * 2 > len(turns)
        numbers = bool(self.texts) and sum(text.strip("#. ").isdigit() for text in self.texts) * 2 > len(self.texts)
        if self.kind in ("black", "white") and has_turns:
            self.color = int(self.kind == "white")
            self.kind = "moves" if many else "turn"
        elif self.kind in ("opening", "opening black", "opening white"):
            pass
        elif many and self.kind not in ("comment", "players"):
            self.kind = "moves"
        elif has_turns and self.kind in ("", "turn", "number", "moves", "color", "text", "round"):
            self.kind = "turn"
        elif self.kind == "turn" and numbers:
            self.kind = "number"
        elif self.kind == "turn" and self.texts and not any(turns):
            self.kind = "color" if self.has_colors else ""
        elif self.kind == "color" and numbers:
            self.kind = "size"  # headed "side"
        elif (self.kind == "game" and not any(name in plain(text) for text in self.texts for name in game_names())) or (
            self.kind == "number" and not numbers and self.texts
        ):
            self.kind = "index"
        if self.kind == "turn" and (players := [fact for fact in find_facts(self.heading) if fact.kind in COLORS]):
            self.color = COLORS.index(players[0].kind)
        if self.kind in ("", "index", "variant", "color", "text") and self.texts:
            self.kind = next((kind for kind, fits in _CONTENTS.items() if all(map(fits, self.texts))), self.kind)


def turn_count(text: str) -> int:
    """Return the number of turns in a text of nothing but turns, else 0: signs such as hyphens join cells to one."""
    tokens = lex(plain(text))
    if any(token.kind == "word" for token in tokens):
        return 0
    count, joined = 0, False
    for token in tokens:
        if token.kind in TURN_KINDS:
            count += not joined or token.kind != "cell"
            joined = False
        else:
            joined = joined or token.kind == "join" or (token.kind == "sign" and token.value in _JOINING)
    return count


def add_table(collector: Collector, rows: Sequence[SourceLine]) -> None:
    """Add the consecutive rows of a table to a collector."""
    for index, part in enumerate(_side_by_side(rows)):
        if index and _is_list(part):
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


def _is_numbered(row: SourceLine) -> bool:
    return bool(row.fields) and row.fields[0].text.isdigit()


def _repeated(row: SourceLine) -> list[int]:
    """Return the places at which the headings of a row begin again, the first included, or none.

    A column before them, such as that of numbers, is for all.
    """
    labels = [_label(part) for part in row.fields]
    for first in (0, 1):
        for size in range(2, min(_WIDEST, (len(labels) - first) // 2) + 1):
            group, places = labels[first : first + size], range(first, len(labels), size)
            if any(map(_kind_of_label, group)) and all(labels[place : place + size] == group for place in places):
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
    filled = ([part for part in row.fields if part.text] for row in rows)
    counts = [
        [turn_count(part.text) for part in parts] for parts in filled if parts and _kind_of(parts[0]) not in _FACTS
    ]
    return sum(1 in count and max(count) == 1 for count in counts) > 1 and all(
        len(count) <= _WIDEST for count in counts
    )


def _is_facts(rows: Sequence[SourceLine]) -> bool:
    """Return whether rows are facts with keys, and titles."""
    filled = [[part for part in row.fields if part.text] for row in rows]
    return all(len(parts) < 3 and (len(parts) < 2 or _kind_of(parts[0])) for parts in filled) and any(
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
        is_end = not any(part.text for part in rows[index].fields) or _is_header(rows[index])
        ends.append(index if is_end else ends[-1])
    index = 0
    while index < len(rows):
        row, end = rows[index], ends[-1 - index]
        filled = [part for part in row.fields if part.text]
        index += 1
        if not filled:
            continue
        if end < len(rows) and (names := _names_above(row, rows[end])):
            for color, part in names:
                _add_facts(collector, color, part)
        elif index < len(rows) and {_side_of(row), _side_of(rows[index])} == {0, 1}:
            _add_sides(collector, sorted(rows[index - 1 : index + 1], key=lambda side: _side_of(side) or 0))
            index += 1
        elif len(filled) > 2 and all(part.text.isdigit() for part in filled):
            continue  # the numbers above turns
        elif index < end and _begins_table(row, rows[index : min(end, index + 12)]):
            _add_body(collector, row, rows[index:end])
            index = end
        elif len(filled) == 1:
            collector.add_text(_as_line(filled[0]))
        elif len(filled) == 2 and (kind := _kind_of(filled[0])) in _FACTS:
            _add_facts(collector, str(kind), filled[1])
        elif _is_pairs(filled):
            for label, part in zip(filled[::2], filled[1::2], strict=True):
                if (kind := _kind_of(label)) in _FACTS:
                    _add_facts(collector, str(kind), part)
                else:
                    collector.add_text(_as_line(part._replace(text=f"{label.text}: {part.text}")))
        elif _kind_of(filled[0]) == "opening" and opening_stones(
            stones := plain(", ".join(part.text for part in filled[1:]))
        ):
            _add_facts(collector, "opening", filled[0]._replace(text=stones))
        else:
            text = "".join(
                part.text + (": " if _kind_of(part) in _FACTS and color_of(part.text) is None else " | ")
                for part in filled
            )
            collector.add_text(SourceLine(row.number, text, column=filled[0].column))


def _has_games_in_columns(rows: Sequence[SourceLine]) -> bool:
    """Return whether rows with facts, named in the first column, have several values, such as names of both players."""
    filled = [[part for part in row.fields if part.text] for row in rows if row.fields and row.fields[0].text]
    labels = [_kind_of(first) for first, *others in filled if len(others) > 1 and not any(map(_kind_of, others))]
    return "game" in labels or {"black", "white"} <= {*labels}


def _side_of(row: SourceLine) -> int | None:
    """Return the color that a row has all turns of, by the cell before them; or None."""
    first, *others = [part for part in row.fields if part.text] or [TableCell("", 0, 0)]
    if len(others) < 2 or any(turn_count(part.text) != 1 for part in others):
        return None
    named = [fact.kind for fact in find_facts(first.text) if fact.kind in COLORS]
    return COLORS.index(named[0]) if len(named) == 1 else color_of(first.text)


def _add_sides(collector: Collector, sides: Sequence[SourceLine]) -> None:
    """Add the rows of Black and White, with a turn in each column."""
    for row in sides:
        collector.add_facts([fact for fact in find_facts(row.fields[0].text) if fact.kind in COLORS], row.number)
    for parts in zip_longest(*(row.fields[1:] for row in sides)):
        for color, part in enumerate(parts):
            if part is not None and part.text:
                _add_turn_field(collector, part, color=color)


def _turned(rows: Sequence[SourceLine]) -> list[SourceLine]:
    """Return the columns of a table as rows."""
    columns = zip_longest(*(row.fields for row in rows), fillvalue=TableCell("", 0, 0))
    return [SourceLine(rows[0].number, "", fields) for fields in columns]


def _label(part: TableCell) -> str:
    return plain(part.text).replace("_", " ").strip(" :*\"'?")


def _kind_of(part: TableCell) -> str | None:
    """Return the kind of facts by a heading, such as ``Board (cells per side)`` or ``Who played Black?``."""
    return _kind_of_label(_label(part))


@lru_cache(maxsize=1000)
def _kind_of_label(label: str) -> str | None:
    note = re.search(r"\(([^()]*)\)$", label)
    bare = re.sub(r"\s*\(.*?\)", "", label)
    is_name = len(bare.split()) <= _LONG_NAME and not any(token.kind == "cell" for token in lex(bare))
    if note and is_name and (color := color_of(note[1])) is not None:
        return COLORS[color] if KEYS.get(bare, "color") in (*COLORS, "color") else f"opening {COLORS[color]}"
    words = [word.removesuffix("'s") for word in bare.split() if word not in _ASKING]
    others = [word for word in words if color_of(word) is None]
    colors = {color_of(word) for word in words} - {None}
    if any(map(_STONE.fullmatch, others)) and not colors:
        colors = {index for index, word in enumerate(("first", "second")) if word in bare.split()}
    kind = KEYS.get(label) or KEYS.get(bare) or KEYS.get(" ".join(words)) or KEYS.get(" ".join(others))
    if kind is None and (each := {known for word in others if (known := KEYS.get(word, word)) != "color"}):
        kind = each.pop() if len(each) == 1 and each < {*KEYS.values()} else None  # as in "lado del tablero"
    if not colors and any(map(_STONE.fullmatch, others)):
        return kind or "opening"
    if len(colors) != 1:
        return kind or (_FLAG if find_termination(label) and len(words) < 3 else None)
    side = COLORS[colors.pop() or 0]
    if kind == "opening" or any(map(_STONE.fullmatch, others)):
        return f"opening {side}"
    return side if not others else kind if kind not in (None, "turn") and KEYS.get(label) else None


def _names_above(row: SourceLine, header: SourceLine) -> list[tuple[str, TableCell]]:
    """Return the names in a row above the headings Black and White, by color; none if it has more than them."""
    pairs = [(_kind_of(part), above) for above, part in zip(row.fields, header.fields, strict=False) if above.text]
    if pairs and _kind_of(pairs[0][1]) == "players":
        del pairs[0]
    is_named = not any(turn_count(above.text) or _kind_of(above) for _, above in pairs)
    return (
        [(str(kind), above) for kind, above in pairs] if [kind for kind, _ in pairs] == [*COLORS] and is_named else []
    )


def _is_pairs(filled: Sequence[TableCell]) -> bool:
    """Return whether cells are keys, each with its value, as in "Black | Ada | Winner | White"."""
    pairs = zip(filled[::2], filled[1::2], strict=False)
    return (
        len(filled) > 3
        and len(filled) % 2 == 0
        and all(_kind_of(key) and (_kind_of(key) in ("result", "winner") or not _kind_of(part)) for key, part in pairs)
    )


def _as_line(part: TableCell) -> SourceLine:
    return SourceLine(part.line, part.text.replace("\n", " "), column=part.column)


def _is_header(row: SourceLine) -> bool:
    filled = [part for part in row.fields if part.text]
    counted = [part for part in filled if _COUNTED.match(_label(part))]
    numbers = [int(re.findall(r"\d+", part.text)[0]) for part in counted]
    places = [filled.index(part) for part in counted]
    in_a_row = all(after - before in (0, 1) for run in (numbers, places) for before, after in pairwise(run))
    if len(numbers) > 2 and in_a_row:
        filled = [part for part in filled if part not in counted]
        if any(turn_count(part.text) for part in filled):
            return False
        return any(map(_kind_of, filled))
    if len(filled) == 2 and _kind_of(filled[0]) in ("result", "winner", "pie") and color_of(filled[1].text) is not None:
        return False  # as in "Winner | Black"
    known = [kind for part in filled if (kind := _kind_of(part))]
    if _is_pairs(filled):
        return False
    return (
        len({*known}) >= 2  # not as in "Result | won | lost"
        and 2 * len(known) >= len(filled)
        and not any(turn_count(part.text) for part in filled if not _kind_of(part))
    )


def _begins_table(row: SourceLine, following: Sequence[SourceLine]) -> bool:
    """Return whether a row has headings: known ones, or others above columns of turns."""
    if _is_header(row):
        return True
    first, *others = row.fields
    named = [part for part in others if part.text]
    if (
        not named
        or any(turn_count(part.text) for part in row.fields)
        or any(_side_of(below) is not None for below in following)
    ):
        return False
    if _label(first) not in ("", "#") and _kind_of(first) not in ("number", "turn", "round"):
        return False
    return any(
        sum(turn_count(part.text) > 0 for part in below.fields[1:]) >= max(1, len(named) - 1)
        for below in following
        if below.fields and _kind_of(below.fields[0]) not in _FACTS
    )


def _add_body(collector: Collector, header: SourceLine, body: Sequence[SourceLine], *, games: bool = False) -> None:
    """Add the rows below the headings of a table; with `games`, each is a game."""
    signs = {place: _PARTS[label] for place, part in enumerate(header.fields) if (label := _label(part)) in _PARTS}
    if {"-", "x"} & {*signs.values()} and len(signs) > 1:
        header = _join_parts(header, dict.fromkeys(signs, ""))
        header = header._replace(
            fields=tuple(
                part._replace(text="move") if place == min(signs) else part for place, part in enumerate(header.fields)
            )
        )
        body = [_join_parts(row, signs) for row in body]
    columns = [_Column(_label(part), _kind_of(part) or "", part.text.replace("**", "")) for part in header.fields]
    width = max((len(row.fields) for row in body), default=0)
    columns += [_Column("", "") for _ in range(width - len(columns))]
    for row in body:
        first = next((part for part in row.fields if part.text), None)
        if first is not None and color_of(first.text) is None and _kind_of(first) in _FACTS:
            continue  # a row with a key
        for column, part in zip(columns, row.fields, strict=False):
            if part.text:
                column.texts.append(part.text)
    for column in columns:
        column.settle()
    if any(True in column.lettered for column in columns):
        for column in columns:
            if column.lettered == {False}:
                column.kind = ""  # decimal numbers, such as 1,5
    turns = [column for column in columns if column.kind == "turn"]
    lists = [column for column in columns if column.kind == "moves"]
    pairs = [column for column in lists if max(map(turn_count, column.texts), default=0) <= _PAIR]
    if pairs and not any(column.kind in _FACTS for column in columns):
        for column in pairs:  # one game, a pair of turns a row
            column.kind = "turn"
        _add_turns(collector, columns, body)
    elif games or lists or (len(turns) > 2 and (_COUNTED.match(turns[-1].label) or not turns[-1].label)):
        is_whole = len({len(row.fields) for row in (header, *body)}) == 1
        for row in body:
            _add_game(collector, columns, row, is_whole=is_whole)
    elif turns and (all(map(_is_game, turns)) or (len(turns) > 2 and {column.color for column in turns} == {None})):
        header, *body = _turned((header, *body))
        _add_body(collector, header, body, games=True)
    elif turns:
        _add_turns(collector, columns, body)
    elif len(body) == 1:  # facts in a row, the turns elsewhere
        collector.begin()
        for column, part in zip(columns, body[0].fields, strict=False):
            if column.kind in _FACTS and part.text:
                _add_facts(collector, column.kind, part)
    else:
        for row in body:
            parts = [(column, part) for column, part in zip(columns, row.fields, strict=False) if part.text]
            names = {name_of(part.text) for column, part in parts if column.kind in ("index", "number", "round", "")}
            players = [next((part.text for column, part in parts if column.kind == color), "") for color in COLORS]
            if all(players):
                names.add(name_of(" ".join(players)))
            collector.register.append((names, [fact for column, part in parts for fact in _facts_of(column, part)]))


def _is_game(column: _Column) -> bool:
    """Return whether a heading names a game, or both of its players."""
    kinds = {fact.kind for fact in find_facts(column.heading)}
    return bool(kinds & {"game", "pair"}) or kinds >= {*COLORS}


def _join_parts(row: SourceLine, signs: Mapping[int, str]) -> SourceLine:
    """Return a row with the cells of one turn in the first of its columns; `signs` come before them."""
    fields = [*row.fields]
    parts = [(place, sign) for place, sign in signs.items() if place < len(fields) and fields[place].text]
    text = "".join(sign + fields[place].text for place, sign in parts).lstrip("-/")
    for place, _ in parts:
        fields[place] = fields[place]._replace(text="")
    if parts:
        fields[min(signs)] = fields[parts[0][0]]._replace(text=text)
    return row._replace(fields=tuple(fields))


def _facts_of(column: _Column, part: TableCell) -> list[Fact]:
    """Return the facts of a cell in a column."""
    if column.kind == _FLAG:
        return (
            [*keyed_facts("termination", str(find_termination(column.label)), 0, 0)] if plain(part.text) in _YES else []
        )
    if column.kind == "":  # headed by several facts, or by none
        return [fact for fact in find_facts(part.text) if fact.kind in _NAMING]
    facts = [*keyed_facts(column.kind, part.text, 0, 0)] if column.kind in _FACTS else []
    colors = [color for word in re.findall(r"\w+", column.label) if (color := color_of(word)) is not None]
    if len({*colors}) == 2 and facts and facts[0].kind == "pair":  # as in "Players (Black - White)"
        facts = [Fact(COLORS[color], name, 0, 0, key=True) for color, name in zip(colors, facts[0].value, strict=False)]
    return facts


def _add_facts(collector: Collector, kind: str, part: TableCell) -> None:
    facts = [*keyed_facts(kind, part.text, 0, 0)]
    if collector.draft.has_turns and any(
        fact.kind in ("game", "size", "opening", "black", "white", "index") for fact in facts
    ):
        collector.begin()
    collector.add_facts(facts, part.line)


def _add_game(collector: Collector, columns: Sequence[_Column], row: SourceLine, *, is_whole: bool) -> None:
    """Add a row that is a game; it may be a part of one if rows of the table have different lengths."""
    parts = [(column, part) for column, part in zip(columns, row.fields, strict=False) if part.text]
    if not any(column.kind in ("moves", "turn") and lex(plain(part.text)) for column, part in parts):
        return
    collector.begin()
    collector.draft.headed = True
    collector.draft.is_table = is_whole
    for column, part in parts:
        collector.add_facts(_facts_of(column, part), part.line)
        if column.kind == "":
            collector.draft.texts.append(part.text)
        if column.kind in ("moves", "turn"):
            _add_turn_field(collector, part, color=column.color, facts=column.kind == "moves")
    collector.begin()


def _add_turns(collector: Collector, columns: Sequence[_Column], body: Sequence[SourceLine]) -> None:
    """Add rows with one turn each, or with a turn of each color."""
    turns = [column for column in columns if column.kind == "turn"]
    if len(turns) == 2 and turns[0].color is None and turns[1].color is None:
        _name_players(collector, turns)
    for column in turns:
        collector.add_facts([fact for fact in find_facts(column.heading) if fact.kind in COLORS], body[0].number)
    colors = [column for column in columns if column.kind == "color"]
    if any(column.has_colors for column in colors):
        for column in colors:
            column.kind = "color" if column.has_colors else "name"
    stated: dict[str, str] = {}
    last = 0  # the number of the row before
    notes: list[TableCell] = []  # of the last row
    for row in body:
        parts = [(column, part) for column, part in zip(columns, row.fields, strict=False) if part.text]
        named = {column.kind: part.text for column, part in parts if column.kind in ("index", "game", "size")}
        number = next((_number(part.text) for column, part in parts if column.kind == "number"), None)
        color = next((color_of(part.text) for column, part in parts if column.kind == "color"), None)
        is_opening = any(column.kind == "number" and _kind_of(part) == "opening" for column, part in parts)
        restarts = collector.draft.has_turns if is_opening else number in (0, 1) and last > 1 and color != 1
        if restarts or any(stated.get(kind) not in (None, "", text) for kind, text in named.items()):
            _add_claims(collector, notes)
            collector.begin()
            collector.draft.headed = True
            stated = {}
        last = last if number is None else number
        collector.draft.name = stated["index"] = named.get("index", stated.get("index", ""))
        collector.draft.is_table = bool(stated["index"] or "game" in {**named, **stated})
        notes = [part for column, part in parts if column.kind == "comment"]
        if color is not None:
            _add_new(collector, stated, [(COLORS[color], part) for column, part in parts if column.kind == "name"])
        word = _kind_of(parts[0][1]) if parts else None
        if (
            parts
            and word in _FACTS
            and parts[0][0].kind != "turn"
            and color_of(parts[0][1].text) is None
            and word != "index"
        ):
            _add_row_of_facts(collector, str(word), parts)
            continue
        known = [(column.kind, part) for column, part in parts if column.kind in _FACTS]
        _add_new(collector, stated, [(kind, part) for kind, part in known if kind not in ("index", "round")])
        if is_opening:
            _add_opening(collector, parts)
        else:
            if color is None:
                _name_in_order(collector, [part for column, part in parts if column.kind == "color"])
            _add_row_of_turns(collector, parts)
    _add_claims(collector, notes)


def _add_new(collector: Collector, stated: dict[str, str], values: Iterable[tuple[str, TableCell]]) -> None:
    """Add facts by kind, without those that the row before states too."""
    for kind, part in values:
        if stated.get(kind) != part.text:
            collector.add_facts(keyed_facts(kind, part.text, 0, 0), part.line)
        stated[kind] = part.text


def _add_claims(collector: Collector, notes: Iterable[TableCell]) -> None:
    """Add the result that the notes on the last turn state."""
    for part in notes:
        collector.draft.texts.append(part.text)
        collector.add_facts([fact for fact in find_facts(part.text) if fact.kind == "claim"], part.line)


def _add_opening(collector: Collector, parts: Sequence[tuple[_Column, TableCell]]) -> None:
    """Add a row with an opening stone, or with one of each color, in place of turns."""
    named = next((color_of(part.text) for column, part in parts if column.kind == "color"), None)
    for column, part in parts:
        color = named if column.color is None else column.color
        if column.kind == "turn" and (stones := opening_stones(plain(part.text))):
            if color is not None:
                stones = {color: next(iter(stones.values()))}
            elif [*stones] == [None] and any(fact.kind == "opening" for fact, _ in collector.draft.facts):
                stones = {-1: stones[None]}  # the second stone
            collector.add_facts([Fact("opening", stones, 0, 0, key=True)], part.line)


def _name_in_order(collector: Collector, names: Iterable[TableCell]) -> None:
    """Add the players of turns as the first and the second, if nothing else tells their colors."""
    facts = [fact for fact, _ in collector.draft.facts if fact.kind in (*COLORS, "pair", "first", "second")]
    for part in names:
        if len(facts) < 2 and all(fact.kind in ("first", "second") and fact.value != part.text for fact in facts):
            collector.add_facts([Fact(("first", "second")[len(facts)], part.text, 0, 0)], part.line)


def _name_players(collector: Collector, turns: Sequence[_Column]) -> None:
    """Take the headings of two columns of turns as the players, the first one Black."""
    names = [column.heading for column in turns]
    if all(name and KEYS.get(plain(name)) is None and not any(char.isdigit() for char in name[:2]) for name in names):
        turns[0].color, turns[1].color = 0, 1
        collector.add_facts(
            [Fact(kind, name, 0, 0) for kind, name in zip(("black", "white"), names, strict=True)], collector.draft.last
        )


def _add_row_of_facts(collector: Collector, kind: str, parts: Sequence[tuple[_Column, TableCell]]) -> None:
    if kind == "players" and any(column.color is not None for column, _ in parts):
        for column, part in parts:
            if column.color is not None:
                collector.add_facts(keyed_facts(COLORS[column.color], part.text, 0, 0), part.line)
        return
    values = []
    for column, part in parts[1:]:
        is_of_color = kind == "opening" or (kind in ("result", "winner") and part.text.isalpha())  # as in "won | lost"
        color = ("Black ", "White ")[column.color] if column.color is not None and is_of_color else ""
        values.append(f"{color}{part.text}")
    collector.add_facts(keyed_facts(kind, ", ".join(values), 0, 0), parts[0][1].line)


def _add_row_of_turns(collector: Collector, parts: Sequence[tuple[_Column, TableCell]]) -> None:
    """Add the turns of a row, Black's before White's."""
    number = next((_number(part.text) for column, part in parts if column.kind == "number"), None)
    color = next((part.text for column, part in parts if column.kind == "color"), None)
    comments = [part for column, part in parts if column.kind == "comment"]
    turns = [(column, part) for column, part in parts if column.kind == "turn"]
    if not turns:
        _add_claims(collector, (part for _, part in parts))
    if [column.color for column, _ in turns] == [1, 0]:
        turns.reverse()
    for index, (column, part) in enumerate(turns):
        before: list[Token] = []
        if number is not None and index == 0:
            before.append(Token("number", number, 0, 0))
        if color is not None:
            before += [token for token in lex(plain(color)) if token.kind in ("color", "word")][:3]
        after = [
            Token("comment", note.text, len(part.text), len(part.text)) for note in comments if index == len(turns) - 1
        ]
        _add_turn_field(collector, part, before, after, color=column.color)


def _number(text: str) -> int | None:
    digits = re.search(r"\d{1,4}", text)
    return int(digits[0]) if digits else None


def _add_turn_field(
    collector: Collector,
    part: TableCell,
    before: Iterable[Token] = (),
    after: Iterable[Token] = (),
    *,
    color: int | None = None,
    facts: bool = True,
) -> None:
    """Add the turns of a cell of a table."""
    low = plain(part.text)
    if low.strip() == "-":
        tokens = [Token("dash", "-", 0, len(low))]
    else:
        found = (
            [fact for fact in find_facts(part.text) if fact.kind in ("claim", "pie", "opening")]
            if facts and len(low) < 4000
            else []
        )
        collector.add_facts(found, part.line)
        for fact in found:
            low = low[: fact.start] + " " * (fact.end - fact.start) + low[fact.end :]
        tokens = lex(low.replace("\n", " "))
    colored = [Token("color", color, 0, 0)] if color is not None else []
    collector.add_entry(DraftLine(part.line, [*before, *colored, *tokens, *after], part.text, part.column))


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
            kinds = {_kind_of(part) for part in fields}
            starts = [match.start() for match in found] if len(kinds & {*_FACTS}) > 2 and "moves" in kinds else []
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
