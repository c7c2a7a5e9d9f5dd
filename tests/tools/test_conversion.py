"""What becomes of records that are converted: their texts, and what is said of each."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pytest

from hexrec import formats
from hexrec.record.canonical import canonical_form
from hexrec.tools import convert
from hexrec.tools.convert import Conversion
from hexrec.validation.report import Report
from hexrec.validation.verdict import check_document
from tests.formats.helpers import read

RECORD: dict[str, Any] = {"hexrec": "1", "id": "a", "game": "sunspot", "size": 5, "x-z": 1, "moves": ["e5"]}


def judged(*records: dict[str, Any]) -> list[Report]:
    """Return the reports on records that stand in a file, a line each."""
    documents = read("jsonl", "".join(f"{json.dumps(record)}\n" for record in records))
    return [check_document(document, "a.jsonl", index) for index, document in enumerate(documents)]


def said(report: Report, *names: str) -> list[list[Any]]:
    return [[asdict(each)[name] for name in names] for each in report.diagnostics]


def test_what_is_wrong_with_an_invalid_record_stands_among_its_own_fields() -> None:
    (found,) = Conversion("jsonl", invalid=True).join(judged({**RECORD, "x-a": 2, "moves": ["e5", "e5"]}))
    mark = {"code": "move/occupied", "ply": 2, "message": found.report.errors[0].message}
    canonical = {**RECORD, "moves": ["e5", "e5"]}
    del canonical["x-z"]
    assert found.text is not None
    assert list(json.loads(found.text).items()) == [*canonical.items(), ("x-a", 2), ("x-invalid", mark), ("x-z", 1)]
    assert said(found.report, "code", "severity", "file", "record", "id", "line") == [
        ["move/occupied", "error", "a.jsonl", 0, "a", 1],
        ["convert/invalid", "warning", "a.jsonl", 0, "a", 1],
    ]
    assert found.report.diagnostics[1].message == "converted although it is invalid, and marked with x-invalid"


def test_a_failure_is_that_of_the_record_and_touches_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(record: Any) -> Any:
        if record.id == "bad":
            raise RuntimeError("this is the test")
        return canonical_form(record)

    monkeypatch.setattr(convert, "canonical_form", fail)
    found = list(Conversion("jsonl").join(judged(RECORD, {**RECORD, "id": "bad"}, RECORD)))
    assert [each.text is None for each in found] == [False, True, False]
    assert said(found[1].report, "code", "file", "record", "id", "line") == [["internal/error", "a.jsonl", 1, "bad", 2]]


def test_what_is_lost_is_refused_by_strict() -> None:
    """Each loss is an error then, in the same words."""
    (report,) = judged({**RECORD, "tags": ["a"], "moves": [{"turn": "e5", "clock": 1}]})
    (lost,) = Conversion("abstractplay").join([report])
    (refused,) = Conversion("abstractplay", strict=True).join([report])
    assert lost.text is not None
    assert refused.text is None
    assert {each.severity for each in lost.report.diagnostics} == {"warning"}
    assert said(refused.report, "severity", "message", "line") == [
        ["error", f"{each.message}: refused by --strict", each.line] for each in lost.report.diagnostics
    ]


def test_what_was_lost_from_an_invalid_record_is_known() -> None:
    """Its comment names a cell, which another system of coordinates calls otherwise."""
    field = formats.get("sgf").keeps[0]
    moves = ["e5", "e5"]
    (found,) = Conversion("jsonl", "skew", invalid=True).join(judged({**RECORD, field: {"C": ["e5"]}, "moves": moves}))
    assert [each.code for each in found.report.diagnostics][1:] == ["convert/invalid", "convert/kept-cell"]


@pytest.mark.parametrize("to", list(formats.BUILT_IN))
@pytest.mark.parametrize("records", [0, 1])
def test_an_error_of_the_reports_is_none_of_the_record_before(to: str, records: int) -> None:
    def reports() -> Iterator[Report]:
        yield from judged(*[RECORD] * records)
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        list(Conversion(to).join(reports()))
