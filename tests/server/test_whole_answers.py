"""The answers of the service to a list of requests, word for word: `fixtures/service/answers.jsonl`.

A line has a request and its answer. To test another request, add a line with `asked` and an empty `answer`;
`python -m tests.server.test_whole_answers` then writes the answers.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from difflib import unified_diff
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest

from hexrec.util.version import __version__
from tests.cases import try_all
from tests.cli.conftest import SHORT_GAME
from tests.fixtures import without_games
from tests.server import in_process

FOLDER = Path(__file__).parent.parent.parent / "fixtures/service"
AGAIN = "if that is as it should be: python -m tests.server.test_whole_answers"
#: What the headers of all answers say; those of pictures have a policy of their own.
GUARDS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}

LINES = "application/x-ndjson"
GAME: dict[str, Any] = {
    **SHORT_GAME,
    "id": "G1",
    "date": "2026-01-02",
    "players": {"black": {"name": "Ann"}, "white": {"name": "Bo"}},
}
BROKEN: dict[str, Any] = {**GAME, "id": "G2", "moves": ["a1", "a1"]}
OTHER: dict[str, Any] = {"hexrec": "1", "game": "sunspot", "size": 4, "moves": ["d4", "a1"]}


def versionless(said: str) -> str:
    """Return a text without the version of hexrec that JSON and SGF have."""
    return said.replace(f'"{__version__}"', '"VERSION"').replace(f"AP[hexrec:{__version__}]", "AP[hexrec:VERSION]")


def text(*records: object) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def position(**fields: Any) -> str:
    return json.dumps({"game": "valaturna", "position": "1w2/5/2b*2w2/7/6/5/4 b 0", **fields})


def edit(of: str, notation: str, data: object, record: object = 0, **more: Any) -> str:
    return json.dumps({"text": of, "notation": notation, "record": record, "data": data, **more})


#: A path, after a method other than POST, a body, and fields of the header.
Request = tuple[str, str, Mapping[str, str]]


def kept(client: httpx.Client, asked: str) -> dict[str, Any]:
    """Send a request, and return what is kept of the answer."""
    request: Request = json.loads(asked)
    address, text_of_body, headers = request
    method, path = address.split() if " " in address else ("POST", address)
    content = text_of_body.encode()
    if headers.get("Content-Encoding", "").strip().lower().endswith("gzip"):
        content = gzip.compress(content, mtime=0)
    answer = client.request(method, path, content=content, headers={"Accept-Encoding": "", **headers})
    body = without_games(versionless(answer.content.decode(errors="backslashreplace")))
    told = {name: value for name, value in answer.headers.items() if name not in ("x-request-id", "content-length")}
    own = {name for name, _ in GUARDS.items() - told.items()}
    assert own <= {"cache-control"} or "svg" in told["content-type"]
    told = {name: value for name, value in told.items() if (name, value) not in GUARDS.items()}
    return {"status": answer.status_code, "headers": told, "body": body}


@cache
def read_answers() -> dict[str, dict[str, Any]]:
    lines = (FOLDER / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    return {line["asked"]: line["answer"] for line in map(json.loads, lines)}


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with in_process.client() as found:
        yield found


@cache
def paths() -> dict[str, list[str]]:
    """Return the requests by the path without its parameters; those that send nothing are together."""
    found: dict[str, list[str]] = {}
    for asked in read_answers():
        path = json.loads(asked)[0].partition("?")[0]
        found.setdefault("plain" if " " in path else path, []).append(asked)
    return found


def compare(expected: dict[str, Any], found: dict[str, Any]) -> Iterator[str]:
    """Yield the lines in which two answers differ, with the lines around them."""
    before, after = (
        json.dumps(expand(answer), indent=1, ensure_ascii=False).splitlines() for answer in (expected, found)
    )
    return unified_diff(before, after, "expected", "found", lineterm="", n=2)


def expand(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer with its body as data, or as lines, of an SVG each with an element."""
    try:
        return {**answer, "body": json.loads(answer["body"])}
    except ValueError:
        return {**answer, "body": answer["body"].replace("><", ">\n<").splitlines()}


@pytest.mark.parametrize("path", paths())
def test_answers_are_those_that_were_kept(client: httpx.Client, path: str) -> None:
    def check(asked: str) -> None:
        found, expected = kept(client, asked), read_answers()[asked]
        if found != expected:
            pytest.fail("\n".join([*compare(expected, found), AGAIN]), pytrace=False)

    try_all(check, paths()[path], ids=str)


if __name__ == "__main__":
    with in_process.client() as service:
        lines = [{"asked": asked, "answer": kept(service, asked)} for asked in read_answers()]
    text_of_lines = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    (FOLDER / "answers.jsonl").write_text(text_of_lines, encoding="utf-8")
