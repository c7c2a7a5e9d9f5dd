"""The clauses of the specification that the files of the suite are about, for files that are new in the manifest."""

from __future__ import annotations

from typing import Any

#: The clause by code, or by the beginning of a code.
BY_CODE = {
    "syntax/empty": "3.3",
    "syntax/encoding": "3.2",
    "syntax/duplicate-key": "3.6",
    "syntax/number": "3.7",
    "syntax/too-deep": "3.9",
    "syntax/too-large": "3.9",
    "syntax/yaml": "3.5",
    "syntax/sgf": "15.1",
    "syntax/hgn": "15.1",
    "syntax/abstractplay": "15.1",
    "syntax/": "3.8",
    "convert/": "15.1",
    "schema/type": "4.2",
    "schema/null": "4.2",
    "schema/range": "4.2",
    "schema/value": "4.2",
    "schema/missing-field": "4.1",
    "schema/unknown-field": "4.1",
    "schema/mark": "4.1",
    "schema/opening-and-setup": "9.1",
    "schema/unknown-game": "6.1",
    "schema/ruleset": "6.1",
    "schema/reading": "6.3",
    "schema/version": "5.1",
    "schema/newer-version": "5.2",
    "schema/date": "12.1",
    "schema/language": "4.7",
    "schema/time": "12.3",
    "schema/cell": "7.6",
    "schema/turn": "8.2",
    "schema/score": "4.1",
    "schema/illegal": "11.6",
    "schema/url": "4.6",
    "opening/": "9.1",
    "setup/malformed": "9.2",
    "setup/size": "9.3",
    "setup/stack": "9.3",
    "setup/pass": "9.5",
    "setup/": "9.6",
    "variation/": "8.5",
    "result/not-over": "11.2",
    "result/already-over": "11.3",
    "result/draw-with-loser": "11.3",
    "result/winner-mismatch": "11.2",
    "result/score-mismatch": "11.2",
    "result/not-illegal": "11.7",
    "result/illegal-by": "11.6",
    "move/malformed": "8.2",
    "move/off-board": "7.6",
    "move/game-over": "8.4",
}
#: The clause of an illegal turn by game, and of a valid record.
BY_GAME = {
    "sundraval": ("21.2", "21.8"),
    "sunspot": ("22.2", "22.5"),
    "frasvel": ("23.6", "23.7"),
    "valaturna": ("24.2", "24.6"),
    "nadraz": ("26.3", "26.10"),
}
#: The clause by a part of the name of a file.
BY_NAME = {
    "move.flip": "22.3",
    "move.touches": "23.3",
    "move.early-pass": "26.9",
    "first-edition-flank": "25.3",
    "first-edition": "25.2",
    "secure": "24.4",
    "reverse": "26.11",
    "placed-last": "26.12",
    "loop": "22.5",
    "without-a-turn": "23.7",
    "schema.date~turn-without": "12.2",
    "schema.value~termination": "11.1",
    "schema.turn~illegal-turn": "11.7",
    "who-played-the-illegal-turn": "11.6",
    "lost-by-illegal-turns": "11.6",
    "reading-": "6.3",
    "all-fields": "2.1",
    "versions": "5.1",
    "addresses": "4.6",
    "dates": "12.1",
    "coordinates": "7.6",
    "byte-order-mark": "3.2",
    "blank-lines": "3.4",
    "deep-but-allowed": "3.9",
    "schema.date~before-an-illegal-turn": "10.2",
    "move.occupied~before-a-wrong-result": "10.1",
    "schema.unknown-field~misspelled": "2.3",
    "schema.missing-field~size": "4.3",
    "schema.missing-field~kind-of-a-mark": "4.4",
    "schema.missing-field~pie-chosen": "4.3",
    "spelling": "13.1",
    "numbers": "2.2",
}
#: Requirements that no document can test, with their tests.
ELSEWHERE: list[dict[str, Any]] = [
    {"id": f"test of {clause}", "clause": clause, "class": kind, "format": None, "file": None, "expect": {"test": test}}
    for clause, kind, test in (
        ("10.5", "validator", "tests/cli/test_verdicts.py"),
        ("16.2", "reader", "tests/cli/test_foreign_text.py"),
        ("16.3", "reader", "tests/test_security.py"),
        ("16.4", "reader", "tests/test_security.py"),
        ("13.3", "writer", "tests/record/test_versions.py"),
        ("15.3", "writer", "tests/record/test_coordinates.py"),
    )
]


def clause_of(name: str, format: str, code: str) -> str:
    """Return the clause that a file is about, given the first code that is expected of it."""
    folder, *_ = name.split("/")
    file = name.rpartition("/")[2]
    for part, clause in BY_NAME.items():
        if part in file:
            return clause
    if code.startswith("move/") and folder in BY_GAME and code not in BY_CODE:
        if "first-edition" in file:
            return "25.2"
        return BY_GAME[folder][0]
    best = max((known for known in BY_CODE if code.startswith(known)), key=len, default="") if code else ""
    if best:
        return BY_CODE[best]
    if code.startswith("move/"):
        return "8.4"
    if folder in BY_GAME:
        return BY_GAME[folder][1]
    return {"yaml": "3.5", "jsonl": "3.4", "json": "3.1"}.get(format, "15.1")
