"""The suite of test cases for other implementations, in `fixtures/suite`: what its manifest has, and how it is made.

`python -m tests.suite` adds the files that the manifest lacks, and writes what is expected of all files; read the diff.
The clause of a file that is there already is kept: correct it by hand.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from hexrec import formats
from hexrec.formats.base import LossError
from hexrec.io.discovery import Discovery, Source
from hexrec.record.canonical import canonical_form
from hexrec.record.canonical_bytes import canonical_bytes, record_hash
from hexrec.record.identity import hash_legal
from hexrec.record.record import Record
from hexrec.record.validation import RecordError, read_record
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.report import Report
from hexrec.validation.sources import check_sources
from tests.fixtures import FIXTURES, MANIFEST
from tests.suite.clauses import ELSEWHERE, clause_of

#: A line of the manifest.
Case = dict[str, Any]
#: The formats that records are converted to, and the files that are converted.
_TARGETS = ("sgf", "hgn", "abstractplay")
_CONVERTED = ("record/valid/*", "*/valid/all-fields.yaml", "formats/json/valid/escapes.json")


@cache
def manifest() -> list[Case]:
    """Return the lines of the manifest."""
    return [json.loads(line) for line in MANIFEST.read_text(encoding="utf-8").splitlines()]


def documents() -> Iterator[str]:
    """Yield the names of the files with documents."""
    for path in sorted(FIXTURES.rglob("*")):
        name = path.relative_to(FIXTURES).as_posix()
        if path.is_file() and "/" in name and not name.startswith("engine/") and not path.name.endswith("legal.jsonl"):
            yield name


def cases() -> Iterator[Case]:
    """Yield the lines that the manifest should have, with the clauses that it has."""
    known = {case["id"]: case["clause"] for case in manifest()} if MANIFEST.exists() else {}
    for case in (*map(document_case, documents()), *conversions(), *engine_cases(), *ELSEWHERE):
        yield {**case, "clause": known.get(case["id"], case["clause"])}


def document_case(name: str) -> Case:
    """Return the case of a file."""
    (source,) = (source for source in Discovery([str(FIXTURES / name)]) if isinstance(source, Source))
    with source.open() as stream:
        format, _ = formats.recognize_dialect(*source.recognize(stream))
    if name.startswith("formats/abstractplay/") or "-of-abstract-play" in name:
        format = "abstractplay"
    reports = list(check_sources([source]))
    expected = [expected_of(report, in_full="/reference/" not in name) for report in reports]
    codes = [*reports[0].errors, *reports[0].diagnostics]
    clause = clause_of(name, format, codes[0].code if codes else "")
    return case(name, clause, "validator", format, name, {"records": expected})


def case(id: str, clause: str, kind: str, format: str | None, file: str | None, expect: Any) -> Case:
    return {"id": id, "clause": clause, "class": kind, "format": format, "file": file, "expect": expect}


def expected_of(report: Report, *, in_full: bool) -> dict[str, Any]:
    """Return what is expected of a record; `in_full` with its canonical bytes and hashes."""
    expected: dict[str, Any] = {"valid": report.valid, "result": report.result and report.result.as_data()}
    warnings = [diagnostic for diagnostic in report.diagnostics if diagnostic.severity == "warning"]
    expected["codes"] = [error.code for error in report.errors]
    if report.errors:
        expected["places"] = [place(error) for error in report.errors]
    if warnings:
        expected["warnings"] = [warning.code for warning in warnings]
        expected["warning_places"] = [place(warning) for warning in warnings]
    record = report.record
    if record is not None and report.valid:
        if in_full:
            expected |= identity(record)
        expected["game_hash"] = hash_legal(record)
        if in_full:
            expected["symmetric_hash"] = hash_legal(record, symmetric=True)
    return expected


def place(diagnostic: Diagnostic) -> list[Any]:
    """Return line, column and JSON Pointer of a diagnostic."""
    return [diagnostic.line, diagnostic.column, diagnostic.pointer]


def identity(record: Record) -> dict[str, Any]:
    """Return the canonical bytes of a record, as text, and their hash; null if it has none."""
    try:
        return {"canonical": canonical_bytes(record).decode(), "record_hash": record_hash(record)}
    except RecordError:
        return {"canonical": None, "record_hash": None}


def conversions() -> Iterator[Case]:
    """Yield the cases of conversions: the losses, and the canonical bytes of the record that is read again."""
    for name in sorted({path for pattern in _CONVERTED for path in FIXTURES.glob(pattern)}):
        file = name.relative_to(FIXTURES).as_posix()
        (source,) = (source for source in Discovery([str(name)]) if isinstance(source, Source))
        reports = list(check_sources([source]))
        for target in _TARGETS:
            found = [converted(report.record, target) for report in reports if report.record is not None]
            clause = "15.1" if target == "abstractplay" else "4.5" if file == "record/valid/all-fields.yaml" else "15.2"
            expect = {"to": target, "records": found}
            yield case(f"{file} to {target}", clause, "writer", source.format, file, expect)


def converted(record: Record, target: str) -> dict[str, Any]:
    """Return the losses of a conversion, and the canonical bytes of the record that is read again."""
    format, lost = formats.get(target), list[Diagnostic]()
    try:
        text = "".join(format.write([canonical_form(record)], lost.append))
    except (RecordError, LossError) as refused:
        return {"refused": refused.diagnostics[0].code if isinstance(refused, RecordError) else "convert/lost"}
    again = read_back(target, text)
    return {"lost": sorted(loss.pointer or "" for loss in lost), "canonical": canonical_bytes(again).decode()}


def read_back(target: str, text: str) -> Record:
    """Return the record in a text."""
    from io import BytesIO

    (document,) = formats.get(target).read(BytesIO(text.encode()))
    return read_record(document.data, turns_unchecked=True)


def engine_cases() -> Iterator[Case]:
    """Yield the cases of the questions to engines: the numbers of their lines."""
    files = [*sorted(FIXTURES.glob("engine/*.jsonl")), *sorted(FIXTURES.glob("*/reference/*legal.jsonl"))]
    for path in files:
        name = path.relative_to(FIXTURES).as_posix()
        lines = path.read_text(encoding="utf-8").count("\n")
        clause = {"engine/records.jsonl": "14.1", "engine/verdicts.jsonl": "14.2"}.get(name, "20.4")
        yield case(name, "2.4" if name == "engine/perft.jsonl" else clause, "engine", "jsonl", name, {"lines": lines})
