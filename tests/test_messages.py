"""What hexrec says of every example file that is not valid, word for word: `fixtures/diagnostics.jsonl`.

`python -m tests.test_messages` writes the file. Read in its diff what a change makes users read.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable

import pytest

from hexrec.io.discovery import Discovery
from hexrec.tools.duplicates import Duplicates
from hexrec.validation.cache import pack
from hexrec.validation.sources import check_sources
from tests.fixtures import FIXTURES, files, without_games

ROOT = FIXTURES.parent.parent
KEPT = FIXTURES.parent / "diagnostics.jsonl"


PATHS = sorted(path.relative_to(ROOT).as_posix() for kind in ("invalid", "lint", "lenient") for path in files(kind))


def line(name: str) -> str:
    """Return everything that is known of the diagnostics in a file; to be called in the root folder.

    Messages that name files name them as they were found.
    """
    lint = "/lint/" in name
    reports = Duplicates().find(check_sources(Discovery([name]), lint=lint))
    diagnostics = [diagnostic for report in reports for diagnostic in pack(report)["diagnostics"]]
    return without_games(json.dumps({"file": name, "diagnostics": diagnostics}))


def folder(name: str) -> str:
    return name.split("/")[2]


@pytest.mark.parametrize("part", sorted(set(map(folder, PATHS))))
def test_every_word(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    lines = KEPT.read_text(encoding="utf-8").splitlines()
    kept = [kept for kept in lines if folder(json.loads(kept)["file"]) == part]
    found = [line(name) for name in PATHS if folder(name) == part]
    assert found == kept, "if that is as it should be: python -m tests.test_messages"


def write_messages(concerned: Callable[[str], bool]) -> None:
    """Write the lines of all files, anew if they are new or concerned; to be called in the root folder."""
    known = {json.loads(line)["file"]: line for line in KEPT.read_text(encoding="utf-8").splitlines()}
    lines = [line(name) if name not in known or concerned(name) else known[name] for name in PATHS]
    KEPT.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    os.chdir(ROOT)
    write_messages(lambda _: True)
