"""Every other reading of a ruling is caught: by two fixtures or more, in the engine and in the transcription."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.completeness import COMPLETE
from tests.fixtures import expected
from tests.rulings import Reading, by_engine, by_literal, edited, engine_of, path_of, readings
from tests.rulings.table import PAGE, page

_HEADING = re.compile(r"^#+ (?:<a [^>]*></a>)?([A-Z][0-9]?-[0-9]):", re.MULTILINE)

READINGS = [(game, reading) for game in COMPLETE for reading in readings(game)]
CHANGES = [(game, reading) for game, reading in READINGS if isinstance(reading, Reading)]
FILES = sorted({(game, fixture) for game, reading in CHANGES for fixture in reading.fixtures})


@cache
def under_the_rules(game: str, path: Path) -> tuple[str, str]:
    """Return what the engine and the transcription say of a file."""
    with engine_of(game):
        return by_engine(path), by_literal(path)


@pytest.mark.parametrize(("game", "fixture"), FILES, ids=lambda part: part)
def test_fixtures_hold_under_the_rules(game: str, fixture: str) -> None:
    """The engine gives what the file's name says; the transcription agrees, in its own words."""
    path = path_of(game, fixture)
    engine, transcription = under_the_rules(game, path)
    if path.parent.name == "valid":
        assert engine == transcription == "valid"
    else:
        code, line, column = expected(path)
        assert engine == f"{code} in line {line}, column {column}"
        assert transcription.partition(" ")[0] == ("turn" if code.startswith("move/") else "result")


@pytest.mark.parametrize(
    ("game", "reading"), CHANGES, ids=[f"{reading.ruling}-{number}" for number, (_, reading) in enumerate(CHANGES)]
)
def test_fixtures_fail_under_other_readings(game: str, reading: Reading) -> None:
    paths = [path_of(game, fixture) for fixture in reading.fixtures]
    assert len(set(paths)) > 1
    module = edited(f"tests.literal.{game}", reading.literal)
    for path in paths:
        engine, transcription = under_the_rules(game, path)
        with engine_of(game, reading):
            assert by_engine(path) != engine
        assert by_literal(path, module) != transcription


def test_every_ruling_has_other_readings() -> None:
    """Every ruling that the documents explain; and no reading is given twice."""
    documented = {
        ruling for path in PAGE.parent.glob("*.md") for ruling in _HEADING.findall(path.read_text(encoding="utf-8"))
    }
    given = [(game, reading.ruling, reading.clause, reading.says) for game, reading in READINGS]
    assert len(given) == len(set(given))
    assert documented
    assert documented <= {ruling for _, ruling, _, _ in given}


def test_the_table_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m tests.rulings.table"
