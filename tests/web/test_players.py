"""What players see and hear at the board: names, clocks, results, a rotated board, a server that is away."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import hexrec
from hexrec.web.assembly import static_page
from tests.web.conftest import Shown, seen
from tests.web.games import good
from tests.web.test_entry import begun

PLAYERS = {"black": {"name": "Ada"}, "white": {"name": "Ben"}}


def place_of(page: Shown, cell: int) -> tuple[float, float]:
    """Return where the middle of a cell is on the screen."""
    left, top, right, bottom = seen(page.page, f"#board [data-cell='{cell}']")
    return round((left + right) / 2), round((top + bottom) / 2)


def test_players_clocks_and_the_result_are_above_the_board(page: Shown) -> None:
    record = json.loads(good("sundraval"))
    *rest, before, last = record["moves"]
    comment = "From https://example.org/a_(b)?c=d. Not javascript:alert(1)."
    moves = [*rest, {"turn": before, "clock": 5025.5}, {"turn": last, "clock": 9, "comment": comment}]
    page.check(json.dumps(record | {"players": PLAYERS, "moves": moves, "event": "Open", "round": "3"}))
    assert "Open · round 3" in page.text("#about")
    assert [page.text(seat).split("\n") for seat in ("#black", "#white")] == [
        ["Ada", ", Black", "0:09"],
        ["Ben", ", White", "1:23:45"],
    ]
    assert page.text("#headline") == "Black wins"
    assert page.text("#score") == "Black 10.5, White 1"
    assert "winner" in str(page.page.get_attribute("#black", "class"))
    link = page.page.locator("#turns .remark a")
    assert link.all_inner_texts() == ["https://example.org/a_(b)?c=d"]
    assert link.get_attribute("href") == "https://example.org/a_(b)?c=d"
    assert "noopener" in str(link.get_attribute("rel"))
    page.page.click("#back")
    assert page.page.is_hidden("#outcome")
    assert page.text("#black").split("\n") == ["Ada", ", Black, to play"]
    page.page.click("#last")
    page.page.click("#again")
    page.until(lambda: page.text("#caption") == "Opening: Black's stone" and page.text("#black").startswith("Ben"))
    again = hexrec.loads(page.download("json"))
    assert (again.game, again.size, again.turns) == ("sundraval", record["size"], [])
    assert again.players == {"black": {"name": "Ben"}, "white": {"name": "Ada"}}


def test_the_board_is_rotated_and_stays_so(page: Shown) -> None:
    text = begun(moves=["a1", "g4"])
    page.check(text)
    board = hexrec.loads(text).start().board
    corners = [board.cells.index(board.names("row").cells[name]) for name in ("a1", "d1", "g1", "g4", "d7", "a4")]
    places = [place_of(page, cell) for cell in corners]
    labels = page.page.locator("#board .label")
    assert labels.all_text_contents()[:2] == ["g1", "g4"]
    page.page.click("#rotate")
    assert [place_of(page, cell) for cell in corners] == [*places[1:], places[0]]
    assert labels.all_text_contents()[:2] == ["d1", "g1"]
    # The arrow keys go where they point to on the screen.
    page.page.focus("#board")
    x, y = place_of(page, board.cells.index(board.names("row").cells["d4"]))
    for key, wanted in (("ArrowRight", (1, 0)), ("ArrowUp", (-1, -1)), ("ArrowLeft", (-1, 0)), ("ArrowDown", (-1, 1))):
        page.page.keyboard.press(key)
        left, top, right, bottom = seen(page.page, "#board .pointers .cursor")
        step = ((left + right) / 2 - x, (top + bottom) / 2 - y)
        assert [(value > 2) - (value < -2) for value in step] == list(wanted), key
        x, y = x + step[0], y + step[1]
    page.page.keyboard.press("r")
    assert place_of(page, corners[0]) == places[2]
    page.check(text)
    assert place_of(page, corners[0]) == places[2]
    page.click_cell(1)
    page.until(lambda: page.text("#caption") == "After ply 3, Black a2; White to play")
    page.page.keyboard.press("Shift+R")
    page.page.keyboard.press("Shift+R")
    assert place_of(page, corners[0]) == places[0]


def test_a_turn_is_heard_if_sound_is_on(page: Shown) -> None:
    page.check(begun(moves=["a1", "g4"]))
    page.page.evaluate(
        "() => { window.heard = 0; const start = AudioBufferSourceNode.prototype.start;"
        " AudioBufferSourceNode.prototype.start = function () { window.heard++; start.call(this); }; }"
    )

    def heard() -> int:
        return int(page.page.evaluate("window.heard"))

    page.page.click("#back")
    page.page.click("#forward")
    assert heard() == 0
    page.page.select_option("#sound", "on")
    assert heard() == 1
    page.page.click("#back")
    assert heard() == 1
    page.page.click("#forward")
    assert heard() == 2
    page.play("a2")
    assert heard() == 3
    page.page.reload()
    assert page.page.input_value("#sound") == "on"


def test_keys_go_from_variation_to_variation(page: Shown) -> None:
    moves = ["d4", {"turn": "a1", "variations": [["a2", {"turn": "a3", "variations": [["a4"]]}], ["b1"]]}, "b2"]
    page.check(begun(moves=moves))
    reached = []
    for key in ("Home", "v", "v", "v", "v", "Shift+V", "Shift+V", "Shift+V"):
        page.page.locator("#board").press(key)
        reached.append(page.text("#caption").split("; ")[0].split(" ")[-1])
    assert reached == ["turn", "a2", "a4", "b1", "b1", "a4", "a2", "a2"]


def test_a_server_that_is_away_is_asked_again(page: Shown) -> None:
    page.check(begun())
    page.until(lambda: page.page.locator("#board .next").count() > 0)
    page.page.route("**/v1/**", lambda route: route.abort())
    for cell in (0, 1, 2):
        page.click_cell(cell)
    assert page.text("#caption") == "After ply 3, Black a3; White to play"
    page.page.wait_for_selector("#away:not([hidden])")  # for the explanation
    page.page.unroute("**/v1/**")
    page.page.evaluate("dispatchEvent(new Event('online'))")
    page.page.wait_for_selector("#away", state="hidden")
    assert page.page.is_hidden("#problem")
    assert hexrec.loads(page.download("json")).turns == ["a1", "a2", "a3"]
    page.errors.clear()  # that requests have failed


def test_a_file_without_a_server_shows_the_players(shown: Callable[..., Shown], tmp_path: Path) -> None:
    record = json.loads(good("valaturna")) | {"players": PLAYERS}
    path = tmp_path / "game.html"
    path.write_text(static_page(hexrec.validate(hexrec.loads(json.dumps(record)))), encoding="utf-8")
    page = shown(path)
    assert page.text("#headline") == "Black wins"
    assert page.text("#black").startswith("Ada")
    assert page.page.is_hidden("#again")
