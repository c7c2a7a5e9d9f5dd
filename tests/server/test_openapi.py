"""The OpenAPI document: every address is there, every answer is as it says, and no answer says more."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from hexrec.record.json_schema import record_schema
from hexrec.rules import games
from hexrec.server.app import create
from tests.server.conftest import GAME, LINE

FIXTURES = Path(__file__).parent.parent.parent / "fixtures/suite"
LINES = "application/x-ndjson"


@cache
def document() -> dict[str, Any]:
    return create().openapi()


def answers() -> set[str]:
    """Return the names of the schemas that describe answers."""
    return {*document()["components"]["schemas"]} - {
        *record_schema()["$defs"],
        "Record",
        "EditRequest",
        "PositionDescription",
    }


@cache
def strict() -> dict[str, Any]:
    """Return the schemas of the document, where those of answers allow no field that they do not have."""
    found = deepcopy(document()["components"]["schemas"])
    for name in answers() - {"ConvertedRecord"}:
        found[name]["additionalProperties"] = False
    return dict(found)


def validator(schema: dict[str, Any]) -> Draft202012Validator:
    return Draft202012Validator({**schema, "components": {"schemas": strict()}})


def check(answer: httpx.Response, path: str) -> None:
    """Check that an answer in JSON is one that the document promises."""
    operation = document()["paths"][path]["get" if answer.request.method == "GET" else "post"]
    kind = answer.headers["content-type"].partition(";")[0]
    status = str(answer.status_code) if answer.status_code < 400 else f"{answer.status_code // 100}XX"
    schema = operation["responses"][status]["content"][kind]["schema"]
    data = map(json.loads, answer.text.splitlines()) if kind == LINES else [answer.json()]
    for each in data:
        errors = [f"{error.json_path}: {error.message[:300]}" for error in validator(schema).iter_errors(each)]
        assert not errors, (path, errors)


def test_the_document_describes_every_address(client: httpx.Client) -> None:
    assert client.get("/openapi.json").json() == document()
    assert " ".join(document()["paths"]) == (
        "/v1/validate /v1/score /v1/convert /v1/import /v1/list /v1/edit /v1/legal /v1/explain /v1/positions "
        "/v1/render /v1/replay /v1/games /v1/schemas/{game} /v1/codes /healthz /readyz /metrics"
    )
    for address, path in document()["paths"].items():
        content = path.get("post", {}).get("requestBody", {}).get("content", {})
        for kind, about in content.items():
            for example in about.get("examples", {}).values():
                value = example["value"]
                body = value if isinstance(value, str) else json.dumps(value)
                of_records = address not in ("/v1/positions", "/v1/edit", "/v1/import")
                answer = client.post(
                    "/v1/validate" if of_records else address, content=body, headers={"Content-Type": kind}
                )
                assert answer.json()["summary"]["records"] == 1 if of_records else answer.status_code in (200, 422)


def test_records_have_types() -> None:
    """Each field has one, also where the schema of the format restricts which of them a record has together."""
    schemas = document()["components"]["schemas"]
    for name in (f"{game.capitalize()}Record" for game in games.names()):
        fields = schemas[name]["properties"]
        assert all({"type", "$ref", "enum", "const"} & field.keys() for field in fields.values()), name
        assert fields["setup"]["type"] == "string"
        assert name == "SunspotRecord" or "$ref" in fields["opening"]
    whole = json.dumps(document())
    assert all(f'"#/components/schemas/{name}"' in whole for name in record_schema()["$defs"] if name in schemas)


def operations() -> Iterator[dict[str, Any]]:
    for path in document()["paths"].values():
        yield from path.values()


def test_operations_can_be_told_apart() -> None:
    assert " ".join(operation["operationId"] for operation in operations()) == (
        "validate score convert import_text list_records edit_record list_legal_turns explain_result describe_position "
        "render replay list_games get_schema list_codes get_health get_readiness get_metrics"
    )
    tags = [tag["name"] for tag in document()["tags"]]
    assert {tag for operation in operations() for tag in operation["tags"]} == set(tags)
    assert document()["info"]["license"] == {"name": "MIT", "identifier": "MIT"}


def test_the_document_as_a_page(client: httpx.Client) -> None:
    page = client.get("/docs")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert set(re.findall(r'(?:src|href|spec-url)="([^"]+)"', page.text)) == {"data:,", "openapi.json", "docs/redoc.js"}
    script = client.get("/docs/redoc.js")
    assert (script.status_code, script.headers["content-type"]) == (200, "text/javascript; charset=utf-8")


def test_every_type_of_answer_says_what_it_is() -> None:
    assert all(document()["components"]["schemas"][name]["description"] for name in answers())
    Draft202012Validator.check_schema({"$defs": strict()})


@pytest.mark.parametrize(
    "path", ["/v1/games", "/v1/codes", "/healthz", "/readyz", "/v1/schemas/chess", "/v1/games?a=1"]
)
def test_plain_answers_are_as_promised(client: httpx.Client, path: str) -> None:
    address = path.partition("?")[0]
    check(client.get(path), "/v1/schemas/{game}" if "schemas" in address else address)


def test_what_a_game_has_is_told_of_each(client: httpx.Client) -> None:
    assert {game["score"] for game in client.get("/v1/games").json()} == {"number", "list", None}


@pytest.mark.parametrize("game", games.names())
def test_answers_are_as_promised(client: httpx.Client, game: str) -> None:
    folder = FIXTURES / game
    # All that records can have, and the ways in which they are broken.
    files = [folder / "valid" / "all-fields.yaml", *sorted((folder / "invalid").glob("*.yaml"))[::60]]
    for file in files:
        body = file.read_bytes()
        for accept in ("application/json", LINES):
            headers = {"Content-Type": "application/yaml", "Accept": accept}
            check(client.post("/v1/validate?lint=true", content=body, headers=headers), "/v1/validate")
            check(client.post("/v1/score", content=body, headers=headers), "/v1/score")
            address = "/v1/convert?report=true&to=hgn&invalid=true"
            check(client.post(address, content=body, headers=headers), "/v1/convert")
        headers = {"Content-Type": "application/yaml"}
        for task in ("convert", "list", "legal", "explain", "replay"):
            check(client.post(f"/v1/{task}", content=body, headers=headers), f"/v1/{task}")
        check(client.post("/v1/convert?to=abstractplay", content=body, headers=headers), "/v1/convert")


@pytest.mark.parametrize(
    "body",
    [
        {"game": "valaturna", "position": "1w2/5/2b*2w2/7/6/5/4 b 0"},
        {"game": "sundraval", "size": 3, "opening": GAME["opening"], "moves": GAME["moves"]},
        {"game": "sunspot", "position": "4/5/6/8/6/5/4 b 0"},
        {"game": "chess"},
    ],
)
def test_positions_are_as_promised(client: httpx.Client, body: dict[str, Any]) -> None:
    for flag in (True, False):
        params = {"drawing": flag, "entry": flag, "overlays": flag}
        check(client.post("/v1/positions", json=body, params=params), "/v1/positions")


def test_problems_are_as_promised(client: httpx.Client) -> None:
    check(client.post("/v1/convert?to=sgf", content=LINE + b"{}\n"), "/v1/convert")
    check(client.post("/v1/legal", json={**GAME, "moves": ["a1", "a1"]}), "/v1/legal")
    check(client.post("/v1/legal?record=7", json=GAME), "/v1/legal")
    check(client.post("/v1/score", json=GAME, headers={"Accept": "text/html"}), "/v1/score")
