"""Stones in motion: what one turn does is seen, unless somebody is in a hurry or has asked for less motion."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import hexrec
from hexrec.web.assembly import static_page
from tests.web.conftest import Shown
from tests.web.games import FIXTURES

Open = Callable[..., Shown]
#: Presses a button after so many milliseconds, and tells what moves then, without a clock that goes by itself.
PRESS = """([button, later]) => {
    window.seen = (window.seen ?? 1e6) + later;
    performance.now = () => window.seen;
    document.getElementById(button).click();
    const layers = { stones: 0, leaving: 0 };
    for (const motion of document.getAnimations()) layers[motion.effect.target.parentNode.getAttribute("class")] += 1;
    return [layers.stones, layers.leaving];
}"""


def written(folder: Path, path: str, ply: int) -> Path:
    file = folder / "game.html"
    (record,) = hexrec.records(FIXTURES / path)
    file.write_text(static_page(hexrec.validate(record), ply), encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("path", "ply", "forward", "back"),
    [
        # A stack moves, a stone is placed, a stack lowered, one absorbed. Back again, the stone placed goes.
        ("frasvel/valid/lowers-a-stack.yaml", 5, [3, 1], [3, 1]),
        # One stone is placed and flipped back at once, another is flipped, and shows its other side in between.
        ("sunspot/valid/stone-just-placed-flipped-back.yaml", 8, [2, 1], [1, 2]),
    ],
)
def test_a_turn_moves_stones(
    shown: Open, tmp_path: Path, path: str, ply: int, forward: list[int], back: list[int]
) -> None:
    page = shown(written(tmp_path, path, ply)).page
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(PRESS, ["forward", 1000]) == forward
    assert page.evaluate(PRESS, ["back", 1000]) == back
    assert page.evaluate(PRESS, ["forward", 50]) == [0, 0]
    assert page.evaluate(PRESS, ["first", 1000]) == [0, 0]
    page.locator("#board .leaving > *").wait_for(state="detached")


def test_without_motion(shown: Open, tmp_path: Path) -> None:
    page = shown(written(tmp_path, "frasvel/valid/lowers-a-stack.yaml", 5)).page
    assert page.evaluate(PRESS, ["forward", 1000]) == [0, 0]
