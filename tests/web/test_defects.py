"""Defects that people met on the page, each by what it must do instead."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import hexrec
from hexrec.rules import games
from tests.web.conftest import Shown, seen
from tests.web.games import FIXTURES, broken, good
from tests.web.test_entry import begun

Open = Callable[..., Shown]
#: Returns, as a string, the drafts that the browser has stored.
DRAFTS = """() => new Promise((go) => {
    indexedDB.open("hexrec", 1).onsuccess = ({ target: { result } }) => {
        const asked = result.transaction("drafts").objectStore("drafts").getAll();
        asked.onsuccess = () => {
            result.close();
            go(JSON.stringify(asked.result));
        };
    };
})"""


def click(page: Shown, record: str, *names: str) -> None:
    position = hexrec.loads(record).start()
    for name in names:
        page.click_cell(position.board.cells.index(position.names.cells[name]))


def dots(page: Shown) -> int:
    return page.page.locator("#board .next").count()


def test_a_stone_is_placed_on_the_cell_that_the_stack_has_left(page: Shown) -> None:
    record = begun(game="frasvel", size=5, opening={"black": "e3"})
    position = hexrec.loads(record).start()
    chance = random.Random(1)
    turn = None
    while turn is None:
        turns = position.legal_turns()
        turn = next((each for each in turns if re.fullmatch(r"(\w+)-\w+/\1", each)), None)
        if turn is None:
            position.play(chance.choice(turns))
    setup = position.text()
    record = begun(game="frasvel", size=5, setup=setup)
    page.check(record)
    start, landing = turn.split("/")[0].split("-")
    page.until(lambda: dots(page) > 0)
    click(page, record, start, landing)
    page.until(lambda: dots(page) > 0)
    page.moved(lambda: click(page, record, start))
    assert f" {turn}; " in page.text("#caption")


def test_an_opening_that_is_kept_leaves_the_cells_their_dots(page: Shown) -> None:
    for game in ("frasvel", "nadraz"):
        page.page.select_option("#new-game", game)
        page.page.click("#beginnings [type=submit]")
        page.until(lambda: page.text("#opening") == "Keep opening")
        assert dots(page) == 0, game
        page.page.click("#opening")
        page.until(lambda: dots(page) > 0)
        page.page.click("#home")


def test_no_turn_is_offered_while_the_opening_is_set(page: Shown) -> None:
    page.check(begun(game="nadraz", opening={"black": "c3", "white": "e4"}))
    page.page.click("#opening")
    page.click_cell(0)
    page.until(lambda: "White's opening stone" in page.text("#legal-note"))
    assert page.legal() == []
    assert page.page.get_attribute("#cells", "readonly") is not None
    # The second player chooses a color after the opening.
    page.check(begun(game="nadraz", opening={"black": "c3", "white": "e4"}))
    page.page.click("text=Second player takes White")
    page.until(lambda: page.page.input_value("[data-field='pie.chosen']") == "white")
    assert page.legal() == []


GIVE_UP = "() => { const { onclick } = document.getElementById('give-up'); onclick?.(); return true; }"


def test_the_board_stays_where_it_is_when_a_draft_is_kept_and_when_something_goes_wrong(page: Shown) -> None:
    page.check(begun())
    page.play("a1")
    page.check(begun(size=5))
    page.until(lambda: page.page.is_visible("#kept"))
    page.until(lambda: dots(page) > 0)
    before = seen(page.page, "#board")
    page.play("b2")
    assert page.page.is_hidden("#kept")
    assert seen(page.page, "#board") == before
    page.page.route("**/v1/**", lambda route: route.abort())
    page.page.click("#details summary")
    page.page.select_option("[data-field='result.termination']", "resignation")
    page.until(lambda: page.page.is_visible("#away"))
    assert seen(page.page, "#board") == before
    # The explanation is asked for before the record is validated.
    page.until(lambda: page.page.evaluate(GIVE_UP) and page.page.is_visible("#problem"))
    assert seen(page.page, "#board") == before
    page.forgive()


def test_marks_are_drawn_until_another_game_is_opened_and_the_page_says_that_they_are(page: Shown) -> None:
    page.check(begun(moves=["d4"]))
    page.page.select_option("#mark-kind", "cross")
    assert page.text("#legal-note") == "Clicks mark with a cross."
    page.check(begun())
    page.moved(lambda: page.click_cell(0))
    assert hexrec.loads(page.download("json")).moves == ["a1"]
    page.page.select_option("#mark-kind", "circle")
    page.page.click("text=Play turns again")
    page.until(lambda: "legal turns" in page.text("#legal-note"))


def test_a_game_that_somebody_has_resigned_offers_no_turn(page: Shown) -> None:
    page.check(begun(moves=["d4", "a1"], result={"winner": "white", "termination": "resignation"}))
    page.until(lambda: "ended here: White wins (resignation)" in page.text("#legal-note"))
    assert page.text("#caption") == "After ply 2, White a1; White wins (resignation)"
    assert dots(page) == 0
    assert "White wins (resignation)" in page.text("#about")
    lost = {"winner": "white", "termination": "illegal", "illegal": {"turn": "d4", "by": "black"}}
    page.check(begun(moves=["d4", "a1"], result=lost))
    page.until(lambda: "White wins (illegal turn d4)" in page.text("#turns"))
    page.page.fill("#cells", "b2")
    page.page.press("#cells", "Enter")
    page.until(lambda: "ended here" in page.text("#legal-note"))
    assert page.ply == 2
    # The rules have not ended a game that claims nothing else.
    page.check(begun(moves=["d4", "a1"], result={"winner": "white"}))
    page.until(lambda: page.text("#caption") == "After ply 2, White a1; White wins (rules)")
    # In the middle of it, another turn is a variation.
    page.page.click("#back")
    page.until(lambda: dots(page) > 0)
    assert "becomes a variation" in page.text("#legal-note")


def test_two_tabs_with_one_draft_keep_two(page: Shown, opened: Open, site: str) -> None:
    first = page
    first.check(begun())
    first.play("a1")
    first.until(lambda: "a1" in str(first.page.evaluate(DRAFTS)))
    second = opened(site, beside=first)
    second.page.click("#drafts-list button:has-text('Open')")
    second.until(lambda: second.page.is_visible("#board") and second.ply == 1)
    first.play("b2")
    first.until(lambda: "b2" in str(first.page.evaluate(DRAFTS)))
    second.play("c3")
    second.until(lambda: "Another tab" in second.text("#problem"))
    third = opened(site, beside=first)
    third.until(lambda: third.page.locator("#drafts-list li").count() == 2)


def test_the_games_stay_after_a_file_that_cannot_be_read(page: Shown, tmp_path: Path) -> None:
    notes, record = tmp_path / "notes.txt", tmp_path / "game.json"
    notes.write_text("no record", encoding="utf-8")
    record.write_text("{", encoding="utf-8")
    cards = page.page.locator(".game-card:visible")
    page.page.set_input_files("#file", notes)
    page.until(lambda: "no turns were found" in page.text("#problem"))
    assert cards.count() == len(games.names())
    page.page.set_input_files("#file", record)
    page.until(lambda: page.text("#report-title") == "Invalid")
    page.page.click("#home")
    assert cards.count() == len(games.names())


def test_the_wheel_scrolls_the_page_where_it_cannot_step(page: Shown) -> None:
    page.check(good("sunspot"))
    last = page.ply
    page.page.evaluate("document.body.style.paddingBottom = '600px'")
    for width in (768, 1280):
        page.page.set_viewport_size({"width": width, "height": 700})
        page.go_to(last)
        page.page.evaluate("scrollTo(0, 0)")
        page.page.hover("#board")
        page.page.mouse.wheel(0, 200)
        page.until(lambda: page.page.evaluate("scrollY") > 0)


def test_labels_and_crosses_lie_over_dots(page: Shown) -> None:
    page.check(broken("nadraz").read_text(encoding="utf-8"))
    page.until(lambda: dots(page) > 0)
    layers = page.page.locator("#board svg > g").evaluate_all("all => all.map((each) => each.getAttribute('class'))")
    assert layers.index("pointers") < layers.index("marks")
    # The name of a cell is read through its dot.
    opacity = "each => Number(getComputedStyle(each.querySelector('circle') ?? each).fillOpacity)"
    dot = page.page.locator("#board .next:not(.ring)").first
    assert dot.evaluate(opacity) > 0.5
    page.page.select_option("#labels", "all")
    assert dot.evaluate(opacity) < 0.5


def test_flipped_and_flipped_back_differ_and_the_placed_stone_keeps_its_ring(page: Shown) -> None:
    page.check((FIXTURES / "sunspot/valid/stone-just-placed-flipped-back.yaml").read_text(encoding="utf-8"))
    legend = dict(
        page.page.locator("#legend li").evaluate_all(
            "all => all.map((each) => [each.innerText.trim(), each.innerHTML])"
        )
    )
    assert {"placed", "flipped", "flipped back"} <= legend.keys()
    drawn = {re.sub(r"<title>.*?</title>|placed|flipped( back)?", "", each) for each in legend.values()}
    assert len(drawn) == len(legend)
    assert legend["flipped back"].count("<circle") == 2  # a ring in the color of the page, on a stone
    # No ring hides another one: e4 has been placed and flipped back.
    places = "all => all.map((each) => each.getBoundingClientRect()).map(({ x, y, width }) => [x, y, width].join())"
    rings = page.page.locator("#board .marks circle").evaluate_all(places)
    assert len(rings) == len(set(rings)) > 3


def test_all_turns_are_printed_and_no_button(page: Shown) -> None:
    page.check(good("valaturna"))
    page.page.emulate_media(media="print")
    page.until(lambda: page.page.evaluate("document.getElementById('turns').scrollHeight") > 0)
    box, whole = page.page.evaluate("(({clientHeight, scrollHeight}) => [clientHeight, scrollHeight])(turns)")
    assert box >= whole - 1
    assert page.page.locator("button:visible:not(.turn, .told)").count() == 0


def test_stones_are_told_apart_where_the_system_chooses_the_colors(page: Shown) -> None:
    page.page.emulate_media(forced_colors="active")
    page.check(good("sunspot"))
    colors = {
        page.page.locator(f"#turns .turn.{color} .dot").first.evaluate("each => getComputedStyle(each).backgroundColor")
        for color in ("black", "white")
    }
    assert len(colors) == 2
    assert page.page.locator("[aria-current]").evaluate("each => getComputedStyle(each).outlineWidth") == "3px"


def test_a_pass_with_the_mouse_shows_no_cursor_of_the_keyboard(page: Shown) -> None:
    page.check(begun(game="nadraz", setup="4/1bww1/2b1w1/1b1bbw1/1bbbw1/1www1/4 b 0 -"))
    page.until(lambda: page.page.is_visible("#pass"))
    left, top, right, bottom = seen(page.page, "#pass")
    for _ in range(2):
        page.until(lambda: page.page.is_visible("#pass"))
        page.moved(lambda: page.page.click("#pass"))
    page.until(lambda: page.text("#legal-note") == "The game is over.")
    assert page.page.locator("#board .cursor").count() == 0
    # No other button slides under the pointer, which may press once more.
    under = "([x, y]) => document.elementFromPoint(x, y).closest('button') === null"
    assert page.page.evaluate(under, [(left + right) / 2, (top + bottom) / 2])


def test_an_edited_record_names_no_line_of_a_text_that_nobody_sees(page: Shown) -> None:
    page.check(begun(moves=["d4", "d4", "a1"]))
    assert "line 1, column" in page.text("#diagnostics")
    page.go_to(1)
    page.page.fill("#comment", "so")
    page.page.click("#notes-title")
    page.until(lambda: "so" in page.text("#turns"))
    page.until(lambda: "line" not in page.text("#diagnostics .place"))
    assert "ply 2" in page.text("#diagnostics .place")


def test_the_panel_begins_at_its_top_with_another_game(page: Shown) -> None:
    page.check(good("sundraval"))
    page.page.evaluate("panel.scrollTop = 300")
    page.check(json.dumps(json.loads(good("valaturna"))))
    assert page.page.evaluate("panel.scrollTop") == 0


def test_a_board_without_room_has_a_size(page: Shown) -> None:
    page.page.set_viewport_size({"width": 60, "height": 700})
    page.page.evaluate("document.getElementById('coordinates').value = 'axial'")
    page.page.evaluate("document.getElementById('coordinates').dispatchEvent(new Event('change'))")
    page.page.fill("#text", good("sunspot"))
    page.page.evaluate("document.getElementById('form').requestSubmit()")
    page.until(lambda: page.page.locator("#board svg").count() == 1)
    assert all("negative" not in error for error in page.errors)


def test_long_comments_are_shown_as_far_as_somebody_reads(page: Shown) -> None:
    story = "long story " * 20_000
    page.check(begun(moves=[{"turn": "a1", "comment": story}]))
    assert "220,000 characters" in page.text("#turns")
    assert len(page.text("#turns")) < 3_000
    assert page.page.input_value("#comment") == story
    assert json.loads(page.download("json"))["moves"][0]["comment"] == story


def test_a_draft_of_something_else_is_left_alone(page: Shown, site: str) -> None:
    page.check(begun())
    page.play("a1")
    page.until(lambda: "a1" in str(page.page.evaluate(DRAFTS)))
    page.page.evaluate(
        """() => new Promise((go) => {
            indexedDB.open("hexrec", 1).onsuccess = ({ target: { result } }) => {
                const store = result.transaction("drafts", "readwrite").objectStore("drafts");
                for (const other of [{}, { files: [], edits: [] }, { files: "no", edits: {} }]) {
                    store.put({ id: JSON.stringify(other), ...other });
                }
                store.transaction.oncomplete = () => go(result.close());
            };
        })"""
    )
    page.page.goto("about:blank")
    page.page.goto(site)
    page.until(lambda: page.page.locator("#drafts-list li").count() == 1)
    assert page.text("#problem") == ""
