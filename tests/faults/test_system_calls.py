"""Files are the old ones or the new ones, whole, whichever system call fails or is the last one of a process.

`nox -s faults` tries all calls of all commands; here are those of some commands that change what is on the disk.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.system_calls import CHANGING, COMMANDS, Command, Fault, NoTracing, Tracer, Trial, tracer

QUICK = ("fmt, YAML", "score -o")


@pytest.fixture(scope="module")
def traced() -> Iterator[Tracer]:
    with tracer() as running:
        yield running


def trial(command: Command, traced: Tracer, folder: Path) -> Trial:
    try:
        return Trial(command, traced, folder)
    except NoTracing as reason:
        pytest.skip(str(reason))


@pytest.mark.slow
@pytest.mark.parametrize("command", [each for each in COMMANDS if each.name in QUICK], ids=lambda each: each.name)
def test_calls_that_fail_or_are_the_last(traced: Tracer, tmp_path: Path, command: Command) -> None:
    trying = trial(command, traced, tmp_path)
    assert trying.calls["write"] > 1
    assert trying.calls["rename"] == 1
    faults = [
        fault
        for fault in trying.faults()
        if (fault.call in CHANGING and fault.what in ("SIGKILL", "ENOSPC"))
        # Also while a message is written, and as soon as there is a lock.
        or (fault.call in ("write", "flock") and fault.what == "SIGTERM")
    ]
    assert len(faults) >= 10
    assert [wrong for wrong in map(trying.try_out, faults) if wrong is not None] == []


@pytest.mark.slow
def test_a_trial_notices_a_file_that_is_neither(
    traced: Tracer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = next(each for each in COMMANDS if each.name == "convert -o")
    trying = trial(command, traced, tmp_path)
    monkeypatch.setattr(trying, "_new", {"out.hgn": b"something else"})
    wrong = trying.try_out(Fault("rename", 100, "EIO"))
    assert wrong is not None
    assert "out.hgn is neither the old file nor the new one" in wrong
