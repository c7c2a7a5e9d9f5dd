"""Lessons: every step asks for turns that the engine plays and that show its point, and teaches real refusals."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import hexrec
from hexrec.record.validation import read_record
from hexrec.rules import games
from hexrec.rules.position import Position
from hexrec.rules.terms import IllegalTurn
from hexrec.tools.analysis.search import VALUES, Solver
from tests.properties import sample
from tests.web.conftest import Shown
from tests.web.games import good
from tests.web.test_entry import enter

if TYPE_CHECKING:
    from playwright.sync_api import Route

FOLDER = Path(hexrec.__file__).parent / "web" / "lessons"
PUZZLES = [json.loads(line) for line in (FOLDER.parent / "static/puzzles.jsonl").read_text().splitlines()]
LESSONS = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(FOLDER.iterdir())}


def start(game: str, step: dict[str, Any]) -> Position:
    return games.get(game).start(position=step["setup"])


def accepted(position: Position, step: dict[str, Any]) -> list[str]:
    """Return the legal turns that the step asks for."""
    return [turn for turn in position.legal_turns() if any(fnmatchcase(turn, each) for each in step["turns"])]


def features(position: Position, turn: str, overlay: str | None) -> Iterator[str]:
    """Yield names for the effects of a turn, for the marks that it makes, and for who wins or is ahead after it."""
    after = position.copy()
    after.play(turn)
    yield from (effect.name for effect in position.turn_effects(turn))
    yield from (name for name, _ in marks(after, overlay) - marks(position, overlay))
    result = after.result()
    if result is not None:
        yield f"{result.winner} wins"
    elif position.game.name == "sundraval":
        while (result := after.result()) is None:
            after.play("pass")
        yield f"{result.winner} ahead"


def marks(position: Position, overlay: str | None) -> set[tuple[str, tuple[int, ...]]]:
    shown = [*position.highlights(), *(position.overlays()[overlay] if overlay else ())]
    return {(mark.name, mark.cells) for mark in shown}


@pytest.mark.parametrize("game", LESSONS)
def test_a_lesson_has_eight_to_twelve_steps(game: str) -> None:
    assert 8 <= len(LESSONS[game]["steps"]) <= 12


@pytest.mark.parametrize("game", LESSONS)
def test_the_turns_asked_for_are_legal_and_to_the_point(game: str) -> None:
    for number, step in enumerate(LESSONS[game]["steps"], 1):
        position = start(game, step)
        legal = position.legal_turns()
        wanted = accepted(position, step)
        for pattern in step["turns"]:
            assert any(fnmatchcase(turn, pattern) for turn in legal), (number, pattern)
        # A reader who has found another legal turn is told what to look for.
        assert step["hint"] or wanted == legal, number
        if "makes" in step:
            made = [turn for turn in legal if step["makes"] in features(position, turn, step.get("overlay"))]
            assert wanted == made, number
        assert step.get("overlay") in {None, *position.overlays()}, number


@pytest.mark.parametrize("game", LESSONS)
def test_the_refusals_taught_are_those_of_the_engine(game: str) -> None:
    for number, step in enumerate(LESSONS[game]["steps"], 1):
        for turn, code in step.get("refusals", {}).items():
            with pytest.raises(IllegalTurn) as refused:
                start(game, step).play(turn)
            assert refused.value.code == code, (number, turn)


@pytest.mark.parametrize("game", LESSONS)
def test_cells_named_are_on_the_board(game: str) -> None:
    for number, step in enumerate(LESSONS[game]["steps"], 1):
        names = start(game, step).names.cells
        for text in (step["prompt"], step["hint"], step["success"]):
            assert {*re.findall(r"\b[a-i]\d\b", text)} <= {*names}, number


def test_a_lesson_from_the_first_step_to_a_game(page: Shown) -> None:
    steps = LESSONS["sunspot"]["steps"]
    page.page.get_by_role("button", name="Lesson on Sunspot").click()
    for number in (1, 2, len(steps) - 1, len(steps)):
        step = steps[number - 1]
        if number == len(steps) - 1:
            page.page.evaluate("address => { location.hash = address }", f"#/sunspot/lesson/{number}")
        page.until(lambda: page.text("#lesson-step") == f"Step {number} of {len(steps)}")  # noqa: B023
        assert page.text("#lesson-prompt") == step["prompt"]
        assert page.page.url.endswith(f"#/sunspot/lesson/{number}")
        position = start("sunspot", step)
        page.until(lambda: page.board.startswith("Before the first turn"))
        enter(page, position, accepted(position, step)[0])
        page.until(lambda: step["success"] in page.text("#lesson-note"))  # noqa: B023
        if number < len(steps):
            assert page.focused == "lesson-next"
            page.page.keyboard.press("Enter")
    assert LESSONS["sunspot"]["end"] in page.text("#lesson-note")
    page.page.click("#lesson-play")
    page.page.wait_for_selector("#report-title:focus")
    assert page.page.is_hidden("#lesson")
    assert hexrec.loads(page.download("json")).turns == []


def test_steps_can_be_entered_by_clicks(page: Shown) -> None:
    for game, lesson in LESSONS.items():
        for number, step in sample(enumerate(lesson["steps"], 1), 6):
            page.page.evaluate("address => { location.hash = address }", f"#/{game}/lesson/{number}")
            page.until(lambda: page.text("#lesson-prompt") == step["prompt"])  # noqa: B023
            position = start(game, step)
            turn = accepted(position, step)[0]
            page.until(lambda: page.board.startswith("Before the first turn"))
            if turn == "pass":
                page.page.click("#pass")
            else:
                enter(page, position, turn)
            page.until(lambda: step["success"] in page.text("#lesson-note"))  # noqa: B023


def test_wrong_clicks_teach(page: Shown, site: str) -> None:
    page.page.goto(f"{site}#/frasvel/lesson/1")
    page.until(lambda: page.page.is_visible("#lesson"))
    position = start("frasvel", LESSONS["frasvel"]["steps"][0])
    page.click_cell(position.board.cells.index(position.names.cells["b2"]))
    page.until(lambda: "b2 has 1 adjacent friendly stack (c3)" in page.text("#lesson-note"))
    assert page.text("#lesson-rule").startswith("The rule: A cell to place on has no more friendly stacks")
    # A legal turn that is not meant is not played.
    page.page.keyboard.press("ArrowRight")
    page.until(lambda: page.text("#lesson-step").startswith("Step 2 "))
    assert page.text("#lesson-note") == ""
    page.until(lambda: "closed to White" in page.board)
    before = page.board
    page.click_cell(position.board.cells.index(position.names.cells["a1"]))
    page.until(lambda: page.text("#lesson-note") == LESSONS["frasvel"]["steps"][1]["hint"])
    assert page.board == before
    page.page.click("#lesson-show")
    page.until(lambda: page.text("#lesson-note").startswith(LESSONS["frasvel"]["steps"][1]["success"]))


def test_a_refusal_that_no_click_can_reach_is_explained_at_its_first_cell(page: Shown, site: str) -> None:
    step = next(step for step in LESSONS["nadraz"]["steps"] if "c4-b4" in step.get("refusals", {}))
    number = LESSONS["nadraz"]["steps"].index(step) + 1
    page.page.goto(f"{site}#/nadraz/lesson/{number}")
    page.until(lambda: page.page.is_visible("#lesson"))
    position = start("nadraz", step)
    page.click_cell(position.board.cells.index(position.names.cells["c4"]))
    page.until(lambda: "c4-b4 flips a head or an egg, on c4" in page.text("#lesson-note"))


def test_back_and_reload_keep_the_place(page: Shown, site: str) -> None:
    def at(number: int) -> Callable[[], bool]:
        return lambda: page.page.is_visible("#lesson") and page.text("#lesson-step").startswith(f"Step {number} ")

    page.page.goto(f"{site}#/valaturna/lesson/3")
    page.until(at(3))
    assert page.page.get_by_role("button", name="Back", exact=True).is_enabled()
    page.page.click("#lesson-next")
    page.until(at(4))
    page.page.reload()
    page.until(at(4))
    page.page.go_back()
    page.until(at(3))
    page.page.click("#home")
    page.until(lambda: page.page.is_visible("#games"))
    page.page.go_back()
    page.until(at(3))


def test_a_game_that_was_open_before_a_lesson_is_shown_after_it(page: Shown) -> None:
    page.page.get_by_role("button", name="Sample game of Sunspot").click()
    page.page.wait_for_selector("#report-title:focus")
    page.page.evaluate("location.hash = '#/nadraz/lesson/2'")
    page.until(lambda: page.page.is_visible("#lesson"))
    assert page.page.is_hidden("#panel")
    page.page.go_back()
    page.until(lambda: page.page.is_visible("#panel"))
    assert page.text("#about").startswith("Sunspot")
    assert page.page.is_hidden("#lesson")
    # The rules of the game lead to its lesson.
    page.page.click("#rules summary")
    page.page.click("#rules-lesson a")
    page.until(lambda: page.page.is_visible("#lesson") and page.text("#lesson-title") == "Lesson: Sunspot")


def test_the_cells_that_a_task_names_are_marked_until_it_is_done(page: Shown) -> None:
    page.page.evaluate("location.hash = '#/sunspot/lesson/2'")
    page.until(lambda: page.page.is_visible("#lesson"))
    (cell,) = {*re.findall(r"\b[a-z]\d+\b", page.text("#lesson-prompt"))}
    page.until(lambda: f"circle: {cell}" in page.text("#legend"))
    page.page.click("#lesson-show")
    page.until(lambda: "circle" not in page.text("#legend"))


def test_puzzles_of_the_page_have_one_turn_that_wins() -> None:
    """With as many positions as the page searches, so that it can refute the other turns."""
    for data in sample(PUZZLES, 4):
        position = read_record(data).start()
        (solution,) = data["moves"]
        for turn in position.legal_turns():
            after = position.copy()
            after.play(turn)
            proof = Solver(2_000).solve(after)
            assert proof is not None
            assert (proof.value == VALUES[position.turn]) == (turn == solution["turn"]), data


def test_a_puzzle_after_a_wrong_turn(page: Shown) -> None:
    """Those of the page, and then those of a file."""
    puzzles = [data for data in PUZZLES if data["game"] == "valaturna"]
    assert not [request for request in page.requests if "puzzles.jsonl" in request]
    # A game that is opened before the puzzles have come stays, with an address of its own.
    held: list[Route] = []
    page.page.route("**/puzzles.jsonl", lambda route: route.continue_() if held else held.append(route))
    page.page.get_by_role("button", name="Puzzles of Valaturna").click()
    page.until(lambda: bool(held))
    page.check(good("sunspot"))
    page.until(lambda: "#game=" in page.page.url)
    held[0].continue_()
    page.page.evaluate("async () => (await fetch('puzzles.jsonl')).text()")
    assert page.page.is_hidden("#lesson")
    page.page.go_back()
    for number, data in enumerate(puzzles[:2], 1):
        page.until(lambda: page.text("#lesson-step") == f"Puzzle {number} of {len(puzzles)}")  # noqa: B023
        solve(page, data)
        page.page.click("#lesson-next")
    page.check("".join(f"{line}\n" for line in (json.dumps(puzzles[0]), good("sunspot"))))
    page.page.click("#solve")
    page.until(lambda: page.text("#lesson-step") == "Puzzle 1 of 2")
    solve(page, puzzles[0])
    # The other record is none, and has an address that leads back to it.
    page.page.click("#lesson-next")
    page.until(lambda: page.page.url.endswith("#/archive/1"))
    page.page.go_back()
    page.until(lambda: page.text("#lesson-step") == "Puzzle 1 of 2")


def solve(page: Shown, data: dict[str, Any]) -> None:
    """Solve the puzzle that the page shows after a turn that does not win."""
    position = read_record(data).start()
    (solution,) = data["moves"]
    wrong = next(turn for turn in position.legal_turns() if turn != solution["turn"])
    page.until(lambda: page.board.startswith("Before the first turn"))
    enter(page, position, wrong)
    page.until(lambda: f"{wrong} does not win: " in page.text("#lesson-note"))
    page.page.click("#lesson-show")
    assert page.text("#lesson-note") == ""
    enter(page, position, solution["turn"])
    page.until(lambda: page.text("#lesson-note").startswith(f"{solution['turn']} wins"))
