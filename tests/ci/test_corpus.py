"""The table of verdicts that two versions differ in."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.corpus import table, verdicts

LINE = {"file": "a.jsonl", "index": 0, "valid": True, "result": {"winner": "black"}, "diagnostics": []}


def test_changed_verdicts_are_listed() -> None:
    broken = {**LINE, "valid": False, "result": None, "diagnostics": [{"code": "move/occupied", "ply": 3}]}
    before = verdicts(json.dumps(line) for line in (LINE, {**LINE, "index": 1}))
    after = verdicts(json.dumps(line) for line in (broken, {**LINE, "index": 1}, {**LINE, "index": 2}))
    assert list(table(before, after)) == [
        "2 of 3 verdicts changed",
        "",
        "| record | before | after |",
        "|---|---|---|",
        "| a.jsonl:0 | valid, black winner, no diagnostics | invalid, no winner, move/occupied at ply 3 |",
        "| a.jsonl:2 | not read | valid, black winner, no diagnostics |",
    ]
    assert list(table(before, before)) == ["0 of 2 verdicts changed"]


def test_two_versions_are_run() -> None:
    program = [sys.executable, "-m", "tests.corpus", "--base", sys.executable, "fixtures/sunspot/reference"]
    root = Path(__file__).parent.parent.parent
    ran = subprocess.run(program, cwd=root, capture_output=True, text=True, check=True)
    assert ran.stdout.endswith(" verdicts changed\n")
    assert ran.stdout.startswith("0 of ")
