"""Reports against the schemas of the programs that read them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest

from tests.cli.conftest import Run
from tests.output.conftest import written
from tests.output.test_whole_outputs import reports

ROOT = Path(__file__).parents[2]
SCHEMAS = ROOT / "fixtures" / "report-schemas"
RDF = json.loads((SCHEMAS / "rdf-DiagnosticResult.json").read_text(encoding="utf-8"))
#: What GitLab's page on code quality reports requires.
GITLAB = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "properties": {
            "description": {"type": "string", "minLength": 1},
            "check_name": {"type": "string", "minLength": 1},
            "fingerprint": {"type": "string", "minLength": 1},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": r"^(?!\./).+"},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {name: {"type": "integer", "minimum": 1} for name in ("begin", "end")},
                    },
                },
            },
        },
    },
}
XS = "{http://www.w3.org/2001/XMLSchema}"


def close(schema: Any) -> Any:
    """Return a schema without other properties: those of reviewdog allow any, and notice no misspelt key."""
    if isinstance(schema, list):
        return [close(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: close(part) for key, part in schema.items()}
    return closed | ({"additionalProperties": False} if "properties" in schema else {})


def assert_jenkins_reads(text: str) -> None:
    """Check elements and attributes against the declarations of the schema, which are all at its top level."""
    schema = ElementTree.parse(SCHEMAS / "junit-10.xsd").getroot()
    declared = {element.get("name"): element for element in schema.findall(f"{XS}element")}
    for parent in ElementTree.fromstring(text).iter():
        declaration = declared[parent.tag]
        attributes = {attribute.get("name"): attribute for attribute in declaration.iter(f"{XS}attribute")}
        required = {name for name, attribute in attributes.items() if attribute.get("use") == "required"}
        assert required <= parent.attrib.keys() <= attributes.keys(), parent.tag
        children = {element.get("ref") for element in declaration.iter(f"{XS}element")}
        assert {child.tag for child in parent} <= children, parent.tag


def assert_schema(name: str, text: str) -> None:
    """Check a report against the schema of its format."""
    if name == "junit":
        assert_jenkins_reads(text)
    elif name == "gitlab":
        issues = json.loads(text)
        jsonschema.validate(issues, GITLAB)
        assert len({issue["fingerprint"] for issue in issues}) == len(issues)
    elif name == "rdjson":
        jsonschema.validate(json.loads(text), close(RDF))
    else:
        for line in text.splitlines():
            jsonschema.validate(json.loads(line), close({**RDF, "$ref": "#/definitions/reviewdog.rdf.Diagnostic"}))


def test_reviewdog_counts_bytes(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Places and suggestions are those of the bytes of the file."""
    monkeypatch.chdir(tmp_path)
    record = '{{"hexrec": "1", "event": "Zürich \U0001d11e", "game": "sunspot", "size": 4, "moves": ["d4", "{}"]}}'
    text = "\ufeff" + "\n".join(record.format(turn) for turn in ("d5", "d44", "d45")) + "\n"
    Path("a.jsonl").write_bytes(text.encode())
    Path("b.jsonl.gz").write_bytes(gzip.compress(text.encode()))
    found = hexrec("validate", "a.jsonl", "b.jsonl.gz", "--format", "rdjson").report["diagnostics"]
    assert [(each["location"]["path"], each["location"]["range"]["start"]["line"]) for each in found] == [
        (name, line) for name in ("a.jsonl", "b.jsonl.gz") for line in (2, 3)
    ]
    lines = Path("a.jsonl").read_bytes().splitlines()
    for each, turn in zip(found, (b"d44", b"d45"), strict=False):
        start, end = each["location"]["range"].values()
        assert lines[start["line"] - 1][start["column"] - 1 : end["column"] - 1] in (turn, b'"%s"' % turn)
        suggestion = each["suggestions"][0]
        start, end = suggestion["range"].values()
        line = lines[start["line"] - 1]
        repaired = line[: start["column"] - 1] + suggestion["text"].encode() + line[end["column"] - 1 :]
        assert hexrec("validate", "-", "--from", "jsonl", stdin=repaired).code == 0
    assert all("column" not in each["location"]["range"]["start"] and "suggestions" not in each for each in found[2:])


@pytest.mark.parametrize("name", ["gitlab", "rdjson", "rdjsonl", "junit"])
def test_schema(hexrec: Run, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert_schema(name, written(name))
    assert_schema(name, written(name, *reports()))
    monkeypatch.setenv("HEXREC_SITE", "https://example.org/")
    ran = hexrec("validate", ROOT / "fixtures" / "suite" / "nadraz" / "invalid", "missing.json", "--format", name)
    assert (ran.code, len(ran.out) > 10_000) == (2, True)
    assert_schema(name, ran.out)
