"""JSON values that follow each other or fill a list: the documents of each text in `golden/json_values.jsonl`.

To test another text, add a line with it; `python -m tests.formats.test_json_values` then writes the documents.
"""

from __future__ import annotations

import io
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hexrec import formats
from hexrec.formats import json_values
from hexrec.formats.base import Document, reading
from tests.cases import all_of
from tests.formats.helpers import raw
from tests.properties import sample

KEPT = Path(__file__).parent / "golden/json_values.jsonl"
FIRST = '{"hexrec": "1", "a": [1, {"b": "]\\"}"}]}'
SECOND = '{ "hexrec" : "2"}'
read_values = reading(json_values.value_pieces)
LONG = f'{{"hexrec": "{"a" * 80}"}}'


@cache
def golden() -> dict[str, dict[str, Any]]:
    """Return the lines by their names."""
    return {line["what"]: line for line in map(json.loads, KEPT.read_text(encoding="utf-8").splitlines())}


def found(body: bytes) -> dict[str, Any]:
    return {"documents": [described(document) for document in read_values(io.BytesIO(body))]}


def described(document: Document) -> Any:
    if document.error is None:
        place = document.places().find("")
        return {"data": document.data, "place": place and list(place)}
    error = document.error
    return [error.code, error.message, error.line, error.column, error.end_line, error.end_column]


def make_small(patch: pytest.MonkeyPatch) -> None:
    """Let the longest value be too large."""
    patch.setattr(json_values, "MAX_RECORD_BYTES", len(LONG) - 1)
    patch.setattr(json_values, "_OVERLAP", 32)


@pytest.mark.parametrize("chunk", [16, 1 << 18])
@all_of("what", golden())
def test_what_is_found_does_not_depend_on_how_much_is_read_at_once(
    what: str, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_small(monkeypatch)
    monkeypatch.setattr(json_values, "CHUNK", chunk)
    line = golden()[what]
    assert found(raw(line)).items() <= line.items(), "if that is right: python -m tests.formats.test_json_values"


@all_of("blanks", range(16))
@pytest.mark.parametrize("broken", ["", '{x {"hexrec":1}},'])
def test_what_is_too_large_is_passed_over_wherever_the_bytes_at_hand_end(
    broken: str, blanks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_values, "MAX_RECORD_BYTES", 20)
    monkeypatch.setattr(json_values, "_OVERLAP", 32)
    for more in sample(range(20), 4):
        gap = " " * (0 if broken else more)
        large = f'{{{{{gap}"hexrec":2}}'
        for body in (f"{FIRST}{'x' * more}\n{SECOND}", f"{large}, [{'1,' * 20}"):
            whole = f"[{broken}{' ' * blanks}{body}".encode()
            monkeypatch.setattr(json_values, "CHUNK", 1 << 18)
            expected = found(whole)
            for chunk in (16, 64):
                monkeypatch.setattr(json_values, "CHUNK", chunk)
                assert found(whole) == expected


def test_no_more_is_read_than_a_value_needs() -> None:
    class Counting(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            assert size is not None
            assert 0 < size <= 1 << 18
            return super().read(size)

    stream = Counting(f"[{', '.join([LONG] * 9_000)}]".encode())
    documents = read_values(stream)
    assert next(documents).error is None
    assert stream.tell() < 1 << 19
    assert [document.error for document in documents] == [None] * 8_999


@pytest.mark.parametrize("name", ["json_values", "jsonl"])
def test_a_zero_byte_tells_a_binary_file_by_its_beginning_only(name: str) -> None:
    read = read_values if name == "json_values" else formats.get("jsonl").read
    for zeros, code in ((8191, "syntax/binary"), (8192, "syntax/json")):
        raw = b'{"x-a": "'.ljust(zeros, b"a") + b'\0"}'
        assert [document.error and document.error.code for document in read(io.BytesIO(raw))] == [code]


if __name__ == "__main__":
    with pytest.MonkeyPatch.context() as patch:
        make_small(patch)
        lines = [json.dumps({**line, **found(raw(line))}) for line in golden().values()]
    KEPT.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
