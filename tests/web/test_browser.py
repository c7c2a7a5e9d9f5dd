"""The page as people use it: paste, look, step, click, play on, save, come back through a link."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

import hexrec
from hexrec.render import svg
from hexrec.render.theme import Style
from hexrec.render.views import view_of
from tests.properties import sample
from tests.web.conftest import Shown
from tests.web.games import FIXTURES, GAMES, TWO, broken, canonical, good, position_at, reports, standing

if TYPE_CHECKING:
    from playwright.sync_api import Route

Open = Callable[..., Shown]


def test_a_good_game_is_shown_at_its_end(page: Shown) -> None:
    record = hexrec.loads(good("valaturna"))
    page.page.fill("#text", good("valaturna"))
    page.page.click("text=Check")
    page.page.wait_for_selector("#report-title:focus")
    assert page.text("#report-title") == "Valid"
    assert page.text("#live") == "Valid."
    assert page.text("#about") == f"{record.rules.title} on size {record.size}" + (
        f" ({record.variant})" if record.variant else ""
    )
    assert page.text("#diagnostics") == ""
    assert page.ply == len(record.moves)
    assert standing(position_at(record)) in page.board
    outcome = position_at(record).result()
    assert outcome is not None
    assert f"{str(outcome.winner).capitalize()} wins" in page.text("#caption")
    assert page.page.locator("#turns [aria-current]").count() == 1


def test_a_broken_game_is_shown_where_it_broke(page: Shown) -> None:
    for game in TWO:
        (report,) = reports(broken(game), "yaml")
        (error,) = report.errors
        assert report.record is not None
        assert error.ply is not None
        assert error.turn is not None
        page.check(broken(game).read_text(encoding="utf-8"))
        assert page.text("#report-title") == "Invalid"
        diagnostic = page.text("#diagnostics")
        for said in (error.code, error.message, f"line {error.line}, column {error.column}", f"ply {error.ply}"):
            assert said in diagnostic
        assert page.ply == error.ply - 1
        assert page.text("#caption").endswith(f"{error.turn} is illegal here")
        position = position_at(report.record, error.ply - 1)
        assert standing(position) in page.board
        # Each cell that the turn names is crossed out.
        named = {cell for name, cell in position.names.cells.items() if name in re.findall(r"[a-z]\d+", error.turn)}
        assert page.page.locator("#board .illegal").count() >= len(named) > 0
        assert page.page.locator("#turns .illegal").count() == 1
        page.page.click("#first")
        page.page.click("#diagnostics button")
        assert page.ply == error.ply - 1
        page.page.click("#first")
        page.page.click("#turns .illegal")
        assert page.ply == error.ply - 1


def test_stepping_by_buttons_and_keys(page: Shown) -> None:
    record = hexrec.loads(good("valaturna"))
    page.check(good("valaturna"))
    last = len(record.moves)

    def at(ply: int) -> None:
        assert page.ply == ply
        assert standing(position_at(record, ply)) in page.board

    page.page.click("#first")
    at(0)
    assert page.text("#live") == "Before the first turn; Black to play"
    assert page.page.is_disabled("#back")
    page.page.click("#forward")
    at(1)
    assert page.text("#live") == page.text("#caption")
    page.page.click("#last")
    at(last)
    page.page.click("#back")
    at(last - 1)
    page.go_to(last // 2)
    at(last // 2)
    page.page.click(f"#turns button:has-text('{record.turns[2]}') >> nth=0")
    at(record.turns.index(record.turns[2]) + 1)
    keys = page.page.keyboard
    page.page.focus("#first")
    keys.press("Home")
    assert page.ply == 0
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    keys.press("ArrowLeft")
    assert page.ply == 1
    keys.press("End")
    assert page.ply == last
    assert page.focused == "first"
    page.page.focus("#cells")
    keys.press("ArrowLeft")
    assert page.ply == last


#: Lets the test say when the page steps on, which would do so by the clock.
TICK = "() => { window.setInterval = (step) => { window.tick = step; return -1; }; }"


def test_playing_goes_on_by_itself_and_begins_anew_after_the_end(page: Shown) -> None:
    page.check(good("nadraz"))
    page.page.evaluate(TICK)
    last = page.ply
    page.go_to(last - 2)
    page.page.focus("#play")
    page.page.keyboard.press(" ")
    assert page.text("#play") == "Pause"
    for ply, said in ((last - 1, "Pause"), (last, "Play")):
        page.page.evaluate("tick()")
        assert (page.ply, page.text("#play")) == (ply, said)
    page.page.keyboard.press(" ")
    assert (page.ply, page.text("#play")) == (0, "Pause")
    page.page.click("#play")
    assert page.text("#play") == "Play"


def test_playing_on_makes_a_variation(page: Shown) -> None:
    record = hexrec.loads(good("valaturna"))
    page.check(good("valaturna"))
    page.go_to(4)
    position = position_at(record, 4)
    turn = next(turn for turn in position.legal_turns() if turn not in (record.turns[4], "pass"))
    page.play(turn)
    position.play(turn)
    reply = next(turn for turn in position.legal_turns() if turn != "pass")
    page.play(reply)
    position.play(reply)
    assert page.ply == 6
    assert standing(position) in page.board
    saved = hexrec.loads(page.download("json"))
    move = saved.moves[4]
    assert isinstance(move, dict)
    assert (move["turn"], move["variations"]) == (record.turns[4], [[turn, reply]])
    assert saved.turns == record.turns
    # The same turn again is the same variation, and the turn of the game is the game.
    page.go_to(4)
    page.play(turn)
    assert page.ply == 5
    page.go_to(4)
    page.play(record.turns[4])
    assert hexrec.loads(page.download("json")) == saved
    assert standing(position_at(record, 5)) in page.board


def test_a_variation_of_a_variation_comes_back_through_the_link(page: Shown, opened: Open) -> None:
    record = {
        "hexrec": "1",
        "game": "sunspot",
        "size": 4,
        "moves": ["d4", {"turn": "d5", "variations": [["a1", "a2"]]}],
    }
    page.check(json.dumps(record))
    page.page.click(".variation button:has-text('a1')")
    page.play("b3")
    first, second = page.page.locator(".variation").all_inner_texts()
    assert "b3" in first
    assert "b3" in second
    link = page_link(page)
    again = opened(link, beside=page)
    again.page.wait_for_selector("#shown:not([hidden])")
    assert again.text("#caption") == page.text("#caption") == "After ply 3, Black b3; White to play"
    # A line that is not there is not shown.
    again = opened(link.partition("&line")[0] + "&line=3.7", beside=page)
    again.page.wait_for_selector("#shown:not([hidden])")
    assert again.ply == 0


def test_a_game_is_begun_and_played_on(page: Shown) -> None:
    page.page.select_option("#new-game", "sunspot")
    page.page.click("#beginnings [type=submit]")
    page.page.wait_for_selector("#report-title:focus")
    assert page.ply == 0
    page.play("a1")
    page.play("a2")
    assert hexrec.loads(page.download("yaml"), format="yaml").moves == ["a1", "a2"]
    # From a position, too.
    page.page.click("#home")
    page.page.fill("#position", "1w2/5/2b*2w3/7/6/5/4 w 0")
    page.page.select_option("#new-game", "valaturna")
    page.page.click("#beginnings [type=submit]")
    page.until(lambda: "should have 6 cells (column 7 of the setup)" in page.text("#problem"))
    page.errors.clear()  # that the server has refused the text
    page.page.fill("#position", " 1w2/5/2b*2w2/7/6/5/4 w 0 ")
    page.page.select_option("#new-game", "valaturna")
    page.page.click("#beginnings [type=submit]")
    page.page.wait_for_selector("#report-title:focus")
    assert page.text("#caption") == "Before the first turn; White to play"
    page.play("g1")
    assert page.text("#caption") == "After ply 1, White g1; Black to play"
    saved = hexrec.loads(page.download("yaml"), format="yaml")
    assert (saved.setup, saved.size, saved.moves) == ("1w2/5/2b*2w2/7/6/5/4 w 0", 4, ["g1"])
    page.page.fill("#cells", "c2")
    page.until(lambda: "for Black with c2" in page.text("#legal-note"))


def test_downloads(page: Shown) -> None:
    page.check(good("nadraz"))
    options = page.page.locator("#format option")
    formats = options.evaluate_all("options => options.map((option) => option.value)")
    assert formats[-3:] == ["svg", "png", "gif"]
    for name in set(formats) - {"svg", "png", "gif", "abstractplay"}:
        assert canonical(page.download(name), name) == canonical(good("nadraz")), name
    drawn = ElementTree.fromstring(page.download("svg"))
    assert drawn.tag == "{http://www.w3.org/2000/svg}svg"
    assert ".hexrec-auto .black" in "".join(drawn.itertext())
    assert not drawn.findall(".//*[@class='hit']")


def test_the_board_is_drawn_as_in_pictures(page: Shown) -> None:
    for number, game in enumerate(GAMES):
        record = hexrec.loads(good(game))
        page.check(good(game))
        places = [(len(record.moves), "none"), (len(record.moves) - 3, "ends"), (5, "all")] * 2
        for ply, labels in sample(places[number % 3 : number % 3 + 3], 3):
            page.page.select_option("#labels", labels)
            page.go_to(ply)
            style = Style(labels=labels, caption=False)  # type: ignore[arg-type]
            assert_same_shapes(page.download("svg"), svg(view_of(record, ply), style), (game, ply))


def test_marks_of_the_record_are_drawn_as_in_pictures(page: Shown) -> None:
    text = (FIXTURES / "valaturna/valid/marks-of-every-kind.yaml").read_text(encoding="utf-8")
    record = hexrec.loads(text, "yaml")
    page.check(text)
    for ply, said in ((0, "Green arrow (threat): c1 to c4"), (1, "label here: a1")):
        page.go_to(ply)
        assert_same_shapes(page.download("svg"), svg(view_of(record, ply), Style(caption=False)))
        assert said in page.board
        assert said in page.text("#legend")
    page.go_to(2)
    assert "circle" not in page.text("#legend")


#: Keeps the addresses that a page takes.
ADDRESSES = """
    window.addresses = [];
    const replace = history.replaceState;
    history.replaceState = function (state, unused, address) {
        if (address) window.addresses.push(String(address));
        return replace.call(this, state, unused, address);
    };
"""


def test_the_link_holds_the_game(page: Shown, opened: Open, site: str) -> None:
    page.check(good("nadraz"))
    page.go_to(3)
    link = page_link(page)
    page.page.reload()
    page.page.wait_for_selector("#shown:not([hidden])")
    again = opened("about:blank")
    # The place in the address stays the same while it is opened, so a reload leads there at any time.
    again.page.add_init_script(ADDRESSES)
    again.page.goto(link)
    again.page.wait_for_selector("#shown:not([hidden])")
    again.until(lambda: again.ply == 3)
    assert all("&ply=3" in address for address in again.page.evaluate("window.addresses"))
    for shown in (page, again):
        assert shown.ply == 3
        assert standing(position_at(hexrec.loads(good("nadraz")), 3)) in shown.board
        assert canonical(shown.download("json")) == canonical(good("nadraz"))
    # Nothing is stored, and the game is in no address that a server sees but in the bodies sent to be checked.
    assert again.page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]") == [0, 0, ""]
    services = ("replay?drawing=false", "explain")
    asked = {f"{site}/v1/{each}" for each in services}
    files = {f"{site}/", f"{site}/page.css", f"{site}/page.js", *asked}
    assert {request.partition("#")[0] for request in again.requests if request.startswith("http")} <= files


def test_a_damaged_link(page: Shown, site: str) -> None:
    for code in ("AAAA", "%00", "x", "eJw"):
        page.page.goto("about:blank")
        page.page.goto(f"{site}/#game={code}")
        page.page.wait_for_selector("#problem:not([hidden])")
        assert page.text("#problem") == "The link is damaged: it holds no game.", code


def test_coordinates(page: Shown) -> None:
    record = hexrec.loads(good("frasvel"))
    page.check(good("frasvel"))
    position = position_at(record)
    for system in ("skew", "axial", "row"):
        page.page.select_option("#coordinates", system)
        assert standing(position, system) in page.board
        names, cells = position.board.names(system).names, position.board.cells
        # The names are written from the top row on, and those of the first cells are at the bottom.
        label = page.page.locator("#board text.label").all_text_contents()[-2]
        assert label == names[cells[0]].strip("()")
    page.page.select_option("#coordinates", "axial")
    start = position.names.cells[record.turns[0]]
    assert position.board.names("axial").names[start] in page.text("#turns")


def test_a_record_is_shown_in_its_own_coordinates_until_others_are_chosen(page: Shown) -> None:
    skew = '{"hexrec": "1", "game": "sunspot", "size": 4, "coordinates": "skew", "moves": ["d4", "e4"]}'
    page.check(skew)
    assert page.text("#caption") == "After ply 2, White e4; Black to play"
    page.page.select_option("#coordinates", "row")
    page.check(skew)
    assert page.text("#caption") == "After ply 2, White d5; Black to play"
    page.page.click("#back")
    page.play("c3")
    assert hexrec.loads(page.download("json")).moves[1]["variations"] == [["c3"]]  # type: ignore[index]


def test_themes(page: Shown) -> None:
    page.check(good("valaturna"))
    for system in ("light", "dark"):
        page.page.emulate_media(color_scheme=system)
        grounds = {}
        for theme in ("auto", "light", "dark"):
            page.page.select_option("#theme", theme)
            grounds[theme] = page.page.evaluate(
                "[getComputedStyle(document.body).backgroundColor,"
                " getComputedStyle(document.querySelector('#board .ledge')).fill]"
            )
        assert grounds["light"] != grounds["dark"]
        assert grounds["auto"] == grounds[system]


def test_files_are_opened_and_dropped(page: Shown, tmp_path: Path) -> None:
    path = tmp_path / "game.json.gz"
    path.write_bytes(gzip.compress(good("sunspot").encode()))
    page.page.set_input_files("#file", path)
    page.page.wait_for_selector("#report-title:focus")
    assert page.text("#about").startswith("Sunspot")
    transfer = page.page.evaluate_handle(
        "text => { const made = new DataTransfer(); made.items.add(new File([text], 'a.yaml')); return made; }",
        broken("nadraz").read_text(encoding="utf-8"),
    )
    page.page.dispatch_event("body", "drop", {"dataTransfer": transfer})
    page.page.wait_for_selector("#report.invalid")
    assert page.text("#about").startswith("Nadraz")


def test_what_the_server_refuses_is_told(page: Shown) -> None:
    """A problem of the request itself; the browser notes the status, the page says what it means."""
    page.check(good("sunspot"))
    problem = {"type": "urn:hexrec:problem:body-too-large", "status": 413, "detail": "a body may have at most 9 bytes"}
    page.page.route("**/v1/list*", lambda route: route.fulfill(status=413, json=problem))
    page.page.click("#home")
    page.page.click("text=Check")
    page.page.wait_for_selector("#problem:not([hidden])")
    assert page.text("#problem") == "The text is not listed from record 0 on: a body may have at most 9 bytes."
    page.page.unroute("**/v1/list*")
    assert [error for error in page.errors if "413" not in error] == []
    page.errors.clear()


def test_what_is_no_record_is_told(page: Shown) -> None:
    page.check('{"hexrec": "1", "game": "sunspot"}')
    assert "schema/missing-field" in page.text("#diagnostics")
    assert page.page.is_hidden("#stage")
    assert page.page.is_hidden("#save")
    page.check('{"hexrec": "1", "game": ')
    assert "syntax/" in page.text("#diagnostics")
    page.page.click("#home")
    page.page.fill("#text", "  ")
    page.page.click("text=Check")
    assert page.text("#problem").startswith("There is no record to check")


def test_a_server_that_does_not_answer(page: Shown) -> None:
    held: list[Route] = []
    page.page.route(
        "**/v1/replay*", lambda route: route.abort() if page.page.is_hidden("#away") else held.append(route)
    )
    page.page.fill("#text", good("sunspot"))
    page.page.click("text=Check")
    page.page.wait_for_selector("#away:not([hidden])")
    # Whoever gives up while it is asked again is heard, too.
    page.page.evaluate("dispatchEvent(new Event('online'))")
    page.until(lambda: bool(held))
    page.page.click("#give-up")
    held[0].abort()
    page.page.wait_for_selector("#problem:not([hidden])")
    assert page.text("#problem") == "The server does not answer."
    page.page.unroute("**/v1/replay*")
    page.check(good("sunspot"))
    assert page.page.is_hidden("#problem")
    assert [error for error in page.errors if "net::ERR_FAILED" not in error] == []
    page.errors.clear()


def test_texts_of_a_record_are_texts(page: Shown) -> None:
    evil = "<img src=x onerror=alert(1)></script><script>alert(2)</script>"
    move = {"turn": "d4", "comment": evil}
    page.check(
        json.dumps({"hexrec": "1", "game": "sunspot", "size": 4, "event": evil, "comment": evil, "moves": [move]})
    )
    assert evil in page.text("#about")
    assert evil in page.text("#turns")
    assert page.page.locator("#shown img, #shown script").count() == 0


def test_nothing_is_wider_than_a_phone(opened: Open, site: str) -> None:
    page = opened(site, 390, 700, has_touch=True, is_mobile=True)
    page.check(good("frasvel"))
    page.page.click("#view summary")
    page.page.select_option("#coordinates", "axial")
    for width in (390, 320):
        page.page.set_viewport_size({"width": width, "height": 700})
        assert page.page.evaluate("document.documentElement.scrollWidth") <= width
        # Whatever is to be touched is large enough for a finger (WCAG 2.5.8).
        small = page.page.evaluate(
            "[...document.querySelectorAll('button, select, input')].filter((each) => each.offsetParent)"
            ".filter((each) => each.offsetWidth < 24 || each.offsetHeight < 24).map((each) => each.id)"
        )
        assert small == []


def page_link(page: Shown) -> str:
    page.page.click("#link")
    page.until(lambda: "now holds the game" in page.text("#save-note"))
    return str(page.page.url)


def shapes(drawn: str) -> dict[tuple[str, ...], list[list[float]]]:
    """Return the numbers of what is drawn, in any order: by element, class and text, each where it is put."""
    found: dict[tuple[str, ...], list[list[float]]] = {}

    def walk(element: Element, across: float, down: float) -> None:
        if moved := re.findall(r"-?[\d.]+", element.get("transform", "")):
            across, down = across + float(moved[0]), down + float(moved[1])
        name = element.tag.rpartition("}")[2]
        if name in ("circle", "polygon", "path", "rect", "text"):
            pairs = re.findall(r"(-?[\d.]+),(-?[\d.]+)", element.get("points", "") + element.get("d", ""))
            pairs += [(element.get(x), element.get(y)) for x, y in (("cx", "cy"), ("x", "y")) if element.get(x)]
            places = [value for x, y in pairs for value in (float(x) + across, float(y) + down)]
            sizes = [float(element.get(key, 0)) for key in ("r", "width", "height")]
            key = (name, element.get("class", ""), element.text or "", element.get("text-anchor", ""))
            found.setdefault(key, []).append([*places, *sizes])
        for child in element:
            walk(child, across, down)

    walk(ElementTree.fromstring(drawn), 0, 0)
    return found


def assert_same_shapes(one: str, other: str, case: object = None) -> None:
    """Check that each shape of one drawing is in the other, up to the last decimal."""
    these, those = shapes(one), shapes(other)
    assert these.keys() == those.keys(), case
    for key, numbers in these.items():
        rest = list(those[key])
        assert len(numbers) == len(rest), (case, key)
        for each in numbers:
            rest.remove(next(same for same in rest if same == pytest.approx(each, abs=0.02)))
