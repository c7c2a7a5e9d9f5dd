"""Suggestions: what is the likely right turn, key, result or reading of an invalid record, and how it is written."""

from __future__ import annotations

import json
import pickle
import re
import runpy
import tracemalloc
from collections.abc import Callable
from copy import copy
from pathlib import Path
from random import Random
from typing import Any

import pytest

import hexrec as library
from hexrec import formats
from hexrec.tools.suggestions import MAX_REPLAYS, MAX_SUGGESTED
from hexrec.util.limits import MAX_DIAGNOSTICS
from tests.cases import all_of
from tests.cli.conftest import SHORT_GAME, Run, hexrec
from tests.properties import examples, sample

__all__ = ["hexrec"]  # a fixture

FIXTURES = Path(__file__).parent.parent.parent / "fixtures/suite"
VALID = "then the whole record is valid"


def reference(game: str, number: int = 0) -> dict[str, Any]:
    lines = (FIXTURES / game / "reference" / "games.jsonl").read_text(encoding="utf-8").splitlines()
    return dict(json.loads(lines[number]))


def with_turn(record: dict[str, Any], index: int, *turns: str) -> dict[str, Any]:
    return {**record, "moves": [*record["moves"][:index], *turns, *record["moves"][index + 1 :]]}


def suggested(record: dict[str, Any] | str) -> list[library.Suggestion]:
    """Return the suggestions for all diagnostics of one record."""
    (report,) = library.check_text(record if isinstance(record, str) else json.dumps(record))
    return report.suggestions


def applied(text: str, suggestion: library.Suggestion) -> str:
    """Return a text with the edits of a suggestion."""
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
    for edit in sorted(suggestion.edits, key=lambda edit: (edit.line or 0, edit.column or 0), reverse=True):
        start = starts[(edit.line or 0) - 1] + (edit.column or 0) - 1
        end = starts[(edit.end_line or 0) - 1] + (edit.end_column or 0) - 1
        text = text[:start] + edit.text + text[end:]
    return text


def without(record: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key != name}


def _as_yaml(record: dict[str, Any]) -> str:
    lines = [f"{name}: {json.dumps(value)}" for name, value in record.items() if name != "moves"]
    if not all(isinstance(turn, str) for turn in record["moves"]) or isinstance(record["moves"], str):
        return "\n".join([*lines, f"moves: {json.dumps(record['moves'])}"]) + "\n"
    quoted = (
        turn if re.fullmatch("[a-z0-9/-]+", turn) and turn[0] != "-" else json.dumps(turn) for turn in record["moves"]
    )
    return "\n".join([*lines, "moves:", *(f"  - {turn}" for turn in quoted)]) + "\n"


NADRAZ = reference("nadraz")
SUNDRAVAL = reference("sundraval", 10)
SUNDRAVAL_TURNS = SUNDRAVAL["moves"]
NADRAZ_SKEW = json.loads(library.dumps(library.loads(json.dumps(NADRAZ)), coordinates="skew"))
(READING,) = (
    dict(record.data) for record in library.records(str(FIXTURES / "sunspot" / "valid" / "reading-p-1b.yaml"))
)
#: Broken records, and the first suggestion.
BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "replaced": (with_turn(NADRAZ, 6, "c4-c8"), f"replace c4-c8 with c4-c7: {VALID}"),
    "removed": (with_turn(NADRAZ, 4, "c2-3"), f"replace c2-3 with c2-c3: {VALID}"),
    "inserted": (with_turn(NADRAZ, 9, "ff4"), f"replace ff4 with f4: {VALID}"),
    "two exchanged": (with_turn(NADRAZ, 4, "c2-3c"), f"replace c2-3c with c2-c3: {VALID}"),
    "a look-alike of two characters": (with_turn(NADRAZ, 8, "cl7-f6"), f"replace cl7-f6 with d7-f6: {VALID}"),
    "an earlier turn": (with_turn(NADRAZ, 7, "b4"), f"at ply 8, replace b4 with b2: {VALID}"),
    "an empty turn": (with_turn(NADRAZ, 5, "", NADRAZ["moves"][5]), f"leave out the empty turn: {VALID}"),
    "a turn twice": (with_turn(NADRAZ, 9, "f4", "f4"), f"leave out f4: {VALID}"),
    "two turns exchanged": (
        {**NADRAZ, "moves": [*NADRAZ["moves"][:9], "e8", "f4", *NADRAZ["moves"][11:]]},
        f"exchange e8 and f4, plies 10 and 11: {VALID}",
    ),
    "a pass missing": ({**NADRAZ, "moves": NADRAZ["moves"][:-1]}, f"at ply 22, insert pass: {VALID}"),
    "other coordinates": (
        {name: value for name, value in NADRAZ_SKEW.items() if name != "coordinates"},
        f"read its cells in skew coordinates: {VALID}",
    ),
    "played by a reading": (without(READING, "readings"), "the record is valid under reading P-1b"),
    "colors exchanged": (
        {**NADRAZ, "opening": {"black": NADRAZ["opening"]["white"], "white": NADRAZ["opening"]["black"]}},
        f"exchange the colors of the opening stones: {VALID}",
    ),
    "mirrored": (
        {**NADRAZ, "opening": {"black": "d7", "white": "a1"}},
        f"rotate or mirror all turns, e3-d2 to e7-f7: {VALID}",
    ),
    "a wrong winner": (
        {**NADRAZ, "result": {"winner": "black"}},
        f"write the computed result, winner white (was black): {VALID}",
    ),
    "a wrong score": (
        {**NADRAZ, "result": {"winner": "white", "score": {"black": [9, 7, 4], "white": [81]}}},
        f"write the computed result, score of White [18] (was [81]): {VALID}",
    ),
    "a misspelled key": ({**NADRAZ, "evnet": "Open"}, f"rename evnet to event: {VALID}"),
    "a misspelled key of a player": (
        {**NADRAZ, "players": {"black": {"nmae": "Ada"}}},
        f"rename nmae to name: {VALID}",
    ),
    "two misspelled keys": (
        {**NADRAZ, "evnet": "Open", "sitee": "club"},
        f"rename evnet to event; rename sitee to site: {VALID}",
    ),
    "two turns": (
        with_turn(with_turn(NADRAZ, 6, "c4-c8"), 12, "g66-h6"),
        f"replace c4-c8 with c4-c7 and at ply 13, replace g66-h6 with g6-h6: {VALID}",
    ),
    "a value and a turn": (
        {**with_turn(NADRAZ, 6, "c4-c8"), "size": "5"},
        f"write size as 5, without quotes; replace c4-c8 with c4-c7: {VALID}",
    ),
    "three turns": (
        with_turn(with_turn(with_turn(NADRAZ, 6, "c4-c8"), 12, "g66-h6"), 14, "b55-b44"),
        "replace c4-c8 with c4-c6: then the first 12 turns are legal",
    ),
    "two turns in a text": (
        {**NADRAZ, "moves": [*NADRAZ["moves"][:7], "b2, d7-f6", *NADRAZ["moves"][9:]]},
        f"split b2, d7-f6 into b2 and d7-f6: {VALID}",
    ),
    "two turns without a space": (
        {**NADRAZ, "moves": [*NADRAZ["moves"][:9], "f4e8", *NADRAZ["moves"][11:]]},
        f"split f4e8 into f4 and e8: {VALID}",
    ),
    "a turn in two texts": (
        {**NADRAZ, "moves": [*NADRAZ["moves"][:8], "d7", "-f6", *NADRAZ["moves"][9:]]},
        f"join d7 and -f6 to d7-f6: {VALID}",
    ),
    "numbers in turns": (
        {**NADRAZ, "moves": [f"{index // 2 + 1}. {turn}" for index, turn in enumerate(NADRAZ["moves"])]},
        f"read 22 texts as turns, 1. e3-d2 as e3-d2: {VALID}",
    ),
    "other separators": (
        {**NADRAZ, "moves": [turn.replace("-", "\u2013") for turn in NADRAZ["moves"]]},
        f"read 13 texts as turns, e3\u2013d2 as e3-d2: {VALID}",
    ),
    "another word for a pass": (
        {**NADRAZ, "moves": [*NADRAZ["moves"][:-2], "--", "Pass."]},
        f"read 2 texts as turns, -- as pass: {VALID}",
    ),
    "numbers first": (
        {**NADRAZ, "moves": [re.sub("([a-z])([0-9])", r"\2\1", turn) for turn in NADRAZ["moves"]]},
        f"write the letter of each cell first, 3e-2d as e3-d2: {VALID}",
    ),
    "numbers from 0": (
        {**NADRAZ, "moves": [re.sub("[0-9]", lambda digit: str(int(digit[0]) - 1), turn) for turn in NADRAZ["moves"]]},
        f"count the numbers of all turns from 1, e2-d1 as e3-d2: {VALID}",
    ),
    "a letter left out, as in Go": (
        {
            **SUNDRAVAL,
            "moves": [re.sub("[ij]", lambda letter: chr(ord(letter[0]) + 1), turn) for turn in SUNDRAVAL_TURNS],
        },
        f"read the letters of all turns as without i, j4 as i4: {VALID}",
    ),
    "the players exchanged": (
        {**NADRAZ, "moves": [turn for index in range(0, 22, 2) for turn in NADRAZ["moves"][index : index + 2][::-1]]},
        f"exchange the turns of Black and White: {VALID}",
    ),
    "the opening among the turns": (
        {**without(NADRAZ, "opening"), "moves": [*NADRAZ["opening"].values(), *NADRAZ["moves"]]},
        f"take the first turns as opening, Black f2, White i5: {VALID}",
    ),
    "no opening": (without(NADRAZ, "opening"), f"set the opening: f2 for Black, i5 for White: {VALID}"),
    "an opening stone moved": (
        {**NADRAZ, "opening": {"black": "f3", "white": "i5"}},
        f"move the opening stone of Black from f3 to f2: {VALID}",
    ),
    "another size": ({**NADRAZ, "size": 6}, f"set the size to 5: {VALID}"),
    "no size": (without(NADRAZ, "size"), f"set the size to 5: {VALID}"),
    "another game": ({**NADRAZ, "game": "valaturna"}, f"set the game to nadraz: {VALID}"),
    "no game": (without(NADRAZ, "game"), f"set the game to nadraz: {VALID}"),
    "a missing turn": (with_turn(NADRAZ, 12), f"insert g6-h6: {VALID}"),
    "two missing turns": (
        {**NADRAZ, "moves": [*NADRAZ["moves"][:6], *NADRAZ["moves"][7:9], *NADRAZ["moves"][10:]]},
        f"insert c4-c7 and at ply 10, insert f4: {VALID}",
    ),
    "numbers as rows": (
        {
            **NADRAZ,
            "moves": [
                re.sub("[a-i][0-9]", lambda cell: "abcdefghi"[int(cell[0][1]) - 1] + str(ord(cell[0][0]) - 96), turn)
                for turn in NADRAZ["moves"]
            ],
        },
        f"take the numbers of all cells as rows, c5-b4 as e3-d2: {VALID}",
    ),
    "the end missing": ({**NADRAZ, "moves": NADRAZ["moves"][:-2]}, f"add pass, pass at the end: {VALID}"),
}


def value(words: str, path: str, new: object) -> tuple[dict[str, Any], str]:
    """Return a record with a wrong value, and the suggestion that repairs it."""
    *around, last = path.split("/")
    record = json.loads(json.dumps(NADRAZ))
    part = record
    for step in around:
        part = part.setdefault(step, {})
    part[last] = new
    return record, f"{words}: {VALID}"


#: Records with one value that the schema refuses, and the one suggestion.
VALUES: dict[str, tuple[dict[str, Any], str]] = {
    "no version": (without(NADRAZ, "hexrec"), f'add hexrec: "1": {VALID}'),
    "a number for the version": value('write hexrec as "1", in quotes', "hexrec", 1),
    "a string for the size": value("write size as 5, without quotes", "size", "5"),
    "a number for a string": value('write round as "3", in quotes', "round", 3),
    "a name for a player": value("write black as an object with the name Ann", "players/black", "Ann"),
    "names of players": value("name the players by color", "players", ["Ann", "Ben"]),
    "a title for the game": value("write nadraz for Nadraz", "game", "Nadraz"),
    "a capital": value("write white for White", "result/winner", "White"),
    "an initial": value("write white for W", "result/winner", "W"),
    "a color for the result": value("write the result as an object, winner white", "result", "White won"),
    "a date in German": value("write 2026-11-20 for 20.11.2026", "date", "20.11.2026"),
    "a date with a month": value("write 2026-11-20 for Nov 20, 2026", "date", "Nov 20, 2026"),
    "a time with a space": value("write 2026-11-20T18:03:00Z for 2026-11-20 18:03Z", "date", "2026-11-20 18:03Z"),
    "a year": value('write date as "2026", in quotes', "date", 2026),
    "turns in a string": value(
        "write the turns as an array, e3-d2, h5-e5, f3-h3, \u2026", "moves", " ".join(NADRAZ["moves"])
    ),
    "turns with numbers in a string": value(
        "write the turns as an array, e3-d2, h5-e5, f3-h3, \u2026",
        "moves",
        " ".join(f"{index // 2 + 1}. {turn}" for index, turn in enumerate(NADRAZ["moves"])),
    ),
    "turns in pairs": value(
        "write the 22 turns in one array",
        "moves",
        [NADRAZ["moves"][index : index + 2] for index in range(0, 22, 2)],
    ),
    "null": value("leave out event, which is null", "event", None),
    "a string for the opening": value("write the opening as an object, black f2, white i5", "opening", "f2 i5"),
    "a number first": value("write i5 for 5i", "opening/white", "5i"),
    "yes": value("write true for yes", "rated", "yes"),
    "one tag": value("write tags as an array", "tags", "puzzle"),
    "a tag with _": value("write en-US for en_US", "language", "en_US"),
    "a key with a capital": value("rename Event to event", "Event", "Open"),
    "a winner without a result": (
        {**without(NADRAZ, "result"), "winner": "white"},
        f"move winner into the result: {VALID}",
    ),
}
BROKEN |= VALUES


FRASVEL: dict[str, Any] = {
    "hexrec": "1",
    "game": "frasvel",
    "size": 3,
    "opening": {"black": "a2"},
    "moves": ["d3", "b1", "a2-a1/d1", "a3", "b3", "c5", "b3-b4"],
}
#: Broken records whose only complete repair may be wrong, and the beginning of the suggestion.
UNCLEAR: dict[str, tuple[dict[str, Any], str]] = {
    "a result that turns may be missing for": (
        {**NADRAZ, "moves": NADRAZ["moves"][:-1]},
        f"at ply 22, insert pass: {VALID}",
    ),
    "a turn that repeats none": (
        {**FRASVEL, "moves": [*FRASVEL["moves"], "a2"]},
        f"leave out a2: {VALID}",
    ),
    "a computed result": (
        {**NADRAZ, "result": {"winner": "white", "score": {"black": [9, 7, 4], "white": [81]}}},
        "write the computed result",
    ),
    "a key of many spellings": ({**NADRAZ, "evnts": "Open"}, f"rename evnts to event: {VALID}"),
}


SUNSPOT = "hexrec: '1' # a\ngame: sunspot\nsize: 4\nmoves: # b\n  - d4 # c\n  # d\n  - 'c4' # e\n"
DOUBLED = _as_yaml(NADRAZ).replace("  - e8\n", "  # a\n  - e8 # b\n  - e8 # c\n  # d\n")
#: Files with one error each: suffix and text, and the part that changes.
BYTES = {
    "JSON": (
        "json",
        '{"hexrec":"1",\n  "game" : "sunspot", "size":4,"moves":[ "d4",\n\n"c4","e6;e5" ]}\n',
        '"e6;e5"',
        '"e6",\n\n"e5"',
    ),
    "a value in YAML": ("yaml", SUNSPOT.replace("'1'", "1"), "1", "'1'"),
    "a turn in YAML": ("yaml", SUNSPOT.replace("c4", "C 4!"), "C 4!", "c4"),
    "two turns in YAML": ("yaml", SUNSPOT.replace("c4", "c4, e5"), "'c4, e5' # e\n", "'c4' # e\n  - e5\n"),
    "a turn twice in YAML": ("yaml", DOUBLED, "  - e8 # c\n", ""),
    "HGN": ("hgn", '[Game "Sunspot"]\n; a\n[Size "4"]\n\n1.  d4 c4! 2. \u04355 {b} *\n', "\u04355", "e5"),
    "SGF": ("sgf", "(;FF[4]GM[5001]\nSZ[4]HX[sunspot] C[a];B[d4]\n\n;W[c 4]C[b])\n", "c 4", "c4"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_the_first_suggestion_and_the_text_with_the_edits_of_each(name: str) -> None:
    """In YAML; in JSON a turn is inserted below."""
    record, message = BROKEN[name]
    text = _as_yaml(record)
    found = suggested(text)
    assert found[0].message == message
    for suggestion in found:
        assert suggestion.complete == (VALID in suggestion.message or "valid under reading" in suggestion.message)
        (report,) = library.check_text(applied(text, suggestion))
        assert report.valid or not suggestion.complete


@all_of("name", sample(BROKEN, 5))
def test_the_first_suggestion_in_json(name: str) -> None:
    record, message = BROKEN[name]
    text = json.dumps(record, indent=1)
    first, *_ = suggested(text)
    assert first.message == message
    (report,) = library.check_text(applied(text, first))
    assert report.valid == first.complete


@pytest.mark.parametrize("first", ["e3-d2", {"turn": "e3-d2", "comment": "so"}])
def test_a_turn_is_inserted_among_turns_with_comments(first: object) -> None:
    moves = [first, *({"turn": turn, "comment": "so"} for turn in NADRAZ["moves"][1:-1])]
    text = json.dumps({**NADRAZ, "moves": moves})
    suggestion = suggested(text)[0]
    assert suggestion.message == f"at ply 22, insert pass: {VALID}"
    assert json.loads(applied(text, suggestion))["moves"] == [*moves, "pass"]


@pytest.mark.parametrize("name", ["hgn", "sgf"])
def test_a_turn_is_inserted_in_a_game_with_comments(name: str) -> None:
    """Numbers and colors of the turns after it change, and nothing else does."""
    moves = [{"turn": turn, "comment": f"see {turn} 1."} if turn[0] == "f" else turn for turn in NADRAZ["moves"]]
    text = "".join(formats.get(name).write([{**NADRAZ, "moves": moves[:12] + moves[13:]}]))
    (report,) = library.check_text(text)
    suggestion = report.suggestions[0]
    assert suggestion.message == f"insert g6-h6: {VALID}"
    whole = "".join(formats.get(name).write([{**NADRAZ, "moves": moves}]))
    assert applied(text, suggestion).split() == whole.split() or name == "sgf"
    assert applied(text, suggestion).replace("\n", "") == whole.replace("\n", "") or name == "hgn"


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (
            '[Game "Sunspot"]\n[Size "4"]\n\n1.  d4 c4! {a} 2. e5 e5 3. d2\n{b} 3... d3 4. d5 *\n',
            "e5 3. d2\n{b} 3... d3 4. d5",
            "d2\n{b} 3. d3 d5",
        ),
        (
            "(;FF[4]GM[5001]\nSZ[4]HX[sunspot];B[d4];W[c4]C[b]\n;B[e5];W[e5] ;B[d2]BL[9];W[d3])\n",
            ";W[e5] ;B[d2]BL[9];W[d3]",
            " ;W[d2]WL[9];B[d3]",
        ),
    ],
)
def test_a_turn_is_left_out_of_a_game_with_comments(text: str, old: str, new: str) -> None:
    (report,) = library.check_text(text)
    suggestion = report.suggestions[0]
    assert suggestion.message == f"leave out e5: {VALID}"
    assert applied(text, suggestion) == text.replace(old, new)


@pytest.mark.parametrize("text", ["a1 b2", "a1b2", "1. a1", "a1, b2", "a1!!!"])
def test_a_text_with_turns_is_not_left_out(text: str) -> None:
    """Under that edit the whole record would be valid."""
    assert not any("leave out" in each.message for each in suggested({**FRASVEL, "moves": [*FRASVEL["moves"], text]}))


def test_a_text_that_is_no_turn_is_not_exchanged() -> None:
    assert not [found for found in suggested(with_turn(NADRAZ, 0, "zzzz")) if "exchange" in found.message]


def test_two_edits_with_the_same_result_are_one_suggestion() -> None:
    messages = [each.message for each in suggested(with_turn(NADRAZ, 9, "f4", "f4"))]
    assert [each for each in messages if "leave out f4" in each] == [f"leave out f4: {VALID}"]


def test_a_setup_is_played_by_the_engine() -> None:
    record = {"hexrec": "1", "game": "sunspot", "size": 4, "setup": "1b2/5/6/7/6/5/4 w 0", "moves": ["a1", "a11", "b2"]}
    assert f"replace a11 with a1: {VALID}" not in [each.message for each in suggested(record)]
    assert all(each.complete for each in suggested(record))


def test_five_at_most_the_same_in_every_run() -> None:
    record = {**SHORT_GAME, "moves": ["a1", "a1"]}
    found = suggested(record)
    assert [each.message.partition(":")[0] for each in found] == [
        "leave out a1",
        *(f"replace a1 with {cell}" for cell in ("a2", "b1")),
        *(f"at ply 1, replace a1 with {cell}" for cell in ("a2", "b1")),
    ]
    assert suggested(record) == found


@pytest.mark.parametrize("moves", [["q" * 100_000], ["a1"] * 6_000, ["é" * 30, "字" * 30]])
def test_no_suggestions_where_the_search_would_take_long(moves: list[str]) -> None:
    suggested({**SHORT_GAME, "moves": moves})


def test_no_suggestions_for_more_wrong_values_than_are_listed() -> None:
    def fields(count: int) -> dict[str, Any]:
        return {**SHORT_GAME, "moves": [], "marks": [{"kind": "label", "cell": ["a1"]}] * count}

    assert suggested(fields(MAX_DIAGNOSTICS))
    assert not suggested(fields(MAX_DIAGNOSTICS + 1))


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_first_records_of_a_run_have_suggestions(hexrec: Run, tmp_path: Path, jobs: str) -> None:
    broken = json.dumps({**SHORT_GAME, "moves": ["a1", "a1"]})
    lines = [json.dumps(SHORT_GAME), *[broken] * 60, json.dumps(SHORT_GAME)]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    path = tmp_path / "a.jsonl"
    ran = hexrec("validate", path, "--format", "jsonl", "--suggest", "2", "--replays", "40", "--jobs", jobs)
    found = [json.loads(line)["diagnostics"] for line in ran.out.splitlines()]
    assert [bool(each and "suggestions" in each[0]) for each in found] == [False, True, True, *[False] * 59]
    numbers = [edit["line"] for each in found[1:3] for edit in each[0]["suggestions"][0]["edits"]]
    assert numbers == [2, 3]
    assert "58 more invalid records without suggestions: --suggest N gives more" in ran.err
    assert "suggestions" not in hexrec("validate", path, "--format", "jsonl", "--suggest", "0").out


def test_a_cache_keeps_suggestions(hexrec: Run, tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text(json.dumps(with_turn(NADRAZ, 6, "c4-c8")))
    options = ("--cache", "--cache-dir", tmp_path / "cache", "--format", "json")
    first, again = (hexrec("validate", tmp_path / "a.json", *options) for _ in range(2))
    assert "taken from the cache: 1 file" in again.err
    assert first.out == again.out
    # What has no suggestions because others took their place has them in the next run.
    hexrec("validate", tmp_path / "a.json", tmp_path / "b.json", *options, "--suggest", "1", "--no-config")
    alone = hexrec("validate", tmp_path / "b.json", *options, "--suggest", "1")
    assert '"suggestions"' in alone.out


REPORTS = {
    "text": "\n  help: replace c4-c8 with c4-c7: ",
    "github": "; help: replace c4-c8 with c4-c7: ",
    "markdown": "; help: replace c4-c8 with c4-c7: ",
    "junit": "\nhelp: replace c4-c8 with c4-c7: ",
    "json": '"suggestions": [{"message": "replace c4-c8 with c4-c7: ',
    "sarif": '"fixes": [{"description": {"text": "replace c4-c8 with c4-c7: ',
}


@pytest.mark.parametrize("report", REPORTS)
def test_every_report_has_suggestions(hexrec: Run, tmp_path: Path, report: str) -> None:
    (tmp_path / "a.json").write_text(json.dumps(with_turn(NADRAZ, 6, "c4-c8")))
    assert REPORTS[report] in hexrec("validate", tmp_path / "a.json", "--format", report).out


def test_a_fix_in_sarif_replaces_the_characters_of_the_turn(hexrec: Run, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(_as_yaml(with_turn(NADRAZ, 6, "c4-c8")))
    (run,) = json.loads(hexrec("validate", tmp_path / "a.yaml", "--format", "sarif").out)["runs"]
    (result,) = run["results"]
    (change,) = result["fixes"][0]["artifactChanges"]
    (replacement,) = change["replacements"]
    assert replacement["insertedContent"] == {"text": "c4-c7"}
    region = replacement["deletedRegion"]
    assert (region["startColumn"], region["endColumn"]) == (5, 10)
    assert region["startLine"] == region["endLine"] == result["locations"][0]["physicalLocation"]["region"]["startLine"]


def test_the_library_has_them() -> None:
    record = library.loads(json.dumps(with_turn(NADRAZ, 6, "c4-c8")))
    (diagnostic,) = library.validate(record).diagnostics
    assert [edit.pointer for edit in diagnostic.suggestions[0].edits] == ["/moves/6"]
    assert diagnostic.to_dict()["suggestions"][0]["complete"] is True


@pytest.mark.parametrize("copied", [copy, lambda record: pickle.loads(pickle.dumps(record))], ids=["copy", "pickle"])
def test_a_copied_record_has_the_same_suggestions(copied: Callable[[library.Record], library.Record]) -> None:
    """A copy, such as one in another process, does not know the text that it was read from."""
    record = library.loads(json.dumps(with_turn(NADRAZ, 6, "c4-c8")))
    expected, found = (
        [suggestion.message for each in library.validate(one).diagnostics for suggestion in each.suggestions]
        for one in (record, copied(record))
    )
    assert found == expected == [f"replace c4-c8 with c4-c7: {VALID}"]


class TestFix:
    def test_the_only_complete_repair_is_made(self, hexrec: Run, tmp_path: Path) -> None:
        path = tmp_path / "a.yaml"
        text = "# kept\n" + _as_yaml(NADRAZ)
        path.write_text(text.replace("- c4-c7\n", "- c4-c8 # here\n"))
        assert hexrec("fix", path).code == 1
        ran = hexrec("fix", path, "--suggestions")
        assert ran.code == 0
        assert path.read_text() == text.replace("- c4-c7\n", "- c4-c7 # here\n")
        assert "record 0: check this repair: replace c4-c8 with c4-c7" in ran.err

    @pytest.mark.parametrize("name", BYTES)
    def test_no_other_byte_changes(self, hexrec: Run, tmp_path: Path, name: str) -> None:
        suffix, text, old, new = BYTES[name]
        path = tmp_path / f"a.{suffix}"
        path.write_text(text)
        ran = hexrec("fix", path, "--suggestions")
        assert (ran.code, path.read_text()) == (0, text.replace(old, new)), ran.err
        assert hexrec("validate", path).code == 0

    def test_one_of_several_is_not(self, hexrec: Run, tmp_path: Path) -> None:
        path = tmp_path / "a.json"
        path.write_text(json.dumps({**SHORT_GAME, "moves": ["a1", "a1"]}))
        before = path.read_bytes()
        ran = hexrec("fix", path, "--suggestions")
        assert (ran.code, path.read_bytes()) == (1, before)
        assert "help: replace a1 with a2" in ran.err

    @pytest.mark.parametrize("name", UNCLEAR)
    def test_a_repair_that_may_be_wrong_is_only_suggested(self, hexrec: Run, tmp_path: Path, name: str) -> None:
        record, message = UNCLEAR[name]
        path = tmp_path / "a.json"
        path.write_text(json.dumps(record))
        before = path.read_bytes()
        ran = hexrec("fix", path, "--suggestions")
        assert (ran.code, path.read_bytes()) == (1, before)
        assert f"help: {message}" in ran.err

    def test_a_search_that_ends_early_writes_nothing(self, hexrec: Run, tmp_path: Path) -> None:
        path = tmp_path / "a.json"
        path.write_text(json.dumps(with_turn(NADRAZ, 7, "b4")))
        before = path.read_bytes()
        ran = hexrec("fix", path, "--suggestions", "--replays", "150")
        assert (ran.code, path.read_bytes()) == (1, before)
        assert f"help: at ply 8, replace b4 with b2: {VALID}" in ran.err
        assert hexrec("fix", path, "--suggestions").code == 0

    def test_the_result_of_a_repaired_record_is_completed(self, hexrec: Run, tmp_path: Path) -> None:
        record = with_turn(NADRAZ, 4, "c2-3c")
        path = tmp_path / "a.json"
        path.write_text(json.dumps({**record, "result": {"termination": "rules"}}))
        ran = hexrec("fix", path, "--suggestions")
        assert ran.code == 0
        assert [line.partition("record 0: ")[2].partition(":")[0] for line in ran.err.splitlines()[:2]] == [
            "check this repair",
            "result completed",
        ]
        assert json.loads(path.read_text())["result"] == {**NADRAZ["result"], "termination": "rules"}

    def test_the_limit_is_for_messages_and_a_second_run_changes_nothing(self, hexrec: Run, tmp_path: Path) -> None:
        hopeless = json.dumps({**SHORT_GAME, "moves": ["a1", "a1"]})
        lines = [hopeless] * 3 + [json.dumps(with_turn(NADRAZ, 6, "c4-c8"))] * 3
        path = tmp_path / "a.jsonl"
        path.write_text("\n".join(lines) + "\n")
        ran = hexrec("fix", path, "--suggestions", "--suggest", "1")
        assert ran.err.count("check this repair") == 3
        assert ran.err.count("help: replace a1 with a2") == 1
        assert "2 more invalid records without suggestions: --suggest N gives more" in ran.err
        once = path.read_bytes()
        assert once.decode().splitlines()[3:] == [json.dumps(NADRAZ)] * 3
        again = hexrec("fix", path, "--suggestions")
        assert again.err.endswith("6 records in 1 file: 0 fixed, 3 unchanged, 3 left invalid; 0 files written\n")
        assert path.read_bytes() == once

    @pytest.mark.slow
    def test_errors_of_all_kinds(self, hexrec: Run, tmp_path: Path) -> None:
        """Fewer than one in a hundred written records is wrong, and no recorded result is replaced."""
        errors = runpy.run_path(str(FIXTURES.parent.parent / "benchmarks" / "errors.py"))
        true, wrong = [], []
        for kind in errors["KINDS"]:
            rng = Random(kind)
            for _ in range(examples(2)):
                record = reference(rng.choice(library.games.names()), rng.randrange(15))
                broken = errors["make_error"](record, kind, rng)
                if broken is not None:
                    true.append(record)
                    wrong.append(broken)
        path = tmp_path / "a.jsonl"
        path.write_text("".join(f"{json.dumps(record)}\n" for record in wrong))
        hexrec("fix", path, "--suggestions")
        fixed = [json.loads(line) for line in path.read_text().splitlines()]
        changed = [number for number in range(len(wrong)) if fixed[number] != wrong[number]]
        right = [number for number in changed if _same_game(fixed[number], true[number])]
        assert len(changed) >= len(wrong) // 6
        assert len(changed) - len(right) < len(changed) / 100
        for number in changed:
            claim = wrong[number].get("result", {})
            assert {part: fixed[number]["result"][part] for part in claim} == claim
        assert hexrec("fix", path, "--suggestions").out == ""
        assert [json.loads(line) for line in path.read_text().splitlines()] == fixed


def _same_game(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return library.loads(json.dumps(one)).hash() == library.loads(json.dumps(other)).hash()


def test_limits_are_documented() -> None:
    page = (FIXTURES.parent.parent / "docs" / "repairing.md").read_text(encoding="utf-8")
    assert f"{MAX_REPLAYS:,} replays" in page
    assert f"{MAX_SUGGESTED} records" in page


def test_an_illegal_opening_without_turns() -> None:
    (report,) = library.check_text(
        '{"hexrec": "1", "game": "frasvel", "size": 3, "opening": {"black": "b5"}, "moves": []}'
    )
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["opening/off-board"]


def test_nothing_is_kept_of_records_that_got_suggestions() -> None:
    """A service that lives long is sent records by anybody."""

    def suggest(number: int) -> None:
        suggested({**reference("sunspot"), f"{number:040}": 1})

    suggest(0)
    tracemalloc.start()
    try:
        for number in range(1, 4):
            suggest(number)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 200_000
