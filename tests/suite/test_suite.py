"""The suite says of its files what hexrec does, and has a case for every requirement and every code."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import Any

import pytest

from hexrec.codes import all_codes
from hexrec.util.version import __version__
from tests.cases import try_all
from tests.fixtures import FIXTURES, expected
from tests.suite import Case, conversions, document_case, documents, engine_cases, manifest
from tests.test_fixtures import NOT_IN_FILES
from tests.test_specification import clauses, requirements

#: Codes that the suite has to show.
STAGES = ("syntax/", "schema/", "opening/", "setup/", "move/", "variation/", "result/", "convert/")
#: What hexrec alone says: of other files, options and programs, or of records that it has converted.
OWN = {"convert/mark", "result/missing"}
#: Codes of documents that have no whole record.
CUT = {"schema/missing-field", "syntax/binary", "syntax/empty", "syntax/truncated"}
#: Documents of which no part is an object, or a whole one.
NO_OBJECTS = {
    "formats/json/invalid/syntax.encoding~cut-in-a-character.json",
    "formats/json/invalid/syntax.json~no-value.json",
    "formats/yaml/invalid/syntax.too-deep~block-lists.yaml",
    "record/invalid/schema.type~record-is-a-text.yaml",
}
#: The folders with documents.
FOLDERS = sorted({name.rpartition("/")[0] for name in documents()})


def of_folder(folder: str) -> list[Case]:
    found = [case for case in manifest() if case["class"] == "validator" and case["file"]]
    return [case for case in found if case["file"].rpartition("/")[0] == folder]


def check(case: Case) -> None:
    assert document_case(case["file"]) | {"clause": case["clause"]} == case, "if that is right: python -m tests.suite"
    kind = case["file"].split("/")[-2]
    records = case["expect"]["records"]
    assert records
    if kind != "invalid":
        assert all(record["valid"] for record in records)
        assert any("warnings" in record for record in records) == (kind == "lenient")
    if kind in ("invalid", "lenient"):
        first = expected(FIXTURES / case["file"]).code
        key = "codes" if kind == "invalid" else "warnings"
        assert next(record[key] for record in records if record.get(key))[0] == first


@pytest.mark.parametrize("folder", FOLDERS)
def test_documents(folder: str) -> None:
    try_all(check, of_folder(folder), ids=lambda case: case["file"])


def test_yaml_without_the_compiled_parser() -> None:
    """Browsers have only the parser in Python."""
    program = "import sys; sys.modules['yaml._yaml'] = None; from hexrec.__main__ import main; main()"
    command = [sys.executable, "-c", program, "validate", "--format", "json", "formats/yaml"]
    ran = subprocess.run(command, capture_output=True, cwd=FIXTURES, check=False)
    found: dict[str, list[Any]] = {}
    for record in json.loads(ran.stdout)["records"]:
        errors = [part["code"] for part in record["diagnostics"] if part["severity"] == "error"]
        found.setdefault(record["file"], []).append((record["valid"], record["result"], errors))
    assert found == {
        case["file"]: [(record["valid"], record["result"], record["codes"]) for record in case["expect"]["records"]]
        for folder in ("formats/yaml/invalid", "formats/yaml/valid")
        for case in of_folder(folder)
    }


def test_nothing_but_its_error_makes_a_document_invalid() -> None:
    """A validator that allows the error would else refuse the document for fields that are missing."""
    for case in manifest():
        if case["class"] != "validator" or case["format"] not in ("json", "jsonl", "yaml") or not case["file"]:
            continue
        codes = {code for record in case["expect"]["records"] for code in record["codes"]}
        if case["file"].startswith("formats/abstractplay") or not codes - CUT or case["file"] in NO_OBJECTS:
            continue
        text = (FIXTURES / case["file"]).read_bytes().replace(b"\0", b"")  # of UTF-16
        assert [name for name in (b"hexrec", b"game", b"size", b"moves") if name not in text] == [], case["file"]


def test_every_document_is_in_the_manifest() -> None:
    listed = [case["file"] for case in manifest() if case["class"] == "validator" and case["file"]]
    assert listed == list(documents()), "python -m tests.suite adds new ones"
    ids = [case["id"] for case in manifest()]
    assert len(ids) == len({*ids})


@pytest.mark.slow
def test_conversions_and_questions() -> None:
    for case in (*conversions(), *engine_cases()):
        listed = next(known for known in manifest() if known["id"] == case["id"])
        assert case | {"clause": listed["clause"]} == listed


def test_every_requirement_has_a_case() -> None:
    tested = {case["clause"] for case in manifest()}
    assert tested <= {number for number, _ in clauses()}
    assert [number for number in requirements() if number not in tested] == []


def test_a_requirement_without_a_document_names_its_test() -> None:
    for case in manifest():
        if case["file"] is None:
            assert (FIXTURES.parent.parent / case["expect"]["test"]).is_file()


def test_every_code_is_in_the_suite() -> None:
    """But those that take a hundred errors, a file of 8 MiB, or a file that cannot be opened."""
    shown = set(re.findall(r'"([a-z]+/[a-z-]+)"', json.dumps([case["expect"] for case in manifest()])))
    wanted = {code for code in all_codes() - NOT_IN_FILES - OWN if code.startswith(STAGES)}
    assert wanted - shown == set()


def test_the_package_has_the_version_of_the_program() -> None:
    assert json.loads((FIXTURES / "package.json").read_text(encoding="utf-8"))["version"] == __version__
