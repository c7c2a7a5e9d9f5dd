"""Records fixed by their structure: a turn entered twice, one left out, two exchanged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from hexrec import formats
from tests.web.conftest import Shown
from tests.web.games import GAMES, good
from tests.web.test_defects import DRAFTS
from tests.web.test_entry import begun
from tests.web.test_records import saved

if TYPE_CHECKING:
    from playwright.sync_api import Route


def moves(page: Shown) -> object:
    page.until(lambda: page.text("#report-title") == "Valid")
    return json.loads(page.download("json"))["moves"]


def test_a_turn_entered_twice_is_removed_alone(page: Shown) -> None:
    page.check(begun(moves=["d4", "d5", "d5", "a1", "b2"]))
    assert page.page.get_attribute("#remove", "title") == "Remove d5"
    page.page.click("#remove")
    assert moves(page) == ["d4", "d5", "a1", "b2"]
    page.page.click("#undo")
    page.until(lambda: page.text("#report-title") == "Invalid")


def test_a_turn_left_out_is_inserted(page: Shown) -> None:
    page.check(begun(moves=["d4", "a1", "b2"]))
    page.go_to(1)
    assert page.page.get_attribute("#insert", "title") == "Insert before a1"
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
    assert page.page.get_attribute("#exchange", "title") == "Exchange d5 and a1"
    page.page.click("#exchange")
    assert moves(page) == ["d4", "a1", {"turn": "d5", "comment": "oh"}]
    page.go_to(1)
    assert page.page.get_attribute("#exchange", "aria-disabled") == "true"


def test_suggestions_are_applied_and_undone(page: Shown) -> None:
    record = json.loads(good("nadraz"))
    twice = [*record["moves"][:10], *record["moves"][9:]]
    page.check(json.dumps({**record, "moves": twice}))
    page.page.wait_for_selector(".suggestions button")
    turn = record["moves"][9]
    assert page.text(".suggestions li") == f"Leave out {turn} Then the whole record is valid."
    page.page.click(".suggestions button")
    page.until(lambda: page.text("#report-title") == "Valid")
    assert page.page.locator(".suggestions").count() == 0
    assert json.loads(page.download("json"))["moves"] == record["moves"]
    page.page.click("#undo")
    page.until(lambda: page.text("#report-title") == "Invalid")
    assert json.loads(page.download("json"))["moves"] == twice
    # One for the whole record comes first.
    stones = record["opening"]
    page.check(json.dumps({**record, "opening": {"black": stones["white"], "white": stones["black"]}}))
    page.page.wait_for_selector(".suggestions button")
    assert page.text(".suggestions li").startswith("Exchange the colors of the opening stones")
    page.page.click(".suggestions button")
    page.until(lambda: page.text("#report-title") == "Valid")
    assert json.loads(page.download("json"))["opening"] == stones
    # A key that is misspelled is renamed in the text.
    text = begun(moves=["d4"]).replace("size", "sise")
    page.check(text)
    page.page.wait_for_selector(".suggestions button")
    assert page.page.input_value("#source-text") == text
    page.page.click(".suggestions button")
    page.until(lambda: page.text("#report-title") == "Valid")
    assert page.page.input_value("#source-text") == text.replace("sise", "size")


def test_a_recorded_result_is_replaced_on_demand_only(page: Shown) -> None:
    """The turns of an invalid game may be wrong, and its result right."""
    record = json.loads(good("nadraz"))
    winner = {"black": "white", "white": "black"}[record["result"]["winner"]]
    twice = [*record["moves"][:10], *record["moves"][9:]]
    claim = {"winner": winner}
    page.check(json.dumps({**record, "moves": twice, "result": claim}))
    page.page.click("#remove")
    page.until(lambda: "the recorded result is" in page.text("#diagnostics"))
    kept = json.loads(page.download("json"))
    assert (kept["moves"], kept["result"]) == (record["moves"], claim)
    page.page.wait_for_selector(".suggestions button")
    computed = record["result"]["winner"]
    assert page.text(".suggestions button") == f"Write the computed result, winner {computed} (was {winner})"
    page.page.click(".suggestions button")
    assert moves(page) == record["moves"]
    assert json.loads(page.download("json"))["result"]["winner"] == computed


def selected(page: Shown) -> str:
    return str(
        page.page.evaluate(
            "(({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))"
            "(document.getElementById('source-text'))"
        )
    )


#: For each format how a record of it is broken: what is replaced by what, and what is selected then.
CUT = {
    "jsonl": ('"size"', 'size"', "size"),
    "yaml": ("game: ", "game ", "r"),
    "sgf": ("GM[", "GM(", "G"),
    "hgn": ('[Size "', "[Size", "["),
}


def test_a_record_that_cannot_be_read_is_mended_in_its_text(page: Shown, tmp_path: Path) -> None:
    records = [{**json.loads(good(game)), "event": "Ω 🏆"} for game in GAMES[:3]]
    for format, (old, new, marked) in CUT.items():
        whole = ["".join(formats.get(format).write([record])) for record in records]
        between = "---\n" if format == "yaml" else "\n" if format == "hgn" else ""
        broken = [whole[0], whole[1].replace(old, new, 1), whole[2]]
        path = tmp_path / f"games.{format}"
        path.write_text(between.join(broken), encoding="utf-8")
        page.page.set_input_files("#file", path)
        page.until(lambda: page.text("#report-title") == "Record 1: Invalid")
        assert page.page.is_hidden("#stage")
        page.until(lambda: page.focused == "source-text")
        assert selected(page).startswith(marked), format
        text = page.page.input_value("#source-text")
        page.replace_text(text.replace(new, old, 1))
        page.page.keyboard.press("Control+Enter")
        page.until(lambda: page.text("#report-title") == "Record 1: Valid")
        assert page.page.is_visible("#stage")
        assert saved(page)[1].decode() == between.join(whole)


def test_a_text_that_is_not_applied_stays_with_its_record(page: Shown) -> None:
    page.check("\n".join([begun(moves=["d4", "d4"]), begun(moves=["d4"])]))
    page.page.click("#source summary")
    text = begun(moves=["d4", "d5"])
    page.replace_text(text)
    page.page.click("#record-1")
    page.until(lambda: page.text("#report-title") == "Record 1: Valid")
    page.page.click("#record-0")
    page.until(lambda: page.text("#report-title") == "Record 0: Invalid")
    page.page.click("#source summary")
    assert page.page.input_value("#source-text") == text
    page.page.click("#apply")
    page.until(lambda: page.text("#report-title") == "Record 0: Valid")
    page.page.click("#restore")
    page.until(lambda: page.text("#report-title") == "Record 0: Invalid")
    assert "d4" in page.page.input_value("#source-text")


def test_a_text_that_is_applied_while_something_else_is_opened_is_kept(page: Shown) -> None:
    held: list[Route] = []
    page.check("\n".join([begun(moves=["d4", "d4"]), begun(moves=["d4"])]))
    page.page.click("#source summary")
    page.replace_text(begun(moves=["d4", "d5"], event="precious"))
    page.page.route("**/v1/list*", lambda route: route.continue_() if held else held.append(route))
    page.page.click("#apply")
    page.until(lambda: bool(held))
    page.check(good("nadraz"))
    held[0].continue_()
    page.until(lambda: "precious" in str(page.page.evaluate(DRAFTS)))
    assert page.text("#about").startswith("Nadraz")


def test_a_lesson_has_no_text_and_no_suggestions(page: Shown) -> None:
    page.check(begun(moves=["d4", "d4"]))
    page.page.wait_for_selector(".suggestions button")
    page.page.evaluate("() => { location.hash = '#/sunspot/lesson/1'; }")
    page.page.wait_for_selector("#lesson-next:visible")
    assert page.page.is_hidden("#source")
    assert page.page.locator(".suggestions").count() == 0


def test_a_file_without_text_is_not_edited(page: Shown, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_bytes(b"PK\0\0")
    page.page.set_input_files("#file", path)
    page.until(lambda: page.text("#report-title") == "Invalid")
    assert page.page.is_hidden("#source")


def test_invalid_records_are_opened_one_after_the_other_and_records_are_found(page: Shown) -> None:
    said: list[dict[str, object]] = [
        {"date": "2026-03-04"},
        {"players": {"black": {"name": "Ada"}}, "event": "Spring Open"},
        {"players": {"white": {"name": "Eva"}}, "event": "Spring Open"},
    ]
    lines = [begun(moves=["d4", *["d4"] * (index > 0)], **each) for index, each in enumerate(said)]
    page.check("\n".join(lines))
    page.until(lambda: page.text("#report-title").startswith("Record 1"))
    for index, key in ((2, "F8"), (1, "F8"), (2, "Shift+F8"), (1, None)):
        page.page.keyboard.press(key) if key else page.page.click("#next-invalid")
        page.until(lambda: page.text("#report-title") == f"Record {index}: Invalid")  # noqa: B023
    for wanted, found in (
        ("eva", 1),
        ("spring", 2),
        ("spring eva", 1),
        ("2026-03", 1),
        ("move/occupied", 2),
        ("bo", 0),
    ):
        page.page.fill("#search", wanted)
        page.until(lambda: page.page.locator(".record").count() == found)  # noqa: B023
    page.page.fill("#search", "")
    page.page.select_option("#status-filter", "valid")
    page.until(lambda: page.page.locator(".record").count() == 1)


def test_dots_can_be_hidden(page: Shown) -> None:
    page.check(begun())
    page.page.select_option("#dots", "hidden")
    page.until(lambda: "legal turns" in page.text("#legal-note"))
    assert page.page.locator("#board .next:visible").count() == 0
    page.page.select_option("#dots", "shown")
    assert page.page.locator("#board .next:visible").count() > 0
