"""The computer as a player: it answers turns, gives hints and evaluates games, and is not loaded before that."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import hexrec
from hexrec.tools.analysis.search import Solver
from hexrec.web.assembly import ASSETS, static_page
from tests.web.conftest import Shown
from tests.web.games import GAMES, good
from tests.web.test_accessibility import axe, faults

__all__ = ["axe"]

Open = Callable[..., Shown]
WORKER = "opponent-worker.js"


#: Stands for the worker: it prints its answers to the questions on stdin.
ANSWER = """
const said = [];
globalThis.postMessage = (message) => said.push(message);
%s
for (const data of JSON.parse(require("fs").readFileSync(0, "utf-8"))) onmessage({ data });
console.log(JSON.stringify(said));
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
@pytest.mark.parametrize("game", GAMES)
def test_values_are_those_of_another_search(game: str, tmp_path: Path) -> None:
    """Proved values are: of the search in Python. All answers are legal turns, and the same each time."""
    record = hexrec.loads(good(game))
    asked = {"number": 1, "record": {**json.loads(good(game)), "moves": []}, "turns": record.turns, "level": None}
    near_end = record.turns[:-2]
    answers = [{**asked, "turns": near_end, "level": level} for level in (0, 1, 2)]
    begun = {**asked, "turns": record.turns[:1]}
    script = tmp_path / "worker.cjs"
    script.write_text(ANSWER % ASSETS["/opponent-worker.js"].make(), encoding="utf-8")
    questions = json.dumps([*answers, begun, *answers, begun, asked])
    ran = subprocess.run(["node", script], input=questions, capture_output=True, check=True, text=True)
    said = json.loads(ran.stdout)
    count = len(answers) + 2 + 1  # the values of two positions, and their end
    assert said[:count] == said[count : 2 * count]
    values = [message["value"] for message in said[2 * count : -1]]
    positions = [*record.positions()]
    assert [value["ply"] for value in values] == [*reversed(range(len(positions)))]
    proved = [value for value in values if not value["playouts"]]
    assert proved
    solver = Solver(20_000)
    for value in proved[:4]:
        proof = solver.solve(positions[value["ply"]])
        assert proof is None or proof.value == value["value"]
    for value in values[1:]:
        assert positions[value["ply"]].is_legal(value["best"])
    chosen = [message["answer"]["turn"] for message in said[: len(answers)]]
    assert all(positions[len(near_end)].is_legal(turn) for turn in chosen)


def begin(page: Shown, side: str, level: str = "1: easy") -> None:
    page.page.click("#computer > summary")
    page.page.select_option("#computer-level", label=level)
    page.page.select_option("#computer-side", label=side)


def test_it_plays_when_it_is_asked_to(opened: Open, site: str) -> None:
    page = opened(f"{site}#/sunspot/new")
    page.page.locator("#board [data-cell]").first.wait_for()
    page.play("d4")
    page.page.click("#computer > summary")
    assert not [request for request in page.requests if WORKER in request]
    page.page.click("#computer > summary")
    begin(page, "White")
    page.until(lambda: page.ply == 2)
    assert len([request for request in page.requests if WORKER in request]) == 1
    assert page.text("#computer-note").startswith("The computer has played ")
    # Whoever takes its turn back, and then the own one, plays another.
    page.page.click("#undo")
    page.until(lambda: page.ply == 1)
    page.page.click("#undo")
    page.until(lambda: page.ply == 0)
    page.play("c4")
    page.until(lambda: page.ply == 2)
    record = hexrec.loads(page.download("json"))
    assert (len(record.turns), record.turns[0]) == (2, "c4")


def test_it_begins_a_game(opened: Open, site: str) -> None:
    page = opened(f"{site}#/sunspot/new")
    page.page.locator("#board [data-cell]").first.wait_for()
    begin(page, "Black", "2: medium")
    page.until(lambda: page.ply == 1)


def test_the_same_position_has_the_same_hint(opened: Open, site: str, tmp_path: Path) -> None:
    """On the page of a service, and in a file."""
    record = {"hexrec": "1", "game": "valaturna", "size": 4, "opening": {"black": "d4", "white": "a1"}, "moves": ["b2"]}
    file = tmp_path / "game.html"
    file.write_text(static_page(hexrec.validate(hexrec.loads(json.dumps(record)))), encoding="utf-8")

    def hint(page: Shown) -> str:
        page.page.click("#computer > summary")
        page.page.click("#hint")
        page.until(lambda: page.text("#computer-note").startswith("Hint: "))
        assert page.ply == 1
        return page.text("#computer-note")

    served = opened(site)
    served.check(json.dumps(record))
    given = hint(served)
    assert given == hint(opened(file))
    turn = given.removeprefix("Hint: ").partition(".")[0]
    assert hexrec.loads(json.dumps({**record, "moves": ["b2", turn]})).turns[-1] == turn


def test_values_along_a_game(opened: Open, tmp_path: Path, axe: str) -> None:
    """Proved and estimated values look and read differently."""
    file = tmp_path / "game.html"
    file.write_text(static_page(hexrec.validate(hexrec.loads(good("nadraz")))), encoding="utf-8")
    page = opened(file, drawn=True)
    page.page.click("#computer > summary")
    page.page.click("#evaluate")
    page.until(lambda: page.text("#computer-note") == "Every position has a value.")
    record = hexrec.loads(good("nadraz"))
    rows = page.page.locator("#values li").all_inner_texts()
    assert len(rows) == len(record.turns) + 1
    winner = str(json.loads(good("nadraz"))["result"]["winner"]).capitalize()
    assert f"{winner} wins, proved" in rows[-1]
    assert "an estimate" in rows[0]
    looks = [
        page.page.locator(f"#values .{kind} span").first.evaluate("bar => getComputedStyle(bar).backgroundImage")
        for kind in ("proved", "estimated")
    ]
    assert looks[0] == "none" != looks[1]
    page.page.locator("#values button").nth(3).click()
    page.until(lambda: page.ply == 3)
    assert page.page.locator("#values li.current").count() == 1
    assert faults(page, axe) == []
