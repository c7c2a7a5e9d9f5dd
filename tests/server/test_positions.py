"""Positions: their legal turns and their pictures."""

from __future__ import annotations

import json
import re
from pathlib import Path

import httpx
import pytest

from hexrec.rules import games
from hexrec.server.positions import DescribePosition
from hexrec.server.problems import Problem
from hexrec.server.tasks import Task
from tests.cli.conftest import Run
from tests.server.conftest import GAME, Serve

FIXTURES = Path(__file__).parent.parent.parent / "fixtures/suite"


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
    assert "a1 is illegal here" in drawn.text
    beyond = client.post("/v1/render", json=broken, params={"ply": 2})
    (record,) = beyond.json()["records"]
    (diagnostic,) = record["diagnostics"]
    assert (beyond.status_code, diagnostic["code"], diagnostic["ply"]) == (422, "move/occupied", 2)


@pytest.mark.parametrize("ply", [0, 2, None])
def test_legal_turns_are_those_of_the_command(client: httpx.Client, hexrec: Run, ply: int | None) -> None:
    body = json.dumps({**GAME, "moves": ["a1", "a2", "pass"]}).encode()
    arguments = [] if ply is None else ["--ply", str(ply)]
    said = hexrec("legal", "-", "--from", "json", *arguments, stdin=body)
    answer = client.post("/v1/legal", content=body, params={} if ply is None else {"ply": ply}).json()
    assert answer["legal"] == said.out.splitlines()
    assert answer["legal"]
    assert answer["ply"] == (3 if ply is None else ply)


@pytest.mark.parametrize("ply", [1, None])
def test_explanations_are_those_of_the_command(client: httpx.Client, hexrec: Run, ply: int | None) -> None:
    arguments = [] if ply is None else ["--ply", str(ply)]
    said = hexrec("explain-result", "-", "--format", "jsonl", *arguments, stdin=json.dumps(GAME).encode())
    expected = json.loads(said.out)
    for name in ("file", "index", "id"):
        del expected[name]
    params = {} if ply is None else {"ply": ply}
    assert client.post("/v1/explain", json=GAME, params=params).json() == expected


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


TEXT = "1w2/5/2b*2w2/7/6/5/4 b 0"


class TestPositions:
    """`/v1/positions`: a position by its text, or by a game."""

    def test_the_text_of_a_position(self, client: httpx.Client, hexrec: Run) -> None:
        answer = client.post("/v1/positions", json={"game": "valaturna", "position": TEXT}).json()
        assert answer["legal"] == hexrec("legal", "valaturna", "--position", TEXT).out.split()
        assert answer["legal"] == sorted(answer["legal"])
        del answer["legal"], answer["drawing"]
        rules = {"game": "valaturna", "ruleset": "2023", "variant": None, "size": 4, "coordinates": "row"}
        assert answer == rules | {"plies": 0, "position": TEXT, "to_play": "black", "over": False, "result": None}

    @pytest.mark.parametrize("game", games.names())
    def test_a_game_and_the_text_of_its_position(self, client: httpx.Client, game: str) -> None:
        whole = json.loads((FIXTURES / game / "reference" / "games.jsonl").read_text(encoding="utf-8").splitlines()[0])
        said = {name: value for name, value in whole.items() if name not in ("hexrec", "result")}
        said["moves"] = whole["moves"][:9]
        position = games.get(game).start(whole["size"], whole.get("opening"), whole.get("variant"))
        position.play_all(said["moves"])
        played = client.post("/v1/positions", json=said, params={"drawing": False}).json()
        assert (played["position"], played["legal"]) == (position.text(), position.legal_turns())
        assert (played["plies"], played["to_play"]) == (9, "white")
        named = ("game", "ruleset", "variant", "position")
        described = {name: played[name] for name in named if played[name] is not None}
        again = client.post("/v1/positions", json=described, params={"drawing": False}).json()
        assert again == {**played, "plies": 0}

    def test_the_end_of_a_game(self, client: httpx.Client) -> None:
        game = {name: value for name, value in GAME.items() if name not in ("hexrec", "result")}
        answer = client.post("/v1/positions", json=game).json()
        assert (answer["over"], answer["legal"], answer["result"]["winner"]) == (True, [], "white")

    def test_what_is_drawn_is_what_the_page_draws(self, client: httpx.Client) -> None:
        record = {"hexrec": "1", "game": "valaturna", "size": 4, "setup": TEXT, "moves": []}
        page = client.post("/v1/replay", json=record).json()
        drawn = client.post("/v1/positions", json={"game": "valaturna", "position": TEXT}).json()["drawing"]
        assert drawn == {name: page[name] for name in ("game", "board", "start")}

    def test_overlays_are_sent_on_request(self, client: httpx.Client) -> None:
        asked = {"game": "frasvel", "position": "w2/4/2b2/4/3 b 0"}
        assert "overlays" not in client.post("/v1/positions", json=asked).json()
        overlays = client.post("/v1/positions", json=asked, params={"overlays": True}).json()["overlays"]
        assert list(overlays) == ["closed cells"]
        black, white = overlays["closed cells"]
        assert (black["role"], black["color"], black["cells"]) == ("closed", 0, [4, 5, 8, 10, 14])
        assert (white["role"], white["color"], white["cells"]) == ("closed", 1, [12, 17])

    def test_what_turns_are_entered_with(self, client: httpx.Client) -> None:
        asked = {"game": "sunspot", "size": 4, "moves": ["d4"]}
        answer = client.post("/v1/positions", json=asked, params={"drawing": False, "entry": True}).json()
        (step,) = answer["entry"]["steps"]
        assert (step["turn"], step["position"], step["changes"]) == ("d4", answer["position"], [[18, 1]])
        assert answer["entry"]["parts"][answer["legal"].index("a2")] == [[1]]
        assert answer["entry"]["changes"][answer["legal"].index("a2")] == [
            [1, 1 if answer["to_play"] == "black" else -1]
        ]
        assert len(answer["entry"]["changes"]) == len(answer["legal"])
        assert len(answer["entry"]["parts"]) == len(answer["legal"]) == 36

    def test_yaml(self, client: httpx.Client) -> None:
        body = f"# from a book\ngame: valaturna\nposition: {TEXT}\ncoordinates: skew\nmoves: [d3]\n"
        answer = client.post("/v1/positions", content=body, headers={"Content-Type": "application/yaml"}).json()
        assert (answer["plies"], answer["to_play"], answer["coordinates"]) == (1, "white", "skew")

    @pytest.mark.parametrize(
        ("body", "code", "pointer", "column"),
        [
            ('{"game":"sunspot","position":"4/5/6/8/6/5/4 b 0"}', "setup/size", "/position", 37),
            ('{"game":"sunspot","position":"4\\/5\\/6\\/7\\/x b 0"}', "setup/size", "/position", 31),
            ('{"game":"sunspot","size":4,"position":"4/5/6/7/6/5/4 b 1"}', "setup/pass", "/position", 56),
            ('{"game":"sunspot","size":5,"moves":["a1","a1"]}', "move/occupied", "/moves/1", 42),
            ('{"game":"frasvel","size":5,"opening":{"black":"z9"}}', "opening/off-board", "/opening/black", 47),
            ('{"game":"sunspot","position":4}', "schema/type", "/position", 30),
            ('{"game":"sunspot","setup":"4/5/6/7/6/5/4 b 0"}', "schema/unknown-field", "/setup", 19),
            ('{"game":"valaturna","ruleset":"1","position":"4 b 0"}', "setup/size", "/position", 47),
            (
                '{"game":"valaturna","ruleset":"1","size":5,"opening":{"black":"c3","white":"c5"}}',
                "schema/ruleset",
                "/ruleset",
                31,
            ),
            ('{"game":"chess","position":"4 b 0"}', "schema/unknown-game", "/game", 9),
            ('{"game":"sunspot"}', "schema/missing-field", "", 1),
            ("[]", "syntax/empty", None, 1),
            ('{"game"', "syntax/truncated", None, 8),
        ],
    )
    def test_refused(self, client: httpx.Client, body: str, code: str, pointer: str | None, column: int) -> None:
        answer = client.post("/v1/positions", content=body, headers={"Content-Type": "application/json"})
        assert (answer.status_code, answer.json()["type"]) == (422, "urn:hexrec:problem:bad-position")
        first = answer.json()["diagnostics"][0]
        assert (first["code"], first.get("pointer"), first["column"]) == (code, pointer, column)
        assert ("within" in first) == code.startswith("setup/")

    def test_bodies_that_describe_no_position(self, client: httpx.Client) -> None:
        position = {"game": "sunspot", "size": 4}
        two = client.post("/v1/positions", content=f"{json.dumps(position)}\n{json.dumps(position)}\n")
        assert (two.status_code, two.json()["type"]) == (413, "urn:hexrec:problem:too-many-records")
        sgf = client.post("/v1/positions", content="(;FF[4])", headers={"Content-Type": "application/x-go-sgf"})
        assert (sgf.status_code, sgf.json()["type"]) == (415, "urn:hexrec:problem:unsupported-body")

    @pytest.mark.parametrize("limits", [{"records": 2}, {"plies": 2}], ids=["records", "plies"])
    def test_no_more_than_a_second_position_is_read(self, limited: Serve, limits: dict[str, int]) -> None:
        """What there are too many of is known then, whatever the limits of bodies with records."""
        positions = [{"game": "sunspot", "size": 4, "moves": moves} for moves in ([], [], ["a1", "a2", "a3"])]
        body = "".join(json.dumps(position) + "\n" for position in positions)
        answer = limited(**limits).post("/v1/positions", content=body)
        said = answer.status_code, answer.json()["type"], answer.json()["detail"]
        assert said == (413, "urn:hexrec:problem:too-many-records", "several positions: send one in a body")

    def test_an_error_in_hexrec(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("hexrec.formats.json.parse", lambda _: 1 / 0)
        task = Task(DescribePosition(), body=b'{"game":"sunspot","size":5}', notation="json", records=1, plies=1)
        with pytest.raises(Problem) as caught:
            task.answer()
        data = caught.value.as_data()
        assert (data["status"], data["diagnostics"][0]["code"]) == (500, "internal/error")

    def test_the_example_of_the_documents(self, client: httpx.Client) -> None:
        page = (FIXTURES.parent.parent / "docs/service.md").read_text(encoding="utf-8")
        ((asked, said),) = re.findall(r"--json '(\{\"game\".*?\})'.*?```json\n(.*?)```", page, re.DOTALL)
        answer = client.post("/v1/positions", json=json.loads(asked), params={"drawing": "false"})
        assert answer.json() == json.loads(said)

    def test_a_failure_of_hexrec_is_none_of_the_position(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_: object) -> None:
            raise RuntimeError("this is the test")

        monkeypatch.setattr("hexrec.formats.json.parse", fail)
        with pytest.raises(Problem) as raised:
            Task(DescribePosition(), body=b'{"game":"sunspot"}', notation="json", records=1, plies=100).answer()
        assert (raised.value.name, raised.value.more["diagnostics"][0]["code"]) == ("failed", "internal/error")
