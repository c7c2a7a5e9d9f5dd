"""Print what it takes to refuse what is beyond each limit: seconds of a processor and megabytes, for README.md."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.limits.cases import CASES, measuring

_ROUNDS = 3

with measuring() as measure, tempfile.TemporaryDirectory() as folder:
    for number, (name, case) in enumerate(CASES.items()):
        inputs = Path(folder, str(number))
        inputs.mkdir()
        file = case.write(inputs)
        runs = [measure("validate", "--quiet", file) for _ in range(_ROUNDS)]
        seconds, room = min(run.seconds for run in runs), max(run.room for run in runs)
        print(f"{name:30} {case.limit:25} {seconds:5.2f} s {room * 1.024 / 1000:4.0f} MB")
