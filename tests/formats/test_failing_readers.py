"""When hexrec itself fails on a record, the error stands where the record begins, and the others are read."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, NamedTuple

import pytest

from hexrec import formats
from hexrec.formats.base import Document
from tests.formats.helpers import LINE

_SGF = "(;FF[4]CA[UTF-8]GM[5001]SZ[5]HX[sunspot];B[e5])"
_HGN = '[HGN "1"]\n[Game "sunspot"]\n[Size "5"]\n\n1. e5\n'
_AP = (
    '{"header": {"game": {"name": "Sunspot", "variants": ["size-5"]}, "site": {"name": "Abstract Play"}, '
    '"players": [{"name": "a", "result": 1}, {"name": "b", "result": 0}]}, "moves": [["e5"]]}'
)


class Case(NamedTuple):
    """A text with three records, what fails on one of them, at which call, and the place of the error."""

    format: str
    text: str
    module: str
    name: str
    place: tuple[int, int, int, int]
    call: int = 2


CASES = {
    "json in a list": Case("json", f"[{LINE},\n  {LINE},\n{LINE}]", "hexrec.formats.json", "parse", (2, 3, 2, 4)),
    "jsonl": Case("jsonl", f"{LINE}\n\n{LINE}\n{LINE}\n", "hexrec.formats.json", "parse", (3, 1, 3, 2)),
    # A builder is made for each part of the stream, and for each document in it.
    "yaml": Case(
        "yaml", f"{LINE}\n---\n\n{LINE}\n---\n{LINE}\n", "hexrec.formats.yaml.reader", "Builder", (2, 1, 2, 2), 3
    ),
    "sgf": Case("sgf", f"{_SGF}\n\n {_SGF}\n{_SGF}", "hexrec.formats.sgf.reader", "_Reading", (3, 2, 3, 3)),
    "hgn": Case("hgn", f"{_HGN}\n{_HGN}\n{_HGN}", "hexrec.formats.hgn.reader", "_GameReader", (7, 1, 7, 2)),
}


def documents_of(case: Case) -> Iterator[Document]:
    return formats.read(case.format, io.BytesIO(case.text.encode()))


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, int, Exception], None]:
    """Return what makes a function or class of a module fail when it is called for so many a time."""

    def install(module: str, name: str, call: int, error: Exception) -> None:
        usual = getattr(import_module(module), name)
        calls = iter(range(1, 1000))

        def fails(*arguments: Any) -> Any:
            if next(calls) == call:
                raise error
            return usual(*arguments)

        monkeypatch.setattr(f"{module}.{name}", fails)

    return install


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_error_stands_where_the_record_begins(
    failing: Callable[[str, str, int, Exception], None], case: Case
) -> None:
    expected = list(documents_of(case))
    assert [document.error for document in expected] == [None] * 3
    failing(case.module, case.name, case.call, KeyError("oops"))
    first, second, third = documents_of(case)
    assert [first.data, third.data] == [expected[0].data, expected[2].data]
    assert second.data is None
    found = second.error
    assert found is not None
    assert found.code == "internal/error"
    assert "KeyError: 'oops'" in found.message
    assert (found.line, found.column, found.end_line, found.end_column) == case.place


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_want_of_memory_ends_the_reading(failing: Callable[[str, str, int, Exception], None], case: Case) -> None:
    failing(case.module, case.name, case.call, MemoryError())
    with pytest.raises(MemoryError):
        list(documents_of(case))


def test_a_record_that_cannot_be_translated_keeps_its_text(failing: Callable[[str, str, int, Exception], None]) -> None:
    text = f"{LINE}\n{_AP}\n{_AP}\n"
    failing("hexrec.formats.abstractplay.reader", "RecordReader", 1, KeyError("oops"))
    first, second, third = formats.read("jsonl", io.BytesIO(text.encode()))
    assert (first.error, third.error) == (None, None)
    assert second.data is None
    assert second.error is not None
    assert second.error.code == "internal/error"
    assert second.text is not None
    assert second.text.first_line == 2
    assert second.places().find("/header/game") is not None
