"""Records fixed by their structure: a turn entered twice, one left out, two exchanged."""

from __future__ import annotations

import json

from tests.web.conftest import Shown
from tests.web.test_entry import begun


def moves(page: Shown) -> object:
    page.until(lambda: page.text("#verdict-title") == "Valid")
    return json.loads(page.download("json"))["moves"]


def test_a_turn_entered_twice_is_removed_alone(page: Shown) -> None:
    page.check(begun(moves=["d4", "d5", "d5", "a1", "b2"]))
    assert page.text("#remove") == "Remove d5"
    page.page.click("#remove")
    assert moves(page) == ["d4", "d5", "a1", "b2"]
    page.page.click("#undo")
    page.until(lambda: page.text("#verdict-title") == "Invalid")


def test_a_turn_left_out_is_inserted(page: Shown) -> None:
    page.check(begun(moves=["d4", "a1", "b2"]))
    page.go_to(1)
    assert page.text("#insert") == "Insert before a1"
    page.page.click("#insert")
    page.until(lambda: "It is inserted here." in page.text("#legal-note"))
    page.play("d5")
    assert moves(page) == ["d4", "d5", "a1", "b2"]
    assert page.page.get_attribute("#insert", "aria-pressed") == "false"
    # The next turn is a variation again.
    page.play("c3")
    assert moves(page) == ["d4", "d5", {"turn": "a1", "variations": [["c3"]]}, "b2"]


def test_two_turns_are_exchanged(page: Shown) -> None:
    page.check(begun(moves=["d4", {"turn": "d5", "comment": "oh"}, "a1"]))
    assert page.text("#exchange") == "Exchange d5 and a1"
    page.page.click("#exchange")
    assert moves(page) == ["d4", "a1", {"turn": "d5", "comment": "oh"}]
    page.go_to(1)
    assert page.page.get_attribute("#exchange", "aria-disabled") == "true"


def test_invalid_records_are_opened_one_after_the_other_and_players_are_found(page: Shown) -> None:
    players = [{}, {"black": {"name": "Ada"}}, {"white": {"name": "Eva"}}]
    lines = [begun(moves=["d4", *["d4"] * (index > 0)], players=each) for index, each in enumerate(players)]
    page.check("\n".join(lines))
    page.until(lambda: page.text("#verdict-title").startswith("Record 1"))
    for index in (2, 1):
        page.page.click("#next-invalid")
        page.until(lambda: page.text("#verdict-title") == f"Record {index}: Invalid")  # noqa: B023
    page.page.fill("#search", "eva")
    page.until(lambda: page.page.locator(".record").count() == 1)
    assert "Eva" in page.text(".record")


def test_dots_can_be_hidden(page: Shown) -> None:
    page.page.select_option("#dots", "hidden")
    page.check(begun())
    page.until(lambda: "legal turns" in page.text("#legal-note"))
    assert page.page.locator("#board .next:visible").count() == 0
    page.page.select_option("#dots", "shown")
    assert page.page.locator("#board .next:visible").count() > 0
