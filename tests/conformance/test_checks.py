"""`hexrec check-game`: built-in games and the examples pass; each mistake of an author is one line that names it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hexrec_col import COL
from hexrec_col.rules import Col
from hexrec_col.words import ColPosition

from hexrec.conformance.checks import CHECKS, check_game
from hexrec.rules import games
from hexrec.rules.game import Game
from hexrec.rules.grid import DRAW, LEGAL, PASS, UNREAD, array
from hexrec.rules.terms import Annotation
from tests.cli.conftest import Run
from tests.cli.conftest import hexrec as run
from tests.examples.catchup import CATCHUP
from tests.examples.havannah import HAVANNAH
from tests.examples.hex import HEX
from tests.processes import PATIENCE
from tests.properties import FACTOR, examples
from tests.test_docs import ROOT

__all__ = ["run"]

#: Col on one size, to find mistakes in.
SMALL = replace(COL, sizes=range(3, 4), recommended=(3,))
OTHERS = {game.name: game for game in (COL, CATCHUP, HAVANNAH, HEX)}


@pytest.fixture
def register() -> Iterator[Any]:
    """Register a game for the test."""
    added = []

    def add(game: Game) -> Game:
        games.register(game)
        added.append(game.name)
        return game

    yield add
    for name in added:
        games.unregister(name)


@pytest.mark.parametrize(
    "name",
    [
        *(pytest.param(name) for name in (*games.BUILT_IN, "col", "hex")),
        *(pytest.param(name, marks=pytest.mark.skipif(FACTOR == 1, reason="long")) for name in ("catchup", "havannah")),
    ],
)
def test_games_pass(name: str, register: Any) -> None:
    game = register(OTHERS[name]) if name in OTHERS else games.get(name)
    checks = check_game(game, count=examples(1))
    assert [check.name for check in checks] == [*CHECKS]
    assert [(check.name, mistake) for check in checks for mistake in check.mistakes] == []
    assert all(check.cases for check in checks)


# Mistakes in rules. Col has no passes, and a turn is a cell.


class ReturnsNothing(Col):
    def take_turn(self, move: int) -> Any:
        super().take_turn(move)


class ReturnsTrue(Col):
    def fault(self) -> Any:
        return super().fault() != LEGAL


class Fails(Col):
    def take_turn(self, move: int) -> int:
        if self.plies == 1:
            raise KeyError("no such key")
        return super().take_turn(move)


class ListsTooMany(Col):
    def moves(self) -> list[int]:
        return [cell for cell in self.tables.order if self.at[cell] == 2]


class ListsTooFew(Col):
    def moves(self) -> list[int]:
        return super().moves()[1:]


class ListsWithoutOrder(Col):
    def moves(self) -> list[int]:
        return super().moves()[::-1]


class DrawsOthers(Col):
    def move_at(self, index: int) -> int:  # noqa: ARG002
        return super().move_at(0)


class ChangesWhenRefused(Col):
    def take_turn(self, move: int) -> int:
        code = super().take_turn(move)
        if code != LEGAL:
            self.at[self.cells[0]] = self.side
        return code


class Remembers(Col):
    """Has an array that turns change, and no `state`."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.turns = array([0])

    def take_turn(self, move: int) -> int:
        self.turns[0] += 1
        return super().take_turn(move)

    def free(self, color: int) -> Any:
        free = super().free(color)
        free[self.cells[0]] &= self.turns[0] % 2
        return free


class NeverEnds(Col):
    def take_turn(self, move: int) -> int:
        code = super().take_turn(move)
        self.winner = 3
        return code


class ForgetsTheSide(Col):
    """Has a result that no position text shows."""

    def take_turn(self, move: int) -> int:
        code = super().take_turn(move)
        if code == LEGAL and self.plies % 2 and self.winner != 3:
            self.winner = DRAW
        return code


class LooksEast(Col):
    def free(self, color: int) -> Any:
        free = super().free(color)
        for cell in self.cells:
            if self.at[cell] == 2 and self.at[cell + self.steps[3]] == color:
                free[cell] = 1
        return free


class ReadsRows(Col):
    def read(self, turn: str) -> int:
        return super().read(turn) if turn[:1].isalpha() else UNREAD


class NamesNothing(Col):
    def named_cells(self, move: int) -> list[int]:  # noqa: ARG002
        return [0]


class PassesWithoutFinish(Col):
    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.has_pass = True

    def take_turn(self, move: int) -> int:
        if move != PASS:
            self.passed = False
            return super().take_turn(move)
        self.pass_turn()
        return LEGAL

    def open_cells(self) -> Any:
        marked = super().open_cells()
        marked[PASS] = 1
        return marked


class UnknownCode(Col):
    @staticmethod
    def codes() -> list[str]:
        return [*Col.codes(), "move/unheard-of"]


class UnnamedCode(Col):
    @staticmethod
    def codes() -> list[str]:
        return Col.codes()[:-1]


class UnknownField(Col):
    def fields(self) -> list[int]:
        return [1]


class SaysNothing(ColPosition):
    def _wording(self, code: str, move: int) -> Any:  # noqa: ARG002
        return None


class ChangesOverlays(ColPosition):
    def _overlays(self) -> Any:
        yield f"after {self.plies} turns", ()


class MarksNoCell(ColPosition):
    def _highlights(self) -> Any:
        yield Annotation("area", "nowhere", (0,))


class MarksByPlaying(ColPosition):
    def _highlights(self) -> Any:
        self.grid.at[self.grid.cells[0]] = 1
        return ()


def with_code(**changes: str) -> dict[str, Any]:
    """Return the description with another explanation of the code move/next-to-own."""
    return {"refusals": {**COL.refusals, "move/next-to-own": COL.refusals["move/next-to-own"]._replace(**changes)}}


LEGAL_EXAMPLE = '{hexrec: "1", game: col, size: 3, moves: [c3, a1]}'
#: What an author gets wrong, and the beginning of the line about it, with ``…`` for the turns before.
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "example-is-legal": (
        with_code(example=LEGAL_EXAMPLE),
        "examples: the example of move/next-to-own should be reported with move/next-to-own, "
        "but hexrec reports nothing: the record is valid",
    ),
    "example-of-another-code": (
        with_code(example='{hexrec: "1", game: col, size: 3, moves: [c3, c3]}'),
        "examples: the example of move/next-to-own should be reported with move/next-to-own, "
        "but hexrec reports move/occupied: c3 is occupied by ",
    ),
    "no-example": (with_code(example=""), "examples: move/next-to-own has no example"),
    "example-in-no-format": (
        with_code(format="xml"),
        "examples: the example of move/next-to-own is in no format: unknown format 'xml'",
    ),
    "code-without-explanation": ({"rules": UnknownCode}, "description: move/unheard-of has no explanation"),
    "code-without-name": (
        {"rules": UnnamedCode},
        "examples: the example of setup/over should be reported with setup/over, but hexrec reports "
        "internal/plug-in: … has no name: add it to codes()",
    ),
    "field-without-name": (
        {"rules": UnknownField},
        "types: 1976 size 3: at the start: fields() returns [1]: it should be a list of integers, one for each of",
    ),
    "explanation-without-code": (
        {"refusals": {**COL.refusals, "move/never": COL.refusals["setup/over"]}},
        "description: move/never is in refusals, but no rules have it in codes()",
    ),
    "take-turn-returns-none": (
        {"rules": ReturnsNothing},
        "types: 1976 size 3: at the start: take_turn() returns None: ",
    ),
    "pass-without-finish": (
        {"rules": PassesWithoutFinish, "turn": "{cell}|pass"},
        "games: 1976 size 3: NotImplementedError: define finish in take_turn (",
    ),
    "fault-returns-bool": (
        {"rules": ReturnsTrue},
        "types: 1976 size 3: at the start: fault() returns False: it should be LEGAL or a code",
    ),
    "take-turn-fails": ({"rules": Fails}, "games: 1976 size 3: KeyError: 'no such key' in take_turn ("),
    "lists-too-many": ({"rules": ListsTooMany}, "games: 1976 size 3: after … is listed, but is not legal: "),
    "lists-too-few": ({"rules": ListsTooFew}, "turns: 1976 size 3: at the start: a1 is legal, but not listed"),
    "lists-without-order": (
        {"rules": ListsWithoutOrder},
        "turns: 1976 size 3: at the start: legal turns are listed twice, or not in the order of their strings",
    ),
    "draws-others": ({"rules": DrawsOthers}, "random turns: 1976 size 3: at the start: count_moves() and move_at()"),
    "changes-when-refused": ({"rules": ChangesWhenRefused}, "turns: 1976 size 3: after "),
    "state-is-not-complete": ({"rules": Remembers}, "undo: 1976 size 3: "),
    "never-ends": ({"rules": NeverEnds}, "games: 1976 size 3: after "),
    "text-is-not-complete": ({"rules": ForgetsTheSide}, "positions: 1976 size 3: "),
    "not-symmetric": ({"rules": LooksEast}, "symmetries: 1976 size 3: after "),
    "one-coordinate-system": ({"rules": ReadsRows}, "coordinates: 1976 size 3: "),
    "cells-that-are-none": (
        {"rules": NamesNothing},
        "types: 1976 size 3: at the start: named_cells() returns [0]: it should be cells of the board",
    ),
    "no-message": ({"position": SaysNothing}, "turns: 1976 size 3: "),
    "other-overlays": ({"position": ChangesOverlays}, "words: 1976 size 3: after "),
    "marks-by-playing": ({"position": MarksByPlaying}, "words: 1976 size 3: at the start: marks, overlays, "),
    "mark-off-the-board": (
        {"position": MarksNoCell},
        "words: 1976 size 3: at the start: the mark 'nowhere' has a cell that is not on the board",
    ),
}


@pytest.mark.parametrize(("changes", "line"), WRONG.values(), ids=WRONG)
def test_a_mistake_is_told_in_a_line(changes: dict[str, Any], line: str, register: Any) -> None:
    checks = check_game(register(replace(SMALL, **changes)), count=1)
    found = [f"{check.name}: {mistake}" for check in checks for mistake in check.mistakes]
    start, _, rest = line.partition("…")
    assert [mistake for mistake in found if mistake.startswith(start) and rest in mistake], found
    assert len({*found}) == len(found)
    assert all("\n" not in mistake for mistake in found)


def test_a_traceback_is_printed_on_demand(
    register: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = register(replace(SMALL, rules=Fails))
    check_game(game, count=1)
    assert capsys.readouterr().err == ""
    monkeypatch.setenv("HEXREC_DEBUG", "1")
    check_game(game, count=1)
    assert "KeyError: 'no such key'" in capsys.readouterr().err


# The command, and its page.


def test_the_page_lists_the_checks() -> None:
    page = (ROOT / "docs/adding-games.md").read_text(encoding="utf-8")
    assert dict(re.findall("^\\| `([a-z ]+)` \\| (.*) \\|$", page, re.MULTILINE)) == CHECKS


def test_the_command_prints_a_line_for_each_mistake(run: Run, register: Any) -> None:
    register(replace(SMALL, **with_code(example=LEGAL_EXAMPLE)))
    ran = run("check-game", "col", "--count", "1")
    (line,) = ran.out.splitlines()
    assert ran.code == 1
    assert line.startswith("col: examples: the example of move/next-to-own should be reported with move/next-to-own")
    assert ran.err.endswith("col: 1 mistake\n")


def test_the_command_passes_a_game(run: Run, register: Any) -> None:
    register(SMALL)
    ran = run("check-game", "col", "--count", "1")
    assert (ran.code, ran.out) == (0, "")
    assert re.findall("^hexrec: (.*): [0-9]+ cases?, 0 mistakes$", ran.err, re.MULTILINE) == [*CHECKS]
    assert re.search(r"^hexrec: speed: [0-9,]+ plies/s in random games on size 3$", ran.err, re.MULTILINE)
    quiet = run("check-game", "col", "--count", "1", "-q")
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")


@pytest.mark.parametrize(("fault", "code"), [("none", 0), ("one-less", 1)])
def test_the_command_compares_with_an_engine(fault: str, code: int, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexrec.cli.check_game._TIMEOUT", PATIENCE)
    player = f"{sys.executable} {Path(__file__).parent / 'player.py'} {fault}"
    ran = run("check-game", "nadraz", "--count", "1", "--engine", player)
    assert ran.code == code, ran
    assert bool(re.search("^nadraz: engine: games.jsonl:.*the legal turns differ", ran.out, re.MULTILINE)) == bool(code)


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        (" ", "no program: name the one to compare"),
        ("no-such-program", "cannot be started"),
        ("'", "No closing quotation"),
    ],
)
def test_an_engine_that_does_not_start(engine: str, message: str, run: Run) -> None:
    ran = run("check-game", "nadraz", "--count", "1", "--engine", engine)
    assert (ran.code, message in ran.err) == (2, True)
