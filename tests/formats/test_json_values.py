"""JSON values that follow each other or fill a list: what is found of each body, in `golden/json_values.jsonl`.

`python -m tests.formats.test_json_values` writes the file.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from hexrec import formats
from hexrec.formats import json_values
from hexrec.formats.base import Document

KEPT = Path(__file__).parent / "golden/json_values.jsonl"
FIRST = '{"hexrec": "1", "a": [1, {"b": "]\\"}"}]}'
SECOND = '{ "hexrec" : "2"}'
LONG = f'{{"hexrec": "{"a" * 80}"}}'

BODIES: dict[str, str | bytes] = {
    "a list": f"[{FIRST}, {SECOND}]",
    "an empty list": "[]",
    "an empty object": "[{}]",
    "values without a list": f"{FIRST}\n {SECOND}{FIRST}",
    "no bytes": "",
    "blanks alone": " \n\t\r\n",
    "a byte-order mark": f"\ufeff[{FIRST}]",
    "a byte-order mark at the end": f"[{FIRST}]\ufeff",
    "blanks": f" \n\t[\r\n {FIRST} ,\n {SECOND}\n ]\n ",
    "no comma": f"[{FIRST}\n {SECOND}]",
    "a comma too many": f"[{FIRST},\n ]",
    "two commas": f"[{FIRST},, {SECOND}]",
    "a comma at the beginning": f"[, {FIRST}]",
    "no end": f"[{FIRST}, {SECOND}",
    "no end after a comma": f"[{FIRST},\n",
    "an open list alone": "[ ",
    "more after the end": f"[{FIRST}] x\n {SECOND}",
    "scraps": f'[1, "text", true, {FIRST}, null, [{SECOND}], {{"c": 1}}]',
    "scraps without a list": f'1 "text" -2.5\n[] {FIRST} [3]',
    "scraps on lines": f"one\ntwo {FIRST} three\n{SECOND} four",
    "a broken value": f"[{FIRST}, {{x}}, {SECOND}]",
    "a value that is not closed": f'[{{"hexrec": "1", "a": [,\n {FIRST},\n {SECOND}]',
    "a text that is not closed": f'[{{"hexrec": "1", "a": "b,\n {FIRST},\n {SECOND}]',
    "a value that is not closed without a list": f'{{"hexrec": "1", "a": "b\n{FIRST}\n{SECOND}',
    "two values that are not closed": f'[{{"hexrec": "1", "a": [\n {{"hexrec": "1", "b": {{\n {SECOND}, {FIRST}]',
    "a bracket too many": f"[{FIRST}}}, {SECOND}]",
    "a bracket too many without a list": f"{FIRST}]\n{SECOND}",
    "bad bytes": f"[{FIRST}, ".encode() + b'{"hexrec": "\xff"}, ' + f"{SECOND}]".encode(),
    "wide characters": f'[{{"hexrec": "\u65e5\U0001f600"}} x, {SECOND}]',
    "wide characters over lines": f'[{{"hexrec": "\u65e5\U0001f600",\n"\u65e5": 1}} \u65e5, {SECOND}]',
    "zero bytes": b"[\0]",
    "UTF-16": "[1]".encode("utf-16"),
    "fields that come twice, and no numbers": '[{"hexrec": "1", "hexrec": "2"},\n{"hexrec": NaN}]',
    "a value as large as may be": f"[{LONG[:-3]}{LONG[-2:]}, {SECOND}]",
    "a value that is too large": f"[{FIRST}, {LONG}, {SECOND}]",
    "a value that is too large without a list": f"{LONG}\n{SECOND}",
    "a value that is too large and not closed": f'[{{"hexrec": [{"1, " * 60},\n {SECOND}]',
    "a value that is too large, and nothing after it": f"[{FIRST},\n {LONG * 2}",
    "brackets that are too large": f"[{'[' * 100}{']' * 100}, {SECOND}]",
    "a long scrap": f"[{'x' * 80}, {SECOND}]",
    "a value right after the bracket of a broken one": f"[{{{FIRST}, {SECOND}}}, {SECOND}]",
    "a value right after the bracket of one that is too large": f"[{{{FIRST}, {LONG}}}, {SECOND}]",
    "more after a value over several lines": f'[{{"hexrec":\n"1",\n"a": 1}} x,\n {SECOND}]',
    "a value as large as may be that is not closed": f"[{LONG[:-1]}",
    "a number right before a value after a broken one": f"[{{x {FIRST}}}, 1,{SECOND}]",
    "a record in another after a broken one": f'[{{x {FIRST}}}, {{"hexrec": "3", "a": {" " * 40}{SECOND}}}]',
    "a value without an end after a broken one": f'[{{x {FIRST}}}, {{"hexrec": "3", "a": {" " * 9}{SECOND}, {LONG}]',
    "a large value after a broken one": f'[{{x, "hexrec": 5, {FIRST}, {LONG}, {SECOND}]',
}


def found(body: str | bytes) -> dict[str, Any]:
    raw = body.encode() if isinstance(body, str) else body
    documents = [described(document) for document in json_values.LIST.read(io.BytesIO(raw))]
    return {"is a list": json_values.is_list(raw), "documents": documents}


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
@pytest.mark.parametrize("what", BODIES)
def test_what_is_found_does_not_depend_on_how_much_is_read_at_once(
    what: str, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_small(monkeypatch)
    monkeypatch.setattr(json_values, "CHUNK", chunk)
    kept = dict(map(json.loads, KEPT.read_text(encoding="utf-8").splitlines()))
    assert found(BODIES[what]) == kept[what], "if that is right: python -m tests.formats.test_json_values"


@pytest.mark.parametrize("blanks", range(16))
@pytest.mark.parametrize("broken", ["", '{x {"hexrec":1}},'])
def test_what_is_too_large_is_passed_over_wherever_the_bytes_at_hand_end(
    broken: str, blanks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_values, "MAX_RECORD_BYTES", 20)
    monkeypatch.setattr(json_values, "_OVERLAP", 32)
    for more in range(20):
        gap = " " * (0 if broken else more)
        large = f'{{{{{gap}"hexrec":2}}'
        for body in (f"{FIRST}{'x' * more}\n{SECOND}", large, f"{large}, [{'1,' * 20}"):
            raw = f"[{broken}{' ' * blanks}{body}"
            monkeypatch.setattr(json_values, "CHUNK", 1 << 18)
            expected = found(raw)
            for chunk in (16, 64):
                monkeypatch.setattr(json_values, "CHUNK", chunk)
                assert found(raw) == expected


def test_no_more_is_read_than_a_value_needs() -> None:
    class Counting(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            assert size is not None
            assert 0 < size <= 1 << 18
            return super().read(size)

    stream = Counting(f"[{', '.join([FIRST] * 20_000)}]".encode())
    documents = json_values.LIST.read(stream)
    assert next(documents).error is None
    assert stream.tell() < 1 << 19
    assert [document.error for document in documents] == [None] * 19_999


@pytest.mark.parametrize("name", ["json_values", "jsonl"])
def test_a_zero_byte_tells_a_binary_file_by_its_beginning_only(name: str) -> None:
    read = json_values.LIST.read if name == "json_values" else formats.get("jsonl").read
    for zeros, code in ((8191, "syntax/binary"), (8192, "syntax/json")):
        raw = b'{"x-a": "'.ljust(zeros, b"a") + b'\0"}'
        assert [document.error and document.error.code for document in read(io.BytesIO(raw))] == [code]


if __name__ == "__main__":
    with pytest.MonkeyPatch.context() as patch:
        make_small(patch)
        lines = [json.dumps([what, found(body)]) for what, body in BODIES.items()]
    KEPT.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
