"""A record has the same report by every way; `nox -s properties` tries twenty times as many, other records."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from random import SystemRandom

import pytest

from tests.cli.conftest import Run
from tests.cli.conftest import hexrec as hexrec
from tests.differential.records import Input, bases, inputs
from tests.differential.ways import VALIDATE, WAYS, Found, Given, by_file
from tests.processes import PROGRAM
from tests.properties import FACTOR

SEED = 0 if FACTOR == 1 else SystemRandom().randrange(1 << 32)


@pytest.fixture(scope="module")
def validated(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Input], Path, Found]:
    """Files and their directory, with the reports of one process without settings."""
    folder = tmp_path_factory.mktemp("files")
    made = inputs(SEED)
    for each in made:
        (folder / each.name).write_bytes(each.raw)
    with pytest.MonkeyPatch.context() as patch:
        run = hexrec.__wrapped__(patch)  # type: ignore[attr-defined]
        reference = by_file(run(*VALIDATE, "--no-config", "--jobs", "1", folder))
    assert reference.keys() == {each.name for each in made}
    return made, folder, reference


@pytest.fixture
def given(
    validated: tuple[list[Input], Path, Found],
    tmp_path: Path,
    hexrec: Run,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Given:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    room = tmp_path / "room"
    room.mkdir()
    return Given(*validated, room, hexrec, capfd)


def disagreements(way: str, given: Given) -> list[str]:
    """Return a line for each file with another report than that of the command; a way may leave files out."""
    found = WAYS[way](given)
    return [
        f"{each.name}: {each.raw[:500]!r}\n  the command: {given.reference[each.name]}\n  {way}: {found[each.name]}"
        for each in given.inputs
        if each.name in found and found[each.name] != given.reference[each.name]
    ]


@pytest.mark.parametrize("way", WAYS)
def test_every_way_gives_the_same_reports(way: str, given: Given) -> None:
    found = disagreements(way, given)
    assert not found, "\n".join([f"{len(found)} files differ with the seed {SEED}", *found[:5]])


@pytest.mark.parametrize("limit", ["RECORD_BYTES=300", "VALUES=30", "DEPTH=1"])
def test_limits_of_the_environment(tmp_path: Path, limit: str) -> None:
    path = tmp_path / "game.json"
    path.write_text(max(map(json.dumps, bases()), key=len))
    name, value = limit.split("=")
    short, full = (
        subprocess.run(
            [*PROGRAM, "validate", *options, path],
            env=os.environ | {f"HEXREC_MAX_{name}": value},
            capture_output=True,
            check=False,
        )
        for options in ((), ("--no-config",))
    )
    assert b"error syntax/too-" in full.stdout
    assert (short.returncode, short.stdout) == (full.returncode, full.stdout)
