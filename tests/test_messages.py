"""What hexrec says of every example file that is not valid, word for word: `fixtures/diagnostics.jsonl`.

`python -m tests.test_messages` writes the file. Read in its diff what a change makes users read.
"""

from __future__ import annotations

import json
import os

import pytest

from hexrec.check import check_sources
from hexrec.check.lint import Lint
from hexrec.check.serialize import pack
from hexrec.dedup.duplicates import Duplicates
from hexrec.files.discovery import Discovery
from tests.fixtures import FIXTURES, files

ROOT = FIXTURES.parent
KEPT = FIXTURES / "diagnostics.jsonl"


def lines() -> list[str]:
    """Return a line for each file, with everything that is known of its diagnostics; to be called in the root folder.

    Messages that name files name them as they were found.
    """
    found = []
    for kind in ("invalid", "lint", "lenient"):
        for path in files(kind):
            name = path.relative_to(ROOT).as_posix()
            lint = Lint() if kind == "lint" else None
            reports = Duplicates().find(check_sources(Discovery([name]), lint=lint))
            diagnostics = [diagnostic for report in reports for diagnostic in pack(report)["diagnostics"]]
            found.append(json.dumps({"file": name, "diagnostics": diagnostics}, ensure_ascii=False))
    return sorted(found)


def test_every_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert lines() == KEPT.read_text(encoding="utf-8").splitlines()


if __name__ == "__main__":
    os.chdir(ROOT)
    KEPT.write_text("\n".join([*lines(), ""]), encoding="utf-8")
