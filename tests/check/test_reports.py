"""What reports say of records that could not be judged."""

from __future__ import annotations

import pytest

from hexrec.check import check_document, replay
from hexrec.check import verdict as judging
from hexrec.notations.base import Document
from hexrec.record import read_record

RECORD = {"hexrec": "1", "game": "sunspot", "size": 4, "id": 7, "moves": ["b2", "c2", "d2"]}


@pytest.mark.parametrize(
    ("data", "game", "own_id"),
    [
        ({**RECORD, "size": "x"}, "sunspot", "7"),
        ({**RECORD, "game": "go", "id": "a"}, "go", "a"),
        ({**RECORD, "game": 4, "id": True}, None, None),
        ([RECORD], None, None),
    ],
)
def test_what_a_record_says_it_is_is_known_without_a_verdict(
    data: object, game: str | None, own_id: str | None
) -> None:
    document = Document(data)
    report = check_document(document, "a file", 3)
    assert not report.valid
    assert (report.file, report.index, report.game, report.id) == ("a file", 3, game, own_id)
    assert report.document is document
    assert all((each.file, each.record, each.id) == ("a file", 3, own_id) for each in report.diagnostics)


def test_a_failure_of_hexrec_says_on_which_record(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("this is the test")

    monkeypatch.setattr(judging, "read_plain", fail)
    report = check_document(Document(RECORD), "a file", 3)
    (diagnostic,) = report.diagnostics
    assert (diagnostic.code, diagnostic.file, diagnostic.record, diagnostic.id) == ("internal/error", "a file", 3, "7")
    assert (report.file, report.index, report.game, report.id) == ("a file", 3, "sunspot", "7")


@pytest.mark.parametrize(("plies", "played"), [(None, 3), (0, 0), (2, 2), (9, 3)])
def test_a_replay_stops_where_it_is_told_to(plies: int | None, played: int) -> None:
    assert replay(read_record({**RECORD, "id": "7"}), plies).plies == played
