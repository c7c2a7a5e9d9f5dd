"""What the page is answered where there is no server: the same as by one."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator

import httpx
import pytest

from hexrec.server.local import answer
from tests.server import in_process
from tests.server.test_whole_answers import BROKEN, GAME, LINES, edit, position, text

BODY = text(GAME, BROKEN)


ASKED = [
    *((f"v1/convert?to=yaml&{query}", text(GAME)) for query in ("coordinates=skew", "from=jsonl", "report=false")),
    *((f"v1/convert?to=sgf&{query}", BODY) for query in ("report=true", "invalid=true", "invalid=false")),
    ("v1/convert?to=abstractplay&strict=true", text(GAME)),
    ("v1/convert?to=abstractplay&strict=false", text({**GAME, "result": {"winner": "white"}})),
    ("v1/edit", edit(BODY, "jsonl", {**GAME, "moves": []}, 1)),
    ("v1/edit", "{}"),
    *(("v1/explain" + query, BODY) for query in ("", "?ply=2", "?record=1", "?ply=9")),
    *(("v1/legal" + query, BODY) for query in ("", "?ply=2", "?record=1&ply=1", "?record=2", "?from=sgf")),
    *(("v1/list" + query, BODY) for query in ("", "?from=jsonl", "?from=yaml")),
    *(
        ("v1/positions" + query, position())
        for query in ("", "?drawing=false", "?drawing=true&entry=true", "?overlays=true")
    ),
    *(("v1/render" + query, BODY) for query in ("", "?ply=2", "?record=1", "?theme=dark&labels=all&width=300")),
    *(("v1/render?" + query, BODY) for query in ("marks=false", "caption=false", "coordinates=axial", "ply=9")),
    *(("v1/replay" + query, BODY) for query in ("", "?record=1", "?record=2")),
    *(("v1/validate" + query, BODY) for query in ("", "?finished=true&lint=true", "?from=sgf")),
]
#: Parameters of which at least one is not there, or has no such value.
WRONG = [
    *("", "nonsense", "nonsense=1", "recrod=1", "From=json", "format=json", "layout=json", "ply=1&ply=2", "a&a"),
    *("from=", "from=pgn", "from=json&from=json", "to=pgn", "to=&from=json", "coordinates=hex"),
    *("record=x", "record=-1", "record=2147483648", "record=", "ply=1.5", "ply=-1", "ply=99999999999999999999"),
    *("drawing=perhaps", "entry=", "strict=2", "report=maybe&invalid=perhaps", "lint=true", "finished=1"),
    *("theme=blue", "labels=some", "width=15", "width=10001", "width=wide&theme=", "seconds=0", "seconds=nan"),
    *("marks=%C3%A9", "%C3%A9=1", "record=1%20", "ply=%2B1", "ply=1;record=1", "to=jsonl&from=jsonl"),
]


@pytest.fixture(scope="module")
def service() -> Iterator[httpx.Client]:
    with in_process.client() as client:
        yield client


def check(service: httpx.Client, asked: Iterable[tuple[str, str]]) -> None:
    """Check that the answers are those of the service."""
    answers = [
        (address, answer(address, body.encode()), service.post(address, content=body)) for address, body in asked
    ]
    assert [(address, here) for address, here, there in answers if here != (there.status_code, there.text)] == []


def test_answers_are_those_of_the_service(service: httpx.Client) -> None:
    check(service, ASKED)


@pytest.mark.parametrize("path", ["convert", "edit", "explain", "legal", "list", "positions", "render", "replay"])
def test_parameters_are_refused_as_by_the_service(path: str, service: httpx.Client) -> None:
    check(service, [(f"v1/{path}?{query}", BODY) for query in WRONG])


def test_what_is_wrong_with_parameters_is_said() -> None:
    status, said = answer("v1/render?width=wide&theme=blue", BODY.encode())
    assert status == 422
    assert json.loads(said)["type"] == "urn:hexrec:problem:bad-parameter"
    theme = "wrong theme (blue): it should be 'auto', 'light' or 'dark'"
    assert json.loads(said)["detail"] == f"{theme}; wrong width (wide): it should be a valid integer"


def test_lines_are_answered_where_they_are_accepted() -> None:
    status, lines = answer("v1/convert?report=true&to=yaml", BODY.encode(), LINES)
    assert (status, [json.loads(line)["index"] for line in lines.splitlines()]) == (200, [0, 1])


def test_limits_are_those_of_the_service() -> None:
    status, said = answer("v1/legal?from=jsonl&record=10000", b"{}\n" * 10_001)
    assert (status, json.loads(said)["type"]) == (413, "urn:hexrec:problem:too-many-records")


def test_what_is_not_there() -> None:
    status, said = answer("v1/sc\u00f6re?x=1", b"")
    assert (status, json.loads(said)["type"]) == (404, "urn:hexrec:problem:not-found")
    assert json.loads(said)["detail"] == "no such address (v1/sc\u00f6re): it needs a server"
    assert "\u00f6" in said


def test_nothing_of_a_server_is_needed() -> None:
    """In a browser there is neither FastAPI nor Starlette."""
    code = "import sys; sys.modules |= {'fastapi': None, 'starlette': None}; import hexrec.server.local"
    subprocess.run([sys.executable, "-c", code], check=True)
