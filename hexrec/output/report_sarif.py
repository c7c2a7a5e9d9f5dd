"""Report for code scanning: SARIF 2.1.0 with diagnostics as results and codes as rules."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from hexrec import codes as code_registry
from hexrec.output import to_text
from hexrec.output.report_formats import uri
from hexrec.util.diagnostics import Code, Diagnostic, Edit, Suggestion
from hexrec.util.version import __version__
from hexrec.validation.report import Report, Summary

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_REGION = {"startLine": "line", "startColumn": "column", "endLine": "end_line", "endColumn": "end_column"}
_PROPERTIES = {"record": "record", "id": "id", "ply": "ply", "turn": "turn"}
_PLACE = re.compile(r"\b(line|column) \d+")


def write_sarif(reports: Iterable[Report], _: Summary, out: TextIO) -> Iterator[Report]:
    """Write the results, then the rules that occurred."""
    code_registry.given_site_address()  # raises for an invalid address before anything is written
    head = {"$schema": _SCHEMA, "version": "2.1.0"}
    out.write(f'{to_text(head)[:-1]},\n "runs": [{{"columnKind": "unicodeCodePoints",\n "results": [')
    rules: dict[str, int] = {}
    seen: Counter[bytes] = Counter()
    file, record, lead = None, 0, "\n"
    for report in reports:
        if report.file != file or (report.index or 0) <= record:
            seen.clear()
        file, record = report.file, report.index or 0
        for diagnostic in report.diagnostics:
            same = _identity(diagnostic)
            seen[same] += 1
            index = rules.setdefault(diagnostic.code, len(rules))
            result = _result(diagnostic, index, f"{same.hex()}:{seen[same]}")
            out.write(f"{lead}  {to_text(result)}")
            lead = ",\n"
        yield report
    explained = [_rule(code, code_registry.explain_code(code, None)) for code in rules]
    driver = {"name": "hexrec", "version": __version__, "rules": explained}
    out.write(f'],\n "tool": {to_text({"driver": driver})}}}]}}\n')


def _identity(diagnostic: Diagnostic) -> bytes:
    """Return a digest that identifies a diagnostic of a file across edits of the file.

    It covers the diagnostic and its place in the record. It does not cover the index and lines of the record, which
    change when other records are added. Diagnostics with the same digest are numbered.
    """
    from hashlib import sha256  # loads OpenSSL

    message = _PLACE.sub(r"\1", diagnostic.message)
    parts = (diagnostic.code, diagnostic.id, diagnostic.pointer, diagnostic.turn, message)
    return sha256(json.dumps(parts).encode()).digest()[:16]


def _result(diagnostic: Diagnostic, rule: int, fingerprint: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": diagnostic.severity,
        "message": {"text": diagnostic.statement},
    }
    if location := _location(diagnostic):
        result["locations"] = [location]
    if fixes := [fix for suggestion in diagnostic.suggestions if (fix := _fix(suggestion, diagnostic.file))]:
        result["fixes"] = fixes
    # Code scanning compares only the second fingerprint. Without it, code scanning would hash the line, which in JSON
    # Lines changes with any field of the record.
    result["partialFingerprints"] = {"hexrecDiagnostic/v1": fingerprint, "primaryLocationLineHash": fingerprint}
    # In a run, all results have suppressions, or none.
    note = f"ignored by {diagnostic.by}"
    suppression = {"kind": "external", "status": "accepted", "justification": note}
    result["suppressions"] = [suppression] if diagnostic.ignored else []
    if properties := _rename(diagnostic, _PROPERTIES):
        result["properties"] = properties
    return result


def _fix(suggestion: Suggestion, file: str | None) -> dict[str, Any] | None:
    """Return a suggestion as a fix; None if the place of an edit is unknown."""
    artifact = uri(file)
    if artifact is None or any(edit.line is None for edit in suggestion.edits):
        return None
    replacements = [
        {"deletedRegion": _rename(edit, _REGION), "insertedContent": {"text": edit.text}} for edit in suggestion.edits
    ]
    change = {"artifactLocation": {"uri": artifact}, "replacements": replacements}
    return {"description": {"text": suggestion.message}, "artifactChanges": [change]}


def _location(diagnostic: Diagnostic) -> dict[str, Any]:
    location: dict[str, Any] = {}
    if (artifact := uri(diagnostic.file)) is not None:
        location["physicalLocation"] = {"artifactLocation": {"uri": artifact}}
        if diagnostic.line is not None:
            location["physicalLocation"]["region"] = _rename(diagnostic, _REGION)
    if diagnostic.pointer:
        location["logicalLocations"] = [{"fullyQualifiedName": diagnostic.pointer, "kind": "value"}]
    return location


def _rename(place: Diagnostic | Edit, names: dict[str, str]) -> dict[str, Any]:
    return {theirs: value for theirs, name in names.items() if (value := getattr(place, name)) is not None}


def _rule(code: str, explained: Code) -> dict[str, Any]:
    page = code_registry.address(code)
    return {
        "id": code,
        **({"helpUri": page} if page else {}),
        "shortDescription": {"text": explained.meaning},
        "fullDescription": {"text": explained.rule},
        "help": {
            "text": f"{explained.meaning}\n\nRule: {explained.rule}\n\nTo fix it: {explained.fix}",
            "markdown": f"{explained.meaning}\n\n**Rule:** {explained.rule}\n\n**To fix it:** {explained.fix}",
        },
    }
