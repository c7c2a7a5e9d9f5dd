"""What is said of data that is no record or position, word for word: `fixtures/refused.jsonl`.

A line has the data, what it should be (`of`: a record or a position), and the diagnostics, or the record if it is one.
`many` are lists of so many equal values, or objects with so many unknown fields before others, by their places: large
`python -m tests.record.test_words` writes what is said anew; read it in its diff.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from hexrec.record.record import Record
from hexrec.record.validation import RecordError, read_position, read_record
from hexrec.util.diagnostics import Diagnostic
from tests.fixtures import FIXTURES, without_games
from tests.record.helpers import diagnostics, put

KEPT = FIXTURES.parent / "refused.jsonl"
READERS: dict[str, Callable[[object], Record]] = {"record": read_record, "position": read_position}
SHOWN = 100
HEAD: dict[str, Any] = {"hexrec": "1", "game": "sunspot", "size": 5, "moves": []}


def said(line: dict[str, Any]) -> dict[str, Any]:
    """Return a line with what is said of its data now; of more diagnostics than are shown, the last two."""
    line = {name: line[name] for name in ("of", "data", "many") if name in line}
    data = line["data"]
    for place, (count, kind, value) in line.get("many", {}).items():
        path = tuple(int(step) if step.isdecimal() else step for step in place.split("/"))
        unknown = {f"q{number}": 0 for number in range(count)}
        data = put(data, path, [value] * count if kind == "list" else unknown | value)
    try:
        record = READERS[line["of"]](data)
    except RecordError as error:
        found = [
            {
                "code": each.code,
                "pointer": each.pointer,
                "message": without_games(each.message),
                "within": each.within,
            }
            for each in error.diagnostics
        ]
        if len(found) > SHOWN:
            return {**line, "count": len(found), "diagnostics": found[-2:]}
        return {**line, "diagnostics": found, "text": without_games(str(error))}
    return {**line, "record": record.data}


@pytest.mark.parametrize("of", READERS)
@pytest.mark.parametrize("many", [False, True], ids=["small", "large"])
def test_every_word(of: str, many: bool) -> None:
    lines = map(json.loads, KEPT.read_text(encoding="utf-8").splitlines())
    kept = [line for line in lines if line["of"] == of and ("many" in line) == many]
    assert list(map(said, kept)) == kept, "if that is as it should be: python -m tests.record.test_words"


def test_an_error_names_all_places_that_are_known() -> None:
    found = [Diagnostic("schema/type", "one", line=3, column=4), Diagnostic("schema/type", "two")]
    assert str(RecordError(found)) == "3:4: one\ntwo"


@pytest.mark.parametrize("number", [float("inf"), -float("inf"), float("nan")])
def test_what_json_has_no_number_for(number: float) -> None:
    (found,) = diagnostics({**HEAD, "players": {"black": {"rating": number}}})
    assert (found.code, found.pointer) == ("schema/type", "/players/black/rating")
    assert found.message.startswith("players.black.rating should be a number, not the number ")


if __name__ == "__main__":
    lines = [json.loads(line) for line in KEPT.read_text(encoding="utf-8").splitlines()]
    KEPT.write_text("".join(f"{json.dumps(said(line))}\n" for line in lines), encoding="utf-8")
