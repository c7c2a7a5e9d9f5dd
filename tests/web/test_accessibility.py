"""What axe-core, the engine of most checkers of accessibility, finds on the page: nothing serious, in any state."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hexrec
from hexrec.record.canonical import canonical_form
from tests.properties import sample
from tests.web.conftest import Shown
from tests.web.games import FIXTURES, TWO, broken, good, position_at
from tests.web.test_entry import WHOLE

Open = Callable[..., Shown]
WIDTHS = {"desktop": (1280, 800), "phone": (390, 844)}


@pytest.fixture(scope="module")
def axe() -> str:
    path = os.environ.get("AXE")
    if path is None:
        pytest.skip("AXE names no axe.min.js")
    return Path(path).read_text(encoding="utf-8")


def cell(game: str, ply: int, name: str) -> int:
    """Return the number of a cell on the page, in a finished game."""
    position = position_at(hexrec.loads(good(game)), ply)
    return position.board.cells.index(position.names.cells[name])


def whole(game: str) -> str:
    """Return a short game that the rules end."""
    (record,) = hexrec.records(FIXTURES / game / "valid" / f"{WHOLE[game]}.yaml")
    return json.dumps(canonical_form(record))


def faults(page: Shown, axe: str) -> list[str]:
    if not page.page.evaluate("'axe' in window"):
        page.page.evaluate(axe)
    found: dict[str, Any] = page.page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{fault['id']}: {node['html']}: {node['failureSummary']}"
        for fault in found["violations"]
        if fault["impact"] in ("serious", "critical", "moderate")
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize(("size", "theme"), sample([("phone", "dark"), ("desktop", "light")], 2))
def test_the_page(opened: Open, site: str, axe: str, size: str, theme: str) -> None:
    page = opened(site, *WIDTHS[size], color_scheme=theme, reduced_motion="reduce", drawn=True)
    page.page.click("text=Check")
    assert faults(page, axe) == []
    game = json.loads(whole("valaturna"))
    game["moves"][0] = {"turn": game["moves"][0], "comment": "!", "nag": [1], "variations": [["a1", "a1", "a2"]]}
    page.check(json.dumps(game))
    page.page.evaluate("() => { document.getElementById('explained').open = true; }")
    page.page.wait_for_selector("#explanation-tables button")
    assert faults(page, axe) == []
    # A cell with which several turns begin, and one with which none does.
    page.check(good("nadraz"))
    page.go_to(3)
    page.until(lambda: "legal turns" in page.text("#legal-note"))
    page.click_cell(cell("nadraz", 3, "d2"))
    page.until(lambda: "with d2." in page.text("#legal-note"))
    assert faults(page, axe) == []
    page.click_cell(cell("nadraz", 3, "d3"))
    page.until(lambda: "is not legal" in page.text("#legal-note"))
    page.check(broken("nadraz").read_text(encoding="utf-8"))
    page.page.wait_for_selector(".suggestions button")
    assert faults(page, axe) == []
    page.check("\n".join([*map(whole, TWO), "{"]))
    page.page.wait_for_selector(".small-board img")
    page.page.wait_for_selector("#source-note mark")
    assert faults(page, axe) == []
    page.replace_text(whole("nadraz"))
    page.page.click("#apply")
    page.until(lambda: "Nadraz" in page.text("#about") and "#/draft/" in page.page.url)
    page.page.goto(site)
    page.page.wait_for_selector("#drafts-list img")
    assert faults(page, axe) == []
    page.page.goto(f"{site}#/frasvel/lesson/2")
    page.until(lambda: "closed to Black" in page.text("#legend"))
    page.click_cell(8)
    page.until(lambda: page.text("#lesson-rule") != "")
    assert faults(page, axe) == []
    page.page.click("#lesson-show")
    page.until(lambda: page.page.is_hidden("#lesson-show"))
    assert faults(page, axe) == []


def test_what_is_reached_with_the_tabulator(page: Shown) -> None:
    """Everything that can be pressed can be reached, in the order in which it is seen."""
    page.check(good("sunspot"))
    page.until(lambda: page.page.locator("#explanation-tables button").count() > 0)
    reached: list[str] = []
    for _ in range(40):
        page.page.keyboard.press("Tab")
        at = page.page.evaluate("document.activeElement.id || document.activeElement.parentElement.className")
        if at == "" and reached:
            break
        reached.append(at)
    wanted = ["board", "first", "back", "speed", "slider", "cells", "clear", "undo", "redo", "line", "comment", "glyph"]
    wanted += ["explain", "about", "format", "download", "link"]
    assert [each for each in reached if each in wanted] == wanted
