"""Kernels and engines give the same verdicts, compiled or not: on games, their beginnings, last turns, broken games."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import sys
import sysconfig
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

import pytest
from packaging.requirements import Requirement

import hatch_build
from hexrec.rules import games, kernels
from hexrec.rules.board import CellNames, System
from hexrec.rules.kernels.kernel import GOING_ON, Kernel, State
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, IllegalTurn, Outcome
from tests.cases import all_of
from tests.fixtures import FIXTURES
from tests.properties import examples, sample
from tests.rules.random_games import RandomGame, random_games, small_sizes

NAMES = tuple(
    name for name in games.BUILT_IN if kernels.load("hexrec.rules.kernels", name, games.get(name).sizes[0], "row", None)
)
COMPILED = kernels.compiled.are_current()
FORMS = ("hexrec.rules.kernels", "hexrec.rules.kernels.compiled") if COMPILED else ("hexrec.rules.kernels",)
#: The compiled modules, of a directory that is copied.
_COMPILED = shutil.ignore_patterns("*.so", "*.pyd", "*.sha256", "__pycache__")


def test_compiled_where_they_can_be_and_from_these_sources() -> None:
    assert kernels.compiled.are_current() or hatch_build.find_obstacle(), "run nox -s kernel"


def test_kernels_of_other_sources_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "kernel"
    package.joinpath("compiled").mkdir(parents=True)
    package.joinpath("kernel.py").write_text("new")
    monkeypatch.setattr(kernels.compiled, "_FOLDER", str(package / "compiled"))
    assert not kernels.compiled.are_current()
    package.joinpath("compiled", kernels.compiled.DIGEST).write_text(kernels.compiled.digest(str(package)))
    assert kernels.compiled.are_current()
    package.joinpath("kernel.py").write_text("newer")
    assert not kernels.compiled.are_current()
    package.joinpath("compiled", kernels.compiled.DIGEST).unlink()
    assert kernels.compiled.are_current() is False


def test_every_installation_requires_what_kernels_import() -> None:
    root = FIXTURES.parent
    text = "".join(Path(path).read_text() for path in kernels.compiled.sources(str(root / hatch_build.SOURCES)))
    imported = set(re.findall(r"^from (\w+)", text, re.MULTILINE)) - {"hexrec", *sys.stdlib_module_names}
    required = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    requirements = {each.name.replace("-", "_"): each for each in map(Requirement, required)}
    assert imported <= requirements.keys()
    bounds = {part.operator for name in imported for part in requirements[name].specifier}
    assert bounds == {">="}, "an upper bound would keep others from upgrading librt"


def test_an_editable_installation_compiles_what_is_out_of_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, pins = tmp_path / hatch_build.COMPILED, tmp_path / "hatch_build.py"
    shutil.copytree(FIXTURES.parent / hatch_build.SOURCES, compiled.parent, ignore=_COMPILED)
    monkeypatch.setattr(hatch_build, "find_obstacle", lambda: "")
    stems = [Path(path).stem for path in kernels.compiled.sources(str(compiled.parent))]
    code = {f"{stem}{sysconfig.get_config_var('EXT_SUFFIX')}": b"code" for stem in (*stems, "shared")}
    code[kernels.compiled.DIGEST] = kernels.compiled.digest(str(compiled.parent)).encode()
    compilations: list[Path] = []

    def compile_kernels(root: Path) -> tuple[dict[str, bytes], str]:
        compilations.append(root)
        return code, ""

    monkeypatch.setattr(hatch_build, "compile_kernels", compile_kernels)

    def install() -> int:
        compilations.clear()
        hook = hatch_build.CustomBuildHook(str(tmp_path), {}, cast(Any, None), cast(Any, None), "", "wheel")
        hook.initialize("editable", {})
        return len(compilations)

    pins.touch()
    hatch_build.replace(tmp_path, {})
    assert (install(), install()) == (1, 0)
    os.utime(pins, (2**32, 2**32))
    assert install() == 1, "it may need another compiler"
    os.utime(pins, (0, 0))
    assert install() == 0
    compiled.joinpath(f"shared{sysconfig.get_config_var('EXT_SUFFIX')}").unlink()
    assert install() == 1, "one is missing"
    compiled.with_name("kernel.py").write_text("changed")
    assert install() == 1


@pytest.fixture
def found_out_anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The test finds out whether kernels are used; uncompiled ones take the place of compiled ones."""
    monkeypatch.delenv("HEXREC_PURE", raising=False)
    monkeypatch.setattr(kernels.compiled, "exist", lambda: True)
    monkeypatch.setattr(kernels.compiled, "are_current", lambda: True)
    monkeypatch.setattr(kernels, "_COMPILED", "hexrec.rules.kernels")
    forget()
    yield
    forget()


def forget() -> None:
    for function in (kernels.find_obstacle, kernels.is_compiled, kernels.get):
        function.cache_clear()


@pytest.mark.parametrize(("wanted", "used"), [(None, True), ("", True), ("0", True), ("1", False), ("yes", False)])
@pytest.mark.usefixtures("found_out_anew")
def test_the_environment_may_leave_everything_to_the_engines(
    monkeypatch: pytest.MonkeyPatch, wanted: str | None, used: bool
) -> None:
    if wanted is not None:
        monkeypatch.setenv("HEXREC_PURE", wanted)
    assert kernels.is_compiled() is used
    assert (kernels.get("sunspot", 5, "row", None) is not None) is used


@pytest.mark.usefixtures("found_out_anew")
def test_kernels_that_are_out_of_date_or_cannot_be_imported_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "_COMPILED", "hexrec.no_such_package")
    assert kernels.is_compiled() is False
    assert kernels.get("sunspot", 5, "row", None) is None
    monkeypatch.setattr(kernels, "_COMPILED", "hexrec.rules.kernels")
    monkeypatch.setattr(kernels.compiled, "are_current", lambda: False)
    forget()
    assert kernels.is_compiled() is False


@cache
def load(form: str, name: str, size: int, system: System, variant: str | None) -> Kernel:
    return cast(Kernel, kernels.load(form, name, size, system, variant))


def legal_turns(kernel: Kernel) -> list[str]:
    return [kernel.turn_at(index) for index in range(kernel.count())]


class Both:
    """A game by its engine, and by the kernel in some form."""

    def __init__(self, form: str, data: dict[str, Any]) -> None:
        rules = games.get(data["game"])
        self.system: System = data.get("coordinates", "row")
        self.variant: str | None = data.get("variant")
        self.opening: dict[str, str] = data.get("opening", {})
        self.rules = rules
        self.size: int = data["size"]
        self.kernel = load(form, rules.name, data["size"], self.system, self.variant)
        names = rules.board(data["size"]).names(self.system)
        self.cells = [cast(int, names.find(self.opening[color])) for color in rules.opening]

    def start(self) -> Position[Any]:
        return self.rules.start(self.size, self.opening, self.variant, self.system)

    def replay(self, turns: Sequence[object]) -> Any:
        """Return what the kernel says of turns, in the engine's terms: None, or the outcome in a tuple."""
        ending = self.kernel.replay(self.cells, list(turns))
        if ending is None:
            return None
        winner, black, white = ending
        if winner == GOING_ON:
            return (None,)
        return (
            Outcome((*COLORS, "draw")[winner], None if black is None else cast(Any, {"black": black, "white": white})),
        )

    def check(self, turns: list[str], *, step: int = 1) -> None:
        """Compare on turns and on what they begin with, every `step` plies."""
        position = self.start()
        for number, turn in enumerate(turns):
            try:
                position.play(turn)
            except IllegalTurn:
                assert self.replay(turns[: number + 1]) is None
                assert self.replay(turns) is None
                return
            if number % step == 0 or number == len(turns) - 1:
                self.compare(turns[: number + 1], position)

    def compare(self, turns: list[str], position: Position[Any]) -> None:
        """Compare on turns that are legal and lead to a position."""
        answer = self.replay(turns)
        if answer is None:
            assert left_to_engine(position, turns), turns
        else:
            assert answer == (position.result(),), turns


def left_to_engine(position: Position[Any], turns: list[str]) -> bool:
    """Return whether a kernel may leave a game to the engine: as its module says, or for a text that is not plain."""
    if any(turn != turn.strip().lower() or "(" in turn for turn in turns):
        return True
    return position.game.name == "sundraval" and position.is_over


def references(kind: str, name: str, form: str) -> list[dict[str, Any]]:
    """Return the lines of a game: all for compiled kernels, some for the others, which are as many times slower."""
    text = (FIXTURES / name / "reference" / f"{kind}.jsonl").read_text(encoding="utf-8")
    return sample(map(json.loads, text.splitlines()), 1 if form.endswith("compiled") else 5)


def texts(data: dict[str, Any]) -> list[str]:
    return [turn if isinstance(turn, str) else turn["turn"] for turn in data["moves"]]


def as_data(played: RandomGame) -> dict[str, Any]:
    names = played.game.board(played.size).names()
    opening = {color: names.single(cell) for color, cell in played.opening.items()}
    return {
        "game": played.name,
        "size": played.size,
        "moves": played.turns,
        **({"opening": opening} if opening else {}),
        **({"variant": played.variant} if played.variant else {}),
    }


_PARTS = re.compile(r"[a-z]\d+|.+?")


def images(played: RandomGame) -> list[dict[str, str]]:
    """Return, for each symmetry of a game's board, where it takes each cell, by names."""
    board = played.game.board(played.size)
    name = board.names().single
    return [{name(cell): name(image) for cell, image in symmetry.items()} for symmetry in board.symmetries]


RANDOM = [
    played
    for name in NAMES
    for played in (
        # With two seeds, one of which fills the board, the first of each three games has each of them in turn.
        *sample(random_games(name, small_sizes(name), range(1, 1 + examples(2))), 3),
        *random_games(name, games.get(name).recommended[:1], (1,)),
    )
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", NAMES)
class TestEveryGame:
    def test_reference_games(self, form: str, name: str) -> None:
        for data in references("games", name, form):
            Both(form, data).check(texts(data), step=1 if form.endswith("compiled") else 5)

    def test_random_games(self, form: str, name: str) -> None:
        for played in RANDOM:
            if played.name == name:
                Both(form, as_data(played)).check(played.turns, step=1 if form.endswith("compiled") else 29)

    def test_no_answer_is_left_over_from_another_game(self, form: str, name: str) -> None:
        """A kernel is used again and again."""
        boths = [(Both(form, as_data(played)), played) for played in RANDOM if played.name == name][:4]
        for both, played in [*boths, *reversed(boths)]:
            both.check(played.turns, step=len(played.turns))

    def test_legal_turns_and_states(self, form: str, name: str) -> None:
        """From the positions of the legal sets, set up by their stones, and on with the turns of random games."""
        for data in references("legal", name, form):
            both = Both(form, data)
            position = both.start()
            position.play_all(texts(data))
            both.kernel.start(*position.as_numbers())
            assert legal_turns(both.kernel) == sorted(data["legal"])
        for played in RANDOM[:: 1 if form.endswith("compiled") else 3]:
            if played.name == name:
                both = Both(form, as_data(played))
                position, states = both.start(), list[State]()
                if both.kernel.replay(both.cells, list(played.turns), states) is None:
                    continue
                for number, turn in enumerate(played.turns):
                    assert states[number] == (position.contents(), *position.as_numbers()[1:])
                    if number % (9 if form.endswith("compiled") else 40) == 0:
                        both.kernel.start(*position.as_numbers())
                        assert legal_turns(both.kernel) == position.legal_turns()
                    position.play(turn)
                assert states[-1] == (position.contents(), *position.as_numbers()[1:])

    def test_every_last_turn(self, form: str, name: str) -> None:
        """At the positions of the legal sets, the turns that are legal and others of the same shapes."""
        chance = random.Random(name)
        for data in references("legal", name, form):
            both = Both(form, data)
            before = texts(data)
            position = both.start()
            for turn in before:
                position.play(turn)
            legal = set(data["legal"])
            tried = {*chance.sample(sorted(legal), min(40, len(legal))), *sample(both.kernel.names, 2), "pass"}
            tried |= {junk(chance, position.names, [*legal, "a1"]) for _ in range(40)}
            for turn in sorted(tried)[:: 1 if form.endswith("compiled") else 5]:
                if turn in legal or position.is_legal(turn):
                    after = position.copy()
                    after.play(turn)
                    both.compare([*before, turn], after)
                else:
                    assert both.replay([*before, turn]) is None, turn

    def test_games_with_a_fault(self, form: str, name: str) -> None:
        chance = random.Random(name)
        for played in RANDOM:
            if played.name == name and len(played.turns) > 1:
                both = Both(form, as_data(played))
                names = played.start().names
                for _ in range(12 if form.endswith("compiled") else 3):
                    both.check(broken(chance, names, played.turns), step=50)

    def test_turns_in_their_canonical_spelling(self, form: str, name: str) -> None:
        """In the images of a game, other cells of a part of a turn come first."""
        for played in RANDOM:
            if played.name != name:
                continue
            for turned in images(played)[:: 2 if form.endswith("compiled") else 6]:
                data = as_data(played)
                opening = {color: turned[cell] for color, cell in data.get("opening", {}).items()}
                turns = ["".join(turned.get(part, part) for part in _PARTS.findall(turn)) for turn in played.turns]
                both = Both(form, {**data, "opening": opening})
                position = both.start()
                position.play_all(turns)
                if both.replay(turns) is not None:
                    assert (both.kernel.respelled or turns) == position.turns

    @all_of("turn", [None, 5, True, ["e5"], {"turn": "e5"}, "", " ", "e5 ", "E5", "(0,0)", "e5-", "-", "/"])
    def test_what_is_no_plain_turn(self, form: str, name: str, turn: object) -> None:
        size = games.get(name).recommended[0]
        opening = dict(zip(games.get(name).opening, ("c3", "c4"), strict=False))
        assert Both(form, {"game": name, "size": size, "opening": opening}).replay([turn]) is None


@pytest.mark.skipif(not COMPILED, reason="takes long without compiled kernels")
@pytest.mark.parametrize("name", NAMES)
def test_legal_turns_on_every_size(name: str) -> None:
    rules, chance = games.get(name), random.Random(name)
    for size in rules.sizes:
        for variant in (None, *rules.variants):
            position = rules.start(size, rules.random_opening(chance, size), variant)
            kernel = load(FORMS[-1], name, size, "row", variant)
            while not position.is_over and position.plies < 200:
                kernel.start(*position.as_numbers())
                assert legal_turns(kernel) == position.legal_turns()
                position.playout(chance, plies=chance.randrange(1, 100))


def junk(chance: random.Random, names: CellNames, legal: Sequence[str]) -> str:
    """Return a text like a legal turn, with other cells."""
    text = chance.choice(sorted(legal))
    for _ in range(chance.randrange(1, 3)):
        parts = [
            part for part in text.replace("-", " ").replace("x", " ").replace("/", " ").split() if part in names.cells
        ]
        if parts:
            text = text.replace(chance.choice(parts), chance.choice(sorted(names.cells)), 1)
    return text


def broken(chance: random.Random, names: CellNames, turns: list[str]) -> list[str]:
    """Return turns with one fault, or what may be one."""
    made = list(turns)
    at = chance.randrange(len(made))
    match chance.randrange(6):
        case 0:
            made[at] = junk(chance, names, made)
        case 1:
            other = chance.randrange(len(made))
            made[at], made[other] = made[other], made[at]
        case 2:
            del made[at]
        case 3:
            made.insert(at, junk(chance, names, made))
        case 4:
            made[at:] = [junk(chance, names, made)]
        case 5:
            made.append(chance.choice([*made, "pass", chance.choice(sorted(names.cells))]))
    return made


@pytest.mark.parametrize("form", FORMS)
def test_as_many_groups_as_fit(form: str) -> None:
    """Every third cell holds a group of one stone; beyond 62 of them the engine counts."""
    board = games.get("sundraval").board(9)
    names = board.names()
    cells = [names.single(cell) for cell in board.cells if (board.axial(cell)[0] - board.axial(cell)[1]) % 3 == 0]
    for groups, is_left in ((62, False), (63, True)):
        black, white, *turns = cells[:groups]
        turns += ["pass", "pass"]
        both = Both(form, {"game": "sundraval", "size": 9, "opening": {"black": black, "white": white}})
        position = both.start()
        position.play_all(turns)
        assert both.replay(turns) == (None if is_left else (position.result(),))
