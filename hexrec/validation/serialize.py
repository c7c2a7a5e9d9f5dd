"""Reports as plain data: what is kept of a verdict between runs, or sent from one process to another."""

from __future__ import annotations

from dataclasses import asdict
from sys import intern
from typing import Any

from hexrec.diagnostics import Diagnostic, Excerpt
from hexrec.games import Outcome
from hexrec.record import read_record
from hexrec.validation.report import LintKey, Report


def pack(report: Report) -> dict[str, Any]:
    """Return a report as data that JSON can hold, without the name of its file and its index there.

    The record is kept only where a diagnostic, be it a later one, may refer to it; the document is not.
    """
    data: dict[str, Any] = {
        "plies": report.plies,
        "game": report.game,
        "id": report.id,
        "result": report.result and report.result.as_data(),
        "diagnostics": [_packed(diagnostic) for diagnostic in report.diagnostics],
    }
    if report.lint_key is not None:
        digest, image, place = report.lint_key
        data["lint_key"] = digest.hex(), image, _packed(place)
    if (report.diagnostics or report.lint_key) and report.record is not None:
        data["record"] = report.record.model_dump(exclude_unset=True)
    return data


def unpack(data: dict[str, Any], file: str | None, index: int | None) -> Report:
    """Return the report that was packed, on a record of a file."""
    rest = dict(data)
    record = rest.pop("record", None)
    key = rest.pop("lint_key", None)
    result = rest.pop("result")
    return Report(
        diagnostics=tuple(_unpacked(diagnostic, file) for diagnostic in rest.pop("diagnostics")),
        result=result and Outcome(**result),
        game_record=record and read_record(record, turns_unchecked=True),
        lint_key=key and LintKey(bytes.fromhex(key[0]), key[1], _unpacked(key[2], file)),
        file=file,
        index=index,
        **rest,
    )


def _packed(diagnostic: Diagnostic) -> dict[str, Any]:
    # Very many records of a file may have the same error: its message is held once.
    diagnostic = diagnostic.at(message=intern(diagnostic.message))
    return {name: value for name, value in asdict(diagnostic).items() if value is not None and name != "file"}


def _unpacked(data: dict[str, Any], file: str | None) -> Diagnostic:
    excerpt = data.get("source_line")
    return Diagnostic(**{**data, "source_line": excerpt and Excerpt(*excerpt)}, file=file)
