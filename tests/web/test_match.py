"""A game that two players play by sending each other its address."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from hexrec import Record, loads
from tests.web.conftest import Shown
from tests.web.games import good

if TYPE_CHECKING:
    from playwright.sync_api import Dialog


def saved(page: Shown) -> Record:
    return loads(page.download("json"))


def sent(page: Shown) -> str:
    """Send the game; return the address."""
    if page.page.locator("#match").get_attribute("open") is None:
        page.page.click("#match summary")
    page.page.click("#send")
    page.until(lambda: "now holds the game" in page.text("#match-note"))
    return page.page.url


@pytest.fixture
def black(page: Shown) -> Shown:
    """Return a new game of Sunspot after a turn of Black."""
    page.page.get_by_role("button", name="Play Sunspot").click()
    page.page.wait_for_selector("#report-title:focus")
    page.play("d4")
    return page


def test_the_game_goes_back_and_forth_and_a_turn_declines_a_draw(black: Shown, opened: Callable[..., Shown]) -> None:
    black.page.click("#match summary")
    black.page.check("#offer")
    white = opened(sent(black), beside=black)
    white.until(lambda: white.page.is_visible("#accept"))
    assert (white.ply, white.text("#resign")) == (1, "Resign as White")
    white.play("c4")
    white.until(lambda: white.page.is_hidden("#accept"))
    third = opened(sent(white))
    third.until(lambda: third.ply == 2 and third.text("#match-note").startswith("Black has the turn"))
    assert third.text("#resign") == "Resign as Black"
    assert third.page.is_hidden("#accept")
    assert saved(third).turns == ["d4", "c4"]


def test_the_board_says_whose_turn_it_is_and_when_to_send_it_back(black: Shown, opened: Callable[..., Shown]) -> None:
    assert black.page.is_hidden("#by-link")
    white = opened(sent(black))
    assert "Send it to White." in black.text("#by-link-note")
    white.until(lambda: white.text("#by-link-note") == "Your turn, as White.")
    assert white.page.is_hidden("#send-back")
    white.play("c4")
    white.until(lambda: "&ply=2" in white.page.url)
    assert white.text("#by-link-note") == "White has played: send the game back to Black."
    white.page.reload()
    white.until(lambda: white.text("#by-link-note") == "White has played: send the game back to Black.")
    white.page.click("#send-back")
    white.until(lambda: "Send it to Black." in white.text("#by-link-note"))
    # A link to a game is to be looked at.
    other = opened(white.page.url.partition("&match")[0])
    other.until(lambda: other.ply == 2)
    assert other.page.is_hidden("#by-link")


def test_a_draw_that_is_offered_and_accepted(black: Shown, opened: Callable[..., Shown]) -> None:
    black.page.click("#match summary")
    black.page.check("#offer")
    white = opened(sent(black), beside=black)
    white.until(lambda: white.text("#match-note").startswith("Black offers a draw"))
    assert white.text("#by-link-note").startswith("Black offers a draw")
    white.page.click("#accept-draw")
    white.until(lambda: white.page.is_hidden("#match"))
    assert white.page.is_hidden("#by-link")
    result = saved(white).result
    assert result is not None
    assert (result["winner"], result["termination"]) == ("draw", "agreement")


def test_the_side_to_move_resigns(black: Shown) -> None:
    black.page.click("#match summary")
    asked = []

    def answer(dialog: Dialog) -> None:
        asked.append(dialog.message)
        if len(asked) == 1:
            dialog.dismiss()
        else:
            dialog.accept()

    black.page.on("dialog", answer)
    black.page.click("#resign")
    assert black.page.is_visible("#match")
    black.page.click("#resign")
    black.until(lambda: black.page.is_hidden("#match"))
    black.page.remove_listener("dialog", answer)
    assert asked == ["Resign as White? Black wins then."] * 2
    result = saved(black).result
    assert result is not None
    assert (result["winner"], result["termination"]) == ("black", "resignation")
    black.page.click("#undo")
    black.until(lambda: black.page.is_visible("#match"))
    # A game that is over is not played on.
    black.check(good("sunspot"))
    assert black.page.is_hidden("#match")


def test_the_board_is_saved_as_a_picture(page: Shown) -> None:
    page.check('{"hexrec": "1", "game": "frasvel", "size": 3, "opening": {"black": "a3"}, "moves": ["d3", "c1"]}')
    for name in ("png", "gif"):
        page.page.select_option("#format", name)
        with page.page.expect_download() as download:
            page.page.click("#download")
        assert download.value.suggested_filename == f"game.{name}"
        picture = Image.open(BytesIO(download.value.path().read_bytes()))
        assert picture.format == name.upper()
        assert min(picture.size) > 300
        assert len(picture.convert("RGB").getcolors(1 << 24) or ()) > 20
