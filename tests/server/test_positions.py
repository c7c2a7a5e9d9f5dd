"""Positions: their legal turns and their pictures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from hexrec import games
from tests.cli.conftest import Run
from tests.server.conftest import GAME

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"


@pytest.mark.parametrize("game", games.names())
def test_pictures_are_those_of_the_command(client: httpx.Client, hexrec: Run, tmp_path: Path, game: str) -> None:
    body = (FIXTURES / game / "reference" / "games.jsonl").read_bytes()
    out = tmp_path / "picture.svg"
    look = {"ply": "5", "theme": "dark", "labels": "all", "coordinates": "skew", "width": "400"}
    options = [part for name, value in look.items() for part in (f"--{name}", value)]
    hexrec("show", "-", "--from", "jsonl", "--record", "1", "--svg", out, *options, stdin=body)
    answer = client.post("/v1/render", content=body, params={"from": "jsonl", "record": 1, **look})
    assert answer.text == out.read_text(encoding="utf-8")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "script" not in answer.headers["content-security-policy"]


def test_the_position_of_an_illegal_turn_can_be_seen(client: httpx.Client) -> None:
    broken = {**GAME, "moves": ["a1", "a1"]}
    drawn = client.post("/v1/render", json=broken)
    assert drawn.text == client.post("/v1/render", json={**GAME, "moves": ["a1"]}).text
    beyond = client.post("/v1/render", json=broken, params={"ply": 2})
    assert (beyond.status_code, beyond.json()["code"], beyond.json()["ply"]) == (422, "move/occupied", 2)


@pytest.mark.parametrize("ply", [0, 2, None])
def test_legal_turns_are_those_of_the_command(client: httpx.Client, hexrec: Run, ply: int | None) -> None:
    body = json.dumps({**GAME, "moves": ["a1", "a2", "pass"]}).encode()
    arguments = [] if ply is None else ["--ply", str(ply)]
    said = hexrec("legal", "-", "--from", "json", *arguments, stdin=body)
    answer = client.post("/v1/legal", content=body, params={} if ply is None else {"ply": ply}).json()
    assert answer["legal"] == said.out.splitlines()
    assert answer["legal"]
    assert answer["ply"] == (3 if ply is None else ply)


def test_the_end_of_a_game_has_no_legal_turns(client: httpx.Client) -> None:
    answer = client.post("/v1/legal", json=GAME).json()
    assert answer["legal"] == []
    assert answer["result"] == {"winner": "white", "termination": "rules", "score": {"black": 0.0, "white": 1.5}}


def test_any_record_of_a_body_can_be_looked_at(client: httpx.Client) -> None:
    other = {"hexrec": "1", "game": "sunspot", "size": 4, "moves": []}
    body = json.dumps(GAME) + "\n" + json.dumps(other) + "\n"
    assert client.post("/v1/legal", content=body, params={"record": 1}).json()["game"] == "sunspot"
    missing = client.post("/v1/legal", content=body, params={"record": 2})
    assert (missing.status_code, missing.json()["type"]) == (422, "urn:hexrec:problem:no-such-record")


@pytest.mark.parametrize(
    ("record", "params", "problem"),
    [
        (GAME, {"ply": 5}, "no-such-ply"),
        ({**GAME, "moves": ["a1", "a1"]}, {}, "bad-record"),
        ({**GAME, "moves": 7}, {}, "bad-record"),
        ({**GAME, "size": 99}, {}, "bad-record"),
        (GAME, {"ply": -1}, "bad-parameter"),
    ],
)
def test_what_has_no_position(
    client: httpx.Client, record: dict[str, Any], params: dict[str, int], problem: str
) -> None:
    answer = client.post("/v1/legal", json=record, params=params)
    assert (answer.status_code, answer.json()["type"]) == (422, f"urn:hexrec:problem:{problem}")
