"""What the page is answered where there is no server: the same as by one."""

from __future__ import annotations

import json

import pytest

from hexrec.server.local import answer
from tests.server import in_process
from tests.server.test_whole_answers import BROKEN, GAME, LINES, edit, position, text

BODY = text(GAME, BROKEN)


@pytest.mark.parametrize(
    ("address", "body"),
    [
        *((f"v1/convert?to=yaml&{query}", text(GAME)) for query in ("coordinates=skew", "from=jsonl", "report=false")),
        *((f"v1/convert?to=sgf&{query}", BODY) for query in ("report=true", "invalid=true", "invalid=false")),
        ("v1/convert?to=abstractplay&strict=true", text(GAME)),
        ("v1/convert?to=abstractplay&strict=false", text({**GAME, "result": {"winner": "white"}})),
        ("v1/edit", edit(BODY, "jsonl", {**GAME, "moves": []}, 1)),
        ("v1/edit", "{}"),
        *(("v1/explain" + query, BODY) for query in ("", "?ply=2", "?record=1", "?ply=9")),
        *(("v1/legal" + query, BODY) for query in ("", "?ply=2", "?record=1&ply=1", "?record=2", "?from=sgf")),
        *(("v1/list" + query, BODY) for query in ("", "?from=jsonl", "?from=yaml")),
        *(("v1/positions" + query, position()) for query in ("", "?drawing=false", "?drawing=true&entry=true")),
        *(("v1/render" + query, BODY) for query in ("", "?ply=2", "?record=1", "?theme=dark&labels=all&width=300")),
        *(("v1/render?" + query, BODY) for query in ("marks=false", "caption=false", "coordinates=axial", "ply=9")),
        *(("v1/replay" + query, BODY) for query in ("", "?record=1", "?record=2")),
    ],
)
def test_answers_are_those_of_the_service(address: str, body: str) -> None:
    with in_process.client() as client:
        served = client.post(address, content=body.encode())
    assert answer(address, body.encode()) == (served.status_code, served.text)


def test_lines_are_answered_where_they_are_accepted() -> None:
    status, lines = answer("v1/convert?report=true&to=yaml", BODY.encode(), LINES)
    assert (status, [json.loads(line)["index"] for line in lines.splitlines()]) == (200, [0, 1])


def test_limits_are_those_of_the_service() -> None:
    status, said = answer("v1/list?from=jsonl", b"{}\n" * 10_001)
    assert (status, json.loads(said)["type"]) == (413, "urn:hexrec:problem:too-many-records")


def test_what_is_not_there() -> None:
    status, said = answer("v1/sc\u00f6re?x=1", b"")
    assert (status, json.loads(said)["type"]) == (404, "urn:hexrec:problem:not-found")
    assert json.loads(said)["detail"] == "without a server there is no v1/sc\u00f6re"
    assert "\u00f6" in said
