"""Overlays: what a position shows on request, on positions that were worked out by hand."""

from __future__ import annotations

from hexrec.rules import games
from hexrec.rules.position import Position
from tests.rules.random_games import RandomGame


def position(game: str, text: str) -> Position:
    return games.get(game).start(position=text)


def shown(asked: Position, overlay: str) -> list[tuple[str, str]]:
    """Return role and cells of the annotations of an overlay."""
    return [(mark.role, " ".join(map(asked.names.single, mark.cells))) for mark in asked.overlays()[overlay]]


def test_sunspot_edge_interior_and_combined_stones() -> None:
    # d4 is surrounded; e4, its neighbor, sees the edge. The white stones all see the edge.
    marks = shown(position("sunspot", "4/5/2wb2/2wbw2/2ww2/5/4 b 0"), "edge and interior stones")
    assert ("edge", "c3 c4 d3 d5 e3 e4") in marks
    assert ("interior", "d4") in marks
    assert [cells for role, cells in marks if role == "group"] == ["d4 e4"]
    rays = [cells for role, cells in marks if role == "ray"]
    assert len(rays) == 6
    assert "c4 c5 c6" in rays


def test_a_sunspot_stone_on_the_edge_needs_no_line() -> None:
    marks = shown(position("sunspot", "4/5/6/7/6/5/b3 w 0"), "edge and interior stones")
    assert marks == [("edge", "a1")]


def test_sundraval_territories_and_strangled_groups() -> None:
    # The cells below the black wall touch nothing white. The white stone is alone against a larger group.
    asked = position("sundraval", "3/1w2/5/bbbb/3 b 0")
    assert shown(asked, "territories") == [("area", "a1 a2 a3")]
    strangled, *areas = shown(asked, "if both players passed now")
    assert strangled == ("dead", "d2")
    assert areas == [("area", "a1 a2 a3"), ("area", "c1 c2 c3 c4 c5 d1 d2 d3 d4 e1 e2 e3")]


def test_frasvel_closed_cells() -> None:
    # d2 has one neighbor of each color, so it is open to both players.
    asked = position("frasvel", "w2/4/2b2/4/3 b 0")
    assert shown(asked, "closed cells") == [("closed", "b2 b3 c2 c4 d3"), ("closed", "d1 e2")]
    placements = [turn for turn in asked.legal_turns() if "-" not in turn]
    assert placements == ["a1", "a2", "a3", "b1", "b4", "c1", "c5", "d1", "d2", "d4", "e2", "e3"]


def test_valaturna_flanks() -> None:
    # On d3, Black would flank d2 against d1; b1 is the stack that d3 sees.
    asked = position("valaturna", "4/5/6/bw5/6/b4/4 b 0")
    assert shown(asked, "flanks for Black") == [("ray", "d3 d2 d1"), ("target", "d2")]
    assert shown(asked, "flanks for White") == []


def test_nadraz_cuts() -> None:
    # From the egg on d2, a line flips d3, the middle of the snake of three, and ends on d4.
    asked = position("nadraz", "4/5/1w4/1bw4/2w3/5/4 b 0 w")
    assert shown(asked, "cuts for Black") == [("ray", "d2 d3 d4"), ("target", "d3")]
    assert shown(asked, "cuts for White") == []


def test_flanks_are_the_captures_of_legal_turns() -> None:
    played = RandomGame("valaturna", 5, None, 1)
    asked = played.start()
    for turn in played.turns:
        overlay = f"flanks for {asked.turn.capitalize()}"
        captured = {
            cell
            for each in asked.legal_turns()
            for effect in asked.turn_effects(each)
            if effect.name == "captured"
            for cell in effect.cells
        }
        targets = {cell for mark in asked.overlays()[overlay] if mark.role == "target" for cell in mark.cells}
        assert targets == captured
        asked.play(turn)
