"""Analysis: proved values are those of brute force by the rules page, and nothing depends on jobs or chance."""

from __future__ import annotations

import copy
import csv
import io
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hexrec.record.random import random_record
from hexrec.record.validation import read_record
from hexrec.rules import games
from hexrec.tools.analysis.search import VALUES, Solver, estimate, value_of_end
from tests import literal
from tests.cli.conftest import Run, hexrec
from tests.literal import TRANSCRIBED, Literal
from tests.properties import examples

__all__ = ["hexrec"]  # a fixture

#: Brute force gives up after so many positions.
MOST = 100


class TooLarge(Exception):
    """Brute force takes too many positions."""


def brute_force(game: Literal, left: list[int]) -> int:
    """Return the value of a position by trying all turns to the end, without any cleverness."""
    if game.ending:
        return VALUES[game.ending[0]]
    left[0] -= 1
    if left[0] < 0:
        raise TooLarge
    found = []
    for turn, stones in game.turns().items():
        after = copy.copy(game)
        after.history, after.movers = [*game.history], [*game.movers]
        after.go_on(turn, stones)
        found.append(brute_force(after, left))
    return max(found) if game.mover == "black" else min(found)


@pytest.mark.parametrize("name", TRANSCRIBED)
def test_proved_values_are_those_of_brute_force(name: str) -> None:
    rules, compared = games.get(name), set()
    size = min(rules.ruleset(None).sizes)
    for seed in range(examples(3)):
        rng = Random(seed)
        opening = rules.random_opening(rng, size) or {}
        end = rules.start(size, opening)
        end.playout(rng)
        turns, solver = end.turns, Solver(2_000)
        for ply in reversed(range(len(turns))):
            position, game = rules.start(size, opening), literal.start(name, size, opening)
            position.play_all(turns[:ply])
            for turn in turns[:ply]:
                game.play(turn)
            try:
                value = brute_force(game, [MOST])
            except TooLarge:
                break
            proof = solver.solve(position)
            assert proof is not None
            assert proof.value == value, (seed, ply)
            compared.add(value)
            position.play_all(proof.line)
            assert value_of_end(position) == value
    assert compared


@pytest.mark.parametrize("name", games.BUILT_IN)
def test_a_search_leaves_the_position_as_it_was(name: str) -> None:
    rules = games.get(name)
    position = rules.start(
        min(rules.ruleset(None).sizes), rules.random_opening(Random(1), min(rules.ruleset(None).sizes))
    )
    before = position.text()
    assert Solver(20).solve(position) is None
    estimate(position, Random(1), 20)
    assert (position.text(), position.turns) == (before, [])


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Short random games of all five games, and one that is not valid."""
    file = tmp_path_factory.mktemp("games") / "games.jsonl"
    records = [
        random_record(games.get(name), min(games.get(name).ruleset(None).sizes), None, f"{number}", 1_000)
        for name in games.BUILT_IN
        for number in range(2)
    ]
    records.append({**records[0], "moves": ["z9"]})
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return file


def records_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


QUICK = ("--positions", "300", "--playouts", "5")


def test_analyze_annotates_every_turn_and_changes_nothing_else(hexrec: Run, archive: Path) -> None:
    ran = hexrec("analyze", archive, *QUICK, "-j1")
    assert ran.code == 1  # one record is not valid
    assert "10 annotated, 1 left out" in ran.err
    for written, line in zip(records_of(ran.out), archive.read_text().splitlines(), strict=False):
        evaluations = [move.pop("eval") for move in written["moves"]]
        assert all(evaluation.get("exact") or evaluation["playouts"] == 5 for evaluation in evaluations)
        assert evaluations[-1]["exact"]
        assert [move["turn"] for move in written.pop("moves")] == json.loads(line)["moves"]
        assert written == {name: value for name, value in json.loads(line).items() if name != "moves"}


def test_analyze_is_the_same_with_any_number_of_jobs(hexrec: Run, archive: Path) -> None:
    alone, shared = (hexrec("analyze", archive, *QUICK, jobs) for jobs in ("-j1", "-j2"))
    assert (alone.out, alone.err) == (shared.out, shared.err)
    assert hexrec("analyze", archive, *QUICK, "-j1", "--seed", "1").out != alone.out


def test_analyze_tells_a_thrown_away_win(hexrec: Run, archive: Path) -> None:
    ran = hexrec("analyze", archive, "--positions", "300", "--playouts", "0", "-j1")
    assert "turns a win into a loss; " in ran.err
    judged = [move for record in records_of(ran.out) for move in record["moves"] if "nag" in move]
    assert judged
    for move in judged:
        assert move["eval"]["exact"]
        assert move["nag"] in ([2], [4])


def test_analyze_keeps_evaluations_by_others(hexrec: Run, archive: Path, tmp_path: Path) -> None:
    record = records_of(archive.read_text())[-2]
    other = {"turn": record["moves"][-1], "eval": {"value": 0.5, "engine": "X"}, "nag": [3, 14]}
    file = tmp_path / "one.jsonl"
    file.write_text(json.dumps({**record, "moves": [*record["moves"][:-1], other]}), encoding="utf-8")
    (kept,) = records_of(hexrec("analyze", file, *QUICK).out)
    assert kept["moves"][-1] == other
    (replaced,) = records_of(hexrec("analyze", file, *QUICK, "--overwrite").out)
    assert replaced["moves"][-1]["eval"]["exact"]
    again = tmp_path / "again.jsonl"
    again.write_text(json.dumps(replaced), encoding="utf-8")
    assert records_of(hexrec("analyze", again, *QUICK).out) == [replaced]


def test_puzzles_have_one_turn_that_wins(hexrec: Run, archive: Path) -> None:
    alone, shared = (hexrec("puzzles", archive, "--positions", "300", jobs) for jobs in ("-j1", "-j2"))
    assert alone.out == shared.out
    puzzles = records_of(alone.out)
    assert len(puzzles) > 1
    for data in puzzles:
        (solution,) = data["moves"]
        position = read_record(data).start()
        mover = position.turn
        solver = Solver(100_000)
        for turn in position.legal_turns():
            position.play(turn)
            proof = solver.solve(position)
            position.undo()
            assert proof is not None
            assert (proof.value == VALUES[mover]) == (turn == solution["turn"])
        assert data["tags"] == ["puzzle"]


def test_openings_have_the_winner_of_best_play(hexrec: Run) -> None:
    ran = hexrec("openings", "nadraz", "--size", "4", "--positions", "60", "-j1")
    rows = [*csv.DictReader(io.StringIO(ran.out))]
    assert sum(int(row["images"]) for row in rows) == 37 * 36
    proved = [row for row in rows if row["winner"]]
    assert 0 < len(proved) < len(rows)
    for row in proved[:5]:
        position = games.get("nadraz").start(4, {"black": row["black"], "white": row["white"]})
        proof = Solver(1_000).solve(position)
        assert proof is not None
        assert proof.value == VALUES[row["winner"]]
    assert ran.out == hexrec("openings", "nadraz", "--size", "4", "--positions", "60", "-j2").out


def test_openings_without_a_proof_are_estimated(hexrec: Run) -> None:
    """Those of a game without opening stones are Black's first turns."""
    ran = hexrec("openings", "sunspot", "--positions", "1", "--playouts", "3", "-j1")
    rows = [*csv.DictReader(io.StringIO(ran.out))]
    assert sum(int(row["images"]) for row in rows) == 37
    assert {row["winner"] for row in rows} == {""}
    assert all(-1 <= float(row["estimate"]) <= 1 for row in rows)
    assert "openings: 6 not proved" in ran.err
