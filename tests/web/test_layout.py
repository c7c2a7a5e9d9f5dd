"""Where things are on the page, the size of the board, ways to step, and what the page begins with."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

import hexrec
from hexrec.record.canonical import canonical_form
from hexrec.rules import games
from hexrec.web.assembly import samples
from tests.web.conftest import Shown, seen
from tests.web.games import good

Open = Callable[..., Shown]
#: Board sizes from 5 to 9 in the middle of the board have cells of at least this many pixels.
LEAST_CELL = 24


def test_samples_are_what_they_are_called() -> None:
    """The broken game has one illegal turn: the game's own, put in its place, mends it."""
    assert samples().keys() == {*games.names()}
    for name, sample in samples().items():
        whole = hexrec.loads(sample["game"], "json")
        assert hexrec.validate(whole).valid, name
        broken = hexrec.loads(sample["broken"], "json")
        (error,) = hexrec.validate(broken).errors
        assert error.ply is not None, name
        moves = list(broken.turns)
        moves[error.ply - 1] = whole.turns[error.ply - 1]
        mended = hexrec.loads(json.dumps({**canonical_form(broken), "moves": moves}), "json")
        assert hexrec.validate(mended).valid, name
        assert sample["picture"].startswith("<svg"), name


def test_the_page_begins_with_the_games(page: Shown) -> None:
    card = page.page.locator(".game-card", has_text="Valaturna")
    card.locator("summary").click()
    brief = games.get("valaturna").brief
    assert brief is not None
    assert all(part in card.inner_text() for part in brief)
    card.get_by_text("Game with an illegal turn").click()
    page.page.wait_for_selector("#report-title:focus")
    assert page.text("#report-title") == "Invalid"
    page.page.click("#home")
    page.page.get_by_role("button", name="Sample game of Sunspot").click()
    page.until(lambda: "Sunspot" in page.page.title())
    assert page.text("#report-title") == "Valid"
    assert page.page.is_hidden("#entry")
    page.page.click("#rules summary")
    assert "Close a loop" in page.text("#rules")
    page.page.click("#home")
    page.page.get_by_role("button", name="Play Frasvel").click()
    page.until(lambda: "Black's opening stack" in page.text("#legal-note"))


def test_everything_to_play_with_is_in_the_window(page: Shown) -> None:
    page.check(good("sundraval"))
    width, height = page.page.evaluate("[innerWidth, innerHeight]")
    rows = "all => new Set(all.map((each) => each.getBoundingClientRect().top)).size"
    assert page.page.locator("#view label:visible").evaluate_all(rows) == 1, "the choices are in one row"
    assert_in_window(page)
    left, top, right, bottom = seen(page.page, "#board svg")
    assert bottom - top > 0.7 * height
    assert right - left > 0.6 * width
    without = "all => all.filter((each) => !each.innerText.trim() && !each.title).map((each) => each.id)"
    assert page.page.locator("#stage button").evaluate_all(without) == [], "buttons without words have tooltips"
    # A line above the board does not push them out.
    page.page.fill("#comment", "so it ended")
    page.page.press("#comment", "Tab")
    page.check(good("nadraz"))
    page.page.wait_for_selector("#kept:not([hidden])")
    assert_in_window(page)


def assert_in_window(page: Shown) -> None:
    """Everything that turns are entered with is below the board, and in the window."""
    height = page.page.evaluate("innerHeight")
    for selector in ("#last", "#slider", "#cells", "#undo", "#legal-note"):
        assert seen(page.page, "#board svg")[3] <= seen(page.page, selector)[1]
        assert seen(page.page, selector)[3] <= height
    assert page.page.evaluate("document.documentElement.scrollHeight") <= height


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1024, 768)])
def test_the_turn_that_is_commented_is_in_the_window(opened: Open, site: str, width: int, height: int) -> None:
    page = opened(site, width, height)
    page.check(good("valaturna"))
    page.page.fill("#comment", "so")
    for selector in ("#turns [aria-current]", "#comment"):
        _, top, _, bottom = seen(page.page, selector)
        assert 0 < top < bottom < height
    places = [seen(page.page, f"#{name}") for name in ("delete", "remove", "exchange", "insert")]
    assert len({round(right - left) for left, _, right, _ in places}) == 1


def test_a_phone(opened: Open, site: str) -> None:
    """The board takes the whole width; cells are large enough to be pressed, and nothing is scrolled to after that."""
    page = opened(site, 390, 844, has_touch=True, is_mobile=True)
    page.page.get_by_role("button", name="Play Sundraval").click()
    page.page.wait_for_selector("#board svg")
    left, top, right, _ = seen(page.page, "#board")
    assert (left, right) == (0, 390)
    assert top >= 0
    assert all(
        seen(page.page, selector)[3] <= 844 for selector in ("#last", "#slider", "#cells", "#undo", "#legal-note")
    )
    (one, _, _, _), (other, _, _, _) = (seen(page.page, f"#board [data-cell='{cell}']") for cell in (100, 101))
    assert other - one >= LEAST_CELL - 0.5
    page.check(good("nadraz"))
    assert seen(page.page, "#again")[3] <= seen(page.page, "#board")[1], "it covers no name of a cell"


def test_the_wheel_steps_and_enlarges(page: Shown) -> None:
    page.check(good("sunspot"))
    last = page.ply
    left, top, right, bottom = seen(page.page, "#board")
    page.page.mouse.move((left + right) / 2, (top + bottom) / 2)
    page.page.mouse.wheel(0, -100)
    page.until(lambda: page.ply == last - 1)
    page.page.mouse.wheel(0, 20)  # not far enough
    page.page.mouse.wheel(0, 80)
    page.until(lambda: page.ply == last)
    cell = "#board [data-cell='18']"
    before = seen(page.page, cell)
    page.page.keyboard.down("Control")
    page.page.mouse.wheel(0, -100)
    page.until(lambda: seen(page.page, cell)[2] - seen(page.page, cell)[0] > 1.3 * (before[2] - before[0]))
    page.page.keyboard.up("Control")
    page.go_to(last - 2)
    assert seen(page.page, cell) != before
    page.page.click("#whole")
    assert seen(page.page, cell) == pytest.approx(before, abs=0.5)
    page.page.focus("#board")
    page.page.keyboard.press("+")
    assert page.page.is_visible("#whole")
    page.page.keyboard.press("0")
    assert page.page.is_hidden("#whole")


def test_the_speed_is_remembered(page: Shown) -> None:
    page.page.get_by_role("button", name="Sample game of Sunspot").click()
    page.page.wait_for_selector("#report-title:focus")
    page.page.select_option("#speed", "4")
    page.page.reload()
    assert page.page.input_value("#speed") == "4"


def test_all_that_plays_a_turn_is_in_sight_on_a_phone_held_sideways(opened: Open, site: str) -> None:
    page = opened(site, 844, 390)
    page.check(good("sunspot"))
    page.go_to(3)
    page.until(lambda: "legal turns" in page.text("#legal-note"))
    for part in ("#board", "#caption", "#slider", "#cells", "#undo", "#legal-note"):
        assert seen(page.page, part)[3] <= 390, part
