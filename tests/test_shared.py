"""What all layers share: JSON Pointers, the first few of many findings, the line that ends a run, extras, dates."""

from __future__ import annotations

from typing import Any

import pytest

from hexrec.diagnostics import Diagnostic, FirstFew, pointer_to, steps_of, value_at
from hexrec.errors import MissingExtraError, extra
from hexrec.limits import MAX_DIAGNOSTICS
from hexrec.record.schema import first_day
from hexrec.summary import Outcomes, Summary
from hexrec.validation import Report


@pytest.mark.parametrize(
    ("pointer", "path"),
    [
        ("", []),
        ("/moves/0", ["moves", 0]),
        ("/", [""]),
        ("/a~1b/m~0n/ ", ["a/b", "m~n", " "]),
        ("/~01/~10/~0~0", ["~1", "/0", "~~"]),
    ],
)
def test_pointers_are_those_of_the_standard(pointer: str, path: list[int | str]) -> None:
    data: Any = "here"
    for step in reversed(path):
        data = [data] if step == 0 else {step: data}
    assert pointer_to(path) == pointer
    assert steps_of(pointer) == [str(step) for step in path]
    assert value_at(data, pointer) == "here"


def test_pointers_to_nothing() -> None:
    for data, pointer in (({}, "/a"), ([1], "/1"), ({"a": [1, 2]}, "/a/2")):
        with pytest.raises(LookupError):
            value_at(data, pointer)


@pytest.mark.parametrize(
    ("more", "said"),
    [(0, None), (1, "1 more diagnostic"), (2, "2 more diagnostics"), (1234, "1,234 more diagnostics")],
)
def test_the_first_few_and_how_many_more(more: int, said: str | None) -> None:
    """What counts the others is in the place of the first of them."""
    few: FirstFew[int] = FirstFew()
    for number in range(MAX_DIAGNOSTICS + more):
        few.add(number)
    found = few.diagnostics("some/more", lambda number: Diagnostic("some/thing", str(number), "warning", line=number))
    expected = [Diagnostic("some/thing", str(number), "warning", line=number) for number in range(MAX_DIAGNOSTICS)]
    if said is not None:
        message = f"{said} in this record after these first {MAX_DIAGNOSTICS}"
        expected.append(Diagnostic("some/more", message, "warning", line=MAX_DIAGNOSTICS))
    assert found == expected


def test_diagnostics_need_no_conversion() -> None:
    few: FirstFew[Diagnostic] = FirstFew()
    found = Diagnostic("some/thing", "!")
    few.add(found)
    assert few.diagnostics("some/more") == [found]


@pytest.mark.parametrize(
    ("added", "line", "code"),
    [
        ([], "0 records in 0 files: 0 valid, 0 invalid; 0 plies replayed", 0),
        ([(0, 1, True, False)], "1 record in 1 file: 1 valid, 0 invalid; 1 ply replayed", 0),
        (
            [(0, 700, True, False), (1, 801, False, False), (0, 2, True, False)],
            "3 records in 2 files: 2 valid, 1 invalid; 1,503 plies replayed",
            1,
        ),
        (
            [(0, 3, False, True), (None, 0, False, True)],
            "2 records in 1 file: 0 valid, 2 invalid; 3 plies replayed",
            2,
        ),
    ],
)
def test_the_totals_of_a_run(added: list[tuple[int | None, int, bool, bool]], line: str, code: int) -> None:
    summary = Summary()
    for index, plies, valid, failed in added:
        summary.add(index, plies, valid=valid, failed=failed)
    assert (summary.line(), summary.exit_code) == (line, code)
    assert summary.line(("good", "bad")) == line.replace("invalid", "bad").replace("valid", "good")
    numbers = [int(word) for word in line.replace(",", "").split() if word.isdigit()]
    assert [summary.data()[name] for name in ("records", "files", "valid", "invalid", "plies")] == numbers


@pytest.mark.parametrize(
    ("number", "said"), [(1, "1 input could not be read"), (2000, "2,000 inputs could not be read")]
)
def test_an_input_that_cannot_be_read_is_no_record(number: int, said: str) -> None:
    summary = Summary()
    unreadable = Report((Diagnostic("syntax/unreadable", "no"),), file="a.json", index=0)
    for _ in summary.count([unreadable] * number):
        pass
    assert summary.line() == f"0 records in 0 files: 0 valid, 0 invalid; 0 plies replayed; {said}"
    assert (summary.exit_code, summary.data()["unreadable"]) == (2, number)
    outcomes = Outcomes(("changed",), unreadable=number)
    assert outcomes.line() == f"0 records in 0 files: 0 changed; 0 files written; {said}"


def test_what_became_of_records_that_are_written() -> None:
    outcomes = Outcomes(("changed", "left", "odd"), rare=("odd",), files=2, written=1)
    outcomes.records["changed"] += 1_000
    assert outcomes.line() == "1,000 records in 2 files: 1,000 changed, 0 left; 1 file written"
    assert outcomes.line(dry=True) == "1,000 records in 2 files: 1,000 changed, 0 left; nothing written"
    outcomes.records["odd"] += 1
    outcomes.written = 0
    assert outcomes.line() == "1,001 records in 2 files: 1,000 changed, 0 left, 1 odd; 0 files written"


def test_an_extra_that_is_not_installed() -> None:
    def needs(module: str) -> None:
        with extra("arrow", "to write that, install", "pyarrow", "numpy"):
            raise ModuleNotFoundError(name=module)

    for module in ("pyarrow", "numpy.core"):
        with pytest.raises(MissingExtraError, match=r"^to write that, install hexrec-games\[arrow\]$"):
            needs(module)
    for module in ("yaml", ""):
        with pytest.raises(ModuleNotFoundError):
            needs(module)


@pytest.mark.parametrize(
    ("text", "day"),
    [("2026", "2026-01-01"), ("2026-11", "2026-11-01"), ("2026-11-20", "2026-11-20"), ("2026-11-20T12:00Z",) * 2],
)
def test_the_first_day_of_a_date(text: str, day: str) -> None:
    assert first_day(text) == day
