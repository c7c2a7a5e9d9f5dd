"""The comparison of two versions on an archive: one of them plays by a changed ruling."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
#: Runs `python -P -m hexrec …` with engines that end no game.
OTHER_VERSION = f"""#!{sys.executable}
import os, sys
os.environ["HEXREC_PURE"] = "1"
from hexrec.rules import view
view.outcome_of = lambda game, grid: None
from hexrec.__main__ import main
sys.argv[1:4] = []
main()
"""


def compare(base: Path | str) -> list[str]:
    program = [
        sys.executable,
        "-m",
        "tests.corpus",
        "--base",
        str(base),
        "fixtures/suite/sunspot/reference/games.jsonl",
    ]
    ran = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=True)
    return ran.stdout.splitlines()


def test_records_with_another_report_are_listed(tmp_path: Path) -> None:
    other = tmp_path / "python"
    other.write_text(OTHER_VERSION)
    other.chmod(0o755)
    lines = compare(other)
    assert lines[0] == f"{len(lines) - 4} of 19 records have a different report"
    place = "fixtures/suite/sunspot/reference/games.jsonl:0"
    assert f"| {place} | invalid, no winner, result/not-over | valid, winner black |" in lines


def test_no_table_where_nothing_differs() -> None:
    assert compare(sys.executable) == ["0 of 19 records have a different report"]
