"""The same bytes whatever the hash seed, the time zone, the locale, the working folder, the number of processes, and
with compiled rules or interpreted ones. The workflow on GitHub compares versions of Python.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).with_name("outputs.py")
FIXTURES = SCRIPT.parent.parent.parent / "fixtures/suite"
#: `nox -s determinism` sets it to 1 and tries each change alone; the usual run tries all at once on fewer records.
STEP = int(os.environ.get("HEXREC_DETERMINISM_STEP", "40"))
USUAL = {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C.UTF-8", "HEXREC_PURE": ""}
CHANGES = {
    "hash seed": {"PYTHONHASHSEED": "4711"},
    "time zone": {"TZ": "Pacific/Kiritimati"},
    "locale C": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "locale of Turkey": {"LC_ALL": "tr_TR.UTF-8", "LANGUAGE": "tr"},
    "interpreted rules": {"HEXREC_PURE": "1"},
    "processes": {"JOBS": "2"},
    "working folder": {"TMPDIR": "another place, ö"},
}


def digests(folder: Path, changed: dict[str, str]) -> dict[str, Any]:
    """Run the script in an environment; its working folder is made in the one for temporary files."""
    environment = {**os.environ, **USUAL, "TMPDIR": "here", **changed}
    place = folder / environment["TMPDIR"]
    place.mkdir(exist_ok=True)
    program = [sys.executable, str(SCRIPT), str(FIXTURES), environment.pop("JOBS", "1"), str(STEP)]
    ran = subprocess.run(program, capture_output=True, check=True, env={**environment, "TMPDIR": str(place)})
    return dict(json.loads(ran.stdout))


@pytest.mark.slow
def test_the_same_bytes(tmp_path: Path) -> None:
    usual = digests(tmp_path, {})
    assert len(usual) > 500 / STEP
    everything = {name: value for change in CHANGES.values() for name, value in change.items()}
    for change in CHANGES.values() if STEP == 1 else [everything]:
        changed = digests(tmp_path, change)
        assert {name for name in usual | changed if usual.get(name) != changed.get(name)} == set(), change
