"""The report for code scanning: SARIF 2.1.0, the findings as results, their codes as rules."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Any, TextIO

from hexrec._version import __version__
from hexrec.check import Report
from hexrec.check.code_page import sections
from hexrec.check.summary import Summary
from hexrec.diagnostics import Diagnostic
from hexrec.reporters.paths import uri
from hexrec.reporters.text import statement

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_REGION = {"startLine": "line", "startColumn": "column", "endLine": "end_line", "endColumn": "end_column"}
_PROPERTIES = {"record": "record", "id": "id", "ply": "ply", "turn": "turn"}
_PLACE = re.compile(r"\b(line|column) \d+")


def write(reports: Iterable[Report], _: Summary, out: TextIO) -> Iterator[Report]:
    """Write the results as they come, and after them the rules that occurred."""
    head = {"$schema": _SCHEMA, "version": "2.1.0"}
    out.write(f'{_text(head)[:-1]},\n "runs": [{{"columnKind": "unicodeCodePoints",\n "results": [')
    rules: dict[str, int] = {}
    seen: Counter[bytes] = Counter()
    lead = "\n"
    for report in reports:
        if report.index == 0:
            seen.clear()
        for finding in report.diagnostics:
            same = _identity(finding)
            seen[same] += 1
            index = rules.setdefault(finding.code, len(rules))
            out.write(f"{lead}  {_text(_result(finding, index, f'{same.hex()}:{seen[same]}'))}")
            lead = ",\n"
        yield report
    driver = {"name": "hexrec", "version": __version__, "rules": _rules(rules)}
    out.write(f'],\n "tool": {_text({"driver": driver})}}}]}}\n')


def _identity(finding: Diagnostic) -> bytes:
    """Return what makes two findings of a file the same one, in two runs between which it was edited.

    That is what was found and where in the record, not where the record stands: neither its index nor lines, which
    move when others are added. Findings equal in all this are told apart by counting them.
    """
    message = _PLACE.sub(r"\1", finding.message)
    parts = (finding.code, finding.id, finding.pointer, finding.turn, message)
    return sha256(json.dumps(parts).encode()).digest()[:16]


def _result(finding: Diagnostic, rule: int, fingerprint: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": {"text": statement(finding)},
    }
    if location := _location(finding):
        result["locations"] = [location]
    # Code scanning compares the second alone, and would else take a hash of the line, which in JSON Lines changes with
    # any field of the record.
    result["partialFingerprints"] = {"hexrecFinding/v1": fingerprint, "primaryLocationLineHash": fingerprint}
    if properties := _known(finding, _PROPERTIES):
        result["properties"] = properties
    return result


def _location(finding: Diagnostic) -> dict[str, Any]:
    location: dict[str, Any] = {}
    if (artifact := uri(finding.file)) is not None:
        location["physicalLocation"] = {"artifactLocation": {"uri": artifact}}
        if finding.line is not None:
            location["physicalLocation"]["region"] = _known(finding, _REGION)
    if finding.pointer:
        location["logicalLocations"] = [{"fullyQualifiedName": finding.pointer, "kind": "value"}]
    return location


def _known(finding: Diagnostic, names: dict[str, str]) -> dict[str, Any]:
    return {ours: value for ours, name in names.items() if (value := getattr(finding, name)) is not None}


def _rules(codes: Iterable[str]) -> list[dict[str, Any]]:
    explained = {code: text for _, texts in sections() for code, text in texts.items()}
    rules = []
    for code in codes:
        about = explained[code]
        rules.append(
            {
                "id": code,
                "shortDescription": {"text": about.meaning},
                "fullDescription": {"text": about.rule},
                "help": {
                    "text": f"{about.meaning}\n\nRule: {about.rule}\n\nTo mend it: {about.mend}",
                    "markdown": f"{about.meaning}\n\n**Rule:** {about.rule}\n\n**To mend it:** {about.mend}",
                },
            }
        )
    return rules


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
