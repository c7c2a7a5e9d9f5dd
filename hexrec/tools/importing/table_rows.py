"""Rows of tables, below their headings: one game a row, one turn a row, or a turn of each color."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import zip_longest

from hexrec.rules.terms import COLORS
from hexrec.tools.importing.columns import FACTS, FLAG, TableColumn, heading_kind, turn_count
from hexrec.tools.importing.draft_lines import DraftLine
from hexrec.tools.importing.events import number_of, pivot, rows_by_game, spell_colors
from hexrec.tools.importing.facts import find_dates, find_facts, keyed_facts
from hexrec.tools.importing.layouts import SourceLine, TableCell
from hexrec.tools.importing.lexer import TURN_KINDS, Token, has_tokens, lex
from hexrec.tools.importing.openings import opening_stones
from hexrec.tools.importing.posts import Collector
from hexrec.tools.importing.results import Fact, find_termination
from hexrec.tools.importing.spelling import color_of, cover, plain
from hexrec.tools.importing.words import KEYS, LOST

#: The answers of a flag that hold.
_YES = ("yes", "y", "1", "true", "x", "ja", "oui", "sí", "si", "✓", "✔")
#: The points of a player.
_POINTS = re.compile(r"\d{1,3}(?:[.,]5| ?½)?|½")
#: The kinds of facts on the end of a game.
_RESULTS = ("result", "winner", "termination")
#: The facts in cells without a heading for them.
_NAMING = ("game", "size", "variant", "black", "white", "pair")


def by_column(columns: Sequence[TableColumn], row: SourceLine) -> list[tuple[TableColumn, TableCell]]:
    """Return the cells of a row that are not empty, each with its column."""
    return [(column, part) for column, part in zip(columns, row.fields, strict=False) if part.text]


def _text_of(parts: Iterable[tuple[TableColumn, TableCell]], kind: str) -> str:
    """Return the text of the first cell in a column of a kind, or nothing."""
    return next((part.text for column, part in parts if column.kind == kind), "")


def side_of(row: SourceLine) -> int | None:
    """Return the color that a row has all turns of, by the cell before them; or None."""
    first, *others = row.filled or [TableCell("", 0, 0)]
    if len(others) < 2 or any(turn_count(part.text) != 1 for part in others):
        return None
    named = [fact.kind for fact in find_facts(first.text, *COLORS)]
    return COLORS.index(named[0]) if len(named) == 1 else color_of(first.text)


def add_sides(collector: Collector, sides: Sequence[SourceLine]) -> None:
    """Add the rows of Black and White, with a turn in each column."""
    for row in sides:
        collector.add_facts(find_facts(row.fields[0].text, *COLORS), row.number)
    for parts in zip_longest(*(row.fields[1:] for row in sides)):
        for color, part in enumerate(parts):
            if part is not None and part.text:
                add_turn_field(collector, part, color=color)


def facts_of(column: TableColumn, part: TableCell) -> list[Fact]:
    """Return the facts of a cell in a column."""
    if column.kind == FLAG:
        return (
            [*keyed_facts("termination", str(find_termination(column.label)), 0, 0)] if plain(part.text) in _YES else []
        )
    if column.kind == "":  # headed by several facts, or by none
        return find_facts(part.text, *_NAMING)
    facts = [*keyed_facts(column.kind, part.text, 0, 0)] if column.kind in FACTS else []
    colors = [color for word in re.findall(r"\w+", column.label) if (color := color_of(word)) is not None]
    if len({*colors}) == 2 and facts and facts[0].kind == "pair":  # as in "Players (Black - White)"
        facts = [Fact(COLORS[color], name, 0, 0, key=True) for color, name in zip(colors, facts[0].value, strict=False)]
    return facts


def add_facts(collector: Collector, kind: str, part: TableCell) -> None:
    """Add the facts of a cell with a key; after turns, those that begin a game begin another one."""
    facts = [*keyed_facts(kind, part.text, 0, 0)]
    if collector.draft.has_turns and any(
        fact.kind in ("game", "size", "opening", "black", "white", "index") for fact in facts
    ):
        collector.begin()
    collector.add_facts(facts, part.line)


def add_game(collector: Collector, columns: Sequence[TableColumn], row: SourceLine, *, is_whole: bool) -> None:
    """Add a row that is a game; it may be a part of one if rows of the table have different lengths."""
    parts = by_column(columns, row)
    if not any(column.kind in ("moves", "turn") and lex(plain(part.text)) for column, part in parts):
        return
    collector.begin()
    collector.draft.headed = True
    collector.draft.is_table = is_whole
    for column, part in parts:
        collector.add_facts(facts_of(column, part), part.line)
        if column.kind == "":
            collector.draft.texts.append(part.text)
        if column.kind in ("", "comment"):  # such as "White resigned"
            collector.add_facts(find_facts(part.text, "claim"), part.line)
        if column.kind in ("moves", "turn"):
            add_turn_field(collector, part, color=column.color, facts=column.kind == "moves")
    collector.begin()


def add_turns(collector: Collector, columns: Sequence[TableColumn], body: Sequence[SourceLine]) -> None:
    """Add rows with one turn each, or with a turn of each color; those of several games may be mixed."""
    columns, body = pivot([*columns], spell_colors(columns, body))
    turns = [column for column in columns if column.kind == "turn"]
    if all(column.kind != "number" for column in columns):
        for column in columns:
            column.kind = "number" if column.kind == "index" and column.counts else column.kind  # headed "number"
    if len(turns) == 2 and turns[0].color is None and turns[1].color is None:
        _name_players(collector, turns)
    for column in turns:
        collector.add_facts(find_facts(column.heading, *COLORS), body[0].number)
    for column in columns:
        if column.kind == "time" and all(any(find_dates(plain(text))) for text in column.texts):
            column.kind = "date"
        elif column.kind == "comment" and _states_game(column):
            column.kind = "facts"
            collector.add_facts([fact for text in column.texts for fact in find_facts(text)], body[0].number)
    colors = [column for column in columns if column.kind == "color"]
    if any(column.has_colors for column in colors):
        for column in colors:
            column.kind = "color" if column.has_colors else "name"
    stated: dict[str, str] = {}
    last = 0  # the number of the row before
    notes: list[TableCell] = []  # of the last row
    for row in rows_by_game(columns, body):
        parts = by_column(columns, row)
        named = {column.kind: part.text for column, part in parts if column.kind in ("index", "game", "size")}
        number = number_of(_text_of(parts, "number"))
        color = color_of(_text_of(parts, "color"))
        is_opening = any(column.kind == "number" and heading_kind(part) == "opening" for column, part in parts)
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
            side = TableColumn("", COLORS[color])
            _add_new(collector, stated, [(side, part) for column, part in parts if column.kind == "name"])
        word = heading_kind(parts[0][1]) if parts else None
        if (
            parts
            and word in FACTS
            and parts[0][0].kind != "turn"
            and color_of(parts[0][1].text) is None
            and word != "index"
        ):
            _add_row_of_facts(collector, str(word), parts)
            continue
        known = [(column, part) for column, part in parts if column.kind in FACTS]
        _add_new(collector, stated, [each for each in known if each[0].kind not in ("index", "round")])
        for column, part in parts:
            if column.kind == "" and stated.get(column.label) != part.text:
                facts = [fact for fact in facts_of(column, part) if fact.kind in ("game", "size", "variant")]
                collector.add_facts(facts, part.line)
                stated[column.label] = part.text
        if is_opening:
            _add_opening(collector, parts)
        elif any(column.kind == "number" and heading_kind(part) in _RESULTS for column, part in parts):
            said = [part.text for column, part in parts if column.kind in ("color", "turn", "comment", "")]
            collector.add_text(SourceLine(row.number, " ".join(said)))
        else:
            if color is None:
                _name_in_order(collector, [part for column, part in parts if column.kind == "color"])
            _add_row_of_turns(collector, parts)
    _add_claims(collector, notes)


def _states_game(column: TableColumn) -> bool:
    """Return whether the notes next to the turns are on one game: all of them state facts, one of them its name."""
    stated = [{fact.kind for fact in find_facts(text)} for text in column.texts]
    return all(stated) and sum("game" in kinds for kinds in stated) == 1


def _add_new(collector: Collector, stated: dict[str, str], values: Iterable[tuple[TableColumn, TableCell]]) -> None:
    """Add the facts of cells, without those that the row before states too."""
    for column, part in values:
        if stated.get(column.kind) != part.text:
            collector.add_facts(facts_of(column, part), part.line)
        stated[column.kind] = part.text


def _add_claims(collector: Collector, notes: Iterable[TableCell]) -> None:
    """Add the result that the notes on the last turn state."""
    for part in notes:
        collector.draft.texts.append(part.text)
        collector.add_facts(find_facts(part.text, "claim"), part.line)


def _add_opening(collector: Collector, parts: Sequence[tuple[TableColumn, TableCell]]) -> None:
    """Add a row with an opening stone, or with one of each color, in place of turns."""
    named = color_of(_text_of(parts, "color"))
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


def _name_players(collector: Collector, turns: Sequence[TableColumn]) -> None:
    """Take the headings of two columns of turns as the players, the first one Black."""
    names = [column.heading for column in turns]
    if all(name and KEYS.get(plain(name)) is None and not any(char.isdigit() for char in name[:2]) for name in names):
        turns[0].color, turns[1].color = 0, 1
        collector.add_facts(
            [Fact(kind, name, 0, 0) for kind, name in zip(("black", "white"), names, strict=True)], collector.draft.last
        )


def _add_row_of_facts(collector: Collector, kind: str, parts: Sequence[tuple[TableColumn, TableCell]]) -> None:
    if kind == "players" and any(column.color is not None for column, _ in parts):
        for column, part in parts:
            if column.color is not None:
                collector.add_facts(keyed_facts(COLORS[column.color], part.text, 0, 0), part.line)
        return
    if kind in ("result", "score") and all(_POINTS.fullmatch(part.text) for _, part in parts[1:]):
        collector.add_facts(keyed_facts(kind, " - ".join(part.text for _, part in parts[1:]), 0, 0), parts[0][1].line)
        return
    values = []
    for column, part in parts[1:]:
        is_of_color = kind == "opening" or (kind in ("result", "winner") and part.text.isalpha())  # as in "won | lost"
        color = ("Black ", "White ")[column.color] if column.color is not None and is_of_color else ""
        values.append(f"{color}{part.text}")
    collector.add_facts(keyed_facts(kind, ", ".join(values), 0, 0), parts[0][1].line)


def _add_row_of_turns(collector: Collector, parts: Sequence[tuple[TableColumn, TableCell]]) -> None:
    """Add the turns of a row, Black's before White's."""
    number = number_of(_text_of(parts, "number"))
    color = _text_of(parts, "color")
    comments = [part for column, part in parts if column.kind == "comment"]
    turns = [(column, part) for column, part in parts if column.kind == "turn"]
    if turns and not any(has_tokens(plain(part.text), *TURN_KINDS) for _, part in turns):
        stated = [fact for _, part in turns for fact in find_facts(part.text, *FACTS, "claim")]
        if not (stated or collector.draft.has_turns):  # the names of the players below their colors
            sides = [(column.color, part.text) for column, part in turns if column.color is not None]
            if all(name[:1].isalpha() for _, name in sides):
                stated = [Fact(COLORS[color], name, 0, 0, key=True) for color, name in sides]
        collector.add_facts(stated, turns[0][1].line)  # the game, in the column of its turns
        return
    if not turns:
        _add_claims(collector, (part for _, part in parts))
        for note in comments:
            collector.add_entry(DraftLine(note.line, [Token("comment", note.text, 0, 0)], note.text, note.column))
    if [column.color for column, _ in turns] == [1, 0]:
        turns.reverse()
    for index, (column, part) in enumerate(turns):
        before: list[Token] = []
        if number is not None and index == 0:
            before.append(Token("number", number, 0, 0))
        before += [token for token in lex(plain(color)) if token.kind in ("color", "word")][:3]
        after = [
            Token("comment", note.text, len(part.text), len(part.text)) for note in comments if index == len(turns) - 1
        ]
        add_turn_field(collector, part, before, after, color=column.color)


def add_turn_field(
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
        found = find_facts(part.text, "claim", "pie", "opening") if facts else []
        collector.add_facts(found, part.line)
        for fact in found:
            low = cover(low, fact.start, fact.end)
        tokens = lex(low.replace("\n", " "))
        if not found and LOST.fullmatch(low.strip(" .!")) and find_termination(low) == "resignation":
            tokens = [Token("resign", low, 0, len(low))]  # as in "gibt auf"
    colored = [Token("color", color, 0, 0)] if color is not None else []
    collector.add_entry(DraftLine(part.line, [*before, *colored, *tokens, *after], part.text, part.column))
