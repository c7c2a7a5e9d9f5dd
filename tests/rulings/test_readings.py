"""The readings that records can follow decide as their transcriptions do, in fixtures and in random games."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import hexrec
from hexrec.record.validation import read_record
from hexrec.rules import games
from tests.cases import try_all
from tests.literal import Literal
from tests.rules.random_games import small_sizes
from tests.rules.test_literal import play_both
from tests.rulings import Reading, by_literal, data, edited, path_of, readings

#: By game and name: the readings with their transcriptions.
NAMED = {
    (game, reading.reading): reading
    for game in games.BUILT_IN
    for reading in readings(game)
    if isinstance(reading, Reading) and reading.reading
}


def by_rules(path: Path, *names: str) -> str:
    """Return what hexrec says of a file's first record under readings, as `by_literal` says it."""
    report = hexrec.validate(read_record({**data(path), "readings": [*names]}, turns_unchecked=True))
    if report.valid:
        return "valid"
    first = report.diagnostics[0]
    return f"turn at ply {first.ply}" if first.code.startswith("move/") else first.code.partition("/")[0]


def test_every_reading_has_a_transcription() -> None:
    known = {
        (name, reading.name)
        for name in games.BUILT_IN
        for rules in map(games.get(name).ruleset, games.get(name).rulesets)
        for reading in rules.readings
    }
    assert known == NAMED.keys()
    assert all(name[:-1] == reading.ruling for (_, name), reading in NAMED.items())


def test_fixtures_under_readings() -> None:
    def check(case: tuple[tuple[str, str], Reading]) -> None:
        (game, name), reading = case
        module = edited(game, reading.edits)
        for path in (path_of(game, fixture) for fixture in reading.fixtures):
            assert by_rules(path, name) == by_literal(path, module) != by_literal(path)

    try_all(check, NAMED.items())


@pytest.mark.parametrize(("game", "name"), NAMED, ids=[name for _, name in NAMED])
def test_random_games_under_readings(game: str, name: str) -> None:
    transcription = getattr(edited(game, NAMED[game, name].edits), game.capitalize())
    rules, rng = games.get(game), Random(name)
    for size in small_sizes(game)[:1] * 2:
        opening = rules.random_opening(rng, size)
        played = rules.start(size, opening, readings=[name])
        played.playout(rng, 120)
        literal: Literal = transcription(size, opening, None)
        play_both(rules.start(size, opening, readings=[name]), literal, played.turns)
