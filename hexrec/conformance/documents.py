"""Comparison of a program that validates documents with the suite, case by case."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hexrec.conformance import suite_folder
from hexrec.conformance.engine import Engine, EngineFailure, Session

#: Members of an answer for a valid record that are compared if they are given.
_OPTIONAL = ("canonical", "record_hash", "game_hash", "symmetric_hash")


@dataclass(frozen=True)
class WrongAnswer:
    """A case in which a program differs from the suite.

    Attributes:
        id: the id of the case.
        clause: the clause of the specification.
        file: the file of the document, in the directory of the suite.
        message: the difference in words.
        expected: the expected records.
        got: the answer; None if the program failed.
    """

    id: str
    clause: str
    file: str
    message: str
    expected: list[dict[str, Any]]
    got: Mapping[str, Any] | None


def cases() -> Iterator[dict[str, Any]]:
    """Yield the cases of the suite for validators."""
    for line in (suite_folder() / "manifest.jsonl").read_bytes().splitlines():
        case: dict[str, Any] = json.loads(line)
        if case["class"] == "validator" and case["file"] is not None:
            yield case


class DocumentComparison(Session):
    """Asks a program about the documents of the suite in the formats that it reads: a request for each case."""

    def __init__(self, launch: Callable[[], Engine], running: Engine) -> None:
        super().__init__(launch, running)
        self._formats, self._codes = running.formats, running.codes

    def run(self, only: str | None = None) -> Iterator[WrongAnswer]:
        """Yield the wrong answers to all cases, or to one."""
        for case in cases():
            if self.given_up:
                return
            if case["format"] in self._formats and only in (None, case["id"]):
                yield from self._check(case)

    def _check(self, case: Mapping[str, Any]) -> Iterator[WrongAnswer]:
        expected, answer = case["expect"]["records"], None
        data = b64encode((suite_folder() / case["file"]).read_bytes()).decode()
        try:
            answer = self.ask({"command": "document", "format": case["format"], "data": data})
            message = self._compare(expected, answer)
        except EngineFailure as failure:
            message = f"the program {failure}"
        if message is not None:
            yield WrongAnswer(case["id"], case["clause"], case["file"], message, expected, answer)

    def _compare(self, expected: list[dict[str, Any]], answer: Mapping[str, Any]) -> str | None:
        """Return the first difference of an answer, or None."""
        records = answer.get("records")
        if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
            return "the answer has no array of objects as records"
        if len(records) != len(expected):
            return f"the number of records differs: expected {len(expected)}, got {len(records)}"
        for index, (wanted, given) in enumerate(zip(expected, records, strict=True)):
            for name, right, got in self._members(wanted, given):
                if right != got:
                    return f"{name} of record {index} differs: expected {json.dumps(right)}, got {json.dumps(got)}"
        return None

    def _members(self, wanted: Mapping[str, Any], given: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
        """Yield name, expected and given value of the members to compare; codes in any order."""
        yield "valid", wanted["valid"], given.get("valid")
        if self._codes:
            codes = given.get("codes")
            yield "codes", sorted({*wanted["codes"]}), sorted({*codes}) if isinstance(codes, list) else codes
        if wanted["valid"]:
            yield "result", wanted["result"], given.get("result")
            yield from ((name, wanted[name], given[name]) for name in _OPTIONAL if name in given and name in wanted)
