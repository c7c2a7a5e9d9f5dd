"""Values of wrong types, wherever a format holds JSON: no error in hexrec, no lost neighbor."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from functools import partial
from io import BufferedReader, BytesIO
from itertools import islice, product
from typing import Any

import pytest
import yaml

from hexrec import formats
from hexrec.formats.base import Document
from hexrec.rules.board import System
from hexrec.tools.convert import Conversion
from hexrec.tools.edit import files as edit
from hexrec.tools.edit.fixes import Fixer, fix_result, format_record
from hexrec.util.diagnostics import INTERNAL_ERROR, Diagnostic
from hexrec.validation.report import Report
from hexrec.validation.verdict import check_document
from tests.faults.wrong_types import ABSTRACT_PLAY, HOLDING, RECORD, variants

#: One of so many variants is tried; `nox -s hostile` tries all. A prime number takes other ones in every field.
STEP = int(os.environ.get("HEXREC_WRONG_TYPES_STEP", "2003"))
GOOD = {"hexrec": "1", "game": "sunspot", "size": 5, "moves": ["a1"], "id": "good"}


def in_formats() -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield the names of formats, each with what makes a text in it."""
    for data in (RECORD, ABSTRACT_PLAY):
        for make in variants(data):
            yield "jsonl", partial(in_json, make)
    for make in variants(RECORD):
        yield "yaml", partial(in_yaml, make)
    for part in ({name: value} for name, value in RECORD.items()):
        for make in variants(part):
            for name, (text, places) in HOLDING.items():
                for game, place in product(("sundraval", "sunspot"), range(places)):
                    yield name, partial(text, game, place, make)


def in_json(make: Callable[[], Any]) -> str:
    return json.dumps(make())


def in_yaml(make: Callable[[], Any]) -> str:
    return str(yaml.safe_dump(make(), sort_keys=False))


def neighbor(name: str) -> str:
    return "".join(formats.get(name).write([GOOD]))


def judged(name: str, text: str) -> list[Report]:
    documents = formats.read(name, BytesIO(text.encode()))
    return [check_document(document, "file", index, lint=True) for index, document in enumerate(documents)]


def assert_no_fault(reports: list[Report], text: str) -> None:
    codes = {diagnostic.code for report in reports for diagnostic in report.diagnostics}
    assert INTERNAL_ERROR not in codes, text


@pytest.mark.slow
def test_wrong_types() -> None:
    for number, (name, text) in enumerate(islice(in_formats(), 0, None, STEP)):
        assert_good_among(name, text(), invalid=number % 2 == 0, coordinates="axial" if number % 4 < 2 else None)


def assert_good_among(name: str, text: str, *, invalid: bool, coordinates: System | None) -> None:
    """Hold a text between two good records to cost neither of them, whatever is done with the three."""
    before, after = {"hgn": ("\n", "\n"), "jsonl": ("", "\n"), "yaml": ("---\n", "---\n")}.get(name, ("", ""))
    reports = judged(name, neighbor(name) + before + text + after + neighbor(name))
    assert_no_fault(reports, text)
    assert (reports[0].id, reports[-1].id) == ("good", "good"), text
    assert reports[0].valid
    assert reports[-1].valid
    for to in formats.names():
        conversion = Conversion(to, coordinates, invalid=invalid)
        converted = list(map(conversion.convert, reports) if to == "json" else conversion.join(reports))
        assert_no_fault([each.report for each in converted], text)
        assert converted[0].text
        assert converted[-1].text
        assert_no_fault([each for found in converted if found.text for each in judged(to, found.text)], text)
    assert_edits(name, text)


def assert_edits(name: str, text: str) -> None:
    """Hold formatting and correcting to raise nothing, and to leave what is well formed so."""
    old = text.encode()
    for fixer, way in ((format_record, edit.get(name, canonical=True)), (fix_result, edit.get(name, canonical=False))):
        diagnostics: list[Diagnostic] = []
        refusal = ""
        new = old
        try:
            new = b"".join(
                segment.new for segment in way(BufferedReader(BytesIO(old)), partial(changed, fixer, diagnostics))
            )
        except edit.EditError as error:
            refusal = str(error)
        assert "error in hexrec" not in refusal, text
        assert INTERNAL_ERROR not in {diagnostic.code for diagnostic in diagnostics}, text
        assert_no_fault(judged(name, new.decode()), text)


def changed(fixer: Fixer, diagnostics: list[Diagnostic], document: Document) -> dict[str, Any] | None:
    fix = fixer(document, "file", 0)
    diagnostics += fix.diagnostics
    return fix.data
