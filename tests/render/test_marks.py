"""What the games mark: the parts of each turn, and what decides a game that is over.

`fixtures/marks/<game>.json` has the kinds of both; `python -m tests.render.test_marks` writes it for all games.
"""

from __future__ import annotations

import json

import pytest

from hexrec.render import views
from hexrec.render.text import changes
from hexrec.render.views import View, view_of
from hexrec.rules import games
from hexrec.rules.terms import IllegalTurn, Stack
from tests.properties import sample
from tests.render.conftest import FIXTURES, GAMES, cells, played, record


def named(view: View, names: dict[str, str]) -> dict[str, tuple[int, ...]]:
    return {name: cells(view.position, listed) for name, listed in names.items()}


def ends(game: str) -> list[View]:
    """Return the last views of all games that their rules ended."""
    return [view for view in map(view_of, played(game)) if view.position.is_over]


def kinds(game: str) -> dict[str, list[str]]:
    """Return the kinds of parts of turns, and of marks at the end, in all games of a game's fixtures."""
    seen = [[*views(each)] for each in played(game)]
    parts = {(part.role, part.name) for film in seen for view in film for part in view.effects}
    last = [film[-1].position for film in seen]
    marks = {(mark.role, mark.name, str(mark.color)) for position in last for mark in position.highlights()}
    return {"parts": sorted(map(" ".join, parts)), "marks": sorted(map(" ".join, marks))}


@pytest.mark.parametrize("game", GAMES)
def test_parts_are_what_a_turn_changes(game: str) -> None:
    """Every cell on which something changes is in a part, and no other, but for stacks put back where one left."""
    turns = 0
    for each in sample(played(game), 4):
        before: dict[int, Stack] = {}
        for view in views(each):
            after = view.position.stacks()
            if view.turn is not None:
                turns += 1
                changed = {cell for cell in before.keys() | after.keys() if before.get(cell) != after.get(cell)}
                left = {cell for part in view.effects if part.role == "removed" for cell in part.cells}
                assert changed <= changes(view.effects)
                assert changes(view.effects) - changed <= left & after.keys()
            before = after
    assert turns > 20


@pytest.mark.parametrize("game", GAMES)
def test_kinds_of_parts_and_marks(game: str) -> None:
    kept = json.loads((FIXTURES.parent / "marks" / f"{game}.json").read_text(encoding="utf-8"))
    assert kinds(game) == kept, "if that is as it should be: python -m tests.render.test_marks"


def test_parts_of_an_illegal_turn() -> None:
    position = record("sunspot/valid/loop.json").start()
    with pytest.raises(IllegalTurn, match="a9"):
        position.turn_effects("a9")


@pytest.mark.parametrize(
    ("path", "ply", "shown"),
    [
        ("sundraval/valid/one-territory-each.yaml", 1, {"placed": "c1"}),
        ("sundraval/valid/draw-by-two-immediate-passes.yaml", 2, {}),
        (
            "sunspot/valid/stone-just-placed-flipped-back.yaml",
            9,
            {"placed": "e4", "flipped": "d4", "flipped back": "e4"},
        ),
        ("valaturna/valid/flank-in-two-directions.yaml", 7, {"placed": "d6", "captured": "e5 d5"}),
        ("nadraz/valid/cut-across-two-runs.yaml", 4, {"flipped": "c2 e3", "cut cell": "b1 d3"}),
        (
            "frasvel/valid/lowers-a-stack.yaml",
            6,
            {
                "moved": "d1 d2 d3",
                "start of the move": "d1",
                "landing": "d3",
                "absorbed": "e3",
                "lowered": "c3",
                "placed": "b3",
            },
        ),
        (
            "sundraval/valid/strangled-groups-of-both-colors.yaml",
            None,
            {"strangled": "a3 e2", "black territory": "a3", "white territory": "e1 e2"},
        ),
        ("sunspot/valid/both-have-a-loop.yaml", None, {"black loop": "a1 a2 b1 b3 c2 c3", "enclosed by Black": "b2"}),
        ("valaturna/valid/secure-stack-of-height-three.yaml", None, {"secure": "c6 d6 d7 e6 f5 g4"}),
    ],
)
def test_parts_and_marks(path: str, ply: int | None, shown: dict[str, str]) -> None:
    """The parts of a turn, or the marks at the end."""
    view = view_of(record(path), ply)
    found = view.position.highlights() if ply is None else view.effects
    assert {mark.name: tuple(sorted(mark.cells)) for mark in found} == named(view, shown)


@pytest.mark.parametrize("game", ["sundraval", "sunspot", "frasvel"])
def test_nothing_is_decided_before_the_end(game: str) -> None:
    assert view_of(record(f"{game}/reference/games.jsonl"), 9).position.highlights() == ()


def write_kinds(game: str) -> None:
    """Write the kinds of a game."""
    (FIXTURES.parent / "marks" / f"{game}.json").write_text(json.dumps(kinds(game), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for game in games.BUILT_IN:
        write_kinds(game)
