"""Studying a game: variations that fold, marks with the right button of the mouse, labels that count."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hexrec import loads
from tests.web.conftest import Shown, seen

RECORD = {
    "hexrec": "1",
    "game": "sunspot",
    "size": 4,
    "moves": ["d4", {"turn": "c4", "variations": [["e4", {"turn": "f3", "variations": [["g2", "a1"]]}, "b2"]]}, "a2"],
}


@pytest.fixture
def study(page: Shown) -> Shown:
    page.check(json.dumps(RECORD))
    page.until(lambda: page.ply == 3)
    return page


def listed(page: Shown) -> list[str]:
    """Return the turns in the list that can be seen."""
    items = page.page.locator("#turns .turn").all()
    return [item.inner_text().split()[-1] for item in items if item.is_visible()][1:]


def marks(page: Shown) -> list[dict[str, Any]]:
    move = loads(page.download("json")).moves[-1]
    return [{**mark} for mark in move["marks"]] if isinstance(move, dict) else []


def test_a_variation_folds_to_its_first_turn(study: Shown) -> None:
    assert listed(study) == ["d4", "c4", "e4", "f3", "g2", "a1", "b2", "a2"]
    study.page.get_by_role("button", name="Fold the variation").first.click()
    assert listed(study) == ["d4", "c4", "e4", "a2"]
    study.page.get_by_role("button", name="Unfold the variation").click()
    assert listed(study) == ["d4", "c4", "e4", "f3", "g2", "a1", "b2", "a2"]
    # A turn that is shown is unfolded.
    study.page.locator("#turns .turn", has_text="a1").click()
    study.page.get_by_role("button", name="Fold the variation").first.click()
    assert listed(study) == ["d4", "c4", "e4", "a2"]
    assert study.ply == 1
    study.page.click("#forward")
    study.page.locator("#turns .turn", has_text="e4").click()
    assert listed(study) == ["d4", "c4", "e4", "a2"]
    study.page.click("#forward")
    assert listed(study) == ["d4", "c4", "e4", "f3", "g2", "a1", "b2", "a2"]
    # Keys fold, and skip what is folded.
    study.page.locator("#turns .turn", has_text="f3").click()
    study.page.locator("#turns .turn", has_text="f3").press("Shift+ArrowLeft")
    study.until(lambda: listed(study) == ["d4", "c4", "e4", "a2"])
    assert study.page.evaluate("document.activeElement.innerText").endswith("e4")
    study.page.keyboard.press("ArrowDown")
    study.until(lambda: study.page.evaluate("document.activeElement.innerText").endswith("a2"))
    study.page.keyboard.press("ArrowUp")
    study.page.keyboard.press("Shift+ArrowRight")
    study.until(lambda: "f3" in listed(study))


def test_the_right_button_draws(study: Shown) -> None:
    mouse = study.page.mouse
    drawn = 0
    for key, color, places in ((None, "green", (5, 9)), ("Shift", "red", (6, 10)), ("Alt", "blue", (7, 11))):
        cells = [seen(study.page, f"#board [data-cell='{cell}']") for cell in places]
        (x, y), (to_x, to_y) = (((left + right) / 2, (top + bottom) / 2) for left, top, right, bottom in cells)
        if key:
            study.page.keyboard.down(key)
        mouse.click(x, y, button="right")
        study.until(lambda count=drawn + 1: len(marks(study)) == count)  # type: ignore[misc]
        mouse.move(x, y)
        mouse.down(button="right")
        mouse.move(to_x, to_y, steps=3)
        mouse.up(button="right")
        if key:
            study.page.keyboard.up(key)
        drawn += 2
        study.until(lambda count=drawn: len(marks(study)) == count)  # type: ignore[misc]
        circle, arrow = marks(study)[-2:]
        assert (circle["kind"], arrow["kind"]) == ("circle", "arrow")
        assert circle["cells"] == arrow["cells"][:1]
        assert circle["color"] == arrow["color"] == color
    assert study.ply == 3


def test_labels_count(study: Shown) -> None:
    study.page.select_option("#mark-kind", "label")
    study.page.fill("#mark-text", "9")
    for cell, texts in ((5, ["9"]), (9, ["9", "10"]), (9, ["9"]), (12, ["9", "11"])):
        study.click_cell(cell)
        study.until(lambda: [mark["text"] for mark in marks(study)] == texts)  # noqa: B023
