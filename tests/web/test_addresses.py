"""Addresses: back, forward and reload lead to where somebody was."""

from __future__ import annotations

import json
from pathlib import Path

import hexrec
from tests.web.conftest import Shown
from tests.web.games import GAMES, good
from tests.web.test_entry import begun


def at(page: Shown, ending: str) -> None:
    page.until(lambda: page.page.url.endswith(ending))


def test_back_leads_from_a_game_to_the_games_and_forward_to_the_game(page: Shown) -> None:
    page.page.get_by_role("button", name="Sample game of Sunspot").click()
    at(page, "#/sunspot/sample")
    page.page.wait_for_selector("#report-title:focus")
    page.go_to(3)
    page.page.go_back()
    page.until(lambda: page.page.is_visible("#games"))
    page.page.go_forward()
    page.until(lambda: page.page.is_hidden("#entry"))
    assert page.ply == 3
    page.page.click("#home")
    at(page, "#/")
    page.page.go_back()
    page.until(lambda: page.page.is_hidden("#entry"))
    page.page.reload()
    page.until(lambda: page.page.is_visible("#board"))
    at(page, "#/sunspot/sample")


def test_a_new_game_is_kept_when_the_page_is_loaded_again(page: Shown) -> None:
    page.page.get_by_role("button", name="Play Sunspot").click()
    at(page, "#/sunspot/new")
    page.page.wait_for_selector("#report-title:focus")
    page.page.reload()
    page.until(lambda: page.page.is_visible("#board"))
    page.play("d4")
    page.until(lambda: "#/draft/" in page.page.url)
    page.page.reload()
    page.until(lambda: page.page.is_visible("#board") and page.ply == 1)
    assert hexrec.loads(page.download("json")).turns == ["d4"]


def test_a_draft_and_the_place_in_it_are_there_when_the_page_is_loaded_again(page: Shown, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join(map(good, GAMES)), encoding="utf-8")
    page.page.set_input_files("#file", path)
    page.page.wait_for_selector("#report-title:focus")
    page.page.click("#record-1")
    page.until(lambda: page.text("#about").startswith("Sunspot"))
    page.moved(lambda: page.page.click("#delete"))
    page.until(lambda: "#/draft/" in page.page.url)
    page.page.click("#record-3")
    page.until(lambda: page.text("#about").startswith("Valaturna"))
    page.go_to(7)
    page.until(lambda: page.page.evaluate("history.state.ply") == 7)
    page.page.reload()
    page.until(lambda: page.page.is_visible("#board") and page.text("#about").startswith("Valaturna") and page.ply == 7)
    # So does the record before.
    page.page.go_back()
    page.until(lambda: page.text("#about").startswith("Sunspot"))
    page.until(lambda: page.ply == len(json.loads(good("sunspot"))["moves"]) - 1)


def test_a_sample_is_opened_again_where_it_was_left(page: Shown) -> None:
    page.page.get_by_role("button", name="Sample game of Nadraz").click()
    page.page.wait_for_selector("#report-title:focus")
    page.go_to(3)
    page.until(lambda: page.page.evaluate("history.state.ply") == 3)
    page.page.reload()
    page.until(lambda: page.page.is_visible("#board") and page.ply == 3)
    at(page, "#/nadraz/sample")
    # Whoever leaves before the place has been noted comes back to it, too.
    page.page.evaluate("() => { window.setTimeout = () => 0; }")
    page.go_to(5)
    page.page.reload()
    page.until(lambda: page.page.is_visible("#board") and page.ply == 5)


def test_a_pasted_game_and_the_place_in_it_are_in_the_address(page: Shown) -> None:
    page.check(good("valaturna"))
    page.until(lambda: "#game=" in page.page.url)
    page.go_to(5)
    page.until(lambda: page.page.url.endswith("&ply=5"))
    page.page.reload()
    page.until(lambda: page.page.is_visible("#board") and page.ply == 5)
    assert json.loads(page.download("json"))["moves"] == json.loads(good("valaturna"))["moves"]
    page.page.go_back()
    page.until(lambda: page.page.is_visible("#games"))


def test_back_leads_to_the_record_before(page: Shown) -> None:
    page.check("\n".join(map(good, GAMES)))
    at(page, "#/archive/0")
    page.page.click("#record-2")
    at(page, "#/archive/2")
    page.page.go_back()
    page.until(lambda: page.text("#about").startswith("Sundraval"))
    assert page.page.is_visible("#records")
    page.page.reload()
    page.until(lambda: "open them again" in page.text("#problem"))


def test_what_is_not_there_is_told(page: Shown) -> None:
    for address, said in (("#/draft/1-2", "no such draft"), ("#/chess/new", "nothing at this address")):
        page.page.evaluate("address => { location.hash = address }", address)
        page.until(lambda: said in page.text("#problem"))  # noqa: B023
        assert page.page.is_visible("#games")
    page.check(begun())
    assert page.page.is_hidden("#problem")
