"""Fingers on the board: swipes step, two fingers enlarge, and what is out of sight can be dragged into it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.web.conftest import Shown, anew, prepare, seen
from tests.web.games import good

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

Place = tuple[float, float]
PHONE: ViewportSize = {"width": 390, "height": 844}
EMPTY = json.dumps({"hexrec": "1", "game": "sunspot", "size": 9, "moves": []})
#: As large, in pixels, as WCAG 2.5.8 asks of targets.
LEAST_CELL = 24
#: Into how many movements each gesture is divided.
PARTS = 4
#: Promises that so many fingers are lifted.
LIFTED = """(fingers) => ({
    last: new Promise((done) => {
        for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => --fingers || done());
    }),
})"""


def gesture(page: Page, *fingers: tuple[Place, Place]) -> None:
    """Move fingers over the screen, each from one place to another, all at the same time.

    The browser confirms what it is sent before the page knows of it: this ends when the page has heard the last finger.
    """
    lifted = page.evaluate_handle(LIFTED, len(fingers))
    session = page.context.new_cdp_session(page)
    for part in range(PARTS + 1):
        points = [
            {"x": x + (to_x - x) * part / PARTS, "y": y + (to_y - y) * part / PARTS, "id": number}
            for number, ((x, y), (to_x, to_y)) in enumerate(fingers)
        ]
        session.send("Input.dispatchTouchEvent", {"type": "touchMove" if part else "touchStart", "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()
    lifted.evaluate("({ last }) => last")


def middle(page: Page, selector: str = "#board") -> Place:
    left, top, right, bottom = seen(page, selector)
    return (left + right) / 2, (top + bottom) / 2


def drag(page: Page, across: float, down: float = 0) -> None:
    """Drag one finger over the middle of the board."""
    x, y = middle(page)
    gesture(page, ((x - across / 2, y - down / 2), (x + across / 2, y + down / 2)))


def spread(page: Page, at: Place, apart: float, then: float) -> None:
    """Move two fingers, as far apart as that, about a place until they are as far apart as this."""
    x, y = at
    gesture(page, ((x - apart / 2, y), (x - then / 2, y)), ((x + apart / 2, y), (x + then / 2, y)))


def cell(index: int) -> str:
    return f"#board [data-cell='{index}']"


def width_of(page: Page, selector: str) -> float:
    left, _, right, _ = seen(page, selector)
    return right - left


@pytest.fixture(scope="module")
def touched(browser: Browser) -> Iterator[Page]:
    """A window of a phone, which tests use one after the other."""
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    prepare(context)
    yield context.new_page()
    context.close()


@pytest.fixture
def phone(touched: Page, site: str) -> Iterator[Shown]:
    yield from anew(touched, site, PHONE)


def test_a_swipe_steps(phone: Shown) -> None:
    phone.check(good("nadraz"))
    last = phone.ply
    drag(phone.page, 60)
    assert phone.ply == last - 1
    drag(phone.page, -60)
    assert phone.ply == last
    drag(phone.page, 150)
    assert phone.ply == last - 3


def test_two_fingers_enlarge_what_is_between_them(phone: Shown) -> None:
    """The cell under both fingers stays there; dragged, the board follows one finger, and nothing is stepped to."""
    phone.check(good("nadraz"))
    page, last, whole = phone.page, phone.ply, seen(phone.page, cell(20))
    at = middle(page, cell(20))
    spread(page, at, 80, 200)
    assert width_of(page, cell(20)) == pytest.approx(2.5 * (whole[2] - whole[0]), rel=0.02)
    assert middle(page, cell(20)) == pytest.approx(at, abs=2)
    drag(page, -40, 30)
    assert middle(page, cell(20)) == pytest.approx((at[0] - 40, at[1] + 30), abs=2)
    spread(page, middle(page), 200, 20)
    assert seen(page, cell(20)) == pytest.approx(whole, abs=0.5)
    assert phone.ply == last


#: The cells in the corners of a board of size 9, from the lowest row up, and the way to each: right and up are 1.
CORNERS = {0: (-1, -1), 8: (1, -1), 100: (-1, 0), 116: (1, 0), 208: (-1, 1), 216: (1, 1)}


@pytest.mark.parametrize("size", [PHONE, {"width": 360, "height": 560}])
def test_every_cell_can_be_dragged_into_sight(phone: Shown, size: ViewportSize) -> None:
    """Cells of a board of size 9 are large enough to be pressed, for which it is wider than a phone."""
    page = phone.page
    page.set_viewport_size(size)
    phone.check(EMPTY)
    assert seen(page, "#board")[::2] == (0, size["width"])
    assert middle(page, cell(101))[0] - middle(page, cell(100))[0] >= LEAST_CELL - 0.1
    # Where it is not higher than its room, a finger that moves up or down scrolls the page.
    higher = page.locator("#board.zoomed").count()
    for corner, (right, up) in CORNERS.items():
        if up and not higher:
            continue
        drag(page, -150 * right)
        if higher and up:
            drag(page, 0, 150 * up)
        left, top, end, bottom = seen(page, "#board")
        box = seen(page, cell(corner))
        assert left <= box[0] < box[2] <= end
        assert top <= box[1] < box[3] <= bottom
    phone.moved(lambda: phone.click_cell(216))
    assert phone.ply == 1


def test_what_is_out_of_sight_is_shown_before_a_swipe_steps(phone: Shown) -> None:
    phone.check(EMPTY)
    phone.moved(lambda: phone.click_cell(40))
    drag(phone.page, 40)
    assert seen(phone.page, cell(100))[0] >= 0
    assert phone.ply == 1
    drag(phone.page, 60)
    assert phone.ply == 0


def test_the_keyboard_takes_the_board_along(page: Shown) -> None:
    page.check(good("nadraz"))
    page.page.focus("#board")
    for key in ("+", "+", "+", "+", *["ArrowLeft"] * 4, *["ArrowDown"] * 4):
        page.page.keyboard.press(key)
    left, top, right, bottom = seen(page.page, "#board")
    box = seen(page.page, cell(0))
    assert left <= box[0] < box[2] <= right
    assert top <= box[1] < box[3] <= bottom
