"""Every other reading of a ruling is caught by two fixtures or more."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from tests.cases import try_all
from tests.fixtures import expected
from tests.literal import TRANSCRIBED
from tests.properties import sample
from tests.rulings import Reading, by_literal, edited, path_of, readings

#: The pages that explain the rulings.
PAGES = Path(__file__).parents[2] / "docs/games"
_HEADING = re.compile(r"^#+ (?:<a [^>]*></a>)?([A-Z][0-9]?-[0-9]):", re.MULTILINE)

under_the_rules = cache(by_literal)


def changes() -> list[tuple[str, Reading]]:
    """Return the readings that some records can tell from the rules, each with its game."""
    found = ((game, reading) for game in TRANSCRIBED for reading in readings(game))
    return [(game, reading) for game, reading in found if isinstance(reading, Reading)]


def test_transcriptions_agree_with_fixtures() -> None:
    def check(path: Path) -> None:
        said = under_the_rules(path)
        if path.parent.name == "valid":
            assert said == "valid"
        else:
            assert said.partition(" ")[0] == ("turn" if expected(path)[0].startswith("move/") else "result")

    files = {path_of(game, fixture) for game, reading in changes() for fixture in reading.fixtures}
    try_all(check, sample(sorted(files), 3))


def test_fixtures_fail_under_other_readings() -> None:
    def check(case: tuple[str, Reading]) -> None:
        game, reading = case
        paths = [path_of(game, fixture) for fixture in reading.fixtures]
        assert len(set(paths)) > 1
        module = edited(game, reading.edits)
        for path in paths:
            assert by_literal(path, module) != under_the_rules(path)

    try_all(check, sample(changes(), 2))


def test_every_ruling_has_other_readings() -> None:
    """Every ruling that the documents explain; and no reading is given twice."""
    documented = {
        ruling for path in PAGES.glob("*.md") for ruling in _HEADING.findall(path.read_text(encoding="utf-8"))
    }
    found = [(game, reading) for game in TRANSCRIBED for reading in readings(game)]
    given = [(game, reading.ruling, reading.clause, reading.says) for game, reading in found]
    assert len(given) == len(set(given))
    assert documented
    assert documented <= {ruling for _, ruling, _, _ in given}
