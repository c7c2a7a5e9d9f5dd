"""Other readings of the rules, as changes to the text of their transcriptions.

A ruling is protected when the fixtures would notice that hexrec had decided otherwise. So each clause of each ruling
has its other readings in the file of its game, and each reading the fixtures that fail under it, at least two.
`test_rulings.py` puts the readings in the place of the rules and looks at these fixtures. An engine that followed
another reading would fail the same fixtures, as it must give what their names say.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml

from tests.fixtures import FIXTURES
from tests.literal import Literal


@dataclass(frozen=True)
class Reading:
    """Another reading of a clause of the rules.

    Attributes:
        ruling: the ruling that decides against it, as in ``S-2``.
        clause: what hexrec does.
        says: what the other reading says.
        edits: what stands in the source of the transcription just once (`old`), and what makes it follow the reading
            instead (`new`).
        fixtures: the files below the game's folder that fail under it; at least two.
        reading: its name, if records can follow it.
    """

    ruling: str
    clause: str
    says: str
    edits: list[dict[str, str]]
    fixtures: list[str]
    reading: str = ""


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


@cache
def readings(game: str) -> list[Reading | Same]:
    """Return the readings of a game's rules, in the order of the rulings."""
    text = Path(__file__).with_name(f"{game}.yaml").read_text(encoding="utf-8")
    return [Same(**entry) if "why" in entry else Reading(**entry) for entry in yaml.safe_load(text)]


def edited(game: str, edits: list[dict[str, str]]) -> ModuleType:
    """Return a new module with the transcription of a game, with edits of its text."""
    spec = import_module(f"tests.literal.{game}").__spec__
    assert spec is not None
    assert spec.origin is not None
    text = Path(spec.origin).read_text(encoding="utf-8")
    for edit in edits:
        assert text.count(edit["old"]) == 1, f"{spec.name} should have just once: {edit['old']}"
        text = text.replace(edit["old"], edit["new"])
    module = module_from_spec(spec)
    exec(compile(text, f"<{spec.name}, edited>", "exec"), module.__dict__)
    return module


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
