from __future__ import annotations

import json
import os
import re
import subprocess
from collections import Counter
from dataclasses import replace
from pathlib import Path
from shutil import which
from typing import Any

import pytest

import hexrec as library
from hexrec import __version__
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.report import Report
from tests.cli.conftest import Run
from tests.output.conftest import NASTY, OCCUPIED, report, written
from tests.properties import sample

FIXTURES = Path(__file__).parent.parent.parent / "fixtures/suite"
#: Microsoft's reader of SARIF; `.ci/run` says how to get it.
MULTITOOL = os.environ.get("SARIF_MULTITOOL") or which("sarif-multitool")
needs_multitool = pytest.mark.skipif(not MULTITOOL, reason="sarif-multitool is neither in SARIF_MULTITOOL nor on PATH")


def run_of(*of: Report) -> dict[str, Any]:
    log = json.loads(written("sarif", *of))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    return dict(run)


def fingerprints(*of: Report) -> list[str]:
    found = [result["partialFingerprints"] for result in run_of(*of)["results"]]
    assert all(prints["hexrecDiagnostic/v1"] == prints["primaryLocationLineHash"] for prints in found)
    return [prints["hexrecDiagnostic/v1"] for prints in found]


def test_rules() -> None:
    """Only the rules that occur, each once, and every result leads to its own."""
    null = replace(OCCUPIED, code="schema/null", severity="warning")
    run = run_of(report(OCCUPIED), report(null, index=1), report(OCCUPIED, index=2))
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"], driver.keys()) == ("hexrec", __version__, {"name", "version", "rules"})
    assert [rule["id"] for rule in driver["rules"]] == ["move/occupied", "schema/null"]
    assert [(result["ruleIndex"], result["level"]) for result in run["results"]] == [
        (0, "error"),
        (1, "warning"),
        (0, "error"),
    ]
    meaning = "A field is null (in YAML, it is also null when nothing follows the colon)."
    rule = "A field has a value or is left out (specification, section 4)."
    fix = "Leave the field out, or give it a value."
    assert driver["rules"][1] == {
        "id": "schema/null",
        "shortDescription": {"text": meaning},
        "fullDescription": {"text": rule},
        "help": {
            "text": f"{meaning}\n\nRule: {rule}\n\nTo fix it: {fix}",
            "markdown": f"{meaning}\n\n**Rule:** {rule}\n\n**To fix it:** {fix}",
        },
    }


def test_results_that_code_scanning_does_not_show(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "many.jsonl").write_text('{"hexrec": 1}\n' * 6_000)
    ran = hexrec("validate", "many.jsonl", "--suggest", "0", "-o", "x.sarif", "-o", "all.jsonl")
    found = sum(len(json.loads(line)["diagnostics"]) for line in Path("all.jsonl").read_text().splitlines())
    (run,) = json.loads(Path("x.sarif").read_text())["runs"]
    assert len(run["results"]) == 5_000 < found
    left_out = f"{found - 5_000:,} more diagnostics not in the SARIF report"
    note = f"{left_out} (code scanning shows 5,000): -o jsonl=FILE writes all"
    assert ran.err == f"hexrec: {note}\n"
    (invocation,) = run["invocations"]
    assert invocation["toolExecutionNotifications"] == [{"level": "warning", "message": {"text": note}}]


def test_category(hexrec: Run) -> None:
    file = FIXTURES / "frasvel" / "invalid" / "move.touches-higher.yaml"
    for name in ("games/old", "games/old/"):
        ran = hexrec("validate", file, "--sarif-category", name, "--format", "sarif")
        assert json.loads(ran.out)["runs"][0]["automationDetails"] == {"id": "games/old/"}
    # Programs that upload a report add a category of their own if it has none.
    assert "automationDetails" not in hexrec("validate", file, "--format", "sarif").out


def test_site(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXREC_SITE", "https://example.org/hexrec")
    assert run_of(report(OCCUPIED))["tool"]["driver"]["informationUri"] == "https://example.org/hexrec/"


def test_no_diagnostics() -> None:
    run = run_of(report())
    assert (run["results"], run["tool"]["driver"]["rules"]) == ([], [])


def test_moved_diagnostics_are_the_same() -> None:
    moved = replace(OCCUPIED, record=5, line=30, column=1, end_line=30, end_column=5, file="elsewhere.jsonl")
    located = replace(OCCUPIED, message="the brace of line 3, column 7 is not closed")
    shifted = replace(OCCUPIED, message="the brace of line 4, column 17 is not closed")
    assert fingerprints(report(OCCUPIED)) == fingerprints(report(moved, index=5))
    assert fingerprints(report(located)) == fingerprints(report(shifted))


@pytest.mark.parametrize(
    "other",
    [
        replace(OCCUPIED, code="move/off-board"),
        replace(OCCUPIED, id="G8"),
        replace(OCCUPIED, id=None),
        replace(OCCUPIED, pointer="/moves/4"),
        replace(OCCUPIED, turn="a2"),
        replace(OCCUPIED, message="a1 is occupied by an enemy stone"),
    ],
    ids=lambda other: f"{other.code}-{other.id}-{other.pointer}-{other.turn}-{other.message[-11:]}",
)
def test_other_diagnostics_are_others(other: Diagnostic) -> None:
    first, second = fingerprints(report(OCCUPIED, other))
    assert first != second
    assert [first[-2:], second[-2:]] == [":1", ":1"]


def test_equal_diagnostics_of_a_file_are_counted() -> None:
    second = replace(OCCUPIED, record=2, line=4, end_line=4)
    found = fingerprints(report(OCCUPIED), report(second, index=1), report(OCCUPIED, file="other.jsonl"))
    assert [each[-2:] for each in found] == [":1", ":2", ":1"]
    assert len({each[:-2] for each in found}) == 1


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("./a/../b#c?.json", "a/../b%23c%3F.json"),
        ("ä 100%:.json", "%C3%A4%20100%25%3A.json"),
        ("/elsewhere/a b.json", "file:///elsewhere/a%20b.json"),
        ("s3://bucket/a b.json", "s3://bucket/a%20b.json"),
        ("{here}/a/b.json", "a/b.json"),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="paths of another system")
def test_uri(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, uri: str) -> None:
    monkeypatch.chdir(tmp_path)
    (result,) = run_of(report(replace(OCCUPIED, file=file.format(here=tmp_path))))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": uri}


def test_standard_input_has_no_artifact() -> None:
    of = report(replace(OCCUPIED, file="-"), replace(OCCUPIED, file="-", pointer=""))
    first, second = run_of(of)["results"]
    assert first["locations"] == [{"logicalLocations": [{"fullyQualifiedName": "/moves/2", "kind": "value"}]}]
    assert "locations" not in second


def complaints(log: Path) -> list[Counter[tuple[str, str]]]:
    """Return rule and level of what Microsoft's validator says about each run of a log. It is slow to read a file."""
    said = log.with_suffix(".said")
    command = [str(MULTITOOL), "validate", str(log), "--output", str(said), "--log", "ForceOverwrite"]
    subprocess.run(command, capture_output=True, check=False)
    found: list[Counter[tuple[str, str]]] = [Counter() for _ in json.loads(log.read_text(encoding="utf-8"))["runs"]]
    for result in json.loads(said.read_text(encoding="utf-8-sig"))["runs"][0]["results"]:
        (number,) = re.findall(r"^runs\[(\d+)\]", result["message"]["arguments"][0])
        found[int(number)][result["ruleId"], result.get("level", "warning")] += 1
    return found


@pytest.mark.slow
@needs_multitool
def test_microsoft_agrees(hexrec: Run, tmp_path: Path) -> None:
    odd = replace(OCCUPIED, file="ä 100%:#?.json", message=NASTY, id="\n\x00", turn=NASTY)
    wrong = written("sarif", report(OCCUPIED)).replace('"ruleIndex": 0', '"ruleIndex": 7')
    logs = [with_fixtures(hexrec, tmp_path), json.loads(written("sarif", report(odd)))]
    logs += [with_suggestions(hexrec, tmp_path), json.loads(wrong)]
    log = tmp_path / "all.sarif"
    log.write_text(json.dumps({**logs[0], "runs": [run for each in logs for run in each["runs"]]}), encoding="utf-8")
    fixtures, odd_names, suggestions, mistaken = complaints(log)
    # The project has no page of its own yet (2005), and what cannot be read has no line (2017).
    assert fixtures == {("SARIF2005", "warning"): 1, ("SARIF2017", "warning"): 1}
    assert odd_names == suggestions == {("SARIF2005", "warning"): 1}
    assert any(level == "error" for _, level in mistaken)


def with_fixtures(hexrec: Run, folder: Path) -> Any:
    """Return a log with a result of some rules, in a session of each: the validator takes its time for each."""
    folders = FIXTURES.parent / "codes" / "json", FIXTURES / "formats"
    log = folder / "fixtures.sarif"
    assert hexrec("validate", *folders, folder / "missing.json", "--suggest", "20", "-o", log).code == 2
    found = json.loads(log.read_text(encoding="utf-8"))
    (run,) = found["runs"]
    by_rule = {result["ruleId"]: result for result in run["results"]}
    assert len(by_rule) > 100
    run["results"] = [by_rule.pop("syntax/unreadable"), *sample(by_rule.values(), 5)]
    return found


def with_suggestions(hexrec: Run, tmp_path: Path) -> Any:
    """Return a log with results of characters replaced, a turn removed and inserted, a key renamed, a field added."""
    folder, log = tmp_path / "suggestions", tmp_path / "suggestions.sarif"
    folder.mkdir()
    line = (FIXTURES / "nadraz" / "reference" / "games.jsonl").read_text(encoding="utf-8").splitlines()[0]
    record = json.loads(line)
    moves = record["moves"]
    skew = library.dumps(library.loads(line), coordinates="skew")
    wrong = [
        {**record, "moves": [*moves[:6], "c4-c8", *moves[7:]]},
        {**record, "moves": [*moves[:9], "f4", *moves[9:]]},
        {**record, "moves": moves[:-1]},
        {**record, "evnet": "Open"},
        {name: value for name, value in json.loads(skew).items() if name != "coordinates"},
    ]
    (folder / "a ä.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in wrong))
    for number, each in enumerate(wrong):
        lines = [f"{name}: {json.dumps(value)}\n" for name, value in each.items() if name != "moves"]
        turns = [f"- {turn}\n" for turn in each["moves"]]
        (folder / f"{number}.yaml").write_text("".join([*lines, "moves:\n", *turns]))
    assert hexrec("validate", folder, "-o", log).code == 1
    found = json.loads(log.read_text(encoding="utf-8"))
    assert [len(result["fixes"]) > 0 for result in found["runs"][0]["results"]] == [True] * 2 * len(wrong)
    return found
