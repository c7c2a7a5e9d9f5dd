"""Random records of every game as plain data: valid for the schema stage, not by the rules."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import strategies as st

from hexrec.record.random import random_record
from hexrec.record.validation import read_record
from hexrec.rules import games
from hexrec.rules.board import SYSTEMS, System, hexagon
from hexrec.util.version import FORMAT_VERSION

#: Texts that one format or another could take for something else, or lose a part of.
HOSTILE_TEXTS = [
    *("", " ", " a", "a ", "\t", "a\t", "\n", "a\n", "\na", "a\n\n b\n", "a\r\nb", "\r", " \n a \n "),
    *("'", '"', "''", "\\", "\\n", 'say "a"', "it's", "a'b\"c", "\\ud83d"),
    *("a: b", "a:", ":", "- a", "-", "--", "---", "--- a", "...", "? a", "?", "#", "a #b", "# a", "a#b", ",", "a, b"),
    *('[Game "x"]', "[%clk 0:20:00]", "a [%b", "a} (b) * $1 {c"),
    *("[", "]", "{", "}", "[]", "{}", "[a]", "{a: b}", "&a", "*a", "!a", "!!str a", "|", ">", "|-", "%a", "@a", "`a"),
    *("null", "Null", "NULL", "~", "true", "True", "false", "yes", "no", "NO", "on", "off", "y", "n"),
    *("0", "-0", "017", "0o17", "0x1F", "0b1", "1_000", "12:30", "12:30:45", "2026-01-02", "2026-01-02T03:04:05Z"),
    *("1e5", "-1e5", "+1e5", "1E5", "01e5", "1.e5", ".5", "1.", "1.5e5", "+1", ".inf", "-.INF", ".nan", "NaN"),
    "Infinity",
    *("=", "<<", "\0", "\x07", "\x1b", "\x7f", "\x80", "\u0085", "a\u0085b", "\u00a0", "\u2028", "a\u2028b", "\u2029"),
    *("\ufeff", "\ufeffa", "\ufffd", "\ufffe", "\U0001f600", "a\U0001f600b", "\U0010ffff", "e\u0301", "a" * 300),
    *("word " * 60, "\u00e9 " * 80, "a\n" * 60, " a" * 90, "a" * 90 + "  " + "b" * 90),
]

texts = st.sampled_from(HOSTILE_TEXTS) | st.text(max_size=20)
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=8,
)
extension_names = texts.map(lambda text: f"x-{text}")
extensions = st.dictionaries(extension_names, json_values, max_size=2)
dates = st.dates().map(str)
moments = st.datetimes().map(lambda time: f"{time.isoformat()}Z")


def fields(required: dict[str, Any], optional: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Return objects with some of the optional fields and with extension fields."""
    return st.builds(lambda known, own: known | own, st.fixed_dictionaries(required, optional=optional), extensions)


known = dict.fromkeys(("name", "id", "title", "team", "country"), texts)
players = fields({}, {**known, "rating": numbers, "bot": st.booleans()})
not_negative = st.integers(0) | st.floats(0, allow_nan=False, allow_infinity=False)
partial_dates = dates.flatmap(lambda day: st.sampled_from([day[:4], day[:7]]))
languages = st.sampled_from(["en", "pt-BR", "zh-Hant-TW", "sl-rozaj-biske", "de-CH-1996", "en-a-bbb-x-a", "x-whatever"])
stages = fields({"seconds": not_negative}, {"turns": st.integers(1), "increment": not_negative, "delay": not_negative})
stages |= fields({"seconds": not_negative, "periods": st.integers(1)}, {})
stages |= fields({"per_turn": not_negative}, {"turns": st.integers(1)})


def marks(cells: st.SearchStrategy[str]) -> st.SearchStrategy[list[Any]]:
    """Return lists of marks."""
    more = {"text": texts, "color": texts}
    alone = st.sampled_from(["circle", "square", "triangle", "cross", "label", "area"])
    leading = st.sampled_from(["arrow", "line"])
    mark = fields({"kind": alone, "cells": st.lists(cells, min_size=1, max_size=3)}, more)
    mark |= fields({"kind": leading, "cells": st.lists(cells, min_size=2, max_size=3)}, more)
    return st.lists(mark, max_size=2)


def moves(turns: st.SearchStrategy[str], cells: st.SearchStrategy[str], depth: int = 2) -> st.SearchStrategy[list[Any]]:
    """Return lists of turns, with variations of that depth."""
    lines = st.lists(moves(turns, cells, depth - 1), max_size=2) if depth else st.just([])
    value = st.integers(-1, 1) | st.floats(-1, 1)
    evaluation = {"value": value, "depth": st.integers(0), "engine": texts, "line": st.lists(turns, max_size=2)}
    move = fields(
        {"turn": turns},
        {
            "comment": texts,
            "seconds": not_negative,
            "clock": not_negative,
            "at": moments,
            "nag": st.lists(st.integers(0), max_size=2),
            "eval": fields({}, evaluation),
            "marks": marks(cells),
            "taken_back": st.lists(turns, max_size=2),
            "variations": lines,
        },
    )
    return st.lists(turns | move, max_size=3)


@cache
def turn_texts(name: str) -> st.SearchStrategy[str]:
    """Return texts that are spelled like turns of a game, in one coordinate system or another."""
    game = games.get(name)
    spelled = st.sampled_from(SYSTEMS).flatmap(
        lambda system: st.from_regex(game.turn_pattern(system), fullmatch=True, alphabet=st.characters(codec="ascii"))
    )
    blanks = st.sampled_from(["", " ", "\t", "\r\n"])
    return st.builds(lambda before, text, after: before + text + after, blanks, spelled, blanks)


@cache
def setup(name: str, size: int, ruleset: str | None, plies: int) -> str:
    """Return the text of a position that random play has reached."""
    *_, position = read_record(random_record(games.get(name), size, None, "", plies, ruleset=ruleset)).positions()
    return position.text()


@st.composite
def records(draw: st.DrawFn, name: str, *, setups: bool = False) -> dict[str, Any]:
    """Return a record of a game as plain data that the schema stage accepts; if asked, some of them with a setup."""
    game = games.get(name)
    ruleset = draw(st.sampled_from([None, *game.rulesets]))
    size = draw(st.sampled_from(game.ruleset(ruleset).sizes))
    system = draw(st.sampled_from(SYSTEMS))
    return draw(records_of(name, ruleset, size, system, with_setup=setups and draw(st.booleans())))


@cache
def records_of(
    name: str, ruleset: str | None, size: int, system: System, *, with_setup: bool
) -> st.SearchStrategy[dict[str, Any]]:
    """Return the records of one setting: to make these takes as long as to draw one of them."""
    game = games.get(name)
    grid = hexagon(size)
    cells = st.sampled_from(grid.cells).map(grid.names(system).single)
    required: dict[str, Any] = {
        "hexrec": st.just(FORMAT_VERSION),
        "game": st.just(name),
        "size": st.sampled_from([size, float(size)]),
        "coordinates": st.just(system),
        "moves": moves(turn_texts(name), cells),
    }
    if ruleset is not None:
        required["ruleset"] = st.just(ruleset)
    if with_setup:
        required["setup"] = st.builds(setup, st.just(name), st.just(size), st.just(ruleset), st.integers(0, 3))
    elif game.opening:
        required["opening"] = fields(dict.fromkeys(game.opening, cells), {})
    optional: dict[str, Any] = {
        "players": fields({}, {"black": players, "white": players}),
        "url": st.sampled_from(["https://example.org/g/17", "http://[::1]/?a=%20#b"]),
        **dict.fromkeys(("id", "event", "site", "round", "stage", "board", "annotator", "source", "comment"), texts),
        **dict.fromkeys(("date", "date_end"), dates | moments | partial_dates),
        "rated": st.booleans(),
        "language": languages,
        "time_control": st.lists(stages, max_size=2),
        "tags": st.lists(texts, max_size=2),
        "marks": marks(cells),
        "pie": fields({"chosen": st.sampled_from(["black", "white"])}, {}),
        "result": results(name),
    }
    if game.variants:
        optional["variant"] = st.sampled_from(game.variants)
    if game.readings:
        optional["readings"] = st.sampled_from(game.readings).map(lambda reading: [reading.name])
    return fields(required, optional).map(_without_foreign_readings)


def _without_foreign_readings(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record without readings if another ruleset than the game's first has none."""
    first = games.get(record["game"]).rulesets[0]
    return record if record.get("ruleset", first) == first else {**record, "readings": []}


def results(name: str) -> st.SearchStrategy[dict[str, Any]]:
    score = games.get(name).score
    winner = {"winner": st.sampled_from(["black", "white", "draw"]), "by": texts, "reason": texts}
    other = st.sampled_from(["resignation", "time", "forfeit", "agreement", "adjudication", "abandoned"])
    by_rules: dict[str, Any] = {"termination": st.just("rules"), **winner}
    if score is not None:
        entry = not_negative if score == "number" else st.lists(st.integers(1), max_size=3)
        by_rules["score"] = fields({"black": entry, "white": entry}, {})
    lost = fields({"by": st.sampled_from(["black", "white"])}, {"turn": st.just(games.get(name).example)})
    illegal = fields({"termination": st.just("illegal"), "illegal": lost}, winner)
    return fields({}, by_rules) | fields({"termination": other}, winner) | illegal
