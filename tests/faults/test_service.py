"""An exception that nobody expected, in a task of the service: a diagnostic at the record, or else a problem."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from hexrec import formats
from hexrec.formats.base import Format
from hexrec.record.replay import Replay, replay_whole
from hexrec.server.positions import ListLegalTurns
from hexrec.server.problems import Problem
from hexrec.server.tasks import Answer, ConvertRecords, ScoreRecords, ValidateRecords

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
}


@pytest.fixture
def breaks(monkeypatch: pytest.MonkeyPatch) -> Callable[[Exception], None]:
    """Make hexrec fail with an exception on the record r2."""

    def with_error(error: Exception) -> None:
        def fails(record: Any, *arguments: Any) -> Replay:
            if record.id == "r2":
                raise error
            return replay_whole(record, *arguments)

        monkeypatch.setattr("hexrec.validation.verdict.replay_whole", fails)

    return with_error


def lines(answer: Answer) -> list[dict[str, Any]]:
    return [json.loads(line) for line in answer.body.splitlines()]


def test_validate(breaks: Callable[[Exception], None]) -> None:
    breaks(KeyError("oops"))
    reports = lines(ValidateRecords(**BODY, report="jsonl").run())
    assert [[found["code"] for found in report["diagnostics"]] for report in reports] == [[], [CODE], []]
    assert [report["valid"] for report in reports] == [True, False, True]
    (found,) = reports[1]["diagnostics"]
    assert (found["line"], reports[1]["index"], reports[1]["id"]) == (2, 1, "r2")
    assert "KeyError: 'oops'" in found["message"]


def test_score(breaks: Callable[[Exception], None]) -> None:
    breaks(KeyError("oops"))
    assert [row["code"] for row in lines(ScoreRecords(**BODY, format="jsonl").run())] == [None, CODE, None]


def test_convert(breaks: Callable[[Exception], None]) -> None:
    breaks(KeyError("oops"))
    entries = lines(ConvertRecords(**BODY, to="yaml", layout="jsonl").run())
    assert [entry["text"] is None for entry in entries] == [False, True, False]
    with pytest.raises(Problem) as raised:
        ConvertRecords(**BODY, to="yaml", layout="text").run()
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
    reports = lines(ValidateRecords(**BODY, report="jsonl").run())
    assert [[found["code"] for found in report["diagnostics"]] for report in reports] == [[], [CODE]]


def test_one_record(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> None:
        raise KeyError("oops")

    monkeypatch.setattr("hexrec.formats.json._FIRST", iter(()))
    monkeypatch.setattr("hexrec.formats.json.read_json", fails)
    with pytest.raises(Problem) as raised:
        ListLegalTurns(**BODY).run()
    assert (raised.value.status, raised.value.more["records"][0]["diagnostics"][0]["code"]) == (500, CODE)


def test_memory_is_the_limit_of_the_whole_body(breaks: Callable[[Exception], None]) -> None:
    breaks(MemoryError())
    with pytest.raises(MemoryError):
        ValidateRecords(**BODY, report="jsonl").run()
    with pytest.raises(MemoryError):
        ConvertRecords(**BODY, to="yaml", layout="jsonl").run()


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
@pytest.mark.parametrize(
    "task", [ValidateRecords(**BODY, report="jsonl"), ConvertRecords(**BODY, to="yaml", layout="jsonl")]
)
def test_bodies_that_made_it_fail(task: ValidateRecords | ConvertRecords, notation: str, text: str) -> None:
    answer = replace(task, body=text.encode(), notation=notation).run()
    ((report,),) = [lines(answer)]
    assert CODE not in [found["code"] for found in report["diagnostics"]]
