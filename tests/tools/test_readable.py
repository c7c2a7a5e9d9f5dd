"""What hexrec writes, it reads: a record that would be too large in a format is refused, and no other with it."""

from __future__ import annotations

import io
from typing import Any

import pytest

import hexrec
from hexrec import formats
from hexrec.record.canonical import canonical_form
from hexrec.record.validation import read_record
from hexrec.tools.convert import Conversion
from hexrec.util.limits import MAX_RECORD_BYTES, MAX_VALUES
from hexrec.validation.verdict import check_document, check_record
from tests.formats.helpers import read

LEAST: dict[str, Any] = {"hexrec": "1", "game": "sunspot", "size": 5, "moves": ["e5"]}
#: Two bytes each in JSON, and one in other formats.
QUOTES = '"' * (MAX_RECORD_BYTES // 2)


def written(to: str, **more: Any) -> tuple[str, list[str]]:
    """Return what becomes of a record between two others, or alone where there can be only one, and errors' codes."""
    several = [{}, more, {}] if to != "json" else [more]
    converted = list(Conversion(to).join(check_record(read_record({**LEAST, **fields})) for fields in several))
    errors = [error.code for each in converted for error in each.report.errors]
    return "".join(each.text or "" for each in converted), errors


@pytest.mark.parametrize(
    ("to", "comment"),
    [
        ("json", QUOTES),
        ("jsonl", QUOTES),
        *((name, "a" * MAX_RECORD_BYTES) for name in ("yaml", "sgf", "hgn", "abstractplay")),
    ],
)
def test_a_record_that_would_be_too_large_is_refused_alone(to: str, comment: str) -> None:
    text, errors = written(to, comment=comment)
    assert errors == ["convert/too-large"]
    if to == "json":
        assert text == ""
    else:
        found = list(formats.read(to, io.BytesIO(text.encode())))
        assert [document.error for document in found] == [None, None]


def test_the_refusal_stands_where_the_record_does() -> None:
    lines = [f"{{hexrec: '1', game: sunspot, size: 5, moves: [e5], comment: {text}}}" for text in ("a", f"'{QUOTES}'")]
    first, second = read("yaml", f"{lines[0]}\n---\n{lines[1]}\n")
    reports = [check_document(first, "a.yaml", 0), check_document(second, "a.yaml", 1)]
    _, refused = Conversion("jsonl").join(reports)
    (error,) = refused.report.errors
    assert (error.code, error.file, error.record, error.line, error.column) == ("convert/too-large", "a.yaml", 1, 3, 1)


@pytest.mark.parametrize("to", ["yaml", "sgf", "hgn"])
def test_a_large_record_is_read_as_it_was_written(to: str) -> None:
    text, errors = written(to, comment=QUOTES)
    assert errors == []
    _, document, _ = formats.read(to, io.BytesIO(text.encode()))
    assert canonical_form(read_record(document.data))["comment"] == QUOTES


def test_values_are_counted_as_well(tmp_path: Any) -> None:
    record = read_record({**LEAST, "x-a": [0] * MAX_VALUES})
    with pytest.raises(hexrec.RecordError, match=r"written as JSON Lines, .* more than 250,000 values") as refused:
        hexrec.dumps(record, "jsonl")
    assert [(error.code, error.pointer) for error in refused.value.diagnostics] == [("convert/too-large", "")]
    with pytest.raises(hexrec.RecordError):
        hexrec.dump(record, tmp_path / "a.json")
    assert not (tmp_path / "a.json").exists()
