"""How the page looks: what can be asked of it without looking."""

from __future__ import annotations

import json
from pathlib import Path

import hexrec
from hexrec.record.canonical import canonical_form
from tests.web.conftest import Shown
from tests.web.games import good, position_at
from tests.web.test_records import archive, open_file, written

STYLE = "([selector, name]) => getComputedStyle(document.querySelector(selector))[name]"


def choose_theme(page: Shown, theme: str) -> None:
    page.page.evaluate(
        """(theme) => {
        const choice = document.getElementById("theme");
        choice.value = theme;
        choice.dispatchEvent(new Event("change"));
    }""",
        theme,
    )


def test_stones_in_lists_look_the_same_in_both_themes(page: Shown) -> None:
    page.check(good("nadraz"))
    looks = []
    for theme in ("light", "dark"):
        choose_theme(page, theme)
        looks.append(
            [
                page.page.evaluate(STYLE, [f".turn.{color} .dot", name])
                for color in ("black", "white")
                for name in ("backgroundImage", "borderTopColor")
            ]
        )
    assert looks[0] == looks[1]
    assert looks[0][0] != looks[0][2]


def test_the_home_screen_has_the_choices_that_do_something_there(page: Shown) -> None:
    assert page.page.locator("header select:visible").evaluate_all("(all) => all.map((each) => each.id)") == ["theme"]
    page.check(good("sunspot"))
    assert {"coordinates", "labels", "overlay", "dots"} < {
        *page.page.locator("header select:visible").evaluate_all("(all) => all.map((each) => each.id)")
    }


def test_pictures_of_games_follow_the_theme(page: Shown) -> None:
    sources = "(images) => images.map((image) => decodeURIComponent(image.src))"
    seen = {}
    for theme in ("auto", "light", "dark"):
        choose_theme(page, theme)
        seen[theme] = page.page.eval_on_selector_all(".game-card img", sources)
    assert all("@media (prefers-color-scheme: dark)" in picture for picture in seen["auto"])
    assert all("@media not all" in picture for picture in seen["light"])
    assert all("@media all" in picture for picture in seen["dark"])


def test_dots_leave_the_grid_of_an_empty_board_free(page: Shown) -> None:
    page.check(json.dumps({"hexrec": "1", "game": "sunspot", "size": 5, "moves": ["a1"]}))
    page.page.wait_for_selector("#board .next", state="attached")
    assert page.page.evaluate(STYLE, ["#board .next", "opacity"]) == "0"
    page.check(good("nadraz"))
    page.go_to(4)
    page.page.wait_for_selector("#board .next", state="attached")
    assert page.page.evaluate(STYLE, ["#board .next", "opacity"]) == "1"


def test_a_cross_leaves_the_height_of_a_stack_readable(page: Shown) -> None:
    record = canonical_form(hexrec.loads(good("frasvel")))
    position = position_at(hexrec.loads(good("frasvel")), 20)
    height, cell = max((stack.height, name) for name, stack in position.stones.items())
    assert height > 1
    page.check(
        json.dumps(
            {name: value for name, value in record.items() if name != "result"}
            | {"moves": [*record["moves"][:20], cell]}
        )
    )
    page.page.wait_for_selector("#board .marks .illegal", state="attached")
    # Above the cross, which is drawn before it.
    texts = page.page.locator("#board .marks > *").evaluate_all("(all) => all.map((each) => each.textContent)")
    assert texts[-2:] == ["", str(height)]


def test_the_record_that_is_shown_is_in_sight_in_the_list(page: Shown, tmp_path: Path) -> None:
    page.page.set_viewport_size({"width": 1024, "height": 768})
    open_file(page, tmp_path / "games.jsonl", written("jsonl", archive(20, 17)))
    page.until(lambda: page.page.locator(".record[aria-selected=true]").count() == 1)

    def is_in_sight() -> bool:
        return bool(
            page.page.evaluate("""() => {
            const box = document.getElementById("records-list").getBoundingClientRect();
            const row = document.querySelector(".record[aria-selected=true]").getBoundingClientRect();
            return row.top >= box.top - 2 && row.bottom <= box.bottom + 2;
        }""")
        )

    page.until(is_in_sight)
    board = page.page.locator("#board").bounding_box()
    assert board
    assert board["y"] + board["height"] * 0.75 < 768
