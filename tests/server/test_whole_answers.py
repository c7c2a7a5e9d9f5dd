"""What the service answers to a list of requests, word for word, and all that it says of itself.

`python -m tests.server.test_whole_answers` writes it down, in `fixtures/service`.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from hexrec import formats
from hexrec.server.limits import Limits
from hexrec.util.version import __version__
from tests.cli.conftest import SHORT_GAME
from tests.server import in_process

FOLDER = Path(__file__).parent.parent.parent / "fixtures/service"
AGAIN = "if that is as it should be: python -m tests.server.test_whole_answers"
#: Longer answers are kept as their beginning, their size and a digest.
LONG = 3_000
#: So many requests are a test.
TOGETHER = 12
#: What the headers of all answers say; those of pictures have a policy of their own.
GUARDS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}

JSON, LINES, YAML, SGF = "application/json", "application/x-ndjson", "application/yaml", "application/x-go-sgf"
GAME: dict[str, Any] = {
    **SHORT_GAME,
    "id": "G1",
    "date": "2026-01-02",
    "players": {"black": {"name": "Ann"}, "white": {"name": "Bo"}},
}
BROKEN: dict[str, Any] = {**GAME, "id": "G2", "moves": ["a1", "a1"]}
ODD: dict[str, Any] = {**GAME, "id": "G3", "size": "x", "moves": 7, "players": {"black": "Ann"}}
OTHER: dict[str, Any] = {"hexrec": "1", "game": "sunspot", "size": 4, "moves": ["d4", "a1"]}
GRAPHIC: dict[str, Any] = {**OTHER, "moves": [{"turn": "d4", "nag": [1]}, "a1"]}


def versionless(said: str) -> str:
    """Return a text without the version of hexrec that JSON and SGF have."""
    return said.replace(f'"{__version__}"', '"VERSION"').replace(f"AP[hexrec:{__version__}]", "AP[hexrec:VERSION]")


def text(*records: object) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def position(**fields: Any) -> str:
    return json.dumps({"game": "valaturna", "position": "1w2/5/2b*2w2/7/6/5/4 b 0", **fields})


def edit(of: str, notation: str, data: object, record: object = 0, **more: Any) -> str:
    return json.dumps({"text": of, "notation": notation, "record": record, "data": data, **more})


def written(notation: str, *records: dict[str, Any]) -> str:
    return versionless("".join(formats.get(notation).write(records, lambda _: None)))


#: A path, after a method other than POST, a body, and fields of the header.
Asked = tuple[str, str, Mapping[str, str]]


def asked() -> Iterator[Asked]:
    """Yield what is asked."""
    for path in (
        *(
            "GET /v1/games",
            "HEAD /v1/games",
            "GET /v1/games?page=2",
            "GET /v1/games/",
            "POST /v1/games",
            "GET /healthz",
        ),
        *(
            "GET /readyz",
            "GET /v1/schemas/chess",
            "GET /redoc",
            "GET /v1/validate",
            "PUT /v1/validate",
            "HEAD /v1/edit",
        ),
        *("DELETE /healthz", "OPTIONS /v1/games", "GET /healthz?x=1", "GET /v1/schemas/record?x=1", "GET /v1/nowhere"),
    ):
        yield path, "", {}
    several = text(GAME, BROKEN, ODD, OTHER)
    for accept in (JSON, LINES, "text/plain", "text/markdown", "application/sarif+json", "application/xml"):
        for path in ("/v1/validate", "/v1/validate?lint=true", "/v1/validate?finished=true&from=jsonl"):
            yield path, several + text(GAME), {"Accept": accept}
    for accept in (JSON, LINES, "text/csv"):
        yield "/v1/score", several, {"Accept": accept, "Content-Type": LINES}
    valid = text(GAME, OTHER)
    for to in formats.names():
        yield f"/v1/convert?to={to}", text(GRAPHIC), {}
        yield f"/v1/convert?to={to}&coordinates=skew", valid, {}
        yield f"/v1/convert?to={to}&invalid=true&report=true", several, {"Accept": LINES}
    for accept in (YAML, SGF, "text/x-hgn", LINES, "text/html"):
        yield "/v1/convert", valid, {"Accept": accept}
    yield "/v1/convert?report=true", several, {}
    yield "/v1/convert?report=true&coordinates=axial", several, {"Content-Type": LINES, "Accept": LINES}
    yield "/v1/convert?report=true", several, {"Accept": SGF}
    yield "/v1/convert?to=abstractplay&strict=true", text(GRAPHIC), {}
    yield "/v1/convert?to=jsonl&invalid=true", several, {}
    yield "/v1/convert?to=jsonl", several, {}
    yield "/v1/convert", several, {}
    for notation in ("jsonl", "yaml", "sgf", "hgn"):
        body = written(notation, GAME, OTHER, {**GAME, "id": "G4"})
        yield "/v1/list", body, {}
        yield f"/v1/list?from={notation}", body, {}
        yield f"/v1/legal?from={notation}&record=1", body, {}
    yield "/v1/list", several, {}
    yield "/v1/list", "[" + ",\n".join(text(GAME, BROKEN).splitlines()) + "]", {}
    for body in ("", "[]", "[1, {", "x\0y", '{"players": [], "date": 1}'):
        for task in ("validate", "score", "list", "replay", "legal", "explain", "render", "convert", "positions"):
            yield f"/v1/{task}", body, {}
    for task in ("legal", "explain"):
        for query in ("", "?ply=0", "?ply=2", "?ply=4", "?ply=5", "?record=1", "?record=1&ply=0", "?record=2"):
            yield f"/v1/{task}{query}", text(GAME, OTHER), {}
        for query in ("", "?ply=1", "?ply=2", "?record=1", "?record=2"):
            yield f"/v1/{task}{query}", text(BROKEN, ODD, {**GAME, "opening": {"black": "z9", "white": "b2"}}), {}
    for query in ("", "?record=1", "?record=3", "?record=4", "?record=9"):
        yield f"/v1/replay{query}", several, {"Content-Type": LINES}
        yield f"/v1/render{query}", several, {"Content-Type": LINES}
    for query in (
        *("ply=0", "ply=1", "ply=9", "coordinates=axial", "theme=dark", "labels=all", "labels=none"),
        *("marks=false", "caption=false", "width=100", "width=9000", "width=15", "theme=x", "seconds=0", "ply=x"),
    ):
        yield f"/v1/render?{query}", text(GAME), {}
    yield "/v1/render?width=3001", text(GAME), {"Accept": "image/png"}
    yield "/v1/render?width=3001", text(GAME), {"Accept": "image/gif"}
    for body in (
        position(),
        position(moves=["d3"]),
        position(coordinates="skew", moves=["d3"]),
        position(moves=["d3", "d3"]),
        position(position="4/5/6/8/6/5/4 b 0"),
        position(position=1),
        position(moves=1),
        json.dumps({name: GAME[name] for name in ("game", "size", "opening", "moves")}),
        "game: sunspot\nsize: 4\n",
        position() + "\n" + position(),
        "(;FF[4])",
    ):
        yield "/v1/positions", body, {}
        yield "/v1/positions?drawing=false", body, {}
        yield "/v1/positions?drawing=false&entry=true", body, {}
    yield "/v1/positions", position(), {"Content-Type": SGF}
    changed = {**GAME, "date": "2026-03-04", "moves": ["a1", "a2", "pass"]}
    compact = json.dumps(GAME, separators=(",", ":"))
    for notation in formats.names():
        yield "/v1/edit", edit(written(notation, GAME), notation, changed), {}
        yield "/v1/edit", edit(written(notation, GAME), notation, GAME), {}
        yield "/v1/edit", edit(written(notation, GAME) + "\n\n", notation, changed), {}
    yield "/v1/edit", edit(compact + " \n \n", "jsonl", changed), {}
    yield "/v1/edit", edit(compact, "json", {**changed, "ruleset": "2023", "coordinates": "row"}), {}
    yield "/v1/edit", edit(text(GAME, GAME), "jsonl", changed, 1), {}
    yield "/v1/edit", edit(text({**GAME, "moves": [{"turn": "a1"}, {"turn": "a2"}]}), "jsonl", changed), {}
    yield "/v1/edit", edit(text({**GAME, "moves": [{"turn": "a1"}]}), "jsonl", changed), {}
    yield "/v1/edit", edit(text({**GAME, "moves": []}), "jsonl", changed), {}
    yield "/v1/edit", edit(text(ODD), "jsonl", changed), {}
    yield (
        "/v1/edit",
        edit(text({**GAME, "ruleset": "2023", "x-a": [1, {"b": 2}]}), "jsonl", {**changed, "x-a": [1]}),
        {},
    )
    yield (
        "/v1/edit",
        edit(written("yaml", GAME) + "x-note: |+\n  a\n\n\n", "yaml", {**changed, "x-note": "a\n\n\n"}),
        {},
    )
    yield "/v1/edit", edit(written("yaml", GAME) + "x-note: |+\n  a\n\n\n", "yaml", {**changed, "x-note": "b\n"}), {}
    # Turns are not judged; what is written in another way than hexrec's stays as it is.
    unusual = {**GAME, "moves": [{"turn": "a1"}, "?", "pass"]}
    yield "/v1/edit", edit(text(unusual), "jsonl", {**changed, "moves": ["a1", "?", "a2"]}), {}
    yield "/v1/edit", edit(text(unusual), "jsonl", changed), {}
    del unusual["date"]
    yield "/v1/edit", edit(text(unusual), "jsonl", {**changed, "moves": ["a1", "a2", "pass"]}), {}
    kinds: list[Any] = [5, {"b": 1}, [1], [1, 2], {"c": 1}]
    for number, kind in enumerate(kinds):
        for other in kinds[:number] + kinds[number + 1 :]:
            yield "/v1/edit", edit(text({**unusual, "x-a": kind}), "jsonl", {**unusual, "x-a": other}), {}
    # The ruleset that is named is one of the game before.
    yield "/v1/edit", edit(text({**GAME, "ruleset": "2023"}), "jsonl", OTHER), {}
    # The last line ends a text that has more blank lines, and then what is around the record has none.
    undated = {name: value for name, value in GAME.items() if name != "date"}
    blanks = written("yaml", undated) + "x-note: |+\n  a\n\n\ndate: '2026-01-02'"
    yield "/v1/edit", edit(blanks, "yaml", {**undated, "x-note": "a\n\n\n"}), {}
    yield "/v1/edit", edit("x" + written("sgf", GAME), "sgf", changed), {}
    for odd in (
        edit(text(GAME), "jsonl", changed, 1),
        edit(text(GAME), "jsonl", changed, -1),
        edit(text(GAME), "jsonl", changed, "0"),
        edit(text(GAME), "jsonl", changed, True),
        edit(text(GAME), "jsonl", changed, more=1),
        edit(text(GAME), "pgn", changed),
        edit(text(GAME), "jsonl", []),
        edit(text(GAME), "jsonl", ODD),
        edit(text(GAME), "jsonl", {**ODD, "moves": []}),
        edit("{", "jsonl", changed),
        edit("[]", "jsonl", changed),
        edit("(;", "sgf", changed),
        "[]",
        "{",
    ):
        yield "/v1/edit", odd, {}
    for path in (
        *("/v1/validate?finishd=1", "/v1/validate?zzz=1", "/v1/validate?from=pgn", "/v1/validate?finished=perhaps"),
        *("/v1/validate?lint=true&lint=true", "/v1/legal?ply=-1", "/v1/legal?record=99999999999", "/v1/legal?x"),
        *("/v1/convert?to=x", "/v1/convert?coordinates=x", "/v1/edit?from=json", "/v1/render?width=x", "/v1/nowhere"),
    ):
        yield path, text(GAME), {}
    for kind in (
        *("text/html", "application/json; charset=utf-16", 'application/json; charset="UTF-8"', "TEXT/PLAIN", YAML),
        *("application/x-www-form-urlencoded", "application/json;charset=us-ascii; x=y", SGF, "x"),
    ):
        yield "/v1/validate", text(GAME), {"Content-Type": kind}
        yield "/v1/validate?from=json", text(GAME), {"Content-Type": kind}
    for accept in ("text/html", "*/*;q=0", "application/json;q=0.1, text/*;q=0.2", "application/*;q=x, text/markdown"):
        yield "/v1/validate", text(GAME), {"Accept": accept}
    for packing in ("identity", " GZIP ", "x-gzip", "br"):
        yield "/v1/validate", text(GAME), {"Content-Encoding": packing}
    yield "/v1/validate", text(GAME), {"Content-Length": str(Limits().body + 1)}


def kept(client: httpx.Client, request: Asked) -> dict[str, Any]:
    """Ask, and return what is kept of the answer."""
    address, text_of_body, headers = request
    method, path = address.split() if " " in address else ("POST", address)
    content = text_of_body.encode()
    if headers.get("Content-Encoding", "").strip().lower().endswith("gzip"):
        content = gzip.compress(content, mtime=0)
    answer = client.request(method, path, content=content, headers={"Accept-Encoding": "", **headers})
    body = versionless(answer.content.decode(errors="backslashreplace"))
    told = {name: value for name, value in answer.headers.items() if name not in ("x-request-id", "content-length")}
    own = {name for name, _ in GUARDS.items() - told.items()}
    assert own <= {"cache-control"} or "svg" in told["content-type"]
    told = {name: value for name, value in told.items() if (name, value) not in GUARDS.items()}
    found: dict[str, Any] = {"status": answer.status_code, "headers": told}
    if len(body) <= LONG:
        return {**found, "body": body}
    return {**found, "begins": body[:200], "size": len(body), "digest": sha256(body.encode()).hexdigest()[:16]}


def named(request: Asked) -> str:
    path, body, headers = request
    return json.dumps([path, body, dict(headers)], ensure_ascii=False)


def answers() -> dict[str, dict[str, Any]]:
    with in_process.client() as client:
        found = {}
        for request in asked():
            found[named(request)] = kept(client, request)
        return found


@cache
def read_answers() -> dict[str, dict[str, Any]]:
    lines = (FOLDER / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    return {line["asked"]: line["answer"] for line in map(json.loads, lines)}


@cache
def groups() -> dict[str, list[Asked]]:
    """Return what is asked, by the path without its parameters, some at a time."""
    found: dict[str, list[Asked]] = {}
    for request in asked():
        path = request[0].partition("?")[0] if " " not in request[0] else "plain"
        number = next(number for number in count() if len(found.get(f"{path} {number}", ())) < TOGETHER)
        found.setdefault(f"{path} {number}", []).append(request)
    return found


@pytest.mark.parametrize("group", groups())
def test_answers_are_those_that_were_kept(group: str) -> None:
    expected = read_answers()
    with in_process.client() as client:
        for request in groups()[group]:
            assert kept(client, request) == expected[named(request)], (request, AGAIN)


def test_nothing_else_is_kept() -> None:
    assert [*read_answers()] == [named(request) for request in asked()]


def write() -> None:
    FOLDER.mkdir(exist_ok=True)
    lines = [
        json.dumps({"asked": name, "answer": answer}, ensure_ascii=False) + "\n" for name, answer in answers().items()
    ]
    (FOLDER / "answers.jsonl").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    write()
