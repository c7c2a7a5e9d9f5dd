"""A validator written from the specification agrees with the suite; one that is wrong is reported."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from hexrec.conformance.documents import cases
from hexrec.web.__main__ import write
from tests.cli import conftest
from tests.cli.conftest import Run
from tests.fixtures import FIXTURES
from tests.processes import PATIENCE

hexrec = conftest.hexrec

ROOT = FIXTURES.parent.parent
MODULES = Path(os.environ.get("NODE_MODULES") or ROOT / ".ci/npm/node_modules")
VALIDATOR = Path(__file__).with_name("validator.mjs")
#: A validator that answers every request with a text, and `hello` with another.
SCRIPT = "import sys; input(); print(sys.argv[1], flush=True)\nfor line in sys.stdin: print(sys.argv[2], flush=True)"
HELLO = {"protocol": 1, "name": "stub", "classes": ["validator"], "formats": ["jsonl"]}


@pytest.mark.skipif(not (shutil.which("node") and (MODULES / "ajv").is_dir()), reason="there is no Node with Ajv")
@pytest.mark.slow
def test_the_validator_in_javascript(hexrec: Run, tmp_path: Path) -> None:
    write(tmp_path)
    schema = ROOT / "schemas/record.schema.json"
    ran = hexrec("conformance", "--documents", "--timeout", PATIENCE, "node", VALIDATOR, tmp_path, MODULES, schema)
    assert (ran.code, ran.out) == (0, "")
    count = sum(case["format"] in ("json", "jsonl", "yaml") for case in cases())
    assert ran.err == f"{count} documents with a validator in JavaScript: {count} agree, 0 do not\n"


def ask(hexrec: Run, hello: object, answer: object, *options: str) -> conftest.Ran:
    program = (sys.executable, "-c", SCRIPT, json.dumps(hello), json.dumps(answer))
    return hexrec("conformance", "--documents", "--timeout", PATIENCE, *options, *program)


def test_wrong_answers_are_reported(hexrec: Run) -> None:
    ran = ask(hexrec, HELLO, {"records": [{"valid": True}]}, "--format", "json")
    assert ran.code == 1
    report = json.loads(ran.out)
    known = [case for case in cases() if case["format"] == "jsonl"]
    assert report["summary"]["cases"] == len(known)
    wrong = {answer["id"]: answer for answer in report["wrong"]}
    for case in known:
        expected = case["expect"]["records"]
        right = len(expected) == 1 and expected[0]["valid"] and expected[0]["result"] is None
        assert (case["id"] not in wrong) == right
        if not right:
            assert wrong[case["id"]]["clause"] == case["clause"]
            assert wrong[case["id"]]["expected"] == expected


def test_codes_are_compared_if_they_are_declared(hexrec: Run) -> None:
    only = ("--only", "formats/jsonl/invalid/syntax.duplicate-key.jsonl")
    case = next(case for case in cases() if case["id"] == only[1])
    records = [{name: record[name] for name in ("valid", "result", "codes")} for record in case["expect"]["records"]]
    assert ask(hexrec, {**HELLO, "codes": True}, {"records": records}, *only).code == 0
    records = [{**record, "codes": []} for record in records]
    assert ask(hexrec, HELLO, {"records": records}, *only).code == 0
    ran = ask(hexrec, {**HELLO, "codes": True}, {"records": records}, *only)
    assert (ran.code, "codes of record" in ran.out) == (1, True)


@pytest.mark.parametrize(
    "hello", [{**HELLO, "classes": ["engine"]}, {**HELLO, "formats": []}, {"protocol": 1, "name": "x"}]
)
def test_a_program_that_is_no_validator_is_refused(hexrec: Run, hello: object) -> None:
    ran = ask(hexrec, hello, {})
    assert (ran.code, "did not introduce itself as a validator" in ran.err) == (2, True)
