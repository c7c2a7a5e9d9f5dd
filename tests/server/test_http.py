"""The service as HTTP: what it offers, how bodies and answers are negotiated, headers, logs, metrics."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable
from io import BytesIO
from typing import Any

import httpx
import pytest
from PIL import Image

from hexrec.codes import all_codes
from hexrec.record.json_schema import game_schema, record_schema
from hexrec.rules import games
from hexrec.server import negotiation
from hexrec.server.app import JsonFormatter
from hexrec.server.positions import RenderPosition
from hexrec.server.problems import KINDS, Problem
from hexrec.server.tasks import Task
from tests.server import in_process
from tests.server.conftest import GAME, LINE, Upload


def problem(answer: httpx.Response) -> str:
    """Return the name of the problem that an answer tells of."""
    assert answer.headers["content-type"] == "application/problem+json"
    data = answer.json()
    kind = str(data["type"]).removeprefix("urn:hexrec:problem:")
    assert (answer.status_code, data["title"]) == (data["status"], data["title"]) == KINDS[kind]
    assert data["detail"]
    return kind


def test_what_there_is_to_know(client: httpx.Client) -> None:
    assert [game["name"] for game in client.get("/v1/games").json()] == list(games.names())
    valaturna = next(game for game in client.get("/v1/games").json() if game["name"] == "valaturna")
    assert valaturna["rulesets"] == ["2023", "2023-first"]
    assert valaturna["revisions"][1] == {"name": "2023-first", "year": 2023, "sizes": [7]}
    assert {entry["code"] for entry in client.get("/v1/codes").json()} == all_codes()
    for name in games.names():
        assert client.get(f"/v1/schemas/{name}").json() == game_schema(name)
    answer = client.get("/v1/schemas/record")
    assert answer.json() == record_schema()
    assert answer.headers["content-type"] == "application/schema+json"
    assert answer.headers["cache-control"] == "public, max-age=3600"


def test_health_and_readiness() -> None:
    with in_process.client() as client:
        assert client.get("/healthz").json() == client.get("/readyz").json() == {"status": "ok"}
        client._transport.app.state.service.pool.workers = 0  # type: ignore[attr-defined]
        answer = client.get("/readyz")
        assert (problem(answer), answer.json()["detail"]) == ("busy", "no worker is running")
        assert client.get("/healthz").status_code == 200


def test_what_is_not_there(client: httpx.Client) -> None:
    assert problem(client.get("/v1/schemas/chess")) == "not-found"
    assert problem(client.get("/nowhere")) == "not-found"
    wrong = client.get("/v1/validate")
    assert (problem(wrong), wrong.headers["allow"]) == ("method-not-allowed", "POST")


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        *((None, "application/json"), ("*/*", "application/json"), ("", "application/json")),
        *(("text/*", "text/plain"), ("text/markdown, text/plain;q=0.5", "text/markdown")),
        *(("application/json;q=0, text/*", "text/plain"), ("text/plain;level=0, text/markdown;q=0.9", "text/plain")),
        *(("application/*;q=0.2, TEXT/PLAIN;q=0.1", "application/json"), ("text/plain;q= 0.3, a/b", "text/plain")),
        *(
            ("text/html, application/xml;q=0.9, */*;q=0.8", "application/xml"),
            ("text/plain;q=1=1, */*", "application/json"),
        ),
    ],
)
def test_answers_come_as_they_are_accepted(accept: str | None, kind: str) -> None:
    assert negotiation.choose(accept, negotiation.REPORTS) == kind


@pytest.mark.parametrize(
    ("accept", "packed"),
    [
        *(("", False), ("gzip", True), ("br, GZIP;q=0.1", True), ("gzip;q=0", False)),
        *(("gzip; q=x", False), ("gzip;level=0", True), ("br", False)),
    ],
)
def test_answers_are_packed_for_those_who_accept_that(client: httpx.Client, accept: str, packed: bool) -> None:
    answer = client.get("/v1/games", headers={"Accept-Encoding": accept})
    assert ("content-encoding" in answer.headers) == packed


LINES, TWO, ODD = {"Content-Type": "application/x-ndjson"}, LINE * 2, LINE + b"{}\n"


@pytest.mark.parametrize(
    ("path", "headers", "body", "name"),
    [
        ("/v1/validate", {"Accept": "text/html"}, LINE, "not-acceptable"),
        ("/v1/validate", {"Accept": "*/*;q=0"}, LINE, "not-acceptable"),
        ("/v1/validate", {"Accept": "application/json;q=x"}, LINE, "not-acceptable"),
        ("/v1/convert", {"Accept": "text/html"}, LINE, "not-acceptable"),
        ("/v1/convert?to=sgf&report=true", {"Accept": "application/x-go-sgf"}, LINE, "not-acceptable"),
        ("/v1/score", {"Content-Type": "text/html"}, LINE, "unsupported-body"),
        ("/v1/score", {"Content-Type": "multipart/form-data; boundary=x"}, LINE, "unsupported-body"),
        ("/v1/score?from=pgn", {}, LINE, "bad-parameter"),
        ("/v1/validate?finished=perhaps", {}, LINE, "bad-parameter"),
        ("/v1/validate?finishd=1", {}, LINE, "bad-parameter"),
        ("/v1/convert?to=json", LINES, TWO, "cannot-be-joined"),
        ("/v1/convert?to=sgf", LINES, ODD, "bad-record"),
        ("/v1/legal?ply=5", {}, LINE, "no-such-ply"),
        ("/v1/legal?record=1", {}, LINE, "no-such-record"),
        ("/v1/legal", {}, b'{"hexrec": "1", "game": "sundraval", "size": 99}', "bad-record"),
        ("/v1/edit", {}, b"{}", "bad-request"),
    ],
)
def test_what_is_refused(client: httpx.Client, path: str, headers: dict[str, str], body: bytes, name: str) -> None:
    assert problem(client.post(path, content=body, headers=headers)) == name


CURL = "application/x-www-form-urlencoded"


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "text/plain; charset=UTF-8", 'text/plain; charset="utf8"', "application/octet-stream", CURL, None],
)
def test_content_tells_the_format(client: httpx.Client, kind: str | None) -> None:
    text = client.post("/v1/convert", json=GAME, params={"to": "sgf"}).content
    headers = {"Content-Type": kind} if kind else {}
    assert client.post("/v1/validate", content=text, headers=headers).json()["summary"]["valid"] == 1


@pytest.mark.parametrize("path", ["/", "/v1/games", "/v1/schemas/record", "/v1/codes", "/healthz", "/openapi.json"])
def test_head_is_get_without_a_body(client: httpx.Client, path: str) -> None:
    whole, head = client.get(path), client.head(path)
    assert (head.status_code, head.content) == (200, b"")
    kept = ("content-type", "content-length", "etag", "cache-control")
    assert [head.headers.get(name) for name in kept] == [whole.headers.get(name) for name in kept]
    wrong = client.head("/v1/validate")
    assert (wrong.status_code, wrong.headers["allow"]) == (405, "POST")
    assert client.post("/v1/codes").headers["allow"] == "GET, HEAD"


@pytest.mark.parametrize("path", ["/v1/games", "/v1/schemas/nadraz", "/v1/codes", "/openapi.json", "/page.js"])
def test_what_a_client_has_is_not_sent_again(client: httpx.Client, path: str) -> None:
    packed = client.get(path)
    plain = client.get(path, headers={"Accept-Encoding": "identity"})
    assert (packed.headers["content-encoding"], packed.content) == ("gzip", plain.content)
    assert "content-encoding" not in plain.headers
    assert int(packed.headers["content-length"]) < len(plain.content) / 2
    own = packed.headers["etag"]
    assert plain.headers["etag"] == own
    for tag in (own, f'"other", {own}', "*"):
        again = client.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"]
    assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize("path", ["/healthz", "/v1/games", "/nowhere", "/metrics"])
def test_every_answer_is_guarded(client: httpx.Client, path: str) -> None:
    headers = client.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert "server" not in headers
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    ("to", "accept", "media_type"),
    [
        ("sgf", "application/json", "application/x-go-sgf"),
        ("hgn", "text/html", "text/x-hgn"),
        ("hgn", "application/json, application/vnd.hexrec.hgn", "application/vnd.hexrec.hgn"),
        ("json", "application/yaml", "application/json"),
        ("json", "application/vnd.hexrec+json", "application/vnd.hexrec+json"),
        ("yaml", "*/*", "application/yaml"),
    ],
)
def test_the_parameter_to_overrides_accept(client: httpx.Client, to: str, accept: str, media_type: str) -> None:
    """Among the media types of the format, `Accept` chooses."""
    answer = client.post("/v1/convert", params={"to": to}, content=LINE, headers={"Accept": accept})
    assert (answer.status_code, answer.headers["content-type"].partition(";")[0]) == (200, media_type)


@pytest.mark.parametrize("name", ["+json", "+yaml", ".hgn"])
def test_media_types_of_the_format(client: httpx.Client, name: str) -> None:
    """Records are answered in each, and read in each."""
    media_type = f"application/vnd.hexrec{name}"
    answer = client.post("/v1/convert", content=LINE, headers={"Accept": media_type})
    assert answer.headers["content-type"].partition(";")[0] == media_type
    headers = {"Content-Type": f"{media_type}; charset=utf-8"}
    assert client.post("/v1/validate", content=answer.content, headers=headers).json()["summary"]["valid"] == 1


@pytest.mark.parametrize(
    ("path", "record", "code"),
    [
        ("/v1/legal", {"size": 99}, "schema/range"),
        ("/v1/legal", {"moves": ["a1", "a1"]}, "move/occupied"),
        ("/v1/explain?ply=2", {"moves": ["a1", "a1"]}, "move/occupied"),
        ("/v1/render?ply=2", {"moves": ["a1", "a1"]}, "move/occupied"),
        ("/v1/convert?to=sgf", {"moves": ["a1", "a1"]}, "move/occupied"),
        ("/v1/edit", {"size": 99}, "schema/range"),
    ],
)
def test_a_bad_record_has_its_report(client: httpx.Client, path: str, record: dict[str, Any], code: str) -> None:
    bad = json.loads(LINE) | record
    edit = {"text": LINE.decode(), "notation": "jsonl", "record": 0, "data": bad}
    answer = client.post(path, json=edit if path == "/v1/edit" else bad)
    assert problem(answer) == "bad-record"
    assert answer.json().keys() == {"type", "title", "status", "detail", "records"}
    (report,) = answer.json()["records"]
    assert [each["code"] for each in report["diagnostics"]] == [code]
    assert (report["index"], report["game"], report["valid"]) == (0, bad["game"], False)


@pytest.mark.parametrize("path", ["/v1/validate", "/v1/score", "/v1/convert?report=true&to=sgf"])
def test_lines_are_answered_while_more_are_to_come(
    client: httpx.Client, upload: Callable[..., Upload], path: str
) -> None:
    body = upload(client, path)
    for index in range(3):
        body.send(LINE[:10])
        body.send(LINE[10:])
        assert body.answer()["index"] == index
    body.send(b"")
    assert body.line(b"0\r") == b"0\r\n"


def test_what_others_wrote_is_harmless_in_the_log_and_in_headers(client: httpx.Client) -> None:
    """A log may end in that of a CI service, or on a terminal."""
    text = "a\n::error::b ##[error]c\x1b[2J\x9b\u202e\u2028\udcff"
    record = logging.makeLogRecord({"msg": text, "levelname": "INFO", "data": {text: text}})
    written = JsonFormatter().format(record)
    assert written.isascii()
    assert written.isprintable()
    assert json.loads(written)["event"] == json.loads(written)[text] == text
    record_of = {**GAME, "id": "a\r\nX-Own: b\u202e", "event": "a\r\nX-Own: b"}
    answers = [
        client.post(f"/v1/{task}", json=record_of, headers={"Accept": kind})
        for task, kind in (("validate", "text/plain"), ("score", "text/csv"), ("convert", "*/*"), ("render", "*/*"))
    ]
    answers.append(client.get("/a%0D%0AX-Own:%20b%1B", headers={"X-Request-ID": "##[error]"}))
    answers.append(client.post("/v1/convert?to=a%0D%0AX-Own:%20b", json=record_of))
    for answer in answers:
        assert "x-own" not in answer.headers
        assert all(value.isprintable() for value in answer.headers.values())


@pytest.mark.parametrize("path", ["/v1/validate", "/v1/convert?to=yaml", "/v1/replay"])
def test_answers_are_compressed_where_that_is_accepted(client: httpx.Client, path: str) -> None:
    more = {f"unknown{number}": 1 for number in range(20)} if "validate" in path else {"comment": "x" * 2000}
    body = json.dumps({**GAME, **more}).encode()
    plain, packed = (
        client.post(path, content=body, headers={"Accept-Encoding": accepted}) for accepted in ("gzip;q=0", "br, gzip")
    )
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(plain.content)
    assert (packed.status_code, packed.text) == (200, plain.text)


def test_a_list_is_many_records(client: httpx.Client) -> None:
    broken = {**GAME, "moves": ["a1", "a1"]}
    lines = f"[\n {json.dumps(GAME)},\n\n {json.dumps(broken)}\n]\n".encode()
    for headers in ({"Content-Type": "application/json"}, {}):
        report = client.post("/v1/validate", content=lines, headers=headers).json()
        assert [record["valid"] for record in report["records"]] == [True, False]
        assert [each["line"] for each in report["records"][1]["diagnostics"]] == [4]
        assert len(client.post("/v1/score", content=lines, headers=headers).json()) == 2
        assert client.post("/v1/replay?record=1", content=lines, headers=headers).json()["records"] == 2
    listed = client.post("/v1/list", content=lines).json()
    assert [entry["valid"] for entry in listed["records"]] == [True, False]
    extent = listed["records"][1]["extent"]
    assert json.loads(lines[extent["offset"] :][: extent["size"]]) == broken
    cut = client.post("/v1/validate", content=lines[:-30]).json()
    assert cut["records"][0]["valid"]
    assert {each["code"] for record in cut["records"][1:] for each in record["diagnostics"]} == {"syntax/truncated"}


def test_pictures_of_pixels(client: httpx.Client) -> None:
    def picture(kind: str, **params: Any) -> httpx.Response:
        return client.post("/v1/render", json=GAME, headers={"Accept": kind}, params=params)

    png = picture("image/png", width=200)
    assert (png.headers["content-type"], png.content[:8]) == ("image/png", b"\x89PNG\r\n\x1a\n")
    assert int.from_bytes(png.content[16:20], "big") == 200
    with Image.open(BytesIO(picture("image/gif", width=100, seconds=0.5, ply=2).content)) as gif:
        assert (gif.format, gif.width, gif.info["duration"], getattr(gif, "n_frames", 1)) == ("GIF", 100, 500, 3)
    names = [picture("image/gif", coordinates=system, ply=1).content for system in ("row", "skew")]
    assert names[0] != names[1]
    assert problem(picture("image/png", width=3001)) == "bad-parameter"
    assert picture("image/*").headers["content-type"] == "image/svg+xml"


def test_pictures_of_pixels_without_what_makes_them(monkeypatch: pytest.MonkeyPatch) -> None:
    body = json.dumps(GAME).encode()
    for kind, module in (("image/png", "resvg_py"), ("image/gif", "PIL")):
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, module, None)
            with pytest.raises(Problem, match=r"install hexrec-games\[pictures\]") as lacking:
                Task(RenderPosition(), body=body, notation="json", records=1, plies=9, media_type=kind).answer()
            assert lacking.value.status == 501


def test_pictures_of_illegal_games_show_where(client: httpx.Client) -> None:
    answer = client.post("/v1/render", json={**GAME, "moves": ["a1", "a1"]})
    assert answer.text.count('class="illegal"') == 1
    assert 'class="illegal"' not in client.post("/v1/render", json=GAME).text
