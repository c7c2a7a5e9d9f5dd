"""`<hexrec-board>` on a page that has nothing else: what it shows, plays and tells."""

from __future__ import annotations

import json
import os
import re
import tarfile
from collections.abc import Callable, Iterator
from functools import cache
from html import escape
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
import yaml

import hexrec
from hexrec.record.canonical import canonical_form
from hexrec.rules import games
from hexrec.web.scripts import link
from tests.fixtures import FIXTURES
from tests.properties import FACTOR, sample
from tests.web.conftest import Shown
from tests.web.games import TWO, good
from tests.web.test_accessibility import axe, faults

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

__all__ = ["axe"]

ROOT = FIXTURES.parent.parent
HOST = "http://board.test"
#: Collects the events of all boards.
LISTEN = """
window.heard = [];
for (const board of document.querySelectorAll("hexrec-board")) {
  for (const name of ["load", "ply", "turn", "error"]) {
    board.addEventListener(name, ({ detail }) => window.heard.push([board.id, name, detail]));
  }
}
"""
#: A function of the shadow tree of a board, by its id.
WITHIN = "([id, selector]) => document.getElementById(id).shadowRoot.querySelector(selector)"


@cache
def script() -> str:
    """Return the module, that of the packed file if HEXREC_PACKAGE names it."""
    if packed := os.environ.get("HEXREC_PACKAGE"):
        with tarfile.open(packed) as archive:
            member = archive.extractfile("package/hexrec-board.js")
            assert member
            return member.read().decode()
    return link("component")


class Boards:
    """A page with boards."""

    def __init__(self, page: Page, shown: Shown) -> None:
        self.page = page
        self.shown = shown

    def get(self, name: str, board: str = "board") -> Any:
        return self.page.evaluate("([id, name]) => document.getElementById(id)[name]", [board, name])

    def text(self, selector: str, board: str = "board") -> str:
        return str(self.page.evaluate(f"(given) => ({WITHIN})(given).textContent", [board, selector]))

    def press(self, cell: int, board: str = "board", **options: Any) -> None:
        self.page.locator(f"#{board} [data-cell='{cell}']").click(**options)

    def button(self, name: str, board: str = "board") -> None:
        self.page.locator(f"#{board}").get_by_role("button", name=name, exact=True).click()

    @property
    def heard(self) -> list[list[Any]]:
        return list(self.page.evaluate("window.heard"))

    def ready(self, board: str = "board") -> None:
        ready = "(id) => { const b = document.getElementById(id); return b.record !== null || b.error !== null; }"
        self.page.wait_for_function(ready, arg=board)


@pytest.fixture
def boards(window: Page) -> Iterator[Callable[..., Boards]]:
    """Show a body of HTML with the module, and files by name. In the end, nothing may have complained."""
    pages: list[Shown] = []

    def show(body: str, **files: str) -> Boards:
        document = f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A page</title></head>
            <body><main>{body}</main><script type="module">{LISTEN}</script>
            <script type="module" src="hexrec-board.js"></script></body></html>"""
        known = {"": ("text/html", document), "hexrec-board.js": ("text/javascript", script())}
        known |= {name.replace("_", "."): ("text/plain", text) for name, text in files.items()}

        def answer(route: Route) -> None:
            kind, text = known.get(route.request.url.removeprefix(f"{HOST}/"), ("", None))
            if text is None:
                route.fulfill(status=404)
            else:
                route.fulfill(content_type=f"{kind}; charset=utf-8", body=text)

        window.route(f"{HOST}/**", answer)
        shown = Shown(window)
        pages.append(shown)
        window.goto(f"{HOST}/")
        return Boards(window, shown)

    window.unroute_all()
    window.set_viewport_size({"width": 1280, "height": 800})
    yield show
    window.unroute_all()
    for shown in pages:
        shown.leave()
    # A browser says by itself that a file is not there.
    assert [error for shown in pages for error in shown.errors if "404" not in error] == []


def element(record: object = None, /, **attributes: object) -> str:
    """Return the element with a record in it."""
    named = {"id": "board", **attributes}
    written = " ".join(f'{name}="{escape(str(value))}"' for name, value in named.items())
    content = "" if record is None else f'<script type="application/json">{json.dumps(record)}</script>'
    return f"<hexrec-board {written}>{content}</hexrec-board>"


def whole_game(name: str) -> dict[str, Any]:
    """Return a short game that the rules end."""
    game = games.get(name)
    rng = Random(11)
    position = game.start(size=game.sizes[0], opening=game.random_opening(rng, game.sizes[0]) or None)
    opening = {stone.color: cell for cell, stone in position.stones.items()}
    position.playout(rng)
    record: dict[str, Any] = {"hexrec": "1", "game": name, "size": game.sizes[0], "moves": position.turns}
    return record | ({"opening": opening} if opening else {})


def test_a_file_is_shown_and_stepped_through(boards: Callable[..., Boards]) -> None:
    record = canonical_form(hexrec.loads(good("sunspot")))
    page = boards(element(src="game.json", controls=""), game_json=json.dumps(record))
    page.ready()
    assert page.heard[0][1] == "load"
    plies = len(record["moves"])
    assert (page.get("ply"), page.get("plies"), page.get("error")) == (plies, plies, None)
    assert " wins" in page.text("#caption")
    assert "loop" in page.text("#legend")
    page.button("First position")
    assert page.text("#caption") == "Before the first turn; Black to play"
    page.button("Forward")
    assert page.text("#caption").startswith("After ply 1, Black ")
    name, detail = page.heard[-1][1:]
    assert (name, detail["ply"], detail["turn"], detail["toPlay"]) == ("ply", 1, record["moves"][0], "white")
    page.page.evaluate("document.getElementById('board').setAttribute('ply', '3')")
    assert page.get("ply") == 3
    page.page.locator("#board #slider").fill("2")
    assert page.get("turns") == record["moves"][:2]


@pytest.mark.parametrize("name", TWO if FACTOR == 1 else games.BUILT_IN)
def test_whole_games_by_clicks(boards: Callable[..., Boards], name: str) -> None:
    """A click on each part of each turn records the game, whatever was undone in between."""
    record = whole_game(name)
    turns = record.pop("moves")
    game = games.get(name)
    position = game.start(size=record["size"], opening=record.get("opening"))
    page = boards(element(record, playable=""))
    page.ready()
    numbers = {cell: number for number, cell in enumerate(position.board.cells)}
    rng = Random(5)

    def enter(parts: tuple[tuple[int, ...], ...]) -> None:
        if not parts:
            page.button("Pass")
        for chosen in parts:
            page.press(numbers[rng.choice(chosen)])
        if page.get("ply") == position.plies:  # a longer turn begins with the same parts
            page.press(numbers[parts[-1][0]])

    for turn in turns:
        parts = next(parts for each, parts, _ in position.after_turns() if each == turn)
        if rng.random() < 0.2:
            enter(parts)
            page.button("Undo")
            assert page.get("position") == position.text()
        enter(parts)
        position.play(turn)
        assert page.get("position") == position.text(), turn
    assert page.get("turns") == turns
    told = [detail for _, event, detail in page.heard if event == "turn"]
    result = position.result()
    assert result is not None
    assert told[-1]["result"]["winner"] == result.winner
    assert told[-1]["record"]["moves"] == turns


def test_errors_of_turns_are_those_of_hexrec(boards: Callable[..., Boards]) -> None:
    """Each fixture with a broken rule has its code, its ply and a sentence on the board."""
    given: list[tuple[Any, str, int | None]] = []
    for path in sample(sorted(FIXTURES.glob("*/invalid/*.yaml")), 6):
        code = path.stem.partition("~")[0].replace(".", "/", 1)
        if not code.startswith(("move/", "opening/", "setup/")):
            continue
        (report,) = hexrec.check(path)
        (first, *_) = [each for each in report.diagnostics if each.severity == "error"]
        if report.record is not None and report.record.game in games.BUILT_IN:
            given.append((yaml.safe_load(path.read_text(encoding="utf-8")), first.code, first.ply))
    assert len(given) > 20
    page = boards("<hexrec-board id='board'></hexrec-board>")
    for record, code, ply in given:
        page.page.evaluate(
            "(record) => { document.getElementById('board').record = record; }", json.dumps(record, default=str)
        )
        error = page.get("error")
        assert (error["code"], error.get("ply")) == (code, ply), record
        shown = page.text("#error")
        assert f"({code})" in shown
        if ply is not None:
            assert f"Ply {ply}, " in shown
        assert [event for _, event, _ in page.heard[-2:]][-1] == "error"


@pytest.mark.parametrize(
    ("attributes", "code"),
    [
        ({"record": "{"}, "syntax/json"),
        ({"record": '{"game": "go"}'}, "schema/unknown-game"),
        ({"record": '{"game": "sunspot", "size": 99}'}, "schema/value"),
        ({"record": '{"game": "sunspot", "size": "9"}'}, "schema/type"),
        ({"record": '{"game": "sunspot", "moves": [1]}'}, "schema/turn"),
        ({"record": '{"game": "nadraz"}'}, "schema/value"),
        ({"src": "missing.json"}, "load"),
    ],
)
def test_what_is_no_game_is_said(boards: Callable[..., Boards], attributes: dict[str, str], code: str) -> None:
    page = boards(element(**attributes).replace("></", ">A game of mine</"))
    page.page.wait_for_function("document.getElementById('board').error")
    assert page.get("error")["code"] == code
    assert f"({code})" in page.text("#error")
    assert page.page.get_by_text("A game of mine").is_visible()


def test_other_formats_by_a_service(boards: Callable[..., Boards], window: Page, site: str) -> None:
    """The page of the test asks the service on another host: it answers for it."""
    sgf = hexrec.dumps(hexrec.loads(good("valaturna")), "sgf")
    asked: list[str] = []

    def convert(route: Route) -> None:
        asked.append(route.request.url)
        url = route.request.url.replace("http://service.test", site)
        headers = {name: value for name, value in route.request.headers.items() if name != "origin"}
        answer = route.fetch(url=url, headers=headers)
        route.fulfill(response=answer, headers={**answer.headers, "access-control-allow-origin": "*"})

    window.route("http://service.test/**", convert)
    page = boards(element(src="game.sgf", server="http://service.test/"), game_sgf=sgf)
    page.ready()
    assert page.get("error") is None
    assert page.get("record")["game"] == "valaturna"
    assert asked == ["http://service.test/v1/convert?to=json"] * len(asked)
    without = boards(element(src="game.sgf"), game_sgf=sgf)
    without.page.wait_for_function("document.getElementById('board').error")
    assert without.get("error")["code"] == "syntax/json"


def test_another_turn_than_that_of_the_record(boards: Callable[..., Boards]) -> None:
    record = {"game": "sunspot", "size": 4, "moves": ["d4", "e4", "c3"], "result": {"winner": "black"}}
    page = boards(element(record, playable="", controls="", ply=1))
    page.ready()
    numbers = {name: number for number, name in enumerate(cells(4))}
    page.press(numbers["e4"])
    assert (page.get("ply"), page.get("plies")) == (2, 3)
    page.press(numbers["a1"])
    assert (page.get("turns"), page.get("plies")) == (["d4", "e4", "a1"], 3)
    assert "result" not in page.get("record")
    page.press(numbers["a2"], click_count=2)
    assert page.get("turns")[-1] == "a2"
    page.button("Undo")
    page.button("Back to the record")
    assert (page.get("ply"), page.get("record")["moves"]) == (2, record["moves"])
    page.press(numbers["d4"])
    assert page.text("#note") == "d4: A stone is placed on a cell that is not empty. (move/occupied)"
    page.page.evaluate("document.getElementById('board').play('B1')")
    assert page.get("turns")[-1] == "b1"
    with pytest.raises(Exception, match="b1 is illegal"):
        page.page.evaluate("document.getElementById('board').play('b1')")


def cells(size: int) -> list[str]:
    position = games.get("sunspot").start(size=size)
    return [position.names.single(cell) for cell in position.board.cells]


def test_by_keyboard_and_in_words(boards: Callable[..., Boards]) -> None:
    record = {"game": "sunspot", "size": 4, "moves": ["d4", "e4"]}
    page = boards("<button>before</button>" + element(record, playable="", controls=""))
    page.ready()
    keyboard = page.page.keyboard
    page.page.get_by_text("before").focus()
    keyboard.press("Tab")
    assert page.text("#live") == "d4, black"
    keyboard.press("ArrowRight")
    assert page.text("#live") == "d5, empty, can be played"
    keyboard.press("Enter")
    assert page.text("#live") == "After ply 3, Black d5; White to play"
    label = page.page.locator("#board svg[role=img]").get_attribute("aria-label")
    assert label == f"{page.text('#caption')}. Black: d4, d5. White: e4. placed: d5."
    keyboard.press("PageUp")
    keyboard.press("Home")
    assert page.get("ply") == 0
    keyboard.press("Tab")
    keyboard.press("ArrowRight")
    assert page.get("ply") == 1
    keyboard.press("End")
    keyboard.press("Control+z")
    assert page.get("turns") == ["d4", "e4"]


def test_marks_comments_and_coordinates(boards: Callable[..., Boards]) -> None:
    marks = [{"kind": "arrow", "cells": ["c3", "e4"], "color": "red"}, {"kind": "label", "text": "A", "cells": ["a1"]}]
    said = {"turn": "c3", "comment": "<b>good</b>", "marks": marks}
    record = {"game": "sunspot", "size": 4, "players": {"black": {"name": "Ada"}}, "moves": ["d4", said]}
    page = boards(element(record, coordinates="axial", labels="all"))
    page.ready()
    assert page.text("#comment") == "<b>good</b>"
    assert page.text("#players") == "Black: Ada. White: ?."
    assert page.text("#caption") == "After ply 2, White (0,-1); Black to play"
    assert "red arrow: 0,-1 to 0,1" in page.text("#legend")
    assert page.page.locator("#board .marks :is(.mark, .mark-text)").count() == 2
    assert page.page.locator("#board .names text").count() == 35


def test_it_leaves_the_page_alone(boards: Callable[..., Boards]) -> None:
    page = boards(element({"game": "sunspot", "size": 4}) + "<p id='other' class='label page cell'>text</p>")
    before = "() => [document.styleSheets.length, document.adoptedStyleSheets.length, document.head.children.length]"
    page.ready()
    assert page.page.evaluate(before)[0] == 0
    assert page.page.evaluate("Object.keys(window).filter((name) => /hexrec|board/i.test(name))") == []
    assert page.page.evaluate("getComputedStyle(document.getElementById('other')).fill") == "rgb(0, 0, 0)"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(boards: Callable[..., Boards], axe: str, theme: str) -> None:
    ground = {"light": "#fff", "dark": "#16181c"}[theme]
    ink = {"light": "#222", "dark": "#f0f0ee"}[theme]
    game = canonical_form(hexrec.loads(good("valaturna")))
    broken = {"game": "sunspot", "size": 4, "moves": ["d4", {"turn": "e4", "comment": "good"}, "d4"]}
    page = boards(
        f"<style>html {{ background: {ground}; color: {ink} }}</style><h1>Games</h1>"
        + element(game, theme=theme, playable="", controls="", ply=9)
        + element(broken, id="broken", theme=theme, controls="")
        + element({"game": "go"}, id="other", theme=theme)
    )
    page.ready()
    page.ready("broken")
    page.page.add_style_tag(content="html { opacity: 1 !important }")
    page.page.evaluate("document.adoptedStyleSheets = []")
    assert faults(page.shown, axe) == []


def test_the_examples_of_the_manual(boards: Callable[..., Boards]) -> None:
    """All are games, and one shows an error."""
    text = (ROOT / "docs/javascript.md").read_text(encoding="utf-8")
    examples = re.findall(r"^```html\n(<hexrec-board.*?)^```", text, re.MULTILINE | re.DOTALL)
    named = [each.replace("<hexrec-board", f"<hexrec-board id='board{n}'") for n, each in enumerate(examples)]
    page = boards("".join(named))
    errors = []
    for number in range(len(named)):
        page.ready(f"board{number}")
        errors.append(page.get("error", f"board{number}"))
    assert [error["code"] for error in errors if error] == ["move/occupied"]


def test_the_example_of_the_package(boards: Callable[..., Boards]) -> None:
    """The HTML of its README shows a game that can be played on."""
    readme = (ROOT / "hexrec/javascript/static/README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```html\n(.*?)^```", readme, re.MULTILINE | re.DOTALL)
    (body,) = re.findall(r"<hexrec-board.*</hexrec-board>", example, re.DOTALL)
    page = boards(body.replace("<hexrec-board", "<hexrec-board id='board'"))
    page.ready()
    assert page.get("error") is None
    assert page.page.locator("#board .next").count() > 0
