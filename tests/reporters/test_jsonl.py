from __future__ import annotations

import json

from tests.reporters.conftest import OCCUPIED, report, written


def test_a_line_for_every_record() -> None:
    of = report(), report(OCCUPIED, index=1, id="line\nbreak")
    lines = written("jsonl", *of).split("\n")
    assert lines.pop() == ""
    assert [json.loads(line) for line in lines] == json.loads(written("json", *of))["records"]
    assert [json.loads(line)["index"] for line in lines] == [0, 1]
    assert list(json.loads(lines[0])) == ["file", "index", "id", "game", "valid", "plies", "result", "diagnostics"]


def test_letters_are_written_as_they_are() -> None:
    assert '"id": "\u00e9"' in written("jsonl", report(id="\u00e9"))
