"""Perft: how many sequences of legal turns there are, by length."""

from __future__ import annotations

from typing import Any

import pytest

from hexrec import games
from hexrec.games import Position

PERFT = [
    ("sundraval", 3, {"black": "c3", "white": "b2"}, [18, 307, 4930, 74545]),
    ("sundraval", 5, {"black": "e5", "white": "c4"}, [60, 3541, 205438]),
    ("sunspot", 4, {}, [37, 1332, 46620]),
    ("frasvel", 3, {"black": "c3"}, [12, 204, 6282, 152898]),
    ("frasvel", 4, {"black": "d4"}, [30, 1050, 62064]),
    ("valaturna", 4, {"black": "d4", "white": "c3"}, [16, 202, 4023, 66032]),
    ("valaturna", 5, {"black": "e5", "white": "d5"}, [21, 370, 10309]),
    ("nadraz", 4, {"black": "d3", "white": "d5"}, [20, 297, 3848, 39488]),
    ("nadraz", 5, {"black": "e4", "white": "e6"}, [37, 1106, 41139]),
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
    ("name", "size", "opening", "counts"), [pytest.param(*case, id=f"{case[0]}-{case[1]}") for case in PERFT]
)
def test_perft(name: str, size: int, opening: dict[str, str], counts: list[int]) -> None:
    start = games.get(name).start(size, opening)
    assert [perft(start, plies) for plies in range(1, len(counts) + 1)] == counts
