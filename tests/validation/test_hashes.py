"""The game hash: equal to reference values, the same for the same game, none for an illegal one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

import pytest

import hexrec
from hexrec import conformance
from hexrec.record.validation import read_record
from hexrec.rules import games
from hexrec.rules.board import SYSTEMS, hexagon
from hexrec.validation.verdict import check_record, with_hash
from tests.properties import sample
from tests.tools.test_duplicates import respelled


def reference() -> Iterator[dict[str, Any]]:
    """Yield objects with a game (`from`), its hash, and the game that goes on `from` there after some plies."""
    for line in conformance.lines("games.jsonl"):
        data = {"hexrec": "1", **line["start"], "moves": line["moves"]}
        if line["result"]:
            data["result"] = line["result"]
        middle = line["positions"][1]
        rest = {name: value for name, value in data.items() if name != "opening"}
        record = {**rest, "setup": middle["position"], "moves": line["moves"][middle["ply"] :]}
        yield {"from": data, "hash": line["hash"], "ply": middle["ply"], "record": record}


#: A game of every kind.
SOME = [
    next(each for each in reference() if each["from"]["game"] == name and each["from"].get("variant") == variant)
    for name in games.BUILT_IN
    for variant in (None, *games.get(name).variants)
]


def by_definition(data: dict[str, Any]) -> str:
    """Return the hash of a record in row coordinates, with canonical turns and all that has a default."""
    game = {
        "game": data["game"],
        "ruleset": data["ruleset"],
        "variant": data.get("variant"),
        "size": data["size"],
        "opening": data.get("opening"),
        "setup": data.get("setup"),
        "moves": data["moves"],
    }
    return blake2b(json.dumps(game, separators=(",", ":")).encode(), digest_size=16).hexdigest()


def test_reference_values() -> None:
    for each in reference():
        data = each["from"]
        assert by_definition(data) == each["hash"]
        assert by_definition(each["record"]) == hexrec.game_hash(read_record(each["record"])) != each["hash"]
        assert hexrec.game_hash(read_record(data)) == each["hash"]
        default = games.get(data["game"]).rulesets[0]
        bare = {name: value for name, value in data.items() if name != "result" and value != default}
        shouted = {**bare, "moves": [f" {turn.upper()}\t" for turn in data["moves"]], "event": "City Open"}
        assert hexrec.game_hash(read_record(shouted)) == each["hash"]


@pytest.mark.parametrize("each", SOME, ids=lambda each: each["from"]["game"])
def test_images_and_coordinates(each: dict[str, Any]) -> None:
    """The symmetric hash is the smallest of those of the images, each of which has it too."""
    data = each["from"]
    symmetries = hexagon(data["size"]).symmetries
    least = min(by_definition(respelled(data, image)) for image in symmetries)
    for number, image in enumerate(symmetries):
        seen = read_record(respelled(data, image, SYSTEMS[number % len(SYSTEMS)]))
        assert hexrec.game_hash(seen, symmetric=True) == least
        assert (hexrec.game_hash(seen) == each["hash"]) == (respelled(data, image)["moves"] == data["moves"])


def set_up(data: dict[str, Any], ply: int) -> dict[str, Any]:
    """Return the record of a game that goes on where another one is after some plies."""
    position = conformance.start_of(data)
    position.play_all(data["moves"][:ply])
    rest = {name: value for name, value in data.items() if name not in ("opening", "moves", "coordinates")}
    return {**rest, "setup": position.text(), "moves": data["moves"][ply:]}


@pytest.mark.parametrize("each", SOME, ids=lambda each: each["from"]["game"])
def test_images_of_games_with_a_setup(each: dict[str, Any]) -> None:
    data, ply = each["from"], each["ply"]
    assert set_up(data, ply)["setup"] == each["record"]["setup"]
    images = [set_up(respelled(data, image), ply) for image in hexagon(data["size"]).symmetries]
    hashes = {hexrec.game_hash(read_record(image), symmetric=True) for image in images}
    assert hashes == {min(map(by_definition, images))}


def test_every_spelling_of_a_turn() -> None:
    """In Sunspot any stone of the subgroup names what is flipped back."""
    respellings = 0
    for each in sample(reference(), 2):
        data = each["from"]
        position = conformance.start_of(data)
        for index, turn in enumerate(data["moves"]):
            before, _, back = turn.rpartition("x")
            for name in position.names.cells if "x" in before else ():
                if name != back and position.is_legal(f"{before}x{name}"):
                    other = [*data["moves"][:index], f"{before}x{name}"]
                    same = position.canonical(other[-1]) == turn
                    expected = by_definition({**data, "moves": data["moves"][: index + 1]})
                    record = read_record({**data, "moves": other})
                    assert (hexrec.game_hash(record) == expected) == same
                    respellings += same
            position.play(turn)
    assert respellings > 5


SHORT: dict[str, Any] = {
    "hexrec": "1",
    "game": "sundraval",
    "size": 3,
    "opening": {"black": "c3", "white": "b2"},
    "moves": ["a1", "a2", "pass", "pass"],
}


@pytest.mark.parametrize(
    ("change", "code", "ply"),
    [
        ({"moves": ["a1", "A1"]}, "move/occupied", 2),
        ({"moves": [*SHORT["moves"], "b1"]}, "move/game-over", 5),
        ({"opening": {"black": "c3", "white": "c3"}, "moves": []}, "opening/same-cell", None),
        ({"opening": None, "setup": "3/4/5/4/3 b 0", "size": 4, "moves": []}, "setup/size", None),
    ],
    ids=str,
)
def test_illegal_games_have_none(change: dict[str, Any], code: str, ply: int | None) -> None:
    record = read_record({name: value for name, value in {**SHORT, **change}.items() if value is not None})
    with pytest.raises(hexrec.RecordError) as refused:
        hexrec.game_hash(record)
    (diagnostic,) = refused.value.diagnostics
    assert (diagnostic.code, diagnostic.ply) == (code, ply)
    assert with_hash(check_record(record))[1] is None


def test_a_wrong_result_does_not_matter() -> None:
    record = read_record({**SHORT, "result": {"winner": "black"}})
    assert hexrec.game_hash(record) == hexrec.game_hash(read_record(SHORT))
