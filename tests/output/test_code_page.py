"""What the codes' explanations promise: whole sentences, and examples of exactly what they are examples of."""

from __future__ import annotations

import io
import re

import pytest
from codes import pages, table

from hexrec import formats
from hexrec.codes import game_codes, own_sections, sections
from hexrec.formats.base import Document
from hexrec.tools.code_examples import diagnostic_in_example
from hexrec.tools.duplicates import Duplicates
from hexrec.util.diagnostics import Code
from hexrec.validation.verdict import check_document
from tests.completeness import COMPLETE

EXPLAINED = [(code, explained) for _, codes in sections() for code, explained in codes.items()]
EXAMPLES = [(code, explained) for code, explained in EXPLAINED if explained.example]
LINT = own_sections("check")["lint"].codes
WARNINGS = [(code, explained) for code, explained in EXAMPLES if code in LINT]
FAULTS = [(code, explained) for code, explained in EXAMPLES if code not in LINT]
#: They take a file that cannot be read, one that is not text or in which bytes matter, one of more than 8 MiB, or
#: an error in the program.
WITHOUT_EXAMPLE = {
    *("schema/more", "syntax/more", "variation/more", "syntax/unreadable", "syntax/changed", "syntax/binary"),
    *(
        "syntax/too-large",
        "batch/crashed",
        "internal/error",
        "internal/plug-in",
        "syntax/sgf-encoding",
        "syntax/sgf-mark",
    ),
}
#: An option demands what else need not be.
ONLY_IF_DEMANDED = {"result/missing"}


def documents(explained: Code) -> list[Document]:
    return list(formats.read(explained.format, io.BytesIO(explained.example.encode())))


def test_explanations_are_whole_sentences() -> None:
    for code, explained in EXPLAINED:
        texts = {explained.meaning, explained.rule, explained.fix}
        assert all(re.fullmatch(r"(?:[A-Z`]|hexrec).*\.\)?", text) for text in texts), code
        assert len(texts) == 3, code


def test_nearly_every_code_has_an_example() -> None:
    """Converting and importing give codes of their own, which no record need have."""
    without = {code for code, explained in EXPLAINED if not explained.example}
    assert {code for code in without if not code.startswith(("convert/", "import/"))} == WITHOUT_EXAMPLE
    assert all(diagnostic_in_example(code, explained) is None for code, explained in EXPLAINED if not explained.example)


@pytest.mark.parametrize(("code", "explained"), FAULTS)
def test_an_example_is_one_record_with_one_fault(code: str, explained: Code) -> None:
    (document,) = documents(explained)
    expected = [] if code in ONLY_IF_DEMANDED else [code]
    assert [diagnostic.code for diagnostic in check_document(document).diagnostics] == expected


@pytest.mark.parametrize(("code", "explained"), WARNINGS)
def test_an_example_of_a_warning_has_no_other(code: str, explained: Code) -> None:
    linted = [check_document(document, lint=True) for document in documents(explained)]
    diagnostics = [diagnostic for report in Duplicates().find(linted) for diagnostic in report.diagnostics]
    assert [diagnostic.code for diagnostic in diagnostics if diagnostic.severity == "warning"] == [code]


def test_the_records_of_an_example_are_counted() -> None:
    """A record before the two makes them records 1 and 2."""
    explained = dict(EXPLAINED)["lint/duplicate"]
    first = '{hexrec: "1", game: sunspot, size: 5, moves: [e5]}\n---\n'
    found = diagnostic_in_example("lint/duplicate", explained._replace(example=first + explained.example))
    assert found is not None
    assert (found.record, found.message) == (2, "the same game as record 1 of example.yaml")


def test_an_example_fits_on_a_screen_and_its_diagnostic_has_a_place_and_the_severity() -> None:
    for code, explained in EXAMPLES:
        diagnostic = diagnostic_in_example(code, explained)
        assert diagnostic is not None, code
        assert re.fullmatch(r"example\.[a-z]+:\d+:\d+", diagnostic.place), code
        assert diagnostic.severity == explained.severity, code
        assert max(map(len, explained.example.splitlines())) <= 110, code


@pytest.mark.parametrize("game", COMPLETE)
def test_examples_for_the_codes_of_a_game_are_records_of_it(game: str) -> None:
    assert {
        check_document(document).game for explained in game_codes(game).values() for document in documents(explained)
    } <= {game}


def test_the_table_has_every_code_once() -> None:
    assert sorted(re.findall(r"^\| \[`(.*?)`\]", table(), re.MULTILINE)) == sorted({code for code, _ in EXPLAINED})


def test_the_pages_have_everything_in_order() -> None:
    whole = "".join(pages().values())
    entries = re.split(r"^### `(.*)`$", whole, flags=re.MULTILINE)[1:]
    assert sorted(entries[::2]) == sorted(code for code, _ in EXPLAINED)
    known = {code: [explained for name, explained in EXPLAINED if name == code] for code in entries[::2]}
    for code, entry in zip(entries[::2], entries[1::2], strict=True):
        explained = known[code].pop(0)
        diagnostic = diagnostic_in_example(code, explained)
        shown = (explained.example, diagnostic.message) if diagnostic else ()
        places = [entry.index(text) for text in (explained.meaning, explained.rule, *shown, explained.fix)]
        assert places == sorted(places), code
