"""Report for code scanning: SARIF 2.1.0 with diagnostics as results and codes as rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TextIO

from hexrec import codes as code_registry
from hexrec.output import to_text
from hexrec.output.report_formats import Fingerprints, uri
from hexrec.rules.terms import pluralize
from hexrec.util.diagnostics import Code, Diagnostic, Edit, Suggestion
from hexrec.util.version import __version__
from hexrec.validation.report import Report, Summary

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_REGION = {"startLine": "line", "startColumn": "column", "endLine": "end_line", "endColumn": "end_column"}
_PROPERTIES = {"record": "record", "id": "id", "ply": "ply", "turn": "turn"}
#: The number of results that code scanning shows; it refuses a report with 25,000.
_MAX_RESULTS = 5_000


def write_sarif(
    reports: Iterable[Report], summary: Summary, out: TextIO, *, category: str | None = None
) -> Iterator[Report]:
    """Write the results up to the number that code scanning shows, then the rules that occurred.

    A category distinguishes reports on the same commit. Without one, the program that uploads the report chooses.
    """
    site = code_registry.site_address()  # raises for an invalid address before anything is written
    head = {"$schema": _SCHEMA, "version": "2.1.0"}
    run: dict[str, Any] = {"columnKind": "unicodeCodePoints"}
    if category:
        run["automationDetails"] = {"id": f"{category.rstrip('/')}/"}
    out.write(f'{to_text(head)[:-1]},\n "runs": [{to_text(run)[:-1]},\n "results": [')
    rules: dict[str, int] = {}
    fingerprints = Fingerprints()
    lead, count = "\n", 0
    for report in reports:
        for diagnostic, fingerprint in fingerprints.of_report(report):
            count += 1
            if count <= _MAX_RESULTS:
                index = rules.setdefault(diagnostic.code, len(rules))
                out.write(f"{lead}  {to_text(_result(diagnostic, index, fingerprint))}")
                lead = ",\n"
        yield report
    end: dict[str, Any] = {}
    if (more := count - _MAX_RESULTS) > 0:
        limit = f"code scanning shows {_MAX_RESULTS:,}"
        note = f"{pluralize(more, 'more diagnostic')} not in the SARIF report ({limit}): -o jsonl=FILE writes all"
        summary.notes.append(note)
        notification = {"level": "warning", "message": {"text": note}}
        end["invocations"] = [{"executionSuccessful": True, "toolExecutionNotifications": [notification]}]
    explained = [_rule(code, code_registry.explain_code(code, None)) for code in rules]
    address = {"informationUri": site} if site else {}
    end["tool"] = {"driver": {"name": "hexrec", "version": __version__, **address, "rules": explained}}
    out.write(f"],\n {to_text(end)[1:-1]}}}]}}\n")


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
