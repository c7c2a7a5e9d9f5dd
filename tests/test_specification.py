"""The specification: its tables are those of the program, its grammars accept the same texts, it names no command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hexrec.record.game_shapes import any_shape, record_shape, turn_pattern
from hexrec.record.schema import Eval, Mark, Move, Player, TimeStage
from hexrec.record.shapes import shape_of
from hexrec.rules import games, position_text
from hexrec.rules.terms import IllegalSetup
from tests.properties import examples

DOCS = Path(__file__).parent.parent / "docs"
PAGES = ("specification.md", "specification-games.md")
#: The words that make a clause a requirement (RFC 2119).
REQUIRED = re.compile(r"\b(?:MUST|SHALL|REQUIRED)\b")


@cache
def text(page: str) -> str:
    return (DOCS / page).read_text(encoding="utf-8")


def clauses() -> Iterator[tuple[str, str]]:
    """Yield number and text of every clause, without code blocks."""
    for page in PAGES:
        parts = re.split(r"^\*\*(\d+\.\d+)\*\* ", text(page), flags=re.MULTILINE)
        for number, clause in zip(parts[1::2], parts[2::2], strict=True):
            yield number, re.sub(r"^## .*|```.*?```", "", clause, flags=re.MULTILINE | re.DOTALL)


def requirements() -> list[str]:
    """Return the numbers of the clauses that require something."""
    return [number for number, clause in clauses() if number != "1.1" and REQUIRED.search(clause)]


def tables(number: str) -> list[list[str]]:
    """Return the rows of the table in a clause, without its head."""
    rows = re.findall(r"^\|(.*)\|$", dict(clauses())[number], re.MULTILINE)
    return [[cell.strip() for cell in row.split("|")] for row in rows[2:]]


def test_clauses_are_numbered_in_order() -> None:
    numbers = [tuple(map(int, number.split("."))) for number, _ in clauses()]
    assert numbers == sorted(set(numbers))
    for section in {section for section, _ in numbers}:
        assert [clause for other, clause in numbers if other == section] == [
            *range(1, 1 + sum(other == section for other, _ in numbers))
        ]
    assert len(requirements()) > 60


def test_no_sentence_names_a_command() -> None:
    for page in PAGES:
        assert re.findall(r"`hexrec [a-z]+|--[a-z]+\b", text(page)) == [], page


def test_the_fields_of_records_are_those_of_the_program_in_order() -> None:
    named = [name for row in tables("4.3") for name in re.findall(r"`(\w+)`", row[0])]
    assert named == list(any_shape().fields)
    required = [row[0].strip("`") for row in tables("4.3") if "REQUIRED" in row[1] and row[0] != "`pie`"]
    assert required == [name for name, field in any_shape().fields.items() if field.required]


@pytest.mark.parametrize(
    ("name", "kind"), [("player", Player), ("mark", Mark), ("turn", Move), ("eval", Eval), ("stage", TimeStage)]
)
def test_the_fields_of_objects_are_those_of_the_program_in_order(name: str, kind: object) -> None:
    found, here = [], ""
    for row in tables("4.4"):
        here = row[0] or here
        found += re.findall(r"`(\w+)`", row[1]) if here == name else []
    assert found == list(shape_of(kind).fields)


def test_the_fields_of_results_are_those_of_the_program_in_order() -> None:
    rows = tables("4.4")
    first = next(index for index, row in enumerate(rows) if row[0] == "result")
    found = [name for row in rows[first:] for name in re.findall(r"`(\w+)`", row[1])]
    assert found == list(record_shape(games.get("nadraz")).parts["result"].fields)


def test_the_games_are_those_of_the_program() -> None:
    def sizes(of: range) -> str:
        return f"{of[0]} to {of[-1]}" if len(of) > 1 else str(of[0])

    expected = []
    for game in map(games.get, games.BUILT_IN):
        for index, name in enumerate(game.rulesets):
            ruleset = game.ruleset(name)
            expected.append(
                [
                    "" if index else f"`{game.name}`",
                    f"`{name}`",
                    sizes(ruleset.sizes),
                    ", ".join(f"`{color}`" for color in game.opening) or "none",
                    ", ".join(f"`{variant}`" for variant in game.variants),
                ]
            )
    assert [[*row[:3], *row[4:6]] for row in tables("6.1")] == expected
    for row, game in zip([row for row in tables("6.1") if row[0]], map(games.get, games.BUILT_IN), strict=True):
        whole = row[3].replace(" to ", "-")
        numbers = [
            n for part in whole.split(", ") for n in range(int(part.split("-")[0]), int(part.split("-")[-1]) + 1)
        ]
        assert numbers == sorted(game.recommended)


# The grammars.

#: What ABNF defines itself (RFC 5234), as regular expressions.
CORE = {"ALPHA": "[A-Za-z]", "DIGIT": "[0-9]", "SP": " "}
TOKEN = re.compile(
    r'\s*(?:(")(?P<text>[^"]*)"|%x(?P<code>[0-9A-F-]+)|(?P<repeat>\d*\*\d*)|(?P<name>[\w-]+)|(?P<sign>[()\[\]/]))'
)


def rules() -> dict[str, str]:
    """Return the rules of all grammars by name, without comments."""
    found: dict[str, str] = {}
    for block in re.findall(r"```abnf\n(.*?)```", text(PAGES[0]), re.DOTALL):
        for line in block.splitlines():
            name, _, rule = line.partition(";")[0].partition("=")
            found[name.strip()] = rule.strip()
    return found


def pattern(name: str) -> str:
    """Return the regular expression of a rule. The grammars use a part of ABNF."""
    if name in CORE:
        return CORE[name]
    made, repeat = "", ""
    for token in TOKEN.finditer(rules()[name]):
        piece, again = "", ""
        if token["text"] is not None:
            piece = "".join(f"[{c.upper()}{c}]" if c.isalpha() else re.escape(c) for c in token["text"])
        elif token["code"]:
            low, _, high = token["code"].partition("-")
            piece = f"[{chr(int(low, 16))}-{chr(int(high or low, 16))}]"
        elif token["name"]:
            piece = f"(?:{pattern(token['name'])})"
        elif token["repeat"]:
            least, _, most = token["repeat"].partition("*")
            again = f"{{{least or 0},{most}}}"
        else:
            piece = {"[": "(?:", "(": "(?:", "]": ")?", ")": ")", "/": "|"}[token["sign"]]
        if piece.endswith("(?:") or piece in ("|", ")", ")?"):
            made += piece + (repeat if piece in (")", ")?") else "")
            continue
        made += piece + repeat if piece else ""
        repeat = again
    return made


def test_the_grammar_of_positions_repeats_as_written() -> None:
    assert re.fullmatch(pattern("empty"), "1234")
    assert not re.fullmatch(pattern("empty"), "12345")
    assert not re.fullmatch(pattern("empty"), "0")


turn_texts = st.lists(
    st.sampled_from(
        ["pass", "x", "-", "/", "e5", "aa14", "A1", "a0", "a123", "(0,0)", "(-3,12)", "(00,1)", "b", "7", " "]
    ),
    max_size=6,
).map("".join)


@settings(max_examples=examples(300))
@given(turn=turn_texts)
@pytest.mark.parametrize("game", games.BUILT_IN)
def test_the_grammar_of_turns_is_that_of_the_program(game: str, turn: str) -> None:
    mixed = any(letter in turn for letter in "(") and re.search(r"[a-wyzA-WYZ]\d", turn)
    if mixed or turn != turn.strip():  # the systems are not mixed, and whitespace is no part of the grammar
        return
    accepted = re.search(turn_pattern(games.get(game)), turn) is not None
    assert (re.fullmatch(pattern(game), turn) is not None) == accepted


@settings(max_examples=examples(300))
@given(parts=st.lists(st.sampled_from(["b", "w", "/", "1", "3", "10", "*2", "*", " ", "0", "-", "B"]), max_size=14))
def test_positions_that_the_grammar_refuses_are_malformed(parts: list[str]) -> None:
    position = "".join(parts) + " b 0"
    if re.fullmatch(pattern("position"), position) is None:
        with pytest.raises(IllegalSetup):
            position_text.read(position, games.get("valaturna").board(4), games.get("valaturna"))
