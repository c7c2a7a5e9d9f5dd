"""Perft: how many sequences of legal turns there are, by length.

The numbers of a ruleset are never changed: they keep old games' verdicts as they were. New rules are a new ruleset.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from hexrec import games
from hexrec.games import Position
from tests.engines.test_reference import replay
from tests.fixtures import FIXTURES

PERFT = [
    ("sundraval", "2023", 3, {"black": "c3", "white": "b2"}, [18, 307, 4930, 74545]),
    ("sundraval", "2023", 5, {"black": "e5", "white": "c4"}, [60, 3541, 205438]),
    ("sunspot", "2024", 4, {}, [37, 1332, 46620]),
    ("frasvel", "2024", 3, {"black": "c3"}, [12, 204, 6282, 152898]),
    ("frasvel", "2024", 4, {"black": "d4"}, [30, 1050, 62064]),
    ("valaturna", "2023", 4, {"black": "d4", "white": "c3"}, [16, 202, 4023, 66032]),
    ("valaturna", "2023", 5, {"black": "e5", "white": "d5"}, [21, 370, 10309]),
    ("valaturna", "2023-first", 7, {"black": "g7", "white": "f6"}, [30, 798, 34524]),
    ("nadraz", "2023", 4, {"black": "d3", "white": "d5"}, [20, 297, 3848, 39488]),
    ("nadraz", "2023", 5, {"black": "e4", "white": "e6"}, [37, 1106, 41139]),
]
#: Of the ends of reference games: where each is, the number of plies before, and the counts. Early turns say little of
#: rules on passes, or on flanks of several stacks.
ENDGAMES = [
    ("valaturna", "2023-first", "first.jsonl", 0, 117, [4, 25, 66, 300, 444, 1272]),
    ("valaturna", "2023-first", "first.jsonl", 1, 115, [9, 73, 513, 3203, 16464]),
]


def perft(position: Position[Any], plies: int) -> int:
    turns = position.legal_turns()
    if plies == 1:
        return len(turns)
    total = 0
    for turn in turns:
        after = position.copy()
        after.play(turn)
        total += perft(after, plies - 1)
    return total


@pytest.mark.parametrize(
    ("name", "ruleset", "size", "opening", "counts"),
    [pytest.param(*case, id=f"{case[0]}-{case[1]}-{case[2]}") for case in PERFT],
)
def test_perft(name: str, ruleset: str, size: int, opening: dict[str, str], counts: list[int]) -> None:
    start = games.get(name).start(size, opening, ruleset=ruleset)
    assert [perft(start, plies) for plies in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(("name", "ruleset", "file", "index", "ply", "counts"), ENDGAMES)
def test_perft_of_endgames(name: str, ruleset: str, file: str, index: int, ply: int, counts: list[int]) -> None:
    lines = (FIXTURES / name / "reference" / file).read_text(encoding="utf-8").splitlines()
    record = json.loads(lines[index])
    assert record["ruleset"] == ruleset
    position = replay({**record, "moves": record["moves"][:ply]})
    assert [perft(position, plies) for plies in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize("name", games.BUILT_IN)
def test_every_ruleset_has_its_numbers(name: str) -> None:
    assert {case[1] for case in PERFT if case[0] == name} == {*games.get(name).rulesets}
