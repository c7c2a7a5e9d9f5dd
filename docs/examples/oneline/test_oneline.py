"""Run with pytest where the package is installed. The files in `fixtures` are tests: `invalid/CODE~what.oneline`."""

from __future__ import annotations

from pathlib import Path

import pytest

import hexrec

FIXTURES = Path(__file__).parent / "fixtures"
RECORD = """
{"hexrec": "1", "game": "sunspot", "size": 5, "event": "Cup", "moves": ["a1", {"turn": "b2", "comment": "A trap."}]}
"""


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("valid/*")), ids=lambda path: path.name)
def test_there_and_back(path: Path) -> None:
    records = list(hexrec.records(path))
    assert all(hexrec.validate(record).valid for record in records)
    assert "".join(hexrec.dumps(record, "oneline") for record in records) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("invalid/*")), ids=lambda path: path.name)
def test_invalid(path: Path) -> None:
    code = path.name.partition("~")[0].replace(".", "/")
    with pytest.raises(hexrec.RecordError) as refused:
        hexrec.load(path)
    assert [(each.code, each.line is not None) for each in refused.value.diagnostics] == [(code, True)]


def test_what_is_left_out_is_told() -> None:
    with pytest.warns(hexrec.ConversionWarning) as told:
        text = hexrec.dumps(hexrec.loads(RECORD, "json"), "oneline")
    assert text == "sunspot 5 a1 b2\n"
    assert len(told) == 2
