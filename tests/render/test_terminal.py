"""The board on a terminal: in colors, and the same without them."""

from __future__ import annotations

import pytest

from hexrec.render.markup import mentions
from hexrec.render.terminal import color_view
from hexrec.render.text import changes, legend
from hexrec.render.views import view_of
from hexrec.rules.board_text import draw_rows
from tests.properties import sample
from tests.render.conftest import GAMES, played, record


def shown(path: str, ply: int | None = None, *, marked: bool = True) -> list[tuple[str, str]]:
    """Return the pieces of a view that have a color, each with its style."""
    text = color_view(view_of(record(path), ply), marked=marked)
    return [(text.plain[span.start : span.end].strip(), str(span.style)) for span in text.spans]


@pytest.mark.parametrize("game", GAMES)
def test_colors_add_nothing_but_color(game: str) -> None:
    for each in sample(played(game), 5):
        view = view_of(each)
        text = color_view(view).plain
        shown, marked = view.position, changes(view.effects)
        lines = draw_rows(shown.board, shown.names, shown.stacks(), marked, view.annotations, "??")
        plain = "\n".join("".join(piece for piece, _ in pieces) for pieces in lines)
        below = [*legend(view.position, view.annotations), *mentions(view.markup, view.position.names)]
        said = "".join(f"{line}\n" for line in ["", *below])
        expected = f"{view.caption}\n\n{plain}\n" + (said if said != "\n" else "")
        assert text.replace("●", "?") == expected


def test_colors_tell_the_stones_apart() -> None:
    pieces = shown("sundraval/valid/strangled-groups-of-both-colors.yaml")
    assert ("●", "bold #000000 on #b08d57") in pieces
    assert ("●", "bold #ffffff on #b08d57") in pieces
    assert ("●x", "bold #000000 on #8a8170") in pieces  # strangled, on a ground of its own
    assert ("w", "#ffffff on #b08d57") in pieces  # a territory, in its owner's ink


def test_parts_of_the_turn_have_grounds_of_their_own() -> None:
    pieces = shown("valaturna/valid/flank-in-two-directions.yaml", 7)
    assert ("[●1]", "bold #000000 on #c0591a") in pieces
    assert ("[●2]", "bold #000000 on #2f7fb8") in pieces


def test_the_rim_of_nadraz() -> None:
    def grounds(path: str) -> set[str]:
        return {style.partition(" on ")[2] for _, style in shown(path)}

    assert "#8f7040" in grounds("nadraz/valid/grow-by-one.yaml")
    assert "#8f7040" not in grounds("frasvel/valid/lowers-a-stack.yaml")


def test_without_marks() -> None:
    path = "sundraval/valid/strangled-groups-of-both-colors.yaml"
    assert "●x" in dict(shown(path))
    assert "●x" not in dict(shown(path, marked=False))
    assert "strangled" not in color_view(view_of(record(path)), marked=False).plain
