"""An exception that nobody expected, in a task of the service: a diagnostic at the record, or else a problem."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from hexrec import formats
from hexrec.formats.base import Format
from hexrec.record.replay import Replay, replay
from hexrec.server.negotiation import LINES
from hexrec.server.positions import ListLegalTurns
from hexrec.server.problems import Problem
from hexrec.server.records import ConvertRecords, ScoreRecords, ValidateRecords
from hexrec.server.tasks import Answer, Operation, Task

CODE = "internal/error"
RECORDS = [
    {"hexrec": "1", "game": "sunspot", "size": 5, "moves": ["a1", "b2", "c3"][:number], "id": f"r{number}"}
    for number in range(1, 4)
]
BODY: dict[str, Any] = {
    "body": "".join(json.dumps(record) + "\n" for record in RECORDS).encode(),
    "notation": "jsonl",
    "records": 100,
    "plies": 1000,
    "media_type": LINES,
}


@pytest.fixture(autouse=True)
def _no_record_is_clean(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave every record to the closer look."""
    monkeypatch.setattr("hexrec.validation.clean.read_json", lambda _: None)


@pytest.fixture
def breaks(monkeypatch: pytest.MonkeyPatch) -> Callable[[Exception], None]:
    """Make hexrec fail with an exception on the record r2."""

    def with_error(error: Exception) -> None:
        def fails(record: Any, *arguments: Any) -> Replay:
            if record.id == "r2":
                raise error
            return replay(record, *arguments)

        monkeypatch.setattr("hexrec.validation.verdict.replay", fails)

    return with_error


def lines(answer: Answer) -> list[dict[str, Any]]:
    return [json.loads(line) for line in answer.body.splitlines()]


def test_validate(breaks: Callable[[Exception], None]) -> None:
    breaks(KeyError("oops"))
    reports = lines(Task(ValidateRecords(), **BODY).answer())
    assert [[found["code"] for found in report["diagnostics"]] for report in reports] == [[], [CODE], []]
    assert [report["valid"] for report in reports] == [True, False, True]
    (found,) = reports[1]["diagnostics"]
    assert (found["line"], reports[1]["index"], reports[1]["id"]) == (2, 1, "r2")
    assert "KeyError: 'oops'" in found["message"]


def test_score(breaks: Callable[[Exception], None]) -> None:
    breaks(KeyError("oops"))
    assert [row["code"] for row in lines(Task(ScoreRecords(), **BODY).answer())] == [None, CODE, None]


def test_convert(breaks: Callable[[Exception], None]) -> None:
    breaks(KeyError("oops"))
    entries = lines(Task(ConvertRecords(to="yaml", report=True), **BODY).answer())
    assert [entry["text"] is None for entry in entries] == [False, True, False]
    with pytest.raises(Problem) as raised:
        Task(ConvertRecords(to="yaml"), **BODY).answer()
    assert (raised.value.status, raised.value.name) == (500, "failed")
    ((record,),) = [raised.value.more["records"]]
    assert (record["index"], record["diagnostics"][0]["code"]) == (1, CODE)


def test_a_reader_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    known = formats.get("jsonl")

    def read(stream: Any) -> Iterator[Any]:
        yield next(known.read(stream))
        raise KeyError("oops")

    broken = Format("jsonl", "JSON Lines", read, known.write, known.recognizes)
    get = formats.get
    monkeypatch.setattr(formats, "get", lambda name: broken if name == "jsonl" else get(name))
    reports = lines(Task(ValidateRecords(), **BODY).answer())
    assert [[found["code"] for found in report["diagnostics"]] for report in reports] == [[], [CODE]]


def test_one_record(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> None:
        raise KeyError("oops")

    monkeypatch.setattr("hexrec.formats.json.parse", fails)
    with pytest.raises(Problem) as raised:
        Task(ListLegalTurns(), **BODY).answer()
    assert (raised.value.status, raised.value.more["records"][0]["diagnostics"][0]["code"]) == (500, CODE)


def test_memory_is_the_limit_of_the_whole_body(breaks: Callable[[Exception], None]) -> None:
    breaks(MemoryError())
    with pytest.raises(MemoryError):
        Task(ValidateRecords(), **BODY).answer()
    with pytest.raises(MemoryError):
        Task(ConvertRecords(to="yaml", report=True), **BODY).answer()


@pytest.mark.parametrize(
    ("notation", "text"),
    [
        ("sgf", '(;FF[4]GM[5001]SZ[4]HX[sunspot]RE[0]HR[{"winner":"black"}]HJ[{"x-sgf":1}];B[a1])'),
        (
            "json",
            '{"header": {"game": {"name": "Sunspot"}, "date-start": null, "players": [{"name": "A", "result": 1}, '
            '{"name": "B", "result": 0}]}, "moves": [["a1"]]}',
        ),
    ],
)
@pytest.mark.parametrize("operation", [ValidateRecords(), ConvertRecords(to="yaml", report=True)])
def test_bodies_that_made_it_fail(operation: Operation, notation: str, text: str) -> None:
    answer = Task(operation, **{**BODY, "body": text.encode(), "notation": notation}).answer()
    ((report,),) = [lines(answer)]
    assert CODE not in [found["code"] for found in report["diagnostics"]]
