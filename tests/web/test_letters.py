"""Names and numbers on the board: large enough to be read, or left out where there is no room."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import hexrec
from hexrec.render.theme import Labels
from hexrec.rules.board import System
from hexrec.web.assembly import static_page
from tests.web.conftest import Shown
from tests.web.games import FIXTURES

Open = Callable[..., Shown]
PHONE = (390, 844)
#: Of all texts that are seen on the board: their heights in pixels, how many are not whole, and how many meet another.
LETTERS = """() => {
    const board = document.getElementById("board");
    const room = board.getBoundingClientRect();
    const unit = board.querySelector("svg").getScreenCTM().a;
    const seen = [...board.querySelectorAll("text")].filter((each) => each.getClientRects().length);
    const boxes = seen.map((each) => each.getBoundingClientRect());
    const meet = (one, other) => one.left < other.right && other.left < one.right
        && one.top + 3 < other.bottom - 3 && other.top + 3 < one.bottom - 3;
    return {
        heights: seen.map((each) => parseFloat(getComputedStyle(each).fontSize) * unit),
        cut: boxes.filter(({ left, right }) => left < room.left || right > room.right).length,
        met: boxes.filter((one, index) => boxes.slice(index + 1).some((other) => meet(one, other))).length,
    };
}"""


#: Fixtures, how they are shown, and how many names and numbers are on the board then.
CASES: tuple[tuple[str, Labels, System, tuple[int, int], int], ...] = (
    ("frasvel/valid/lowers-a-stack.yaml", "ends", "axial", PHONE, 12),
    ("frasvel/valid/lowers-a-stack.yaml", "all", "row", PHONE, 17),
    ("sunspot/valid/recommended-size.yaml", "all", "axial", PHONE, 0),
    ("nadraz/valid/largest-board.yaml", "ends", "row", PHONE, 0),
    ("nadraz/valid/largest-board.yaml", "ends", "row", (1000, 500), 54),
)


def test_names_and_numbers(shown: Open, tmp_path: Path) -> None:
    file = tmp_path / "game.html"
    file.write_text("")
    page = shown(file).page
    for path, labels, system, (width, height), count in CASES:
        (record,) = hexrec.records(FIXTURES / path)
        file.write_text(static_page(hexrec.validate(record), labels=labels, coordinates=system), encoding="utf-8")
        page.set_viewport_size({"width": width, "height": height})
        page.goto(file.as_uri())
        seen: dict[str, Any] = page.evaluate(LETTERS)
        case = (path, labels, system, width)
        assert len(seen["heights"]) == count, case
        assert all(letter >= 10.9 for letter in seen["heights"]), case
        assert (seen["cut"], seen["met"]) == (0, 0), case
