"""Other readings of the rules, as changes to the text of the engines and of the transcriptions.

A ruling is protected when the fixtures would notice that hexrec had decided otherwise. So each clause of each ruling
has its other readings here, and each reading the fixtures that fail under it, at least two. `test_rulings.py` puts the
readings in the place of the rules and looks at these fixtures; `table.py` makes the page of the documents.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml

from hexrec import games, kernel
from hexrec.files.discovery import Discovery
from hexrec.games.ruleset import Ruleset
from hexrec.validation.sources import check_sources
from tests.fixtures import FIXTURES
from tests.literal import Literal

#: What stands in the source of a module, just once, and what is to stand there instead.
Edit = tuple[str, str]


@dataclass(frozen=True)
class Reading:
    """Another reading of a clause of the rules.

    Attributes:
        ruling: the ruling that decides against it, as in ``S-2``.
        clause: what hexrec does.
        says: what the other reading says.
        engine, literal: the edits of the engine's module and of the transcription's that make them follow it.
        fixtures: the files below the game's folder that fail under it; at least two.
        turns: edits of `hexrec/games/position.py`, which the engine is then built upon.
    """

    ruling: str
    clause: str
    says: str
    engine: tuple[Edit, ...]
    literal: tuple[Edit, ...]
    fixtures: tuple[str, ...]
    turns: tuple[Edit, ...] = ()


@dataclass(frozen=True)
class Same:
    """A reading that no record can tell from the rules, and why.

    Attributes:
        ruling, clause, says: as those of `Reading`.
        why: the reason.
    """

    ruling: str
    clause: str
    says: str
    why: str


def readings(game: str) -> list[Reading | Same]:
    """Return the readings of a game's rules, in the order of the rulings."""
    found: list[Reading | Same] = import_module(f"tests.rulings.{game}").READINGS
    return found


def edited(name: str, edits: tuple[Edit, ...]) -> ModuleType:
    """Return a new module: another one by its name, with edits of its text."""
    spec = import_module(name).__spec__
    assert spec is not None
    assert spec.origin is not None
    text = source(spec.origin)
    for old, new in edits:
        assert text.count(old) == 1, f"{name} should have just once: {old}"
        text = text.replace(old, new)
    module = module_from_spec(spec)
    # Dataclasses look their module up by its name.
    before, sys.modules[name] = sys.modules[name], module
    try:
        exec(compile(text, f"<{name}, edited>", "exec"), module.__dict__)
    finally:
        sys.modules[name] = before
    return module


@cache
def source(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")


@contextmanager
def engine_of(game: str, reading: Reading | None = None) -> Iterator[None]:
    """Play a game by its engine, no kernel, and by another reading where one is given."""
    described = games.get(game)
    other = described if reading is None else getattr(_engine(game, reading), game.upper())
    old: list[games.Game | Ruleset] = [described, *described.revisions]
    new = [other.position, *(revision.position for revision in other.revisions)]
    before = [each.position for each in old]
    find = kernel.get
    try:
        kernel.get = lambda *_: None  # type: ignore[assignment]
        for each, position in zip(old, new, strict=True):
            object.__setattr__(each, "position", position)
        yield
    finally:
        kernel.get = find
        for each, position in zip(old, before, strict=True):
            object.__setattr__(each, "position", position)


def _engine(game: str, reading: Reading) -> ModuleType:
    name = f"hexrec.games.{game}"
    if not reading.turns:
        return edited(name, reading.engine)
    shared = "hexrec.games.position"
    before, sys.modules[shared] = sys.modules[shared], edited(shared, reading.turns)
    try:
        return edited(name, reading.engine)
    finally:
        sys.modules[shared] = before


def by_engine(path: Path) -> str:
    """Return what hexrec says of the first record of a file: ``valid``, or the code and the place of an error."""
    report = next(check_sources(Discovery([str(path)])))
    first = next(iter(report.diagnostics), None)
    return "valid" if first is None else f"{first.code} in line {first.line}, column {first.column}"


def by_literal(path: Path, module: ModuleType | None = None) -> str:
    """Return what a transcription says of a file's first record: ``valid``, or what of it is wrong, with the ply.

    It is the transcription in a module, unless the file's game has another one by its ruleset; without a module the
    one that is used everywhere.
    """
    record = data(path)
    game = record["game"]
    edition = record.get("ruleset", "").partition("-")[2].capitalize()
    module = module or import_module(f"tests.literal.{game}")
    transcription: Literal = getattr(module, game.capitalize() + edition)(
        record["size"], record.get("opening", {}), record.get("variant")
    )
    if "setup" in record:
        transcription.set_up(record["setup"])
    for ply, move in enumerate(record["moves"], 1):
        turn = (move["turn"] if isinstance(move, dict) else move).strip().lower()
        turns = {} if transcription.ending else transcription.turns()
        if turn not in turns:
            return f"turn at ply {ply}"
        transcription.go_on(turn, turns[turn])
    claimed = record.get("result")
    if claimed is None:
        return "valid"
    if claimed.get("termination", "rules") != "rules":
        return "result" if transcription.ending else "valid"
    if transcription.ending is None:
        return "result"
    winner, score = transcription.ending
    said = claimed.get("winner", winner), claimed.get("score", score)
    return "valid" if said == (winner, score) else "result"


@cache
def data(path: Path) -> Mapping[str, Any]:
    """Return the first record of a file."""
    text = path.read_text(encoding="utf-8")
    record: dict[str, Any] = json.loads(text) if path.suffix == ".json" else next(yaml.safe_load_all(text))
    return record


def path_of(game: str, fixture: str) -> Path:
    return FIXTURES / game / fixture
