"""The slider by which a notebook shows any turn of a record, in a page that holds two of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.render.conftest import record

if TYPE_CHECKING:
    from playwright.sync_api import Page

CAPTIONS = """(all) => all.map((svg) => [...svg.querySelectorAll(".caption")]
    .filter((each) => getComputedStyle(each).visibility === "visible")
    .map((each) => each.textContent.trim()).join(" "))"""


def test_each_slider_moves_its_own_picture(window: Page) -> None:
    loop, chain = record("sunspot/valid/loop.json"), record("frasvel/valid/absorbs-two-groups.yaml")
    window.goto("about:blank")  # what another page forbids would hold for this content, too
    window.set_content(f"{loop._repr_html_()}{chain._repr_html_()}")

    def captions() -> list[str]:
        shown: list[str] = window.eval_on_selector_all("svg", CAPTIONS)
        return shown

    before = captions()
    assert len(before) == 2
    assert before[0].startswith(f"Sunspot {loop.size}, after ply {len(loop.moves)} ")
    first, second = window.locator("input[type=range]").all()
    for ply in range(1, len(loop.moves) + 1):
        first.fill(str(ply))
        assert f"after ply {ply} (" in captions()[0]
    first.fill("0")
    assert captions()[0].startswith(f"Sunspot {loop.size}, before the first turn")
    assert captions()[1] == before[1]
    second.press("ArrowLeft")
    assert f"after ply {len(chain.moves) - 1} (" in captions()[1]
