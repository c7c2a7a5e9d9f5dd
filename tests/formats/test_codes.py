"""Every code that a record can give is given in every format that can say what is wrong, and where that stands.

`fixtures/codes` has a file in each format (a folder for JSON, which holds one record a file) with a record for each
code, whose identity is the code. `expected.json` there has, for each format and code, from where to where in the
record the diagnostic points, and what stands there. `python -m tests.formats.test_codes` writes all of them anew:
from the first fixture of a game, or of records, that gives the code in the format too. What no such fixture gives
there, one among the format's own invalid fixtures does.
"""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hexrec import formats
from hexrec.codes import all_codes, own_sections
from hexrec.formats.places import Span
from hexrec.io.discovery import Discovery, Source
from hexrec.rules import games
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.report import Report
from hexrec.validation.verdict import check_document
from tests.fixtures import FIXTURES, expected, files
from tests.formats.helpers import cut_out
from tests.test_fixtures import BESIDE, NOT_IN_FILES

CODES = FIXTURES.parent / "codes"
EXPECTED = CODES / "expected.json"
#: What is found in a record, whatever it is written in.
STAGES = ("schema", "opening", "setup", "move", "variation", "result", "lint")
#: What is said of a record among others.
_OF_SEVERAL = {"lint/duplicate", "lint/duplicate-mirrored"}
OF_RECORDS = {code for code in all_codes() - NOT_IN_FILES - _OF_SEVERAL if code.startswith(STAGES)}
#: The codes that a format cannot give.
NOT_IN = {
    "abstractplay": {
        # It does not have these fields.
        *("schema/language", "schema/mark", "schema/opening-and-setup", "schema/time", "schema/turn", "schema/version"),
        *("lint/clock", "lint/mark", "lint/time-order", "variation/illegal"),
        *(code for code in OF_RECORDS if code.startswith("setup/")),
        # Its sites give a score to games that were broken off, and let turns follow the end.
        *("schema/score", "lint/extra-passes"),
        # It has no illegal turn that lost a game.
        *("schema/illegal", "result/not-illegal"),
        # It has no fields of a newer version, and no extension fields.
        *("schema/newer-version", "lint/extension-name"),
    }
}
#: Problems of bytes and texts that a format has a code of its own for, or none at all.
NOT_IN_SYNTAX = {
    # What is JSON in SGF and is no JSON is reported as `syntax/sgf`.
    "sgf": {"syntax/duplicate-key", "syntax/number"}
}


def _game_of(path: Path) -> int:
    """Return the number of the game in whose folder a file is, and -1 for others: a new game is the last one."""
    game = path.relative_to(FIXTURES.parent).parts[1]
    return games.BUILT_IN.index(game) if game in games.BUILT_IN else -1


@cache
def sources() -> list[tuple[str, dict[str, Any]]]:
    """Return the records of the fixtures that are not about a format, each with the code that it is there for."""
    return [*_sources()]


def _sources() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted((*files("invalid"), *files("lint"), *files("lenient")), key=_game_of):
        code = expected(path).code
        if code in OF_RECORDS and "formats" not in path.parts:
            for source in Discovery([str(path)]):
                assert isinstance(source, Source)
                for document in source.documents():
                    if isinstance(document.data, dict) and document.error is None:
                        yield code, {**document.data, "id": code}


def judged(name: str, text: str, *, linted: bool = True) -> list[Report]:
    documents = formats.read(name, io.BytesIO(text.encode()))
    return [check_document(document, "file", index, lint=linted) for index, document in enumerate(documents)]


def given(report: Report, code: str) -> Diagnostic | None:
    """Return the diagnostic with a code that is all that is wrong with a record; lint may have more to say."""
    others = {error.code for error in report.errors} - {code, *BESIDE.get(code, ())}
    return None if others else next((found for found in report.diagnostics if found.code == code), None)


def shown(text: str, report: Report, found: Diagnostic) -> str:
    """Return from where to where a diagnostic points, lines counted from the record's first, and what stands there."""
    assert report.document is not None
    record = report.document.places([""]).find("")
    span = Span(found.line or 0, found.column or 0, found.end_line or 0, found.end_column or 0)
    before = record.line - 1 if record else 0
    return f"{span.line - before}:{span.column}-{span.end_line - before}:{span.end_column} {cut_out(text, span)}"


def texts(name: str) -> list[str]:
    """Return the texts of a format's fixtures."""
    paths = sorted(CODES.glob("json/*") if name == "json" else CODES.glob(f"every-code.{name}*"))
    return [path.read_text(encoding="utf-8") for path in paths]


def found_in(name: str) -> dict[str, str]:
    """Return what each record points out in the fixtures of a format, by the codes that they are there for."""
    found = {}
    for text in texts(name):
        for report in judged(name, text):
            code = report.id or ""
            diagnostic = given(report, code)
            assert diagnostic is not None, code
            found[code] = shown(text, report, diagnostic)
    return found


@pytest.mark.parametrize("name", formats.names())
def test_every_code_is_given_in_its_place(name: str) -> None:
    found = found_in(name)
    assert found == json.loads(EXPECTED.read_text(encoding="utf-8"))[name]
    others = {expected(path).code for path in files("invalid") if path.parents[1].name == name}
    assert OF_RECORDS - found.keys() - others == NOT_IN.get(name, set())


@pytest.mark.parametrize("name", [name for name in formats.names() if name != "abstractplay"])
def test_every_problem_of_bytes_and_texts_has_a_fixture(name: str) -> None:
    """Abstract Play's records are read as JSON."""
    codes = own_sections("formats")["every"].codes.keys() - NOT_IN_FILES - NOT_IN_SYNTAX.get(name, set())
    found = {expected(path).code for path in files("invalid") if path.parents[1].name == name}
    assert codes - found == set()


def write_fixtures() -> None:
    shutil.rmtree(CODES, ignore_errors=True)
    (CODES / "json").mkdir(parents=True)
    for name in formats.names():
        chosen = {}
        for code, data in sources():
            if code not in chosen and code not in NOT_IN.get(name, set()) and _says(name, data, code):
                chosen[code] = data
        if name == "json":
            for code, data in chosen.items():
                path = CODES / "json" / f"{code.replace('/', '.')}.json"
                path.write_text("".join(formats.get(name).write([data])), encoding="utf-8")
        else:
            suffix = "abstractplay.jsonl" if name == "abstractplay" else name
            text = "".join(formats.get(name).write([chosen[code] for code in sorted(chosen)], lambda _: None))
            (CODES / f"every-code.{suffix}").write_text(text, encoding="utf-8")
    places = {name: found_in(name) for name in formats.names()}
    EXPECTED.write_text(json.dumps(places, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _says(name: str, data: dict[str, Any], code: str) -> bool:
    """Return whether data that is wrong can be written, and is wrong in the same way when it is read again."""
    try:
        text = "".join(formats.get(name).write([data], lambda _: None))
    except Exception:  # writers are given valid data alone
        return False
    reports = judged(name, text, linted=code.startswith("lint/"))
    return [report.id for report in reports if given(report, code)] == [code]


if __name__ == "__main__":
    write_fixtures()
