"""Files of many records: where each stands, and one changed without the others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import hexrec
from hexrec import formats
from hexrec.formats import Extent
from hexrec.formats.base import Document
from hexrec.io.discovery import format_of
from hexrec.record.canonical import canonical_form
from hexrec.record.validation import read_record
from hexrec.server.listing import ListRecords
from hexrec.server.tasks import Task
from tests.properties import sample
from tests.server.conftest import GAME

FIXTURES = Path(__file__).parents[2] / "fixtures/suite"
#: Records of Abstract Play, in a list.
EXPORT = FIXTURES / "formats/abstractplay/valid/list-of-records.export"
#: What a part of a file does not tell of the text around it.
AROUND = {"syntax/sgf-mark", "syntax/sgf-text"}
NAMED: dict[str, Any] = {**GAME, "date": "2026-01-02", "players": {"black": {"name": "Ann"}, "white": {"name": "Bo"}}}
ILLEGAL: dict[str, Any] = {**NAMED, "moves": [*GAME["moves"][:1], GAME["moves"][0]]}


def written(notation: str, records: list[dict[str, Any]]) -> bytes:
    return "".join(formats.get(notation).write(records)).encode()


def listed(client: httpx.Client, body: bytes, notation: str | None = None) -> dict[str, Any]:
    answer = client.post("/v1/list", content=body, params={"from": notation} if notation else {})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def cut(body: bytes, entry: dict[str, Any]) -> bytes:
    part = entry["extent"]
    return body[part["offset"] : part["offset"] + part["size"]]


def files() -> Iterator[Path]:
    yield from sorted((FIXTURES / "formats").rglob("*.*"))


def verdict(entry: dict[str, Any]) -> list[Any]:
    told = entry["diagnostic"] and (entry["diagnostic"]["code"], entry["diagnostic"].get("ply"))
    return [*(entry[name] for name in ("game", "id", "valid", "plies", "result")), told]


def test_each_record_of_each_fixture_has_the_same_verdict_by_itself(client: httpx.Client) -> None:
    compared = parts = 0
    for path in sample(files(), 4):
        body = path.read_bytes()
        told = listed(client, body, format_of(path.name))
        for entry in told["records"]:
            if entry["diagnostic"] and entry["diagnostic"]["code"] in AROUND:
                continue
            part = cut(body, entry)
            if part == body:
                continue
            (*_, alone) = listed(client, part, told["notation"])["records"][: entry["extent"]["record"] + 1]
            assert verdict(alone) == verdict(entry), (path, entry["index"])
            assert entry["extent"]["line"] == body[: entry["extent"]["offset"]].count(b"\n")
            compared += 1
            parts += entry["extent"]["size"]
    assert compared > 20
    assert parts > 10_000


@pytest.mark.parametrize("notation", ["jsonl", "yaml", "sgf", "hgn"])
def test_a_record_is_mended_and_the_others_keep_their_bytes(client: httpx.Client, notation: str) -> None:
    records = [NAMED] * 7 + [ILLEGAL] + [NAMED] * 12
    body = written(notation, records)
    told = listed(client, body)
    assert told["notation"] == notation
    assert (told["summary"]["records"], told["summary"]["invalid"]) == (20, 1)
    assert [entry["index"] for entry in told["records"] if not entry["valid"]] == [7]
    broken = told["records"][7]
    assert broken["players"] == {"black": "Ann", "white": "Bo"}
    assert (broken["date"], broken["game"], broken["size"]) == (NAMED["date"], NAMED["game"], NAMED["size"])
    assert (broken["plies"], broken["diagnostic"]["ply"]) == (1, 2)
    part = broken["extent"]
    asked = {"text": cut(body, broken).decode(), "notation": notation, "record": part["record"], "data": NAMED}
    answer = client.post("/v1/edit", json=asked)
    assert answer.status_code == 200, answer.text
    mended = body[: part["offset"]] + answer.content + body[part["offset"] + part["size"] :]
    assert mended == written(notation, [NAMED] * 20)


def test_only_what_differs_changes(client: httpx.Client) -> None:
    text = '{"moves": [{"turn": "a1"}, "a1"], "size": 3, "ruleset": "2023", "game": "sundraval", "hexrec": "1", '
    text += '"opening": {"white": "b2", "black": "c3"}}'
    data = {**ILLEGAL, "moves": ["a1", "a2"], "date": "2026-01-02"}
    del data["players"]
    answer = client.post("/v1/edit", json={"text": text, "notation": "json", "record": 0, "data": data})
    assert answer.text == text.replace('"a1"]', '"a2"]').replace("}}", '}, "date": "2026-01-02"}')


def test_what_yaml_says_beside_the_record_stays(client: httpx.Client) -> None:
    body = b"---  # first\n" + written("yaml", [NAMED]) + b"---\n# why\n" + written("yaml", [ILLEGAL])
    _, broken = listed(client, body)["records"]
    asked = {"text": cut(body, broken).decode(), "notation": "yaml", "record": 0, "data": {**ILLEGAL, "moves": []}}
    made = client.post("/v1/edit", json=asked).text
    assert made.startswith("---\n# why\n")
    assert hexrec.loads(made).moves == []


def test_records_of_a_list_of_another_site(client: httpx.Client) -> None:
    body = EXPORT.read_bytes()
    told = listed(client, body)
    assert told["notation"] == "json"
    parts = [cut(body, entry).decode() for entry in told["records"]]
    assert [json.loads(part) for part in parts] == json.loads(body)
    asked = {"text": parts[0], "notation": told["notation"], "record": 0}
    answer = client.post("/v1/edit", json={**asked, "data": NAMED})
    assert (answer.status_code, answer.json()["type"]) == (422, "urn:hexrec:problem:cannot-be-edited")


def test_fields_of_wrong_types_are_left_out_of_the_list(client: httpx.Client) -> None:
    odd = {**NAMED, "players": {"black": {"name": 3}, "white": []}, "date": ["x"], "size": True}
    (entry,) = listed(client, json.dumps(odd).encode())["records"]
    assert not entry["valid"]
    assert (entry["players"], entry["date"], entry["size"]) == ({"black": None, "white": None}, None, None)


def told(body: bytes, notation: str | None = None) -> dict[str, Any]:
    answer = Task(ListRecords(), body=body, notation=notation, records=9, plies=99).answer()
    return dict(json.loads(answer.body))


def test_what_hexrec_fails_to_read_is_all_of_the_body(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexrec.validation.clean.read_json", lambda _: None)
    body = written("jsonl", [NAMED, NAMED])
    usual = formats.read_placed

    def fails(*given: Any) -> Iterator[tuple[Extent, Document]]:
        yield next(iter(usual(*given)))
        raise RuntimeError

    monkeypatch.setattr(formats, "read_placed", fails)
    first, second = told(body)["records"]
    assert (first["valid"], first["extent"]["size"]) == (True, len(body) // 2)
    assert (second["valid"], second["diagnostic"]["code"]) == (False, "internal/error")
    assert (second["extent"]["offset"], second["extent"]["size"]) == (0, len(body))
    assert (second["game"], second["size"], second["players"]) == (None, None, {"black": None, "white": None})


@pytest.mark.parametrize(
    ("tag", "turn", "code"),
    [
        ("Event", "e5", None),
        ("event", "e5", "syntax/hgn-case"),
        ("Event", "z9", "move/off-board"),
        ("event", "z9", "move/off-board"),
    ],
)
def test_the_diagnostic_of_the_list_is_the_first_error_or_else_the_first_warning(
    tag: str, turn: str, code: str | None
) -> None:
    text = f'[Game "Sunspot"]\n[Size "5"]\n[{tag} "City Open"]\n\n1. {turn} *\n'
    (entry,) = told(text.encode())["records"]
    assert (entry["diagnostic"] and entry["diagnostic"]["code"]) == code


LEAST = '{"hexrec": "1", "game": "sunspot", "size": 5, "x-a": [1], "moves": ["e5"]}'


@pytest.mark.parametrize(
    ("change", "made"),
    [
        ({"moves": ["e5", "e6"]}, LEAST.replace('["e5"]', '["e5", "e6"]')),
        ({"x-a": 5}, LEAST.replace("[1]", "5")),
        ({"x-a": {"b": 1}}, LEAST.replace("[1]", '{"b": 1}')),
        ({}, LEAST),
    ],
)
def test_defaults_that_were_left_out_stay_out(client: httpx.Client, change: dict[str, Any], made: str) -> None:
    data = {**canonical_form(read_record(json.loads(LEAST))), **change}
    answer = client.post("/v1/edit", json={"text": LEAST, "notation": "json", "record": 0, "data": data})
    assert (answer.status_code, answer.text) == (200, made)


def test_a_spelling_that_means_another_turn_now_is_not_kept(client: httpx.Client) -> None:
    """Any stone of a part stands for it, as long as the stones are where they were."""
    moves = ["e4", "e3", "c4", "c3", "d2", "d4", "d5xd4xe4"]
    raw = {"hexrec": "1", "game": "sunspot", "size": 4, "moves": moves}
    asked = canonical_form(read_record(raw))
    assert asked["moves"][-1] == "d5xd4xc4"
    for first, last in (("e4", "d5xd4xe4"), ("e3", "d5xd4xc4")):
        data = {**asked, "moves": [first, *asked["moves"][1:]], "id": "x"}
        answer = client.post("/v1/edit", json={"text": json.dumps(raw), "notation": "json", "record": 0, "data": data})
        assert json.loads(answer.text)["moves"] == [first, *moves[1:-1], last]
