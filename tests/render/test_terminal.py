"""The board on a terminal: in colours, and the same without them."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.style import Style

from hexrec.render import view_of
from hexrec.render.terminal import coloured
from hexrec.render.text import changes, draw, legend
from tests.render.conftest import GAMES, played, record


def printed(path: str, system: str | None, ply: int | None = None, *, marked: bool = True) -> str:
    # rich keeps the codes of a style for whichever colour system asked first, which another test may have done.
    Style.parse.cache_clear()
    Style._add.cache_clear()
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, color_system=system, no_color=system is None, width=200)  # type: ignore[arg-type]
    console.print(coloured(view_of(record(path), ply), marked=marked), end="")
    return out.getvalue()


@pytest.mark.parametrize("game", GAMES)
def test_colours_add_nothing_but_colour(game: str) -> None:
    for each in played(game):
        view = view_of(each)
        marks = [*view.position.highlights(), *view.effects]
        text = coloured(view).plain
        plain = draw(view.position, changes(view.effects), marks)
        said = "".join(f"{line}\n" for line in ["", *legend(view.position, marks)])
        expected = f"{view.caption}\n\n{plain}\n" + (said if said != "\n" else "")
        assert text.replace("●", "?") == expected.replace("B", "?").replace("W", "?")


def test_colours_tell_the_stones_apart() -> None:
    text = printed("sundraval/valid/strangled-groups-of-both-colours.yaml", "truecolor")
    assert "\x1b[1;38;2;0;0;0;48;2;176;141;87m ● " in text
    assert "\x1b[1;38;2;255;255;255;48;2;176;141;87m ● " in text
    assert "\x1b[1;38;2;0;0;0;48;2;138;129;112m ●x" in text  # strangled, on a ground of its own
    assert "\x1b[38;2;255;255;255;48;2;176;141;87m w " in text  # a territory, in its owner's ink


def test_parts_of_the_turn_have_grounds_of_their_own() -> None:
    text = printed("valaturna/valid/flank-in-two-directions.yaml", "truecolor", 7)
    assert "48;2;192;89;26m[●1" in text or "48;2;192;89;26m [●1" in text
    assert "48;2;47;127;184m[●2" in text or "48;2;47;127;184m [●2" in text


def test_the_rim_of_nadraz() -> None:
    assert "48;2;143;112;64m" in printed("nadraz/valid/grow-by-one.yaml", "truecolor")
    assert "48;2;143;112;64m" not in printed("frasvel/valid/lowers-a-stack.yaml", "truecolor")


def test_without_marks() -> None:
    text = printed("sundraval/valid/strangled-groups-of-both-colours.yaml", "truecolor", marked=False)
    assert "strangled" not in text
    assert "●x" not in text
