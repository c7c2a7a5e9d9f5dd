"""A record has the same report by every way; `nox -s properties` tries twenty times as many, other records."""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import SystemRandom

import pytest

from tests.cli.conftest import Run
from tests.cli.conftest import hexrec as hexrec
from tests.differential.records import Input, bases, inputs
from tests.differential.ways import VALIDATE, WAYS, Found, Given, by_file
from tests.processes import run_each
from tests.properties import FACTOR

SEED = 0 if FACTOR == 1 else SystemRandom().randrange(1 << 32)


#: Files, their directory, and the reports on them.
Validated = tuple[list[Input], Path, Found]


def written(made: list[Input], folder: Path) -> Path:
    for each in made:
        (folder / each.name).write_bytes(each.raw)
    return folder


@pytest.fixture(scope="module")
def validated(tmp_path_factory: pytest.TempPathFactory) -> Validated:
    """All files, with the reports of one process without settings."""
    made = inputs(SEED)
    folder = written(made, tmp_path_factory.mktemp("files"))
    with pytest.MonkeyPatch.context() as patch:
        run = hexrec.__wrapped__(patch)  # type: ignore[attr-defined]
        reference = by_file(run(*VALIDATE, "--no-config", "--jobs", "1", folder))
    assert reference.keys() == {each.name for each in made}
    return made, folder, reference


@pytest.fixture(scope="module")
def sampled(validated: Validated, tmp_path_factory: pytest.TempPathFactory) -> Validated:
    """In the suite some files alone: those of many records, and every kind, every format and every code of others."""
    made, folder, reference = validated
    if FACTOR > 1:
        return validated
    chosen = [each for each in made if each.name.startswith("many")]
    seen: set[str] = set()
    for each in [each for each in made if each not in chosen]:
        codes = {found["code"] for entry in reference[each.name] for found in entry["diagnostics"]}
        if not seen.issuperset(shown := {each.kind, each.format, *codes}):
            seen |= shown
            chosen.append(each)
    folder = written(chosen, tmp_path_factory.mktemp("some"))
    return chosen, folder, {each.name: reference[each.name] for each in chosen}


@pytest.fixture
def given(
    sampled: Validated,
    tmp_path: Path,
    hexrec: Run,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Given:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    room = tmp_path / "room"
    room.mkdir()
    return Given(*sampled, room, hexrec, capfd)


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
def test_limits_of_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str) -> None:
    path = tmp_path / "game.json"
    path.write_text(max(map(json.dumps, bases()), key=len))
    name, value = limit.split("=")
    monkeypatch.setenv(f"HEXREC_MAX_{name}", value)
    with (tmp_path / "out").open("w+b") as out:
        run_each([["validate", str(path)], ["validate", "--no-config", str(path)]], os.devnull, out.fileno())
        out.seek(0)
        said = out.read()
    assert b"error syntax/too-" in said
    assert said[: len(said) // 2] == said[len(said) // 2 :]
