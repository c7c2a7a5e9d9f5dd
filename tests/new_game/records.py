"""Records of a new game: random games, and the examples of the codes in its description."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import yaml

from hexrec import formats
from hexrec.conformance import Line, folder, lines, perft, start_of
from hexrec.record.random import random_record
from hexrec.rules.game import Game
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, RuleError, Ruleset
from tests.conformance.write import answered
from tests.fixtures import FIXTURES

Data = dict[str, Any]
#: How many random games are played in order to find a win for each color.
TRIES = 400
#: How many boards of each ruleset and variant have games, and how many games there are for each.
SIZES, GAMES = 3, 4
#: How many sequences of turns a question of the conformance kit may count, and how many turns it may list.
MOST_SEQUENCES, MOST_TURNS = 20_000, 2_000
#: The fields of a record that say how its game starts.
_START = ("game", "ruleset", "variant", "size", "opening", "setup")

#: A file, and a function that returns its text; None if that takes more than chance.
Writer = tuple[Path, Callable[[], str | None]]


def files(game: Game) -> Iterator[Writer]:
    """Yield the fixtures of a game."""
    home = FIXTURES / game.name
    yield home / "reference/games.jsonl", lambda: jsonl(reference(game))
    yield home / "reference/legal.jsonl", lambda: jsonl(legal_sets(game))
    for color in ("black", "white"):
        yield home / f"valid/{color}-wins.yaml", partial(won_by, game, color)
    yield home / "valid/all-fields.yaml", lambda: all_fields(game)
    for code, text in refused(game).items():
        yield home / f"invalid/{code.replace('/', '.')}.yaml", partial(str, text)


def jsonl(entries: Iterator[Data]) -> str:
    """Return JSON Lines."""
    return "".join(json.dumps(entry, separators=(",", ":")) + "\n" for entry in entries)


def kinds(game: Game) -> Iterator[tuple[Ruleset, str | None]]:
    """Yield the rulesets of a game, each with each variant."""
    for ruleset in map(game.ruleset, game.rulesets):
        for variant in (None, *game.variants):
            yield ruleset, variant


def random_game(game: Game, ruleset: Ruleset, variant: str | None, size: int, seed: object) -> Data:
    """Return a record of a random game that is played to its end, with its ruleset."""
    data = random_record(game, size, variant, str(seed), 10_000, ruleset=ruleset.name)
    del data["source"]  # it has the version of hexrec
    return {"hexrec": data["hexrec"], "game": game.name, "ruleset": ruleset.name, **data}


def reference(game: Game) -> Iterator[Data]:
    """Yield whole games by each ruleset, in each variant, on the smallest boards."""
    for ruleset, variant in kinds(game):
        for size in ruleset.sizes[:SIZES]:
            for seed in range(GAMES):
                yield random_game(game, ruleset, variant, size, seed)


def start(data: Mapping[str, Any]) -> Data:
    """Return the fields of a record that say how its game starts."""
    return {name: data[name] for name in _START if name in data}


def after(data: Mapping[str, Any], ply: int) -> Position:
    """Return a position of a record."""
    position = start_of(start(data))
    position.play_all(data["moves"][:ply])
    return position


def legal_sets(game: Game) -> Iterator[Data]:
    """Yield the legal turns in the middle and near the end of each reference game."""
    for data in reference(game):
        for ply in (len(data["moves"]) // 2, len(data["moves"]) - 1):
            legal = after(data, ply).legal_turns()
            if len(legal) <= MOST_TURNS:
                yield {**start(data), "moves": data["moves"][:ply], "legal": legal}


def won_by(game: Game, color: str) -> str | None:
    """Return a game on the smallest board that a color wins; None if chance finds none."""
    for seed in range(TRIES):
        data = random_game(game, game.ruleset(), None, game.ruleset().sizes[0], f"{color}/{seed}")
        if data.get("result", {}).get("winner") == color:
            return as_yaml(data)
    return None


def as_yaml(*records: Data) -> str:
    """Return records as YAML documents."""
    return yaml.safe_dump_all(
        records, sort_keys=False, allow_unicode=True, width=118, default_flow_style=None, explicit_start=False
    )


def all_fields(game: Game) -> str:
    """Return two records with every field, those of the fixture of another game with turns of this one."""
    with (FIXTURES / "nadraz/valid/all-fields.yaml").open("rb") as file:
        first, second = (document.data for document in formats.read("yaml", file))
    ruleset, variant = list(kinds(game))[-1]
    data = random_game(game, ruleset, variant, ruleset.sizes[0], "all fields")
    rng = Random(game.name)
    own = {"id": f"all-fields-{game.name}", **start(data), "tags": ["puzzle", f"{game.name} week"]}
    opening = data.get("opening") and {**data["opening"], "x-set-by": "Ada"}
    entries: list[Any] = []
    for ply, turn in enumerate(data["moves"]):
        entry = first["moves"][ply] if ply < len(first["moves"]) else turn
        if isinstance(entry, dict):
            entry = {**entry, **_alternatives(entry, after(data, ply), rng), "turn": turn}
        entries.append(entry if isinstance(entry, dict) else turn)
    score = data["result"].get("score")
    result = {**first["result"], "reason": "The game is over", **data["result"], "termination": "rules"}
    result["score"] = score and {**score, "x-note": 2}
    middle = after(data, len(data["moves"]) // 2)
    turn, other = rng.choices(middle.legal_turns(), k=2)
    setup = {"id": f"{own['id']}-from-a-setup", **start(data), "setup": middle.text()}
    moves = [{"turn": turn, "taken_back": [other], "variations": [[other]]}]
    by, winner = COLORS[1 - COLORS.index(middle.turn)], middle.turn
    illegal = {"turn": re.sub("[a-z]+[0-9]+", "z99", game.example), "by": by, "x-seen": "by all"}
    lost = {**second["result"], "winner": winner, "illegal": illegal}
    names = {"variant": variant, "readings": [reading.name for reading in game.readings[:1]] or None}
    return as_yaml(
        _without_nulls({**first, **names, **own, "opening": opening, "moves": entries, "result": result}),
        _without_nulls({**second, **names, **setup, "opening": None, "moves": moves, "result": lost}),
    )


def _alternatives(entry: Data, position: Position, rng: Random) -> Data:
    """Return the fields of an entry that have turns, with turns that are legal in a position."""
    one, other = rng.choices(position.legal_turns(), k=2)
    line = [one]
    position.play(one)
    if not position.is_over:
        line.append(rng.choice(position.legal_turns()))
    found: Data = {}
    if "eval" in entry:
        found["eval"] = {**entry["eval"], "line": line}
    if "taken_back" in entry:
        found["taken_back"] = [one, other]
    if "variations" in entry:
        (_, second), (third,) = entry["variations"]
        more = [{**second, "turn": turn} for turn in line[1:]]
        third = {
            **third,
            "turn": other,
            "eval": {"value": 1, "line": [one]},
            "taken_back": [one],
            "variations": [[one]],
        }
        found["variations"] = [[one, *more], [third]]
    return found


def _without_nulls(data: Data) -> Data:
    return {
        name: _without_nulls(value) if isinstance(value, dict) else value
        for name, value in data.items()
        if value is not None
    }


def refused(game: Game) -> dict[str, str]:
    """Return records that break a rule, by code: the examples of the game's own codes, and a turn on a stone."""
    found = {code: f"{explained.example.rstrip()}\n" for code, explained in game.refusals.items()}
    data = random_game(game, game.ruleset(), None, game.ruleset().sizes[0], "refused")
    for ply in range(1, len(data["moves"])):
        turn = data["moves"][0]
        try:
            after(data, ply).play(turn)
        except RuleError as refusal:
            if refusal.code == "move/occupied":
                whole = {name: value for name, value in data.items() if name != "result"}
                found.setdefault(refusal.code, as_yaml({**whole, "moves": [*data["moves"][:ply], turn]}))
    return found


def kit_lines(game: Game) -> Iterator[tuple[str, Line]]:
    """Yield the questions and answers of the conformance kit, with the names of their files."""
    for ruleset, variant in kinds(game):
        for size in ruleset.sizes[:SIZES]:
            data = random_game(game, ruleset, variant, size, "kit")
            moves = data["moves"]
            plies = [
                ply for ply in (0, len(moves) // 2, len(moves) - 1) if after(data, ply).legal_count() <= MOST_TURNS
            ]
            ask = {"start": start(data), "moves": moves, "positions": [{"ply": ply} for ply in plies]}
            yield "games.jsonl", answered({"kind": "game", **ask})
            position = start_of(start(data))
            counts = [len(position.legal_turns())]
            while counts[-1] ** (1 + 1 / len(counts)) < MOST_SEQUENCES:
                counts.append(perft(position, len(counts) + 1))
            yield "perft.jsonl", answered({"kind": "perft", "start": start(data), "moves": [], "counts": counts})
    for code, text in refused(game).items():
        data = {"ruleset": game.rulesets[0], **yaml.safe_load(text)}
        *moves, turn = data["moves"] or [""]
        if code.startswith("move/"):
            ask = {"start": start(data), "moves": moves, "turn": turn}
            yield "turns.jsonl", answered({"kind": "illegal turn", **ask})
        elif code.startswith(("opening/", "setup/")):
            yield "starts.jsonl", answered({"kind": "illegal start", "start": start(data)})


def complete_kit(game: Game) -> list[Path]:
    """Add questions on a game to the files of the conformance kit that have none; return these files."""
    found: dict[str, list[Line]] = {}
    for name, line in kit_lines(game):
        found.setdefault(name, []).append(line)
    changed = []
    for name, new in found.items():
        if all(line["start"]["game"] != game.name for line in lines(name)):
            with (folder() / name).open("a", encoding="utf-8") as file:
                file.write(jsonl(iter(new)))
            changed.append(folder() / name)
    return changed
