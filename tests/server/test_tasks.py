"""What workers do, done in this process: parts of bodies, limits, errors in hexrec, what travels back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hexrec.parallel.chunks import Offset
from hexrec.server import tasks
from hexrec.server.listing import ListRecords
from hexrec.server.negotiation import LINES
from hexrec.server.positions import ListLegalTurns, RenderPosition
from hexrec.server.problems import Problem
from hexrec.server.records import ScoreRecords, ValidateRecords
from hexrec.server.tasks import Answer, Task, count_turns
from hexrec.validation.verdict import check_document
from tests.server.test_whole_answers import BROKEN, GAME, OTHER, text

BODY = text(GAME, BROKEN, OTHER)
#: How many turns those have.
TURNS = len(GAME["moves"]) + len(BROKEN["moves"]) + len(OTHER["moves"])


def about(body: str = BODY, **more: Any) -> dict[str, Any]:
    return {"body": body.encode(), "notation": "jsonl", "records": 3, "plies": TURNS, **more}


def lines(answer: Answer) -> list[dict[str, Any]]:
    return [json.loads(line) for line in answer.body.splitlines()]


def test_a_part_of_a_body_has_its_own_numbers() -> None:
    whole = lines(Task(ValidateRecords(), **about(), media_type=LINES).answer())
    first, second, third = (text(each) for each in (GAME, BROKEN, OTHER))
    parts = [
        Task(ValidateRecords(), **about(body, offset=Offset(count, count)), media_type=LINES).answer()
        for count, body in enumerate((first, second, third))
    ]
    assert [each for part in parts for each in lines(part)] == whole
    assert [part.turns for part in parts] == [4, 2, 2]
    assert [part.summary.valid for part in parts] == [1, 0, 1]
    # Later parts are lines of text, whatever they begin with.
    odd = Task(ValidateRecords(), **about("\0\n" + second, offset=Offset(5, 7)), media_type=LINES).answer()
    assert [(each["index"], each["diagnostics"][0]["line"]) for each in lines(odd)] == [(5, 8), (6, 9)]


@pytest.mark.parametrize(
    ("limits", "name", "detail"),
    [
        ({"records": 2}, "too-many-records", "too many records: send fewer in a body"),
        ({"plies": TURNS - 1}, "too-many-plies", "too many turns: send fewer or shorter records in a body"),
    ],
)
def test_limits(limits: dict[str, Any], name: str, detail: str) -> None:
    with pytest.raises(Problem) as refused:
        Task(ValidateRecords(), **about(**limits), media_type=LINES).answer()
    assert (refused.value.name, refused.value.detail) == (name, detail)
    answer = Task(ValidateRecords(), **about(**limits, partial=True), media_type=LINES).answer()
    assert [each["index"] for each in lines(answer)] == [0, 1]
    assert answer.turns == 6
    assert answer.problem is not None
    assert (answer.problem.name, answer.problem.detail) == (name, detail)
    full = Task(ValidateRecords(), **about(), media_type=LINES).answer()
    assert (full.turns, full.problem, len(lines(full))) == (TURNS, None, 3)


@pytest.mark.parametrize(
    ("moves", "count"),
    [
        (None, 0),
        (7, 0),
        ([], 0),
        (["a1", 5, None], 3),
        ([{"turn": "a1", "variations": [["b1", "b2"], 3, ["c1"]], "taken_back": ["d1"]}, "a2"], 6),
        ([{"turn": "a1", "eval": {"line": ["b1", {"variations": [["c1"]]}]}}], 4),
        ([{"turn": "a1", "variations": [["b1"]]}, {"turn": "c1", "taken_back": ["d1", "e1"]}], 5),
        ([{"turn": "a1", "eval": 3, "variations": 4, "taken_back": 5}], 1),
        ([{"variations": {"a": ["b1"]}}, {"eval": {"value": 1}}], 2),
    ],
)
def test_all_turns_count(moves: object, count: int) -> None:
    assert count_turns(moves) == count


ABSTRACT_PLAY = {
    "header": {
        "game": {"name": "Sunspot", "variants": ["size-4"]},
        "site": {"name": "?"},
        "date-start": "1970-01-01T00:00:00Z",
        "date-end": "1970-01-01T00:00:00Z",
        "date-generated": "1970-01-01T00:00:00Z",
        "players": [{"name": "Ann", "result": 0}, {"name": "Bo", "result": 0}],
    },
    "moves": [["a1", "a2"]],
}


@pytest.mark.parametrize(
    ("body", "notation", "games"),
    [
        (json.dumps([OTHER] * 2), "json", ["sunspot"] * 2),
        (json.dumps([OTHER]), "json", ["sunspot"]),
        (text(OTHER, OTHER), "jsonl", ["sunspot"] * 2),
        (json.dumps(ABSTRACT_PLAY, indent=1), "abstractplay", ["sunspot"]),
        (json.dumps([ABSTRACT_PLAY] * 2), "json", ["sunspot"] * 2),
    ],
    ids=["a list", "a list of one", "lines", "Abstract Play", "a list of Abstract Play's"],
)
def test_the_format_of_a_body_is_recognized(body: str, notation: str, games: list[str]) -> None:
    for told in (None, "json") if notation == "abstractplay" else (None,):
        task = about(body, notation=told)
        assert [each["game"] for each in json.loads(Task(ScoreRecords(), **task).answer().body)] == games
        listed = json.loads(Task(ListRecords(), **task).answer().body)
        assert (listed["notation"], [each["game"] for each in listed["records"]]) == (notation, games)


def test_a_position_before_a_malformed_turn_is_one() -> None:
    broken = about(text({**OTHER, "moves": ["d4", "nonsense"]}))
    assert json.loads(Task(ListLegalTurns(ply=1), **broken).answer().body)["ply"] == 1
    with pytest.raises(Problem) as refused:
        Task(ListLegalTurns(ply=2), **broken).answer()
    (report,) = refused.value.more["records"]
    assert (refused.value.name, report["diagnostics"][0]["ply"]) == ("bad-record", 2)


class Failing:
    """Fails on the second record that it sees."""

    def __init__(self, does: Any, error: Exception) -> None:
        self.does, self.error, self.count = does, error, 0

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        self.count += 1
        if self.count == 2:
            raise self.error
        return self.does(*arguments, **options)


def test_what_hexrec_fails_on_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexrec.validation.clean.read_json", lambda _: None)
    monkeypatch.setattr(tasks, "check_document", Failing(check_document, ZeroDivisionError("why")))
    answer = Task(ValidateRecords(), **about(offset=Offset(5, 9)), media_type=LINES).answer()
    first, second = lines(answer)
    assert (first["index"], first["valid"]) == (5, True)
    assert (second["index"], second["valid"], second["file"]) == (6, False, "-")
    (diagnostic,) = second["diagnostics"]
    assert diagnostic["code"] == "internal/error"
    assert "ZeroDivisionError" in diagnostic["message"]
    assert answer.summary.records == 2


@pytest.mark.parametrize("error", [MemoryError(), Problem("busy", "why")])
def test_what_is_no_error_in_hexrec(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    monkeypatch.setattr("hexrec.validation.clean.read_json", lambda _: None)
    monkeypatch.setattr(tasks, "check_document", Failing(check_document, error))
    with pytest.raises(type(error)):
        Task(ValidateRecords(), **about(), media_type=LINES).answer()


def test_what_hexrec_fails_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexrec.formats.json.parse", lambda _: 1 / 0)
    for body, before in ((text(GAME), 0), (f"[{text(GAME)}]", 1)):
        found = json.loads(Task(ListRecords(), **about(body, notation="json")).answer().body)
        entry = found["records"][-1]
        assert (entry["valid"], entry["game"], entry["diagnostic"]["code"]) == (False, None, "internal/error")
        assert (entry["extent"]["offset"], entry["extent"]["record"]) == (before, 0)
        assert entry["players"] == {"black": None, "white": None}
    for operation in (ListLegalTurns(), RenderPosition()):
        with pytest.raises(Problem) as failed:
            Task(
                operation, **about(notation="json", body=text(GAME)), media_type=operation.choose_media_type(None)
            ).answer()
        assert failed.value.name == "failed"
        assert failed.value.more["records"][0]["diagnostics"][0]["code"] == "internal/error"
